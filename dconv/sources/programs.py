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


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended: its exit status, its output, and what it said about errors."""

    status: int
    output: bytes
    complaint: str


def run(
    command: Sequence[str],
    patience: float,
    folder: Path,
    settings: Mapping[str, str] | None = None,
) -> Finished:
    """Run `command` in `folder` and wait `patience` seconds at most.

    It has nothing to read.  `settings` are added to the environment.  Raises
    `SourceError` where the program is not installed, takes too long or writes more
    than 256 MB; it and its children are ended then.
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
        output, complaint = _read(process, command[0], time.monotonic() + patience)
        process.wait(patience)
    except (TimeoutError, subprocess.TimeoutExpired) as error:
        raise SourceError(f"{command[0]} takes more than {patience:g} seconds") from error
    finally:
        _end(process)
    return Finished(process.returncode, output, complaint.decode("utf-8", "replace").strip())


def _read(process: subprocess.Popen[bytes], name: str, deadline: float) -> tuple[bytes, bytes]:
    """What `process` writes until it closes both its streams.

    Raises `TimeoutError` after the `deadline`, and `SourceError` where it is too much.
    """
    written: dict[int, list[bytes]] = {}
    size = 0
    with selectors.DefaultSelector() as waiting:
        for stream in (process.stdout, process.stderr):
            assert stream is not None  # both are pipes
            waiting.register(stream, selectors.EVENT_READ)
            written[stream.fileno()] = []
        while waiting.get_map():
            ready = waiting.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError
            for key, _ in ready:
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
