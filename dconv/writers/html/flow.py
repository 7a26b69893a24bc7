"""The blocks of a section to HTML: the match over all nodes of the tree.

Each node becomes a string by a pure function of the node and the `PageContext`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import assert_never

from dconv.model.tree import (
    Argument,
    Block,
    Definition,
    Definitions,
    Entry,
    Example,
    Heading,
    Inline,
    Item,
    Labelled,
    List,
    Paragraph,
    Preformatted,
    Section,
    SeeAlso,
    Table,
    Term,
    plain_text,
)
from dconv.writers.html.backlinks import backlinks
from dconv.writers.html.card import card, head, shows_name
from dconv.writers.html.context import (
    PageContext,
    anchor_attributes,
    empty_anchors,
    heading_name,
)
from dconv.writers.html.escape import attribute, text
from dconv.writers.html.inlines import inlines
from dconv.writers.html.marks import ADDED
from dconv.writers.html.preformatted import preformatted
from dconv.writers.html.tables import table

MAX_INLINE_LENGTH = 60  # characters of a text that is on the line of its label
ANY_PAGE = PageContext(lambda target: f"place:{target.document}#{target.anchor}")
LEAD = 280  # characters of HTML that are set larger
LONG_LEAD = 600  # characters of HTML above the card: half a phone's screen
# "12.", "3)"
DIGITS = re.compile(r"\(?(\d{1,9})[.)]?$")
# "b)", "C."
LETTER = re.compile(r"\(?([a-zA-Z])[.)]?$")


# --- sections -------------------------------------------------------------------------


def heading(section: Section, level: int, context: PageContext) -> str:
    """The title of `section` as a heading of `level` that links to itself."""
    anchor, name = context.anchor(section.anchor), heading_name(level)
    aliases = anchor_attributes(context.aliases.get(section.anchor, ()))
    link = aliases.pop(0) if aliases else ""
    number = f'<span class="number">{text(section.number)}</span> ' if section.number else ""
    return (
        f'<{name} id="{anchor}" class="section">{empty_anchors(aliases)}'
        f'<a href="#{anchor}"{link}>{number}{text(section.title)}</a></{name}>\n'
    )


def blocks(body: Iterable[Block], context: PageContext) -> str:
    """A section's own `body`, without its sub-sections."""
    out: list[str] = []
    _flow(body, out, context.level, context)
    return "".join(out)


# --- flow -----------------------------------------------------------------------------


def _flow(nodes: Iterable[Block], out: list[str], level: int, context: PageContext) -> None:
    """Append `nodes` to `out`; small headings have `level`, and are paragraphs if it is 0."""
    for node in nodes:
        match node:
            case Paragraph():
                out.append(f"<p>{inlines(node.content, context)}</p>\n")
            case Entry():
                _entry(node, out, context)
            case Preformatted():
                out.append(preformatted(node, context))
            case Definitions():
                _definitions(node, out, context)
            case List():
                _list(node, out, context)
            case Example():
                _example(node, out, context)
            case SeeAlso():
                label, shown = text(node.label), inlines(node.content, context)
                out.append(f'<p class="see-also"><b>{label}</b> {shown}</p>\n')
            case Labelled():
                _labelled(node, out, level, context)
            case Table():
                table(node, out, context)
            case Heading():
                out.append(_heading(node, level, context))
            case _:
                assert_never(node)


def _entry(entry: Entry, out: list[str], context: PageContext) -> None:
    aliases = list(context.aliases.get(entry.anchor, ()))
    identity = next((name for name in aliases if " " not in name), "")
    if identity:
        aliases.remove(identity)
        identity = f' id="{attribute(identity)}"'
    places = anchor_attributes(aliases)
    link = places.pop(0) if places else ""
    name = places.pop() if places and shows_name(entry, context) else ""
    anchor = context.anchor(entry.anchor)
    out.append(f'<section id="{anchor}" class="entry">{empty_anchors(places)}\n')
    out.append(head(entry, context, identity, link))
    body = entry.body
    if body and isinstance(body[0], Paragraph):
        length = _length(body[0])
        if length <= LONG_LEAD:
            shown = inlines(body[0].content, context)
            out.append(f'<p class="{"lead" if length <= LEAD else "lead long"}">{shown}</p>\n')
            body = body[1:]
    out.append(card(entry, context, name))
    _flow(body, out, context.level + 1, context)
    if not context.single_page:
        out.append(backlinks(entry, context))
    out.append("</section>\n")


def _length(paragraph: Paragraph) -> int:
    """The characters of `paragraph` as HTML; the same on every page, wherever links lead."""
    return len(inlines(paragraph.content, ANY_PAGE))


