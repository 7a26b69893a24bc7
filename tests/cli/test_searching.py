"""`dconv search`: the shipped engine in node, and the lists of names without it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from shipped_search import ROOT

from dconv.build.schedule import build_site
from dconv.cli import main
from dconv.model.origin import Origin
from dconv.settings.manual import load_product
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.inventory import KEYWORDS, OBJECTS
from dconv.writers.pages.filenames import RELEASES
from dconv.writers.pages.page import SiteInfo
from dconv.writers.search import files
from dconv.writers.theme.theme import load


@pytest.fixture(scope="module")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built site of two releases; its list of releases is missing."""
    folder = tmp_path_factory.mktemp("site")
    text = folder / "relay.txt"
    text.write_bytes((ROOT / "tests" / "golden" / "everything.txt").read_bytes())
    options = ["--quiet", "--manuals", str(ROOT / "tests" / "spec"), "--dialect", "relay"]
    for version in ("2.1", "2.10"):
        assert main([
            "convert", str(text), "-o", str(folder / version), "--release", version, *options,
        ]) == 0
    (folder / "2.1" / "relay" / RELEASES).unlink()  # which lists one release only
    shutil.copytree(folder / "2.10" / "relay" / "2.10", folder / "2.1" / "relay" / "2.10")
    return folder / "2.1"


@pytest.fixture
def site(site_folder: Path, tmp_path: Path) -> Path:
    """A copy of the built site that a test may damage."""
    return Path(shutil.copytree(site_folder, tmp_path / "site"))


def test_the_command_finds(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["search", "limit", "rate", "--folder", str(site), "--limit", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "limit rate: directive, relay/2.10 manual 2.2"
    assert lines[-1].endswith("/relay/2.10/manual/2.2.html#limit-rate")
    assert main(["search", "hold", "--folder", str(site), "--release", "2.1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["query"] == "hold"
    assert answer["results"][0]["url"] == "relay/2.1/manual/2.2.html#hold"


def test_the_command_finds_nothing(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "qqqqqqqqqqqq", "--folder", str(site)]) == 1
    assert "nothing found for 'qqqqqqqqqqqq'" in capsys.readouterr().err


def test_the_command_finds_removed_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "tests" / "golden" / "everything.txt").read_text("utf-8")
    texts = {"2.1": text, "2.2": text.replace("limit rate", "limit speed")}
    for version, version_text in texts.items():
        (tmp_path / version).mkdir()
        (tmp_path / version / "relay.txt").write_text(version_text, "utf-8")
    (tmp_path / "site.toml").write_text(
        '[site]\ntitle = "Relays"\n[[product]]\nname = "relay"\nreleases = []\n' + "".join(
            f'[[product.release]]\nversion = "{version}"\nsource = {{ path = "{version}" }}\n'
            for version in ("2.1", "2.2")
        )
    )
    place = ["--manuals", str(ROOT / "tests" / "spec")]
    assert main(["--quiet", "build", "--site", str(tmp_path / "site.toml"), *place]) == 0
    command = ["search", "limit", "rate", "--folder", str(tmp_path / "public"), "--limit", "1"]
    capsys.readouterr()
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "limit rate: directive, not in relay/2.2, last in 2.1"
    assert lines[1].endswith("/public/relay/2.1/relay/2.2.html#limit-rate")
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["gone"] == [{
        "url": "relay/2.1/relay/2.2.html#limit-rate", "name": "limit rate",
        "kind": "directive", "product": "relay", "version": "2.1",
    }]


def test_a_development_release_is_searched_only_by_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    product = load_product(ROOT / "tests" / "spec")
    text = (ROOT / "tests" / "golden" / "everything.txt").read_bytes()
    source = SourceText(text, "a.txt", product, product.documents[0], Origin("here"))
    releases = [
        ReleaseTexts("relay", "Relay", version, "", (source,))
        for version in ("2.1", "2.0", "3.0-dev2")
    ]
    for path, content in build_site(
        releases, SiteInfo("Tests", "dconv"), load("default")
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    listed = json.loads((tmp_path / "relay" / RELEASES).read_text())
    assert listed["latest"] == "2.1"
    assert [release["version"] for release in listed["releases"]] == ["3.0-dev2", "2.1", "2.0"]
    assert listed["releases"][0]["status"] == "development"

    def searched(*more: str) -> str:
        assert main(["search", "hold", "--limit", "1", "--folder", str(tmp_path), *more]) == 0
        return capsys.readouterr().out.splitlines()[-1].rpartition("/relay/")[2]

    assert searched() == "2.1/manual/2.2.html#hold"
    assert searched("--release", "3.0-dev2") == "3.0-dev2/manual/2.2.html#hold"
    (tmp_path / "relay" / RELEASES).write_text("{ no list")
    assert searched().startswith("3.0-dev2/")


def test_the_command_shows_the_sentence(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    arguments = ["search", "letters", "kept", "in", "memory", "--folder", str(site), "--limit", "1"]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].strip().startswith("the letters are kept in memory, so that they are lost")
    (site / "relay" / "2.10" / files.PART.format(0)).write_text("{")
    assert main(arguments) == 2
    assert "damaged" in capsys.readouterr().err


@pytest.mark.parametrize("node", ["", "exit 3", "echo nothing"])
def test_names_are_found_without_node(
    node: str, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "bin").mkdir()
    if node:
        program = tmp_path / "bin" / "node"
        program.write_text(f"#!/bin/sh\n{node}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    def searched(*query: str) -> tuple[list[str], str]:
        capsys.readouterr()
        main(["search", *query, "--folder", str(site)])
        printed = capsys.readouterr()
        return [line for line in printed.out.splitlines() if line[0] != " "], printed.err

    lines, err = searched("Limit-Rate")
    assert lines[0] == "limit rate: directive, relay/2.10 manual 2.2"
    assert ("could not run the search" if node else "node was not found") in err
    assert "only names and titles were searched" in err
    assert searched("limit r")[0][0] == lines[0]
    assert [line.partition(":")[0] for line in searched("tidy")[0]] == ["option tidy"]
    assert searched("2.2")[0][0].startswith("2.2 ")
    assert searched("letters kept in memory")[0] == []
    assert "nothing found" in searched("letters kept in memory")[1]


@pytest.mark.parametrize(("more", "message"), [
    (["--folder", "nowhere"], "no such folder"),
    (["--folder", "."], "this site has no search"),
    (["--limit", "0"], "not a number of results"),
])
def test_misuse(
    more: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["search", "x", *more]) == 2
    assert message in capsys.readouterr().err


def test_a_damaged_list_of_names(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    for file, content in (
        (files.LINES_FILE, "{"), (OBJECTS, "nothing"), (f"manual/{KEYWORDS}", "[]")
    ):
        (site / "relay" / "2.10" / file).write_text(content)
        assert main(["search", "hold", "--folder", str(site)]) == 2
        assert "build the site again" in capsys.readouterr().err


def test_a_damaged_site(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "x", "--folder", str(site), "--release", "9"]) == 2
    assert "there is no" in capsys.readouterr().err
    file = site / "relay" / "2.1" / files.TEXT_FILE
    file.write_text("nothing")
    assert main(["search", "x", "--folder", str(site), "--release", "2.1"]) == 2
    assert "damaged" in capsys.readouterr().err
    file.unlink()
    assert main(["search", "x", "--folder", str(site), "--release", "2.1"]) == 2
    assert "no such file" in capsys.readouterr().err
