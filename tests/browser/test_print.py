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

pytestmark = pytest.mark.slow

WHITE = b"\xff\xff\xff"


def print_page(open_tab: Tabs, site: Path, name: str, to: Path, scheme: Scheme = "light") -> Path:
    """The PDF of a page of the showcase."""
    tab = open_tab(scheme=scheme)
    tab.open(f"{site.as_uri()}/{showcase.PAGES[name]}")
    tab.page.pdf(path=to / f"{name}.pdf", prefer_css_page_size=True, format="A4")
    return to / f"{name}.pdf"


def page_texts(pdf: Path) -> list[str]:
    """The text of each printed page."""
    completed = subprocess.run(
        [need("pdftotext"), "-layout", str(pdf), "-"], capture_output=True, check=True, text=True,
        encoding="utf-8",
    )
    return completed.stdout.split("\f")[:-1]


def without_blanks(text: str) -> str:
    """`text` without what a line's end may change."""
    return re.sub(r"[\s\u00ad-]+", "", text)


def test_the_single_page_is_printed_whole(
    open_tab: Tabs, site_of_all_kinds: Path, tmp_path: Path
) -> None:
    texts = page_texts(print_page(open_tab, site_of_all_kinds, "single-page", tmp_path))
    assert 8 <= len(texts) <= 16, "about as many printed pages as the text has pages"
    assert [page_text for page_text in texts if len(page_text.split()) < 8] == [], "no empty page"
    html = (site_of_all_kinds / showcase.PAGES["single-page"]).read_text("utf-8")
    page = BeautifulSoup(html, "html.parser")
    text = without_blanks("".join(texts))
    elements = page.select("main :is(h1, h2, h3, h4, h5, h6)")
    headings = [without_blanks(element.get_text()) for element in elements]
    assert len(headings) > 40
    assert [heading for heading in headings if heading not in text] == []
    for line in page.select("main pre"):
        assert without_blanks(line.get_text()) in text, "code is cut at the edge"


@pytest.mark.parametrize(("name", "source"), [
    ("single-page", "lanterns-3.4.tar.gz"), ("manual", "lanterns-3.4.tar.gz"),
    ("entries", "configuration.txt"), ("matrix", "configuration.txt"),
    ("index", "configuration.txt"),
])
def test_print_says_where_it_comes_from(
    open_tab: Tabs, site_of_all_kinds: Path, tmp_path: Path, name: str, source: str
) -> None:
    texts = page_texts(print_page(open_tab, site_of_all_kinds, name, tmp_path))
    text = "".join(texts)
    assert "HAProxy" in texts[0] and "3.4" in texts[0]
    assert "Configuration Manual" in texts[0]
    assert source in text
    assert "Skip to the text" not in text
    assert "On this page" not in text
    assert "Search" not in text


def test_paper_is_white_at_night(
    open_tab: Tabs, site_of_all_kinds: Path, tmp_path: Path
) -> None:
    pdf = print_page(open_tab, site_of_all_kinds, "entries", tmp_path, "dark")
    subprocess.run(
        [need("pdftoppm"), "-r", "40", "-f", "1", "-l", "1", str(pdf), str(tmp_path / "page")],
        check=True,
    )
    (image,) = tmp_path.glob("page*.ppm")
    head, pixels = image.read_bytes().split(b"\n255\n", 1)
    assert head.startswith(b"P6")
    dots = [pixels[at : at + 3] for at in range(0, len(pixels), 3)]
    assert dots[0] == dots[-1] == WHITE, "the edge"
    light = sum(min(dot) > 200 for dot in dots)
    assert light > 0.85 * len(dots), "nearly all of a page is white"
    assert any(max(dot) < 100 for dot in dots), "the text is black"


OWN_TOKENS = """() => {
  const styles = new CSSStyleSheet();
  styles.replaceSync(":root { color-scheme: dark; --bg: #112; --soft: #223; --fg: #eee;"
    + " --fg2: #ddd; --link: #9cf; --warnbg: #330; --c-str: #fc9; --c-sec: #fcf; }");
  document.adoptedStyleSheets = [styles];
}"""
COLOURS = """() => [...new Set([...document.querySelectorAll("html, html *")].map(getComputedStyle)
  .map((element) => `${element.color} ${element.backgroundColor} ${element.backgroundImage}`))]"""


