"""Contrast of the default theme, computed from its tokens as a browser has them.

axe-core says nothing if the ground is a gradient, as below code; this knows which token is on
which.  Ratios are those of WCAG 2.2, 1.4.3 and 1.4.11:
https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
"""

from __future__ import annotations

import re

import pytest
import showcase
from chromium import Scheme, Tab

from dconv.sources.resources import resource_folder
from dconv.writers.theme.contrast import contrast

STYLE = (resource_folder("themes") / "default" / "static" / "style.css").read_text("utf-8")
# the tokens that are colours: "--fg: #1a2028"
TOKEN = re.compile(r"--([a-z][a-z0-9-]*):\s*#[0-9a-f]{3,6}\b")
# a colour that is not a token: "#fff", "rgb(20 30 45 / .16)", ": white"
LITERAL = re.compile(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|lch|color)a?\([^)]*\)|:\s*(?:white|black)\b")
OUTSIDE = re.compile(r"(?s)(?<=\n)@layer (?:tokens|print) \{.*?\n\}(?=\n\n|\n*\Z)")
BACKDROP = "rgb(10 14 20 / .45)"  # dims a page after a dialog, light or dark

TEXT, STRONG, SHAPE = 4.5, 7.0, 3.0
GROUNDS = ("bg", "soft", "hover")
TEXTS = ("fg", "fg2", "fg3", "link")
CODE = ("c-dir", "c-sec", "c-var", "c-str", "c-num", "c-op", "c-com")
# what is on what, and the least contrast that it needs
PAIRS = (
    *((text, ground, TEXT) for text in TEXTS for ground in GROUNDS),
    *((text, "bg", STRONG) for text in ("fg", "fg2", "ok", "warn")),
    *((code, ground, TEXT) for code in CODE for ground in ("bg", "soft")),
    *((text, "sel", TEXT) for text in ("fg", "fg2", "link")),
    ("ok", "okbg", TEXT), ("ok", "soft", TEXT),
    ("fg", "warnbg", TEXT), ("fg2", "warnbg", TEXT), ("link", "warnbg", TEXT),
    ("warn", "warnbg", TEXT), ("warn", "soft", TEXT),
    ("edge", "bg", SHAPE), ("edge", "soft", SHAPE),
    ("bar", "bg", SHAPE), ("bar", "soft", SHAPE), ("bar", "sel", SHAPE), ("bar", "warnbg", SHAPE),
    ("bar", "hover", SHAPE),
)  # fmt: skip

# the colours of all elements of a page that hold text
PRINTED = """() => [...new Set([...document.querySelectorAll("main *, .foot *")]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
    && one.checkVisibility())
  .map((one) => getComputedStyle(one).color))].map((one) => one.match(/\\d+/g).map(Number))"""


def tokens(tab: Tab, choice: str = "") -> dict[str, str]:
    """The colours on the page that is shown, where its reader chose a theme or none."""
    ratio: dict[str, str] = tab.page.evaluate(
        """([choice, names]) => {
          const root = document.documentElement;
          if (choice) root.dataset.theme = choice; else delete root.dataset.theme;
          const style = getComputedStyle(root);
          return Object.fromEntries(names.map((one) => [one, style.getPropertyValue("--" + one)]));
        }""",
        [choice, sorted({*TOKEN.findall(STYLE)})],
    )
    return {name: value.strip() for name, value in ratio.items()}


@pytest.fixture(autouse=True)
def shown(tab: Tab, server_of_all_kinds: str) -> None:
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES['section']}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_is_read_on_every_ground(tab: Tab, scheme: Scheme) -> None:
    tab.page.emulate_media(color_scheme=scheme)
    table = tokens(tab)
    low = [
        f"{text} on {ground}: {ratio:.2f}, wanted {wanted}"
        for text, ground, wanted in PAIRS
        if (ratio := contrast(table[text], table[ground]) or 0) < wanted
    ]
    assert low == []


def test_a_chosen_theme_is_that_of_the_system(tab: Tab) -> None:
    light = tokens(tab)
    assert tokens(tab, "light") == light
    chosen = tokens(tab, "dark")
    tab.page.emulate_media(color_scheme="dark")
    assert tokens(tab) == tokens(tab, "dark") == chosen
    assert tokens(tab, "light") == light
    assert [name for name in light if light[name] == chosen[name]] == []


@pytest.mark.parametrize("choice", ["", "light", "dark"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_read_whatever_was_chosen(
    tab: Tab, server_of_all_kinds: str, scheme: Scheme, choice: str
) -> None:
    tab.page.emulate_media(media="print", color_scheme="light")
    paper = tokens(tab)
    tab.page.emulate_media(media="print", color_scheme=scheme)
    assert tokens(tab, choice) == paper
    for name in ("section", "rules", "entries", "over"):
        tab.open(f"{server_of_all_kinds}/{showcase.PAGES[name]}")
        tokens(tab, choice)
        colours: list[list[int]] = tab.page.evaluate(PRINTED)
        assert colours, "some text is printed"
        for red, green, blue in colours:
            ratio = contrast(f"#{red:02x}{green:02x}{blue:02x}", "#ffffff")
            assert ratio is not None and ratio >= TEXT


def test_every_colour_is_a_token_that_is_checked(tab: Tab) -> None:
    paired = {name for text, ground, _ in PAIRS for name in (text, ground)}
    assert tokens(tab).keys() - paired == {"line", "okln", "warnln"}, "they only decorate"
    outside = OUTSIDE.sub("", STYLE)
    assert "@layer parts {" in outside and "@layer tokens {" not in outside
    assert {*LITERAL.findall(outside)} <= {BACKDROP}
