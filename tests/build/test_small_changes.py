"""A changed word changes the files that show it, and what tells which text it is: no others."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import pytest

from dconv.cli import main

SECTIONS = 40
MANUAL = """\
[product]
name = "tools"
title = "Tools"
recognize = []
report = "mailto:docs@example.org?subject={place}"
[[document]]
name = "lamp"
file = "lamp.txt"
title = "The lamp"
[[document]]
name = "bulb"
file = "bulb.txt"
title = "The bulb"
[dialect]
[[dialect.entry]]
kind = "keyword"
title = "^Keywords"
"""
SITE = """\
[site]
title = "Tools"
url = "https://docs.example.org/"
output = "public"
[[product]]
name = "tools"
releases = []
[[product.release]]
version = "1.0"
source = { path = "1.0" }
[[product.release]]
version = "2.0"
source = { path = "2.0" }
"""
OLD = 1_000_000_000  # seconds: when all files of the first build were written, as far as we tell
SHOWING = {
    "lamp/7.1.html", "lamp.html",  # the section, and the document on one page
    "lamp/7.1.texts.js",  # the words that are compared
    "lamp/index.html", "lamp/proof.json",  # which text it is
    "search-text.js",  # words
}


def text() -> str:
    """A manual of many sections, whose names and numbers are mentioned all over it."""
    parts = ["Tools\nLamp\nversion 2.0\n2026/01/31\n\n"]
    for number in range(1, SECTIONS + 1):
        title, below = f"{number}. Shelf {number}", f"{number}.1. Keywords of shelf {number}"
        parts.append(
            f"{title}\n{'-' * len(title)}\n\nWhat lies on shelf {number}, see section"
            f" {number % SECTIONS + 1}.\n\n{below}\n{'-' * len(below)}\n\n"
            f"turn {number}\n  Turn lamp {number} by hand.\n\n"
            f'  The handle of lamp {number} is heavy. See also "turn {number % SECTIONS + 1}".\n\n'
        )
    return "".join(parts)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site that was built once."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "manual.toml").write_text(MANUAL)
    (folder / "site.toml").write_text(SITE)
    for version in ("1.0", "2.0"):
        (folder / version).mkdir()
        (folder / version / "lamp.txt").write_text(text())
        (folder / version / "bulb.txt").write_text("1. Bulbs\n--------\n\nSee lamp.txt.\n")
    return folder


def changed(folder: Path, new: str) -> set[str]:
    """Which files of 2.0 are others, or newer, when its manual is `new` instead of `text()`."""
    source, public = folder / "2.0" / "lamp.txt", folder / "public"
    source.write_text(text())
    build(folder)
    before = {path: path.read_bytes() for path in public.rglob("*") if path.is_file()}
    for path in before:
        os.utime(path, (OLD, OLD))
    source.write_text(new)
    build(folder)
    after = [path for path in public.rglob("*") if path.is_file()]
    assert sorted(after) == sorted(before)
    others = {path for path in after if path.read_bytes() != before[path]}
    assert others == {path for path in after if path.stat().st_mtime != OLD}
    names = {path.relative_to(public).as_posix() for path in others}
    assert all(name.startswith("tools/2.0/") for name in names), names
    return {name.removeprefix("tools/2.0/") for name in names}


def build(folder: Path) -> None:
    """Build the site in `folder`."""
    messages = io.StringIO()
    words = ["build", "--site", f"{folder}/site.toml", "--manuals", str(folder)]
    with (
        patch.dict(os.environ, {"XDG_CACHE_HOME": str(folder / "cache")}),
        redirect_stdout(messages), redirect_stderr(messages),
    ):
        assert main(words) == 0, messages.getvalue()


def is_search(name: str) -> bool:
    """Whether `name` is a file of sentences for the search."""
    return name.startswith("search-part-")


def test_a_changed_word_changes_only_the_pages_that_show_it(first: Path) -> None:
    changed_files = changed(first, text().replace("lamp 7 is heavy", "lamp 7 is light"))
    assert {name for name in changed_files if not is_search(name)} == SHOWING


def test_an_added_line_changes_no_later_page(first: Path) -> None:
    new_text = text().replace("lamp 7 is heavy.", "lamp 7 is heavy.\n  It is red.")
    changed_files = changed(first, new_text)
    assert {name for name in changed_files if not is_search(name)} == SHOWING


def test_a_changed_summary_changes_only_the_lists_that_show_it(first: Path) -> None:
    changed_files = changed(first, text().replace("Turn lamp 7 by hand.", "Turn lamp 7 by foot."))
    assert {name for name in changed_files if not is_search(name)} == SHOWING | {
        "lamp/index-keyword.html", "lamp/keywords.html", "lamp/keywords.json", "search-lines.js",
        "previews.js",
    }


def test_the_digest_of_the_text_is_in_three_files(first: Path) -> None:
    (first / "2.0" / "lamp.txt").write_text(text().replace("is heavy", "is light"))
    build(first)
    digest = sha256((first / "2.0" / "lamp.txt").read_bytes()).hexdigest()
    public = first / "public"
    home = public / "tools" / "2.0" / "lamp" / "index.html"
    holding = {
        path.relative_to(public).as_posix()
        for path in public.rglob("*") if path.is_file() and digest.encode() in path.read_bytes()
    }
    single_page = home.parent.with_suffix(".html")
    assert holding == {
        "tools/2.0/lamp/index.html", "tools/2.0/lamp/proof.json", "tools/2.0/lamp.html"
    }
    for page in ("7.1.html", "keywords.html"):
        foot = '<p>Source: lamp.txt. <a href="index.html#-origin">Origin and proof</a>.</p>'
        assert foot in home.with_name(page).read_text()
    for shown, folder in ((home.read_text(), ""), (single_page.read_text(), "lamp/")):
        assert '<p id="-origin">Source: lamp.txt, SHA-256' in shown
        assert f'href="{folder}proof.json"' in shown
