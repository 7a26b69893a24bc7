"""Edit distances between names, and which names to compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key")

MAX_TYPOS = 2  # of a misspelt name
SHORT_NAME = 8  # shorter names may have one typo
END = 3  # characters that names must have in common at one end to be compared
MAX_GROUP = 500  # names of a group: twice as many as in the largest manuals


def without_crowds(groups: Mapping[Key, Sequence[str]]) -> dict[Key, tuple[str, ...]]:
    """`groups` without the crowded ones.

    To compare all pairs of a crowd takes too long, and its names are numbered, not misspelt.
    """
    return {key: tuple(names) for key, names in groups.items() if len(names) <= MAX_GROUP}


def max_typos(name: str) -> int:
    """How many typos a misspelt `name` may have."""
    return MAX_TYPOS if len(name) >= SHORT_NAME else 1


def by_ends(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """`names` by their first and by their last characters, without crowds."""
    groups: dict[str, list[str]] = {}
    for name in names:
        for end in {name[:END], name[-END:]}:
            groups.setdefault(end, []).append(name)
    return without_crowds(groups)


def with_same_end(name: str, groups: Mapping[str, Sequence[str]]) -> set[str]:
    """The names of `groups`, made by `by_ends`, that have an end in common with `name`."""
    return {*groups.get(name[:END], ()), *groups.get(name[-END:], ())}


def distance(name: str, other: str, most: int) -> int:
    """How many typos turn `name` into `other`: a character missing, extra, wrong, or two swapped.

    It is the optimal string alignment distance
    (https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance), exact up to `most`; if it is
    greater, the result is any number above `most`.
    """
    if name == other:
        return 0
    # a typo changes the set of signs by two at most
    if abs(len(name) - len(other)) > most or len({*name} ^ {*other}) > 2 * most:
        return most + 1
    # what both begin and end with takes no typo, and most of two names that are near is that
    start, end = 0, 0
    least = min(len(name), len(other))
    while start < least and name[start] == other[start]:
        start += 1
    while end < least - start and name[-1 - end] == other[-1 - end]:
        end += 1
    name, other = name[start : len(name) - end], other[start : len(other) - end]
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, sign in enumerate(name, 1):
        own = [row]
        for column, wanted in enumerate(other, 1):
            least = min(last[column] + 1, own[-1] + 1, last[column - 1] + (sign != wanted))
            if row > 1 and column > 1 and sign == other[column - 2] and name[row - 2] == wanted:
                least = min(least, before[column - 2] + 1)
            own.append(least)
        if min(own) > most:
            return most + 1
        before, last = last, own
    return last[-1]
