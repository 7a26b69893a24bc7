"""Run other programs: with a time limit, without a shell, without input."""

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
POLL = 0.1  # seconds between two measurements of what a program has written to the disk


class FolderError(SourceError):
    """A program has written too much to the disk."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The result of a program: its exit status, its output, and its error messages."""

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
    """Run `command` in `folder` for at most `timeout` seconds.

    `settings` are added to the environment.  Raises `SourceError` if the program is not
    installed, takes too long or prints more than 256 MB, and `FolderError` if `folder` grows to
    more than `room` bytes (0: any); then the program and its children are killed.
    """
    program = shutil.which(command[0])
    if program is None:
        raise SourceError(f"the program {command[0]} is not installed; install it")
    process = subprocess.Popen(
        [program, *command[1:]],
        cwd=folder,
        env={**_environment(), **(settings or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # so that its children can be killed with it
    )
    try:
        limits = _Limits(time.monotonic() + timeout, folder, room)
        output, complaint = _read(process, command[0], limits)
        process.wait(timeout)
        limits.check_size()
    except (TimeoutError, subprocess.TimeoutExpired) as error:
        raise SourceError(f"{command[0]} takes more than {timeout:g} seconds") from error
    finally:
        _kill(process)
    return Finished(process.returncode, output, complaint.decode("utf-8", "replace").strip())


@dataclass(frozen=True, slots=True)
class _Limits:
    """The time at which a program must end, and the size to which `folder` may grow (0: any)."""

    deadline: float
    folder: Path
    room: int

    def wait(self) -> float:
        """The seconds to wait for output; raises `TimeoutError` and `FolderError`."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.check_size()
        return min(left, POLL) if self.room else left

    def check_size(self) -> None:
        """Raise `FolderError` if the folder is too large."""
        if self.room and _size(self.folder) > self.room:
            raise FolderError(f"it has more than {self.room // 1024 // 1024} MB")


def _size(folder: Path) -> int:
    """The size of all files below `folder`, which may change meanwhile."""
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                size += os.lstat(os.path.join(place, name)).st_size
    return size


def _read(
    process: subprocess.Popen[bytes], name: str, limits: _Limits
) -> tuple[bytes, bytes]:
    """The output and the error messages of `process`.

    Raises `TimeoutError`, and `SourceError` if it prints too much or breaks `limits`.
    """
    pieces: dict[int, list[bytes]] = {}
    size = 0
    with selectors.DefaultSelector() as selector:
        for stream in (process.stdout, process.stderr):
            assert stream is not None  # both are pipes
            selector.register(stream, selectors.EVENT_READ)
            pieces[stream.fileno()] = []
        while selector.get_map():
            for key, _ in selector.select(limits.wait()):
                piece = os.read(key.fd, PIECE)
                size += len(piece)
                check_size(size, f"the output of {name}", LARGEST_FILE)
                pieces[key.fd].append(piece)
                if not piece:
                    selector.unregister(key.fileobj)
    output, complaint = (b"".join(parts) for parts in pieces.values())
    return output, complaint


def _environment() -> dict[str, str]:
    """Our environment in English, without the variables that git sets for a hook."""
    own = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    return {**own, "LC_ALL": "C", "LANGUAGE": ""}


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
