"""Pieces of lines, cells and tables: shared by all styles.

A piece is a `Line` that holds a stretch of a source line: `indent` is the
column (from 0) where the stretch starts.  So the inlines of a cell know their
place, and a cell of several lines is read like a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dconv.model.source import Line
from dconv.model.tree import Cell, Extent, Row, Span, Table, TableKind, Text
from dconv.readers.text import inline

# "max rate" of `max rate    42`: words with one blank between them.
CHUNK = re.compile(r"\S+(?: \S+)*")

# Cells that need no reading: the marks that fill matrices.
MARKS = frozenset({"", "-", "X", "X (!)", "no", "yes", "yes(!)"})


def piece(line: Line, first: int, last: int) -> Line:
    """The text of `line` between the columns `first` and `last` (excluded), stripped."""
    text = line.text[max(first - line.indent, 0) : max(last - line.indent, 0)]
    bare = text.lstrip()
    column = max(first, line.indent) + len(text) - len(bare)
    return Line(line.number, column, bare.rstrip(), line.shift)


def chunks(line: Line) -> list[Line]:
    """The pieces of `line` that stand two blanks or more apart."""
    return [
        Line(line.number, line.indent + match.start(), match[0], line.shift)
        for match in CHUNK.finditer(line.text)
    ]


def end_of(part: Line) -> int:
    """The column after the last character of a piece."""
    return part.indent + len(part.text)


def cell(pieces: Sequence[Line], columns: int = 1) -> Cell:
    """One cell from its pieces, one or several lines; pieces without text say nothing."""
    filled = [part for part in pieces if part.text]
    places = extents(filled or pieces[:1])
    if len(filled) == 1 and filled[0].text in MARKS:
        return Cell((Text(filled[0].text),), columns, places)
    return Cell(inline.parse(filled) if filled else (), columns, places)


def extents(pieces: Iterable[Line]) -> tuple[Extent, ...]:
    """Where `pieces` stand in the source."""
    return tuple([Extent(part.number, part.column, len(part.text)) for part in pieces])


def row(cells: Iterable[Cell], lines: Sequence[Line]) -> Row:
    """A row that stands on `lines` (the first and the last count)."""
    return Row(tuple(cells), Span(lines[0].number, lines[-1].number))


def table(
    kind: TableKind,
    lines: Sequence[Line],
    head: Sequence[Row],
    rows: Sequence[Row],
    columns: int,
    decoration: Iterable[int],
) -> Table:
    """The finished table on `lines`, blank lines inside included."""
    shared = min(line.indent for line in lines if line.text)
    shown = tuple(" " * (line.indent - shared) + line.text if line.text else "" for line in lines)
    span = Span(lines[0].number, lines[-1].number)
    return Table(kind, tuple(head), tuple(rows), columns, shown, tuple(decoration), span)
