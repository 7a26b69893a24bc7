"""Entries and rows out of their place, missing, twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from dconv.lint.listings import Listing
from dconv.lint.sort_order import in_order, moves
from dconv.model.tree import Entry, Section, Table, walk
from defects.defect import Defect, Text

FAR = 3  # places that a moved entry leaves after it


def _runs(text: Text) -> Iterator[tuple[Section, list[Entry]]]:
    """The entries of each section that is sorted, without those out of order."""
    for section in text.context.sections:
        entries = [
            block for block in section.body if isinstance(block, Entry) and not block.deprecated
        ]
        wrong = {move.index for move in moves([(entry.name,) for entry in entries])}
        if len(entries) >= 8 and len(wrong) * 6 < len(entries):
            yield section, [entry for index, entry in enumerate(entries) if index not in wrong]


def entry_moved(text: Text, random: Random) -> Iterator[Defect]:
    """An entry some places away from its own."""
    for _, run in _runs(text):
        for index in range(2, len(run) - FAR):
            entry, behind = run[index], run[index + FAR]
            if not in_order(behind.name, entry.name):
                span = entry.span
                edits = text.cut(span.first, span.last), text.put(
                    behind.span.last + 1, span.first, span.last
                )
                yield Defect(edits, entry.name)


def entry_swapped(text: Text, random: Random) -> Iterator[Defect]:
    """An entry after the one that it belongs before."""
    for _, run in _runs(text):
        for entry, behind in pairwise(run[1:]):
            if behind.span.first - entry.span.last < 5 and not in_order(behind.name, entry.name):
                span = entry.span
                edits = text.cut(span.first, span.last), text.put(
                    behind.span.last + 1, span.first, span.last
                )
                yield Defect(edits, entry.name)


def command_moved(text: Text, random: Random) -> Iterator[Defect]:
    """A command of the management guide away from its place."""
    if text.context.manual.name == "management":
        yield from entry_moved(text, random)


def _rows_moved(text: Text, listings: list[Listing]) -> Iterator[Defect]:
    for listing in listings:
        wrong = {move.index for move in moves([(row.name,) for row in listing.names])}
        rows = [row for index, row in enumerate(listing.names) if index not in wrong]
        for index in range(1, len(rows) - FAR):
            row, behind = rows[index], rows[index + FAR]
            if behind.line > row.line and not in_order(behind.name, row.name):
                edits = text.cut(row.line, row.line), text.put(behind.line + 1, row.line, row.line)
                yield Defect(edits, row.name)


def row_moved(text: Text, random: Random) -> Iterator[Defect]:
    """A row of a table of samples or converters away from its place."""
    found = [one for one in text.context.listings if one.kind == "summary"]
    yield from _rows_moved(text, found)


def index_moved(text: Text, random: Random) -> Iterator[Defect]:
    """A name of an index away from its place."""
    found = [one for one in text.context.listings if one.kind == "index"]
    yield from _rows_moved(text, found)


def matrix_moved(text: Text, random: Random) -> Iterator[Defect]:
    """A row of a matrix away from its place."""
    found = [one for one in text.context.listings if one.kind == "matrix"]
    yield from _rows_moved(text, found)


def _dropped(text: Text, kind: str) -> Iterator[Defect]:
    for listing in text.context.listings:
        entry_names = {
            entry.name for entry in listing.listed_section.body if isinstance(entry, Entry)
        }
        for row in listing.names:
            if listing.kind == kind and row.name in entry_names and not row.deprecated:
                yield Defect((text.cut(row.line, row.line),), row.name)


def index_row_dropped(text: Text, random: Random) -> Iterator[Defect]:
    """An index without one of its names."""
    yield from _dropped(text, "index")


def matrix_row_dropped(text: Text, random: Random) -> Iterator[Defect]:
    """A matrix without one of its rows."""
    yield from _dropped(text, "matrix")


def summary_row_dropped(text: Text, random: Random) -> Iterator[Defect]:
    """A table of samples or converters without one of its rows."""
    yield from _dropped(text, "summary")


def entry_repeated(text: Text, random: Random) -> Iterator[Defect]:
    """An entry that appears once more, some entries after, or in another section."""
    for _, run in _runs(text):
        for index in range(1, len(run) - FAR):
            span = run[index].span
            if span.last - span.first < 30:
                edit = text.put(run[index + FAR].span.last + 1, span.first, span.last)
                yield Defect((edit,), run[index].name)


def entry_elsewhere(text: Text, random: Random) -> Iterator[Defect]:
    """An entry among those of another kind."""
    runs = list(_runs(text))
    for section, run in runs:
        others = [other for home, other in runs if other[0].kind != run[0].kind]
        if not others or not section.number:
            continue
        for entry in run[1:]:
            other = random.choice(others)
            behind = next((one for one in other if in_order(entry.name, one.name)), other[-1])
            span = entry.span
            edits = text.cut(span.first, span.last), text.put(
                behind.span.first, span.first, span.last
            )
            yield Defect(edits, entry.name)


def stale_row(text: Text, random: Random) -> Iterator[Defect]:
    """An entry that is gone, though a table still has its row."""
    for listing in text.context.listings:
        listed = {row.name for row in listing.names}
        for entry in listing.listed_section.body:
            if isinstance(entry, Entry) and entry.name in listed and len(entry.signatures) == 1:
                yield Defect((text.cut(entry.span.first, entry.span.last),), entry.name)


def row_types_changed(text: Text, random: Random) -> Iterator[Defect]:
    """A row of a table of samples whose type is not that of its entry."""
    for section in text.context.sections:
        for table in walk(section.body):
            if isinstance(table, Table) and table.role == "summary":
                for row in table.rows:
                    line = text.line(row.span.first)
                    if line.rstrip().endswith("integer") and row.span.first == row.span.last:
                        name = line.split("(")[0].split()[0]
                        edit = text.exchange(row.span.first, "integer", "boolean", len(line) - 8)
                        if edit:
                            yield Defect((edit,), name)
