"""Markdown: CommonMark with the tables, strikethrough, footnotes, alerts and anchors of GitHub.

markdown-it converts it to HTML, which the HTML reader reads.  So HTML in the text is read too, and
what the HTML reader removes, such as scripts, is removed here.
"""

from __future__ import annotations

import html as entities
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from bs4 import Tag
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from dconv.model.anchors import github_slug
from dconv.model.dialect import Dialect
from dconv.model.file_names import file_stem
from dconv.model.source import decoded_text
from dconv.model.tree import Header, HeaderRow, Manual
from dconv.readers.extracted_text import ParsedDocument, build_manual
from dconv.readers.html.blocks import BlockReader
from dconv.readers.html.expected_words import expected_words
from dconv.readers.html.inlines import link_places
from dconv.readers.html.outline import outline
from dconv.readers.html.page import whole_page
from dconv.readers.html.soup import BLOCKS, attribute, elements, parse

MAX_DIGITS = 9  # of the number of a line
MAX_NESTING = 100  # blocks inside each other; a text with more is shown as it is
MAX_FRONT_MATTER = 200  # lines
# the line above settings at the start of a file: the line below them, and a setting, in YAML
# ("title: Options") and TOML ('title = "Options"')
FRONT_MATTER = {
    "---": (
        re.compile(r"(?:---|\.\.\.)\s*"), re.compile(r"(?P<key>[\w-]+)\s*:(?:\s+(?P<value>.*))?")
    ),
    "+++": (re.compile(r"\+\+\+\s*"), re.compile(r"(?P<key>[\w-]+)\s*=\s*(?P<value>.*)")),
}
BLOCK_SCALAR = re.compile(r"[>|][+-]?")  # the start of a value on several lines, in YAML
# a link or image: "[text](other.md#part", "![text](<lamp.png"
LINK = re.compile(r"\]\(\s*<?(?P<target>[^()<>\s]+)")
# what starts a note in a block quote: "[!NOTE]"
ALERT = re.compile(r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*", re.IGNORECASE)
# what starts an item of a list of tasks: "[ ] text", "[x] text"
TASK = re.compile(r"\[(?P<mark>[ xX])\]\s+")
# what starts the text of a definition, below its term: ":   text"
DEFINITION = re.compile(r":\s+")
# between two cells of a table
BAR = re.compile(r"(?<!\\)\|")
# what is around the cells of a row, also in a quote
ROW_EDGES = re.compile(r"^[\s>]*\|?|(?<!\\)\|\s*$")
# an id after a heading: "{#install}"
HEADING_ID = re.compile(r"\s*\{\s*#(?P<id>[\w:.-]+)[^{}]*\}\s*$")
# the start or end of an element: "<name", "</name"
TAG = re.compile(r"<(?=/?(?P<name>[A-Za-z][\w:.-]*))")
# elements besides blocks; any other name in angle brackets is a placeholder
ELEMENTS = BLOCKS | frozenset((
    "a", "abbr", "acronym", "applet", "area", "audio", "b", "base", "basefont", "bdi", "bdo",
    "big", "br", "button", "canvas", "cite", "code", "data", "datalist", "del", "dfn", "em",
    "embed", "font", "frame", "frameset", "head", "i", "iframe", "img", "input", "ins", "kbd",
    "label", "link", "map", "mark", "math", "meta", "meter", "nobr", "noscript", "object",
    "optgroup", "option", "output", "param", "picture", "progress", "q", "rp", "rt", "ruby", "s",
    "samp", "script", "select", "slot", "small", "source", "span", "strike", "strong", "style",
    "sub", "sup", "svg", "template", "textarea", "time", "title", "track", "tt", "u", "var",
    "video", "wbr",
))  # fmt: skip


def read(content: bytes, path: str, dialect: Dialect, name: str) -> Manual:
    """Read Markdown: `content` (bytes) to the manual `name`; never raises."""
    text, findings = decoded_text(content, path)
    dropped: Counter[str] = Counter()
    text, settings = _without_front_matter(text, dropped)
    html = _html(text, dropped)
    soup = parse(html)
    _set_lines(soup)
    page = whole_page(soup)
    block_reader = BlockReader(page.li_numbers)
    page_outline = outline(block_reader, page.root)
    sections = page_outline.sections
    title = page_outline.title or settings.get("title", "") or (
        sections[0].title if sections else file_stem(path)
    )
    rows = (HeaderRow(0, page_outline.title),) if page_outline.title else ()
    header = Header(
        title, date=settings.get("date", ""), span=page_outline.title_span, rows=rows
    )
    words = expected_words(html, page, block_reader.li_name_lengths, dropped)
    document = ParsedDocument(
        path, header, page_outline.preface, sections, findings, words, page_outline.ids,
        link_places(text, LINK),
    )
    return build_manual(document, name)


def _without_front_matter(text: str, dropped: Counter[str]) -> tuple[str, dict[str, str]]:
    """`text` with empty lines for the settings at its start, and these."""
    lines = text.split("\n")
    marker = lines[0].rstrip()
    if marker not in FRONT_MATTER:
        return text, {}
    end, setting = FRONT_MATTER[marker]
    settings: dict[str, str] = {}
    folded_key = ""  # of a value on the lines below: "title: >"
    for index, line in enumerate(lines[1:MAX_FRONT_MATTER], 1):
        if end.fullmatch(line):
            if not settings:
                break
            dropped["front matter"] += len(" ".join(lines[: index + 1]).split())
            return "\n".join(["" for _ in lines[: index + 1]] + lines[index + 1 :]), settings
        if match := setting.fullmatch(line):
            key, value = match["key"].casefold(), (match["value"] or "").strip()
            folded_key = key if BLOCK_SCALAR.fullmatch(value) else ""
            settings[key] = "" if folded_key else value.strip("\"'")
        elif folded_key:
            settings[folded_key] = f"{settings[folded_key]} {line.strip()}".strip()
    return text, {}


def _html(text: str, dropped: Counter[str]) -> str:
    """`text` as HTML, each block with its line as `data-line`."""
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING})
    parser.enable(["table", "strikethrough"])
    parser.use(footnote_plugin, inline=False)
    parser.add_render_rule("footnote_caption", _footnote_number)
    parser.core.ruler.before("footnote_tail", "all_footnotes", _keep_footnotes)
    env: dict[str, object] = {}
    tokens = parser.parse(text, env)
    if (widened := _with_all_cells(text, tokens)) != text:
        env = {}
        tokens = parser.parse(widened, env)
    if any(token.level >= MAX_NESTING - 1 for token in tokens):  # the parser drops what is deeper
        return f"<pre>{entities.escape(text)}</pre>"
    _mark_alerts(tokens)
    _mark_definitions(tokens, dropped)
    _mark_tasks(tokens)
    slugs: Counter[str] = Counter()
    for index, token in enumerate(tokens):
        if token.map and token.type != "inline":
            token.attrSet("data-line", token.map[0] + (2 if token.type == "fence" else 1))
        if token.type == "html_block":
            token.content = TAG.sub(_escaped_unless_element, token.content)
        for child in token.children or ():
            if child.type == "html_inline":
                child.content = TAG.sub(_escaped_unless_element, child.content)
            elif child.type == "image" and not child.content.strip():  # no mark of decoration
                name = PurePosixPath(str(child.attrs["src"])).name
                child.children = [Token("text", "", 0, content=name)]
        if token.type == "heading_open":
            _set_ids(token, tokens[index + 1], slugs, dropped)
    return str(parser.renderer.render(tokens, parser.options, env))


