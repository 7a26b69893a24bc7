"""A writer that is killed at each of its steps: `python tests/kill_at_every_step.py CASE FOLDER`.

A step is what Python tells audit hooks of: a file opened, a folder made, renamed or
removed, a lock taken, a call of the C library.  Before it the process sends itself
SIGKILL, which no program can catch.  After each kill the old content or the new one must
be there, whole; the next run must succeed and leave nothing beside it.  Printed is
how often a process was killed.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from sample_site import LOGO, SITE, TESTS, files, has_option

from dconv.build.output import write_files, write_site
from dconv.cli import main

WATCHED = ("open", "os", "shutil", "fcntl", "ctypes", "tempfile")
TIMEOUT = 20.0  # seconds that the children of a killed process have to end
RELAY = '[[product]]\nname = "relay"\nreleases = ["2.1"]\n'
TEXT = """\
                          Relay
                         Manual
                       version 2.1

1. Introduction
---------------

A relay passes on what it is given, be it {word}.
"""
FileContents = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Case:
    """What is killed: `prepare` makes the old state, `change` the new one over it.

    `read_files` reads what is there, all files and the times of them; `folder` is where
    nothing else may be left.
    """

    folder: Path
    prepare: Callable[[], object]
    change: Callable[[], object]
    read_files: Callable[[], FileContents]
    may_be_absent: bool = False  # whether there may be nothing for an instant


# --- the cases ------------------------------------------------------------------------


def site_case(base: Path) -> Case:
    """A site over another one."""
    sites = [
        [(f"{page}.html", f"{name} {page}".encode()) for page in ("a", "b/c", "d")]
        for name in ("old", "new")
    ]
    public = base / "public"
    return Case(
        base, lambda: write_site(sites[0], public), lambda: write_site(sites[1], public),
        lambda: files(public),
    )


def first_case(base: Path) -> Case:
    """A site where there was none, in a folder that is not there yet."""
    new_files = [("index.html", b"one"), ("a/b.html", b"two")]
    public = base / "below" / "public"

    def gone() -> None:
        shutil.rmtree(public.parent, ignore_errors=True)

    return Case(public.parent, gone, lambda: write_site(new_files, public), lambda: files(public))


def renames_case(base: Path) -> Case:
    """A site on a system where two folders cannot change places: for an instant there is none."""
    sys.platform = "other"
    case = site_case(base)
    return Case(case.folder, case.prepare, case.change, case.read_files, may_be_absent=True)


def put_case(base: Path) -> Case:
    """A single file over another one."""
    return Case(
        base, lambda: write_files([("known.toml", b"old")], base),
        lambda: write_files([("known.toml", b"new")], base),
        lambda: {"known.toml": (base / "known.toml").read_bytes()},
    )


def command_case(base: Path) -> Case:
    """`dconv build` of a small site, after a word of its text has changed."""
    settings = SITE.partition("[[product]]")
    (base / "site.toml").write_text(settings[0].replace("compress = true\n", "") + RELAY)
    (base / "paper").mkdir()
    (base / "paper" / "theme.toml").write_text('title = "Paper"')
    (base / "logo.svg").write_text(LOGO)
    relay = base / "manuals" / "relay"
    relay.mkdir(parents=True)
    shutil.copy(TESTS / "spec" / "manual.toml", relay)
    words = ["build", "-q", "--offline", "--site", f"{base}/site.toml"]
    words += ["--manuals", f"{base}/manuals"]
    if has_option("build", "--jobs"):
        words += ["--jobs", "2"]

    def build(word: str) -> None:
        (relay / "manual.txt").write_text(TEXT.format(word=word))
        assert main(words) == 0

    saved = base / "saved"

    def prepare() -> None:
        if not saved.exists():
            build("old")
            (base / "out").rename(saved)
        shutil.rmtree(base / "out", ignore_errors=True)
        shutil.copytree(saved, base / "out")

    return Case(base, prepare, lambda: build("new"), lambda: files(base / "out/public"))


CASES = {
    "site": site_case, "first": first_case, "renames": renames_case, "put": put_case,
    "command": command_case,
}


# --- killing --------------------------------------------------------------------------


def stepping(folder: Path, step: Callable[[], None]) -> None:
    """Call `step` before each step of this process that has to do with `folder`."""

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event.partition(".")[0] not in WATCHED:
            return
        first = arguments[0] if arguments else None
        path = os.fsdecode(first) if isinstance(first, str | bytes | Path) else ""
        if not path or path.startswith(str(folder)):
            step()

    sys.addaudithook(hook)


def run(case: Case, at: int | None) -> tuple[bool, int]:
    """`change` in a process that is killed before its step `at`, or never.

    Tells whether it was killed, and how many steps it came through.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        count = 0

        def step() -> None:
            nonlocal count
            count += 1
            if count - 1 == at:
                os.kill(os.getpid(), signal.SIGKILL)

        stepping(case.folder, step)
        status = 1
        try:
            case.change()
            status = 0
        except Exception:
            traceback.print_exc()
        finally:
            os.write(writing, str(count).encode())
            os._exit(status)
    os.close(writing)
    report = b""
    # its children hold the pipe too, so it is read only after the process has ended
    _, status = os.waitpid(child, 0)
    wait_for_end(child)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0, "a build failed that nobody killed"
        report = os.read(reading, 100)
    os.close(reading)
    return os.WIFSIGNALED(status), int(report or 0)


def wait_for_end(session: int) -> None:
    """Wait until no process of `session` is left: workers end with who started them."""
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline:
        try:
            os.killpg(session, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    raise AssertionError("processes outlive the build that was killed")


def killed(case: Case, points: Iterable[int]) -> int:
    """How often `change` was killed, at each of `points` or until it comes to its end."""
    case.prepare()
    old = case.read_files()
    assert run(case, None)[0] is False
    new = case.read_files()
    assert old != new
    count = 0
    for point in points:
        case.prepare()
        assert case.read_files() == old, point
        if not run(case, point)[0]:
            assert case.read_files() == new
            break
        count += 1
        assert case.read_files() in ([old, new, {}] if case.may_be_absent else [old, new]), point
        case.change()  # the next one puts all right
        assert case.read_files() == new, point
        assert not [*case.folder.rglob("*.dconv-*")], point
    return count


def chosen_points(case: Case, most: int) -> list[int]:
    """At most `most` of the steps of `case`: the last ones, and others from all of them."""
    case.prepare()
    _, steps = run(case, None)
    last = list(range(max(0, steps - most // 2), steps))
    rest = max(1, steps - len(last))
    return sorted({*last, *range(0, rest, max(1, rest // (most // 2)))})


if __name__ == "__main__":
    name, place = sys.argv[1:3]
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    asked = CASES[name](Path(place))
    times = killed(asked, chosen_points(asked, most) if most else range(10_000))
    sys.stdout.write(str(times))
