"""Run other programs: with a time limit, without a shell, without input."""

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
class ProgramResult:
    """The result of a program: its exit status, its output, and its error messages."""

    status: int
    output: bytes
    errors: str


def run(
    command: Sequence[str], timeout: float, folder: Path, variables: Mapping[str, str] | None = None
) -> ProgramResult:
    """Run `command` in `folder` for at most `timeout` seconds.

    `variables` are added to the environment.  Raises `SourceError` if the program is not installed
    or takes too long; then the program and its children are killed.
    """
    program = shutil.which(command[0])
    if program is None:
        raise SourceError(f"the program {command[0]} is not installed; install it")
    with subprocess.Popen(
        [program, *command[1:]],
        cwd=folder,
        env={**_environment(), **(variables or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # so that its children can be killed with it
    ) as process:
        try:
            output, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired as error:
            raise SourceError(f"{command[0]} takes more than {timeout:g} seconds") from error
        finally:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
    return ProgramResult(process.returncode, output, errors.decode("utf-8", "replace").strip())


def _environment() -> dict[str, str]:
    """Our environment in English, without the variables that git sets for a hook."""
    inherited = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    return {**inherited, "LC_ALL": "C", "LANGUAGE": ""}
