"""Keyword tables, merged into the entries that they list: links, values, contradictions."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from proof_html import blocks

from dconv.build.read import read_manual
from dconv.linking.keyword_tables import merge_into_entries
from dconv.model.dialect import Dialect, EntryRule
from dconv.model.tree import Entry, Manual, Table, entries, sections
from dconv.model.tree import Reference as Link
from dconv.settings.manual import default_product

GUIDE = """\
1. Road matrix
--------------

 keyword              hill    dale    sea
--------------------+-------+-------+-------
brake           (*)   X       X       X
{row}
option late (*)       X       -       X
turn                  X       X       -
-- keyword ---------- hill -- dale -- sea --
ride hard             -       X       X (!)
unheard               -       X       X
--------------------+-------+-------+-------

2. Road keywords
----------------

brake <force>
no brake
  Slows down.

option late
  Starts late.

  May be used in sections :   hill | dale | sea
                              yes  |  no  | yes

pace <speed>
  Sets the pace.

  May be used in sections :   hill | dale | sea
                              no   |  yes | yes(!)

ride <way>
  Rides on.

turn left
  Turns left.

turn right
  Turns right.

3. Fetching samples
-------------------

  keyword                     input type    output type
----------------------------+-------------+------------
bell([<tone>])                string        boolean
height                        -             int
speed                         -             string
map_road(file)                string        integer
----------------------------+-------------+------------

bell([<tone>])
  Rings.

height : integer
  Is high.

speed : integer
  Is fast.

map_<thing>(<file>)
  Is looked up.
"""

DIALECT = Dialect(
    "road",
    entry_rules=(
        EntryRule("road keyword", re.compile("^Road keywords"), "matrix"),
        EntryRule("sample", re.compile("^Fetching"), "first"),
    ),
)


def guide(row: str) -> Manual:
    product = replace(default_product(), dialect=DIALECT)
    text = GUIDE.replace("{row}", row)
    return merge_into_entries(read_manual(text.encode(), "guide.txt", product, "guide"))


ROWS = {
    "agrees": ("pace                  -       X       X (!)", ""),
    "denies": (
        "pace                  X       X       X (!)",
        "guide.txt:7:23: warning: [matrix-contradiction] the matrix has 'X' for 'pace' in 'hill', "
        "but its entry has 'no' in line 32",
    ),
    "is not named": (
        "pace                  -       X       X",
        "guide.txt:7:39: warning: [matrix-contradiction] the matrix has 'X' for 'pace' in 'sea', "
        "but its entry has 'yes(!)' in line 32",
    ),
}
ALWAYS = [
    "guide.txt:12:1: warning: [matrix-row] the table lists 'unheard', but section 2 has no such "
    "entry",
    "guide.txt:50:45: warning: [matrix-contradiction] the summary gives 'speed' the type 'string', "
    "but its signature has 'integer' in line 60",
]


@pytest.mark.parametrize("case", ROWS)
def test_contradictions_are_findings(case: str) -> None:
    row, message = ROWS[case]
    findings = [str(finding) for finding in guide(row).diagnostics]
    assert findings == [*([message] if message else []), *ALWAYS]


def test_rows_lead_to_their_entries() -> None:
    manual = guide(ROWS["agrees"][0])
    links = {
        part.text: (part.targets[0].anchor, part.line, part.column)
        for section in sections(manual) for table in section.body if isinstance(table, Table)
        for row in table.rows for part in row.cells[0].content if isinstance(part, Link)
    }
    assert links == {
        "brake": ("brake", 6, 1), "pace": ("pace", 7, 1), "option late": ("option-late", 8, 1),
        "turn": ("turn-left", 9, 1), "ride": ("ride", 11, 1), "bell": ("sample.bell", 48, 1),
        "height": ("sample.height", 49, 1), "speed": ("sample.speed", 50, 1),
        "map_road": ("sample.map_thing", 51, 1),
    }


def test_a_row_that_only_other_sections_document_leads_to_each_of_them() -> None:
    other = "\n".join(
        f"{number}. {title} keywords\n-----------------\n\nunheard <what>\n  Is there.\n"
        for number, title in ((4, "Boat"), (5, "Road"))
    )
    product = replace(default_product(), dialect=DIALECT)
    text = GUIDE.replace("{row}", ROWS["agrees"][0]) + "\n" + other
    manual = merge_into_entries(read_manual(text.encode(), "guide.txt", product, "guide"))
    (link,) = [
        part
        for section in sections(manual) for table in section.body if isinstance(table, Table)
        for row in table.rows for part in row.cells[0].content
        if isinstance(part, Link) and part.name == "unheard"
    ]
    assert [target.anchor for target in link.targets] == ["keyword.unheard", "unheard"]
    assert [section for _, section in link.target_labels] == ["Boat keywords", "Road keywords"]
    assert "matrix-row" in [finding.rule for finding in manual.diagnostics]


def entry(name: str) -> Entry:
    manual = guide(ROWS["agrees"][0])
    return next(entry for _, entry in entries(manual) if entry.name == name)


def test_what_an_entry_does_not_say_the_matrix_tells() -> None:
    (table,) = entry("brake").from_tables
    assert (table.name, table.source.anchor) == ("sections", "1")
    assert table.values == (("hill", "yes"), ("dale", "yes"), ("sea", "yes"))
    assert entry("pace").from_tables == entry("option late").from_tables == ()


def test_what_a_signature_does_not_say_the_summary_tells() -> None:
    assert [(table.name, table.values) for table in entry("bell").from_tables] == [
        ("input type", (("string", ""),)), ("output type", (("boolean", ""),)),
    ]
    assert entry("height").from_tables == entry("speed").from_tables == ()


def test_a_part_of_a_row_or_of_a_family_is_no_fact() -> None:
    for name in ("ride", "turn left", "map_<thing>"):
        assert entry(name).from_tables == ()


def test_the_card_shows_them() -> None:
    shown = blocks((entry("brake"), entry("bell")))
    chips = '<span class="chips"><span class="yes">'
    assert f"<dt data-added>Sections</dt><dd data-added>{chips}" in shown
    assert '<a href="dconv:guide#1" class="from">as the matrix says</a></dd>' in shown
    assert "<dt data-added>Output type</dt><dd data-added>boolean</dd>" in shown


def test_a_table_of_other_things_is_left_alone() -> None:
    text = GUIDE.replace("brake  ", "shoes  ").replace("option late (*)", "hat            ")
    text = text.replace("turn   ", "gloves ").replace("ride hard", "scarf    ")
    product = replace(default_product(), dialect=DIALECT)
    manual = read_manual(text.replace("{row}\n", "").encode(), "guide.txt", product, "g")
    rules = [finding.rule for finding in merge_into_entries(manual).diagnostics]
    assert rules == ["matrix-contradiction"]


def test_again_is_the_same() -> None:
    manual = guide(ROWS["agrees"][0])
    assert merge_into_entries(manual).sections == manual.sections
