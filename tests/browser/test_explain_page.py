"""The page that explains configurations, upgrades and log lines: in browsers, from the disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import explainable_product
import pytest
from axe_playwright_python.sync_playwright import Axe
from chromium import DESKTOP, PHONE, Tab, Tabs
from firefox import Firefox, firefox
from programs import served, wait_for, write_tree

from dconv.build.schedule import build_site
from dconv.model.origin import Origin
from dconv.settings.manual import load_product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.page import SiteInfo
from dconv.writers.theme.theme import load

OLD = explainable_product.TEXT.replace("230", "110").replace(" (deprecated)", "").replace(
    'This is deprecated, use "wick" instead.', ""
).replace("volts <number>", "watts <number>\n  Sets the power.\n\nvolts <number>")
CONFIGURATION = """\
house
    vlots 110 # a comment
lamp hall
    volts 230
    wick indgio when { dusk(20) }
    stand table brass height 3
    gas
"""
LINE = "Nov  3 01:02:03 kitchen lamp[12]: hall glows 250 ON"
LONG_LINE = f"{LINE} 2026-11-03 01:02:03.456 {'and so on ' * 3}"
TEXT, STATUS, LINES = "[id='-text']", "[id='-status']", "[id='-lines']"
PASTE = """(text) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const event = {clipboardData: data, bubbles: true, cancelable: true};
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", event));
}"""
TOUCH = """(link) => {
  for (const type of ["pointerover", "pointerdown"]) {
    link.dispatchEvent(new PointerEvent(type, {bubbles: true, pointerType: "touch"}));
  }
}"""
IDLE = "new Promise((resolve) => requestIdleCallback(() => requestAnimationFrame(resolve)))"
AXE = Axe()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two releases of lamps, and a product whose dialect has no syntax."""
    folder = tmp_path_factory.mktemp("site")
    settings = tmp_path_factory.mktemp("settings")
    product = load_product(resource_folder("manuals") / "dconv")
    tools = SourceText(
        b"1. Tools\n--------\n\nHammers.\n", "manual.txt", product, product.documents[0],
        Origin("here"),
    )
    releases = [
        explainable_product.texts(settings), explainable_product.texts(settings, OLD, "1"),
        ReleaseTexts("dconv", "dconv", "0.1", "", (tools,)),
    ]
    info = SiteInfo("Manuals", "test", changes=True)
    write_tree(build_site(releases, info, load("default")), folder)
    return folder


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[str]:
    """The address of a server of it, for axe-core, which reads style sheets."""
    with served(site) as address:
        yield address


def explain(tab: Tab, site: Path, query: str = "") -> None:
    tab.open(f"{site.as_uri()}/lamps/explain.html{query}")


def read(tab: Tab, text: str, status: str) -> None:
    """Give the page a configuration, and wait until its `status` has come."""
    tab.page.locator(TEXT).fill(text)
    tab.page.locator(STATUS, has_text=status).wait_for()


def group(tab: Tab, name: str) -> list[str]:
    return tab.page.locator(f".group.{name} li").all_inner_texts()


def shown_line(tab: Tab) -> str:
    """The identity of the line that has the focus."""
    return str(tab.page.evaluate("document.activeElement.id"))


def test_only_products_with_scopes_have_the_page(site: Path) -> None:
    assert (site / "lamps/explain.html").exists()
    assert not (site / "dconv/explain.html").exists()
    linking = [
        "lamps/2/index.html", "lamps/index.html", "lamps/2/lamps/2.html", "lamps/2/changes.html",
        "lamps/2/lamps.html", "index.html",
    ]
    assert [path for path in linking if "explain.html" not in (site / path).read_text()] == []
    assert "explain.html" not in (site / "dconv/0.1/manual/1.html").read_text()


