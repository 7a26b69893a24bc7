"""The manuals of packages: downloaded, installed on a machine of our own, from Python, from git."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from debian_packages import apt_get, member, package, program

from dconv.settings.types import PackageSource, PythonSource
from dconv.sources.fetch import fetch_packages, fetch_texts
from dconv.sources.host import read_host, read_installed
from dconv.sources.package_files import is_manual_file, upstream_version
from dconv.sources.programs import run
from dconv.sources.python import DOWNLOAD_ARCHIVE
from dconv.sources.threads import run_in_threads
from dconv.sources.types import FetchedTexts, SourceError, UnreachableError

PAGE = b".TH KETTLE 8\n.SH NAME\nkettle \\- boil\n"
MAN = "./usr/share/man"
DOC = "./usr/share/doc/kettle"
SECTIONS = ("1", "5", "8")


@pytest.mark.parametrize(("path", "is_wanted"), [
    ("/usr/share/man/man8/kettle.8.gz", True),
    ("/usr/share/man/man1/kettle.1ssl", True),
    ("/usr/share/man/man3/kettle.3.gz", False),
    ("/usr/share/man/de/man8/kettle.8.gz", False),
    ("/usr/share/doc/kettle/README", True),
    ("/usr/share/doc/kettle/README.Debian.gz", True),
    ("/usr/share/doc/kettle/HOWTO.rst.gz", True),
    ("/usr/share/doc/kettle/MANUAL.gz", True),
    ("/usr/share/doc/kettle/guide.md", True),
    ("/usr/share/doc/kettle/boiling.html", True),
    ("/usr/share/doc/kettle/tests-of-water.txt", False),
    ("/usr/share/doc/kettle/testament.txt", True),
    ("/usr/share/doc/kettle/README.source", False),
    ("/usr/share/doc/kettle/README.pdf", False),
    ("/usr/share/doc/kettle/changelog.Debian.gz", False),
    ("/usr/share/doc/kettle/changelog.html", False),
    ("/usr/share/doc/kettle/NEWS.md", False),
    ("/usr/share/doc/kettle/LICENSE.txt", False),
    ("/usr/share/doc/kettle/copyright", False),
    ("/usr/share/doc/kettle/TODO", False),
    ("/usr/share/doc/kettle/CONTRIBUTING.md", False),
    ("/usr/share/doc/kettle/kettle.py.gz", False),
    ("/usr/share/doc/kettle/examples/README", False),
    ("/usr/share/doc/pot/README", False),
    ("/etc/kettle.txt", False),
])  # fmt: skip
def test_what_is_a_manual_of_a_package(path: str, is_wanted: bool) -> None:
    assert is_manual_file(path, "kettle", SECTIONS, ()) is is_wanted


@pytest.mark.parametrize(("version", "upstream"), [
    ("4.2-5", "4.2"), ("1:9.2p1-2+deb12u3", "9.2p1"), ("2.6.12+dfsg-1+deb12u4", "2.6.12"),
    ("2.03.16-2", "2.03.16"), ("12.4+deb12u5", "12.4"), ("252.36-1~deb12u1", "252.36"),
    ("20210917-1", "20210917"), ("2.0-rc1-3", "2.0-rc1"),
])  # fmt: skip
def test_upstream_versions(version: str, upstream: str) -> None:
    assert upstream_version(version) == upstream


# --- downloaded -----------------------------------------------------------------------


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs with an apt-get of ours, which offers a kettle and a pot."""
    if not shutil.which("dpkg-deb"):
        pytest.skip("there is no dpkg-deb")
    folder, archives = tmp_path / "programs", tmp_path / "archives"
    folder.mkdir()
    archives.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    package(archives, [
        (member(f"{MAN}/man8/kettle.8.gz"), gzip.compress(PAGE)),
        (member(f"{MAN}/man8/boil.8.gz", tarfile.SYMTYPE, "kettle.8.gz"), b""),
        (member(f"{MAN}/man1/steam.1", tarfile.SYMTYPE, "../man8/boil.8.gz"), b""),
        (member(f"{MAN}/man8/outside.8", tarfile.SYMTYPE, "/etc/passwd"), b""),
        (member(f"{MAN}/man8/lid.8"), b".so man8/kettle.8\n"),
        (member(f"{MAN}/man3/kettle.3"), PAGE),
        (member(f"{MAN}/de/man8/kettle.8.gz"), gzip.compress(PAGE)),
        (member(f"{DOC}/README.md"), b"# Kettle\n"),
        (member(f"{DOC}/README.Debian"), b"Kettle for Debian\n"),
        (member(f"{DOC}/FAQ"), b" \n"),
        (member(f"{DOC}/copyright"), b"mine"),
    ])  # fmt: skip
    package(archives, [(member(f"{MAN}/man1/pot.1"), PAGE)], "pot_1%3a2.0+dfsg-1_all.deb")
    package(archives, [(member("./usr/bin/lid"), b"")], "lid_1-1_all.deb")
    apt_get(folder, archives)
    return folder


