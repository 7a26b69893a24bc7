"""Alphabetical order as manuals have it, and the fewest names that are out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

SEPARATORS: Mapping[int, str] = {ord(mark): " " for mark in "-_."}
NOTHING: Mapping[int, None] = {ord(mark): None for mark in "-_. "}


def in_order(one: str, other: str) -> bool:
    """Whether `one` may stand before `other`.

    In ASCII, in lower case; `-`, `_` and `.` may count, or stand for blanks, or for nothing.
    """
    first, second = one.lower(), other.lower()
    return (
        first <= second
        or first.translate(SEPARATORS) <= second.translate(SEPARATORS)
        or first.translate(NOTHING) <= second.translate(NOTHING)
    )


def misplaced(names: Sequence[str]) -> frozenset[int]:
    """The places of the fewest of `names` that must move so that all are in order.

    What stays is the longest chain in order (dynamic programming over all pairs, since
    `in_order` is not transitive); of equally long ones, that which keeps earlier names.
    """
    if all(in_order(one, other) for one, other in pairwise(names)):
        return frozenset()
    longest = [1] * len(names)
    before = [-1] * len(names)
    for at, name in enumerate(names):
        for earlier in range(at):
            if longest[earlier] + 1 > longest[at] and in_order(names[earlier], name):
                longest[at], before[at] = longest[earlier] + 1, earlier
    at = max(range(len(names)), key=lambda place: (longest[place], -place))
    kept: set[int] = set()
    while at >= 0:
        kept.add(at)
        at = before[at]
    return frozenset(range(len(names))) - kept
