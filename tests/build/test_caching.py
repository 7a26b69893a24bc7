"""The build cache saves time and never changes a byte of a site, whatever happens to it."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dconv.build import results
from dconv.build.fingerprint import fingerprint
from dconv.build.read import ReleaseIndex
from dconv.build.render import ReleaseFiles, release_files
from dconv.build.results import ResultStore
from dconv.cli import build, main
from dconv.writers.pages.page import Release

VERSIONS = ("1.0", "1.2", "2.0", "2.1")
DOCUMENTS = ("lamp", "bulb")


@dataclass
class SiteFolder:
    """A site on a disk: its settings, texts, theme and cache, all of which may change."""

    folder: Path
    versions: list[str] = field(default_factory=lambda: ["1.0", "2.0"])
    title: str = "Tools"
    url: str = ""
    date: str = ""
    theme: str = "default"
    product: str = "Tools"
    changes: bool = True
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for version in VERSIONS:
            for name in DOCUMENTS:
                self.text(version, name).parent.mkdir(exist_ok=True)
                self.text(version, name).write_text(
                    f"1. Keywords\n-----------\n\nturn on\n  Turn the {name} on.\n\n"
                    f"turn off\n  Turn it off, see section 1.\n"
                )
        (self.folder / "own" / "static").mkdir(parents=True)
        (self.folder / "own" / "theme.toml").write_text("")
        self.write()

    @property
    def cache(self) -> Path:
        return self.folder / "cache" / "dconv" / "results"

    def text(self, version: str, name: str) -> Path:
        return self.folder / version / f"{name}.txt"

    def write(self) -> None:
        """Write the settings."""
        (self.folder / "manuals").mkdir(exist_ok=True)
        documents = "".join(
            f'[[document]]\nname = "{name}"\nfile = "{name}.txt"\ntitle = "The {name}"\n'
            for name in DOCUMENTS
        )
        (self.folder / "manuals" / "manual.toml").write_text(
            f'[product]\nname = "tools"\ntitle = "{self.product}"\nrecognize = []\n{documents}'
            '[dialect]\n[[dialect.entry]]\nkind = "keyword"\ntitle = "^Keywords"\n'
        )
        releases = "".join(
            f'[[product.release]]\nversion = "{version}"\nsource = {{ path = "{version}" }}\n'
            for version in self.versions
        )
        for output in ("public", "clean"):
            date = f'date = "{self.date}"\n' if self.date else ""
            changes = f"changes = {str(self.changes).lower()}\n"
            (self.folder / f"{output}.toml").write_text(
                f'[site]\ntitle = "{self.title}"\nurl = "{self.url}"\ntheme = "{self.theme}"\n'
                f'output = "{output}"\n{date}{changes}'
                f'[[product]]\nname = "tools"\nreleases = []\n{releases}'
            )

    def build(self, output: str, *options: str) -> tuple[dict[str, bytes], str, str]:
        """The files of the built site, and what was printed on both streams."""
        site = str(self.folder / f"{output}.toml")
        words = ["build", "--verbose", "--site", site]
        words += ["--manuals", str(self.folder / "manuals"), *options]
        cache = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        out, err = io.StringIO(), io.StringIO()
        environment = patch.dict(os.environ, {**cache, **self.environment})
        with environment, redirect_stdout(out), redirect_stderr(err):
            assert main(words) == 0, err.getvalue()
        public = self.folder / output
        files = {
            path.relative_to(public).as_posix(): path.read_bytes()
            for path in public.rglob("*") if path.is_file()
        }
        return files, out.getvalue(), err.getvalue().rstrip("\n")

    def results(self) -> list[Path]:
        return sorted(self.cache.glob("*")) if self.cache.is_dir() else []


@pytest.fixture
def site_folder(tmp_path: Path) -> SiteFolder:
    return SiteFolder(tmp_path)


# --- what may happen between two builds -------------------------------------------------


def _edit(site_folder: SiteFolder, number: int) -> None:
    path = site_folder.text(VERSIONS[number % 4], DOCUMENTS[number // 4 % 2])
    path.write_text(path.read_text() + f"\nMore of it: {number}.\n")


def _name(site_folder: SiteFolder, number: int) -> None:
    path = site_folder.text(VERSIONS[number % 4], DOCUMENTS[number // 4 % 2])
    path.write_text(path.read_text() + f"\nturn {number}\n  Turn it {number} times.\n")


def _section(site_folder: SiteFolder, number: int) -> None:
    path = site_folder.text(VERSIONS[number % 4], DOCUMENTS[number // 4 % 2])
    path.write_text(path.read_text() + f"\n2. New\n------\n\nSee section {number}.\n")


def _date(site_folder: SiteFolder, number: int) -> None:
    path = site_folder.text(VERSIONS[number % 4], "lamp")
    head = f"Tools\nLamp\nversion 2.0\n2026/01/{number % 28 + 1:02}\n\n"
    path.write_text(head + path.read_text())


def _release(site_folder: SiteFolder, number: int) -> None:
    version = VERSIONS[number % 4]
    if version not in site_folder.versions:
        site_folder.versions.append(version)
    elif len(site_folder.versions) > 1:
        site_folder.versions.remove(version)


def _settings(site_folder: SiteFolder, number: int) -> None:
    site_folder.title = f"Tools {number % 3}"
    site_folder.url = ("", "https://docs.example.org/", "https://docs.example.org/a/")[number % 3]
    site_folder.date = ("", "2026-11-22")[number % 2]
    site_folder.changes = number % 4 < 2


def _product(site_folder: SiteFolder, number: int) -> None:
    site_folder.product = f"Tools{number % 3}"


def _epoch(site_folder: SiteFolder, number: int) -> None:
    site_folder.environment["SOURCE_DATE_EPOCH"] = str(number * 10_000_000)


def _theme(site_folder: SiteFolder, number: int) -> None:
    site_folder.theme = ("default", "./own")[number % 2]
    (site_folder.folder / "own" / "static" / "print.css").write_text(f"p {{ order: {number % 3} }}")


def _delete_cache(site_folder: SiteFolder, number: int) -> None:
    shutil.rmtree(site_folder.folder / "cache", ignore_errors=True)


def _damage_cache(site_folder: SiteFolder, number: int) -> None:
    for path in site_folder.results()[number % 3 :: 2]:
        if path.is_dir():
            continue
        content = bytearray(path.read_bytes())
        match number % 4:
            case 0:
                del content[number * 7 % (len(content) + 1) :]
            case 1:
                content[number * 31 % len(content) or 0] ^= 1
            case 2:
                content = bytearray(b"dconv result 1\n0\n[]")
            case _:
                path.unlink()
                path.mkdir()
                continue
        path.write_bytes(content)


def _swap_cache(site_folder: SiteFolder, number: int) -> None:
    """One result in the place of another, whole by itself."""
    paths = [path for path in site_folder.results() if path.is_file()]
    if len(paths) > 1:
        shutil.copy(paths[1 + number % (len(paths) - 1)], paths[0])


def _damage_site(site_folder: SiteFolder, number: int) -> None:
    public = site_folder.folder / "public"
    paths = sorted(path for path in public.rglob("*.html") if path.is_file())
    if paths:
        path = paths[number % len(paths)]
        if number % 2:
            path.write_text("edited")
        else:
            path.unlink()


CHANGES: tuple[Callable[[SiteFolder, int], None], ...] = (
    _edit, _name, _section, _date, _release, _settings, _product, _epoch, _theme,
    _delete_cache, _damage_cache, _swap_cache, _damage_site,
)


@pytest.mark.slow
@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(st.sampled_from(CHANGES), st.integers(0, 99)), min_size=1, max_size=4
    )
)
def test_after_any_changes_the_site_is_that_of_a_clean_build(
    changes: list[tuple[Callable[[SiteFolder, int], None], int]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        site_folder = SiteFolder(Path(folder))
        site_folder.build("public")
        for change, number in changes:
            change(site_folder, number)
            site_folder.write()
            files, _, messages = site_folder.build("public")
            clean, _, expected = site_folder.build("clean", "--no-cache")
            assert files == clean
            assert messages == expected


@pytest.mark.parametrize("change", CHANGES)
def test_after_one_change_the_site_is_that_of_a_clean_build(
    site_folder: SiteFolder, change: Callable[[SiteFolder, int], None]
) -> None:
    site_folder.build("public")
    change(site_folder, 1)
    site_folder.write()
    files, _, messages = site_folder.build("public")
    clean, _, expected = site_folder.build("clean", "--no-cache")
    assert files == clean
    assert messages == expected


# --- what it saves ----------------------------------------------------------------------


def _rendered_releases(site_folder: SiteFolder) -> list[str]:
    """The releases that a build makes, in order."""
    rendered: list[str] = []

    def noting(release: Release, *arguments: Any) -> ReleaseFiles:
        rendered.append(release.version)
        return release_files(release, *arguments)

    with patch("dconv.build.render.release_files", noting):
        site_folder.build("public")
    return rendered


def test_a_page_of_changes_depends_on_the_older_release(site_folder: SiteFolder) -> None:
    site_folder.build("public")
    _edit(site_folder, 0)
    assert sorted(_rendered_releases(site_folder)) == ["1.0", "2.0"]
    _edit(site_folder, 2)
    assert _rendered_releases(site_folder) == ["2.0"]


def test_only_what_depends_on_a_change_is_built(site_folder: SiteFolder) -> None:
    site_folder.changes = False
    site_folder.write()
    assert _rendered_releases(site_folder) == ["2.0", "1.0"]
    assert _rendered_releases(site_folder) == []
    _edit(site_folder, 0)
    assert _rendered_releases(site_folder) == ["1.0"]
    _name(site_folder, 0)  # a name that other releases may point to
    assert sorted(_rendered_releases(site_folder)) == ["1.0", "2.0"]
    (site_folder.folder / "public" / "tools" / "2.0" / "index.html").unlink()
    assert _rendered_releases(site_folder) == ["2.0"]
    site_folder.title = "Other tools"
    site_folder.write()
    assert sorted(_rendered_releases(site_folder)) == ["1.0", "2.0"]
    shutil.rmtree(site_folder.cache)
    assert sorted(_rendered_releases(site_folder)) == ["1.0", "2.0"]


def test_one_changed_release_is_rendered_by_several_processes(
    site_folder: SiteFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    site_folder.build("public")
    _edit(site_folder, 2)
    enabled: list[bool] = []

    def note(function: Callable[[], Any], in_parallel: bool) -> Callable[[], Any]:
        enabled.append(in_parallel)
        return function  # another process would note nothing here

    monkeypatch.setattr("dconv.build.schedule.MIN_PARALLEL_SIZE", 0)
    with monkeypatch.context() as noted:
        noted.setattr("dconv.build.schedule.in_background", note)
        noted.setattr("dconv.build.render.in_background", note)
        site_folder.build("public", "--jobs", "2")
    assert enabled == [True, True, True]
    _edit(site_folder, 2)
    files, _, _ = site_folder.build("public", "--jobs", "2")
    assert files == site_folder.build("clean", "--no-cache", "--jobs", "1")[0]


def test_an_up_to_date_site_replays_its_messages(site_folder: SiteFolder) -> None:
    _section(site_folder, 0)  # with a reference that goes nowhere
    _, out, err = site_folder.build("public")
    _, replayed, replayed_err = site_folder.build("public")
    assert "there is no section 0" in err
    assert replayed_err == err
    assert replayed.splitlines()[:-1] == out.splitlines()[:-1]
    assert " files, 0 changed) in " in replayed.splitlines()[-1]


def test_a_strict_build_refuses_cached_warnings(site_folder: SiteFolder) -> None:
    _section(site_folder, 0)
    site_folder.build("public")
    with pytest.raises(AssertionError, match="--strict: 1 warning"):
        site_folder.build("public", "--strict")


def test_no_cache_writes_no_cache(site_folder: SiteFolder) -> None:
    site_folder.build("public", "--no-cache")
    assert not site_folder.cache.exists()


def test_an_up_to_date_site_imports_little(site_folder: SiteFolder) -> None:
    code = (
        "import sys; from dconv.cli import main; main(sys.argv[1:]); "
        "print(*sorted({'dconv.build.schedule', 'jinja2', 'pygments', 'lunr', "
        "'multiprocessing', 'ctypes', 'dconv.readers.text', 'dconv.linking', "
        "'dconv.model.tree', 'markupsafe'} & {*sys.modules}))"
    )
    words = ["--site", str(site_folder.folder / "public.toml")]
    words += ["--manuals", str(site_folder.folder / "manuals")]
    environment = {**os.environ, "XDG_CACHE_HOME": str(site_folder.folder / "cache")}
    for is_first in (True, False):
        lines = subprocess.run(
            [sys.executable, "-c", code, "build", *words], env=environment, check=True,
            capture_output=True, text=True,
        ).stdout.splitlines()
        assert ("dconv.build.schedule" in lines[-1]) if is_first else not lines[-1]


def test_a_build_works_without_a_writable_cache(site_folder: SiteFolder) -> None:
    (site_folder.folder / "cache").write_text("a file where a folder should be")
    files, _, _ = site_folder.build("public")
    assert site_folder.build("public")[0] == files


def test_a_build_works_when_the_disk_of_the_cache_is_full(site_folder: SiteFolder) -> None:
    with patch("os.replace", side_effect=OSError(28, "No space left on device")):
        files, _, _ = site_folder.build("public")
    assert site_folder.results() == []
    assert site_folder.build("public")[0] == files


# --- parts ------------------------------------------------------------------------------


def test_the_least_recently_used_results_are_deleted(tmp_path: Path) -> None:
    cache = ResultStore(tmp_path)
    for number in range(10):
        cache.store(str(number), "x" * 300)
        os.utime(tmp_path / f"{number}.result", ns=(0, number))
    size = (tmp_path / "9.result").stat().st_size
    with patch.object(results, "MAX_SIZE", 2 * size + 1):
        cache.limit_size()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["8.result", "9.result"]


@pytest.mark.parametrize(
    "content",
    [b"", b"\n", b"dconv result 3\n", b"dconv result 3\nx\nnull", b"\x80\x04\x95", b"[" * 100_000],
)
def test_a_damaged_result_is_not_loaded(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.result").write_bytes(content)
    assert ResultStore(tmp_path).load("a", str) is None


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\x80\x05(", b"}]K\x01s.", b"\x80\x99.", b"\x8c\x01\xff.",
        b"cdconv.build.results\nGone\n.", b"cdconv.gone\nGone\n.",
        b"cdconv.build.results\nResultStore\n)R.", b"\x8e" + 7 * b"\xff" + b"\x3f.",
    ],
)
def test_a_result_of_another_program_is_not_loaded(tmp_path: Path, content: bytes) -> None:
    with patch("pickle.dumps", return_value=content):
        ResultStore(tmp_path).store("a", "x")
    assert ResultStore(tmp_path).load("a", str) is None


def test_only_our_dataclasses_are_loaded(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    index = ReleaseIndex({}, "2026-11-22")
    store.store("a", index)
    assert store.load("a", ReleaseIndex) == index
    assert store.load("a", str) is None
    for other in (os.system, Path("a"), store.load, ResultStore):
        store.store("a", ReleaseIndex({}, other))  # type: ignore[arg-type]
        assert (store.load("a", ReleaseIndex) is None) == (other is not ResultStore)


def test_different_values_have_different_fingerprints() -> None:
    values: list[object] = [
        None, "", b"", (), ((),), ("", ""), ("a", "b"), ("ab", ""), ("ab",), 1, "1", True, {},
        {"a": "b"}, frozenset({"a"}), Path("a"), "a", ReleaseIndex({}, ""), ReleaseIndex({}, "a"),
    ]
    assert len({fingerprint(value) for value in values}) == len(values)
    assert fingerprint(frozenset("abc")) == fingerprint(frozenset("cba"))
    with pytest.raises(TypeError):
        fingerprint(build)


# --- what changes while a build runs, and what others leave in the site -------------------


def test_a_theme_saved_during_a_build_is_not_cached(site_folder: SiteFolder) -> None:
    site_folder.theme = "./own"
    site_folder.write()
    style = site_folder.folder / "own" / "static" / "print.css"
    style.write_text("p { order: 1 }")

    def saving(*arguments: Any) -> ReleaseFiles:
        style.write_text("p { order: 2 }")
        return release_files(*arguments)

    with patch("dconv.build.render.release_files", saving):
        site_folder.build("public")
    style.write_text("p { order: 1 }")
    assert site_folder.build("public")[0] == site_folder.build("clean", "--no-cache")[0]


def test_a_theme_removed_during_a_build(site_folder: SiteFolder) -> None:
    site_folder.theme = "./own"
    site_folder.write()

    def moving(*arguments: Any) -> ReleaseFiles:
        if (site_folder.folder / "own").exists():
            (site_folder.folder / "own").rename(site_folder.folder / "elsewhere")
        return release_files(*arguments)

    with patch("dconv.build.render.release_files", moving):
        site_folder.build("public")
    (site_folder.folder / "elsewhere").rename(site_folder.folder / "own")
    assert site_folder.build("public")[0] == site_folder.build("clean", "--no-cache")[0]


def test_a_symbolic_link_in_a_theme_changes_the_fingerprint(site_folder: SiteFolder) -> None:
    own = site_folder.folder / "own"
    for name in ("one", "other"):
        (own / name).mkdir()
        (own / name / "release.html.jinja2").write_text(
            '{% extends "default/release.html.jinja2" %}{% block after %}'
            f"<p>{name}</p>{{% endblock %}}"
        )
    site_folder.theme = "./own"
    site_folder.write()
    for name in ("one", "other"):
        (own / "templates").unlink(missing_ok=True)
        (own / "templates").symlink_to(name)
        assert f"<p>{name}</p>".encode() in site_folder.build("public")[0]["tools/1.0/index.html"]


@pytest.mark.parametrize("foreign", ["folder", "link"])
def test_a_file_added_to_the_site_is_noticed(site_folder: SiteFolder, foreign: str) -> None:
    site_folder.build("public")
    place = site_folder.folder / "public" / "mine"
    if foreign == "folder":
        place.mkdir()
    else:
        place.symlink_to("/tmp")
    with pytest.raises(AssertionError, match="holds files that dconv did not write"):
        site_folder.build("public")
