"""The names of the files of sections and indexes: the same on every file system and server."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dconv.model.anchors import DEVICE, MAX_NAME_LENGTH
from dconv.model.file_names import unique_name
from dconv.model.tree import Manual, Section, sections

ALL_NAMES = "keywords"  # the stem of the index of all names
ALL_NAMES_TITLE = "A–Z"
PROOF = "proof.json"  # beside a document's home: the result of the proof
OLD_ANCHORS = "old-anchors.js"  # beside a document's home: the places of old anchors
PREVIEWS = "previews.js"  # in a release's folder: what links show of their targets
CHANGES = "changes.html"  # in a release's folder: its changes since the release before
EXPLAIN = "explain.html"  # in a product's folder: the page that explains configurations
RELEASES = "releases.json"  # in a product's folder: its releases, and the latest
OFFLINE = ".offline.html"  # ends the names of documents that are one file
IMAGES = "images"  # beside a document's home: the folder of its images
# what some file system refuses in a file's name: "a/b", "a b"
UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")


def section_files(manual: Manual, stems: set[str]) -> Iterator[tuple[Section, str]]:
    """Each section of `manual` in source order with its file; `stems` are those of other files."""
    used_names = {"index"} | stems
    for section in sections(manual):
        yield section, f"{_file_name(section, used_names)}.html"


def _file_name(section: Section, used_names: set[str]) -> str:
    """A file name without suffix that is unique where upper and lower case are alike, too."""
    name = _safe(section.number or section.anchor)
    # "6.3.1", section 3.1 of chapter 6
    if name.casefold() in used_names or section.anchor.endswith(f".{section.number}"):
        name = _safe(section.anchor)
    return unique_name(name, used_names, ignore_case=True)


def _safe(name: str) -> str:
    """`name` without what some file system refuses."""
    stem = UNSAFE.sub("-", name)[:MAX_NAME_LENGTH].strip("-.") or "section"
    return f"section-{stem}" if DEVICE.match(stem) else stem
