"""The texts of a site: several sources at the same time, shelves, and what replaces a source."""

from __future__ import annotations

import os
import re
import shutil
import time
from pathlib import Path

import pytest
from debian_packages import apt_get, member, package

from dconv.build.collect_site import FetchedRelease, fetch_releases
from dconv.cli import main
from dconv.cli.missing_releases import sentences
from dconv.settings.manual import load_products
from dconv.settings.site import load_site
from dconv.sources import fetch, host
from dconv.sources.types import FetchedTexts

README = b"Kettle\n======\n\nBoil water.\n"
SITE = """
[site]
title = "Kitchen"

[[shelf]]
title = "Water"
packages = ["kettle", "pot", "cup"]

[[shelf]]
title = "More"
folder = "spoons"
"""
POT = """
[product]
name = "pot"
title = "The pot"

[[source]]
path = "texts"

[dialect]
priority = ["tool"]
[[dialect.entry]]
kind = "tool"
title = '^Tools'
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a site of two shelves, and an apt-get of ours that offers kettle and pot."""
    if not shutil.which("dpkg-deb"):
        pytest.skip("there is no dpkg-deb")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("programs", "archives", "spoons", "manuals/pot/texts", "root/var/lib/dpkg/info"):
        Path(name).mkdir(parents=True)
    monkeypatch.setenv("PATH", f"{tmp_path / 'programs'}:{os.environ['PATH']}")
    for file in ("kettle_1.2-1_all.deb", "pot_2.0-1_all.deb"):
        name = file.partition("_")[0]
        package(Path("archives"), [(member(f"./usr/share/doc/{name}/README"), README)], file)
    apt_get(tmp_path / "programs", tmp_path / "archives")
    Path("site.toml").write_text(SITE)
    Path("spoons/spoon.txt").write_bytes(README)
    Path("manuals/pot/manual.toml").write_text(POT)
    Path("manuals/pot/texts/pot.txt").write_bytes(README)
    doc = tmp_path / "root/usr/share/doc/kettle"
    doc.mkdir(parents=True)
    (doc / "README").write_bytes(README)
    dpkg = tmp_path / "root/var/lib/dpkg"
    (dpkg / "status").write_text(
        "Package: kettle\nStatus: install ok installed\nVersion: 1.1-1\n"
    )
    (dpkg / "info/kettle.list").write_text("/usr/share/doc/kettle/README\n")
    return tmp_path


def fetched(folder: Path, *, offline: bool = False, refresh: bool = False) -> list[FetchedRelease]:
    site = load_site(folder / "site.toml", load_products([folder / "manuals"]))
    steps: list[str] = []
    releases = fetch_releases(
        site, folder / "cache", offline=offline, refresh=refresh, on_progress=steps.append,
        root=folder / "root",
    )
    assert all(re.fullmatch(r"[1-4] of 4: [a-z0-9., ]+", step) for step in steps)
    return list(releases)


def test_packages_of_a_shelf(folder: Path) -> None:
    kettle, pot, cup, spoons = fetched(folder)
    for release in (kettle, pot, spoons):
        assert release.texts is not None
        assert release.texts.is_shelf
        assert release.problems == ()
    assert [release.name for release in (kettle, pot, cup, spoons)] == [
        "kettle 1.2", "The pot 2.0", "cup", "spoons current",
    ]
    assert [release.texts.group for release in (kettle, pot, spoons) if release.texts] == [
        "Water", "Water", "More",
    ]
    assert kettle.texts is not None
    assert pot.texts is not None
    assert kettle.texts.texts[0].path == "kettle/1.2/README"
    assert kettle.texts.texts[0].product.title == ""
    assert pot.texts.texts[0].product.dialect.priority == ("tool",)  # as its manual.toml says
    assert cup.is_missing
    assert list(sentences([kettle, pot, cup, spoons])) == [
        "apt-get knows no such package; 'apt-get update' may help: cup not available"
    ]


