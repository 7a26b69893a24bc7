"""How often something is in a text: rules report exceptions, not what the author often writes."""

from __future__ import annotations

from collections.abc import Sized

MIN_CASES = 10  # cases that show what is usual
MIN_CASES_PER_EXCEPTION = 10  # at most one case in so many is an exception
MAX_RARE_LINES = 9  # up to so many lines are rare, however short the text
MIN_LINES_PER_RARE_LINE = 200  # in a long text, up to one line in so many is rare


def is_rare(count: int, total: int) -> bool:
    """Whether `count` of `total` cases are so few that the others show what is usual."""
    return count * MIN_CASES_PER_EXCEPTION <= total


def is_frequent(cases: Sized, lines: Sized) -> bool:
    """Whether so many of `lines` are `cases` that the author wants them."""
    return len(cases) > MAX_RARE_LINES and len(cases) * MIN_LINES_PER_RARE_LINE > len(lines)
