"""Edit distances between names, and which names to compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key")

MAX_TYPOS = 2  # of a misspelt name
SHORT_NAME = 8  # shorter names may have one typo
AFFIX_LENGTH = 3  # characters of the prefix or the suffix that compared names share
MAX_GROUP_SIZE = 500  # names of a group: twice as many as in the largest manuals


def without_large_groups(groups: Mapping[Key, Sequence[str]]) -> dict[Key, tuple[str, ...]]:
    """`groups` without the large ones.

    To compare all pairs of a large group takes too long, and its names are numbered, not misspelt.
    """
    return {key: tuple(names) for key, names in groups.items() if len(names) <= MAX_GROUP_SIZE}


def max_typos(name: str) -> int:
    """How many typos a misspelt `name` may have."""
    return MAX_TYPOS if len(name) >= SHORT_NAME else 1


def group_by_affixes(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """`names` by their prefix and by their suffix, without large groups.

    A typo can change both of a short name, so short ones are also grouped by first and last letter.
    """
    groups: dict[str, list[str]] = {}
    for name in names:
        for affix in _affixes(name):
            groups.setdefault(affix, []).append(name)
    return without_large_groups(groups)


def _affixes(name: str) -> set[str]:
    affixes = {name[:AFFIX_LENGTH], name[-AFFIX_LENGTH:]}
    return affixes | {f"{name[0]}…{name[-1]}"} if 0 < len(name) < SHORT_NAME else affixes


def with_same_affix(name: str, groups: Mapping[str, Sequence[str]]) -> set[str]:
    """The names of `groups`, made by `group_by_affixes`, that `name` shares an affix with."""
    return {other for affix in _affixes(name) for other in groups.get(affix, ())}


def edit_distance(name: str, other: str, limit: int) -> int:
    """How many typos turn `name` into `other`: a character missing, extra, wrong, or two swapped.

    It is the optimal string alignment distance
    (https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance), exact up to `limit`; if it is
    greater, the result is any number above `limit`.
    """
    if name == other:
        return 0
    # a typo changes the set of characters by two at most
    if abs(len(name) - len(other)) > limit or len({*name} ^ {*other}) > 2 * limit:
        return limit + 1
    # skip the common start and end, which are most of two similar names
    start, end = 0, 0
    length = min(len(name), len(other))
    while start < length and name[start] == other[start]:
        start += 1
    while end < length - start and name[-1 - end] == other[-1 - end]:
        end += 1
    name, other = name[start : len(name) - end], other[start : len(other) - end]
    previous_but_one: list[int] = []
    previous = list(range(len(other) + 1))
    for row, character in enumerate(name, 1):
        current = [row]
        for column, expected in enumerate(other, 1):
            is_wrong = character != expected
            smallest = min(previous[column] + 1, current[-1] + 1, previous[column - 1] + is_wrong)
            is_second = row > 1 and column > 1
            if is_second and character == other[column - 2] and name[row - 2] == expected:
                smallest = min(smallest, previous_but_one[column - 2] + 1)
            current.append(smallest)
        if min(current) > limit:
            return limit + 1
        previous_but_one, previous = previous, current
    return previous[-1]