def texts_of(results: Mapping[PackageSource, FetchedTexts | SourceError]) -> list[FetchedTexts]:
    return [result for result in results.values() if isinstance(result, FetchedTexts)]


def test_packages_are_downloaded_together(programs: Path, tmp_path: Path) -> None:
    sources = [PackageSource("kettle", SECTIONS), PackageSource("pot", SECTIONS)]
    done: list[PackageSource] = []
    results = fetch_packages(sources, tmp_path / "cache", on_done=done.append)
    assert done == sources
    kettle, pot = texts_of(results)
    assert [(text.name, text.file, text.other_names) for text in kettle.documents] == [
        ("README.Debian", "README.Debian", ()), ("README", "README.md", ()),
        ("kettle.8", "kettle.8", ("boil.8", "steam.1", "lid.8")),
    ]
    assert (kettle.version, kettle.origin) == ("1.2.3", "Debian package kettle 1.2.3-4")
    assert kettle.description == "a package of tests"
    assert (pot.version, pot.date) == ("2.0", "2024-02-29")
    assert len((programs / "calls").read_text().splitlines()) == 2  # what there is, and downloads
    assert texts_of(fetch_packages(sources, tmp_path / "cache", offline=True)) == [kettle, pot]
    other = fetch_packages([PackageSource("kettle", ("3",))], tmp_path / "cache", offline=True)
    assert not texts_of(other)  # other sections are other texts


def test_each_version_of_a_package_has_its_own_run_of_apt(programs: Path, tmp_path: Path) -> None:
    sources = [PackageSource(name) for name in ("kettle", "pot", "kettle=1.2.3-4")]
    assert len(texts_of(fetch_packages(sources, tmp_path / "cache"))) == 3
    calls = (programs / "calls").read_text().splitlines()
    assert [call.partition("download ")[2] for call in calls] == [
        "--print-uris kettle pot", "kettle pot", "--print-uris kettle=1.2.3-4", "kettle=1.2.3-4",
    ]


def test_single_files_of_a_package(programs: Path, tmp_path: Path) -> None:
    chosen = PackageSource("kettle", files=("README.md", "copyright"))
    (kettle,) = texts_of(fetch_packages([chosen], tmp_path / "cache"))
    assert [text.file for text in kettle.documents] == ["README.md", "copyright"]
    missing = PackageSource("kettle", files=("README.md", "guide/lid.rst"))
    error = fetch_packages([missing], tmp_path / "cache")[missing]  # not in the cache as the other
    assert str(error) == "Debian package kettle: there is no guide/lid.rst"


def test_one_package_that_fails_is_no_matter_to_others(programs: Path, tmp_path: Path) -> None:
    sources = [PackageSource(name) for name in ("cup", "kettle", "lid", "pot=1.0-1")]
    results = fetch_packages(sources, tmp_path)
    assert [text.version for text in texts_of(results)] == ["1.2.3"]
    errors = [str(result) for result in results.values() if isinstance(result, SourceError)]
    assert errors == [
        "Debian package cup: apt-get knows no such package; 'apt-get update' may help",
        "Debian package lid 1-1: there is no text (no listed document, no *.txt, no other file"
        " with the name of a manual)",
        "Debian package pot=1.0-1: apt-get knows no such package; 'apt-get update' may help",
    ]


def test_without_a_network_the_host_is_named(programs: Path, tmp_path: Path) -> None:
    kettle = PackageSource("kettle")
    (programs / "down").touch()
    error = fetch_packages([kettle], tmp_path)[kettle]
    assert isinstance(error, UnreachableError)
    assert str(error) == "Debian package kettle: no answer from deb.example"
    assert error.hosts == ("deb.example",)
    (programs / "down").unlink()
    (fetched,) = texts_of(fetch_packages([kettle], tmp_path))
    (programs / "down").touch()
    (late,) = texts_of(fetch_packages([kettle], tmp_path, refresh=True))
    assert late.documents == fetched.documents
    assert late.outdated == str(error)


