"""Every kind of page for every reader: axe-core, zoom, forced colours, keys alone.

What is asked for is WCAG 2.2, level AA, and axe-core's best practices.
"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
import showcase
from axe_playwright_python.sync_playwright import Axe
from chromium import DESKTOP, PHONE, Tab, Tabs
from programs import served

from dconv.cli import main
from dconv.writers.pages.page import Kind

AXE = Axe()
# places of pages: in a card, in a text, far below, in a list
ANCHORS = {
    "entries": ("allot", "allot.fewest", "beacon", "timeout-messenger"),
    "index": ("-letter-c", "carry", "bow"),
    "single-page": ("allot", "allot.fewest", "1.2", "timeout-messenger", "5"),
}
# parts that are skipped out of sight have guessed heights there, and would seem to overlap
SHOW_ALL_SCRIPT = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { content-visibility: visible !important; }");
  document.adoptedStyleSheets.push(sheet);
}"""
COLOURS = ("color-contrast", "link-in-text-block")  # the rules that see what is dark


def findings(tab: Tab, rules: tuple[str, ...] = ()) -> list[str]:
    """What axe-core finds on the page that is shown, a line each; by all rules or some."""
    options: dict[str, object] = {
        "resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}
    }
    if rules:
        options["runOnly"] = rules
    return [
        f"{violation['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for violation in AXE.run(tab.page, options=options).response["violations"]
        for node in violation["nodes"]
    ]


def in_both_schemes(tab: Tab) -> list[str]:
    """What is found in light, and of the colours in dark."""
    tab.page.evaluate(SHOW_ALL_SCRIPT)
    tab.page.emulate_media(color_scheme="light")
    light_findings = [f"light: {finding}" for finding in findings(tab)]
    tab.page.emulate_media(color_scheme="dark")
    return light_findings + [f"dark: {finding}" for finding in findings(tab, COLOURS)]


@pytest.mark.parametrize("name", showcase.QUICK)
def test_a_page_is_accessible_and_fits_every_window(
    tab: Tab, server_of_all_kinds: str, name: str
) -> None:
    """One load: the structure of the page, axe-core in light, and no window is too narrow."""
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES[name]}")
    assert tab.page.evaluate(STRUCTURE) == []
    tab.page.evaluate(SHOW_ALL_SCRIPT)
    assert "\n".join(findings(tab)) == ""
    assert overflows(tab) == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", showcase.PAGES)
def test_a_page_is_accessible_in_both_schemes_and_sizes(
    tab: Tab, server_of_all_kinds: str, name: str
) -> None:
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES[name]}")
    assert tab.page.evaluate(STRUCTURE) == []
    assert "\n".join(in_both_schemes(tab)) == ""
    tab.resize(PHONE)
    assert "\n".join(in_both_schemes(tab)) == ""
    assert overflows(tab) == {}


def test_every_kind_of_page_is_among_them(site_of_all_kinds: Path) -> None:
    shown = {showcase.kind(site_of_all_kinds / showcase.PAGES[name]) for name in showcase.QUICK}
    written = {showcase.kind(file) for file in site_of_all_kinds.rglob("*.html")} - {""}
    # `latest` redirects at once
    assert shown == written == {*get_args(Kind)} - {"latest"}


def test_axe_finds_nothing_in_changes(tab: Tab, tmp_path: Path) -> None:
    new = showcase.TEXTS / "configuration.txt"
    text = new.read_text()
    old = tmp_path / "old.txt"
    old.write_text(text.replace("lantern", "lamp").replace("\nbeacon ", "\nbeam "))
    report = tmp_path / "report" / "changes.html"
    assert main(["diff", str(old), str(new), "--format", "html", "-o", str(report)]) == 1
    with served(report.parent) as address:
        tab.open(f"{address}/changes.html")
        tab.page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
        assert "\n".join(in_both_schemes(tab)) == ""
        assert tab.page.evaluate(STRUCTURE) == []
        assert overflows(tab) == {}


# --- the search, open -----------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_axe_finds_nothing_in_the_search(
    tab: Tab, server_of_all_kinds: str, size: tuple[int, int]
) -> None:
    tab.resize(size)
    for words in ("timeout", "beaconqqqqqqq", "messengers sleep"):
        tab.open(f"{server_of_all_kinds}/{showcase.PAGES['entries']}?q={words}")
        tab.page.locator("dialog[open] [role=option]").first.wait_for()
        assert "\n".join(in_both_schemes(tab)) == "", words


# --- structure ------------------------------------------------------------------------

