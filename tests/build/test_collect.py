"""What a build says about documents that releases do not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from dconv.cli import main

MANUAL = """
[product]
name = "kettle"
title = "Kettle"
[[document]]
file = "guide.txt"
title = "Guide"
[[document]]
file = "rules.txt"
title = "Rules"
[[document]]
file = "rulse.txt"
title = "More rules"
[[source]]
path = "texts/{version}"
[[source]]
path = "copies/{version}"
"""
SITE = """
[site]
title = "Kettles"
[[product]]
name = "kettle"
releases = ["1.1", "1.0"]
"""
TEXT = "1. Start\n--------\n\nFill the kettle with water.\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for path, text in {
        "site.toml": SITE,
        "manuals/kettle/manual.toml": MANUAL,
        "manuals/kettle/texts/1.0/guide.txt": TEXT,
        "manuals/kettle/texts/1.1/guide.txt": TEXT,
        "manuals/kettle/texts/1.1/rules.txt": TEXT,
    }.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")
    return tmp_path / "manuals" / "kettle"


def build(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The problems that a build prints."""
    assert main(["build", "--site", "site.toml", "--manuals", "manuals"]) == 0
    return [line for line in capsys.readouterr().err.splitlines() if line.startswith("dconv: ")]


def test_a_document_of_no_release_is_reported_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(capsys) == [
        "dconv: no release of Kettle has rulse.txt; check the file names and sources in "
        "manuals/kettle/manual.toml",
        "dconv: Kettle 1.0: there is no rules.txt in manuals/kettle/texts/1.0",
    ]


def test_a_listed_document_that_has_another_name_in_all_releases_stops_the_build(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "texts" / "1.0" / "rulings.txt").write_text(TEXT, encoding="utf-8")
    assert main(["build", "--site", "site.toml", "--manuals", "manuals"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "dconv: manuals/kettle/manual.toml:12: [[document]] 'rulse.txt' is in no release of Kettle;"
        " did you mean 'rulings.txt'?"
    )
    assert not Path("public").exists()


def test_a_source_of_one_file_gives_no_other_document(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manual = MANUAL.replace('"texts/{version}"', '"texts/{version}/guide.txt"')
    (folder / "manual.toml").write_text(manual, encoding="utf-8")
    assert build(capsys) == [
        "dconv: no release of Kettle has rules.txt, rulse.txt; check the file names and sources "
        "in manuals/kettle/manual.toml",
    ]


def test_an_empty_document_is_reported_with_the_source_used_instead(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "copies" / "1.1").mkdir(parents=True)
    (folder / "copies" / "1.1" / "guide.txt").write_text(TEXT, encoding="utf-8")
    (folder / "texts" / "1.1" / "guide.txt").write_bytes(b"")
    assert build(capsys)[0] == (
        "dconv: manuals/kettle/texts/1.1: guide.txt is an empty text; "
        "using manuals/kettle/copies/1.1"
    )
