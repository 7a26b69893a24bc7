"""A side of a comparison: its manuals, and what they hold by place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dconv.diff.passages import passages, sentences
from dconv.diff.types import Place, Subject
from dconv.linking.catalogue import Catalogues
from dconv.linking.matching import EntryKey, EntryTexts, SectionKey
from dconv.model.tree import Block, Entry, Manual, Section, items, sections

# words that say what is deprecated, the most helpful first
ADVICE = (
    re.compile(r"\binstead\b|\bin favou?r of\b|\breplaced (?:by|with)\b", re.IGNORECASE),
    re.compile(r"\bdeprecated\b|\bobsolete\b|\bno longer\b", re.IGNORECASE),
)
MAX_ADVICE_LENGTH = 300  # characters; what is longer is not a sentence


@dataclass(frozen=True, slots=True)
class Side:
    """One state: its name for readers, its linked manuals and their catalogues."""

    name: str
    manuals: tuple[Manual, ...]
    catalogues: Catalogues


@dataclass(frozen=True, slots=True)
class Inventory:
    """The sections of a side by document, in source order, and its entries by key."""

    texts: EntryTexts
    manuals: Mapping[str, Manual]
    sections: Mapping[str, tuple[Section, ...]]
    entries: Mapping[EntryKey, tuple[Section, Entry]]

    def entry(self, key: EntryKey) -> Entry:
        """The entry at `key`."""
        return self.entries[key][1]

    def section(self, key: SectionKey) -> Section:
        """The section at `key`."""
        return self.sections[key[0]][key[1]]

    def entry_subject(self, key: EntryKey) -> Subject:
        """The entry at `key`, as a subject."""
        section, entry = self.entries[key]
        place = _place(key[0], section, entry.span.first, entry.anchor)
        return Subject(
            entry.kind, entry.name, place, entry.summary, entry.deprecated, _advice(entry.body)
        )

    def section_subject(self, key: SectionKey) -> Subject:
        """The section at `key`, as a subject."""
        section = self.section(key)
        return Subject(
            "", section.title, _place(key[0], section, section.title_span.first, section.anchor)
        )

    def signatures(self) -> frozenset[tuple[str, str, str]]:
        """The document, the title of the section and the name of each signature."""
        return frozenset(
            (document, section.title, signature.name)
            for (document, _), (section, entry) in self.entries.items()
            for signature in entry.signatures
        )

    def items(self) -> Iterator[Subject]:
        """Terms and rows of tables that are definitions of a kind of their own."""
        for document, listed in self.sections.items():
            for section in listed:
                for item in items(section.body):
                    place = _place(document, section, item.line, item.anchor)
                    yield Subject(item.kind, item.name, place)


def inventory(side: Side) -> Inventory:
    """The inventory of `side`."""
    listed = {manual.name: tuple(sections(manual)) for manual in side.manuals}
    entries = {
        (document, block.anchor): (section, block)
        for document, chapters in listed.items() for section in chapters
        for block in section.body if isinstance(block, Entry)
    }
    manuals = {manual.name: manual for manual in side.manuals}

    def text(key: EntryKey) -> str:
        return " ".join([str(passage) for passage in passages(entries[key][1].body, {})])

    return Inventory(EntryTexts(side.catalogues, text), manuals, listed, entries)


def _place(document: str, section: Section, line: int, anchor: str) -> Place:
    return Place(document, section.number, section.title, line, anchor)


def _advice(body: Sequence[Block]) -> str:
    """The sentence of `body` that says what is deprecated or what to use, or empty."""
    candidates = [
        sentence for sentence in sentences(list(passages(body, {})))
        if len(sentence) <= MAX_ADVICE_LENGTH
    ]
    for pattern in ADVICE:
        for sentence in candidates:
            if pattern.search(sentence):
                return sentence
    return ""
