"""How far two names are apart, as slips of the keyboard go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key")

CROWD = 500  # names that are alike in one way: twice what the largest manuals have


def sparse(found: Mapping[Key, Sequence[str]]) -> dict[Key, tuple[str, ...]]:
    """The names of `found` by what they have in common, without what a crowd has in common.

    To compare each with each would take for ever; names in crowds are numbered, not misspelt.
    """
    return {key: tuple(names) for key, names in found.items() if len(names) <= CROWD}


def distance(one: str, other: str, most: int) -> int:
    """How many slips turn `one` into `other`: a sign missing, too many, wrong, or two swapped.

    Above `most` the result is only known to be above it.  It is the optimal string
    alignment distance (https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance).
    """
    if one == other:
        return 0
    # a slip changes the set of signs by two at most
    if abs(len(one) - len(other)) > most or len({*one} ^ {*other}) > 2 * most:
        return most + 1
    # what both begin and end with takes no slip, and most of two names that are near is that
    start, end = 0, 0
    least = min(len(one), len(other))
    while start < least and one[start] == other[start]:
        start += 1
    while end < least - start and one[-1 - end] == other[-1 - end]:
        end += 1
    one, other = one[start : len(one) - end], other[start : len(other) - end]
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, sign in enumerate(one, 1):
        own = [row]
        for column, wanted in enumerate(other, 1):
            least = min(last[column] + 1, own[-1] + 1, last[column - 1] + (sign != wanted))
            if row > 1 and column > 1 and sign == other[column - 2] and one[row - 2] == wanted:
                least = min(least, before[column - 2] + 1)
            own.append(least)
        if min(own) > most:
            return most + 1
        before, last = last, own
    return last[-1]
