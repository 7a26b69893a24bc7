"""Lines as they are written: what they hold, and whether the text does so throughout."""

from __future__ import annotations

from collections.abc import Sequence

HABIT = 100  # where one line in so many has something, the text has it by habit
FEW = 9  # so many are none


def text_of(raw: bytes) -> str:
    """The line `raw` without its end; bytes that are no UTF-8 are replaced."""
    return raw.rstrip(b"\r\n").decode("utf-8", "replace")


def is_habit(found: Sequence[object], lines: Sequence[object]) -> bool:
    """Whether `found`, one for each of some `lines`, are so many that they are meant."""
    return len(found) > FEW and len(found) * HABIT > len(lines)