def test_a_package_is_replaced_by_its_product_or_by_what_is_installed(folder: Path) -> None:
    Path("programs/down").touch()
    releases = fetched(folder)
    kettle, pot, cup, _ = releases
    assert (kettle.name, kettle.substitute) == ("kettle 1.1", "this machine")
    assert (pot.name, pot.substitute) == ("The pot current", str(folder / "manuals/pot/texts"))
    assert cup.is_missing
    assert list(sentences(releases)) == [
        "no answer from deb.example: kettle 1.1 taken from this machine;"
        f" The pot current taken from {folder}/manuals/pot/texts",
        "apt-get knows no such package; 'apt-get update' may help: cup not available",
    ]
    Path("programs/down").unlink()
    fetched(folder)
    Path("programs/down").touch()
    assert next(sentences(fetched(folder, refresh=True))) == (
        "no answer from deb.example: kettle 1.2, The pot 2.0 taken from the cache"
    )
    assert not list(sentences(fetched(folder, offline=True)[:2]))


def test_offline_is_one_line_for_all_packages(folder: Path) -> None:
    assert list(sentences(fetched(folder, offline=True))) == [
        "not in the cache, and --offline forbids fetching: kettle 1.1 taken from this machine;"
        f" The pot current taken from {folder}/manuals/pot/texts; cup not available"
    ]


def test_a_host_that_is_down_is_named(folder: Path) -> None:
    Path("site.toml").write_text(SITE.replace('folder = "spoons"', (
        'repository = "git://127.0.0.1:1/spoons.git"\nrevision = "v6.1"\nfiles = ["spoon.txt"]'
    )))
    spoons = fetched(folder)[-1]
    assert spoons.is_unreachable
    assert list(sentences([spoons])) == [
        "no answer from 127.0.0.1: spoons 6.1 not available"
    ]


def test_hosts_that_are_down_are_named_in_one_line(folder: Path) -> None:
    Path("programs/down").touch()
    Path("site.toml").write_text(SITE.replace('folder = "spoons"', (
        'repository = "git://127.0.0.1:1/spoons.git"\nrevision = "v6.1"\nfiles = ["spoon.txt"]'
    )) + (
        '[[product]]\nname = "tea"\n[[product.release]]\nversion = "3.1"\n'
        'source = { url = "http://127.0.0.1:1/tea.txt" }\n'
    ))
    tea = folder / "manuals/tea/manual.toml"
    tea.parent.mkdir()
    tea.write_text(
        '[product]\nname = "tea"\ntitle = "Tea"\n'
        '[[document]]\nname = "tea"\nfile = "tea.txt"\ntitle = "Tea"\n'
    )
    site = load_site(folder / "site.toml", load_products([folder / "manuals"]))
    releases = fetch_releases(
        site, folder / "cache", offline=False, refresh=False, on_progress=lambda step: None,
        root=folder / "root",
    )
    down, unknown = sentences(releases)
    assert down == (
        "no answer from 127.0.0.1, deb.example: kettle 1.1 taken from this machine;"
        f" The pot current taken from {folder}/manuals/pot/texts;"
        " spoons 6.1, Tea 3.1 not available"
    )
    assert unknown.endswith("cup not available")


def test_a_package_takes_the_place_of_a_repository(folder: Path) -> None:
    package(Path("archives"), [
        (member("./usr/share/doc/spoons-doc/guide/spoon.txt"), README),
    ], "spoons-doc_6.1.9-1_all.deb")  # fmt: skip
    Path("site.toml").write_text(SITE.replace('folder = "spoons"', (
        'repository = "git://127.0.0.1:1/spoons.git"\nrevision = "v6.1"\n'
        'files = ["guide/spoon.txt"]\npackage = "spoons-doc"'
    )))
    spoons = fetched(folder)[-1]
    assert spoons.texts is not None
    assert (spoons.name, spoons.problems) == ("spoons 6.1", ())
    assert spoons.texts.texts[0].path == "spoons/6.1/guide/spoon.txt"
    assert list(sentences([spoons])) == [
        "no answer from 127.0.0.1: spoons 6.1 taken from Debian package spoons-doc 6.1.9-1"
    ]


