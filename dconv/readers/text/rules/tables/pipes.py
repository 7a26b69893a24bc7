"""Tables with `|` between columns and a `---+---` ruling under the head.

    Size  | Meaning
    ------+--------------
    small | fits anywhere
    large | fits nowhere

There are no outer borders.  Rulings may appear between rows, and a `|` may cross a ruling.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from dconv.model.source import Line
from dconv.model.tree import Table
from dconv.readers.text.region import Region
from dconv.readers.text.rules.tables import build
from dconv.readers.text.rules.tables.build import CellPart, SplitLine

# -----------+---------------+-----   -------|------
RULING = re.compile(r"-+(?:[+|]-+)+")

MAX_HEAD_LINES = 5  # lines that a head may have


def rule(region: Region, index: int) -> tuple[Table, int] | None:
    """The table whose head starts at `index`."""
    if "|" not in region.lines[index].text:
        return None
    if index > region.first and "|" in region.lines[index - 1].text:
        return None  # inside a table that was not certain
    ruling = _ruling_under_head(region, index)
    if ruling is None:
        return None
    end = region.block_end(index)
    table = _read(region.lines[index:end], ruling)
    return None if table is None else (table, end)


def _borders(ruling: Line) -> list[int]:
    """The columns of the crosses of a ruling."""
    return [ruling.indent + match.start() for match in re.finditer(r"[+|]", ruling.text)]


def _ruling_under_head(region: Region, index: int) -> Line | None:
    """The ruling under the head that starts at `index`."""
    for line in region.lines[index + 1 : min(index + 1 + MAX_HEAD_LINES, region.end)]:
        if line.text.startswith("--"):
            return line if RULING.fullmatch(line.text) else None
        if "|" not in line.text:
            return None
    return None


def _read(lines: Sequence[Line], ruling: Line) -> Table | None:
    borders = _borders(ruling)
    if any(RULING.fullmatch(line.text) and _borders(line) != borders for line in lines):
        return None
    groups_and_decoration = build.split_at_rulings(
        lines, lambda line: RULING.fullmatch(line.text) is not None,
        lambda line: _split(line, borders) if line.indent >= ruling.indent else None,
    )
    if groups_and_decoration is None:
        return None
    groups, decoration = groups_and_decoration
    edges = [ruling.indent - 1, *borders, build.end_column(ruling)]
    widths = [right - left - 1 for left, right in pairwise(edges)]
    head = build.row_of_lines(groups[0])
    rows = build.rows(groups[1:], widths)
    if head is None or rows is None:
        return None
    return build.table("pipes", lines, [head], rows, len(widths), decoration)


def _split(line: Line, borders: list[int]) -> SplitLine | None:
    """The cells of `line`: it has every border, or ends before those that it lacks."""
    stop = build.end_column(line)
    if stop <= borders[0] or line.indent > borders[0]:
        return None
    line_cells: list[CellPart] = []
    left = 0
    for border in borders:
        if border < stop and line.text[border - line.indent] != "|":
            return None
        line_cells.append(CellPart(build.slice_line(line, left, min(border, stop))))
        left = border + 1
    line_cells.append(CellPart(build.slice_line(line, left, max(left, stop))))
    return tuple(line_cells)
