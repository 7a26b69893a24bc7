"""Commands, run from outside as a user runs them: what they and their children take."""

from __future__ import annotations

import os
import re
import shlex
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
DCONV = (sys.executable, "-m", "dconv", "--quiet")
POLL_INTERVAL = 0.02  # seconds between two looks at the memory of a command
PSS = re.compile(r"^Pss:\s+(\d+) kB", re.MULTILINE)
PEAK = re.compile(r"^VmHWM:\s+(\d+) kB", re.MULTILINE)
UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss
FINDINGS = 1  # the status of a command that did its work and reports findings


@dataclass(frozen=True, slots=True)
class Usage:
    """What a command took: wall and CPU seconds, peak memory in bytes."""

    wall: float
    cpu: float
    memory: int


def run(command: Sequence[str], cache: Path, all_processes: bool = False) -> Usage:
    """Run `command` to its end, with `cache` for the user's; raises `SystemExit` where it fails.

    With `all_processes` its memory is that of all its processes together, looked at so often that
    the times suffer; else that of the first one.  Python may keep what it compiles.
    """
    start = perf_counter()
    with tempfile.TemporaryFile() as output:
        child = os.posix_spawnp(
            command[0], list(command), environment(cache),
            file_actions=_redirect_output(output.fileno()),
        )
        monitor = _MemoryMonitor(child, all_processes)
        _, status, usage = os.wait4(child, 0)
        wall = perf_counter() - start
        code = os.waitstatus_to_exitcode(status)
        if code not in (0, FINDINGS):
            output.seek(0)
            last = output.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise SystemExit(f"{shlex.join(command)}: failed with status {code}: {last}")
    # ru_maxrss counts what this process had when it made the other one
    memory = monitor.peak() or usage.ru_maxrss * UNIT
    return Usage(wall, usage.ru_utime + usage.ru_stime, memory)


def environment(cache: Path) -> Mapping[str, str]:
    """That of commands: this source, and nothing known from before but what is in `cache`."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(cache)}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    return variables


def machine() -> str:
    """What a table is about: Python, processors, and how busy they are."""
    load = os.getloadavg()[0]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"Python {sys.version.split()[0]}, {cores} processors, load {load:.1f}"


def _redirect_output(file: int) -> list[tuple[int, int, int]]:
    """Standard output and errors go to `file`."""
    return [(os.POSIX_SPAWN_DUP2, file, 1), (os.POSIX_SPAWN_DUP2, file, 2)]


class _MemoryMonitor:
    """Looks at the memory of a process while it runs, and of all below it where `whole`.

    It sees nothing if there is no /proc.
    """

    def __init__(self, process: int, all_processes: bool) -> None:
        self._process = process
        self._all_processes = all_processes
        self._peak_memory = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def peak(self) -> int:
        """The most bytes seen; the watching ends."""
        self._done.set()
        self._thread.join()
        return self._peak_memory

    def _watch(self) -> None:
        while not self._done.wait(POLL_INTERVAL):
            highest = _kilobytes(PEAK, Path(f"/proc/{self._process}/status"))
            if self._all_processes:
                processes = _process_tree(self._process)
                files = [Path(f"/proc/{process}/smaps_rollup") for process in processes]
                highest = max(highest, sum(_kilobytes(PSS, file) for file in files))
            self._peak_memory = max(self._peak_memory, highest * 1024)


def _process_tree(process: int) -> Iterator[int]:
    yield process
    for tasks in Path(f"/proc/{process}/task").glob("*/children"):
        for child in _read_text(tasks).split():
            yield from _process_tree(int(child))


def _kilobytes(pattern: re.Pattern[str], file: Path) -> int:
    match = pattern.search(_read_text(file))
    return int(match[1]) if match else 0


def _read_text(file: Path) -> str:
    try:
        return file.read_text("ascii")
    except OSError:  # it has ended meanwhile
        return ""
