"""Run other programs: with a time limit, without a shell, without input."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from contextvars import ContextVar
from dataclasses import field
from pathlib import Path

from dconv.model.values import dataclass
from dconv.sources.types import TIMEOUT, SourceError


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """The result of a program: its exit status, its output, and its error messages."""

    status: int
    output: bytes
    errors: str


@dataclass(slots=True)
class RunningPrograms:
    """The programs that some threads run, so that another thread can end them."""

    _running: set[int] = field(default_factory=set)
    _ended: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, pid: int) -> None:
        """Add a process group, by the `pid` of its leader; kill it if `end` was called before."""
        with self._lock:
            self._running.add(pid)
            if self._ended:
                _kill(pid)

    def remove(self, pid: int) -> None:
        with self._lock:
            self._running.discard(pid)

    def end(self) -> None:
        """End all of them, and those that are started from now on."""
        with self._lock:
            self._ended = True
            for pid in self._running:
                _kill(pid)


# set in a thread whose programs another thread may end
RUNNING_PROGRAMS: ContextVar[RunningPrograms | None] = ContextVar("RUNNING_PROGRAMS", default=None)


def run(
    command: Sequence[str], folder: Path,
    variables: Mapping[str, str] | None = None, output: Path | None = None, extra_time: float = 0,
) -> ProgramResult:
    """Run `command` in `folder` for at most `TIMEOUT` seconds and `extra_time`.

    `variables` are added to the environment.  The file `output` gets what the program writes;
    without one the result has it.  Raises `SourceError` if the program is not installed
    or takes too long; then the program and its children are killed.  Raises `OSError` if the file
    cannot be written.
    """
    timeout = TIMEOUT + extra_time
    program = shutil.which(command[0])
    if program is None:
        raise SourceError(f"the program {command[0]} is not installed; install it")
    with output.open("wb") if output else nullcontext(subprocess.PIPE) as stdout, subprocess.Popen(
        [program, *command[1:]],
        cwd=folder,
        env={**_environment(), **(variables or {})},
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        start_new_session=True,  # so that its children can be killed with it
    ) as process:
        programs = RUNNING_PROGRAMS.get()
        try:
            if programs is not None:
                programs.add(process.pid)
            output_bytes, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired as error:
            raise SourceError(f"{command[0]} takes more than {timeout:g} seconds") from error
        finally:
            if programs is not None:
                programs.remove(process.pid)
            if process.poll() is None:
                _kill(process.pid)
    messages = errors.decode("utf-8", "replace").strip()
    return ProgramResult(process.returncode, output_bytes or b"", messages)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _environment() -> dict[str, str]:
    """Our environment in English, without the variables that git sets for a hook."""
    inherited = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    return {**inherited, "LC_ALL": "C", "LANGUAGE": ""}
