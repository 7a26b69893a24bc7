"""Grids whose records stand on two lines that mean two columns.

    +-----+---------------------------+
    | key | meaning                   |
    |     | how to write it elsewhere |
    +=====+===========================+
    | a   | the first                 |
    |     | one()                     |
    +-----+---------------------------+

The head decides: its second line fills one column only and would have fitted behind
the first line, so it is a second name and no wrapped text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dconv.model.source import Line
from dconv.model.tree import Cell, Extent, Row
from dconv.readers.text.rules.tables import bands, columns
from dconv.readers.text.rules.tables.bands import Band


def column(head: Band, body: Sequence[Band], widths: Sequence[int]) -> int | None:
    """The column (from 0) that holds two values, or None where the grid is not such a one."""
    if len(head) != 2 or any(len(parts) != len(widths) for parts in head):
        return None
    filled = [at for at, part in enumerate(head[1]) if part.piece.text]
    if len(filled) != 1 or not _apart(head, filled[0], widths):
        return None
    pairs = [band for band in body if len(band) > 1]
    if any(len(band) > 2 or not _full(band, widths) for band in pairs):
        return None
    apart = sum(_apart(band, filled[0], widths) for band in pairs)
    return filled[0] if pairs and apart * 2 >= len(pairs) else None


def row(band: Band, at: int) -> Row:
    """The row of a band of one or two lines, the column `at` made two columns."""
    if len(band[0]) <= at or any(part.columns > 1 for part in band[0]):
        return columns.row(_spanning(band, at), [band[0][0].piece, band[-1][0].piece])
    cells: list[Cell] = []
    for index in range(len(band[0])):
        pieces = [parts[index].piece for parts in band]
        if index == at:
            cells += _pair(pieces)
        else:
            cells.append(columns.cell(pieces))
    return columns.row(cells, [band[0][0].piece, band[-1][0].piece])


def _pair(pieces: Sequence[Line]) -> list[Cell]:
    """The cells of two values, one below the other: they cover the same columns of their lines."""
    upper, *below = pieces
    if not below:
        return [columns.cell([upper]), columns.cell([upper.after(len(upper.text))])]
    first = min(part.column for part in pieces)
    last = max(part.column + len(part.text) for part in pieces)
    return [
        replace(columns.cell([part]), extents=(Extent(part.number, first, last - first),))
        for part in pieces
    ]


def _spanning(band: Band, at: int) -> list[Cell]:
    """The cells of a line whose parts cover several columns, one of them `at`."""
    cells: list[Cell] = []
    first = 0
    for part in band[0]:
        more = 1 if first <= at < first + part.columns else 0
        cells.append(columns.cell([part.piece], part.columns + more))
        first += part.columns
    return cells


def _full(band: Band, widths: Sequence[int]) -> bool:
    return all(len(parts) == len(widths) for parts in band)


def _apart(band: Band, at: int, widths: Sequence[int]) -> bool:
    """Whether the two lines of `band` are two values in column `at`."""
    upper: Line = band[0][at].piece
    return bands.has_room(upper, band[1][at].piece, widths[at])
