"""Run mandoc on a manual page, with limits of time, memory and output.

A page is a program: `.while 1` never ends.  mandoc reads from standard input, in a folder without
pages, so `.so` includes nothing.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer
from typing import TypeAlias

if sys.platform == "linux":  # other systems cannot limit a process that runs
    import resource

MANDOC = "mandoc"  # the program, and the package of Debian that has it
HTML = ("-T", "html", "-O", "fragment")
TERMINAL = ("-T", "utf8", "-O", "width=1000")  # columns; 2000 is refused
MAX_CPU_SECONDS = 5
TIMEOUT = 60  # seconds, where processor time has no limit
MAX_MEMORY = 1_000_000_000  # bytes
MAX_OUTPUT = 64_000_000  # bytes
FOLDER_WITHOUT_PAGES = Path(__file__).parent

# (options of mandoc, page) -> its output; raises `MandocError`
RunMandoc: TypeAlias = Callable[[tuple[str, ...], bytes], str]


class MandocError(Exception):
    """mandoc has no output for a page; the message is a clause that says why."""


class MandocLimitError(MandocError):
    """mandoc needs too much for a page; the same run would again."""


def is_installed() -> bool:
    """Whether mandoc is installed."""
    return shutil.which(MANDOC) is not None


def run_mandoc(options: tuple[str, ...], content: bytes) -> str:
    """What mandoc writes for `content` with `options`.  Raises `MandocError`."""
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                [MANDOC, *options], cwd=FOLDER_WITHOUT_PAGES, stdin=subprocess.PIPE,
                stdout=output, stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise MandocError(f"{MANDOC} is not installed") from error
        with process, _limits(process):
            process.communicate(content)
        if process.returncode < 0:
            raise MandocLimitError("it needs too much time, memory or output")
        output.seek(0)
        text = output.read(MAX_OUTPUT).decode("utf-8", "replace")
    if not text:
        raise MandocError("it writes nothing")
    return text


@contextlib.contextmanager
def _limits(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Limit the time, memory and output of `process`; systems other than Linux limit only time."""
    if sys.platform == "linux":
        with contextlib.suppress(ProcessLookupError):  # it has ended
            for kind, limit in (
                (resource.RLIMIT_CPU, MAX_CPU_SECONDS), (resource.RLIMIT_AS, MAX_MEMORY),
                (resource.RLIMIT_FSIZE, MAX_OUTPUT), (resource.RLIMIT_CORE, 0),
            ):
                resource.prlimit(process.pid, kind, (limit, limit))
        yield
    else:
        timer = Timer(TIMEOUT, process.kill)
        timer.start()
        yield
        timer.cancel()
