"""Grids: cells between `|`, rows or groups of rows between `+---+` rulings.

Cells may have several lines, cover several columns, and touch their borders; a
ruling may start inside a head cell; the right border of a line may be missing.
Rulings may also be `|---+---|`, `-------`, or `|___|___|` below ` _______ `,
and all of them Unicode's box drawing characters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from dconv.model.source import Line
from dconv.model.tree import Cell, Extent, Row, Table, plain_text
from dconv.readers.text.region import Region, dedented
from dconv.readers.text.rules.tables import build
from dconv.readers.text.rules.tables.build import CellPart, RowGroup, SplitLine

# +------+-----+   +======+=====+   +------+-----|
RULING = re.compile(r"\+[-=]+(?:\+[-=]+)*[+|]")

BETWEEN_BARS = re.compile(r"\|([-=]+(?:\+[-=]+)+)\|")  # |------+-----|

# the same in Unicode's box drawing characters, as w3m and DocBook's tools write them
BOX_RULING = re.compile(r"[┌├└][─┬┼┴]+[┐┤┘]")
BOX_CHARACTERS = str.maketrans("┌┬┐├┼┤└┴┘─", "+++++++++-")
BOX_BORDER = "│"

# rulings without crosses, above rows between `|`, and those with underscores between rows
PLAIN_RULING = re.compile(r"-{5,}|_{5,}")
ROW_BETWEEN_BARS = re.compile(r"\|.*\|")
RULING_LINE = re.compile(r"-{5,}|_{5,}|\|_+(?:\|_+)*\|")

# The ruling in `|        +-----+-----+`, which divides only some columns.
PARTIAL_RULING = re.compile(r"\+(?:[-=]+\+)+")

RULING_STARTS = "-_+|┌├└"  # their first characters, for a quick test before the patterns
BORDERS = ("+", "|")  # what the lines of a grid start with
NAME = re.compile(r"[a-z]+(?:[:_][a-z]+)+")  # "lamp:lit" is a value, not what a column is called
MAX_HEAD_WORDS = 8  # words in a cell; more than that is text
MIN_SENTENCE_WORDS = 3  # in a cell; fewer with a stop are no sentence


def rule(region: Region, index: int) -> tuple[Table, int] | None:
    """Match a grid whose first ruling is the line `index`."""
    if region.lines[index].text[0] not in RULING_STARTS:
        return None
    if PLAIN_RULING.fullmatch(region.lines[index].text):
        return _without_crosses(region, index)
    if not RULING.fullmatch(_in_ascii(region.lines[index].text)):
        return None
    if index > region.first and _in_ascii(region.lines[index - 1].text)[:1] in BORDERS:
        return None  # inside a grid that was rejected: trying each line would be quadratic
    end = index
    while end < region.end and _in_ascii(region.lines[end].text)[:1] in BORDERS:
        end += 1
    source_lines = region.lines[index:end]
    lines = [replace(line, text=_in_ascii(line.text)) for line in source_lines]
    edges = _edges(lines)
    if edges is None:
        return None
    if end < region.end and region.lines[end].text and region.lines[end].indent > edges[0]:
        return None  # a drawing, which continues below
    if any(
        line.indent + match.start() not in edges
        for line in source_lines if line.text[0] == BOX_BORDER
        for match in re.finditer(BOX_BORDER, line.text)
    ):
        return None  # a bar in a cell
    has_boxes = source_lines[0].text[0] in "┌├└"
    table = _read(lines, edges, has_boxes)
    return None if table is None else (replace(table, lines=dedented(source_lines)), end)


def _in_ascii(text: str) -> str:
    """`text` with rulings of `+` and `-`, and with `|` as borders."""
    if BOX_RULING.fullmatch(text):
        return text.translate(BOX_CHARACTERS)
    if text.startswith(BOX_BORDER):
        return text.replace(BOX_BORDER, "|")
    return BETWEEN_BARS.sub(r"+\1+", text)


def _without_crosses(region: Region, index: int) -> tuple[Table, int] | None:
    """Match rows between `|` under the ruling on line `index`, which has no crosses."""
    lines = region.lines
    if index > region.first and lines[index - 1].text[:1] == "|":
        return None  # inside a table that was rejected
    end = index + 1
    while end < region.end and (
        ROW_BETWEEN_BARS.fullmatch(lines[end].text) or PLAIN_RULING.fullmatch(lines[end].text)
    ):
        end += 1
    if end == index + 1 or lines[index + 1].text[0] != "|":
        return None
    row = lines[index + 1]
    bars = {row.indent + match.start() for match in re.finditer(r"\|", row.text)}
    crossed = "".join(
        "+" if column in bars else "-" for column in range(row.indent, build.end_column(row))
    )
    with_crosses = [
        replace(line.with_indent(row.indent), text=crossed) if RULING_LINE.fullmatch(line.text)
        else line for line in lines[index:end]
    ]
    edges = _edges(with_crosses)
    table = _read(with_crosses, edges) if edges else None
    return None if table is None else (table, end)


def _edges(lines: Sequence[Line]) -> list[int] | None:
    """The columns of all borders, or None if the lines draw no grid of two columns."""
    if len(lines) < 5 or not RULING.fullmatch(lines[-1].text):
        return None
    left = min(line.indent for line in lines)
    right = build.end_column(lines[-1]) - 1
    edges: set[int] = set()
    for line in lines:
        if line.text[0] == "+":
            if not RULING.fullmatch(line.text) or build.end_column(line) - 1 != right:
                return None
            if line.indent != left and line is not lines[0]:
                return None
            edges.update(_cross_columns(line, 0, len(line.text)), (line.indent, right))
        else:
            for match in PARTIAL_RULING.finditer(line.text):
                edges.update(_cross_columns(line, match.start(), match.end()))
    return sorted(edges) if len(edges) > 2 and left in edges else None


def _cross_columns(line: Line, first: int, end: int) -> list[int]:
    return [line.indent + index for index in range(first, end) if line.text[index] == "+"]


def _read(lines: Sequence[Line], edges: list[int], has_boxes: bool = False) -> Table | None:
    groups_and_decoration = build.split_at_rulings(
        lines, lambda line: line.text[0] == "+", lambda line: _split(line, edges)
    )
    if groups_and_decoration is None:
        return None
    groups, decoration = groups_and_decoration  # the numbers of the rulings
    double_ruling = next((
        line.number for line in lines
        if line.text[0] == "+" and "=" in line.text and line.number > groups[0][0][0].line.number
    ), 0)
    groups_above_double = sum(group[0][0].line.number < double_ruling for group in groups)
    return _table(lines, groups, groups_above_double, edges, decoration, has_boxes)


def _split(line: Line, edges: list[int]) -> SplitLine | None:
    """The cells of `line`; a border that is missing inside makes one cell of two columns."""
    if line.indent not in edges or build.end_column(line) > edges[-1] + 1:
        return None
    text = line.text
    if PARTIAL_RULING.search(text):
        text = PARTIAL_RULING.sub(_borders, text)
        if text.strip(" |"):
            return None  # text next to a ruling may belong to either row
        line = Line(line.number, line.indent, text, line.source_offset)
    last = edges.index(line.indent)
    line_cells = [
        CellPart(Line(line.number, edge, "", line.source_offset)) for edge in edges[:last]
    ]
    for index in range(last + 1, len(edges)):
        offset = edges[index] - line.indent
        is_missing = offset >= len(text)
        if is_missing and index > last + 1:
            return None
        if is_missing or text[offset] == "|":
            text_of_cell = build.slice_line(line, edges[last] + 1, edges[index])
            line_cells.append(CellPart(text_of_cell, index - last))
            last = index
    return tuple(line_cells) if last == len(edges) - 1 else None


def _borders(match: re.Match[str]) -> str:
    """A ruling inside a cell drawn as borders alone, in the same columns."""
    return match[0].replace("-", " ").replace("=", " ").replace("+", "|")


def _table(
    lines: Sequence[Line], groups: list[RowGroup], groups_above_double: int, edges: list[int],
    decoration: list[int], has_boxes: bool,
) -> Table | None:
    widths = [right - left - 1 for left, right in pairwise(edges)]
    head_groups = groups_above_double or _head(groups, len(widths))
    if head_groups >= len(groups):
        return None
    column_count = len(widths)
    stacked = _stacked_column(groups[0], groups[1:], widths) if head_groups == 1 else None
    if stacked is not None:
        head = [_stacked_row(groups[0], stacked)]
        body: list[Row] | None = [_stacked_row(group, stacked) for group in groups[1:]]
        column_count += 1
    else:
        head = [row for group in groups[:head_groups] for row in _head_rows(group)]
        body = build.rows(groups[head_groups:], widths, has_boxes)
    if body is None or _has_partial_ruling(lines, groups[head_groups][0][0].line.number):
        return None
    return build.table("grid", lines, head, body, column_count, decoration)


def _has_partial_ruling(lines: Sequence[Line], first: int) -> bool:
    """Whether a ruling below the head divides some columns only: cells over several rows."""
    return any(
        line.number >= first and line.text[0] == "|" and PARTIAL_RULING.search(line.text)
        for line in lines
    )


def _head(groups: list[RowGroup], count: int) -> int:
    """How many row groups the head has, if no double ruling marks its end.

    The head ends with the first row group that has a cell for every column; cells
    over several columns above it are names of groups.
    """
    for index, group in enumerate(groups):
        rows = _head_rows(group)
        if len(rows[-1].cells) == count:
            return index + 1 if _is_head(rows[0]) else 0
    return 0


def _is_head(row: Row) -> bool:
    """Whether a row names columns: short cells, all but the first one filled, no sentence."""
    first, *others = row.cells
    for cell in row.cells if plain_text(first.content).strip() else others:
        words = plain_text(cell.content).split()
        is_sentence = len(words) >= MIN_SENTENCE_WORDS and words[-1].endswith(".")
        if not words or len(words) > MAX_HEAD_WORDS or is_sentence or NAME.fullmatch(words[0]):
            return False
    return True


def _head_rows(group: RowGroup) -> list[Row]:
    """The rows of a head: a ruling inside the row group that divides a cell starts a row."""
    parts = groupby(group, key=lambda line_cells: [cell_part.columns for cell_part in line_cells])
    return [row for _, lines in parts if (row := build.row_of_lines(list(lines))) is not None]

# --- rows of two lines that mean two columns ------------------------------------------
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


def _stacked_column(head: RowGroup, body: Sequence[RowGroup], widths: Sequence[int]) -> int | None:
    """The column (from 0) with two values in each cell, or None."""
    if len(head) != 2 or any(len(line_cells) != len(widths) for line_cells in head):
        return None
    filled = [column for column, cell_part in enumerate(head[1]) if cell_part.line.text]
    if len(filled) != 1 or not _are_two_values(head, filled[0], widths):
        return None
    pairs = [group for group in body if len(group) > 1]
    if any(len(group) > 2 or any(len(line) != len(widths) for line in group) for group in pairs):
        return None
    two_value_count = sum(_are_two_values(group, filled[0], widths) for group in pairs)
    return filled[0] if pairs and two_value_count * 2 >= len(pairs) else None


def _stacked_row(group: RowGroup, column: int) -> Row:
    """The row of a row group of one or two lines, the column `column` made two columns."""
    if len(group[0]) <= column or any(cell_part.columns > 1 for cell_part in group[0]):
        return build.row(_spanning(group, column), [group[0][0].line, group[-1][0].line])
    cells: list[Cell] = []
    for number in range(len(group[0])):
        lines = [line_cells[number].line for line_cells in group]
        if number == column:
            cells += _two_cells(lines)
        else:
            cells.append(build.cell(lines))
    return build.row(cells, [group[0][0].line, group[-1][0].line])


def _two_cells(lines: Sequence[Line]) -> list[Cell]:
    """The cells of two values, one below the other: they cover the same columns of their lines."""
    upper, *below = lines
    if not below:
        return [build.cell([upper]), build.cell([upper.after(len(upper.text))])]
    first = min(line.column for line in lines)
    last = max(line.column + len(line.text) for line in lines)
    return [
        replace(build.cell([line]), extents=(Extent(line.number, first, last - first),))
        for line in lines
    ]


def _spanning(group: RowGroup, column: int) -> list[Cell]:
    """The cells of a line whose cells cover several columns, one of them `column`."""
    cells: list[Cell] = []
    first = 0
    for cell_part in group[0]:
        more = 1 if first <= column < first + cell_part.columns else 0
        cells.append(build.cell([cell_part.line], cell_part.columns + more))
        first += cell_part.columns
    return cells


def _are_two_values(group: RowGroup, column: int, widths: Sequence[int]) -> bool:
    return build.has_room(group[0][column].line, group[1][column].line, widths[column])
