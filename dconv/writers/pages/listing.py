"""Everything of a manual that has a name: what indexes and inventories list.

That are the names of entries, each signature's once, and the items with a kind of
their own (flags, aliases, fields), which stand in lists and tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dconv.model.tree import (
    Cell,
    Definition,
    Entry,
    Manual,
    Paragraph,
    Row,
    Section,
    Table,
    plain,
    sections,
    walk,
)

LONGEST_SUMMARY = 240  # characters; entries keep to the same
LONGEST_MARK = 2  # characters that may stand before an item's name: "%o" for "o"


@dataclass(frozen=True, slots=True)
class Listed:
    """One name at one place.

    `name` is the tree's, `shown` has its mark ("%o").  `place` counts the manual's
    sections in source order.  `entry` is the entry that the name belongs to, or None
    for an item; `anchor` may be empty, the place is then the section.
    """

    name: str
    shown: str
    kind: str
    anchor: str
    section: Section
    place: int
    summary: str
    deprecated: bool
    entry: Entry | None


def listing(manual: Manual) -> tuple[Listed, ...]:
    """All names of `manual` in source order."""
    found: list[Listed] = []
    for place, section in enumerate(sections(manual)):
        for block in section.body:
            if isinstance(block, Entry):
                found += _names(block, section, place)
        found += _items(section, place)
    return tuple(found)


def _names(entry: Entry, section: Section, place: int) -> Iterator[Listed]:
    """The names of the signatures of `entry`, the forms of one name once."""
    known: set[tuple[str, str]] = set()
    current = {one.name for one in entry.signatures if not one.deprecated}
    for signature in entry.signatures:
        name = signature.name
        if name and (name, signature.anchor) not in known:
            known.add((name, signature.anchor))
            deprecated = entry.deprecated or name not in current
            yield Listed(
                name, name, entry.kind, signature.anchor, section, place, entry.summary,
                deprecated, entry,
            )


def _items(section: Section, place: int) -> Iterator[Listed]:
    """The items of `section` that have a kind."""
    for node in walk(section.body):
        if isinstance(node, Definition):
            for term in node.terms:
                if term.kind and term.name:
                    yield Listed(
                        term.name, term.name, term.kind, term.anchor, section, place,
                        _sentence(node), False, None,
                    )
        elif isinstance(node, Table):
            for row in node.rows:
                if row.kind and row.name:
                    yield _of_row(row, section, place)


def _of_row(row: Row, section: Section, place: int) -> Listed:
    texts = [_folded(cell) for cell in row.cells]
    shown = next(
        (
            text for text in texts
            if text.endswith(row.name) and len(text) <= len(row.name) + LONGEST_MARK
        ),
        row.name,
    )
    others = [text for text in texts if text != shown]
    summary = max(others, key=lambda text: (" " in text, len(text)), default="")
    return Listed(
        row.name, shown, row.kind, row.anchor, section, place, _cut(summary), False, None
    )


def _sentence(definition: Definition) -> str:
    """The first sentence of a description, or nothing where it starts otherwise."""
    first = definition.body[0] if definition.body else None
    if not isinstance(first, Paragraph):
        return ""
    text, stop, _ = " ".join(plain(first.content).split()).partition(". ")
    return _cut(text + stop.rstrip())


def _folded(cell: Cell) -> str:
    return " ".join(plain(cell.content).split())


def _cut(text: str) -> str:
    """`text`, cut at a word where it is too long for one line of a list."""
    if len(text) <= LONGEST_SUMMARY:
        return text
    return text[: LONGEST_SUMMARY - 1].rsplit(" ", 1)[0] + "…"
