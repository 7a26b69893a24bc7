"""Alphabetical order as manuals use it, and the fewest names that break it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

SEPARATORS: Mapping[int, str] = {ord(mark): " " for mark in "-_."}
NOTHING: Mapping[int, None] = {ord(mark): None for mark in "-_. "}

SHARE = 5  # in a sorted list, at most one name in so many may have to move
LONG = 30  # names of a list that is not sorted by chance
SHARE_OF_LONG = 3  # of such a list, at most one name in so many may have to move

MOST = 2000  # names of a list that is checked; the largest real ones have half as many
NEAR = 8  # places between misplaced names of one stretch

_Keys: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Placed:
    """A name that has to move from the place `at` to before `target`.

    `where` says so in words; names with the same `stretch` move together.
    """

    at: int
    target: int
    where: str
    stretch: int


def _keys(name: str) -> _Keys:
    """`name` in lower case: as it is, with `-_.` as blanks, and without them and blanks."""
    lower = name.lower()
    return lower, lower.translate(SEPARATORS), lower.translate(NOTHING)


def _before(name: _Keys, following: _Keys) -> bool:
    return name[0] <= following[0] or name[1] <= following[1] or name[2] <= following[2]


def in_order(name: str, following: str) -> bool:
    """Whether `name` may stand before `following`.

    Case is ignored; `-`, `_` and `.` may count, stand for blanks, or for nothing.
    """
    return _before(_keys(name), _keys(following))


def misplaced(names: Sequence[str]) -> frozenset[int]:
    """The places of the fewest of `names` that must move so that all are in order."""
    return frozenset(range(len(names))) - {at for at, _ in chain([(name,) for name in names])}


def chain(choices: Sequence[Sequence[str]]) -> tuple[tuple[int, str], ...]:
    """The longest ordered sequence of `choices`: places, each with one of its names.

    Dynamic programming over all pairs finds it, since `in_order` is not transitive; of equally
    long ones it is the one with earlier names.  More than `MOST` names are taken as they stand.
    """
    firsts = [_keys(names[0]) for names in choices]
    many = sum(map(len, choices)) > MOST
    if many or all(_before(one, other) for one, other in pairwise(firsts)):
        return tuple((at, names[0]) for at, names in enumerate(choices))
    states = [
        (at, name, _keys(name)) for at, names in enumerate(choices) for name in dict.fromkeys(names)
    ]
    longest = [1] * len(states)
    back = [-1] * len(states)
    for here, (at, _, own) in enumerate(states):
        best = 0
        for earlier in range(here):
            place, _, other = states[earlier]
            if longest[earlier] > best and place < at and _before(other, own):
                best, back[here] = longest[earlier], earlier
        longest[here] = best + 1
    here = max(range(len(states)), key=lambda state: (longest[state], -state))
    ordered: list[tuple[int, str]] = []
    while here >= 0:
        ordered.append(states[here][:2])
        here = back[here]
    return tuple(reversed(ordered))


def is_sorted(count: int, moved: int) -> bool:
    """Whether `moved` of `count` names are so few that the list is meant to be sorted."""
    return moved * (SHARE_OF_LONG if count >= LONG else SHARE) <= count


def placed(
    moved: Sequence[int], names: Mapping[int, str], ordered: Sequence[tuple[int, str]]
) -> Iterator[Placed]:
    """Where the `names` at the places `moved`, in order, belong among those `ordered`.

    Names are of one stretch if their moves cross.
    """
    stretch, end, before = -1, -1, -1
    keyed = [(item, _keys(item[1])) for item in ordered]
    for at in moved:
        own = _keys(names[at])
        behind = next((item for item, keys in keyed if not _before(keys, own)), None)
        target = behind[0] if behind else ordered[-1][0] + 1
        if min(at, target) > end or at - before > NEAR:
            stretch, end = at, at
        end, before = max(end, at, target), at
        where = f"before '{behind[1]}'" if behind else f"after '{ordered[-1][1]}'"
        yield Placed(at, target, where, stretch)