@pytest.mark.parametrize("name", ["entries", "section", "matrix"])
def test_tokens_of_a_dark_theme_that_are_in_no_layer_stay_off_paper(
    open_tab: Tabs, site_of_all_kinds: Path, name: str
) -> None:
    tab = open_tab(scheme="dark")
    tab.open(f"{site_of_all_kinds.as_uri()}/{showcase.PAGES[name]}")
    tab.page.evaluate(OWN_TOKENS)
    assert len(tab.page.evaluate(COLOURS)) > 4, "screens show them"
    tab.page.emulate_media(media="print", color_scheme="dark")
    assert tab.page.evaluate(COLOURS) == ["rgb(0, 0, 0) rgba(0, 0, 0, 0) none"]


@pytest.mark.parametrize("name", ["matrix", "rules-matrix", "single-page"])
def test_every_row_of_a_matrix_is_printed(
    open_tab: Tabs, site_of_all_kinds: Path, tmp_path: Path, name: str
) -> None:
    pdf = print_page(open_tab, site_of_all_kinds, name, tmp_path)
    lines = "".join(page_texts(pdf)).splitlines()
    html = (site_of_all_kinds / showcase.PAGES[name]).read_text("utf-8")
    rows = BeautifulSoup(html, "html.parser").select(".matrix tbody tr")
    assert len(rows) == {"matrix": 21, "rules-matrix": 3, "single-page": 24}[name]
    for row in rows:
        first, *others = [cell.get_text() for cell in row.select("th, td")]
        marks = len(others)
        shown = [line for line in lines if without_blanks(line).startswith(without_blanks(first))]
        assert any(len(re.findall("[\u2013\u2713]", line)) == marks for line in shown), first


@pytest.mark.parametrize("name", ["rules-matrix", "single-page"])
def test_a_wide_matrix_is_printed_over_several_pages(
    open_tab: Tabs, site_of_all_kinds: Path, tmp_path: Path, name: str
) -> None:
    tab = open_tab()
    tab.open(f"{site_of_all_kinds.as_uri()}/{showcase.PAGES[name]}")
    tab.page.locator(".wide tbody").evaluate(
        """(body) => {
          for (let number = 0; number < 120; number++) {
            const row = body.rows[0].cloneNode(true);
            row.cells[0].textContent = `row-${number}-here`;
            body.append(row);
          }
        }"""
    )
    tab.page.pdf(path=tmp_path / "wide.pdf", prefer_css_page_size=True, format="A4")
    text = "\n".join(page_texts(tmp_path / "wide.pdf"))
    row_numbers = re.findall(r"row-(\d+)-here.*[\u2013\u2713]$", text, re.MULTILINE)
    assert row_numbers == [str(number) for number in range(120)]


def test_an_index_is_printed_as_it_is_on_a_screen(
    open_tab: Tabs, site_of_all_kinds: Path, tmp_path: Path
) -> None:
    pdf = print_page(open_tab, site_of_all_kinds, "index", tmp_path)
    lines = "".join(page_texts(pdf)).splitlines()
    html = (site_of_all_kinds / showcase.PAGES["index"]).read_text("utf-8")
    rows = BeautifulSoup(html, "html.parser").select(".letter li")
    assert len(rows) > 30
    text = without_blanks("".join(lines))
    for row in rows:
        name, where = (
            without_blanks(row.select(selector)[0].get_text()) for selector in ("a", ".where")
        )
        shown = [without_blanks(line) for line in lines]
        assert any(line.startswith(name) and line.endswith(where) for line in shown), name
        for more in row.select("p, .form"):
            assert without_blanks(more.get_text()) in text, "what it does is cut at the edge"


def test_what_is_folded_is_printed(
    open_tab: Tabs, site_of_all_kinds: Path, tmp_path: Path
) -> None:
    text = "".join(page_texts(print_page(open_tab, site_of_all_kinds, "product", tmp_path)))
    html = (site_of_all_kinds / showcase.PAGES["product"]).read_text("utf-8")
    folded = BeautifulSoup(html, "html.parser").select("details.unmaintained tbody th")
    assert [row.get_text() for row in folded] == ["1.5"]
    assert re.search(r"^ *1\.5 +", text, re.MULTILINE)
