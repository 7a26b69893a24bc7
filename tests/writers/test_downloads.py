"""Other formats of documents beside their pages: what a site writes, and where its links lead."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import pytest
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from dconv.cli import main
from dconv.model.anchors import github_slug
from dconv.settings.types import EXPORT_FORMATS
from dconv.writers.downloads import TITLES

SHOWCASE = Path(__file__).resolve().parents[1] / "showcase" / "texts"
SITE = """\
[site]
title = "Manuals"
exports = ["markdown", "man"]

[[product]]
name = "haproxy"
"""
RELEASE = '[[product.release]]\nversion = "{0}"\nsource = {{ path = "{0}" }}\n'
MARKDOWN = MarkdownIt("commonmark").enable("table")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built site with two releases."""
    folder = tmp_path_factory.mktemp("downloads")
    settings = SITE
    for version in ("3.4", "3.2"):
        (folder / version).mkdir()
        for name in ("configuration.txt", "management.txt"):
            text = (SHOWCASE / name).read_text("utf-8").replace("@VERSION@", version)
            (folder / version / name).write_text(text, "utf-8")
        settings += RELEASE.format(version)
    (folder / "site.toml").write_text(settings)
    assert main(["build", "-q", "--site", str(folder / "site.toml"), "--jobs", "1"]) == 0
    return folder / "public"


def linked(path: Path) -> list[str]:
    """The addresses of the links in the Markdown of `path`."""
    page = LexborHTMLParser(MARKDOWN.render(path.read_text("utf-8")))
    return [link.attributes["href"] or "" for link in page.css("a")]


def headings(path: Path) -> set[str]:
    """The anchors that GitHub gives to the headings of `path`."""
    page = LexborHTMLParser(MARKDOWN.render(path.read_text("utf-8")))
    return {github_slug(one.text()) for one in page.css("h1, h2, h3, h4, h5, h6")}


def test_every_format_has_a_title() -> None:
    assert {*TITLES} == {*EXPORT_FORMATS}


def test_each_page_of_a_section_has_its_markdown(site: Path) -> None:
    folder = site / "haproxy" / "3.4" / "configuration"
    pages = [
        path for path in folder.glob("*.html")
        if '<body class="section' in path.read_text("utf-8")
    ]
    assert len(pages) > 3
    for page in pages:
        html = LexborHTMLParser(page.read_text("utf-8"))
        link = html.css_first("link[type='text/markdown']")
        assert link is not None
        text = (folder / (link.attributes["href"] or "")).read_text("utf-8")
        heading = html.css_first("h1")
        assert heading is not None
        assert " ".join(heading.text().split()).strip("#¶ ") in text.partition("\n")[0]
    assert not list((site / "haproxy" / "3.4").glob("*/keywords.md"))


def test_links_of_markdown_lead_to_markdown(site: Path) -> None:
    followed = 0
    for path in site.rglob("*.md"):
        for address in linked(path):
            if re.match(r"[a-z]+:", address):
                continue
            file, _, anchor = unquote(address).partition("#")
            target = Path(os.path.normpath(path.parent / file)) if file else path
            assert target.is_file(), f"{path}: {address}"
            assert target.suffix == ".md"
            found = headings(target)
            assert not anchor or anchor in found or re.sub(r"-\d+$", "", anchor) in found, address
            followed += 1
    assert followed > 50


def test_a_home_offers_the_files_with_their_sizes(site: Path) -> None:
    folder = site / "haproxy" / "3.4"
    home = LexborHTMLParser((folder / "index.html").read_text("utf-8"))
    files = {link.attributes["href"] or "": link for link in home.css(".downloads a")}
    assert {*files} == {
        "configuration.md", "management.md", "haproxy-configuration.7", "haproxy-management.7",
    }
    assert all((folder / file).stat().st_size for file in files)
    assert [small.text() for small in home.css(".downloads small")] != []


def test_language_models_find_the_texts(site: Path) -> None:
    text = (site / "llms.txt").read_text("utf-8")
    assert text.startswith("# Manuals\n\n> Documentation of HAProxy\n")
    latest, _, optional = text.partition("## Optional\n")
    assert "\n## HAProxy 3.4\n\n- [Configuration Manual](haproxy/3.4/configuration.md)" in latest
    assert "](haproxy/3.2/configuration.md)" in optional
    for path in re.findall(r"\]\(([^)]*)\)", text):
        assert (site / PurePosixPath(path)).is_file()
    whole = (site / "haproxy" / "3.4" / "llms-full.txt").read_text("utf-8")
    assert whole.count("\n# ") + whole.startswith("# ") >= 2


def test_an_unknown_format_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = SITE.replace('"man"', '"word"') + 'releases = ["3.4"]\n'
    (tmp_path / "site.toml").write_text(settings)
    assert main(["build", "--site", str(tmp_path / "site.toml")]) == 2
    assert "exports an unknown format 'word'" in capsys.readouterr().err
