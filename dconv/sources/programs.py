"""Other programs, run with a time limit, without a shell and without questions."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dconv.sources.types import SourceError


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
    `SourceError` where the program is not installed or takes too long; it and its
    children are ended then.
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
        output, complaint = process.communicate(timeout=patience)
    except subprocess.TimeoutExpired as error:
        raise SourceError(f"{command[0]} takes more than {patience:g} seconds") from error
    finally:
        _end(process)
    return Finished(process.returncode, output, complaint.decode("utf-8", "replace").strip())


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
