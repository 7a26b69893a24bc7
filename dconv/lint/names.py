"""An index of all names of a release, to find the one that is nearest to a wrong name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dconv.linking.symbols import Symbols
from dconv.lint.spelling import END, by_ends, distance, max_typos, with_same_end, without_crowds
from dconv.model.tree import Manual, entries, sections

PARTS = re.compile(r"[-_. ]+")
MARKED = re.compile(r"([-_. ]+)")
WORD = re.compile(r"[A-Za-z0-9][\w.+-]*")
MIN_WORDS = 3  # words of a name that may lack one or have one too many


@dataclass(frozen=True, slots=True)
class NameIndex:
    """All names of a release.

    names     what leads somewhere, and the terms of all entries
    words     the words of all signatures
    families  titles, and what names begin with
    ends      the names by their first three and their last three characters
    by_words  the names by their words in any order
    """

    names: frozenset[str]
    words: frozenset[str]
    families: frozenset[str]
    ends: Mapping[str, tuple[str, ...]]
    by_words: Mapping[tuple[str, ...], tuple[str, ...]]

    def nearest(self, name: str) -> str:
        """The name that is nearest to `name`, which is not a name, or empty.

        It differs by one or two typos, by the marks between its words, by the order of its words,
        or, where it has three or more, by one word.
        """
        lower, blank = name.casefold(), " " in name
        most = max_typos(name)
        others = with_same_end(name, self.ends)
        matches = [
            (typos, other) for other in others
            if abs(len(other) - len(name)) <= most and (" " in other) == blank
            and (typos := distance(name, other, most)) <= most and other.casefold() != lower
        ]
        matches += [
            (most, other) for other in self.by_words.get(_words(name), ())
            if other.casefold() != lower and (" " in other or " " not in name)
            and (_marks(other) == _marks(name) or PARTS.split(other) == PARTS.split(name))
        ]
        if not matches and len(PARTS.split(name)) >= MIN_WORDS:
            matches = [
                (most, other) for other in others
                if (" " in other) == blank
                and (_lacks(name, other) or (not blank and _lacks(other, name)))
            ]
        return min(matches)[1] if matches else ""

    def ending_with(self, name: str) -> str:
        """The only name that ends with the words of `name`, or empty."""
        longer = [other for other in self.ends.get(name[-END:], ()) if other.endswith(f" {name}")]
        return longer[0] if len(longer) == 1 else ""


def name_index(manuals: Iterable[Manual], symbols: Symbols) -> NameIndex:
    """The names of the linked `manuals` of a release and of their `symbols`."""
    names = frozenset((*symbols.names, *(term for _, _, term in symbols.terms)))
    by_words: dict[tuple[str, ...], list[str]] = {}
    for name in names:
        if PARTS.search(name):
            by_words.setdefault(_words(name), []).append(name)
    words: set[str] = set()
    families = {word for name in names for word in _beginnings(name)}
    for manual in manuals:
        families.update(section.title.casefold() for section in sections(manual))
        for _, entry in entries(manual):
            for signature in entry.signatures:
                words.update(WORD.findall(signature.text))
    return NameIndex(
        names, frozenset(words), frozenset(families), by_ends(names), without_crowds(by_words),
    )


def _words(name: str) -> tuple[str, ...]:
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
