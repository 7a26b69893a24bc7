"""Another machine, for a process whose PYTHONPATH starts here: folders are listed backwards,
and it is eleven years later."""

from __future__ import annotations

import datetime
import os
import time
from collections.abc import Iterator
from types import TracebackType

LATER = 11 * 366 * 86400.0  # seconds
scandir, listdir, now = os.scandir, os.listdir, time.time


class Backwards:
    """What `os.scandir` gives, from the end."""

    def __init__(self, path: str = ".") -> None:
        with scandir(path) as entries:
            self._entries = iter(sorted(entries, key=lambda entry: entry.name, reverse=True))

    def __iter__(self) -> Iterator[os.DirEntry[str]]:
        return self._entries

    def __next__(self) -> os.DirEntry[str]:
        return next(self._entries)

    def __enter__(self) -> Backwards:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing is open."""

    def close(self) -> None:
        """Nothing is open."""


class Later(datetime.datetime):
    """A clock that is ahead."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Later:
        return cls.fromtimestamp(time.time(), tz)


class LaterDay(datetime.date):
    """A calendar that is ahead."""

    @classmethod
    def today(cls) -> LaterDay:
        return cls.fromtimestamp(time.time())


setattr(os, "scandir", Backwards)  # noqa: B010  # it is no type of theirs
os.listdir = lambda path=".": sorted(listdir(path), reverse=True)  # type: ignore[assignment]
time.time = lambda: now() + LATER
setattr(datetime, "datetime", Later)  # noqa: B010
setattr(datetime, "date", LaterDay)  # noqa: B010
