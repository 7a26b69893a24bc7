"""What a side of a comparison holds, by place: entries, sections, items and their subjects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dconv.diff.passages import passages, sentences
from dconv.diff.types import Place, Subject
from dconv.linking.catalogue import Catalogues
from dconv.linking.matching import EntryTexts, SectionKey
from dconv.model.tree import Block, Definition, Entry, Item, Manual, Section, Table, sections, walk

# words that tell what is deprecated, in the order of how much they help
ADVICE = (
    re.compile(r"\binstead\b|\bin favou?r of\b|\breplaced (?:by|with)\b", re.IGNORECASE),
    re.compile(r"\bdeprecated\b|\bobsolete\b|\bno longer\b", re.IGNORECASE),
)
LONGEST = 300  # characters of an advice; what is longer is no sentence


@dataclass(frozen=True, slots=True)
class Side:
    """One state: its name for readers, its linked manuals and the catalogue of each."""

    name: str
    manuals: tuple[Manual, ...]
    catalogues: Catalogues


@dataclass(frozen=True, slots=True)
class Inventory:
    """A side, taken apart: sections by document in source order, entries by place."""

    texts: EntryTexts
    manuals: Mapping[str, Manual]
    sections: Mapping[str, tuple[Section, ...]]
    entries: Mapping[tuple[str, str], tuple[Section, Entry]]

    def subject(self, key: tuple[str, str]) -> Subject:
        """The entry at `key`."""
        section, entry = self.entries[key]
        place = _place(key[0], section, entry.span.first, entry.anchor)
        told = advice(entry.body)
        return Subject(entry.kind, entry.name, place, entry.summary, entry.deprecated, told)

    def section(self, key: SectionKey) -> Subject:
        """The section at `key`."""
        document, at = key
        section = self.sections[document][at]
        return Subject(
            "", section.title, _place(document, section, section.title_span.first, section.anchor)
        )

    def signed(self) -> frozenset[tuple[str, str, str]]:
        """The names of all signatures, with their documents and the titles of their sections."""
        return frozenset(
            (document, section.title, signature.name)
            for (document, _), (section, entry) in self.entries.items()
            for signature in entry.signatures
        )


def inventory(side: Side) -> Inventory:
    """What `side` holds."""
    listed = {manual.name: tuple(sections(manual)) for manual in side.manuals}
    entries = {
        (document, block.anchor): (section, block)
        for document, found in listed.items() for section in found
        for block in section.body if isinstance(block, Entry)
    }
    manuals = {manual.name: manual for manual in side.manuals}

    def text(key: tuple[str, str]) -> str:
        return " ".join([str(one) for one in passages(entries[key][1].body, {})])

    return Inventory(EntryTexts(side.catalogues, text), manuals, listed, entries)


def items(found: Inventory) -> Iterator[Subject]:
    """Terms and rows of tables that are definitions of a kind of their own."""
    for document, listed in found.sections.items():
        for section in listed:
            for node in walk(section.body):
                for kind, name, line, anchor in _items(node):
                    yield Subject(kind, name, _place(document, section, line, anchor))


def _items(node: Block | Item | Definition) -> Iterator[tuple[str, str, int, str]]:
    match node:
        case Definition():
            for term in node.terms:
                if term.kind:
                    yield term.kind, term.name, term.line, term.anchor
        case Table():
            for row in node.rows:
                if row.kind:
                    yield row.kind, row.name, row.span.first, row.anchor
        case _:
            pass


def _place(document: str, section: Section, line: int, anchor: str) -> Place:
    return Place(document, section.number, section.title, line, anchor)


def advice(body: Sequence[Block]) -> str:
    """The sentence of `body` that tells what is deprecated or what to use, or empty."""
    told = [one for one in sentences(list(passages(body, {}))) if len(one) <= LONGEST]
    for pattern in ADVICE:
        for sentence in told:
            if pattern.search(sentence):
                return sentence
    return ""
