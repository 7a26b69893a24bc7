"""The tree to HTML: the only place, with the modules it imports and `front`, that writes body tags.

Pure functions from nodes to strings.  A link to a place is written as
`<a href="dconv:DOCUMENT#ANCHOR"` and turned into a relative address by `pages`,
so that one fragment serves a section's page and the edition on one page.
Attributes `href` and `id` always come first in their tag: text cannot look like
that, since its `<` is escaped.

Between `<!--text FIRST-LAST-->` and `<!--/text-->` stands the source text of
those lines, word for word and in order, but for elements with `data-added`
(words of ours) and `data-lines` (words moved, with the lines that they are from).
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
    Span,
    Table,
    Term,
    plain,
)
from dconv.writers.html.backlinks import backlinks
from dconv.writers.html.card import card, head
from dconv.writers.html.escape import attribute, text
from dconv.writers.html.inlines import inlines
from dconv.writers.html.preformatted import preformatted
from dconv.writers.html.tables import table

SHORT = 60  # characters: a text that may follow its label on the same line
LEAD = 280  # characters of HTML that may be set larger
LONG_LEAD = 600  # characters of HTML that may stand above the card: half a phone's screen
ADDRESS = re.compile(r'<a href="([^"]*)"')
# "12.", "3)"
DIGITS = re.compile(r"\(?(\d{1,9})[.)]?$")
# "b)", "C."
LETTER = re.compile(r"\(?([a-zA-Z])[.)]?$")


# --- sections -------------------------------------------------------------------------


def heading(section: Section, level: int) -> str:
    """The title of `section` as a heading of `level` (1 to 6) that links to itself."""
    anchor = attribute(section.anchor)
    number = f'<span class="number">{text(section.number)}</span> ' if section.number else ""
    return (
        f'<h{level} id="{anchor}" class="section"><a href="#{anchor}">'
        f"{number}{text(section.title)}</a></h{level}>\n"
    )


def blocks(body: Iterable[Block]) -> str:
    """A section's own `body`, without its sub-sections; its small headings are `h2`."""
    out: list[str] = []
    _flow(body, out, 2)
    return "".join(out)


def proven(span: Span, content: str) -> str:
    """`content`, marked as the text of the lines of `span` for the proof."""
    return f"<!--text {span.first}-{span.last}-->\n{content}<!--/text-->\n"


# --- flow -----------------------------------------------------------------------------


def _flow(nodes: Iterable[Block], out: list[str], level: int) -> None:
    """Append `nodes` to `out`; small headings get `level`, or none where it is 0."""
    for node in nodes:
        match node:
            case Paragraph():
                out.append(f"<p>{inlines(node.content)}</p>\n")
            case Entry():
                _entry(node, out)
            case Preformatted():
                out.append(preformatted(node))
            case Definitions():
                _definitions(node, out)
            case List():
                _list(node, out)
            case Example():
                _example(node, out)
            case SeeAlso():
                label = text(node.label)
                out.append(f'<p class="see-also"><b>{label}</b> {inlines(node.content)}</p>\n')
            case Labelled():
                _labelled(node, out, level)
            case Table():
                table(node, out)
            case Heading():
                out.append(_heading(node, level))
            case _:
                assert_never(node)


def _entry(entry: Entry, out: list[str]) -> None:
    anchor = attribute(entry.anchor)
    start = len(out)
    out.append(f'<section id="{anchor}" class="entry">\n')
    out.append(head(entry))
    body = entry.body
    if body and isinstance(body[0], Paragraph):
        shown = inlines(body[0].content)
        if len(shown) <= LONG_LEAD:
            out.append(f'<p class="{"lead" if len(shown) <= LEAD else "lead long"}">{shown}</p>\n')
            body = body[1:]
    out.append(card(entry))
    _flow(body, out, 3)
    if entry.backlinks:
        out.append(backlinks(entry, {*ADDRESS.findall("".join(out[start:]))}))
    out.append("</section>\n")


