"""Folders that a site may not replace, and what may not be written: as processes see it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from programs import need
from sample_site import ROOT, dconv, files

from dconv.build.output import MARKER, SiteError, write_files, write_site

OLD = [("index.html", b"old home"), ("a/b.html", b"old deep")]
TEXT = "1. Start\n--------\n\nA lantern has a {word}.\n"


def unprivileged() -> list[str]:
    """Words before a command that has no rights but those of its user, also where that is root."""
    if os.geteuid():
        return []
    return [need("setpriv"), "--inh-caps=-all", "--bounding-set=-all"]


def with_mounts(script: str) -> list[str]:
    """Words before a command that sees the mounts of the shell's `script`, and nobody else does."""
    as_root = [] if os.geteuid() == 0 else ["-r"]
    words = [need("unshare"), *as_root, "-m", "--"]
    if subprocess.run([*words, "true"], capture_output=True, check=False).returncode:
        if os.environ.get("CI") == "true":
            pytest.fail("unshare(1) may not make a mount namespace here")
        pytest.skip("unshare(1) may not make a mount namespace here")
    return [*words, "sh", "-euc", f'{script}\nexec "$@"', "sh"]


@pytest.fixture(scope="module")
def first_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `guide.txt`, and a site of it in `public`."""
    folder = tmp_path_factory.mktemp("first_site")
    (folder / "guide.txt").write_text(TEXT.format(word="wick"))
    assert convert(folder / "guide.txt").returncode == 0
    return folder


@pytest.fixture
def site(first_site: Path, tmp_path: Path) -> Path:
    """A folder with a site in `public`, and `guide.txt`, which has changed since."""
    shutil.copytree(first_site, tmp_path, dirs_exist_ok=True)
    (tmp_path / "guide.txt").write_text(TEXT.format(word="handle"))
    return tmp_path


def convert(
    guide: Path, output: Path | None = None, before: Sequence[str] = (), cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    words: list[str | Path] = ["convert", "-q", guide, "-o", output or guide.parent / "public"]
    return dconv(words, before=before, cwd=cwd)


def refusal(
    folder: Path, output: Path | None = None, before: Sequence[str] = (), cwd: Path | None = None
) -> str:
    """The sentence of a build in `folder` that is refused, and changes nothing there."""
    state = files(folder)
    completed = convert(folder / "guide.txt", output, before, cwd)
    assert (completed.returncode, completed.stdout) == (2, "")
    assert files(folder) == state
    assert completed.stderr.startswith("dconv: ")
    assert completed.stderr.count("\n") == 1
    return completed.stderr


# --- what is somebody's ---------------------------------------------------------------

FOREIGN_FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "a file": (lambda public: (public / "CNAME").touch(), "CNAME"),
    "a file among ours": (lambda public: (public / "a/x").touch(), "a/x"),
    "an empty folder": (lambda public: (public / "b").mkdir(), "b/"),
    "folders": (lambda public: (public / "b/c").mkdir(parents=True), "b/"),
    "a link to a folder": (lambda public: (public / "b").symlink_to(public.parent), "b"),
    "a link to nothing": (lambda public: (public / "b").symlink_to("/no/where"), "b"),
    "a pipe": (lambda public: os.mkfifo(public / "b"), "b"),
    "a link for our file": (lambda public: _linked(public / "index.html"), "index.html"),
    "a link for our folder": (lambda public: _linked(public / "a"), "a"),
    "a file for our folder": (lambda public: _replaced(public / "a"), "a"),
    "another marker": (lambda public: (public / MARKER).write_text("x\nindex.html\n"), MARKER),
    "no marker": (lambda public: (public / MARKER).unlink(), "a/"),
    "a link for the marker": (lambda public: _linked(public / MARKER), MARKER),
    "work tree of git": (lambda public: (public / ".git").write_text("gitdir: x"), ".git"),
}


def _linked(path: Path) -> None:
    path.rename(path.parent.parent / "elsewhere")
    path.symlink_to(path.parent.parent / "elsewhere")


def _replaced(folder: Path) -> None:
    (folder / "b.html").unlink()
    folder.rmdir()
    folder.touch()


@pytest.mark.parametrize("case", FOREIGN_FILES)
def test_a_folder_with_other_files_is_never_replaced(case: str, tmp_path: Path) -> None:
    public = tmp_path / "public"
    write_site(OLD, public)
    spoil, named = FOREIGN_FILES[case]
    spoil(public)
    there = sorted(path.name for path in tmp_path.rglob("*"))
    with pytest.raises(SiteError, match="did not write") as caught:
        write_site([("index.html", b"new")], public)
    assert f"such as {named}: choose" in str(caught.value)
    assert sorted(path.name for path in tmp_path.rglob("*")) == there


def test_only_temporary_folders_of_a_build_are_removed(tmp_path: Path) -> None:
    other_folders = [tmp_path / name for name in ("public.dconv-new", "public.dconv-old")]
    others = [
        tmp_path / name for name in (
            "public.dconv-new-1", "public.dconv-new.bak", "public2.dconv-new", "public.dconv-old1",
        )
    ]  # fmt: skip
    write_site(OLD, tmp_path / "public")
    for folder in (*other_folders, *others):
        folder.mkdir()
        (folder / "letter").touch()
    write_site(OLD, tmp_path / "public")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == sorted([*(folder.name for folder in others), "public"])
    assert all((folder / "letter").is_file() for folder in others)


def test_output_in_a_work_tree_is_one_folder_of_it(site: Path) -> None:
    git = [need("git"), "-C", str(site), "-c", "user.name=n", "-c", "user.email=e"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    assert convert(site / "guide.txt").returncode == 0
    result = subprocess.run(
        [*git, "status", "--short"], capture_output=True, text=True, check=True
    )
    changed = [line[3:] for line in result.stdout.splitlines()]
    assert "public/manuals/guide.html" in changed
    assert all(path.startswith("public/") for path in changed)
    assert ".git/: choose" in refusal(site, site)


def test_the_folder_of_the_texts_is_refused(site: Path) -> None:
    assert "such as guide.txt: choose" in refusal(site, site)


def test_the_working_folder_is_refused(site: Path) -> None:
    (site / "empty").mkdir()
    for place in ("empty", "public", "public/manuals"):
        output = site / place.partition("/")[0]
        message = refusal(site, output, cwd=site / place)
        assert f"you are in {output}, which a build replaces" in message
    state = os.stat(site / "public").st_ino
    completed = dconv(["convert", "-q", site / "guide.txt", "-o", "below"], cwd=site / "empty")
    assert (completed.returncode, completed.stderr) == (0, "")
    assert os.stat(site / "public").st_ino == state


# --- what may not be written ----------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "mode", "named"),
    [
        (".", 0o500, "in {site}, where dconv writes the next public: make it writable, or"),
        ("public", 0o500, "{site}/public: make it writable"),
        ("public/manuals", 0o500, "{site}/public/manuals: make it writable"),
        ("public/manuals", 0o300, "{site}/public/manuals: make it writable"),  # not to be listed
    ],
)
def test_a_read_only_folder_is_not_replaced(path: str, mode: int, named: str, site: Path) -> None:
    place = site / path
    before = place.stat().st_mode & 0o777
    convert_words = unprivileged()
    place.chmod(mode)
    try:
        completed = convert(site / "guide.txt", before=convert_words)
    finally:
        place.chmod(before)
    assert completed.returncode == 2
    assert f"no permission to write {named.format(site=site)}" in completed.stderr
    assert b"wick" in (site / "public/manuals/guide.html").read_bytes()
    assert sorted(path.name for path in site.iterdir()) == ["guide.txt", "public"]


@pytest.mark.parametrize(("name", "message"), [
    ("x" * 250, "is too long for its file system: choose a shorter one"),
    ("guide.txt/public", "a file is where a folder must be: choose another folder"),
    ("loop", "a file is where a folder must be: choose another folder"),
])
def test_a_path_that_cannot_be_a_folder_is_reported(name: str, message: str, site: Path) -> None:
    (site / "loop").symlink_to("loop")
    assert message in refusal(site, site / name)


def test_a_read_only_file_system_is_named(site: Path) -> None:
    before = with_mounts(f'mount --bind "{site}" "{site}"\nmount -o remount,bind,ro "{site}"')
    message = refusal(site, before=before)
    assert f"cannot write {site / 'public'}, the file system is read-only: choose" in message


def test_a_mount_point_is_not_replaced(site: Path) -> None:
    before = with_mounts(f'mkdir "{site}/empty"\nmount -t tmpfs none "{site}/empty"')
    message = refusal(site, site / "empty", before=before)
    assert "empty, a mount point: choose a folder inside it" in message
    within = with_mounts(f'mount -t tmpfs none "{site}/empty"')
    completed = convert(site / "guide.txt", site / "empty" / "public", before=within)
    assert (completed.returncode, completed.stderr) == (0, "")


# Fills a small file system so that ever more of it is free, until a site fits.
FULL = """
import os, subprocess, sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from sample_site import files
guide, disk = Path(sys.argv[1]), Path(sys.argv[2])
words = [sys.executable, "-m", "dconv", "convert", "-q", str(guide), "-o", str(disk / "public")]
guide.write_text(guide.read_text().replace("handle", "wick"))
assert subprocess.run(words).returncode == 0
for path in (disk / "public").rglob("*.*"):
    path.chmod(0o640)  # else unchanged files become links, which need no room
