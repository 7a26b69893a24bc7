"""Every kind of page for every reader: axe-core, contrast, zoom, forced colours, keys.

The points are those of WCAG 2.2, level AA, and axe-core's best practices.
"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
import showcase
from axe_playwright_python.sync_playwright import Axe
from chromium import DESK, PHONE, Tab, Tabs

from dconv.pages.page import Kind

AXE = Axe()
COLOURS = ("color-contrast", "link-in-text-block")  # the rules that see what is dark


def findings(tab: Tab, rules: tuple[str, ...] = ()) -> list[str]:
    """What axe-core finds on the page that is shown, a line each; by all rules or some."""
    options: dict[str, object] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = rules
    return [
        f"{one['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for one in AXE.run(tab.page, options=options).response["violations"]
        for node in one["nodes"]
    ]


def in_both_schemes(tab: Tab) -> list[str]:
    """What is found in light, and of the colours in dark."""
    tab.page.emulate_media(color_scheme="light")
    found = [f"light: {one}" for one in findings(tab)]
    tab.page.emulate_media(color_scheme="dark")
    return found + [f"dark: {one}" for one in findings(tab, COLOURS)]


@pytest.mark.parametrize("name", showcase.PAGES)
def test_axe_finds_nothing(open_tab: Tabs, server_of_all_kinds: str, name: str) -> None:
    tab = open_tab(DESK)
    tab.open(f"{server_of_all_kinds}/{showcase.PAGES[name]}")
    assert "\n".join(in_both_schemes(tab)) == ""
    tab.resize(PHONE)
    assert "\n".join(in_both_schemes(tab)) == ""


def test_every_kind_of_page_is_among_them(site_of_all_kinds: Path) -> None:
    shown = {showcase.kind(site_of_all_kinds / path) for path in showcase.PAGES.values()}
    written = {showcase.kind(file) for file in site_of_all_kinds.rglob("*.html")} - {""}
    assert shown == written == {*get_args(Kind)} - {"latest"}
