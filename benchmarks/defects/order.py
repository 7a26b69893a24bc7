"""Entries and rows that are out of place, missing or repeated."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from dconv.lint.listings import Listing
from dconv.lint.sort_order import in_order, moves
from dconv.model.tree import Entry, Section, Table, walk
from defects.defect import Defect, IntactText

FAR = 3  # entries or rows after which a moved one is inserted


def _sorted_entries(text: IntactText) -> Iterator[tuple[Section, list[Entry]]]:
    """The entries of each section that is sorted, without those out of order."""
    for section in text.context.sections:
        entries = [
            block for block in section.body if isinstance(block, Entry) and not block.deprecated
        ]
        wrong = {move.index for move in moves([(entry.name,) for entry in entries])}
        if len(entries) >= 8 and len(wrong) * 6 < len(entries):
            yield section, [entry for index, entry in enumerate(entries) if index not in wrong]


def entry_moved(text: IntactText, random: Random) -> Iterator[Defect]:
    """An entry some places away from its own."""
    for _, run in _sorted_entries(text):
        for index in range(2, len(run) - FAR):
            entry, following = run[index], run[index + FAR]
            if not in_order(following.name, entry.name):
                span = entry.span
                edits = text.move_lines(following.span.last + 1, span.first, span.last)
                yield Defect(edits, entry.name)


def entry_swapped(text: IntactText, random: Random) -> Iterator[Defect]:
    """An entry after the one that should follow it."""
    for _, run in _sorted_entries(text):
        for entry, following in pairwise(run[1:]):
            is_next = following.span.first - entry.span.last < 5
            if is_next and not in_order(following.name, entry.name):
                span = entry.span
                edits = text.move_lines(following.span.last + 1, span.first, span.last)
                yield Defect(edits, entry.name)


def command_moved(text: IntactText, random: Random) -> Iterator[Defect]:
    """A command of the management guide away from its place."""
    if text.context.manual.name == "management":
        yield from entry_moved(text, random)


def _rows_moved(text: IntactText, listings: list[Listing]) -> Iterator[Defect]:
    for listing in listings:
        wrong = {move.index for move in moves([(row.name,) for row in listing.names])}
        rows = [row for index, row in enumerate(listing.names) if index not in wrong]
        for index in range(1, len(rows) - FAR):
            row, following = rows[index], rows[index + FAR]
            if following.line > row.line and not in_order(following.name, row.name):
                edits = text.move_lines(following.line + 1, row.line, row.line)
                yield Defect(edits, row.name)


def row_moved(text: IntactText, random: Random) -> Iterator[Defect]:
    """A row of a table of samples or converters away from its place."""
    listings = [listing for listing in text.context.listings if listing.kind == "summary"]
    yield from _rows_moved(text, listings)


def index_moved(text: IntactText, random: Random) -> Iterator[Defect]:
    """A name of an index away from its place."""
    listings = [listing for listing in text.context.listings if listing.kind == "index"]
    yield from _rows_moved(text, listings)


def matrix_moved(text: IntactText, random: Random) -> Iterator[Defect]:
    """A row of a matrix away from its place."""
    listings = [listing for listing in text.context.listings if listing.kind == "matrix"]
    yield from _rows_moved(text, listings)


def _row_dropped(text: IntactText, kind: str) -> Iterator[Defect]:
    for listing in text.context.listings:
        entry_names = {
            entry.name for entry in listing.listed_section.body if isinstance(entry, Entry)
        }
        for row in listing.names:
            if listing.kind == kind and row.name in entry_names and not row.deprecated:
                yield Defect((text.delete_lines(row.line, row.line),), row.name)


def index_row_dropped(text: IntactText, random: Random) -> Iterator[Defect]:
    """An index without one of its names."""
    yield from _row_dropped(text, "index")


def matrix_row_dropped(text: IntactText, random: Random) -> Iterator[Defect]:
    """A matrix without one of its rows."""
    yield from _row_dropped(text, "matrix")


def summary_row_dropped(text: IntactText, random: Random) -> Iterator[Defect]:
    """A table of samples or converters without one of its rows."""
    yield from _row_dropped(text, "summary")


def entry_repeated(text: IntactText, random: Random) -> Iterator[Defect]:
    """An entry that appears once more, some entries after, or in another section."""
    for _, run in _sorted_entries(text):
        for index in range(1, len(run) - FAR):
            span = run[index].span
            if span.last - span.first < 30:
                edit = text.copy_lines(run[index + FAR].span.last + 1, span.first, span.last)
                yield Defect((edit,), run[index].name)


def entry_elsewhere(text: IntactText, random: Random) -> Iterator[Defect]:
    """An entry among those of another kind."""
    runs = list(_sorted_entries(text))
    for section, run in runs:
        others = [other for home, other in runs if other[0].kind != run[0].kind]
        if not others or not section.number:
            continue
        for entry in run[1:]:
            other = random.choice(others)
            later = [candidate for candidate in other if in_order(entry.name, candidate.name)]
            following = later[0] if later else other[-1]
            span = entry.span
            edits = text.move_lines(following.span.first, span.first, span.last)
            yield Defect(edits, entry.name)


def stale_row(text: IntactText, random: Random) -> Iterator[Defect]:
    """A missing entry whose row a table still has."""
    for listing in text.context.listings:
        listed = {row.name for row in listing.names}
        for entry in listing.listed_section.body:
            if isinstance(entry, Entry) and entry.name in listed and len(entry.signatures) == 1:
                yield Defect((text.delete_lines(entry.span.first, entry.span.last),), entry.name)


def row_types_changed(text: IntactText, random: Random) -> Iterator[Defect]:
    """A row of a table of samples whose type is not that of its entry."""
    for section in text.context.sections:
        for table in walk(section.body):
            if isinstance(table, Table) and table.role == "summary":
                for row in table.rows:
                    line = text.line(row.span.first)
                    if line.rstrip().endswith("integer") and row.span.first == row.span.last:
                        name = line.split("(")[0].split()[0]
                        yield from text.replaced(
                            row.span.first, "integer", "boolean", len(line) - 8, name=name
                        )