def _with_all_cells(text: str, tokens: Sequence[Token]) -> str:
    """`text` with as many columns in the head of each table as its longest row has cells.

    The parser drops cells beyond those of the head.
    """
    lines = text.split("\n")
    for index, token in enumerate(tokens):
        if token.type != "table_open" or not token.map:
            continue
        start, end = token.map
        head = next(at for at in range(index, len(tokens)) if tokens[at].type == "tr_close")
        columns = sum(cell.type == "th_open" for cell in tokens[index:head])
        cells = [
            len(BAR.split(ROW_EDGES.sub("", line))) for line in lines[start + 2 : end]
        ]
        if (more := max(cells, default=0) - columns) > 0:
            for row, cell in ((start, " |"), (start + 1, "---|")):
                bar = "" if lines[row].rstrip().endswith("|") else " |"
                lines[row] = lines[row].rstrip() + bar + cell * more
    return "\n".join(lines)


def _keep_footnotes(state: StateCore) -> None:
    """Number the footnotes that nothing refers to, or that have the label of another one.

    The plugin drops them.
    """
    notes = state.env.get("footnotes", {})
    labels: set[str] = set()
    for token in state.tokens:
        if token.type != "footnote_reference_open":
            continue
        label = token.meta["label"]
        if label in labels:
            label = token.meta["label"] = f"{label}[{len(labels)}]"  # which no text has
        labels.add(label)
        if notes["refs"].get(f":{label}", -1) < 0:
            number = notes["refs"][f":{label}"] = len(notes["list"])
            notes["list"][number] = {"label": label, "count": 0}


