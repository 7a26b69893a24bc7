"""The texts of a release: the words of each by field, and what each word weighs.

The weights are BM25's in every field, with the boosts of the fields, as lunr computes
them (Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009).
"""

from __future__ import annotations

import math
from collections import Counter
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
    plain_text,
)
from dconv.writers.pages.page import ReleaseDocument
from dconv.writers.search import words
from dconv.writers.search.places import SectionPage

# what a word weighs by where it stands
WEIGHTS: Mapping[str, float] = {
    "phrase": 9, "name": 6, "term": 6, "signature": 2, "summary": 2, "title": 1.5, "body": 1,
    "comment": 1, "mention": 0.8, "code": 0.35, "also": 0.25,
}  # fmt: skip
AROUND = 8  # words on each side of a mention
LISTS = ("matrix", "summary")  # tables that list all names
SATURATION = 4.0  # BM25's k1
LENGTH = 0.4  # BM25's b
PRECISION = 3  # digits that lunr keeps of a weight

# (index of the document, anchor)
Key: TypeAlias = "tuple[int, str]"
Fields: TypeAlias = "dict[str, list[str]]"


@dataclass(slots=True)
class _Collector:
    """Fills the fields of places; `owners` maps anchors to the place that they belong to."""

    documents: Mapping[str, int]
    owners: Mapping[Key, Key]
    fields: dict[Key, Fields] = field(default_factory=dict)

    def add(self, key: Key, part: str, stems: Iterable[str]) -> None:
        self.fields.setdefault(key, {}).setdefault(part, []).extend(stems)


def fields(
    documents: Sequence[ReleaseDocument], pages: Sequence[SectionPage], owners: Mapping[Key, Key]
) -> dict[Key, Fields]:
    """Return the stems of all places of `documents` by field.

    `pages` are their sections; `owners` maps each anchor of a name to the place whose text
    it is in.
    """
    numbers = {document.manual.name: at for at, document in enumerate(documents)}
    collector = _Collector(numbers, owners)
    for page in pages:
        section = page.section
        key = (page.document, section.anchor)
        collector.add(key, "name", stems_of(section.title))
        for block in section.body:
            if isinstance(block, Entry):
                _entry(collector, block, (page.document, block.anchor), section.title)
            else:
                _block(collector, block, key, "body")
    return collector.fields


def stems_of(text: str) -> list[str]:
    """The stems of the words of `text`."""
    return [words.stem(word) for word in words.tokens(text)]


def _entry(collector: _Collector, entry: Entry, key: Key, title: str) -> None:
    names = dict.fromkeys(signature.name for signature in entry.signatures)
    for name in names:
        collector.add(key, "name", stems_of(name))
        if " " not in name:
            collector.add(key, "name", [words.lower(name)])
    collector.add(key, "title", stems_of(title))
    for signature in entry.signatures:
        collector.add(key, "signature", stems_of(signature.text))
    for at, block in enumerate(entry.body):
        _block(collector, block, key, "body" if at else "summary")


def _block(collector: _Collector, block: Block | Item | Definition, key: Key, part: str) -> None:
    """Add the words of `block` and all below it; named items with an anchor are places."""
    match block:
        case Paragraph():
            _prose(collector, block.content, key, part)
        case Heading():
            collector.add(key, "term", stems_of(plain_text(block.content)))
        case SeeAlso():
            collector.add(key, "also", stems_of(plain_text(block.content)))
        case Preformatted():
            for line in block.lines:
                code, _, comment = line.partition("#")
                collector.add(key, "code", stems_of(code))
                collector.add(key, "comment", stems_of(comment))
        case Table():
            _table(collector, block, key)
        case Definition():
            _definition(collector, block, key)
        case List() | Definitions():
            for item in block.items:
                _block(collector, item, key, "body")
        case Example():
            _prose(collector, block.caption, key, "body")
            _below(collector, block.body, key)
        case Item() | Labelled():
            _below(collector, block.body, key)
        case Entry():
            pass


def _below(collector: _Collector, blocks: Iterable[Block], key: Key) -> None:
    for block in blocks:
        _block(collector, block, key, "body")


def _definition(collector: _Collector, definition: Definition, key: Key) -> None:
    own = [term for term in definition.terms if term.kind and term.anchor]
    for term in definition.terms:
        if not own:
            collector.add(key, "term", stems_of(plain_text(term.content)))
    if own:
        key = _item(collector, own, key)
    _below(collector, definition.body, key)


def _item(collector: _Collector, terms: Sequence[Term], key: Key) -> Key:
    """Add the names of an item; return its place."""
    first = (key[0], terms[0].anchor)
    for term in terms:
        collector.add(first, "name", stems_of(plain_text(term.content)))
    return first


def _table(collector: _Collector, table: Table, key: Key) -> None:
    if table.kind in LISTS:
        return
    for row in table.rows:
        own = (key[0], row.anchor) if row.anchor and row.kind else key
        if own != key:
            collector.add(own, "name", stems_of(row.name))
        for cell in row.cells:
            collector.add(own, "body", stems_of(plain_text(cell.content)))


def _prose(collector: _Collector, content: tuple[Inline, ...], key: Key, part: str) -> None:
    """Add the words of prose; those around a reference also to the place it leads to."""
    prose: list[str] = []
    mentions: list[tuple[int, int, Reference]] = []
    for piece in content:
        start = len(prose)
        prose += stems_of(piece.text)
        if isinstance(piece, Reference) and piece.targets:
            mentions.append((start, len(prose), piece))
    collector.add(key, part, prose)
    for start, end, reference in mentions:
        around = [*prose[max(0, start - AROUND) : start], *prose[end : end + AROUND]]
        for target in reference.targets:
            document = collector.documents.get(target.document)
            if document is not None:
                owner = collector.owners.get((document, target.anchor))
                if owner is not None and owner != key:
                    collector.add(owner, "mention", around)


# --- weights --------------------------------------------------------------------------


def impacts(documents: Sequence[Mapping[str, Sequence[str]]]) -> dict[str, dict[int, float]]:
    """Return what each word weighs in each of `documents`: the sum over its fields."""
    spread = Counter(
        word for fields in documents for stems in fields.values() for word in set(stems)
    )
    rarity = {word: _rarity(count, len(documents)) for word, count in spread.items()}
    lengths = {
        part: sum(len(fields.get(part, ())) for fields in documents) / len(documents)
        for part in WEIGHTS if documents
    }
    weights: dict[str, dict[int, float]] = {word: {} for word in spread}
    for document, fields in enumerate(documents):
        for part, boost in WEIGHTS.items():
            if stems := fields.get(part):
                base = SATURATION * (1 - LENGTH + LENGTH * (len(stems) / lengths[part]))
                for word, count in Counter(stems).items():
                    score = rarity[word] * ((SATURATION + 1) * count) / (base + count) * boost
                    own = weights[word]
                    own[document] = own.get(document, 0.0) + round(score, PRECISION)
    return weights


def _rarity(count: int, documents: int) -> float:
    """The weight of a word that `count` fields of so many `documents` have."""
    return math.log(1 + abs((documents - count + 0.5) / (count + 0.5)))