def test_without_apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    kettle = PackageSource("kettle")
    error = fetch_packages([kettle], tmp_path)[kettle]
    assert str(error) == "the program apt-get is not installed; install it"


# --- of this machine ------------------------------------------------------------------


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A system with three packages, of which one is removed, and with pages of its own."""
    root = tmp_path / "root"
    files = {
        "var/lib/dpkg/status": (
            "Package: kettle\nStatus: install ok installed\nArchitecture: all\nVersion: 1:1.2-3\n"
            "Depends: pot\nDescription: boils water\n and more\n\n"
            "Package: pot\nStatus: install ok installed\nSection: doc\nVersion: 2.0\n"
            "Description: a pot\n .\n Version: none\n\n"
            "Package: cup\nStatus: deinstall ok config-files\nVersion: 3\n"
        ),
        "var/lib/dpkg/info/kettle.list": (
            "/.\n/usr/share/man/man8/kettle.8.gz\n/usr/share/man/man8/gone.8\n"
            "/usr/share/man/man8/boil.8.gz\n/usr/share/doc/kettle/README\n"
        ),
        "var/lib/dpkg/info/pot:amd64.list": "/usr/share/man/man3/pot.3\n",
        "var/lib/dpkg/info/cup.list": "/usr/share/man/man1/cup.1\n",
        "usr/share/man/man3/pot.3": PAGE.decode(),
        "usr/share/man/man1/cup.1": PAGE.decode(),
        "usr/share/man/de/man8/kettle.8": PAGE.decode(),
        "usr/share/doc/kettle/README": "Boil it.\n",
        "usr/local/share/man/man1/mine.1": PAGE.decode(),
    }
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    folder = root / "usr/share/man/man8"
    folder.mkdir()
    (folder / "kettle.8.gz").write_bytes(gzip.compress(PAGE))
    (folder / "boil.8.gz").symlink_to("kettle.8.gz")
    (folder / "heat.8.gz").symlink_to("/etc/alternatives/heat.8.gz")
    (root / "etc/alternatives").mkdir(parents=True)
    (root / "etc/alternatives/heat.8.gz").symlink_to("/usr/share/man/man8/boil.8.gz")
    return root


def test_pages_of_a_machine_by_package(root: Path) -> None:
    found = {
        name: (texts.version, [(text.name, text.other_names) for text in texts.documents])
        for name, texts in read_host(SECTIONS, root)
    }
    assert found == {
        "kettle": ("1.2", [("kettle.8", ("boil.8", "heat.8"))]),
        "local": ("", [("cup.1", ()), ("mine.1", ())]),
    }
    assert [name for name, _ in read_host(("3",), root)] == ["pot"]


def test_an_installed_package_has_its_other_manuals_too(root: Path) -> None:
    (readme,) = read_installed(PackageSource("kettle", files=("README",)), root).documents
    assert readme.name == "README"
    texts = read_installed(PackageSource("kettle=1:1.2-3", SECTIONS), root)
    assert [text.name for text in texts.documents] == ["README", "kettle.8"]
    assert texts.origin == "package kettle 1:1.2-3 of this machine"
    assert texts.description == "boils water"
    for name, why in (
        ("cup", "it is not installed"), ("pot", "there is no text"),
        ("kettle=1:1.2-4", "kettle=1:1.2-4: it is not installed"),
    ):
        with pytest.raises(SourceError, match=why):
            read_installed(PackageSource(name, SECTIONS), root)


def test_a_machine_without_dpkg(tmp_path: Path) -> None:
    assert list(read_host(SECTIONS, tmp_path)) == []
    with pytest.raises(SourceError, match="it is not installed"):
        read_installed(PackageSource("kettle"), tmp_path)


# --- Python ---------------------------------------------------------------------------

METADATA = """Metadata-Version: 2.1
Name: kettle
Version: 1.2
Description-Content-Type: text/markdown; charset=UTF-8

# Kettle

