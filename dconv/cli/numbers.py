"""Numbers on a command line."""

from __future__ import annotations

import argparse

MOST_JOBS = 256  # more of them wait for each other rather than work


def port(text: str) -> int:
    """The port `text`; raises `ArgumentTypeError`."""
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"'{text}' is not a port, 0 to 65535")
    return int(text)


def count(text: str) -> int:
    """The number of results `text`; raises `ArgumentTypeError`."""
    if not text.isdecimal() or not 0 < int(text[:9]) < 10_000:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of results, 1 to 9999")
    return int(text)


def jobs(text: str) -> int:
    """The number of processes `text`; raises `ArgumentTypeError`."""
    if not text.isdecimal() or not 0 < int(text[:9]) <= MOST_JOBS:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of jobs, 1 to {MOST_JOBS}")
    return int(text)