def test_packages_that_are_installed(folder: Path) -> None:
    Path("site.toml").write_text(SITE.replace(
        'packages = ["kettle", "pot", "cup"]', 'host = true\nsections = ["1"]'
    ).replace('folder = "spoons"', 'host = true\nsections = ["8"]'))
    info = folder / "root/var/lib/dpkg/info/kettle.list"
    for section in ("1", "8"):
        page = folder / f"root/usr/share/man/man{section}/kettle.{section}"
        page.parent.mkdir(parents=True)
        page.write_bytes(b".TH KETTLE 8\n.SH NAME\nkettle \\- boil\n")
        info.write_text(f"{info.read_text()}/usr/share/man/man{section}/kettle.{section}\n")
    site = load_site(folder / "site.toml", ())
    first, second = fetch_releases(
        site, folder / "cache", offline=True, refresh=False, on_progress=lambda step: None,
        root=folder / "root",
    )
    assert first.texts is not None
    assert [text.document.name for text in first.texts.texts] == ["kettle.1"]
    assert second.duplicate_note == "kettle 1.1 is 1.1, which the site already has"


def test_a_build_prints_one_line_and_goes_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(host, "ROOT", folder / "root")
    Path("programs/down").touch()
    Path("site.toml").write_text(SITE.replace('"kettle", "pot", "cup"', '"pot"'))
    words = ["--site", "site.toml", "--manuals", "manuals"]
    assert main(["build", *words]) == 0
    assert capsys.readouterr().err.startswith(
        "dconv: no answer from deb.example: The pot current taken from manuals/pot/texts\n"
    )
    assert Path("public/index.html").is_file()


def test_a_package_on_the_site_is_not_dropped(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(host, "ROOT", folder / "none")
    Path("site.toml").write_text(SITE.replace(', "pot", "cup"', ""))
    build = ["build", "--site", "site.toml", "--partial"]
    assert main(build) == 0
    shutil.rmtree("cache")
    Path("programs/down").touch()
    before = Path("public/index.html").read_text()
    capsys.readouterr()
    assert main(build) == 2
    assert capsys.readouterr().err == (
        "dconv: no answer from deb.example: kettle not available\n"
        "dconv: public shows kettle 1.2 and is unchanged: build again when this release is"
        " available, or take it out of site.toml\n"
    )
    assert Path("public/index.html").read_text() == before
    Path("site.toml").write_text(SITE.replace('"kettle", "pot", "cup"', '"cup"'))
    assert main(build) == 0
    assert not Path("public/kettle").exists()


def test_packages_without_a_site(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--package", "kettle", "--package", "pot=2.0-1"]
    assert main(["convert", *words, "-o", "public"]) == 0
    assert "kettle, pot" in Path("public/index.html").read_text()
    assert Path("public/kettle/README.html").is_file()
    assert main(["convert", "--package", "cup", "-o", "public"]) == 2
    assert capsys.readouterr().err == (
        "dconv: apt-get knows no such package; 'apt-get update' may help: cup not available\n"
        "dconv: no text is available, so no site was written\n"
    )


@pytest.mark.parametrize(("words", "message"), [
    (["--package", "-o"], "--package needs an argument"),
    (["--package", "Kettle", "-o", "public"],
     "--package 'Kettle' is not the name of a Debian package; write it as lvm2 or lvm2=2.03.16-2"),
    (["README", "--package", "kettle", "-o", "public"],
     "--package takes the place of README; name one of them"),
    (["--package", "kettle", "--release", "2", "-o", "public"],
     "--release is for texts; a package has its own"),
    (["-o", "public"], "name a text, a folder or --package; try 'dconv convert --help'"),
])  # fmt: skip
def test_misuse_of_packages(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", *words]) == 2
    assert capsys.readouterr().err.startswith(f"dconv: {message}")


def test_releases_are_fetched_together_and_stay_in_order(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("site.toml").write_text(
        '[site]\ntitle = "K"\n[[product]]\nname = "pot"\nreleases = ["3", "2", "1"]\n'
    )
    begun: list[str] = []
    real = fetch._fetch

    def slow(request: fetch.FetchRequest, network: object) -> FetchedTexts:
        begun.append(request.version)
        while len(begun) < 3:  # until all have begun
            time.sleep(0.01)
        time.sleep(int(request.version) / 100)
        return real(request, network)  # type: ignore[arg-type]

    monkeypatch.setattr(fetch, "_fetch", slow)
    site = load_site(folder / "site.toml", load_products([folder / "manuals"]))
    releases = fetch_releases(
        site, folder / "cache", offline=False, refresh=False, on_progress=lambda step: None
    )
    assert [release.name for release in releases] == ["The pot 3", "The pot 2", "The pot 1"]
    assert not any(release.texts.is_shelf for release in releases if release.texts)
