"""The order of section numbers, and titles on two lines, which the reader does not recognize."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dconv.model.source import Line

ROMAN: Mapping[str, int] = {"I": 1, "V": 5, "X": 10}
UNDERLINE = re.compile(r"([-=~^*+#])\1{2,}$")


def number_key(number: str) -> tuple[int, ...]:
    """A sort key of `number`: (4, 2) of "4.2", (9,) of "IX"."""
    return tuple(int(part) if part.isdigit() else _roman(part) for part in number.split("."))


def _roman(part: str) -> int:
    values = [ROMAN.get(letter, 0) for letter in part]
    return sum(
        -value if value < following else value
        for value, following in zip(values, [*values[1:], 0], strict=True)
    )


def has_wrapped_title(lines: Sequence[Line], number: str, start: str = "") -> bool:
    """Whether one of `lines` is a title with this `number` that takes two lines.

    It begins with `start`, which may be empty; a blank line or an underline ends it.  The
    reader does not take such lines for titles.
    """
    title = re.compile(rf"{re.escape(number)}[.)]?\s+{re.escape(start)}")
    for line, below, end in zip(lines, lines[1:], lines[2:], strict=False):
        if not line.indent and title.match(line.text) and below.text and (
            not end.text or UNDERLINE.match(end.text)
        ):
            return not UNDERLINE.match(below.text)
    return False
