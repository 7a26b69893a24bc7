"""Doctrees to Markdown as people write it: CommonMark with GitHub's tables.

    section      a heading; links to what is below it lead to the heading, whose anchor is the one
                 that GitHub gives it
    definitions  a list: `` - `-f <file>`: reads the file``
    notes        a block quote that starts with the label in bold
    examples     fenced code with its language

Prose is on one line a paragraph.  Words that Markdown cannot set in bold where they are stay plain.

Syntax: https://spec.commonmark.org/0.31.2/ and https://github.github.com/gfm/
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from docutils import nodes

from dconv.model.anchors import github_slug
from dconv.model.values import dataclass
from dconv.writers.docutils.prose import (
    DELETED,
    elements,
    enumerator,
    title_and_body,
    without_blank_end,
)
from dconv.writers.html.inlines import is_technical

Href = Callable[[nodes.reference], str]

MAX_LEVEL = 6  # of headings
MAX_PADDED_WIDTH = 100  # columns of a table whose cells are padded
# backslashes in front of ASCII punctuation, and what starts code
ALWAYS_ESCAPED = re.compile(r"\\(?=[!-/:-@\[-`{-~]|$)|`")
STAR = re.compile(r"(?<!\s)\*|\*(?!\s)")  # between blanks it means nothing
UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")  # nor does this within a word
TILDE = re.compile(r"~(?=~)|(?<=\S)~")
TAG_OR_ENTITY = re.compile(r"<(?=[A-Za-z/!?])|&(?=#?\w+;)")
# what makes a link of the words in brackets before it, and marks of footnotes
AFTER_BRACKETS = re.compile(r"\](?=\()|\[(?=\^)|!(?=\[)")
BRACKETS = re.compile(r"[\[\]]")
ESCAPED = (STAR, UNDERSCORE, TILDE, TAG_OR_ENTITY, AFTER_BRACKETS)
# at the start of a line: a list, a quote, a heading, a rule, a task, a definition of a link
NUMBER_START = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
MARK_START = re.compile(r"[-+](?=\s|$)|[-\s]+$|=+$|>|#{1,6}(?=\s|$)|\[(?=[ xX]\])|\[(?=[^\]]*\]:)")
LIST_LINE = re.compile(r"(?:[-*]|1[.)]) \S")  # such lines end a paragraph
PLACEHOLDER = re.compile(r"<[^<>]*>")


def markdown(document: nodes.document) -> str:
    """`document`, a doctree of `make_doctree`, as Markdown."""
    anchors = heading_anchors(document.children)

    def href(link: nodes.reference) -> str:
        return f"#{anchors[link['refid']]}" if "refid" in link else str(link["refuri"])

    writer = _MarkdownWriter(href)
    title, body = title_and_body(document)
    lines = [f"# {writer.line([nodes.Text(title)])}", ""]
    return "\n".join([*lines, *writer.blocks(body, 2)]).strip("\n") + "\n"


def section_markdown(parts: Sequence[nodes.Node], href: Href) -> str:
    """The title of a section and what follows it, `parts`, as a text of its own.

    `href` returns the address that a link leads to, or nothing.
    """
    return "\n".join(_MarkdownWriter(href).section(parts, 1)).strip("\n") + "\n"


def heading_anchors(parts: Iterable[nodes.Node]) -> dict[str, str]:
    """The anchor of the heading above each place of `parts`, by the id of the place.

    It is empty for places before the first heading.
    """
    slugs: Counter[str] = Counter()
    anchors: dict[str, str] = {}
    for part in parts:
        if isinstance(part, nodes.Element):
            _add_anchors(part, "", slugs, anchors)
    return anchors


def _add_anchors(
    node: nodes.Element, above: str, slugs: Counter[str], anchors: dict[str, str]
) -> None:
    is_heading = isinstance(node, nodes.section | nodes.topic)
    if is_heading or (isinstance(node, nodes.title) and isinstance(node.parent, nodes.document)):
        slug = github_slug(node.astext() if isinstance(node, nodes.title) else node[0].astext())
        above = f"{slug}-{slugs[slug]}" if slugs[slug] else slug
        slugs[slug] += 1
    for identifier in node["ids"]:
        anchors[identifier] = above
    for child in node.children:
        if isinstance(child, nodes.Element):
            _add_anchors(child, above, slugs, anchors)


@dataclass(frozen=True, slots=True)
class _MarkdownWriter:
    """Writes parts of a document; `href` is the address of a link."""

    href: Href

    # --- blocks ---------------------------------------------------------------------------

    def blocks(self, children: Iterable[nodes.Node], level: int = MAX_LEVEL) -> list[str]:
        """The lines of `children`, each followed by a blank one; sections have `level`."""
        blocks: list[str] = []
        marker = ""  # of the list right before: another list after it needs a different one
        for node in children:
            assert isinstance(node, nodes.Element)
            lines, marker = self._block(node, level, marker)
            if lines:
                blocks += [*lines, ""]
        return blocks

    def _block(self, node: nodes.Element, level: int, last_marker: str) -> tuple[list[str], str]:
        """The lines of `node`, and its marker if it is a list."""
        match node:
            case nodes.bullet_list() | nodes.definition_list() | nodes.enumerated_list():
                marks = ".)" if node.get("enumtype") == "arabic" else "-*"
                marker = marks[1] if last_marker == marks[0] else marks[0]
                return self._list(node, marker), marker
            case nodes.paragraph():
                return [self.line(node.children)], ""
            case nodes.line_block():
                *lines, last_line = [self.line(line.children) for line in elements(node)]
                return [*(f"{line}\\" for line in lines), last_line], ""
            case nodes.literal_block():
                return _fenced(node), ""
            case nodes.table():
                return self._table(node), ""
            case nodes.admonition():
                return _quoted(self._labelled(node)), ""
            case nodes.block_quote():
                return _quoted(self.blocks(node.children)), ""
            case nodes.topic() | nodes.section():
                return self.section(node.children, level), ""
            case nodes.docinfo():
                return [f"- {field.tagname.capitalize()}: {self.line(field.children)}"
                        for field in node.findall(nodes.TextElement)], "-"
            case nodes.transition():
                return ["***"], ""
            case nodes.comment():
                return [], last_marker
            case _:
                raise TypeError(f"{node.tagname} cannot appear in a document")

    def section(self, parts: Sequence[nodes.Node], level: int) -> list[str]:
        """A heading, the first of `parts`, and what is below it."""
        title, *body = parts
        heading = f"{'#' * min(level, MAX_LEVEL)} {self.line([nodes.Text(title.astext())])}"
        if heading.endswith("#"):  # it would be one of the marks that may close a heading
            heading = f"{heading[:-1]}\\#"
        return [heading, "", *without_blank_end(self.blocks(body, level + 1))]

    def _labelled(self, node: nodes.Element) -> list[str]:
        """A note: its label in front of its first words."""
        title, *body = elements(node)
        return self._after_label(f"**{self.line(title.children)}:**", " ", body)

    def _list(self, node: nodes.Element, marker: str) -> list[str]:
        """A list with `marker`; blank lines are between items where one has them inside."""
        items: list[list[str]] = []
        for number, item in enumerate(elements(node), node.get("start", 1)):
            front = f"{number}{marker}" if marker in ".)" else marker
            if isinstance(item, nodes.definition_list_item):
                body = self._definition(item)
            elif isinstance(node, nodes.enumerated_list) and front == marker:
                # Markdown counts with digits alone
                body = self._after_label(enumerator(node, number), " ", item.children)
            else:
                body = self.blocks(item.children)
            items.append(_hanging(_tight(body), front))
        if any("" in item for item in items):
            return without_blank_end([line for item in items for line in (*item, "")])
        return [line for item in items for line in item]

    def _after_label(self, label: str, gap: str, body: Sequence[nodes.Node]) -> list[str]:
        """`label`, the first paragraph of `body` on the same line, and further blocks below."""
        if body and isinstance(body[0], nodes.paragraph):
            return [f"{label}{gap}{self.line(body[0].children)}", "", *self.blocks(body[1:])]
        return [f"{label}{gap}".rstrip() if body else label, "", *self.blocks(body)]

    def _definition(self, item: nodes.Element) -> list[str]:
        """A term with its description after a colon, further blocks below."""
        term, definition = elements(item)
        body = [node for node in definition.children if not isinstance(node, nodes.comment)]
        return self._after_label(self._term(term), ": ", body)

    def _term(self, term: nodes.Element) -> str:
        if next(term.findall(nodes.reference), None) is not None:
            return self.line(term.children)
        text = term.astext()
        if is_technical(text.partition(" ")[0]):
            return _code(text)
        return f"**{self.line([nodes.Text(text)])}**"

    def _table(self, node: nodes.Element) -> list[str]:
        """A table of pipes with one line as its head; short cells are padded."""
        head_count = sum(len(head.children) for head in node.findall(nodes.thead))
        rows = [
            [
                " ".join(self.line(part.children, in_cell=True) for part in cell.children)
                for cell in row.children
            ]
            for row in node.findall(nodes.row)
        ]
        columns = len(rows[0])
        head = [
            " ".join(filter(None, (row[column] for row in rows[:head_count])))
            for column in range(columns)
        ]
        table = [head, *rows[head_count:]]
        widths = [max(3, *(len(row[column]) for row in table)) for column in range(columns)]
        if sum(widths) + 3 * columns > MAX_PADDED_WIDTH:
            widths = [3] * columns
        table.insert(1, ["-" * width for width in widths])
        return [f"| {' | '.join(map(str.ljust, row, widths))} |" for row in table]

    # --- inlines --------------------------------------------------------------------------

    def line(self, children: Sequence[nodes.Node], *, in_cell: bool = False) -> str:
        """`children` of a paragraph on one line, whose start means nothing to Markdown."""
        line = ""
        parts = list(_with_merged_code(children))
        for index, node in enumerate(parts):
            if isinstance(node, nodes.Text):
                part = _escaped(node.astext())
            else:
                assert isinstance(node, nodes.TextElement)
                following = parts[index + 1].astext()[:1] if index + 1 < len(parts) else ""
                part = self._markup(node, line[-1:], following)
                if part[0] == "[" and line.endswith("!"):
                    line = f"{line[:-1]}\\!"  # or the link would be an image
            if in_cell and isinstance(node, nodes.Text):
                part = part.replace("\\|", "\\\\&#124;").replace("|", "\\|")
            elif in_cell:
                part = part.replace("|", "\\|")
            line += part
        return line.strip() if in_cell else _with_escaped_start(line.strip())

    def _markup(self, node: nodes.TextElement, before: str, after: str) -> str:
        text = node.astext()
        match node:
            case nodes.literal():
                return _code(text)
            case nodes.emphasis():
                return _marked(text, "*", before, after)
            case nodes.strong():
                return _marked(text, "**", before, after)
            case nodes.inline() if DELETED in node["classes"]:
                return _marked(text, "~~", before, after)
            case nodes.reference():
                return self._link(node, text)
            case _:
                raise TypeError(f"{node.tagname} cannot appear in a line")

    def _link(self, node: nodes.reference, text: str) -> str:
        address = self.href(node)
        is_name = is_technical(text) and not text[0].isdigit()
        link_text = _code(text) if is_name else BRACKETS.sub(r"\\\g<0>", _escaped(text))
        if not address:
            return link_text
        if address == text and not re.search(r"[\s<>\\]", text):
            return f"<{text}>"
        if re.search(r"[\s()<>\\&*_`|\[\]]", address):
            address = re.sub(r"[\\<>&*_`|]", r"\\\g<0>", re.sub(r"\s", "%20", address))
            return f"[{link_text}](<{address}>)"
        return f"[{link_text}]({address})"


def _fenced(node: nodes.Element) -> list[str]:
    """A block of code with its language; the fence is longer than any in it."""
    text = node.astext()
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    classes = node["classes"]
    language = classes[1] if classes[:1] == ["code"] and len(classes) > 1 else ""
    fence = "`" * (longest + 1)
    return [f"{fence}{language}", *text.split("\n"), fence]


def _quoted(lines: Sequence[str]) -> list[str]:
    return [f"> {line}" if line else ">" for line in without_blank_end(lines)]


def _hanging(lines: Sequence[str], marker: str) -> list[str]:
    """`lines` after `marker`, the further ones below the first."""
    indent = " " * (len(marker) + 1)
    first, *rest = lines or [""]
    return [f"{marker} {first}".rstrip(), *(f"{indent}{line}" if line else "" for line in rest)]


def _tight(lines: Sequence[str]) -> list[str]:
    """`lines` of an item without blank ones at their end, and before a list right below a line."""
    body = without_blank_end(lines)
    if len(body) > 2 and not body[1] and LIST_LINE.match(body[2]):
        rest = body[2:]
        if "" not in rest and all(LIST_LINE.match(line) or line[0] == " " for line in rest):
            del body[1]
    return body


def _code(text: str) -> str:
    """`text` as code, between more back quotes than it has in a row."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    quotes = "`" * (longest + 1)
    blank = " " if text[:1] == "`" or text[-1:] == "`" or not text.strip() else ""
    return f"{quotes}{blank}{text}{blank}{quotes}"


def _with_merged_code(children: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """`children`, where code after code is one node."""
    for is_code, neighbours in groupby(children, _is_code):
        if not is_code:
            yield from neighbours
        elif code := "".join([node.astext() for node in neighbours]):
            yield nodes.literal("", code)


def _is_code(node: nodes.Node) -> bool:
    """Whether `node` is code, or an argument such as `<file>`, which people write as code."""
    return isinstance(node, nodes.literal) or (
        isinstance(node, nodes.emphasis) and PLACEHOLDER.fullmatch(node.astext()) is not None
    )


def _marked(text: str, mark: str, before: str, after: str) -> str:
    """`text` between two `mark`s; plain where Markdown would not take them for marks.

    It does beside a letter of `text`, or where no letter is on the other side.
    """
    escaped = _escaped(text)
    opens = text[:1].isalnum() or not before or before.isspace() or before in "([\"',;:-/"
    closes = text[-1:].isalnum() or not after or after.isspace() or after in ")]\"',;:-/.!?"
    is_beside_marks = before == mark[0] or after == mark[0]
    return f"{mark}{escaped}{mark}" if opens and closes and not is_beside_marks else escaped


def _escaped(text: str) -> str:
    """`text` with a backslash before each character that would be markup."""
    escaped = ALWAYS_ESCAPED.sub(r"\\\g<0>", text)
    for pattern in ESCAPED:
        escaped = pattern.sub(r"\\\g<0>", escaped)
    return escaped


def _with_escaped_start(text: str) -> str:
    """`text` with a backslash where its start would be markup."""
    if NUMBER_START.match(text):
        return NUMBER_START.sub(r"\1\\\2", text, count=1)
    return f"\\{text}" if MARK_START.match(text) else text