def test_a_configuration(tab: Tab, site: Path) -> None:
    explain(tab, site)
    read(tab, CONFIGURATION, "5 findings: 2 will not start, 2 deprecated and experimental, 1 may")
    assert group(tab, "wrong") == [
        "line 2 vlots The manual of 2 does not name it. Did you mean volts?",
        "line 4 volts Only in house.",
    ]
    assert group(tab, "old") == [
        "line 6 height This is considered experimental here.",
        'line 7 gas This is deprecated, use "wick" instead.',
    ]
    assert group(tab, "doubt") == [
        "line 5 indgio The manual of 2 does not list it here. Did you mean indigo?"
    ]
    link = tab.page.locator(f"{LINES} a", has_text="brass").first
    assert str(link.get_attribute("href")).startswith("2/lamps/3.html#")
    link.focus()
    assert "A stand of brass." in tab.page.locator("[role=tooltip]").inner_text()
    tab.page.keyboard.press("Escape")
    assert not tab.page.locator("[role=tooltip]").is_visible()


def test_keys_alone(tab: Tab, site: Path) -> None:
    explain(tab, site)
    for _ in range(30):
        tab.page.keyboard.press("Tab")
        if shown_line(tab) == "-text":
            break
    tab.page.keyboard.insert_text(CONFIGURATION)
    tab.page.locator(STATUS, has_text="5 findings").wait_for()
    steps = (("F8", 2), ("F8", 4), ("Shift+F8", 2), ("Shift+F8", 7), ("F8", 2))
    for key, line in steps:
        tab.page.keyboard.press(key)
        tab.page.locator(f"[id='-line-{line}']:focus").wait_for()
    tab.page.locator("[id='-tab-configuration']").focus()
    tab.page.keyboard.press("ArrowRight")
    assert tab.page.locator("[id='-log-text']").is_visible()


def test_an_upgrade_and_any_two_releases(tab: Tab, site: Path) -> None:
    explain(tab, site, "?release=2&from=1")
    tab.page.locator(STATUS, has_text="From 1 to 2").wait_for()
    assert group(tab, "wrong") == ["watts house keyword"]
    assert group(tab, "old") == ['gas lamp keyword This is deprecated, use "wick" instead.']
    assert group(tab, "differs") == ["volts house keyword The default was 110 and is 230."]
    read(tab, "house\n  watts 3\nlamp\n  gas\n", "1 will not start, 1 deprecated")
    assert group(tab, "wrong") == [
        "line 2 watts Not in 2. The manual of 1 is the last that names it."
    ]
    assert "volts house keyword The default was 110 in 1" in str(
        tab.page.locator(".absent li").text_content()
    )
    explain(tab, site, "?release=1&from=2")
    tab.page.locator(STATUS, has_text="From 2 to 1: 1 changed, 1 added").wait_for()


def test_log_lines_of_the_manual_and_of_the_configuration(tab: Tab, site: Path) -> None:
    explain(tab, site)
    read(tab, 'lamp\n log-format "<%n> burnt %Tg ms"\n', "no findings")
    tab.page.locator("[id='-tab-log']").click()
    tab.page.locator("[id='-log-text']").fill(f"{LINE}\nlamp[3]: <hall> burnt 12 ms\nnonsense")
    tab.page.locator("[id='-log-status']", has_text="3 lines, 2 understood").wait_for()
    first, second, third = tab.page.locator(".log-line").all()
    assert "log glow" in first.inner_text()
    assert first.locator(".letters-of-state li").all_inner_texts() == [
        "O the owner put it out.", "N at night."
    ]
    assert "250 ms" in first.locator(".times-in-words").inner_text()
    assert second.locator("tbody td.value").all_inner_texts() == ["hall", "12"]
    assert "No format" in third.inner_text()


def test_scripts_are_loaded_when_they_are_asked_for(
    tab: Tab, site: Path
) -> None:
    def loaded() -> set[str]:
        scripts = tab.page.locator("script[src*='static/explain-']")
        sources = scripts.evaluate_all("(all) => all.map((each) => each.src)")
        return {str(source).rpartition("/")[2].split(".")[0] for source in sources}

    explain(tab, site)
    read(tab, "lamp\n  gas\n", "1 finding")
    assert loaded() == {"explain-engine", "explain-page"}
    read(tab, CONFIGURATION, "5 findings")
    assert loaded() == {"explain-engine", "explain-page", "explain-suggestions"}
    tab.page.locator(f"{LINES} a", has_text="brass").first.hover()
    tab.page.locator(".tip", has_text="A stand of brass.").wait_for()
    assert loaded() == {"explain-engine", "explain-page", "explain-suggestions", "explain-tools"}
    tab.page.locator("[id='-from']").select_option("1")
    tab.page.locator(STATUS, has_text="From 1 to 2").wait_for()
    assert {"explain-upgrade", "explain-upgrade-page"} <= loaded()
    tab.page.locator(TEXT).fill("")
    tab.page.locator(TEXT).focus()
    tab.page.evaluate(PASTE, LINE)
    tab.page.locator("[id='-log-status']", has_text="1 line, 1 understood").wait_for()
    assert {"explain-log", "explain-log-page"} <= loaded()


