"""The stages together: the files of a release, and the proof that is published with them."""

from __future__ import annotations

import json

from dconv import pipeline
from dconv.pages import Edition, Published, Release
from dconv.settings import plain_product
from dconv.theme import load

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
    manual = pipeline.read_manual(TEXT, "lamp.txt", plain_product(), "lamp")
    document = Published(manual, "Lamp", proof=pipeline.claim(manual))
    release = Release("tools", "Tools", "1.0", (document,))
    made = pipeline.release_files(release, EDITION, load("default"))
    return {path: content.decode() for path, content in made.files if path[-4:] != ".inv"}


def test_the_proof_is_published_beside_the_document() -> None:
    record = json.loads(files()["tools/1.0/lamp/proof.json"])
    assert record == {
        "document": "lamp",
        "version": "1.0",
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


def test_every_page_of_a_document_links_to_the_proof() -> None:
    made = files()
    link = '<a href="{}">11 lines in, 11 accounted for</a>'
    assert link.format("proof.json") in made["tools/1.0/lamp/1.html"]
    assert link.format("proof.json") in made["tools/1.0/lamp/index.html"]
    assert link.format("lamp/proof.json") in made["tools/1.0/lamp.html"]
