"""What is usual in a text, since rules report exceptions and not an author's habits."""

from __future__ import annotations

from collections.abc import Sized

MIN_CASES = 10  # cases that show what is usual
SHARE = 10  # at most one case in so many is an exception
FEW = 9  # so many odd lines are not a habit
HABIT = 200  # what one line in so many has is a habit


def is_exception(count: int, total: int) -> bool:
    """Whether `count` of `total` cases are so few that the others show what is usual."""
    return count * SHARE <= total


def is_habit(cases: Sized, lines: Sized) -> bool:
    """Whether so many of `lines` are `cases` that it is a habit of the text."""
    return len(cases) > FEW and len(cases) * HABIT > len(lines)