def test_the_first_touch_of_a_word_shows_its_summary(tab: Tab, site: Path) -> None:
    explain(tab, site)
    read(tab, CONFIGURATION, "5 findings")
    link = tab.page.locator(f"{LINES} a", has_text="brass").first
    link.evaluate(TOUCH)
    # the scripts come before the finger is lifted
    tab.page.locator(".tip").wait_for(state="attached")
    link.dispatch_event("click")
    tab.page.locator(".tip", has_text="A stand of brass.").wait_for()
    assert len(tab.page.context.pages) == 1
    link.evaluate(TOUCH)
    with tab.page.expect_popup() as manual:
        link.dispatch_event("click")
    manual.value.close()


def test_what_is_pasted_or_opened_finds_its_place(
    tab: Tab, site: Path, tmp_path: Path
) -> None:
    explain(tab, site)
    tab.page.locator(TEXT).focus()
    tab.page.evaluate(PASTE, LINE)
    tab.page.locator("[id='-log-status']", has_text="1 line, 1 understood").wait_for()
    explain(tab, site)
    files = [tmp_path / "a.cfg", tmp_path / "b.cfg"]
    files[0].write_text("house\n  volts 1\n")
    files[1].write_text("lamp\n  gas\n")
    tab.page.locator("[id='-files']").set_input_files(files)
    tab.page.locator(STATUS, has_text="1 finding").wait_for()
    assert group(tab, "old") == ['b.cfg:2 gas This is deprecated, use "wick" instead.']


@pytest.mark.parametrize(("pasted", "place"), [(CONFIGURATION, TEXT), (LONG_LINE, TEXT)])
def test_the_search_offers_to_explain_what_is_pasted(
    tab: Tab, site: Path, pasted: str, place: str
) -> None:
    tab.open(f"{site.as_uri()}/lamps/2/lamps/2.html")
    tab.page.keyboard.press("/")
    tab.page.locator("dialog [role=listbox]").wait_for(state="attached")
    tab.page.evaluate(PASTE, pasted)
    offer = tab.page.locator("dialog [role=option][aria-selected=true]")
    assert "Explain a configuration or log line" in offer.inner_text()
    tab.page.keyboard.press("Enter")
    tab.arrives(f"{site.as_uri()}/lamps/explain.html?release=2")
    wait_for(lambda: tab.page.locator(place).input_value() == pasted, "the text")
    assert tab.page.evaluate("window.name") == ""


def test_nothing_is_sent_or_kept(open_tab: Tabs, site: Path) -> None:
    tab = open_tab()  # other pages on the disk, which share its storage, keep what was viewed last
    explain(tab, site, "?release=2&from=1")
    read(tab, CONFIGURATION, "7 lines")
    data = [address for address in tab.requested if "/static/" not in address]
    assert {address.removeprefix(f"{site.as_uri()}/lamps/") for address in data} <= {
        "about:blank", "explain.html?release=2&from=1", "1/explain-data.js", "2/explain-data.js",
        "2/steps.js",
    }
    tab.requested.clear()
    read(tab, f"{CONFIGURATION}    gas\n", "8 lines")
    tab.page.keyboard.press("F8")
    assert [address for address in tab.requested if "/static/" not in address] == []
    tab.page.evaluate("location.hash = '-log'")
    tab.page.locator("[id='-log-text']").fill(LINE)
    tab.page.locator(".log-line").wait_for()
    tab.page.evaluate(IDLE)
    stored = "[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"
    assert tab.page.evaluate(stored) == []
    assert "vlots" not in tab.page.evaluate("location.href + document.cookie")


