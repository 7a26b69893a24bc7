"""Backlinks: the places that mention an entry, in two small manuals of a release."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from proof_html import blocks

from dconv.build.read import read_manual
from dconv.linking.backlinks import with_backlinks
from dconv.linking.link import link
from dconv.linking.symbols import collect_symbols
from dconv.model.dialect import Dialect, EntryRule, Syntax
from dconv.model.tree import Entry, Manual, entries, sections
from dconv.settings.manual import default_product

GUIDE = """\
1. About
--------

Set "pace" or "brake"; "pace" is better.

2. Rider keywords
-----------------

  keyword          hill  dale  sea
-----------------+-----+-----+----
brake               X     X     X
pace                -     X     X
-----------------+-----+-----+----

brake <force>
no brake
  Slows down, as "brake" says.

pace <speed>
  Sets the pace.

  Arguments :
    slow  is slower than "brake"

  See also : "brake"

  Example :
        listen road
            pace 5
            brake 3

ride <way>
  Rides at the "pace slow" or with "no brake".

  Example :
        listen road
            brake 3
"""

HANDBOOK = """\
1. Commands
-----------

show riders
  Shows what "pace" they have.
"""

DIALECT = Dialect(
    "road",
    entry_rules=(
        EntryRule("rider keyword", re.compile("^Rider"), "matrix"),
        EntryRule("command", re.compile("^Commands")),
    ),
    bare_kinds=("rider keyword",),
    syntax=Syntax(sections={"listen": ("rider keyword",)}),
    code_language="haproxy",
    code_line=re.compile("listen "),
)


def release() -> list[Manual]:
    product = replace(default_product(), dialect=DIALECT)
    manuals = [
        read_manual(text.encode(), f"{name}.txt", product, name)
        for name, text in {"guide": GUIDE, "handbook": HANDBOOK}.items()
    ]
    symbols = collect_symbols([(manual, f"{manual.name}.txt") for manual in manuals], DIALECT)
    return with_backlinks([link(manual, symbols, DIALECT) for manual in manuals])


def entry(name: str) -> Entry:
    matches = [entry for manual in release() for _, entry in entries(manual) if entry.name == name]
    assert len(matches) == 1
    return matches[0]


def backlinks(name: str, *, in_example: bool) -> list[str]:
    return [
        f"{link.section} {link.name} {link.source.document}#{link.source.anchor}"
        for link in entry(name).backlinks
        if link.in_example == in_example
    ]


def test_each_place_counts_once_and_in_the_order_of_the_text() -> None:
    assert backlinks("pace", in_example=False) == [
        "1 About guide#1", "2 ride guide#ride",
        "handbook 1 show riders handbook#command.show-riders",
    ]


def test_neither_tables_of_everything_nor_the_entry_itself_count() -> None:
    assert backlinks("brake", in_example=False) == [
        "1 About guide#1", "2 pace guide#pace", "2 ride guide#ride",
    ]


def test_examples_stand_apart() -> None:
    assert backlinks("brake", in_example=True) == ["2 pace guide#pace", "2 ride guide#ride"]
    assert backlinks("pace", in_example=True) == []


def test_what_nobody_mentions_has_none() -> None:
    assert entry("ride").backlinks == ()
    assert "backlinks" not in blocks((entry("ride"),))


def test_a_page_shows_two_lists_by_section() -> None:
    shown = blocks((entry("brake"),))
    assert shown.endswith(
        '<p class="backlinks" data-added>Also mentioned in: 1 <a href="dconv:guide#1">About</a>; '
        '2 <a href="dconv:guide#pace">pace</a>, <a href="dconv:guide#ride">ride</a></p>\n'
        '<p class="backlinks" data-added>Used in examples: '
        '2 <a href="dconv:guide#pace">pace</a>, <a href="dconv:guide#ride">ride</a></p>\n'
        "</section>\n"
    )


def test_a_long_list_is_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dconv.writers.html.backlinks.MAX_UNFOLDED", 2)
    assert (
        '<details class="backlinks" data-added><summary>Also mentioned in (3)</summary>'
        '1 <a href="dconv:guide#1">About</a>; '
    ) in blocks((entry("brake"),))


def test_again_is_the_same() -> None:
    manuals = release()
    assert with_backlinks(manuals) == manuals
    assert sum(1 for _ in sections(manuals[0])) == 2
