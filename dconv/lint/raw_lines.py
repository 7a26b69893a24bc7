"""Raw lines: their text, and whether something odd is a habit of the whole text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dconv.model.source import Line

RULE = re.compile(r"([-=~^*+#])\1{2,}$")

HABIT = 200  # what one line in so many has is a habit of the text
FEW = 9  # so many lines are no habit


def text_of(raw: bytes) -> str:
    """The line `raw` without its end; bytes that are no UTF-8 are replaced."""
    return raw.rstrip(b"\r\n").decode("utf-8", "replace")


def is_habit(cases: Sequence[object], lines: Sequence[object]) -> bool:
    """Whether so many of `lines` are `cases` that it is a habit of the text."""
    return len(cases) > FEW and len(cases) * HABIT > len(lines)


def is_wrapped(lines: Sequence[Line], number: str, start: str = "") -> bool:
    """Whether one of `lines` is a title with this `number` that takes two lines.

    It begins with `start`, which may be empty; a blank line or an underline ends it.  The
    reader does not take such lines for titles.
    """
    title = re.compile(rf"{re.escape(number)}[.)]?\s+{re.escape(start)}")
    for line, below, end in zip(lines, lines[1:], lines[2:], strict=False):
        if not line.indent and title.match(line.text) and below.text and (
            not end.text or RULE.match(end.text)
        ):
            return not RULE.match(below.text)
    return False
