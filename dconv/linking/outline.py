"""The outline of a document: its sections and entries, to find them in other releases.

Outlines are small, so that those of all releases of a product fit into memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from dconv.model.tree import Entry, Manual, rule_words, sections
from dconv.model.values import dataclass

NOT_COMPARED = re.compile(r"[\W_]+")  # what does not count when titles are compared


@dataclass(frozen=True, slots=True)
class SectionRecord:
    """A section: its number and title, the title to compare, its parent's index or -1."""

    number: str
    title: str
    title_key: str
    parent_index: int

    @property
    def heading(self) -> str:
        """The number and the title, for readers."""
        return f"{self.number} {self.title}".strip()


@dataclass(frozen=True, slots=True)
class EntryRecord:
    """An entry: its kind, its anchor, the index of its section, and its names.

    `names` maps each name that the entry has to the anchor of the signature; its own
    name comes first, then those of its signatures, then those of the rules that it may be
    used in (`http-request deny` of the action `deny`; see `rule_sets` of `Dialect`).
    """

    kind: str
    anchor: str
    section_index: int
    names: Mapping[str, str]
    deprecated: bool = False

    @property
    def name(self) -> str:
        """The entry's own name."""
        return next(iter(self.names))


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """The place of a name: the document, the anchor to link to, and the entry there."""

    document: str
    anchor: str
    entry: EntryRecord


@dataclass(frozen=True, slots=True)
class Outline:
    """The sections and entries of one document of a release, in source order.

    `entries` maps anchors to entries; `rule_words` are the words that rules begin with
    (`http-request`).  `namesakes` maps a kind and a name to the entries whose own name that is.
    `by_kind_and_name` maps a kind and any name of an entry to the first place that has both,
    `by_name` a name to these places, one of each kind.
    """

    document: str
    sections: tuple[SectionRecord, ...]
    entries: Mapping[str, EntryRecord]
    rule_words: frozenset[str] = frozenset()
    namesakes: Mapping[tuple[str, str], Sequence[EntryRecord]] = field(
        init=False, repr=False, compare=False
    )
    by_kind_and_name: Mapping[tuple[str, str], EntryPlace] = field(
        init=False, repr=False, compare=False
    )
    by_name: Mapping[str, tuple[EntryPlace, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        namesakes: dict[tuple[str, str], list[EntryRecord]] = {}
        by_kind_and_name: dict[tuple[str, str], EntryPlace] = {}
        by_name: dict[str, tuple[EntryPlace, ...]] = {}
        for entry in self.entries.values():
            namesakes.setdefault((entry.kind, entry.name), []).append(entry)
            for name, anchor in entry.names.items():
                if (entry.kind, name) not in by_kind_and_name:
                    place = EntryPlace(self.document, anchor, entry)
                    by_kind_and_name[entry.kind, name] = place
                    by_name[name] = (*by_name.get(name, ()), place)
        object.__setattr__(self, "namesakes", namesakes)
        object.__setattr__(self, "by_kind_and_name", by_kind_and_name)
        object.__setattr__(self, "by_name", by_name)


Outlines: TypeAlias = "Mapping[str, Outline]"  # of a release, by the names of its documents


def release_outlines(
    manuals: Iterable[Manual], rule_sets: Mapping[str, str]
) -> dict[str, Outline]:
    """The outlines of `manuals`, the documents of a release, by their names.

    `rule_sets` are the dialect's, as "HTTP Req": "http-request": what is the action `deny` of
    "HTTP Req" in one release may be the entry `http-request deny` in another.
    """
    return {manual.name: _outline(manual, rule_sets) for manual in manuals}


def _outline(manual: Manual, rule_sets: Mapping[str, str]) -> Outline:
    records = [
        EntryRecord(entry.kind, entry.anchor, index, _names(entry, rule_sets), entry.deprecated)
        for index, section in enumerate(sections(manual)) for entry in section.entries
    ]
    return Outline(
        manual.name, tuple(_sections(manual)), {record.anchor: record for record in records},
        frozenset(rule_sets.values()),
    )


def _sections(manual: Manual) -> Iterator[SectionRecord]:
    parents = {
        child.anchor: index
        for index, section in enumerate(sections(manual)) for child in section.sections
    }
    for section in sections(manual):
        title_key = NOT_COMPARED.sub(" ", section.title.casefold()).strip()
        parent = parents.get(section.anchor, -1)
        yield SectionRecord(section.number, section.title, title_key, parent)


def _names(entry: Entry, rule_sets: Mapping[str, str]) -> dict[str, str]:
    """The names of `entry` with their anchors, each name once."""
    names = {entry.name: entry.anchor}
    for signature in entry.signatures:
        for name in (signature.name, *signature.names):
            if name:
                names.setdefault(name, signature.anchor or entry.anchor)
    for words in rule_words(entry, rule_sets):
        names.setdefault(f"{words} {entry.name}", entry.anchor)
    return names
