"""The order of section numbers."""

from __future__ import annotations

from collections.abc import Mapping

ROMAN: Mapping[str, int] = {"I": 1, "V": 5, "X": 10}


def rank(number: str) -> tuple[int, ...]:
    """A sort key of `number`: (4, 2) of "4.2", (9,) of "IX"."""
    return tuple(int(part) if part.isdigit() else _roman(part) for part in number.split("."))


def _roman(part: str) -> int:
    values = [ROMAN.get(letter, 0) for letter in part]
    return sum(
        -value if value < following else value
        for value, following in zip(values, [*values[1:], 0], strict=True)
    )
