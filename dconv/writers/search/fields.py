"""The words of each place, by the part of its text in which they stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from dconv.model.tree import (
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
    Reference,
    SeeAlso,
    Table,
    Term,
    plain,
)
from dconv.writers.pages.page import Published
from dconv.writers.search import words
from dconv.writers.search.places import Spot

# what a word weighs by where it stands
WEIGHTS: Mapping[str, float] = {
    "phrase": 9, "name": 6, "term": 6, "signature": 2, "summary": 2, "title": 1.5, "body": 1,
    "comment": 1, "mention": 0.8, "code": 0.35, "also": 0.25,
}  # fmt: skip
AROUND = 8  # words on each side of a mention
LISTS = ("matrix", "summary")  # tables that name all there is

# (index of the document, anchor)
Key: TypeAlias = "tuple[int, str]"
Fields: TypeAlias = "dict[str, list[str]]"


@dataclass(slots=True)
class _Reader:
    """Fills the fields of places; `owners` maps anchors to the place that they belong to."""

    documents: Mapping[str, int]
    owners: Mapping[Key, Key]
    fields: dict[Key, Fields] = field(default_factory=dict)

    def add(self, key: Key, part: str, found: Iterable[str]) -> None:
        self.fields.setdefault(key, {}).setdefault(part, []).extend(found)


def fields(
    documents: Sequence[Published], known: Sequence[Spot], owners: Mapping[Key, Key]
) -> dict[Key, Fields]:
    """The stems of all places of `documents` by field.

    `owners` maps each anchor that is somebody's to the place whose text it is in.
    """
    reader = _Reader({document.manual.name: at for at, document in enumerate(documents)}, owners)
    for spot in known:
        section = spot.section
        key = (spot.document, section.anchor)
        reader.add(key, "name", stems(section.title))
        for block in section.body:
            if isinstance(block, Entry):
                _entry(reader, block, (spot.document, block.anchor), section.title)
            else:
                _block(reader, block, key, "body")
    return reader.fields


def stems(text: str) -> list[str]:
    """The stems of the words of `text`."""
    return [words.stem(word) for word in words.tokens(text)]


def _entry(reader: _Reader, entry: Entry, key: Key, title: str) -> None:
    names = dict.fromkeys(signature.name for signature in entry.signatures)
    for name in names:
        reader.add(key, "name", stems(name))
        if " " not in name:
            reader.add(key, "name", [words.lower(name)])
    reader.add(key, "title", stems(title))
    for signature in entry.signatures:
        reader.add(key, "signature", stems(signature.text))
    for at, block in enumerate(entry.body):
        _block(reader, block, key, "body" if at else "summary")


def _block(reader: _Reader, block: Block | Item | Definition, key: Key, part: str) -> None:
    """The words of `block` and all below it; items of a kind of their own have theirs."""
    match block:
        case Paragraph():
            _prose(reader, block.content, key, part)
        case Heading():
            reader.add(key, "term", stems(plain(block.content)))
        case SeeAlso():
            reader.add(key, "also", stems(plain(block.content)))
        case Preformatted():
            for line in block.lines:
                code, _, comment = line.partition("#")
                reader.add(key, "code", stems(code))
                reader.add(key, "comment", stems(comment))
        case Table():
            _table(reader, block, key)
        case Definition():
            _definition(reader, block, key)
        case List() | Definitions():
            for item in block.items:
                _block(reader, item, key, "body")
        case Example():
            _prose(reader, block.caption, key, "body")
            _below(reader, block.body, key)
        case Item() | Labelled():
            _below(reader, block.body, key)
        case Entry():
            pass


def _below(reader: _Reader, blocks: Iterable[Block], key: Key) -> None:
    for block in blocks:
        _block(reader, block, key, "body")


def _definition(reader: _Reader, definition: Definition, key: Key) -> None:
    own = [term for term in definition.terms if term.kind and term.anchor]
    for term in definition.terms:
        if not own:
            reader.add(key, "term", stems(plain(term.content)))
    if own:
        key = _item(reader, own, key)
    _below(reader, definition.body, key)


def _item(reader: _Reader, terms: Sequence[Term], key: Key) -> Key:
    """The place of an item, with its names."""
    first = (key[0], terms[0].anchor)
    for term in terms:
        reader.add(first, "name", stems(plain(term.content)))
    return first


def _table(reader: _Reader, table: Table, key: Key) -> None:
    if table.kind in LISTS:
        return
    for row in table.rows:
        own = (key[0], row.anchor) if row.anchor and row.kind else key
        if own != key:
            reader.add(own, "name", stems(row.name))
        for cell in row.cells:
            reader.add(own, "body", stems(plain(cell.content)))


def _prose(reader: _Reader, content: tuple[Inline, ...], key: Key, part: str) -> None:
    """The words of prose, and those around what it mentions for the place that is meant."""
    found: list[str] = []
    mentions: list[tuple[int, int, Reference]] = []
    for piece in content:
        start = len(found)
        found += stems(piece.text)
        if isinstance(piece, Reference) and piece.targets:
            mentions.append((start, len(found), piece))
    reader.add(key, part, found)
    for start, end, reference in mentions:
        around = [*found[max(0, start - AROUND) : start], *found[end : end + AROUND]]
        for target in reference.targets:
            document = reader.documents.get(target.document)
            if document is not None:
                other = reader.owners.get((document, target.anchor))
                if other is not None and other != key:
                    reader.add(other, "mention", around)