def _inside(body: Sequence[Block], out: list[str]) -> None:
    """The body of an item: a single paragraph stands bare."""
    if len(body) == 1 and isinstance(body[0], Paragraph):
        out.append(inlines(body[0].content))
    elif body:
        out.append("\n")
        _flow(body, out, 0)


def _heading(node: Heading, level: int) -> str:
    name = f"h{level}" if level else "p"
    identity = f' id="{attribute(node.anchor)}"' if node.anchor else ""
    return f'<{name}{identity} class="title">{_own(node.content, node.anchor)}</{name}>\n'


def _own(content: tuple[Inline, ...], anchor: str) -> str:
    """`content` as a link to itself at `anchor`; a mark behind it where it holds links."""
    shown = inlines(content)
    if not anchor:
        return shown
    link = f'<a href="#{attribute(anchor)}"'
    match content:
        case (Argument(target=None) as only,):  # one element instead of two
            return f"{link}>{text(only.text)}</a>"
        case _:
            pass
    if "<a " in shown:
        return f'{shown}{link} class="self" data-added aria-label="Link to this">#</a>'
    return f"{link}>{shown}</a>"


def _labelled(node: Labelled, out: list[str], level: int) -> None:
    label = text(node.label)
    body = node.body
    first = body[0] if body and isinstance(body[0], Paragraph) else None
    match node.kind:
        case "note" | "warning":
            words = f" {inlines(first.content)}" if first else ""
            out.append(f'<aside class="{node.kind}" role="note">\n<p><b>{label}</b>{words}</p>\n')
            _flow(body[1:] if first else body, out, 0)
            out.append("</aside>\n")
        case "arguments" | "label":
            if first and len(body) == 1 and len(plain(first.content)) <= SHORT:
                out.append(f'<p class="labelled"><b>{label}</b> {inlines(first.content)}</p>\n')
                return
            name = f"h{level}" if level else "p"
            out.append(f'<{name} class="label">{label}</{name}>\n')
            _flow(body, out, level)
        case _:
            assert_never(node.kind)


def _example(node: Example, out: list[str]) -> None:
    caption = f" {inlines(node.caption)}" if node.caption else ""
    out.append(
        f'<figure class="example">\n<figcaption><b>{text(node.label)}</b>{caption}</figcaption>\n'
    )
    _flow(node.body, out, 0)
    out.append("</figure>\n")


# --- lists ----------------------------------------------------------------------------


def _list(node: List, out: list[str]) -> None:
    if not node.ordered:
        out.append("<ul>\n")
        for item in node.items:
            out.append("<li>")
            _inside(item.body, out)
            out.append("</li>\n")
        out.append("</ul>\n")
        return
    style, values = _numbering(node.items)
    out.append(f"<ol{style}>\n")
    for item, value in zip(node.items, values, strict=True):
        out.append(f"<li{value}")
        _inside(item.body, out)
        out.append("</li>\n")
    out.append("</ol>\n")


def _numbering(items: Sequence[Item]) -> tuple[str, list[str]]:
    """The attributes of a numbered list, and the start tag's rest of each item.

    Digits and single letters are the browser's to draw; other numbers stay text.
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


def _definitions(node: Definitions, out: list[str]) -> None:
    out.append("<dl>\n")
    for item in node.items:
        _definition(item, out)
    out.append("</dl>\n")


def _definition(item: Definition, out: list[str]) -> None:
    last = len(item.terms) - 1
    for place, term in enumerate(item.terms):
        front = back = ""
        if place == 0 and item.marker[:1].isalnum():
            front = f'<span class="marker">{text(item.marker)}</span> '
        if place == last and item.separator not in ("", ":"):
            back = f' <span class="separator">{text(item.separator)}</span>'
        out.append(_term(term, front, back))
    out.append("<dd>")
    _inside(item.body, out)
    out.append("</dd>\n")


def _term(term: Term, front: str, back: str) -> str:
    identity = f' id="{attribute(term.anchor)}"' if term.anchor else ""
    return f"<dt{identity}>{front}{_own(term.content, term.anchor)}{back}</dt>\n"