def test_passwords_are_not_printed(tab: Tab, site: Path) -> None:
    explain(tab, site)
    read(tab, "lamp\n  wick password hunter2\n  wick amber\n", "3 lines")
    assert "hunter2" in tab.page.locator(LINES).inner_text()
    tab.page.emulate_media(media="print")
    printed = tab.page.locator("main").inner_text()
    tab.page.emulate_media(media="screen")
    assert "hunter2" not in printed
    assert "wick amber" in printed


HOSTILE = {
    "<script>document.title = 'pwned'</script>\n<img src=x onerror=\"document.title='pwned'\">\n":
        "2 lines",
    "lamp\n wick \"<b>\" 'javascript:alert(1)'\n gas<script>\n": "3 lines",
    "lamp\n\0\1\2\n": "no text has",
    f"lamp {'a' * 200_000}": "too long to be read",
}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_shown_as_text(tab: Tab, site: Path, text: str) -> None:
    explain(tab, site)
    title = tab.page.title()
    read(tab, text, HOSTILE[text])
    assert tab.page.title() == title
    shown = tab.page.locator(f"{LINES} :not(ol, li, a, span, p, code)").count()
    assert shown == 0


@pytest.mark.slow
def test_a_hundred_thousand_lines_leave_the_page_usable(tab: Tab, site: Path) -> None:
    explain(tab, site)
    tab.page.evaluate("""(selector) => {
      const box = document.querySelector(selector);
      box.value = "lamp\\n vlots amber\\n".repeat(50000);
      box.dispatchEvent(new InputEvent("input"));
    }""", TEXT)
    tab.page.locator(STATUS, has_text="Only the first 50,000 lines were read.").wait_for()
    tab.page.locator(f"{LINES} li[id='-line-20000']").wait_for(state="attached")
    assert tab.page.locator(f"{LINES} li").count() == 20_000
    tab.page.keyboard.press("F8")
    wait_for(lambda: shown_line(tab) == "-line-2", "the line of the finding")


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(
    tab: Tab, server: str, size: tuple[int, int], scheme: Literal["light", "dark"]
) -> None:
    tab.resize(size)
    tab.page.emulate_media(color_scheme=scheme)
    for query, text in (("", ""), ("", CONFIGURATION), ("?from=1", CONFIGURATION), ("?from=1", "")):
        tab.open(f"{server}/lamps/explain.html{query}")
        if text:
            read(tab, text, "finding")
        else:
            tab.page.wait_for_timeout(300)
        assert found_by_axe(tab) == [], (query, text)
        assert tab.overflow() == 0
    tab.page.locator("[id='-tab-log']").click()
    tab.page.locator("[id='-log-text']").fill(LINE)
    tab.page.locator(".log-line").wait_for()
    assert found_by_axe(tab) == []
    assert tab.overflow() == 0


def found_by_axe(tab: Tab) -> list[str]:
    options = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
    return [
        f"{violation['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for violation in AXE.run(tab.page, options=options).response["violations"]
        for node in violation["nodes"]
    ]


@pytest.fixture(scope="module")
def firefox_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with firefox(tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


@pytest.mark.slow
def test_firefox_explains_on_the_disk(firefox_browser: Firefox, site: Path) -> None:
    root = site.as_uri()
    firefox_browser.open(f"{root}/lamps/explain.html?release=2")
    firefox_browser.evaluate(
        "const box = document.getElementById('-text'); box.value = arguments[0];"
        "box.dispatchEvent(new InputEvent('input'));", CONFIGURATION,
    )
    status = "return document.getElementById('-status').textContent"
    wait_for(lambda: "5 findings" in str(firefox_browser.evaluate(status)), "findings")
    count = "return document.querySelectorAll('[id=\"-lines\"] a[href^=\"2/lamps/\"]').length"
    assert int(str(firefox_browser.evaluate(count))) > 8
    # what the search hands over
    firefox_browser.evaluate("window.name = 'dconv-explain\\n' + arguments[0]", LINE)
    firefox_browser.open(f"{root}/lamps/explain.html?release=1")
    lines = "return document.querySelectorAll('.log-line').length"
    wait_for(lambda: firefox_browser.evaluate(lines) == 1, "the line that was handed over")
