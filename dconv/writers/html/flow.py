"""The blocks of a section to HTML: the match over all nodes of the tree.

Each node becomes a string by a pure function of the node and the `PageContext`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from dconv.model import tree
from dconv.writers.html.backlinks import backlinks
from dconv.writers.html.card import card, entry_heading, is_headed_by_signatures, starts_with_name
from dconv.writers.html.context import (
    PageContext,
    anchor_attributes,
    empty_anchors,
    heading_name,
)
from dconv.writers.html.escape import attribute, text
from dconv.writers.html.inlines import inlines
from dconv.writers.html.marks import DATA_ADDED
from dconv.writers.html.preformatted import preformatted
from dconv.writers.html.tables import table

MAX_INLINE_LENGTH = 60  # characters of a text that is on the line of its label
# resolves links alike on every page, to measure texts
LENGTH_CONTEXT = PageContext(lambda target: f"place:{target.document}#{target.anchor}")
MAX_LEAD_LENGTH = 280  # characters of HTML that are set larger
MAX_LONG_LEAD_LENGTH = 600  # characters of HTML above the card: half a phone's screen


def heading(section: tree.Section, level: int, context: PageContext) -> str:
    """The title of `section` as a heading of `level` that links to itself."""
    anchor, name = context.anchor(section.anchor), heading_name(level)
    aliases = anchor_attributes(context.aliases.get(section.anchor, ()))
    link = aliases.pop(0) if aliases else ""
    number = f'<span class="number">{text(section.number)}</span> ' if section.number else ""
    return (
        f'<{name} id="{anchor}" class="section">{empty_anchors(aliases)}'
        f'<a href="#{anchor}"{link}>{number}{text(section.title)}</a></{name}>\n'
    )


def blocks(body: Iterable[tree.Block], context: PageContext) -> str:
    """A section's own `body`, without its sub-sections."""
    out: list[str] = []
    _flow(body, out, context.level, context)
    return "".join(out)


def _flow(nodes: Iterable[tree.Block], out: list[str], level: int, context: PageContext) -> None:
    """Append `nodes` to `out`; small headings have `level`, and are paragraphs if it is 0."""
    for node in nodes:
        match node:
            case tree.Paragraph():
                out.append(f"<p>{inlines(node.content, context)}</p>\n")
            case tree.Entry():
                _entry(node, out, context)
            case tree.Preformatted():
                out.append(preformatted(node, context))
            case tree.Definitions():
                out.append("<dl>\n")
                for item in node.items:
                    _definition(item, out, context)
                out.append("</dl>\n")
            case tree.List():
                _list(node, out, context)
            case tree.Example():
                caption = f" {inlines(node.caption, context)}" if node.caption else ""
                label = f"<figcaption><b>{text(node.label)}</b>{caption}</figcaption>"
                out.append(f'<figure class="example">\n{label}\n')
                _flow(node.body, out, 0, context)
                out.append("</figure>\n")
            case tree.SeeAlso():
                label, content = text(node.label), inlines(node.content, context)
                out.append(f'<p class="see-also"><b>{label}</b> {content}</p>\n')
            case tree.Labelled():
                _labelled(node, out, level, context)
            case tree.Table():
                table(node, out, context)
            case tree.Heading():
                out.append(_heading(node, level, context))
            case tree.BlockQuote():
                out.append("<blockquote>\n")
                _flow(node.body, out, 0, context)
                out.append("</blockquote>\n")
            case tree.Footnote():
                out.append(
                    f'<aside class="footnote" id="{context.anchor(node.anchor)}" role="note">\n'
                    f'<p class="label">{text(node.label)}</p>\n'
                )
                _flow(node.body, out, 0, context)
                out.append("</aside>\n")
            case _:
                assert_never(node)


def _entry(entry: tree.Entry, out: list[str], context: PageContext) -> None:
    aliases = list(context.aliases.get(entry.anchor, ()))
    id_attribute = ""
    if alias := next((alias for alias in aliases if " " not in alias), ""):
        aliases.remove(alias)
        id_attribute = f' id="{attribute(alias)}"'
    alias_attributes = anchor_attributes(aliases)
    link_attribute = alias_attributes.pop(0) if alias_attributes else ""
    name_attribute = ""
    if alias_attributes and starts_with_name(entry, context):
        name_attribute = alias_attributes.pop()
    anchor = context.anchor(entry.anchor)
    start = f'<section id="{anchor}" class="entry">'
    out.append(f"{start}{empty_anchors(alias_attributes)}\n")
    out.append(entry_heading(entry, context, id_attribute, link_attribute))
    body = entry.body
    if body and isinstance(body[0], tree.Paragraph):
        # the same on every page, wherever links lead
        length = len(inlines(body[0].content, LENGTH_CONTEXT))
        end = tree.plain_text(body[0].content).rstrip()[-1:]
        is_above_code = len(body) > 1 and isinstance(body[1], tree.Preformatted)
        introduces = len(body) > 1 and (end == ":" or (is_above_code and end not in ".!?"))
        if length <= MAX_LONG_LEAD_LENGTH and not introduces:
            html = inlines(body[0].content, context)
            lead = "lead" if length <= MAX_LEAD_LENGTH else "lead long"
            out.append(f'<p class="{lead}">{html}</p>\n')
            body = body[1:]
    card_html = card(entry, context, name_attribute)
    card_is_last = is_headed_by_signatures(entry)  # its few rows would interrupt the text
    out.append("" if card_is_last else card_html)
    _flow(body, out, context.level + 1, context)
    out.append(card_html if card_is_last else "")
    if not context.single_page:
        out.append(backlinks(entry, context))
    out.append("</section>\n")


