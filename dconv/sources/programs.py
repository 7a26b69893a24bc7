"""Other programs, run with a time limit, without a shell and without questions."""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dconv.sources.files import check_size
from dconv.sources.types import LARGEST_FILE, SourceError

PIECE = 256 * 1024  # bytes read at a time
LOOK = 0.1  # seconds between two looks at what a program has put on the disk


class FolderError(SourceError):
    """A program has put more on the disk than it may."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended: its exit status, its output, and what it said about errors."""

    status: int
    output: bytes
    complaint: str


def run(
    command: Sequence[str],
    timeout: float,
    folder: Path,
    settings: Mapping[str, str] | None = None,
    room: int = 0,
) -> Finished:
    """Run `command` in `folder` and wait `timeout` seconds at most.

    It has nothing to read.  `settings` are added to the environment.  Raises
    `SourceError` where the program is not installed, takes too long or writes more
    than 256 MB, and `FolderError` where `folder` grows to more than `room` bytes; it
    and its children are ended then.
    """
    program = shutil.which(command[0])
    if program is None:
        raise SourceError(f"the program {command[0]} is needed and is not installed")
    process = subprocess.Popen(
        [program, *command[1:]],
        cwd=folder,
        env={**_environment(), **(settings or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # a group of its own, to be ended as a whole
    )
    try:
        limits = _Limits(time.monotonic() + timeout, folder, room)
        output, complaint = _read(process, command[0], limits)
        process.wait(timeout)
        limits.look()
    except (TimeoutError, subprocess.TimeoutExpired) as error:
        raise SourceError(f"{command[0]} takes more than {timeout:g} seconds") from error
    finally:
        _end(process)
    return Finished(process.returncode, output, complaint.decode("utf-8", "replace").strip())


@dataclass(frozen=True, slots=True)
class _Limits:
    """Until when a program may work, and how many bytes it may put into `folder`, 0 for any."""

    deadline: float
    folder: Path
    room: int

    def wait(self) -> float:
        """How long to wait for a program, in seconds.

        Raises `TimeoutError` and `FolderError`.
        """
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.look()
        return min(left, LOOK) if self.room else left

    def look(self) -> None:
        """Raise `FolderError` where there is too much in the folder."""
        if self.room and _size(self.folder) > self.room:
            raise FolderError(f"it has more than {self.room // 1024 // 1024} MB")


def _size(folder: Path) -> int:
    """The bytes of all files below `folder`, which may come and go meanwhile."""
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                size += os.lstat(os.path.join(place, name)).st_size
    return size


def _read(
    process: subprocess.Popen[bytes], name: str, limits: _Limits
) -> tuple[bytes, bytes]:
    """What `process` writes until it closes both its streams.

    Raises `TimeoutError` and `SourceError` where it is too much, or beyond `limits`.
    """
    written: dict[int, list[bytes]] = {}
    size = 0
    with selectors.DefaultSelector() as waiting:
        for stream in (process.stdout, process.stderr):
            assert stream is not None  # both are pipes
            waiting.register(stream, selectors.EVENT_READ)
            written[stream.fileno()] = []
        while waiting.get_map():
            for key, _ in waiting.select(limits.wait()):
                piece = os.read(key.fd, PIECE)
                size += len(piece)
                check_size(size, f"what {name} writes", LARGEST_FILE)
                written[key.fd].append(piece)
                if not piece:
                    waiting.unregister(key.fileobj)
    output, complaint = (b"".join(pieces) for pieces in written.values())
    return output, complaint


def _environment() -> dict[str, str]:
    """Ours, in English, without git's variables: a hook that calls us sets them."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "LC_ALL": "C", "LANGUAGE": ""}


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