# what is wrong with the structure of a page, in words
STRUCTURE = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)], wrong = [];
  const start = (one) => one.outerHTML.slice(0, 120);
  if (all("h1").length !== 1) wrong.push("not one h1");
  if (all("main").length !== 1 || all("body > header").length !== 1) wrong.push("landmarks");
  for (const one of all("nav:not([aria-label]):not([aria-labelledby])"))
    wrong.push("a nav without a name: " + start(one));
  for (const one of all("section.entry")) {
    const head = one.querySelector("h1, h2, h3, h4, h5, h6");
    if (!head || !head.matches(".name")) wrong.push("an entry without its heading: " + start(one));
  }
  for (const one of all("th:not([scope])")) wrong.push("th without scope: " + start(one));
  for (const one of all(".matrix td.yes, .matrix td.no, .chips > li"))
    if (!one.textContent.trim()) wrong.push("a colour that says all: " + start(one));
  for (const one of all(".chips > .no"))
    if (!one.querySelector(".hidden")) wrong.push("no words for what is struck: " + start(one));
  for (const one of all("main p > a, main li p a, dd p a"))
    if (!one.matches(".self, .pager a, nav a") &&
        !getComputedStyle(one).textDecorationLine.includes("underline"))
      wrong.push("a link in prose without a line: " + start(one));
  for (const one of all("*")) {
    const style = getComputedStyle(one);
    if (style.transitionDuration !== "0s" || style.animationName !== "none" ||
        style.scrollBehavior !== "auto") wrong.push("something moves: " + start(one));
  }
  return wrong;
}"""


def test_titles_say_the_place_first(tab: Tab, server_of_all_kinds: str) -> None:
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES['entries']}")
    section = "3.2 Alphabetically sorted keywords reference"
    assert tab.page.title() == f"{section} - Configuration Manual - HAProxy 3.4"


# --- sizes ----------------------------------------------------------------------------

SIZES = {
    "desktop": DESKTOP, "laptop": (1100, 800), "tablet": (820, 1180), "phone": PHONE,
    "400 %": (320, 256),  # of 1280 x 1024, WCAG's measure for reflow
}


def overflows(tab: Tab) -> dict[str, int]:
    """How many pixels the page is wider than its window, in the sizes where it is."""
    pixels = {}
    for size in SIZES:
        tab.resize(SIZES[size])
        pixels[size] = tab.overflow()
    tab.resize((1280, 1024))
    tab.page.evaluate("document.documentElement.style.fontSize = '200%'")
    pixels["200 % of text"] = tab.overflow()
    return {size: number for size, number in pixels.items() if number}


def test_the_list_of_versions_is_in_the_window(tab: Tab, server_of_all_kinds: str) -> None:
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES['entries']}")
    tab.page.locator(".top .versions > summary").click()
    notes = "(all) => all.forEach((one) => one.append(' nearest: a place with a long title'))"
    tab.page.locator(".top .versions li").evaluate_all(notes)
    for width in (280, 390, 833, 1025, 1440):
        tab.resize((width, 600))
        box, button = tab.box(".top .versions > nav"), tab.box(".top .versions > summary")
        assert box["x"] >= 0 and box["x"] + box["width"] <= width, width
        assert box["y"] + box["height"] <= 600, width
        assert box["x"] - 8 <= button["x"] + button["width"] <= box["x"] + box["width"], width


# --- keys alone -----------------------------------------------------------------------

# where the focus is, whether it can be seen, and what covers it
FOCUS = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const style = getComputedStyle(one), boxes = [...one.getClientRects()];
  const seen = boxes.some((box) => {
    const x = Math.min(Math.max(box.left + box.width / 2, 1), innerWidth - 1);
    const y = Math.min(Math.max(box.top + box.height / 2, 1), innerHeight - 1);
    const top = document.elementFromPoint(x, y);
    return top && (one.contains(top) || top.contains(one));
  });
  return {
    start: one.outerHTML.slice(0, 100),
    ring: style.outlineStyle === "solid" && parseFloat(style.outlineWidth) >= 2,
    seen: seen,
    inside: boxes.some((box) => box.bottom > 0 && box.top < innerHeight),
  };
}"""
STEPS = 60
# what covers the heading, or the first line, of an element
COVERED = """(id) => {
  const one = document.getElementById(id);
  const head = one.matches("section") ? one.querySelector('h1, h2, h3, h4, h5, h6') : one;
  const box = head.getBoundingClientRect();
  const above = document.elementFromPoint(box.left + 6, box.top + Math.min(box.height, 24) / 2);
  return above === null ? "the window's edge" :
    head.contains(above) || above.contains(head) ? "" : above.outerHTML.slice(0, 120);
}"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["site", "entries", "matrix", "index", "drawings"])
def test_the_focus_is_always_seen(open_tab: Tabs, server_of_all_kinds: str, name: str) -> None:
    tab = open_tab((1100, 600))
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES[name]}")
    walked = []
    for _ in range(STEPS):
        tab.page.keyboard.press("Tab")
        focus = tab.page.evaluate(FOCUS)
        if focus is None:
            break
        walked.append(focus)
    assert "Skip to the text" in walked[0]["start"]
    assert len(walked) > 5
    assert [
        state for state in walked if not (state["ring"] and state["seen"] and state["inside"])
    ] == []


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1100, 420), (390, 420)])
def test_the_focus_is_seen_while_tabbing_upwards_in_a_matrix(
    open_tab: Tabs, server_of_all_kinds: str, size: tuple[int, int]
) -> None:
    tab = open_tab(size)
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES['matrix']}")
    rows = tab.page.locator(".matrix tbody th a")
    rows.last.focus()
    for _ in range(rows.count() - 1):
        tab.page.keyboard.press("Shift+Tab")
        focus = tab.page.evaluate(FOCUS)
        assert focus["seen"] and focus["inside"], focus["start"]
    assert rows.first.evaluate("(one) => one === document.activeElement")


def test_the_first_key_skips_to_the_text(open_tab: Tabs, server_of_all_kinds: str) -> None:
    tab = open_tab()
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES['entries']}")
    assert tab.box("a.skip")["y"] < 0
    tab.page.keyboard.press("Tab")
    assert 0 <= tab.box("a.skip")["y"] < 60
    tab.page.keyboard.press("Enter")
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
@pytest.mark.parametrize("name", ["entries", "index", "single-page"])
def test_the_target_of_a_link_is_not_covered_by_sticky_heads(
    open_tab: Tabs, server_of_all_kinds: str, name: str, size: tuple[int, int]
) -> None:
    tab = open_tab(size)
    address = f"{server_of_all_kinds}/{showcase.PAGES[name]}"
    address += "?one" if name == "single-page" else ""
    for anchor in ANCHORS[name]:
        tab.open(f"{address}#{anchor}")
        assert tab.top(f"[id='{anchor}']") < size[1] / 2, anchor
        assert tab.page.evaluate(COVERED, anchor) == "", anchor


# --- tables ---------------------------------------------------------------------------

# a table that is a little wider than text
WIDE = """() => {
  const box = [...document.querySelectorAll('main .table:not(.wide)')][0];
  box.querySelector('td').style.cssText = 'min-width: 24rem';
  const style = getComputedStyle(box);
  return {scrolls: box.scrollWidth > box.clientWidth, width: box.clientWidth,
    fades: style.backgroundImage.includes('gradient')};
}"""


def test_a_table_uses_the_room_that_is_there_and_else_fades(
    tab: Tab, server_of_all_kinds: str
) -> None:
    address = f"{server_of_all_kinds}/{showcase.PAGES['logs']}"
    for width, scrolls in ((1280, False), (390, True)):
        tab.resize((width, 844))
        tab.open(address)
        box = tab.page.evaluate(WIDE)
        assert box["scrolls"] is scrolls, box
        assert box["fades"] and tab.overflow() <= 0


def test_the_bar_at_a_row_leaves_its_name_to_read(tab: Tab, server_of_all_kinds: str) -> None:
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES['logs']}")
    row = tab.page.locator("main tr[id]").first
    tab.page.evaluate("id => location.hash = id", row.get_attribute("id"))
    assert "inset" in row.evaluate("row => getComputedStyle(row).boxShadow")
    assert row.locator(":scope > *").first.evaluate(
        "cell => parseFloat(getComputedStyle(cell).paddingLeft)"
    ) > 5
    name = row.locator("th")
    assert name.evaluate("cell => getComputedStyle(cell).fontFamily").find("mono") >= 0
    assert int(name.evaluate("cell => getComputedStyle(cell).fontWeight")) >= 600


# --- forced colours -------------------------------------------------------------------


def test_forced_colours_keep_what_matters(open_tab: Tabs, server_of_all_kinds: str) -> None:
    tab = open_tab(scheme="dark", forced_colours=True)  # its colours are as far from ours as can be
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES['entries']}#beacon")
    assert tab.page.evaluate("matchMedia('(forced-colors: active)').matches")
    line = "(one) => [getComputedStyle(one).borderTopStyle, getComputedStyle(one).borderTopWidth]"
    for chip in ("yes", "no"):
        style, width = tab.page.locator(f"#beacon .chips > .{chip}").first.evaluate(line)
        assert style in ("solid", "dashed") and width == "1px"
    marked = "(one) => parseFloat(getComputedStyle(one).outlineWidth) > 0 && " \
        "getComputedStyle(one).outlineStyle !== 'none'"
    assert tab.page.locator("#beacon > .name").evaluate(marked), "where one has landed"
    assert tab.page.locator(".side [aria-current]").evaluate(marked), "where one is"
    assert tab.page.locator("pre").first.evaluate(
        "(one) => getComputedStyle(one).backgroundImage === 'none'"
    ), "system's text on our own ground"
    tab.page.keyboard.press("/")
    tab.page.keyboard.type("beacon")
    # results are drawn again while words arrive: look up each time which is chosen
    tab.page.wait_for_function(f"""() => {{
        const chosen = document.querySelector("dialog[open] [aria-selected=true]");
        return chosen && ({marked})(chosen);
    }}""")
    as_around = "(all) => all.every((one) => " \
        "getComputedStyle(one).color === getComputedStyle(one.parentNode).color)"
    assert tab.page.locator("dialog[open] mark").evaluate_all(as_around)


@pytest.mark.slow
def test_forced_colours_show_the_states_of_buttons(
    open_tab: Tabs, server_of_all_kinds: str
) -> None:
    tab = open_tab(PHONE, forced_colours=True)
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES['drawings']}")
    button = tab.page.locator("button.theme")
    seen = set()
    for name in ("light", "dark", "auto"):
        button.click()
        tab.page.locator(f"button.theme[aria-label='Theme: {name}']").wait_for()
        seen.add(button.screenshot())
    assert len(seen) == 3, "each theme has an image of its own"
    wrap = tab.page.locator("main pre").first.evaluate_handle(
        """(one) => {
          one.scrollIntoView();
          const bar = document.createElement("span");
          bar.className = "tools wide";
          bar.innerHTML = '<button class="wrap-toggle">Wrap</button>';
          one.append(bar);
          return bar.firstChild;
        }"""
    )
    outline = "(one, pressed) => (one.setAttribute('aria-pressed', pressed)," \
        " getComputedStyle(one).outlineStyle)"
    assert [wrap.evaluate(outline, pressed) for pressed in ("false", "true")] == ["none", "solid"]


@pytest.mark.parametrize("size", [DESKTOP, (820, 1180), PHONE])
def test_releases_lead_to_their_documents_by_whole_words(
    tab: Tab, server_of_all_kinds: str, size: tuple[int, int]
) -> None:
    """In columns where there is room, else below the version, with their titles."""
    tab.resize(size)
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES['product']}")
    row = tab.page.locator(".releases tbody tr").first
    links = row.locator(".document a:visible")
    assert links.count() == row.locator(".document a").count() > 0
    assert tab.overflow() <= 0
    below = tab.top(".releases .document a") > tab.top(".releases tbody th a") + 8
    assert below == (size != DESKTOP)
    assert links.first.locator(".release").is_visible() == (size == DESKTOP)
    broken = tab.page.locator(".releases :is(th, td):visible").evaluate_all(
        "(all) => all.filter((one) => { one.style.overflowWrap = 'normal';"
        " return one.scrollWidth > one.clientWidth; }).map((one) => one.textContent)"
    )
    assert broken == []


def test_long_words_of_the_list_of_sections_are_whole(tab: Tab, server_of_all_kinds: str) -> None:
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES['logs']}")
    cut = tab.page.locator("nav.side li > a").evaluate_all(
        "(all) => all.filter((one) => one.scrollWidth > one.clientWidth ||"
        " one.getBoundingClientRect().right > one.closest('nav').getBoundingClientRect().right)"
        ".map((one) => one.textContent)"
    )
    assert cut == []


# --- large letters --------------------------------------------------------------------

# what is out of the window, of a part of the page; what is folded away has no place in it
OUTSIDE = """(part) => [...document.querySelectorAll(`${part}, ${part} *`)].filter((one) => {
  if (one.closest("details:not([open]) > :not(summary)")) return false;
  const box = one.getBoundingClientRect();
  return box.width && (box.left < -1 || box.right > document.documentElement.clientWidth + 1);
}).map((one) => one.outerHTML.slice(0, 80))"""


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 320])
@pytest.mark.parametrize("name", showcase.PAGES)
def test_double_text_size_fits_the_window(
    open_tab: Tabs, server_of_all_kinds: str, name: str, width: int
) -> None:
    tab = open_tab((width, 844))
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES[name]}")
    tab.page.evaluate("document.documentElement.style.fontSize = '32px'")
    assert tab.overflow() <= 0
    assert tab.page.evaluate(OUTSIDE, ".top") == []
    assert tab.box(".skip")["y"] + tab.box(".skip")["height"] <= 0
    versions = tab.page.locator(".top .versions > summary")
    if versions.count():
        versions.click()
        assert tab.page.evaluate(OUTSIDE, ".top") == []


@pytest.mark.slow
def test_the_search_fits_the_window_at_double_text_size(
    open_tab: Tabs, server_of_all_kinds: str
) -> None:
    tab = open_tab((320, 844))
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES['entries']}?q=timeout")
    tab.page.evaluate("document.documentElement.style.fontSize = '32px'")
    tab.page.locator("dialog[open] [role=option]").first.wait_for()
    tab.page.locator("dialog[open] .result-count", has_text="result").wait_for()
    assert tab.page.evaluate(OUTSIDE, "dialog") == []