def _item_body(body: Sequence[tree.Block], out: list[str], context: PageContext) -> None:
    """The body of an item: a single paragraph is bare."""
    if len(body) == 1 and isinstance(body[0], tree.Paragraph):
        out.append(inlines(body[0].content, context))
    elif body:
        out.append("\n")
        _flow(body, out, 0, context)


def _heading(node: tree.Heading, level: int, context: PageContext) -> str:
    name = heading_name(level) if level else "p"
    id_attribute = f' id="{context.anchor(node.anchor)}"' if node.anchor else ""
    further_anchors = empty_anchors(anchor_attributes(context.aliases.get(node.anchor, ())))
    html = further_anchors + _self_link(node.content, node.anchor, context)
    return f'<{name}{id_attribute} class="title">{html}</{name}>\n'


def _self_link(
    content: tuple[tree.Inline, ...], anchor: str, context: PageContext, link_content: bool = True
) -> str:
    """`content` as a link to itself at `anchor`; if it has links, with a link `#` after it.

    If not `link_content`, only the latter.
    """
    html = inlines(content, context)
    if not anchor:
        return html
    link = f'<a href="#{context.anchor(anchor)}"'
    match content:
        case (tree.Argument(target=None) as argument,):  # one element instead of two
            html = text(argument.text)
        case _ if "<a" in html:
            self_link = f'{link} class="self"{DATA_ADDED} aria-label="Link to this">#</a>'
            return f"{html}{self_link}"
        case _:
            pass
    return f"{link}>{html}</a>" if link_content else html


def _labelled(node: tree.Labelled, out: list[str], level: int, context: PageContext) -> None:
    label = text(node.label)
    body = node.body
    first = body[0] if body and isinstance(body[0], tree.Paragraph) else None
    match node.kind:
        case "note" | "warning":
            words = f" {inlines(first.content, context)}" if first else ""
            out.append(f'<aside class="{node.kind}" role="note">\n<p><b>{label}</b>{words}</p>\n')
            _flow(body[1:] if first else body, out, 0, context)
            out.append("</aside>\n")
        case "arguments" | "label":
            text_length = len(tree.plain_text(first.content)) if first else 0
            if first and len(body) == 1 and text_length <= MAX_INLINE_LENGTH:
                words = inlines(first.content, context)
                out.append(f'<p class="labelled"><b>{label}</b> {words}</p>\n')
                return
            name = heading_name(level) if level else "p"
            out.append(f'<{name} class="label">{label}</{name}>\n')
            _flow(body, out, level, context)
        case _:
            assert_never(node.kind)


def _list(node: tree.List, out: list[str], context: PageContext) -> None:
    if not node.ordered:
        out.append("<ul>\n")
        for item in node.items:
            out.append("<li>")
            _item_body(item.body, out, context)
            out.append("</li>\n")
        out.append("</ul>\n")
        return
    style, values = _numbering(node.items)
    out.append(f"<ol{style}>\n")
    for item, value in zip(node.items, values, strict=True):
        out.append(f"<li{value}")
        _item_body(item.body, out, context)
        out.append("</li>\n")
    out.append("</ol>\n")


def _numbering(items: Sequence[tree.Item]) -> tuple[str, list[str]]:
    """The attributes of a numbered list, and the rest of the start tag of each item.

    The browser draws digits and single letters; other numbers stay text.
    """
    markers = [item.marker for item in items]
    digits = [tree.DIGITS.match(marker) for marker in markers]
    if all(digits):
        return "", [f' value="{match[1]}">' for match in digits if match]
    letters = [tree.LETTER.match(marker) for marker in markers]
    if all(letters) and len({match[1].islower() for match in letters if match}) == 1:
        style = "a" if letters[0] and letters[0][1].islower() else "A"
        values = [ord(match[1].casefold()) - ord("a") + 1 for match in letters if match]
        return f' type="{style}"', [f' value="{value}">' for value in values]
    return ' class="marked"', [
        f'><span class="marker">{text(marker)}</span> ' for marker in markers
    ]


def _definition(item: tree.Definition, out: list[str], context: PageContext) -> None:
    last = len(item.terms) - 1
    for index, term in enumerate(item.terms):
        before = after = ""
        if index == 0 and item.marker[:1].isalnum():
            before = f'<span class="marker">{text(item.marker)}</span> '
        if index == last and item.separator not in ("", ":"):
            after = f' <span class="separator">{text(item.separator)}</span>'
        id_attribute = f' id="{context.anchor(term.anchor)}"' if term.anchor else ""
        html = _self_link(term.content, term.anchor, context, not context.single_page)
        out.append(f"<dt{id_attribute}>{before}{html}{after}</dt>\n")
    out.append("<dd>")
    _item_body(item.body, out, context)
    out.append("</dd>\n")
