"""The signals that end a command, and how to hold them back for a moment."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

END_SIGNALS = tuple(
    number for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if (number := getattr(signal, name, None)) is not None
)


@contextmanager
def signals_blocked() -> Iterator[None]:
    """Let signals that arrive in the `with` block act at its end, where the system can."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)
