"""Tables lose no word, whatever surrounds or damages them; `tests/spec` shows what is read."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from format_examples import SPECS
from hypothesis import given
from hypothesis import strategies as st

from dconv.model.anchors import Anchors
from dconv.model.dialect import Dialect
from dconv.model.source import read_source
from dconv.model.tree import Argument, Reference, Row, Span, Table, plain_text
from dconv.readers.text.region import Context, Region
from dconv.readers.text.rules.tables import TABLES

# TCP of `name   TCP: Con Ses   HTTP: Req`
GROUP = re.compile(r"\b(\w+): ")
RULE = re.compile(r"[-=]{3,}")
EXAMPLES = [spec.text for spec in SPECS if spec.path.name == "tables-styles.test"]
PIPES = b"A   | B\n----+----\na   | b\nc   | d\n"


def region(content: bytes) -> Region:
    """The region of a whole text."""
    source = read_source(content, "test.txt")
    context = Context(dialect=Dialect(), anchors=Anchors())
    return Region(source.lines, 0, len(source.lines), 0, context, parse=lambda _: ())


def find(place: Region, at: int) -> tuple[Table, int] | None:
    """The table at a line in the first style that takes it, proved to be complete."""
    for style in TABLES:
        match = style(place, at)
        if match is not None:
            table, end = match
            assert isinstance(table, Table)
            prove(place, table, at, end)
            return table, end
    return None


def read(place: Region) -> Table:
    """The table that starts in the first line."""
    match = find(place, 0)
    assert match is not None
    return match[0]


def words(text: str) -> list[str]:
    """Words without borders and rules."""
    return [word for word in re.sub(r"[|+]", " ", text).split() if not RULE.fullmatch(word)]


def table_words(table: Table) -> list[str]:
    """The words of all cells, head first."""
    return [
        word
        for row in (*table.head, *table.rows)
        for cell in row.cells
        for word in plain_text(cell.content).split()
    ]


def prove(place: Region, table: Table, at: int, end: int) -> None:
    """No word is lost, altered or doubled; spans and columns agree with the source."""
    lines = place.lines[at:end]
    assert table.span == Span(lines[0].number, lines[-1].number)
    assert [shown.split() for shown in table.lines] == [line.text.split() for line in lines]
    assert min(len(shown) - len(shown.lstrip()) for shown in table.lines if shown) == 0
    assert list(table.decoration) == sorted(set(table.decoration))
    data = [line.text for line in lines if line.number not in table.decoration]
    if table.role == "matrix" and GROUP.search(data[0]):
        # The one repetition: the name of a group is said with each of its columns.
        heads = " ".join(table_words(replace(table, rows=())))
        assert set(words(heads.replace(":", ""))) == set(words(data[0].replace(":", "")))
        data, table = data[1:], replace(table, head=())
    # a cell shows a word whole that is broken at its hyphen
    cells, source = (" ".join(rows).replace("-", "- ") for rows in (table_words(table), data))
    assert Counter(words(cells)) == Counter(words(source))
    for row in (*table.head, *table.rows):
        assert sum(cell.columns for cell in row.cells) == table.columns
    spans = [row.span for row in (*table.head, *table.rows)]
    assert all(upper.last < lower.first for upper, lower in pairwise(spans))


def texts(rows: tuple[Row, ...]) -> list[list[str]]:
    """The words of each cell of each row."""
    return [[plain_text(cell.content) for cell in row.cells] for row in rows]


def test_a_table_keeps_its_lines_without_their_common_indentation() -> None:
    table = read(region(b"    A   | B\n   -----+----\n    a   | b\n\nText.\n"))
    assert table.lines == (" A   | B", "-----+----", " a   | b")
    assert table.decoration == (2,)


def test_a_table_ends_where_its_region_ends() -> None:
    place = region(PIPES)
    assert texts(read(replace(place, end=3)).rows) == [["a", "b"]]
    assert find(replace(place, end=2), 0) is None


def test_no_table_starts_inside_another() -> None:
    for source, at in (
        (b"| x |\n+---+---+\n| a | b |\n+---+---+\n| c | d |\n+---+---+\n", 1),
        (b"x | y\na | b\n--+--\nc | d\n", 1),
        (b"x  y\n---+---\na  b\n---+---\nc  d\n", 2),
    ):
        place = region(source)
        assert find(place, at) is None
        assert find(replace(place, first=at), at) is not None


def test_references_in_cells_know_their_lines_and_columns() -> None:
    first, second = read(region(
        b"  +------+---------------+\n"
        b"  | word | text          |\n"
        b"  +------+---------------+\n"
        b'  | <a>  | see "big      |\n'
        b'  |      | thing" or "b" |\n'
        b"  +------+---------------+\n"
    )).rows[0].cells
    assert first.content == (Argument("<a>"),)
    references = [part for part in second.content if isinstance(part, Reference)]
    assert references == [Reference("big thing", "big thing", 4, 17), Reference("b", "b", 5, 23)]


def test_tabs_are_columns() -> None:
    assert texts(read(region(b"A\t| B\n--------+-----\na\t| b\n")).rows) == [["a", "b"]]


LINES = st.one_of(
    st.sampled_from(
        [
            "+---+---+", "+===+===+", "| a | b |", "|   | b |", "| a |   |", "|   +---+",
            "| a b   |", "|   |   |", "a   | b", "----+----", "----|----", "a    b", "a  b",
            "name  type", "-- a -+- b -", "     b", "Code  When", "  12  text", "  13  more",
            "      text", "", "Flags  Reason", "   AA  One", "   AB  Two", "A: b c  D: e",
            "X  -  X", "--  X  -",
        ]
    ),
    st.text(alphabet="+-|=aX :\"<", max_size=12),
)  # fmt: skip


@given(st.lists(LINES, max_size=14))
def test_any_lines_lose_no_word(lines: list[str]) -> None:
    place = region("\n".join(lines).encode())
    for at in range(place.end):
        if place.lines[at].text:
            find(place, at)


@given(
    st.sampled_from(EXAMPLES),
    st.lists(st.tuples(st.integers(0, 600), st.sampled_from(["", " ", "|", "+", "-", "x", "\n"]))),
)
def test_damaged_tables_lose_no_word(text: str, damage: list[tuple[int, str]]) -> None:
    for at, other in damage:
        text = text[:at] + other + text[at + 1 :]
    place = region(text.encode())
    for at in range(place.end):
        if place.lines[at].text:
            find(place, at)


def test_tables_of_a_real_manual_are_read(corpus: Path) -> None:
    path = corpus / "haproxy" / "3.4" / "configuration.txt"
    if not path.is_file():
        pytest.skip("this corpus has no release 3.4")
    place = region(path.read_bytes())
    rows: Counter[str] = Counter()
    at = place.next_text(0)
    while at < place.end:
        match = find(place, at)
        if match is not None:
            rows[match[0].kind] += len(match[0].rows)
        at = place.next_text(match[1] if match else place.block_end(at))
    assert (rows["summary"], rows["matrix"], rows["ruled"]) == (724, 270, 23)
