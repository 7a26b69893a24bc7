"""A document as one file, as readers have it: from the disk, without a network."""

from __future__ import annotations

import base64
import re
import subprocess
from pathlib import Path

import pytest
from chromium import Tab, Tabs
from programs import need

from dconv.cli import main

pytestmark = pytest.mark.browser

LAMPS = """\
# Lamps

## Settings

### dim

Makes the lamp darker. It never burns the velvet curtains; see [the guide](guide.md#use).

```sh
cat </script><script>alert(1)</script>
```

![A lamp](lamp.png)
"""
# words of texts with few sections are all at too many places for the search
LAMPS += "".join([f"\n### rope-{number}\n\nHolds lamp {number}.\n" for number in range(40)])
GUIDE = "# Guide\n\n## Use\n\nSwitch it on.\n"
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture(scope="module")
def lamps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a text with an image, beside that of another text."""
    texts = tmp_path_factory.mktemp("offline")
    (texts / "lamps.md").write_text(LAMPS)
    (texts / "guide.md").write_text(GUIDE)
    (texts / "lamp.png").write_bytes(PIXEL)
    out = texts / "out"
    assert main(["export", "-q", "--format", "offline", str(texts), "-o", str(out)]) == 0
    assert {path.name for path in out.iterdir()} == {"lamps.offline.html", "guide.offline.html"}
    return out / "lamps.offline.html"


def opened(open_tab: Tabs, file: Path) -> Tab:
    """A tab without a network that shows `file`."""
    tab = open_tab()
    tab.page.context.set_offline(True)
    tab.open(file.as_uri())
    return tab


def requests(tab: Tab) -> list[str]:
    """What was loaded but for what the file itself holds."""
    return [address for address in tab.requested if not address.startswith(("data:", "about:"))]


def test_nothing_else_is_loaded(open_tab: Tabs, lamps: Path) -> None:
    tab = opened(open_tab, lamps)
    assert requests(tab) == [lamps.as_uri()]
    assert tab.page.evaluate("document.querySelector('main img').naturalWidth") == 1
    assert tab.page.evaluate("getComputedStyle(document.querySelector('header')).position") != (
        "static"
    )
    assert "<script>alert(1)" in tab.page.locator("main pre").inner_text()


def test_the_search_finds_names_and_words(open_tab: Tabs, lamps: Path) -> None:
    tab = opened(open_tab, lamps)
    for query, anchor in (("dim", "dim"), ("velvet curtains", "dim")):
        tab.page.keyboard.press("/")
        tab.page.locator("dialog.finder input[role=combobox]").fill(query)
        result = tab.page.locator("dialog.finder [role=option]").first
        result.wait_for()
        assert (result.get_attribute("href") or "").endswith(anchor)
        result.click()
        tab.page.wait_for_function("() => location.hash.endsWith('dim')")
        tab.page.locator("dialog.finder").wait_for(state="hidden")
        tab.page.evaluate("location.hash = ''")
    assert requests(tab) == [lamps.as_uri()]


def test_links_lead_to_places_and_to_other_files(open_tab: Tabs, lamps: Path) -> None:
    tab = opened(open_tab, lamps)
    addresses = tab.page.evaluate(
        "[...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href'))"
    )
    for address in addresses:
        if address.startswith("#"):
            assert tab.page.evaluate("(id) => !!document.getElementById(id)", address[1:]), address
        else:
            assert re.match(r"guide\.offline\.html(#|$)|mailto:|https?:", address), address
    tab.page.locator("main a[href^='guide']").click()
    tab.page.wait_for_function("() => document.title.includes('Guide')")


def test_it_is_dark_where_the_reader_wants_that(open_tab: Tabs, lamps: Path) -> None:
    tab = opened(open_tab, lamps)
    colour = "getComputedStyle(document.documentElement).backgroundColor"
    light = tab.page.evaluate(colour)
    tab.page.keyboard.press("d")  # light, as the system is
    tab.page.keyboard.press("d")
    tab.page.wait_for_function(f"() => {colour} !== '{light}'")


def test_it_is_printed(open_tab: Tabs, lamps: Path, tmp_path: Path) -> None:
    tab = opened(open_tab, lamps)
    tab.page.pdf(path=tmp_path / "lamps.pdf")
    words = subprocess.run(
        [need("pdftotext"), str(tmp_path / "lamps.pdf"), "-"], capture_output=True, check=True
    ).stdout.decode()
    assert "velvet curtains" in " ".join(words.split())
    assert "Search" not in words


SITE = """\
[site]
title = "Manuals"
url = "https://docs.example.org/"
exports = ["offline"]

[[product]]
name = "haproxy"

[[product.release]]
version = "3.4"
source = { path = "texts" }
"""


def test_data_for_search_engines_offends_no_policy(open_tab: Tabs, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "configuration.txt").write_text("1. Lamps\n--------\n\nDim them.\n")
    (tmp_path / "site.toml").write_text(SITE)
    assert main(["build", "-q", "--site", str(tmp_path / "site.toml"), "--jobs", "1"]) == 0
    release = tmp_path / "public" / "haproxy" / "3.4"
    for file in (release / "configuration/1.html", release / "configuration.offline.html"):
        tab = opened(open_tab, file)
        data = tab.page.locator("script[type='application/ld+json']")
        assert '"@type":"TechArticle"' in (data.text_content() or "")
        assert '"@type"' not in tab.page.locator("body").inner_text()
        assert tab.complaints == []
