"""The stages together: the files of a release, and the proof that is published with them."""

from __future__ import annotations

import json

import pytest

from dconv.build import render
from dconv.build.read import claim, read_manual
from dconv.build.render import release_files
from dconv.model.diagnostics import Diagnostic
from dconv.proof.coverage import Proof
from dconv.settings import plain_product
from dconv.writers.pages import Edition, Published, Release
from dconv.writers.theme.theme import load

EDITION = Edition("Tests", "dconv")
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


def files() -> dict[str, str]:
    """The pages of a release with the one document of `TEXT`, and its proof."""
    manual = read_manual(TEXT, "lamp.txt", plain_product(), "lamp")
    document = Published(manual, "Lamp", proof=claim(manual))
    release = Release("tools", "Tools", "1.0", (document,))
    made = release_files(release, EDITION, load("default"))
    return {path: content.decode() for path, content in made.files if path[-4:] != ".inv"}


def test_pages_are_shown_before_they_are_proved_and_say_then_what_is_lost() -> None:
    """The first pages claim that nothing is lost; those of a document that lost a line do not."""
    manual = read_manual(TEXT, "lamp.txt", plain_product(), "lamp")
    document = Published(manual, "Lamp", proof=claim(manual))
    release = Release("tools", "Tools", "1.0", (document,))
    claimed = claim(manual).encode()

    def shown(losing: bool) -> tuple[dict[str, bytes], dict[str, bytes]]:
        early: list[tuple[str, bytes]] = []
        with pytest.MonkeyPatch.context() as patch:
            if losing:
                lost = Diagnostic("lamp.txt", 1, 1, "error", "lost-text", "line 1 is not shown")
                proof = Proof("lamp", "1.0", 11, (1,), (), (lost,))
                patch.setattr(render, "_proofs", lambda release, files: [proof])
            made = release_files(release, EDITION, load("default"), show=early.extend)
        assert len(early) == len(dict(early)) > 2
        return dict(early), dict(made.files)

    early, files = shown(losing=False)
    assert early == {path: files[path] for path in files if path in early}
    assert not [path for path in files if path.startswith("tools/1.0/lamp/") and path.endswith(
        ".html") and path not in early]
    early, files = shown(losing=True)
    page = "tools/1.0/lamp/index.html"
    assert claimed in early[page] and claimed not in files[page]
    assert b"11 lines in, 10 accounted for" in files[page]


def test_the_proof_is_published_beside_the_document() -> None:
    record = json.loads(files()["tools/1.0/lamp/proof.json"])
    assert record == {
        "document": "lamp",
        "version": "1.0",
        "sha256": "",
        "lines": {"total": 11, "accounted": 11},
        "decoration": {
            "bullet": {"marks": 2, "lines": "4-5"},
            "dot behind a number": {"marks": 1, "lines": "1"},
            "table rule or repeated head": {"marks": 3, "lines": "7,9,11"},
            "underline": {"marks": 1, "lines": "2"},
        },
        "lost": "",
        "losses": [],
    }


def test_the_home_of_a_document_links_to_the_proof() -> None:
    made = files()
    link = '<a href="proof.json">11 lines in, 11 accounted for</a>'
    assert [path for path, content in made.items() if link in content] == [
        "tools/1.0/lamp/index.html"
    ]
