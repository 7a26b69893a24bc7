"""A limit on the processor time that reading one text may take.

A pattern of a dialect can take exponential time, as "(a+)+b" does on thirty letters, and this
cannot be detected in advance.  Python's `re` looks for signals while it searches, so a timer ends
it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from dconv.model.diagnostics import UserError

MAX_SECONDS = 60.0  # 33,000 lines take half a second


class ReadingTimeout(UserError):
    """A text takes too long to read; the message is one sentence for the user."""


@contextmanager
def time_limit(path: str, dialect: Path) -> Iterator[None]:
    """Raise `ReadingTimeout` if the `with` block takes more than `MAX_SECONDS`.

    `path` is the text that is read, `dialect` the folder of its dialect, for the message.
    There is no limit outside of the main thread, nor on systems without such a timer.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise ReadingTimeout(
            f"{path}: reading takes more than {MAX_SECONDS:.0f} seconds of processor time; simplify"
            f" the patterns of its dialect in {dialect}"
        )

    previous_handler = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous_handler)
