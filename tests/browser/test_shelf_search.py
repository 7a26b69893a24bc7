"""The search of a shelf in a real browser, from the disk: all packages, one, and one page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from chromium import PHONE, Tab, Tabs
from programs import need, write_tree

from dconv.build.schedule import build_site
from dconv.model.origin import Origin
from dconv.settings.manual import default_product
from dconv.settings.types import DocumentSetting
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.page import SiteInfo
from dconv.writers.search import shelf
from dconv.writers.theme.theme import load

PAGES = {
    "pantry": {
        "pantry.8": ("look after jars", "--grow", "Adds a board for jars of plum jam."),
        "pantryd.8": ("watch jars", "--help", "Says what the watcher does."),
    },
    "oven": {"oven.1": ("bake bread", "--help", "Says how to bake.")},
}
FIRST = "dialog.finder [role=option]"


def texts(package: str, *, is_shelf: bool = True) -> ReleaseTexts:
    """A package, or else a release, whose manual pages have an option each."""
    return ReleaseTexts(package, package, "1.0", "", tuple(
        SourceText(
            f".TH {name.upper()[:-2]} {name[-1]}\n.SH NAME\n{name[:-2]} \\- {about}\n"
            f".SH OPTIONS\n.TP\n\\fB\\-\\-{option[2:]}\\fR\n{line}\n".encode(),
            name, default_product(), DocumentSetting(name, name, "", ""), Origin("a text"),
        )
        for name, (about, option, line) in PAGES[package].items()
    ), is_shelf=is_shelf)


@pytest.fixture(params=["one file", "by letters"])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a shelf on the disk, its names in one file or in several."""
    need("mandoc")
    if request.param == "by letters":
        monkeypatch.setattr(shelf, "MAX_NAMES", 1)
    site = SiteInfo("The house", "dconv test")
    write_tree(build_site([texts(package) for package in PAGES], site, load("default")), tmp_path)
    return tmp_path.as_uri()


@pytest.fixture
def tab(open_tab: Tabs) -> Tab:
    """A tab of its own for each test."""
    return open_tab()


def search_for(tab: Tab, words: str, text: str) -> None:
    """Search for `words`, until the first result has `text`."""
    tab.page.keyboard.press("/")
    tab.page.keyboard.type(words)
    wait_for_first(tab, text)


def wait_for_first(tab: Tab, text: str) -> None:
    """Wait until the first result has `text`."""
    tab.page.wait_for_function(
        "([selector, text]) => document.querySelector(selector)?.textContent.includes(text)",
        arg=[FIRST, text],
    )


def test_a_result_says_its_page_and_package(tab: Tab, root: str) -> None:
    tab.open(f"{root}/index.html")
    search_for(tab, "pantry grow", "pantry(8) · pantry")
    wait_for_first(tab, "Adds a board for jars of plum jam.")  # of the texts of the package
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url("**/man/pantry.8.html#option.--grow")


def test_names_of_the_page_come_first(tab: Tab, root: str) -> None:
    for page in ("pantryd(8)", "oven(1)"):
        tab.open(f"{root}/man/{page.replace('(', '.')[:-1]}.html")
        search_for(tab, "--help", page)


def test_the_release_of_the_page_comes_first(tab: Tab, tmp_path: Path) -> None:
    """Also where the shelf has the same text, and mentions the name more often."""
    need("mandoc")
    release, pantry = texts("oven", is_shelf=False), texts("pantry")
    mentions = b".PP\n" + b"See \\fB--help\\fR.\n" * 9
    copy = replace(release.texts[0], content=release.texts[0].content + mentions)
    shelf_texts = replace(pantry, texts=(*pantry.texts, copy))
    site = SiteInfo("The house", "dconv test")
    write_tree(build_site([release, shelf_texts], site, load("default")), tmp_path)
    tab.open(f"{tmp_path.as_uri()}/oven/1.0/oven.1/index.html")
    search_for(tab, "--help", "oven 1.0")


def test_a_package_and_a_page_are_scopes(tab: Tab, root: str) -> None:
    tab.open(f"{root}/man/pantry.8.html")
    search_for(tab, "--help", "pantryd(8) · pantry")
    select = tab.page.locator("dialog.finder select")
    assert select.locator("option").all_text_contents()[-2:] == ["pantry", "pantry(8)"]
    select.select_option("package")
    assert tab.page.locator(FIRST).count() == 1
    select.select_option("document")
    tab.page.wait_for_function(
        "(selector) => !document.querySelector(selector)?.textContent.includes('pantryd')",
        arg=FIRST,
    )


def test_results_fit_a_phone(open_tab: Tabs, root: str) -> None:
    tab = open_tab(PHONE)
    tab.open(f"{root}/man/oven.1.html")
    search_for(tab, "--grow", "pantry(8) · pantry")
    assert tab.page.evaluate(
        "() => { const body = document.querySelector('dialog.finder .body');"
        " return body.scrollWidth <= body.clientWidth; }"
    )