def _item_body(body: Sequence[Block], out: list[str], context: PageContext) -> None:
    """The body of an item: a single paragraph is bare."""
    if len(body) == 1 and isinstance(body[0], Paragraph):
        out.append(inlines(body[0].content, context))
    elif body:
        out.append("\n")
        _flow(body, out, 0, context)


def _heading(node: Heading, level: int, context: PageContext) -> str:
    name = heading_name(level) if level else "p"
    identity = f' id="{context.anchor(node.anchor)}"' if node.anchor else ""
    shown = _linked(node.content, node.anchor, context)
    return f'<{name}{identity} class="title">{shown}</{name}>\n'


def _linked(
    content: tuple[Inline, ...], anchor: str, context: PageContext, is_link: bool = True
) -> str:
    """`content` as a link to itself at `anchor`; if it has links, with a link `#` after it.

    If not `is_link`, only the latter.
    """
    shown = inlines(content, context)
    if not anchor:
        return shown
    link = f'<a href="#{context.anchor(anchor)}"'
    match content:
        case (Argument(target=None) as argument,):  # one element instead of two
            shown = text(argument.text)
        case _ if "<a" in shown:
            mark = f'{link} class="self"{ADDED} aria-label="Link to this">#</a>'
            return f"{shown}{mark}"
        case _:
            pass
    return f"{link}>{shown}</a>" if is_link else shown


def _labelled(node: Labelled, out: list[str], level: int, context: PageContext) -> None:
    label = text(node.label)
    body = node.body
    first = body[0] if body and isinstance(body[0], Paragraph) else None
    match node.kind:
        case "note" | "warning":
            words = f" {inlines(first.content, context)}" if first else ""
            out.append(f'<aside class="{node.kind}" role="note">\n<p><b>{label}</b>{words}</p>\n')
            _flow(body[1:] if first else body, out, 0, context)
            out.append("</aside>\n")
        case "arguments" | "label":
            if first and len(body) == 1 and len(plain_text(first.content)) <= MAX_INLINE_LENGTH:
                words = inlines(first.content, context)
                out.append(f'<p class="labelled"><b>{label}</b> {words}</p>\n')
                return
            name = heading_name(level) if level else "p"
            out.append(f'<{name} class="label">{label}</{name}>\n')
            _flow(body, out, level, context)
        case _:
            assert_never(node.kind)


def _example(node: Example, out: list[str], context: PageContext) -> None:
    caption = f" {inlines(node.caption, context)}" if node.caption else ""
    out.append(
        f'<figure class="example">\n<figcaption><b>{text(node.label)}</b>{caption}</figcaption>\n'
    )
    _flow(node.body, out, 0, context)
    out.append("</figure>\n")


# --- lists ----------------------------------------------------------------------------


def _list(node: List, out: list[str], context: PageContext) -> None:
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


def _numbering(items: Sequence[Item]) -> tuple[str, list[str]]:
    """The attributes of a numbered list, and the rest of the start tag of each item.

    The browser draws digits and single letters; other numbers stay text.
    """
    markers = [item.marker for item in items]
    digits = [DIGITS.match(marker) for marker in markers]
    if all(digits):
        return "", [f' value="{match[1]}">' for match in digits if match]
    letters = [LETTER.match(marker) for marker in markers]
    if all(letters) and len({match[1].islower() for match in letters if match}) == 1:
        style = "a" if letters[0] and letters[0][1].islower() else "A"
        values = [ord(match[1].casefold()) - ord("a") + 1 for match in letters if match]
        return f' type="{style}"', [f' value="{value}">' for value in values]
    return ' class="marked"', [
        f'><span class="marker">{text(marker)}</span> ' for marker in markers
    ]


def _definitions(node: Definitions, out: list[str], context: PageContext) -> None:
    out.append("<dl>\n")
    for item in node.items:
        _definition(item, out, context)
    out.append("</dl>\n")


def _definition(item: Definition, out: list[str], context: PageContext) -> None:
    last = len(item.terms) - 1
    for place, term in enumerate(item.terms):
        front = back = ""
        if place == 0 and item.marker[:1].isalnum():
            front = f'<span class="marker">{text(item.marker)}</span> '
        if place == last and item.separator not in ("", ":"):
            back = f' <span class="separator">{text(item.separator)}</span>'
        out.append(_term(term, front, back, context))
    out.append("<dd>")
    _item_body(item.body, out, context)
    out.append("</dd>\n")


def _term(term: Term, front: str, back: str, context: PageContext) -> str:
    identity = f' id="{context.anchor(term.anchor)}"' if term.anchor else ""
    shown = _linked(term.content, term.anchor, context, is_link=not context.single_page)
    return f"<dt{identity}>{front}{shown}{back}</dt>\n"