def _footnote_number(
    renderer: object, tokens: Sequence[Token], index: int, options: object, env: object
) -> str:
    """What refers to a footnote, the same each time: "[1]"."""
    return f"[{tokens[index].meta['id'] + 1}]"


def _escaped_unless_element(tag: re.Match[str]) -> str:
    return "<" if tag["name"].casefold() in ELEMENTS else "&lt;"


def _mark_alerts(tokens: list[Token]) -> None:
    """Make notes of block quotes that start with "[!NOTE]"."""
    for index in range(len(tokens) - 3, -1, -1):
        opening, paragraph, inline = tokens[index : index + 3]
        if opening.type != "blockquote_open" or paragraph.type != "paragraph_open":
            continue
        children = inline.children or []
        match = ALERT.fullmatch(children[0].content) if children else None
        if match is None:
            continue
        closing = next(
            token for token in tokens[index + 3 :]
            if token.type == "blockquote_close" and token.level == opening.level
        )
        opening.tag = closing.tag = "div"
        label = match[1].capitalize()
        opening.attrSet("class", f"admonition {label.casefold()}")
        inline.children = children[2:]
        title = Token("html_block", "", 0)
        title.content = f'<p class="admonition-title">{label}</p>\n'
        tokens.insert(index + 1, title)


def _mark_definitions(tokens: list[Token], dropped: Counter[str]) -> None:
    """Make definitions of paragraphs such as "term", and on the next line ":   its text"."""
    for opening, inline, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type != "paragraph_open" or opening.hidden:
            continue
        children = inline.children or []
        starts = [
            index for index, child in enumerate(children)
            if index > 1 and child.type == "text" and children[index - 1].type == "softbreak"
            and DEFINITION.match(child.content)
        ]
        if not starts:
            continue
        opening.tag = closing.tag = "dl"
        dropped["definition markers"] += len(starts)
        marked = [_html_token("<dt>")]
        for index, child in enumerate(children):
            if index in starts:
                marked[-1] = _html_token("</dt>\n<dd>" if index == starts[0] else "</dd>\n<dd>")
                child.content = DEFINITION.sub("", child.content)
            marked.append(child)
        inline.children = [*marked, _html_token("</dd>")]


def _mark_tasks(tokens: list[Token]) -> None:
    """Show the boxes of tasks as characters: "☐ text"."""
    for item, _, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if item.type != "list_item_open" or not inline.children:
            continue
        first = inline.children[0]
        if first.type == "text" and (box := TASK.match(first.content)):
            mark = "☐" if box["mark"] == " " else "☑"
            first.content = f"{mark} {first.content[box.end() :]}"


def _html_token(content: str) -> Token:
    token = Token("html_inline", "", 0)
    token.content = content
    return token


def _set_ids(heading: Token, inline: Token, slugs: Counter[str], dropped: Counter[str]) -> None:
    """Give `heading` the id that GitHub gives to it, and the one that its `inline` ends with."""
    children = inline.children or []
    if children and children[-1].type == "text":
        match = HEADING_ID.search(children[-1].content)
        if match:
            dropped["ids of headings"] += len(match[0].split())
            children[-1].content = children[-1].content[: match.start()]
            children.append(_html_token(f'<a id="{match["id"]}"></a>'))
    slug = github_slug("".join([
        child.content for child in children if child.type in ("text", "code_inline")
    ]))
    number = slugs[slug]
    slugs[slug] += 1
    heading.attrSet("id", f"{slug}-{number}" if number else slug)


def _set_lines(soup: Tag) -> None:
    """Give each element the line of the text that it comes from."""
    line = 1
    for element in elements(soup):
        value = attribute(element, "data-line")
        if value.isdecimal() and len(value) < MAX_DIGITS:
            line = int(value)
        elif element.name == "pre":
            inner = next((attribute(code, "data-line") for code in elements(element)), "")
            line = int(inner) if inner.isdecimal() and len(inner) < MAX_DIGITS else line
        element.sourceline = line
