"""Grids: cells between `|`, rows or groups of rows between `+---+` rulings.

Cells may have several lines, cover several columns, and touch their borders; a
ruling may start inside a head cell; the right border of a line may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from dconv.model.source import Line
from dconv.model.tree import Cell, Extent, Row, Table, plain_text
from dconv.readers.text.region import Region
from dconv.readers.text.rules.tables import columns
from dconv.readers.text.rules.tables.columns import Band, CellLine, CutLine

# +------+-----+   +======+=====+   +------+-----|
RULING = re.compile(r"\+[-=]+(?:\+[-=]+)*[+|]")

# The ruling in `|        +-----+-----+`, which divides only some columns.
PARTIAL = re.compile(r"\+(?:[-=]+\+)+")

BORDERS = ("+", "|")  # what the lines of a grid start with
MAX_HEAD_WORDS = 8  # words in a cell; more than that is text


def rule(region: Region, index: int) -> tuple[Table, int] | None:
    """Match a grid whose first ruling is the line `index`."""
    if region.lines[index].text[0] != "+" or not RULING.fullmatch(region.lines[index].text):
        return None
    if index > region.first and region.lines[index - 1].text[:1] in BORDERS:
        return None  # inside a grid that was rejected: trying each line would be quadratic
    end = index
    while end < region.last and region.lines[end].text[:1] in BORDERS:
        end += 1
    lines = region.lines[index:end]
    edges = _edges(lines)
    if edges is None:
        return None
    if end < region.last and region.lines[end].text and region.lines[end].indent > edges[0]:
        return None  # a drawing goes on below
    table = _read(lines, edges)
    return None if table is None else (table, end)


def _edges(lines: Sequence[Line]) -> list[int] | None:
    """The columns of all borders, or None if the lines draw no grid of two columns."""
    if len(lines) < 5 or not RULING.fullmatch(lines[-1].text):
        return None
    left = min(line.indent for line in lines)
    right = columns.end_column(lines[-1]) - 1
    edges: set[int] = set()
    for line in lines:
        if line.text[0] == "+":
            if not RULING.fullmatch(line.text) or columns.end_column(line) - 1 != right:
                return None
            if line.indent != left and line is not lines[0]:
                return None
            edges.update(_crosses(line, 0, len(line.text)), (line.indent, right))
        else:
            for match in PARTIAL.finditer(line.text):
                edges.update(_crosses(line, match.start(), match.end()))
    return sorted(edges) if len(edges) > 2 and left in edges else None


def _crosses(line: Line, first: int, last: int) -> list[int]:
    return [line.indent + index for index in range(first, last) if line.text[index] == "+"]


def _read(lines: Sequence[Line], edges: list[int]) -> Table | None:
    bands: list[Band] = []
    band: Band = []
    decoration: list[int] = []
    bands_above_double = 0
    for line in lines:
        if line.text[0] == "+":
            decoration.append(line.number)
            if band:
                bands.append(band)
            band = []
            bands_above_double = bands_above_double or (len(bands) if "=" in line.text else 0)
            continue
        parts = _cut(line, edges)
        if parts is None:
            return None
        if columns.is_blank(parts):
            decoration.append(line.number)
        else:
            band.append(parts)
    return _table(lines, bands, bands_above_double, edges, decoration)


def _cut(line: Line, edges: list[int]) -> CutLine | None:
    """The parts of `line`; a border that is missing inside makes one cell of two columns."""
    if line.indent not in edges or columns.end_column(line) > edges[-1] + 1:
        return None
    text = line.text
    if PARTIAL.search(text):
        text = PARTIAL.sub(_borders, text)
        if text.strip(" |"):
            return None  # text beside a ruling may belong to either row
        line = Line(line.number, line.indent, text, line.shift)
    last = edges.index(line.indent)
    parts = [CellLine(Line(line.number, edge, "", line.shift)) for edge in edges[:last]]
    for index in range(last + 1, len(edges)):
        offset = edges[index] - line.indent
        missing = offset >= len(text)
        if missing and index > last + 1:
            return None
        if missing or text[offset] == "|":
            segment = columns.segment(line, edges[last] + 1, edges[index])
            parts.append(CellLine(segment, index - last))
            last = index
    return tuple(parts) if last == len(edges) - 1 else None


def _borders(match: re.Match[str]) -> str:
    """A ruling inside a cell drawn as borders alone, in the same columns."""
    return match[0].replace("-", " ").replace("=", " ").replace("+", "|")


def _table(
    lines: Sequence[Line], bands: list[Band], bands_above_double: int, edges: list[int],
    decoration: list[int],
) -> Table | None:
    widths = [right - left - 1 for left, right in pairwise(edges)]
    head_bands = bands_above_double or _head(bands, len(widths))
    if head_bands >= len(bands) or len(bands) < 2:
        return None
    column_count = len(widths)
    stacked = _stacked_column(bands[0], bands[1:], widths) if head_bands == 1 else None
    if stacked is not None:
        head = [_stacked_row(bands[0], stacked)]
        body: list[Row] | None = [_stacked_row(band, stacked) for band in bands[1:]]
        column_count += 1
    else:
        head = [row for band in bands[:head_bands] for row in _head_rows(band)]
        body = columns.rows(bands[head_bands:], widths)
    if body is None or _divided(lines, bands[head_bands][0][0].line.number):
        return None
    return columns.table("grid", lines, head, body, column_count, decoration)


def _divided(lines: Sequence[Line], first: int) -> bool:
    """Whether a ruling below the head divides some columns only: cells over several rows."""
    return any(
        line.number >= first and line.text[0] == "|" and PARTIAL.search(line.text) for line in lines
    )


def _head(bands: list[Band], count: int) -> int:
    """How many bands the head has, if no double ruling marks its end.

    The head ends with the first band that has a cell for every column; cells
    over several columns above it are names of groups.
    """
    for index, band in enumerate(bands):
        rows = _head_rows(band)
        if len(rows[-1].cells) == count:
            return index + 1 if _is_head(rows[0]) else 0
    return 0


def _is_head(row: Row) -> bool:
    """Whether a row names columns: short cells, all filled, no sentence."""
    for cell in row.cells:
        words = plain_text(cell.content).split()
        if not words or len(words) > MAX_HEAD_WORDS or words[-1].endswith("."):
            return False
    return True


def _head_rows(band: Band) -> list[Row]:
    """The rows of a head: a ruling inside the band that divides a cell starts a row."""
    groups = groupby(band, key=lambda parts: [cell_line.columns for cell_line in parts])
    return [row for _, group in groups if (row := columns.merge(list(group))) is not None]

# --- records on two lines that mean two columns ---------------------------------------
#
#    +-----+---------------------------+
#    | key | meaning                   |
#    |     | how to write it elsewhere |
#    +=====+===========================+
#    | a   | the first                 |
#    |     | one()                     |
#    +-----+---------------------------+
#
# The head decides: its second line fills one column only and would have fitted after
# the first line, so it is a second name and no wrapped text.


def _stacked_column(head: Band, body: Sequence[Band], widths: Sequence[int]) -> int | None:
    """The column (from 0) that holds two values, or None if the grid is not such a one."""
    if len(head) != 2 or any(len(parts) != len(widths) for parts in head):
        return None
    filled = [column for column, cell_line in enumerate(head[1]) if cell_line.line.text]
    if len(filled) != 1 or not _are_two_values(head, filled[0], widths):
        return None
    pairs = [band for band in body if len(band) > 1]
    if any(len(band) > 2 or any(len(parts) != len(widths) for parts in band) for band in pairs):
        return None
    apart = sum(_are_two_values(band, filled[0], widths) for band in pairs)
    return filled[0] if pairs and apart * 2 >= len(pairs) else None


def _stacked_row(band: Band, column: int) -> Row:
    """The row of a band of one or two lines, the column `column` made two columns."""
    if len(band[0]) <= column or any(cell_line.columns > 1 for cell_line in band[0]):
        return columns.row(_spanning(band, column), [band[0][0].line, band[-1][0].line])
    cells: list[Cell] = []
    for number in range(len(band[0])):
        segments = [parts[number].line for parts in band]
        if number == column:
            cells += _pair(segments)
        else:
            cells.append(columns.cell(segments))
    return columns.row(cells, [band[0][0].line, band[-1][0].line])


def _pair(segments: Sequence[Line]) -> list[Cell]:
    """The cells of two values, one below the other: they cover the same columns of their lines."""
    upper, *below = segments
    if not below:
        return [columns.cell([upper]), columns.cell([upper.after(len(upper.text))])]
    first = min(segment.column for segment in segments)
    last = max(segment.column + len(segment.text) for segment in segments)
    return [
        replace(columns.cell([segment]), extents=(Extent(segment.number, first, last - first),))
        for segment in segments
    ]


def _spanning(band: Band, column: int) -> list[Cell]:
    """The cells of a line whose parts cover several columns, one of them `column`."""
    cells: list[Cell] = []
    first = 0
    for cell_line in band[0]:
        more = 1 if first <= column < first + cell_line.columns else 0
        cells.append(columns.cell([cell_line.line], cell_line.columns + more))
        first += cell_line.columns
    return cells


def _are_two_values(band: Band, column: int, widths: Sequence[int]) -> bool:
    return columns.has_room(band[0][column].line, band[1][column].line, widths[column])
