"""The names that a release knows, by what else they may be mistaken for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dconv.linking.symbols import Symbols
from dconv.lint.spelling import distance, sparse
from dconv.model.tree import Manual, entries, sections

PARTS = re.compile(r"[-_. ]+")
MARKED = re.compile(r"([-_. ]+)")
WORD = re.compile(r"[A-Za-z0-9][\w.+-]*")
SLIPS = 2
SHORT = 8  # shorter names may have one slip
FEWEST = 3  # words of a name that may lack one or have one too many
END = 3  # signs that names must have in common at one end to be compared


@dataclass(frozen=True, slots=True)
class Known:
    """The names of a release, ready to be compared.

    `names` are those that lead somewhere and the terms of all entries; `words` the words
    of signatures, `families` titles, and what names begin with; `ends` and `bags` are the names by
    their first or last signs, and by their words in any order, but for crowds of them.
    """

    names: frozenset[str]
    words: frozenset[str]
    families: frozenset[str]
    ends: Mapping[str, tuple[str, ...]]
    bags: Mapping[tuple[str, ...], tuple[str, ...]]

    def near(self, name: str) -> str:
        """The name that is nearest to `name`, which is none, or nothing.

        It has a slip or two, other marks between its words, its words in another order, or,
        where it has three or more, one too many or too few.
        """
        lower, blank = name.casefold(), " " in name
        most = SLIPS if len(name) >= SHORT else 1
        others = {*self.ends.get(name[:END], ()), *self.ends.get(name[-END:], ())}
        found = [
            (slips, other) for other in others
            if abs(len(other) - len(name)) <= most and (" " in other) == blank
            and (slips := distance(name, other, most)) <= most and other.casefold() != lower
        ]
        found += [
            (most, other) for other in self.bags.get(_bag(name), ())
            if other.casefold() != lower and (" " in other or " " not in name)
            and (_marks(other) == _marks(name) or PARTS.split(other) == PARTS.split(name))
        ]
        if not found and len(PARTS.split(name)) >= FEWEST:
            found = [
                (most, other) for other in others
                if (" " in other) == blank
                and (_lacks(name, other) or (not blank and _lacks(other, name)))
            ]
        return min(found)[1] if found else ""

    def longer(self, name: str) -> str:
        """The one name that ends with `name`, as a word or several, or nothing."""
        found = [other for other in self.ends.get(name[-END:], ()) if other.endswith(f" {name}")]
        return found[0] if len(found) == 1 else ""


def known(manuals: Iterable[Manual], symbols: Symbols) -> Known:
    """What the linked `manuals` of a release and their `symbols` know."""
    names = frozenset((*symbols.names, *(term for _, _, term in symbols.terms)))
    ends: dict[str, list[str]] = {}
    bags: dict[tuple[str, ...], list[str]] = {}
    for name in names:
        for end in {name[:END], name[-END:]}:
            ends.setdefault(end, []).append(name)
        if PARTS.search(name):
            bags.setdefault(_bag(name), []).append(name)
    words: set[str] = set()
    families = {word for name in names for word in _beginnings(name)}
    for manual in manuals:
        families.update(section.title.casefold() for section in sections(manual))
        for _, entry in entries(manual):
            for signature in entry.signatures:
                words.update(WORD.findall(signature.text))
    return Known(
        names, frozenset(words), frozenset(families), sparse(ends), sparse(bags),
    )


def _bag(name: str) -> tuple[str, ...]:
    return tuple(sorted(PARTS.split(name)))


def _marks(name: str) -> list[str]:
    return sorted(PARTS.findall(name))


def _lacks(name: str, other: str) -> bool:
    """Whether `name` is `other` without one of its words."""
    short, long = MARKED.split(name), MARKED.split(other)
    if len(long) != len(short) + 2:
        return False
    return short == long[:-2] or any(
        short == [*long[:at], *long[at + 2 :]] for at in range(0, len(long) - 1, 2)
    )


def _beginnings(name: str) -> Iterator[str]:
    """What names of a family begin with: `stick` of `stick on`, `track-sc` of `track-sc0`."""
    yield name.rstrip("0123456789")
    at = name.find(" ")
    while at > 0:
        yield name[:at]
        at = name.find(" ", at + 1)
