"""Tables: one drawing style in one file.

A style returns None unless it is certain of every column and every row: the
text then stays as it is, which is never wrong.
"""

from __future__ import annotations

from dataclasses import replace

from dconv.model import anchors as naming
from dconv.model.tree import Row, Table, plain
from dconv.readers.text.region import Region, Rule
from dconv.readers.text.rules import terms
from dconv.readers.text.rules.tables import bare_head, grid, pipes, ruled

TABLES: tuple[Rule, ...] = (grid.rule, pipes.rule, ruled.rule, bare_head.rule)


def rule(region: Region, at: int) -> tuple[Table, int] | None:
    """A table that starts at `at`, in the first style that is certain."""
    for style in TABLES:
        match = style(region, at)
        if match is not None:
            table, end = match
            assert isinstance(table, Table)
            return _named(region, table), end
    return None


def _named(region: Region, table: Table) -> Table:
    if not region.context.items:
        return table
    return replace(table, rows=tuple(_row(region, row) for row in table.rows))


def _row(region: Region, row: Row) -> Row:
    """`row` with name, kind and anchor where a cell holds an item."""
    context = region.context
    for cell in row.cells:
        item = terms.item(context.items, "table", plain(cell.content).strip())
        if item is not None:
            kind, name = item
            anchor = context.anchors.unique(naming.qualified(kind, name))
            return replace(row, name=name, kind=kind, anchor=anchor)
    return row
