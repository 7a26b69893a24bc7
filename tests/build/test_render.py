"""The stages together: the files of a release, and the proof that is published with them."""

from __future__ import annotations

import json

import pytest

from dconv.build import render
from dconv.build.read import read_manual
from dconv.build.render import release_files
from dconv.model.diagnostics import Diagnostic
from dconv.proof.coverage import Proof, full_coverage
from dconv.settings.manual import default_product
from dconv.writers.pages.page import Release, ReleaseDocument, SiteInfo
from dconv.writers.theme.theme import load

SITE_INFO = SiteInfo("Tests", "dconv")
TEXT = b"""1. Lamps
--------

- a bulb
- a switch

  +-----+-----+
  | one | two |
  +-----+-----+
  | 1   | 2   |
  +-----+-----+
"""


def files(parallel: bool = False) -> dict[str, str]:
    """The pages of a release with the one document of `TEXT`, and its proof."""
    manual = read_manual(TEXT, "lamp.txt", default_product(), "lamp")
    document = ReleaseDocument(manual, "Lamp", proof=str(full_coverage(manual)))
    release = Release("tools", "Tools", "1.0", (document,))
    contents = release_files(release, SITE_INFO, load("default"), parallel=parallel)
    return {path: content.decode() for path, content in contents.files if path[-4:] != ".inv"}


@pytest.mark.parametrize("parallel", [False, True])
def test_the_home_says_how_many_lines_are_kept(
    monkeypatch: pytest.MonkeyPatch, parallel: bool
) -> None:
    """Pages claim that no line is lost, and are rendered again if the proof finds otherwise."""
    lost = Diagnostic("lamp.txt", 1, 1, "error", "lost-text", "line 1 is not shown")
    proof = Proof("lamp", "1.0", 11, (1,), (), (lost,))
    monkeypatch.setattr(render, "document_proofs", lambda *_: [proof])
    home = files(parallel)["tools/1.0/lamp/index.html"]
    assert "11 lines in, 10 accounted for" in home
    assert "11 lines in, 11 accounted for" not in home


def test_the_proof_is_published_beside_the_document() -> None:
    record = json.loads(files()["tools/1.0/lamp/proof.json"])
    assert record == {
        "document": "lamp",
        "version": "1.0",
        "sha256": "",
        "lines": {"total": 11, "accounted": 11},
        "decoration": {
            "border of a table": {"marks": 2, "lines": "8,10"},
            "bullet": {"marks": 2, "lines": "4-5"},
            "dot after a number": {"marks": 1, "lines": "1"},
            "table rule or repeated head": {"marks": 3, "lines": "7,9,11"},
            "underline": {"marks": 1, "lines": "2"},
        },
        "lost": "",
        "losses": [],
    }


def test_the_home_of_a_document_links_to_the_proof() -> None:
    contents = files()
    link = '<a href="proof.json">11 lines in, 11 accounted for</a>'
    assert [path for path, content in contents.items() if link in content] == [
        "tools/1.0/lamp/index.html"
    ]
