"""The operations that a function takes, a number that does not depend on the machine's load.

An operation is a line of Python that runs, or a call of a built-in function.  The work inside of
such a call (a regular expression, a copy) is not counted: measure its time, too.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import TraceFunction


class OperationCounter:
    """Counts operations."""

    def __init__(self) -> None:
        self.count = 0

    def line(self, _frame: FrameType, _event: str, _argument: object) -> TraceFunction:
        """A trace function: one more line."""
        self.count += 1
        return self.line

    def call(self, _frame: FrameType, event: str, _argument: object) -> None:
        """A profile function: one more call of a built-in."""
        self.count += event == "c_call"


def count_operations(function: Callable[[], object]) -> int:
    """The number of operations while `function` runs."""
    work = OperationCounter()
    before, profile = sys.gettrace(), sys.getprofile()
    sys.settrace(work.line)
    sys.setprofile(work.call)
    try:
        function()
    finally:
        sys.setprofile(profile)
        sys.settrace(before)
    return work.count
