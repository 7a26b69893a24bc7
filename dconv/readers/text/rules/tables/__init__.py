"""Tables: a file for each drawing style.

A style returns None unless it is certain of every column and every row: the
text then stays as it is, which is never wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dconv.model.anchors import qualified_anchor
from dconv.model.source import Line
from dconv.model.tree import Code, Extent, Row, Table, plain_text
from dconv.readers.text import inline
from dconv.readers.text.region import Region, Rule
from dconv.readers.text.rules import terms
from dconv.readers.text.rules.tables import dashed, grid, pipes, ruled, unruled

# what draws the borders of a table in its rows; a matrix may name groups: "TCP: Con Ses"
BORDERS = re.compile(r"[-+|=│]+")
MATRIX_BORDERS = re.compile(r"[-+|=:]+")

TABLES: tuple[Rule, ...] = (grid.rule, pipes.rule, ruled.rule, dashed.rule, unruled.rule)


def rule(region: Region, index: int) -> tuple[Table, int] | None:
    """A table that starts at `index`, in the first style that is certain."""
    for style in TABLES:
        table_and_end = style(region, index)
        if table_and_end is not None:
            table, end = table_and_end
            assert isinstance(table, Table)
            _drop_borders(region, table, region.lines[index:end])
            if region.context.item_rules:
                table = replace(table, rows=tuple(_row(region, row) for row in table.rows))
            return table, end
    return None


def _drop_borders(region: Region, table: Table, lines: Sequence[Line]) -> None:
    """Drop the rulings and borders of `table`, which is on `lines`, and back quotes in cells."""
    dropped = region.context.dropped
    line_of = {line.number: line for line in lines}
    decoration = frozenset(table.decoration)  # of a long table, looking through it is quadratic
    for number in table.decoration:
        dropped.add("table rule or repeated head", line_of[number])
    borders = MATRIX_BORDERS if table.role == "matrix" else BORDERS
    for row in (*table.head, *table.rows):
        for cell in row.cells:
            if any(isinstance(node, Code) for node in cell.content):
                inline.parse(
                    [_line_at(line_of[extent.line], extent) for extent in cell.extents], dropped
                )
        extents = [extent for cell in row.cells for extent in cell.extents]
        numbers = range(row.span.first, row.span.last + 1)
        inside = [line_of[number] for number in numbers if number not in decoration]
        dropped.add_outside("border of a table", inside, extents, borders)


def _line_at(line: Line, extent: Extent) -> Line:
    """The part of `line` at `extent`."""
    start = extent.column - line.column
    return Line(line.number, extent.column - 1, line.text[start : start + extent.length])


def _row(region: Region, row: Row) -> Row:
    """`row` with name, kind and anchor where a cell holds an item."""
    context = region.context
    for cell in row.cells:
        item = terms.matching_item(context.item_rules, "table", plain_text(cell.content).strip())
        if item is not None:
            kind, name = item
            anchor = context.anchors.unique(qualified_anchor(kind, name))
            return replace(row, name=name, kind=kind, anchor=anchor)
    return row
