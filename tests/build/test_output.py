"""Files to disk: whole sites, times that stay, folders that are not ours, names that fail."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from kill_at_every_step import wait_for_end
from sample_site import dconv, files, has_option, write_sample_site

from dconv.build.output import (
    MARKER,
    SiteError,
    WriteResult,
    check_path,
    folder_state,
    write_site,
)

ROOT = Path(__file__).resolve().parents[2]
FILES = [("index.html", b"home"), ("a/b.html", b"deep")]


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*") if path.is_file() and path.name != MARKER
    }


def test_writing_a_site_leaves_no_other_files(tmp_path: Path) -> None:
    assert write_site(FILES, tmp_path / "public") == WriteResult(2, 2, 8)
    assert tree(tmp_path / "public") == dict(FILES)
    assert [path.name for path in tmp_path.iterdir()] == ["public"]


def test_old_files_are_removed_and_unchanged_ones_keep_their_time(tmp_path: Path) -> None:
    public = tmp_path / "public"
    write_site([*FILES, ("old.html", b"old")], public)
    os.utime(public / "index.html", (1000, 1000))
    os.utime(public / "a/b.html", (1000, 1000))
    assert write_site([("index.html", b"home"), ("a/b.html", b"DEEP")], public).changed_count == 1
    assert tree(public) == {"index.html": b"home", "a/b.html": b"DEEP"}
    assert (public / "index.html").stat().st_mtime == 1000
    assert (public / "a/b.html").stat().st_mtime > 1000


def test_unchanged_files_are_those_of_the_old_site_if_their_rights_are_as_of_new_ones(
    tmp_path: Path,
) -> None:
    public = tmp_path / "public"
    write_site(FILES, public)
    os.chmod(public / "a/b.html", 0o600)
    unchanged, restricted = (public / path for path, _ in FILES)
    inode, time_of_change = unchanged.stat().st_ino, restricted.stat().st_mtime_ns
    written = write_site(FILES, public)
    assert unchanged.stat().st_ino == inode
    assert unchanged.stat().st_nlink == 1
    assert restricted.stat().st_mode == unchanged.stat().st_mode
    assert restricted.stat().st_mtime_ns == time_of_change
    assert written.state == tuple(folder_state(public))  # an unchanged site is not built again


def test_an_empty_folder_may_be_used_but_not_one_with_other_files(tmp_path: Path) -> None:
    (tmp_path / "public").mkdir()
    write_site(FILES, tmp_path / "public")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "letter").write_text("dear")
    with pytest.raises(SiteError, match=r"holds files that dconv did not write"):
        write_site(FILES, tmp_path / "home")
    assert tree(tmp_path / "home") == {"letter": b"dear"}
    (tmp_path / "file").write_text("x")
    with pytest.raises(SiteError, match="is a file, not a folder"):
        write_site(FILES, tmp_path / "file")


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "public").symlink_to(tmp_path / "real")
    write_site(FILES, tmp_path / "public")
    assert (tmp_path / "public").is_symlink()
    assert tree(tmp_path / "real") == dict(FILES)


def test_a_failing_build_leaves_the_old_site(tmp_path: Path) -> None:
    public = tmp_path / "public"
    write_site(FILES, public)

    def broken() -> Iterator[tuple[str, bytes]]:
        yield "index.html", b"new"
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        write_site(broken(), public)
    assert tree(public) == dict(FILES)
    assert [path.name for path in tmp_path.iterdir()] == ["public"]


def test_the_next_build_repairs_an_interrupted_one(tmp_path: Path) -> None:
    public, old, new = (tmp_path / f"public{end}" for end in ("", ".dconv-old", ".dconv-new"))
    write_site(FILES, public)
    os.utime(public / "index.html", (1000, 1000))
    os.utime(public / MARKER, (1000, 1000))
    public.rename(old)
    shutil.copytree(old, new)
    (tmp_path / "public.dconv-lock").touch()
    write_site(FILES, public)
    assert (public / "index.html").stat().st_mtime == 1000
    assert (public / MARKER).stat().st_mtime == 1000
    assert [path.name for path in tmp_path.iterdir()] == ["public"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "steps"),
    [("site", 30), ("first", 8), ("renames", 25), ("put", 4), ("command", 10)],
)
def test_a_killed_writer_leaves_the_old_or_the_new_one(
    case: str, steps: int, tmp_path: Path
) -> None:
    if case == "site" and not sys.platform.startswith("linux"):
        pytest.skip("folders change places in one step on Linux only")
    program, folder = ROOT / "tests" / "kill_at_every_step.py", tmp_path / "here"
    words = [sys.executable, str(program), case, str(folder)]
    folder.mkdir()
    environment = {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "here" / "cache")}
    if case == "command":
        words.append(str(steps))  # of hundreds
    completed = subprocess.run(
        words, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert completed.stderr == ""
    assert int(completed.stdout) >= steps


@pytest.mark.slow
def test_a_build_killed_at_any_time_leaves_a_whole_site(tmp_path: Path) -> None:
    """As processes, with workers if there are: the site is the old or the new one."""
    settings = write_sample_site(tmp_path, ["3.4"])
    words = ["build", "--offline", "--site", str(settings), "--manuals", str(tmp_path / "manuals")]
    words += ["--jobs", "2"] * has_option("build", "--jobs")
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    start = time.monotonic()
    assert dconv(words, environment).returncode == 0
    duration = time.monotonic() - start
    public = tmp_path / "out" / "public"
    states = [files(public)]
    text = tmp_path / "texts" / "3.4" / "configuration.txt"
    changed = text.read_text("utf-8").replace("hands them over together", "gives them")
    text.write_text(changed, "utf-8")
    for part in (0.2, 0.45, 0.65, 0.8, 0.9, 0.97):
        with subprocess.Popen(
            [sys.executable, "-m", "dconv", *words], start_new_session=True,
            env={**os.environ, **environment, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        ) as build:
            time.sleep(part * duration)
            build.kill()
        wait_for_end(build.pid)
        states.append(files(public))
    assert dconv(words, environment).returncode == 0
    new = files(public)
    assert new != states[0]
    assert all(state in (states[0], new) for state in states)
    assert [path.name for path in public.parent.iterdir()] == ["public"]


def test_a_signal_while_the_folder_is_locked_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    lockf = fcntl.lockf

    def interrupted(*arguments: int) -> None:
        lockf(*arguments)
        signal.raise_signal(signal.SIGTERM)

    def end(*_: object) -> None:
        raise SystemExit(143)

    monkeypatch.setattr(fcntl, "lockf", interrupted)
    old = signal.signal(signal.SIGTERM, end)
    try:
        with pytest.raises(SystemExit):
            write_site(FILES, tmp_path / "public")
    finally:
        signal.signal(signal.SIGTERM, old)
    assert not list(tmp_path.iterdir())


def test_a_file_that_appears_during_a_build_is_not_removed(tmp_path: Path) -> None:
    public = tmp_path / "public"
    write_site(FILES, public)

    def slow() -> Iterator[tuple[str, bytes]]:
        yield "index.html", b"new"
        (public / "CNAME").write_text("www.example.org")

    with pytest.raises(SiteError, match="such as CNAME"):
        write_site(slow(), public)
    assert tree(public) == {**dict(FILES), "CNAME": b"www.example.org"}


def test_the_root_folder_is_refused() -> None:
    with pytest.raises(SiteError, match=r"/ is the root of the file system: choose"):
        write_site(FILES, Path("/"))


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (errno.ENOSPC, "the disk is full, cannot write .*: make room"),
        (errno.EACCES, "no permission to write .*: make it writable"),
        (errno.EROFS, "read-only: choose another folder"),
        (errno.EIO, "cannot write .*: told"),
    ],
)
def test_an_error_of_the_system_is_one_sentence(
    number: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, content: bytes) -> int:
        raise OSError(number, "told", str(self))

    monkeypatch.setattr(Path, "write_bytes", refuse)
    with pytest.raises(SiteError, match=message) as caught:
        write_site(FILES, tmp_path / "public")
    assert f"{tmp_path / 'public'}" in str(caught.value)
    assert ".dconv" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc here")
@pytest.mark.parametrize("folder", ["/proc/public", "/proc/public/deeper"])
def test_messages_name_the_folder_as_the_user_does(folder: str) -> None:
    with pytest.raises(SiteError, match=rf"(?i)cannot write {folder}: no such file"):
        write_site(FILES, Path(folder))


@pytest.mark.parametrize(
    "path",
    [
        "", "/etc/passwd", "../up", "a/../b", "a//b", "./a", "a/",
        "a:b", "a?b", "a\\b", "a\nb", "a.", "a ", "a*",
    ],
)
def test_names_invalid_on_some_systems_are_refused(path: str, tmp_path: Path) -> None:
    with pytest.raises(SiteError):
        check_path(path)
    with pytest.raises(SiteError):
        write_site([(path, b"")], tmp_path / "public")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["a", "a/b.html", "aux/con.html", ".nojekyll", "é+x.html"])
def test_portable_names_are_accepted(path: str) -> None:
    assert check_path(path) == path


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("a.html", "a.html", "'a.html' and 'a.html'"),
        ("a.html", "A.html", "'A.html' and 'a.html'"),
        ("a/x.html", "A/y.html", "'A/y.html' and 'a/'"),
        ("a", "a/b", "'a/b' and 'a'"),
        ("a/b", "a", "'a' and 'a/'"),
        ("x", ".dconv", "'.dconv' and '.dconv'"),
    ],
)
def test_names_that_collide_are_refused(
    first: str, second: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(SiteError, match=f"{message} need the same name"):
        write_site([(first, b""), (second, b"")], tmp_path / "public")


def test_a_file_of_other_people_is_never_removed(tmp_path: Path) -> None:
    output = tmp_path / "public"
    write_site([("index.html", b"one"), ("a/b.html", b"two")], output)
    (output / "CNAME").write_bytes(b"www.example.org")
    with pytest.raises(SiteError, match="did not write, such as CNAME"):
        write_site([("index.html", b"three")], output)
    assert (output / "CNAME").read_bytes() == b"www.example.org"
    assert (output / "index.html").read_bytes() == b"one"
    (output / "CNAME").unlink()
    write_site([("index.html", b"three")], output)
    assert sorted(path.name for path in output.iterdir()) == [".dconv", "index.html"]


def test_the_folder_keeps_its_mode(tmp_path: Path) -> None:
    output = tmp_path / "public"
    output.mkdir(mode=0o750)
    write_site([("index.html", b"one")], output)
    assert output.stat().st_mode & 0o777 == 0o750
