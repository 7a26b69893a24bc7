"""Lists to docutils: bullets, numbers, and definitions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from docutils import nodes

from dconv.model.tree import Definition, Flow, Item, List
from dconv.writers.docutils.places import Places
from dconv.writers.docutils.prose import Piece, folded, inlines, joined

# "12.", "b)", "(3)"; a list of Roman numbers cannot be told from one of letters
NUMBER = re.compile(r"(\(?)([0-9]{1,9}|[A-HJ-Za-hj-z])([.)])$")
LETTER = re.compile(r"(\(?)([A-Za-z])([.)])$")

Inside = Callable[[Sequence[Flow]], list[nodes.Element]]


def listed(node: List, inside: Inside) -> Iterator[nodes.Element]:
    """`node` as a list; `inside` makes the body of an item.

    Numbers that do not count up by one stand in the text of a list with bullets.
    """
    numbering = _numbering([item.marker for item in node.items]) if node.ordered else None
    items: list[nodes.list_item] = []
    for item in node.items:
        body = inside(item.body)
        if node.ordered and not numbering:
            body = marked(item, body)
        items.append(nodes.list_item("", *body))
    if items and numbering:
        yield nodes.enumerated_list("", *items, **numbering)
    elif items:
        yield nodes.bullet_list("", *items, bullet="-")


def _numbering(markers: Sequence[str]) -> dict[str, str | int] | None:
    """The attributes of an enumerated list with these `markers`, or None."""
    first = NUMBER.match(markers[0]) if markers else None
    if first is None:
        return None
    style = "arabic" if first[2].isdigit() else "loweralpha"
    if first[2].isupper():
        style = "upperalpha"
    for offset, marker in enumerate(markers):
        match = NUMBER.match(marker) if style == "arabic" else LETTER.match(marker)
        if match is None or (match[1], match[3]) != (first[1], first[3]):
            return None
        if match[2].isdigit() != first[2].isdigit() or match[2].isupper() != first[2].isupper():
            return None
        if _ordinal(match[2]) != _ordinal(first[2]) + offset:
            return None
    found: dict[str, str | int] = {"enumtype": style, "prefix": first[1], "suffix": first[3]}
    if _ordinal(first[2]) != 1:
        found["start"] = _ordinal(first[2])
    return found


def _ordinal(number: str) -> int:
    return int(number) if number.isdigit() else ord(number.casefold()) - ord("a") + 1


def marked(item: Item, body: list[nodes.Element]) -> list[nodes.Element]:
    """`body` with the item's bullet or number in front, as text."""
    marker = folded(item.marker)
    if marker and body and isinstance(body[0], nodes.paragraph):
        children = list(body[0].children)
        behind = ""
        if isinstance(children[0], nodes.Text):
            behind = children.pop(0).astext()
        body[0].children = []
        body[0] += [nodes.Text(f"{marker} {behind}"), *children]
    elif marker:
        body.insert(0, nodes.paragraph("", marker))
    return body


def definition(
    item: Definition, body: list[nodes.Element], places: Places
) -> nodes.definition_list_item:
    """`item` with its terms and its `body`."""
    described = nodes.definition("", *(body or [nodes.comment()]))
    return nodes.definition_list_item("", term(item, places, nodes.term), described)


def term(
    item: Definition, places: Places, kind: type[nodes.term | nodes.paragraph]
) -> nodes.term | nodes.paragraph:
    """The terms of `item` as one element: reStructuredText allows one line only."""
    pieces: list[Piece] = []
    if item.marker[:1].isalnum():
        pieces.append(f"{item.marker} ")
    for number, one in enumerate(item.terms):
        pieces += [", "] if number else []
        pieces += inlines(one.content, places)
    if item.separator not in ("", ":"):
        pieces.append(f" {item.separator}")
    made = kind("", "", *(joined(pieces) or [nodes.Text("…")]))
    made["ids"] = [places.ids[one.anchor] for one in item.terms if one.anchor]
    made["names"] = list(made["ids"])
    return made
