"""What holds on every page, whoever reads it: from the disk, under its policy, offline,
without scripts, with a finger.  Every tab of `open_tab` complains of other hosts and of
what the policy refuses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import showcase
from bs4 import BeautifulSoup
from chromium import PHONE, Tab, Tabs
from firefox import Firefox, firefox
from programs import wait_for

from dconv.sources.resources import resource_folder

POLICY = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'",
    "img-src": "'self' data:", "font-src": "'self'", "connect-src": "'self'",
    "base-uri": "'none'", "form-action": "'self'",
}
ENTRIES = showcase.PAGES["entries"]
# how the head of a page stays, which only the style sheet says
HEADER_POSITION = "getComputedStyle(document.querySelector('header')).position"
MISSING = showcase.PAGES["missing"]  # only servers show it


# --- what is written ------------------------------------------------------------------


def test_no_page_holds_scripts_styles_or_other_hosts(site_of_all_kinds: Path) -> None:
    for file in site_of_all_kinds.rglob("*.html"):
        page = BeautifulSoup(file.read_text("utf-8"), "html.parser")
        data = 'script[type="application/ld+json"], script[type="text/plain"]:empty'
        for element in page.select(data):
            element.decompose()  # no browser runs them
        assert page.select("style, [style], script:not([src]), iframe, object, embed") == []
        for element in page.find_all(True):
            assert not [name for name in element.attrs if name.startswith("on")], file
        loaded = page.select("script[src], link[rel~=stylesheet], link[rel~=icon], img, source")
        for resource in loaded:
            address = str(resource.get("src") or resource.get("href"))
            if "icon" in resource.get_attribute_list("rel") and address.startswith("data:image/"):
                continue
            if file.name == MISSING:  # shown at any depth, so its addresses begin at the root
                assert address.startswith("/") and not address.startswith("//")
                address = address.removeprefix("/")
            assert not re.match(r"[a-z]+:|/", address), (file, address)
            assert (file.parent / address.partition("?")[0]).exists(), (file, address)
            assert resource.get("type") != "module", "modules are dead on a disk"


def rules(policy: str) -> dict[str, str]:
    """The rules of a policy by their names."""
    parts = (rule.strip().partition(" ") for rule in policy.split(";"))
    return {name: value for name, _, value in parts}


def test_the_policy_is_strict(site_of_all_kinds: Path) -> None:
    for path in showcase.PAGES.values():
        page = BeautifulSoup((site_of_all_kinds / path).read_text("utf-8"), "html.parser")
        policy = page.select_one("meta[http-equiv=Content-Security-Policy]")
        assert policy is not None, path
        assert rules(str(policy["content"])) == POLICY


def test_the_header_that_our_manual_gives_is_the_policy() -> None:
    manual = (resource_folder("manuals") / "dconv" / "manual.txt").read_text("utf-8")
    headers = re.findall(r'Content-Security-Policy "([^"]+)"', manual)
    assert len(headers) == 4
    for header in headers:
        assert rules(header) == {**POLICY, "frame-ancestors": "'none'"}


def test_scripts_ask_for_nothing_that_a_disk_refuses(site_of_all_kinds: Path) -> None:
    content, other_contents = (
        (site_of_all_kinds / path).read_text("utf-8") for path in (MISSING, ENTRIES)
    )
    for file in (site_of_all_kinds / "static").glob("*.js"):
        if f"static/{file.name}" in content and f"static/{file.name}" not in other_contents:
            continue  # only servers show it
        script = file.read_text("utf-8")
        assert not re.search(r"\bfetch\(|XMLHttpRequest|\bimport\(|new Worker|\beval\(", script)


# --- from the disk --------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in showcase.QUICK if name != "missing"])
def test_a_page_is_whole_on_the_disk(tab: Tab, site_of_all_kinds: Path, name: str) -> None:
    tab.open(f"{site_of_all_kinds.as_uri()}/{showcase.PAGES[name]}")
    assert tab.page.evaluate(HEADER_POSITION) != "static", "the style sheet"
    assert tab.page.evaluate("document.documentElement.classList.contains('js')"), "the script"
    missing = [
        address for address in tab.requested
        if address.startswith("file:") and not Path(address.removeprefix("file://")).exists()
    ]
    assert missing == []


@pytest.fixture(scope="module")
def firefox_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with firefox(tmp_path_factory.mktemp("firefox")) as browser:
        yield browser


@pytest.mark.slow
def test_firefox_shows_pages_of_the_disk(firefox_browser: Firefox, site_of_all_kinds: Path) -> None:
    root = site_of_all_kinds.as_uri()
    firefox_browser.open(f"{root}/{ENTRIES}#beacon")
    assert firefox_browser.evaluate("return document.querySelector(':target').id") == "beacon"
    assert firefox_browser.evaluate(f"return {HEADER_POSITION}") != "static"
    wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert firefox_browser.evaluate(wide) == 0


@pytest.mark.slow
def test_firefox_searches_on_the_disk(firefox_browser: Firefox, site_of_all_kinds: Path) -> None:
    root = site_of_all_kinds.as_uri()
    firefox_browser.open(f"{root}/index.html?q=timeout+messenger")
    found = "const one = document.querySelector('dialog[open] [role=option]');" \
        "return one ? one.href : ''"
    wanted = f"{root}/{ENTRIES}#timeout-messenger"
    wait_for(lambda: firefox_browser.evaluate(found) == wanted, wanted)
    firefox_browser.evaluate("document.querySelector('dialog [role=option]').click()")
    wait_for(lambda: firefox_browser.evaluate("return location.href") == wanted, wanted)


@pytest.mark.slow
def test_firefox_follows_old_links_of_the_disk(
    firefox_browser: Firefox, site_of_all_kinds: Path
) -> None:
    root = site_of_all_kinds.as_uri()
    firefox_browser.open(f"{root}/{showcase.PAGES['single-page']}#3.2-timeout%20letter")
    wanted = f"{root}/{ENTRIES}#timeout-letter"
    wait_for(lambda: firefox_browser.evaluate("return location.href") == wanted, wanted)


@pytest.mark.slow
def test_firefox_reloads_at_the_place_where_the_reader_was(
    firefox_browser: Firefox, server_of_all_kinds: str
) -> None:
    firefox_browser.open(f"{server_of_all_kinds}/{ENTRIES}")
    firefox_browser.evaluate("document.getElementById('beacon').scrollIntoView()")
    stored = "return history.state !== null"
    wait_for(lambda: bool(firefox_browser.evaluate(stored)), "the place is stored")
    top = "return Math.round(document.getElementById('beacon').getBoundingClientRect().top)"
    before = firefox_browser.evaluate(top)
    firefox_browser.ask("WebDriver:Refresh")
    wait_for(lambda: bool(firefox_browser.evaluate(top) == before), "the same place")


# --- without scripts ------------------------------------------------------------------


# the text of a page without what scripts bring with them, also where it is not shown yet
TEXT = """() => {
  document.querySelectorAll("main *").forEach((one) => one.style.contentVisibility = "visible");
  document.querySelectorAll("main :is(.js-only, button)").forEach((one) => one.remove());
  return document.querySelector("main").innerText;
}"""


@pytest.mark.slow
def test_without_scripts_pages_are_whole(open_tab: Tabs, server_of_all_kinds: str) -> None:
    """The same text, the system's dark, and no control that is dead."""
    with_scripts, without = open_tab(scheme="dark"), open_tab(scheme="dark", scripts=False)
    for name, path in showcase.PAGES.items():
        texts = []
        for tab in (with_scripts, without):
            tab.open(f"{server_of_all_kinds}/{path}")
            texts.append(tab.page.evaluate(TEXT))
        # the page that explains says that it needs scripts
        assert name in ("missing", "explain") or texts[0] == texts[1], name
        assert without.page.locator("body").evaluate(
            "() => getComputedStyle(document.documentElement).backgroundColor"
        ) == "rgb(18, 22, 27)"
        assert without.page.locator(".js-only:visible, button:visible, input:visible").count() == 0


