"""What a document holds, by name: as much of it as other releases need to link to it.

A catalogue is small, so that those of all releases fit into memory.  An entry is the
same in two releases where its kind and name are, wherever it stands; a section where
its title is, whatever its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dconv.model.tree import Entry, Manual, sections

NAMELESS = re.compile(r"[\W_]+")  # what does not count when titles are compared
MARK = "-"  # the state of a rule set that an action may not be used in


@dataclass(frozen=True, slots=True)
class Place:
    """An entry: its anchor, and its section, counted in source order."""

    kind: str
    anchor: str
    section: int
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class Title:
    """A section: its file, its title for readers, the folded one, and its parent or -1."""

    file: str
    shown: str
    number: str
    folded: str
    parent: int


@dataclass(frozen=True, slots=True)
class Known:
    """An entry that looks for its counterparts: all names that it has, its own first."""

    kind: str
    names: tuple[str, ...]
    section: int
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One document of one release.

    `entries` maps kind and name to places, `names` a name alone to all its places,
    `known` an entry's anchor to what it is.  `files` are those of its indexes; `rules`
    the words that rules begin with (`http-request`).
    """

    sections: tuple[Title, ...]
    entries: Mapping[tuple[str, str], Place]
    names: Mapping[str, tuple[Place, ...]]
    known: Mapping[str, Known]
    at: Mapping[str, int]
    files: frozenset[str]
    rules: frozenset[str] = frozenset()

    def paths(self, document: str) -> Iterator[str]:
        """The pages of the document, below the folder of its release."""
        yield f"{document}.html"
        yield f"{document}/index.html"
        for title in self.sections:
            yield f"{document}/{title.file}"
        for file in sorted(self.files):
            yield f"{document}/{file}"


def catalogue(
    manual: Manual, files: tuple[str, ...], indexes: frozenset[str], rule_sets: Mapping[str, str]
) -> Catalogue:
    """The catalogue of `manual`, whose sections are in `files`, in source order.

    `rule_sets` are the dialect's: what is the action `deny` of "HTTP Req" in one release
    may be the entry `http-request deny` in another.
    """
    titles = tuple(_titles(manual, files))
    entries: dict[tuple[str, str], Place] = {}
    names: dict[str, tuple[Place, ...]] = {}
    known: dict[str, Known] = {}
    for at, section in enumerate(sections(manual)):
        for block in section.body:
            if isinstance(block, Entry):
                known[block.anchor] = Known(
                    block.kind, tuple(_names(block, rule_sets)), at, block.deprecated
                )
                for name, anchor in _anchors(block, rule_sets):
                    place = Place(block.kind, anchor, at, block.deprecated)
                    if entries.setdefault((block.kind, name), place) is place:
                        names[name] = (*names.get(name, ()), place)
    at_file = {title.file: at for at, title in enumerate(titles)}
    rules = frozenset(rule_sets.values())
    return Catalogue(titles, entries, names, known, at_file, indexes, rules)


def _titles(manual: Manual, files: tuple[str, ...]) -> Iterator[Title]:
    parents = {
        child.anchor: at
        for at, section in enumerate(sections(manual)) for child in section.sections
    }
    for section, file in zip(sections(manual), files, strict=True):
        shown = f"{section.number} {section.title}".strip()
        folded = NAMELESS.sub(" ", section.title.casefold()).strip()
        yield Title(file, shown, section.number, folded, parents.get(section.anchor, -1))


def _names(entry: Entry, rule_sets: Mapping[str, str]) -> Iterator[str]:
    """The names of `entry` once each: its own, those of its signatures, those of its rules."""
    yield from dict.fromkeys(
        [entry.name, *(name for name, _ in _anchors(entry, rule_sets))]
    )


def _anchors(entry: Entry, rule_sets: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield entry.name, entry.anchor
    for signature in entry.signatures:
        if signature.name:
            yield signature.name, signature.anchor or entry.anchor
    for usage in entry.usages:
        if usage.kind == "rule sets":
            for place, state in usage.values:
                if state != MARK and place in rule_sets:
                    yield f"{rule_sets[place]} {entry.name}", entry.anchor
