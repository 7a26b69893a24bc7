"""Paper: pages as Chromium prints them, read back with poppler's tools."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import showcase
from bs4 import BeautifulSoup
from chromium import Scheme, Tabs
from programs import need

WHITE = b"\xff\xff\xff"


def printed(open_tab: Tabs, site: Path, name: str, to: Path, scheme: Scheme = "light") -> Path:
    """The PDF of a page of the showcase."""
    tab = open_tab(scheme=scheme)
    tab.open(f"{site.as_uri()}/{showcase.PAGES[name]}")
    tab.page.pdf(path=to / f"{name}.pdf", prefer_css_page_size=True, format="A4")
    return to / f"{name}.pdf"


def sheets(pdf: Path) -> list[str]:
    """The text of each sheet."""
    done = subprocess.run(
        [need("pdftotext"), "-layout", str(pdf), "-"], capture_output=True, check=True, text=True,
        encoding="utf-8",
    )
    return done.stdout.split("\f")[:-1]


def words(text: str) -> str:
    """`text` without what a line's end may change."""
    return re.sub(r"[\s\u00ad-]+", "", text)


def test_the_one_page_is_printed_whole(
    open_tab: Tabs, site_of_all_kinds: Path, tmp_path: Path
) -> None:
    found = sheets(printed(open_tab, site_of_all_kinds, "whole", tmp_path))
    assert 8 <= len(found) <= 16, "about as many sheets as the text has pages"
    assert [sheet for sheet in found if len(sheet.split()) < 8] == [], "no empty sheet"
    html = (site_of_all_kinds / showcase.PAGES["whole"]).read_text("utf-8")
    page = BeautifulSoup(html, "html.parser")
    text = words("".join(found))
    headings = [words(one.get_text()) for one in page.select("main :is(h1, h2, h3, h4, h5, h6)")]
    assert len(headings) > 40
    assert [one for one in headings if one not in text] == []
    for line in page.select("main pre"):
        assert words(line.get_text()) in text, "code is cut at the edge"


@pytest.mark.parametrize("name", ["whole", "entries", "matrix", "index", "manual"])
def test_paper_says_where_it_comes_from(
    open_tab: Tabs, site_of_all_kinds: Path, tmp_path: Path, name: str
) -> None:
    found = sheets(printed(open_tab, site_of_all_kinds, name, tmp_path))
    text = "".join(found)
    assert "HAProxy" in found[0] and "3.4" in found[0]
    assert "Configuration Manual" in found[0]
    assert name == "index" or "lanterns-3.4.tar.gz" in text
    assert "Skip to the text" not in text
    assert "On this page" not in text
    assert "Search" not in text


def test_paper_is_white_at_night(
    open_tab: Tabs, site_of_all_kinds: Path, tmp_path: Path
) -> None:
    pdf = printed(open_tab, site_of_all_kinds, "entries", tmp_path, "dark")
    subprocess.run(
        [need("pdftoppm"), "-r", "40", "-f", "1", "-l", "1", str(pdf), str(tmp_path / "sheet")],
        check=True,
    )
    (picture,) = tmp_path.glob("sheet*.ppm")
    head, pixels = picture.read_bytes().split(b"\n255\n", 1)
    assert head.startswith(b"P6")
    dots = [pixels[at : at + 3] for at in range(0, len(pixels), 3)]
    assert dots[0] == dots[-1] == WHITE, "the edge"
    light = sum(min(dot) > 200 for dot in dots)
    assert light > 0.85 * len(dots), "nearly all of a sheet is white"
    assert any(max(dot) < 100 for dot in dots), "the text is black"
