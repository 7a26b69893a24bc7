"""The command `dconv`, also as `python -m dconv`."""

from __future__ import annotations

import os
import signal
import sys


def main() -> None:
    """Run the command line of the process, and exit with its status."""
    _exit_silently()
    _replace_closed_streams()
    from dconv.cli import main as run  # imports half of the program

    status = run()
    _exit_silently()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)  # without waiting for threads of workers that were ended


def _exit_silently() -> None:
    """Let Ctrl-C end the process at once and without a traceback, as SIGTERM does by default."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def _replace_closed_streams() -> None:
    """Open the standard streams that are closed, so that no other file gets their numbers.

    Writing to the standard output then fails, as it should.
    """
    if sys.stdout is None:
        sys.stdout = os.fdopen(_null(1, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(_null(2, os.O_WRONLY), "w", encoding="utf-8")


def _null(number: int, flags: int) -> int:
    """The null device as the file descriptor `number`."""
    descriptor = os.open(os.devnull, flags)
    if descriptor != number:
        os.dup2(descriptor, number)
        os.close(descriptor)
    return number


if __name__ == "__main__":
    main()
