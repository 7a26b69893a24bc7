"""Alphabetical order as manuals use it, and the fewest names that break it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from dconv.model.values import dataclass

SEPARATORS_TO_SPACES: Mapping[int, str] = {ord(mark): " " for mark in "-_."}
SEPARATORS_TO_NOTHING: Mapping[int, None] = {ord(mark): None for mark in "-_. "}

MIN_NAMES_PER_MOVE = 5  # in a sorted list, at most one name in so many may have to move
LONG_LIST = 30  # names of a list that is not sorted by chance
MIN_NAMES_PER_MOVE_LONG = 3  # of such a list, at most one name in so many may have to move

MAX_NAMES = 2000  # names of a list that is checked; the largest real ones have half as many
MAX_RUN_GAP = 8  # names between misplaced ones of one run

_Keys: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Move:
    """A name that has to move from `index` to before the name at `target_index`.

    `destination` says so in words; names with the same `run` move together.
    """

    index: int
    target_index: int
    destination: str
    run: int


def _keys(name: str) -> _Keys:
    """`name` in lower case: as it is, with `-_.` as spaces, and without them and blanks."""
    lower = name.lower()
    return lower, lower.translate(SEPARATORS_TO_SPACES), lower.translate(SEPARATORS_TO_NOTHING)


def _may_precede(name: _Keys, following: _Keys) -> bool:
    return name[0] <= following[0] or name[1] <= following[1] or name[2] <= following[2]


def in_order(name: str, following: str) -> bool:
    """Whether `name` may appear before `following`.

    Case is ignored; `-`, `_` and `.` count as themselves, as blanks, or not at all.
    """
    return _may_precede(_keys(name), _keys(following))


def sort_key(name: str) -> tuple[str, str]:
    """A key that sorts names as `in_order` has them."""
    return _keys(name)[1:]


def longest_ordered(choices: Sequence[Sequence[str]]) -> tuple[tuple[int, str], ...]:
    """The longest ordered sequence of names from rows: the index of each row with one of its names.

    `choices` are the names of each row.
    Dynamic programming over all pairs finds it, since `in_order` is not transitive; of equally
    long ones it is the one with earlier names.  More than `MAX_NAMES` names keep their order.
    """
    firsts = [_keys(names[0]) for names in choices]
    is_too_long = sum(map(len, choices)) > MAX_NAMES
    if is_too_long or all(_may_precede(keys, following) for keys, following in pairwise(firsts)):
        return tuple((index, names[0]) for index, names in enumerate(choices))
    states = [
        (index, name, _keys(name)) for index, names in enumerate(choices)
        for name in dict.fromkeys(names)
    ]
    longest = [1] * len(states)
    previous = [-1] * len(states)
    for current, (index, _, keys) in enumerate(states):
        best = 0
        for earlier in range(current):
            other_index, _, other = states[earlier]
            if longest[earlier] > best and other_index < index and _may_precede(other, keys):
                best, previous[current] = longest[earlier], earlier
        longest[current] = best + 1
    current = max(range(len(states)), key=lambda state: (longest[state], -state))
    ordered: list[tuple[int, str]] = []
    while current >= 0:
        ordered.append(states[current][:2])
        current = previous[current]
    return tuple(reversed(ordered))


def is_sorted(count: int, moved: int) -> bool:
    """Whether `moved` of `count` names are so few that the list is meant to be sorted."""
    return moved * (MIN_NAMES_PER_MOVE_LONG if count >= LONG_LIST else MIN_NAMES_PER_MOVE) <= count


def moves(choices: Sequence[Sequence[str]]) -> list[Move]:
    """The fewest of `choices` that have to move so that all are in order, and where to.

    A choice has the names of one row, any of which may be in order.  The first row never moves.
    Moves of one run overlap.
    """
    ordered = longest_ordered(choices)
    fixed = [(index, name, _keys(name)) for index, name in ordered]
    run, run_end, previous = -1, -1, -1
    moved: list[Move] = []
    for index in sorted({*range(1, len(choices))} - {index for index, _ in ordered}):
        keys_of_name = _keys(choices[index][0])
        following = next(
            ((other, name) for other, name, keys in fixed if not _may_precede(keys, keys_of_name)),
            None,
        )
        target = following[0] if following else ordered[-1][0] + 1
        if min(index, target) > run_end or index - previous > MAX_RUN_GAP:
            run, run_end = index, index
        run_end, previous = max(run_end, index, target), index
        destination = f"before '{following[1]}'" if following else f"after '{ordered[-1][1]}'"
        moved.append(Move(index, target, destination, run))
    return moved
