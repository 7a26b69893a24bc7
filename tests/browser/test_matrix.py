"""Matrices as readers have them: heads that stay, a filter, all of it without scripts."""

from __future__ import annotations

import pytest
import showcase
from chromium import DESKTOP, PHONE, Tab, Tabs

ROWS = "table.matrix tbody tr"
MATRIX_PAGE = showcase.PAGES["matrix"]


def shown(tab: Tab) -> list[str]:
    """The names of the rows that are shown."""
    return tab.page.locator(f"{ROWS}:visible th a").all_text_contents()


def test_names_and_columns_choose_rows_together(open_tab: Tabs, server_of_all_kinds: str) -> None:
    tab = open_tab()
    tab.open(f"{server_of_all_kinds}/{MATRIX_PAGE}")
    every = shown(tab)
    status = tab.page.locator(".filter output")
    assert len(every) == 21 and status.inner_text() == "21"
    field = tab.page.locator(".filter input[type=search]")
    for words in ("TIME mess", "timeout_messenger", "Timeout-MESS"):
        field.fill(words)
        assert shown(tab) == ["timeout messenger"]
    assert status.inner_text() == "1 of 21"
    field.fill("qqq")
    assert shown(tab) == [] and status.inner_text() == "0 of 21"
    field.fill("")
    columns = tab.page.locator(".filter input[type=checkbox]")
    assert columns.count() == 4
    columns.nth(0).check()
    columns.nth(1).check()
    both = shown(tab)
    assert both == ["answer-with", "bundle", "cover-format", "fold", "ink", "lull", "option bell",
                    "timeout letter"]
    field.fill("letter")
    assert shown(tab) == ["timeout letter"]
    field.fill("")
    columns.nth(0).uncheck()
    columns.nth(1).uncheck()
    assert shown(tab) == every


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_head_stays_above_the_rows(
    open_tab: Tabs, server_of_all_kinds: str, size: tuple[int, int]
) -> None:
    tab = open_tab((size[0], 420))
    tab.open(f"{server_of_all_kinds}/{MATRIX_PAGE}")
    tab.page.locator(ROWS).last.scroll_into_view_if_needed()
    head = tab.box("table.matrix thead th >> nth=1")
    last = tab.page.locator(ROWS).last.bounding_box()
    assert last is not None
    assert tab.box("header.top")["height"] - 1 <= head["y"] < last["y"]
    assert head["y"] + head["height"] <= last["y"] + 1


def test_the_table_is_whole_without_scripts(open_tab: Tabs, server_of_all_kinds: str) -> None:
    tab = open_tab(PHONE, scripts=False)
    tab.open(f"{server_of_all_kinds}/{MATRIX_PAGE}")
    assert len(shown(tab)) == 21
    assert not tab.page.locator(".filter").is_visible()
    assert tab.page.locator("table.matrix caption").count() == 1
    assert {*tab.page.locator("table.matrix th").evaluate_all(
        "(all) => all.map((one) => one.scope)"
    )} == {"col", "row"}


@pytest.mark.parametrize(("width", "rows"), [(390, 1), (320, 2)])
def test_the_filter_is_tidy_on_a_phone(
    open_tab: Tabs, server_of_all_kinds: str, width: int, rows: int
) -> None:
    """The four boxes are in one row or two, the count beside the field."""
    tab = open_tab((width, 844), touch=True)
    tab.open(f"{server_of_all_kinds}/{MATRIX_PAGE}")
    labels = tab.page.locator(".filter fieldset label").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().top)"
    )
    assert [labels.count(top) for top in sorted(set(labels))] == [4 // rows] * rows
    field, count = tab.box(".filter [type=search]"), tab.box(".filter output")
    assert field["y"] <= count["y"] <= field["y"] + field["height"]
    assert tab.overflow() <= 0