Boil – water.
"""


def _pip(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> PythonSource:
    program(folder, "python", script)
    monkeypatch.setattr("sys.executable", str(folder / "python"))
    return PythonSource("kettle==1.2")


def test_the_readme_of_a_python_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = tmp_path / "kettle-1.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("kettle/__init__.py", "")
        archive.writestr("kettle-1.2.dist-info/METADATA", METADATA)
    source = _pip(tmp_path, monkeypatch, f"cp {wheel} .")
    fetched = fetch_texts(source, "", (), tmp_path / "cache")
    (readme,) = fetched.documents
    assert (readme.name, readme.file) == ("README", "README.md")
    assert readme.content.decode() == "# Kettle\n\nBoil – water.\n"
    assert (fetched.version, fetched.origin) == ("1.2", "Python package kettle 1.2")


def test_the_readme_of_a_python_package_without_a_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its source archive is read; nothing of it runs."""
    described = METADATA.replace("\nVersion", "\nSummary: boils\nVersion").encode()
    sdist = tmp_path / "kettle-1.2.tar.gz"
    with tarfile.open(sdist, "w:gz") as archive:
        for path, content in (
            ("kettle-1.2/setup.py", b"raise SystemExit('run')"),
            ("kettle-1.2/kettle.egg-info/PKG-INFO", b"Name: other\n\nOther.\n"),
            ("kettle-1.2/PKG-INFO", described),
        ):
            archive.addfile(*_tar_member(path, content))
    source = _pip(tmp_path, monkeypatch, (
        f'case "$*" in *download_archive.py*) cp {sdist} . ;;'
        " *) echo ERROR: No matching distribution found for kettle >&2; exit 1 ;; esac"
    ))
    fetched = fetch_texts(source, "", (), tmp_path / "cache")
    (readme,) = fetched.documents
    assert readme.content.decode() == "# Kettle\n\nBoil – water.\n"
    assert (fetched.version, fetched.description) == ("1.2", "boils")


def test_the_newest_source_archive_is_downloaded_as_pip_finds_it(tmp_path: Path) -> None:
    pytest.importorskip("pip")
    index, folder = tmp_path / "index", tmp_path / "folder"
    folder.mkdir()
    index.mkdir()
    for version in ("1.9", "1.10", "2.0rc1"):
        (index / f"kettle-{version}.tar.gz").write_text(version)
    for requirement, downloaded in (("kettle", "1.10"), ("kettle==1.9", "1.9"), ("pot", "")):
        command = [*DOWNLOAD_ARCHIVE, "--no-index", f"--find-links={index}", requirement]
        done = subprocess.run(
            [sys.executable, *command], cwd=folder, capture_output=True, text=True, check=False
        )
        assert [file.read_text() for file in folder.iterdir()] == [downloaded][: bool(downloaded)]
        assert ("No matching distribution found for pot" in done.stderr) is not bool(downloaded)
        for file in folder.iterdir():
            file.unlink()


def _tar_member(path: str, content: bytes) -> tuple[tarfile.TarInfo, io.BytesIO]:
    member = tarfile.TarInfo(path)
    member.size = len(content)
    return member, io.BytesIO(content)


@pytest.mark.parametrize(("script", "why"), [
    ("echo /usr/bin/python: No module named pip >&2; exit 1", "program pip is not installed"),
    ("echo ERROR: No matching distribution found. >&2; exit 1", "No matching distribution found"),
    ("exit 0", "pip downloads no package"),
    ('case "$*" in *archive.py*) echo x > kettle.tar.gz ;; esac;'
     " echo ERROR: No matching distribution >&2; exit 1", "its source archive is damaged"),
    ("echo rubbish > kettle.whl", "its wheel is damaged (File is not a zip file)"),
])  # fmt: skip
def test_python_packages_that_fail(
    script: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = _pip(tmp_path, monkeypatch, script)
    with pytest.raises(SourceError) as caught:
        fetch_texts(source, "", (), tmp_path / "cache")
    assert str(caught.value).startswith("Python package kettle==1.2: ")
    assert why in str(caught.value)


# --- threads --------------------------------------------------------------------------


def test_tasks_run_together_and_their_results_keep_their_order() -> None:
    barrier = threading.Barrier(3, timeout=10)  # which one task alone would not pass

    def task(number: int) -> int:
        barrier.wait()
        time.sleep((3 - number) / 100)
        return number * number

    seen: list[int] = []
    results = run_in_threads(
        {number: lambda number=number: task(number) for number in range(3)},  # type: ignore[misc]
        lambda done: seen.append(len(done)),
    )
    assert list(results.items()) == [(0, 0), (1, 1), (2, 4)]
    assert seen[0] == 0 and seen == sorted(seen)  # two may be done at once
    assert run_in_threads({}, lambda results: None) == {}


def test_where_one_task_fails_the_programs_of_the_others_end(tmp_path: Path) -> None:
    started = threading.Event()

    def wait() -> None:
        started.set()
        run(["sleep", "60"], tmp_path)

    def fail() -> None:
        started.wait(10)
        raise KeyboardInterrupt

    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        run_in_threads({"wait": wait, "fail": fail}, lambda results: None)
    assert time.monotonic() - begin < 10
