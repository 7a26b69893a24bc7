"""Tables with a ruling under the head and columns that are only aligned.

     name           first   second
    --------------+-------+--------
    alpha             X       -
    beta (gone)       X       X
    -- name --------- first - second -
    gamma             -       X

The ruling gives the number of columns; the rows show where they start, since cells overflow and
heads are not aligned with them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

from dconv.model.source import Line
from dconv.model.tree import Cell, Row, Table, TableRole, Text, plain_text
from dconv.readers.text.region import Region
from dconv.readers.text.rules.tables import build

# -------------------+----------+---------
RULING = re.compile(r"-{2,}(?:\+-+)+")

# "keyword" of `-- keyword ---+- type -`: what a repeated head says.
LETTERS = re.compile(r"[^\W_]+")

# TCP: Con Ses
GROUP = re.compile(r"(\w+): (\w+(?: \w+)*)")

MAX_SHIFT = 2  # columns between a cell and the start of its column
MAX_ODD_SHARE = 0.1  # of the rows of a matrix; they hold other things than marks


def rule(region: Region, index: int) -> tuple[Table, int] | None:
    """The table whose head is the line `index`."""
    if index + 2 >= region.end or region.lines[index + 1].text[:2] != "--":
        return None
    ruling = region.lines[index + 1]
    if not RULING.fullmatch(ruling.text) or "|" in region.lines[index].text:
        return None
    if index > region.first and RULING.fullmatch(region.lines[index - 1].text):
        return None  # inside a table that was not certain
    head = _head(region.lines[index], ruling.text.count("+") + 1)
    if head is None:
        return None
    end = region.block_end(index)
    table = _read(region.lines[index:end], head)
    return None if table is None else (table, end)


def _head(line: Line, count: int) -> Row | None:
    """The names of `count` columns, or None if the line has others.

    In `keyword   TCP: Con Ses   HTTP: Req` a group's name goes to each of its columns.
    """
    names = build.split_at_gaps(line)
    if len(names) == count:
        return build.row([build.cell([name]) for name in names], [line])
    cells: list[Cell] = []
    for name in names:
        group = GROUP.fullmatch(name.text)
        if group is None:
            cells.append(build.cell([name]))
        else:
            cells += _members(name, group)
    return build.row(cells, [line]) if len(cells) == count else None


def _members(name: Line, group: re.Match[str]) -> Iterator[Cell]:
    """The cells of the columns of a `group`, which is at `name`: its word is in each."""
    for member in re.finditer(r"\w+", group[2]):
        start = group.start(2) + member.start()
        words = (
            build.slice_line(name, name.indent, name.indent + group.end(1)),
            build.slice_line(name, name.indent + start, name.indent + start + len(member[0])),
        )
        yield Cell((Text(f"{group[1]} {member[0]}"),), 1, build.extents(words))


def _read(lines: Sequence[Line], head: Row) -> Table | None:
    rulings: list[int] = []  # the numbers of lines without data: rulings and repeated heads
    records: list[list[Line]] = []  # the other lines, each split at gaps
    head_words = LETTERS.findall(lines[0].text)
    for line in lines[1:]:
        if RULING.fullmatch(line.text) or _is_head_again(line, lines[0], head_words):
            rulings.append(line.number)
        else:
            records.append(build.split_at_gaps(line))
    starts = _starts(records, len(head.cells))
    if starts is None:
        return None
    body: list[list[list[Line]]] = []
    for record in records:
        cells = _by_column(record, starts)
        if cells is None or not any(cells[1:]):
            return None  # a line with its first column alone may be the next paragraph
        if cells[0]:
            body.append(cells)
        elif body:
            body[-1] = [upper + lower for upper, lower in zip(body[-1], cells, strict=True)]
        else:
            return None
    rows = [_row(cells, starts) for cells in body]
    role = _role(head, rows)
    if role != "matrix" and len(build.split_at_gaps(lines[0])) < len(starts):
        return None  # groups of columns are known from matrices only
    return build.table("ruled", lines, [head], rows, len(starts), rulings, role)


def _is_head_again(line: Line, head: Line, head_words: list[str]) -> bool:
    """Whether `line` is the head again, in a ruling or at the foot."""
    if line.text.startswith("--"):
        return LETTERS.findall(line.text) == head_words
    return line.text == head.text


def _starts(records: Sequence[list[Line]], count: int) -> list[int] | None:
    """Return the start of each column: the place of most cells in rows that fill all columns."""
    exact = [record for record in records if len(record) == count]
    if not exact:
        return None
    starts = [
        Counter(cell.indent for cell in cells).most_common(1)[0][0]
        for cells in zip(*exact, strict=True)
    ]
    return starts if starts == sorted(set(starts)) else None


def _by_column(record: list[Line], starts: list[int]) -> list[list[Line]] | None:
    """The cells of `record` in each of the columns that start at `starts`.

    None if one may belong to two columns.
    """
    if len(record) == len(starts) and all(
        abs(cell.indent - start) <= MAX_SHIFT for cell, start in zip(record, starts, strict=True)
    ):
        return [[cell] for cell in record]
    cells: list[list[Line]] = [[] for _ in starts]
    index = 0
    for words in record:
        for cell in _divided(words, starts):
            nearest = _nearest_column(cell, starts)
            if nearest is not None and (nearest > index or not any(cells)):
                index = nearest
            cells[index].append(cell)
    return None if _overlaps(cells, starts) else cells


def _nearest_column(cell: Line, starts: list[int]) -> int | None:
    right = bisect_left(starts, cell.indent)
    nearest = min(range(max(right - 1, 0), min(right + 1, len(starts))),
               key=lambda index: abs(starts[index] - cell.indent))
    return nearest if abs(starts[nearest] - cell.indent) <= MAX_SHIFT else None


def _divided(words: Line, starts: list[int]) -> list[Line]:
    """`words` split where one starts exactly at a column: a long cell leaves one space."""
    parts: list[Line] = []
    for start in starts[bisect_left(starts, words.indent, 1) :]:
        offset = start - words.indent
        if 1 < offset < len(words.text) and words.text[offset - 1] == " ":
            parts.append(build.slice_line(words, words.indent, start))
            words = build.slice_line(words, start, build.end_column(words))
    return [*parts, words]


def _overlaps(cells: list[list[Line]], starts: list[int]) -> bool:
    """Whether a cell reaches over the start of a column that is empty."""
    return any(
        cell.text and build.end_column(cell) > starts[index + 1] and not cells[index + 1]
        for index in range(len(starts) - 1)
        for cell in cells[index]
        if cell.indent < starts[index + 1]
    )


def _row(cells: list[list[Line]], starts: list[int]) -> Row:
    first = min((part for parts in cells for part in parts), key=lambda part: part.number)
    return build.row_of_cells([
        parts or [Line(first.number, start, "", first.source_offset)]
        for parts, start in zip(cells, starts, strict=True)
    ])


def _role(head: Row, rows: Sequence[Row]) -> TableRole:
    odd_rows = [
        row for row in rows
        if not all(plain_text(cell.content) in build.MARKS for cell in row.cells[1:])
    ]
    if len(head.cells) > 2 and len(odd_rows) <= MAX_ODD_SHARE * len(rows):
        return "matrix"
    last = plain_text(head.cells[-1].content)
    return "summary" if last.split()[-1:] == ["type"] else "data"