def test_without_scripts_a_phone_has_its_menu(open_tab: Tabs, server_of_all_kinds: str) -> None:
    tab = open_tab(PHONE, scripts=False, touch=True)
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES['drawings']}")
    menu = tab.page.locator("nav.side")
    assert not menu.is_visible()
    tab.page.locator("a.menu").tap()
    menu.wait_for()
    assert tab.box("nav.side") == {"x": 0, "y": 0, "width": PHONE[0], "height": PHONE[1]}
    for row in menu.locator("li > a").all():
        assert (row.bounding_box() or {"height": 0})["height"] >= 38
    tab.page.locator("nav.side a.close").tap()
    menu.wait_for(state="hidden")
    tab.page.locator("a.menu").tap()
    menu.get_by_text("Times and colours").tap()
    tab.page.wait_for_url(f"{server_of_all_kinds}/{showcase.PAGES['tables']}")
    assert not tab.page.locator("nav.side").is_visible()


def test_without_scripts_another_version_is_two_steps_away(
    open_tab: Tabs, server_of_all_kinds: str
) -> None:
    tab = open_tab(scripts=False)
    tab.open(f"{server_of_all_kinds}/{ENTRIES}")
    tab.page.locator("header .versions summary").click()
    tab.page.locator("header .versions nav").get_by_text("1.5", exact=True).click()
    tab.page.wait_for_url(f"{server_of_all_kinds}/haproxy/1.5/configuration/3.2.html")
    assert tab.page.locator(".banner.unmaintained").is_visible()


# --- on a phone -----------------------------------------------------------------------


def test_code_scrolls_in_its_own_box_and_drawings_shrink(
    open_tab: Tabs, server_of_all_kinds: str
) -> None:
    tab = open_tab(PHONE, touch=True)
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES['drawings']}")
    sizes = tab.page.locator("pre").evaluate_all(
        "(all) => all.map((one) => [one.className, one.scrollWidth - one.clientWidth,"
        " one.getBoundingClientRect().right, parseFloat(getComputedStyle(one).fontSize),"
        " one.tabIndex])"
    )
    assert [widths for widths in sizes if widths[1] > 0], "something is wider than a phone"
    for names, over, right, size, tabs in sizes:
        assert right <= PHONE[0]
        assert size >= 9, "too small to read"
        assert tabs == 0 or over <= 0, "a box that scrolls has no key to it"
        if "drawing" in names:
            assert size < 13, "it has shrunk"
