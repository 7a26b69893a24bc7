"""Work as a count, which no other load of the machine changes.

Counted are the lines of Python that run, and the calls of built-in functions.  What
happens inside of one call (a regular expression, a copy) is not counted: for that,
time has to be measured too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import TraceFunction


class StepCounter:
    """Counts what runs."""

    def __init__(self) -> None:
        self.count = 0

    def line(self, _frame: FrameType, _event: str, _argument: object) -> TraceFunction:
        """A trace function: one more line."""
        self.count += 1
        return self.line

    def call(self, _frame: FrameType, event: str, _argument: object) -> None:
        """A profile function: one more call of a built-in."""
        self.count += event == "c_call"


def count_steps(step: Callable[[], object]) -> int:
    """How much runs while `step` is done."""
    work = StepCounter()
    before, profile = sys.gettrace(), sys.getprofile()
    sys.settrace(work.line)
    sys.setprofile(work.call)
    try:
        step()
    finally:
        sys.setprofile(profile)
        sys.settrace(before)
    return work.count
