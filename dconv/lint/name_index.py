"""An index of all names of a release, to find the one that is nearest to a wrong name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from dconv.linking.symbols import Symbols
from dconv.lint.spelling import (
    AFFIX_LENGTH,
    edit_distance,
    group_by_affixes,
    max_typos,
    with_same_affix,
    without_large_groups,
)
from dconv.model.tree import Entry, Manual, entries, sections
from dconv.model.values import dataclass

SEPARATORS = re.compile(r"[-_. ]+")
CAPTURED_SEPARATORS = re.compile(r"([-_. ]+)")
MARKED_PART = re.compile(r"\w[-_]\w")  # "load-all" of "relay load-all"; not "ulimit -n"
WORD = re.compile(r"[A-Za-z0-9][\w.+-]*")
TWO_WORDS = re.compile(r"(?=.{7})[a-z]+\d?[-_. ][a-z]+\d?$")
MIN_WORDS = 3  # words of a name that may lack one or have one too many


@dataclass(frozen=True, slots=True)
class NameIndex:
    """All names of a release.

    names     those that references resolve to, and the terms in all entries ("leastconn")
    words     the words of all signatures
    titles_and_prefixes
              the titles of sections, and what several names begin with
    by_affix  the names by their first three and their last three characters
    by_words  the names by their words in any order
    """

    names: frozenset[str]
    words: frozenset[str]
    titles_and_prefixes: frozenset[str]
    by_affix: Mapping[str, tuple[str, ...]]
    by_words: Mapping[tuple[str, ...], tuple[str, ...]]

    def nearest(
        self, name: str, mentioned: frozenset[str] = frozenset(), entry: Entry | None = None
    ) -> str:
        """The name that is nearest to `name`, which is not a name, or empty.

        It differs by one or two typos, by the separators between its words, by their order, or,
        where it has three or more words, by one of them.  Those that are `mentioned` come first,
        and last the name of the `entry` that has `name` in its text.
        """
        nearest = self._nearest(name, mentioned)
        if entry is not None and nearest == entry.name:
            return self._nearest(name, mentioned, entry.name) or nearest
        return nearest

    def _nearest(self, name: str, mentioned: frozenset[str], excluded: str = "") -> str:
        lower, has_space = name.casefold(), " " in name
        max_distance = max_typos(name)
        others = with_same_affix(name, self.by_affix) - {excluded}
        matches = [
            (edits, other) for other in others
            if abs(len(other) - len(name)) <= max_distance and (" " in other) == has_space
            and (edits := edit_distance(name, other, max_distance)) <= max_distance
            and other.casefold() != lower
        ]
        matches += [
            (max_distance, other) for other in self.by_words.get(_words(name), ())
            if other.casefold() != lower and other != excluded
            and (" " in other or " " not in name or MARKED_PART.search(name))
            and (
                sorted(SEPARATORS.findall(other)) == sorted(SEPARATORS.findall(name))
                or SEPARATORS.split(other) == SEPARATORS.split(name)
            )
        ]
        if (mentioned or not matches) and len(SEPARATORS.split(name)) >= MIN_WORDS:
            matches += [
                (max_distance, other) for other in others
                if (not matches or other in mentioned) and (" " in other) == has_space
                and (
                    _lacks_one_word(name, other)
                    or (not has_space and _lacks_one_word(other, name))
                )
            ]
        matches = [match for match in matches if match[1] in mentioned] or matches
        end = name[-AFFIX_LENGTH:]
        return min(
            matches, default=(0, ""),
            key=lambda match: (match[0], not match[1].endswith(end), match[1]),
        )[1]

    def nearest_quoted(self, name: str) -> str:
        """The name that a quoted `name` probably stands for, if none is nearest, or empty.

        `name` has blanks for underscores, or lacks the first or a middle word: "fe conn" for
        "fe_conn", "merge-slashes" for "path-merge-slashes".
        """
        if name.replace(" ", "_") in self.names:
            return name.replace(" ", "_")
        others = sorted(with_same_affix(name, self.by_affix)) if TWO_WORDS.match(name) else ()
        return next((
            other for other in others
            if _lacks_one_word(name, other) and not other.startswith(name)
        ), "")

    def ending_with(self, name: str) -> str:
        """The only name that ends with the words of `name`, or empty."""
        others = self.by_affix.get(name[-AFFIX_LENGTH:], ())
        longer = [other for other in others if other.endswith(f" {name}")]
        return longer[0] if len(longer) == 1 else ""


def name_index(manuals: Iterable[Manual], symbols: Symbols) -> NameIndex:
    """The names of the linked `manuals` of a release and of their `symbols`."""
    names = frozenset((*symbols.names, *(term for _, _, term in symbols.terms)))
    by_words: dict[tuple[str, ...], list[str]] = {}
    for name in names:
        if SEPARATORS.search(name):
            by_words.setdefault(_words(name), []).append(name)
    words: set[str] = set()
    titles_and_prefixes = {word for name in names for word in _prefixes(name)}
    for manual in manuals:
        titles_and_prefixes.update(section.title.casefold() for section in sections(manual))
        for _, entry in entries(manual):
            for signature in entry.signatures:
                words.update(WORD.findall(signature.text))
    return NameIndex(
        names, frozenset(words), frozenset(titles_and_prefixes), group_by_affixes(names),
        without_large_groups(by_words),
    )


def _words(name: str) -> tuple[str, ...]:
    return tuple(sorted(SEPARATORS.split(name)))


def _lacks_one_word(name: str, other: str) -> bool:
    """Whether `name` is `other` without one of its words."""
    short, long = CAPTURED_SEPARATORS.split(name), CAPTURED_SEPARATORS.split(other)
    if len(long) != len(short) + 2:
        return False
    return short == long[:-2] or any(
        short == [*long[:start], *long[start + 2 :]] for start in range(0, len(long) - 1, 2)
    )


def _prefixes(name: str) -> Iterator[str]:
    """The prefixes of `name`: `stick` of `stick on`, `track-sc` of `track-sc0`."""
    yield name.rstrip("0123456789")
    start = name.find(" ")
    while start > 0:
        yield name[:start]
        start = name.find(" ", start + 1)