old = files(disk)
size = sum(-(-len(content) // 4096) for content in old.values())
guide.write_text(guide.read_text().replace("wick", "handle"))
failed = 0
for part in range(8):
    free = size * part // 6 * 4096
    with open(disk / "ballast", "wb", buffering=0) as ballast:
        state = os.statvfs(disk)
        ballast.write(bytes(max(0, state.f_bavail * state.f_frsize - free)))
    done = subprocess.run(words, capture_output=True, text=True)
    (disk / "ballast").unlink()
    if done.returncode == 0:
        break
    failed += 1
    assert files(disk) == old, part
    assert sorted(os.listdir(disk)) == ["public"], part
    expected = f"dconv: the disk is full, cannot write {disk}/public"
    assert done.stderr.startswith(expected), done.stderr
    assert done.stderr.endswith(": make room; the old site is unchanged\\n"), done.stderr
assert b"handle" in (disk / "public/manuals/guide.html").read_bytes()
print(failed)
"""


@pytest.mark.slow
def test_a_full_disk_leaves_the_old_site(site: Path) -> None:
    disk = site / "disk"
    disk.mkdir()
    before = with_mounts(f'mount -t tmpfs -o size=8m none "{disk}"')
    words = [sys.executable, "-c", FULL, site / "guide.txt", disk, ROOT / "tests"]
    completed = subprocess.run(
        [*before, *map(str, words)], env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )
    assert completed.stderr == ""
    assert int(completed.stdout) >= 4


def test_a_limit_of_file_sizes_leaves_the_old_site(site: Path) -> None:
    before = ["sh", "-c", 'ulimit -f 8\nexec "$@"', "sh"]  # 4 or 8 kB, less than a style sheet
    for sheet in site.rglob("*.css"):
        sheet.chmod(0o640)  # else it becomes a link
    assert f"cannot write {site / 'public'}: file too large" in refusal(site, before=before)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    script = (
        'import sys\nfrom pathlib import Path\n'
        'from dconv.build.output import SiteError, write_files\n'
        'disk = Path(sys.argv[1])\nwrite_files([("known.toml", b"old")], disk)\n'
        'try:\n    write_files([("known.toml", bytes(100_000))], disk)\n'
        'except SiteError as error:\n'
        '    print(error, (disk / "known.toml").read_bytes(), len(list(disk.iterdir())))\n'
    )
    before = with_mounts(f'mount -t tmpfs -o size=64k none "{tmp_path}"')
    completed = subprocess.run(
        [*before, sys.executable, "-c", script, str(tmp_path)], check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )
    expected = f"the disk is full, cannot write {tmp_path}: make room b'old' 1\n"
    assert (completed.stdout, completed.stderr) == (expected, "")


# --- two at once ----------------------------------------------------------------------


def test_two_builds_at_once(site: Path) -> None:
    pipe = site / "pipe"
    os.mkfifo(pipe)
    words = [sys.executable, "-c", HOLDING, str(site / "public"), str(pipe)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(words, env=environment) as first_build:
        pipe.read_text()  # the first build is at work
        result = convert(site / "guide.txt")
        first_build.kill()
    assert result.returncode == 2
    assert f"another build is writing {site / 'public'}: wait until it ends" in result.stderr
    assert b"wick" in (site / "public/manuals/guide.html").read_bytes()
    pipe.unlink()
    assert convert(site / "guide.txt").returncode == 0
    assert sorted(path.name for path in site.iterdir()) == ["guide.txt", "public"]


# A build that has forked a worker, which outlives it, as one that hangs does.
HOLDING = """
import os, sys, time
from pathlib import Path
from dconv.build.output import write_site
def files():
    yield "index.html", b"half"
    if not os.fork():
        time.sleep(10)
        os._exit(0)
    Path(sys.argv[2]).write_text("here")
    time.sleep(60)
write_site(files(), Path(sys.argv[1]))
"""


# --- single files ---------------------------------------------------------------------


def test_write_files_does_not_follow_links(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "letter").write_bytes(b"dear")
    out = tmp_path / "out"
    out.mkdir()
    (out / "letter").symlink_to(tmp_path / "theirs" / "letter")
    (out / "letter.dconv-new").symlink_to(tmp_path / "theirs" / "letter")
    write_files([("letter", b"new")], out)
    assert (out / "letter").read_bytes() == b"new"
    assert (tmp_path / "theirs" / "letter").read_bytes() == b"dear"
    assert [path.name for path in out.iterdir()] == ["letter"]


def test_write_files_keeps_modes_and_read_only_files(tmp_path: Path) -> None:
    place = tmp_path / "known.toml"
    write_files([("known.toml", b"one")], tmp_path)
    place.chmod(0o640)
    write_files([("known.toml", b"two")], tmp_path)
    assert place.stat().st_mode & 0o777 == 0o640
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from dconv.build.output import SiteError, write_files\n"
        "try:\n    write_files([('known.toml', b'three')], Path(sys.argv[1]))\n"
        "except SiteError as error:\n    print(error)\n"
    )
    place.chmod(0o440)
    completed = subprocess.run(
        [*unprivileged(), sys.executable, "-c", script, str(tmp_path)],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True,
    )
    assert f"no permission to write {place}: make it writable" in completed.stdout
    assert place.read_bytes() == b"two"


@pytest.mark.skipif(sys.platform != "linux", reason="there are no such attributes here")
def test_the_folder_keeps_its_attributes(tmp_path: Path) -> None:
    public = tmp_path / "public"
    write_site(OLD, public)
    try:
        os.setxattr(public, "user.note", b"shown by a web server")
    except OSError:
        pytest.skip("this file system keeps no attributes")
    write_site([("index.html", b"new")], public)
    assert os.getxattr(public, "user.note") == b"shown by a web server"


# --- commands that write single files ---------------------------------------------------


def test_a_baseline_does_not_replace_a_text(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text(TEXT.format(word="wick"))
    (tmp_path / "two.txt").write_text(TEXT.format(word="handle"))
    state = files(tmp_path)
    completed = dconv(["check", "--write-baseline", "one.txt", "two.txt"], cwd=tmp_path)
    assert completed.returncode == 2
    assert "one.txt is not a baseline; name another file" in completed.stderr
    assert files(tmp_path) == state
    (tmp_path / "elsewhere.toml").touch()
    (tmp_path / "known.toml").symlink_to("elsewhere.toml")
    completed = dconv(["check", "two.txt", "--write-baseline", "known.toml"], cwd=tmp_path)
    assert (completed.returncode, completed.stderr) == (0, "")
    assert (tmp_path / "known.toml").is_symlink()
    assert "known.toml" not in (tmp_path / "elsewhere.toml").read_text()
    assert (tmp_path / "elsewhere.toml").stat().st_size > 0


@pytest.mark.parametrize(
    "words",
    [
        ["export", "--format", "rst", "guide.rst", "-o", "."],
        ["diff", "guide.rst", "other.rst", "-o", "guide.rst"],
        ["diff", "guide.rst", ".", "-o", "other.rst"],
    ],
)
def test_a_text_that_is_read_is_not_overwritten(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "guide.rst").write_text(TEXT.format(word="wick"))
    (tmp_path / "other.txt").write_text(TEXT.format(word="handle"))
    (tmp_path / "other.rst").symlink_to("other.txt")
    state = files(tmp_path)
    completed = dconv(words, cwd=tmp_path)
    assert completed.returncode == 2
    assert "this is an input, and would be overwritten; name another file" in completed.stderr
    assert files(tmp_path) == state
