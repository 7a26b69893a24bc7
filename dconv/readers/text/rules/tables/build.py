"""Build cells, rows and tables from lines, for all styles.

The lines of a cell are parts of source lines that know their columns.  So the inlines of a cell
know their place, and a cell of several lines is read like a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from dconv.model.source import Line
from dconv.model.tree import Cell, Extent, Row, Span, Table, TableLayout, TableRole, Text
from dconv.model.values import dataclass
from dconv.readers.text import inline
from dconv.readers.text.region import dedented

# "max rate" of `max rate    42`: words with one space between them.
WORDS = re.compile(r"\S+(?: \S+)*")

# Cells that need no reading: the marks that fill matrices.
MARKS = frozenset({"", "-", "X", "X (!)", "no", "yes", "yes(!)"})


def slice_line(line: Line, first: int, end: int) -> Line:
    """The text of `line` between the columns `first` and `end` (excluded), stripped."""
    text = line.text[max(first - line.indent, 0) : max(end - line.indent, 0)]
    stripped = text.lstrip()
    column = max(first, line.indent) + len(text) - len(stripped)
    return Line(line.number, column, stripped.rstrip(), line.source_offset)


def split_at_gaps(line: Line) -> list[Line]:
    """The parts of `line` that are two spaces or more apart."""
    return [
        Line(line.number, line.indent + match.start(), match[0], line.source_offset)
        for match in WORDS.finditer(line.text)
    ]


def end_column(line: Line) -> int:
    """The column (from 0) after the last character of `line`."""
    return line.indent + len(line.text)


def cell(lines: Sequence[Line], columns: int = 1) -> Cell:
    """The cell of `lines`; those without text are ignored."""
    filled = [line for line in lines if line.text]
    cell_extents = extents(filled or lines[:1])
    if len(filled) == 1 and filled[0].text in MARKS:
        return Cell((Text(filled[0].text),), columns, cell_extents)
    return Cell(inline.parse(filled) if filled else (), columns, cell_extents)


def extents(lines: Iterable[Line]) -> tuple[Extent, ...]:
    """Where `lines`, which may be parts of lines, are in the source."""
    return tuple([Extent(line.number, line.column, len(line.text)) for line in lines])


def row(cells: Iterable[Cell], lines: Sequence[Line]) -> Row:
    """A row that is on `lines` (the first and the last count)."""
    return Row(tuple(cells), Span(lines[0].number, lines[-1].number))


def row_of_cells(cells: Sequence[Sequence[Line]]) -> Row:
    """The row of `cells`, each of one line at least."""
    numbers = [line.number for lines in cells for line in lines]
    return Row(tuple(map(cell, cells)), Span(min(numbers), max(numbers)))


def table(
    layout: TableLayout, lines: Sequence[Line], head: Sequence[Row], rows: Sequence[Row],
    columns: int, decoration: Iterable[int], role: TableRole = "data",
) -> Table:
    """The finished table on `lines`, blank lines inside included."""
    span = Span(lines[0].number, lines[-1].number)
    return Table(
        layout, tuple(head), tuple(rows), columns, dedented(lines), tuple(decoration), span, role
    )


# --- rows from lines that are split at borders ----------------------------------------
#
# A row group is the lines between two rulings.  Where a ruling is between all rows, a group is a
# row; elsewhere a line is a row, and a line without text in the key column continues it.

MAX_WRAPPED_LINES = 3  # lines of a group that may be one row whose cells are all wrapped


@dataclass(frozen=True, slots=True)
class CellPart:
    """The part of a source line in one cell, which covers `columns` columns."""

    line: Line
    columns: int = 1


SplitLine: TypeAlias = tuple[CellPart, ...]
RowGroup: TypeAlias = list[SplitLine]


def is_blank(line_cells: SplitLine) -> bool:
    """Whether a line has borders only."""
    return not any(cell_part.line.text for cell_part in line_cells)


def split_at_rulings(
    lines: Sequence[Line], is_ruling: Callable[[Line], bool],
    split: Callable[[Line], SplitLine | None],
) -> tuple[list[RowGroup], list[int]] | None:
    """The row groups of `lines`, and their decoration: the numbers of rulings and blank lines.

    None if there are not two groups, or if `split` returns None for a line that is not a ruling.
    """
    groups: list[RowGroup] = [[]]
    decoration: list[int] = []
    for line in lines:
        if is_ruling(line):
            decoration.append(line.number)
            groups.append([])
            continue
        line_cells = split(line)
        if line_cells is None:
            return None
        if is_blank(line_cells):
            decoration.append(line.number)
        else:
            groups[-1].append(line_cells)
    groups = [group for group in groups if group]
    return (groups, decoration) if len(groups) > 1 else None


def row_of_lines(lines: Sequence[SplitLine]) -> Row | None:
    """The row of `lines`, or None if they are split differently."""
    columns_of_cells = [cell_part.columns for cell_part in lines[0]]
    if any([cell_part.columns for cell_part in cells] != columns_of_cells for cells in lines[1:]):
        return None
    cells = (
        cell([line_cells[index].line for line_cells in lines], columns)
        for index, columns in enumerate(columns_of_cells)
    )
    return row(cells, [lines[0][0].line, lines[-1][0].line])


def rows(
    groups: Sequence[RowGroup], widths: Sequence[int], are_groups_rows: bool = False
) -> list[Row] | None:
    """The rows of a table's body, or None if they are not certain.

    `widths` are the columns' widths in characters, borders excluded.  Where `are_groups_rows`, a
    program drew the rulings, and may have centered short cells: each of several groups is a row,
    and a table whose cells have several paragraphs is none.
    """
    if are_groups_rows and len(groups) > 1:
        whole = [None if _has_paragraphs(group) else row_of_lines(group) for group in groups]
        body = [row for row in whole if row]
        return body if len(body) == len(groups) else None
    # the first column that has text in the first line of every group; groups whose first cells
    # cover several columns do not count
    starts = [group[0] for group in groups if len(group[0]) == len(widths)]
    key_columns = (
        index for index in range(len(widths)) if all(line[index].line.text for line in starts)
    )
    key_column = next(key_columns, None) if starts else None
    if key_column is None:
        return None
    body = []
    for group in groups:
        lines_by_row = _lines_by_row(group, key_column, len(groups) > 1, widths)
        if lines_by_row is None:
            return None
        for row_lines in lines_by_row:
            body_row = row_of_lines(row_lines)
            if body_row is None:
                return None
            body.append(body_row)
    return body


def _has_paragraphs(group: RowGroup) -> bool:
    """Whether a cell of `group` has a blank line between others."""
    numbers = [
        [part.line.number for part in parts if part.line.text]
        for parts in zip(*group, strict=False)
    ]
    return any(lines and lines[-1] - lines[0] >= len(lines) for lines in numbers)


def _lines_by_row(
    group: RowGroup, key_column: int, has_rulings: bool, widths: Sequence[int]
) -> list[Sequence[SplitLine]] | None:
    """The lines of `group` by row; a row starts where the column `key_column` has text.

    `has_rulings` is true if the body has several row groups; None if the rows are not certain.
    """
    if any(len(line_cells) != len(widths) for line_cells in group):
        # Cells over several columns: the row group is one row, split the same way throughout.
        return [group]
    starts = [index for index, line_cells in enumerate(group) if line_cells[key_column].line.text]
    if len(starts) < 2:
        return [group]
    may_wrap = any(group[index][key_column].line.text.endswith(",") for index in starts[:-1])
    are_all_filled = all(
        cell_part.line.text for index in starts for cell_part in group[index][key_column:]
    )
    if may_wrap:
        return None if are_all_filled or not has_rulings else [group]
    if has_rulings and (not are_all_filled or _may_be_wrapped(group, starts, widths)):
        return None
    if any(is_blank(group[index][key_column + 1 :]) for index in starts):
        return None
    return [group[first:end] for first, end in pairwise([*starts, len(group)])]


def _may_be_wrapped(group: RowGroup, starts: Sequence[int], widths: Sequence[int]) -> bool:
    """Whether a short row group could be one row whose cells all continue on the next line.

    It could if, at one of `starts`, no cell had room for the first word of the one below it.
    """
    return len(group) <= MAX_WRAPPED_LINES and not all(
        any(
            has_room(above.line, below.line, width)
            for above, below, width in zip(group[index - 1], group[index], widths, strict=True)
        )
        for index in starts[1:]
    )


def has_room(upper: Line, lower: Line, width: int) -> bool:
    """Whether the first word of `lower` would have fitted after `upper` in a cell of `width`."""
    if not upper.text or not lower.text:
        return False
    return len(upper.text) + 1 + len(lower.text.split(maxsplit=1)[0]) <= width - 2
