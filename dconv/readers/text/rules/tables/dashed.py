"""Tables with dashes under, or above and under, the names of their columns.

    Name    Size   Text              =====  =====
    ----    ----   ----              lamp   lit
    wick    3      The wick of       =====  =====
                   the lamp          one    no
                                     =====  =====

Columns start where the dashes do.  Where a dialect describes signatures, dashes may also point at
parts of a line of code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from dconv.model.source import Line
from dconv.model.tree import Table
from dconv.readers.text.region import Region
from dconv.readers.text.rules.tables import build

# "----    ----", "=====  ====="
RULING = re.compile(r"(?:-{2,}(?: +-{2,})+|={2,}(?: +={2,})+)$")
ONE_RULING = re.compile(r"(?:-{20,}|={20,})$")
MIN_NAMES = 3  # columns under one ruling; two names may be a title that is underlined
MAX_HEAD_LINES = 3  # lines of names above a ruling, and the ruling
MIN_LINES = 5  # of a table whose columns start elsewhere than the dashes
GAP = re.compile(r"\S {2,}\S")  # between two cells
DASHES = re.compile(r"\S+")


def rule(region: Region, index: int) -> tuple[Table, int] | None:
    """The table whose head, or whose ruling above the head, is the line `index`."""
    lines = region.lines
    if not region.context.dialect.guesses_terms or index + 2 >= region.end:
        return None
    if index > region.first and RULING.match(lines[index - 1].text):
        return None  # inside a table that was not certain
    if RULING.match(lines[index].text):
        return _between_rulings(region, index)
    ruling = index + 1
    limit = min(region.end, index + MAX_HEAD_LINES)
    while ruling < limit and not RULING.match(lines[ruling].text):
        if not lines[ruling].text:
            break
        ruling += 1
    if ruling + 1 >= region.end or not RULING.match(lines[ruling].text):
        return _under_one_ruling(region, index)
    starts = _starts(lines[ruling])
    if len(build.split_at_gaps(lines[index])) != len(starts):
        return None  # dashes may also point at parts of a sentence
    end = _end(region, ruling)
    head, body = lines[index:ruling], lines[ruling + 1 : end]
    common_starts = _common_starts(body)
    if common_starts[:-1] != starts and (
        table := _table(region, index, end, starts, _head_cells(head, starts), body)
    ):
        return table
    return _beside_dashes(region, index, end, head, common_starts)


def _end(region: Region, ruling: int) -> int:
    """The index after the rows below the line `ruling`, which a blank line may precede.

    Then there may be others between them; each block of rows starts where the ruling does.
    """
    lines = region.lines
    if lines[ruling + 1].text:
        return region.block_end(ruling)
    end = ruling
    start = region.next_text(ruling + 1)
    while start < region.end and lines[start].indent == lines[ruling].indent and (
        GAP.search(lines[start].text)
    ):
        block_end = region.block_end(start)
        if any(RULING.match(line.text) for line in lines[start:block_end]):
            break  # another table
        end = block_end
        start = region.next_text(end)
    return end


def _beside_dashes(
    region: Region, index: int, end: int, head: Sequence[Line], starts: Sequence[int]
) -> tuple[Table, int] | None:
    """The table whose cells are at `starts` and not below dashes; the last may have no name."""
    names = build.split_at_gaps(head[0])
    if len(head) > 1 or len(starts) - len(names) not in (0, 1) or end - index < MIN_LINES:
        return None
    if len(starts) > len(names):
        names.append(Line(head[0].number, starts[-1], "", head[0].source_offset))
    body = region.lines[index + 2 : end]
    return _table(region, index, end, starts, [[name] for name in names], body)


def _common_starts(body: Sequence[Line]) -> list[int]:
    """The indents at which columns of `body` start: below gaps of two blanks in all its lines."""
    width = max((build.end_column(line) for line in body), default=0)
    is_used = [False] * width
    for line in body:
        for offset, character in enumerate(line.text):
            is_used[line.indent + offset] |= character != " "
    used_columns = "".join(["x" if column else " " for column in is_used])
    return [match.start() for match in build.WORDS.finditer(used_columns)]


def _under_one_ruling(region: Region, index: int) -> tuple[Table, int] | None:
    """The table with one ruling across all columns, which start where their names do."""
    lines = region.lines
    below = range(index + 1, min(index + 3, region.end))
    ruling = next((number for number in below if ONE_RULING.match(lines[number].text)), 0)
    if not ruling or not lines[index + 1].text or len(lines[ruling].text) < len(lines[index].text):
        return None
    names = build.split_at_gaps(lines[index])
    if len(names) < MIN_NAMES:
        return None
    end = region.block_end(index)
    starts = [name.indent for name in names]
    head = _head_cells(lines[index:ruling], starts)
    return _table(region, index, end, starts, head, lines[ruling + 1 : end])


def _between_rulings(region: Region, index: int) -> tuple[Table, int] | None:
    """The table between the ruling at `index` and the last one like it."""
    lines = region.lines
    rulings = [index]
    end = index + 1
    while end < region.end and len(rulings) < 3:
        line = lines[end]
        if line.text and line.indent < lines[index].indent:
            break
        if line.text == lines[index].text and line.indent == lines[index].indent:
            rulings.append(end)
            if end + 1 >= region.end or not lines[end + 1].text:
                break
        elif RULING.match(line.text):
            break  # of another table
        end += 1
    if len(rulings) < 2 or rulings[-1] == index + 1:
        return None
    first = rulings[1] if len(rulings) > 2 else index
    last = rulings[-1]
    head, body = lines[index + 1 : first], lines[first + 1 : last]
    starts = _starts(lines[index])
    return _table(region, index, last + 1, starts, _head_cells(head, starts), body)


def _head_cells(head: Sequence[Line], starts: Sequence[int]) -> list[list[Line]] | None:
    """The cells of the lines of `head`, or None if one goes over the start of another."""
    names: list[list[Line]] = [[] for _ in starts]
    for line in head:
        cells = _cells(line, starts)
        if cells is None:
            return None
        names = [[*upper, lower] for upper, lower in zip(names, cells, strict=True)]
    return names


def _table(
    region: Region, index: int, end: int, starts: Sequence[int],
    head: list[list[Line]] | None, body: Sequence[Line],
) -> tuple[Table, int] | None:
    """The table on the lines `index` to `end`; None if a cell goes over the start of another."""
    if head is None:
        return None
    rows: list[list[list[Line]]] = []  # rows of cells of lines
    for line in body:
        cells = _cells(line, starts) if line.text else []
        if cells is None or RULING.match(line.text) or ONE_RULING.match(line.text):
            return None
        if cells and (cells[0].text or not rows or _starts_row(cells, rows[-1])):
            rows.append([[cell] for cell in cells])
        elif cells:
            rows[-1] = [[*upper, lower] for upper, lower in zip(rows[-1], cells, strict=True)]
    if not any(row[1][0].text for row in rows):
        return None
    lines = region.lines[index:end]
    rulings = [
        line.number for line in lines
        if RULING.match(line.text) or ONE_RULING.match(line.text)
    ]
    head_rows = [build.row_of_cells(head)] if any(head) else []
    body_rows = [*map(build.row_of_cells, rows)]
    return build.table("ruled", lines, head_rows, body_rows, len(starts), rulings), end


def _starts_row(cells: Sequence[Line], above: Sequence[Sequence[Line]]) -> bool:
    """Whether `cells`, of which the first is empty, are a row: a word, where `above` has none."""
    second, upper = cells[1], above[1]
    is_word = second.text != "" and " " not in second.text and len(cells) > 2 and cells[2].text
    return bool(is_word) and (not any(line.text for line in upper) or not above[0][0].text)


def _starts(line: Line) -> list[int]:
    """The indents at which the dashes of the columns start in the ruling `line`."""
    return [line.indent + match.start() for match in DASHES.finditer(line.text)]


def _cells(line: Line, starts: Sequence[int]) -> list[Line] | None:
    """The cells of `line`, or None if one of them goes over the start of the next.

    The last one of the line may, if nothing is beside it.
    """
    if line.indent < starts[0]:
        return None
    if not _overflows(line, starts):
        return _split_at(line, starts)
    *_, word = build.split_at_gaps(line)
    before = build.slice_line(line, line.indent, word.indent)
    if word.indent not in starts[1:] or _overflows(before, starts):
        return None
    column = starts.index(word.indent)
    beside = [
        Line(line.number, build.end_column(line) + index, "", line.source_offset)
        for index in range(len(starts) - column - 1)
    ]
    return [*_split_at(before, starts)[:column], word, *beside]


def _overflows(line: Line, starts: Sequence[int]) -> bool:
    """Whether there is text directly before the start of a column."""
    offsets = [start - line.indent for start in starts[1:]]
    return any(offset > 0 and line.text[offset - 1 : offset].strip() for offset in offsets)


def _split_at(line: Line, starts: Sequence[int]) -> list[Line]:
    """The text of `line` in each of the columns that start at `starts`."""
    limits = [*starts, max(line.indent + len(line.text), starts[-1]) + 1]
    cells = [build.slice_line(line, first, end) for first, end in pairwise(limits)]
    return [
        cell if cell.text else Line(line.number, start, "", line.source_offset)
        for cell, start in zip(cells, starts, strict=True)
    ]
