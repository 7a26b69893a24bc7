"""Tables without any ruling: a head, and rows that start with a number or a flag.

    Code  When                        Flags  Reason
      12  the request is too old
      13  the request is too new,       AA   The client went away.
          or has no date
                                        BB   The server went away.

The rows must be deeper than the head, since paragraphs could look the same otherwise; rows with
flags have blank lines between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from dconv.model.source import Line
from dconv.model.tree import Row, Table
from dconv.readers.text.region import Region
from dconv.readers.text.rules.tables import build

# Field   Format            Extract from the text
HEAD = re.compile(r"[A-Z]\w*(?: {2,}[A-Z]\S*(?: \S+)*){1,2}")

# "number" as the second line of a head
WORD = re.compile(r"[a-z]+")

# 12  the request is too old
NUMBER = re.compile(r"[0-9]{1,9} +(?=\S)")

# "CC   The client went away.": two letters or dashes
FLAGS = re.compile(r"(?:--|[A-Za-z]{2}) {2,}(?=\S)")

MAX_SHIFT = 1  # columns between the texts of two rows
MIN_ROWS = 2  # fewer may be chance


def rule(region: Region, index: int) -> tuple[Table, int] | None:
    """The table whose head is the line `index`, and the index after it."""
    line = region.lines[index]
    if "  " not in line.text or not HEAD.fullmatch(line.text):
        return None
    first = index + 1
    if first < region.end and region.lines[first].indent == line.indent:
        first += bool(WORD.fullmatch(region.lines[first].text))
    if first < region.end and region.lines[first].text:
        return _numbered(region, index, first)
    return _flagged(region, index, region.next_text(first))


def _numbered(region: Region, index: int, first: int) -> tuple[Table, int] | None:
    """The table with the head `index`, whose rows start at `first` with rising numbers.

    It ends at a blank line.
    """
    end = region.block_end(index)
    records = _records(region.lines[first:end], NUMBER, region.lines[index].indent)
    if records is None:
        return None
    numbers = [int(record[0].text) for record in records]
    if any(low >= high for low, high in pairwise(numbers)):
        return None
    return _table(region.lines[index:end], first - index, records, end)


def _flagged(region: Region, index: int, first: int) -> tuple[Table, int] | None:
    """The table with the head `index`, whose rows start at `first` with two letters each."""
    if first >= region.end or not FLAGS.match(region.lines[first].text):
        return None
    column = region.lines[first].indent
    if column <= region.lines[index].indent:
        return None
    end = region.deeper_end(first, column - 1)
    records = _records([line for line in region.lines[first:end] if line.text], FLAGS, column - 1)
    if records is None or len({record[0].text for record in records}) < len(records):
        return None
    return _table(region.lines[index:end], first - index, records, end)


def _records(
    lines: Sequence[Line], key_pattern: re.Pattern[str], indent: int
) -> list[list[Line]] | None:
    """The key and the lines of text of each row, or None if a line is neither."""
    records: list[list[Line]] = []
    text_column = 0
    for line in lines:
        if records and line.indent >= text_column - MAX_SHIFT:
            records[-1].append(line)
            continue
        match = key_pattern.match(line.text)
        if match is None or line.indent <= indent:
            return None
        column = line.indent + match.end()
        text_column = text_column or column
        if abs(column - text_column) > MAX_SHIFT:
            return None
        key = build.slice_line(line, line.indent, column)
        records.append([key, build.slice_line(line, column, build.end_column(line))])
    return records if len(records) >= MIN_ROWS else None


def _table(
    lines: Sequence[Line], first: int, records: Sequence[list[Line]], end: int
) -> tuple[Table, int] | None:
    """The table of `records`, and `end`; a third name in the head divides the text of each row."""
    names = build.split_at_gaps(lines[0])
    cells = [[name] for name in names]
    cells[0] += [line for line in lines[1:first] if line.text]
    head = build.row_of_cells(cells)
    rows: list[Row] = []
    for key, *texts in records:
        parts = [[key], texts]
        if len(names) > 2:
            divided = _divided(texts, names[2])
            if divided is None:
                return None
            parts[1:] = divided
        rows.append(build.row_of_cells(parts))
    return build.table("columns", lines, [head], rows, len(names), ()), end


def _divided(texts: Sequence[Line], name: Line) -> list[list[Line]] | None:
    """The second and the third column of a row; the third is aligned with its name.

    None if the row has no third column or several.
    """
    second: list[Line] = []
    third: list[Line] = []
    for line in texts:
        *rest, last = build.split_at_gaps(line)
        if rest and (
            build.end_column(last) == build.end_column(name) or last.indent == name.indent
        ):
            third.append(last)
            second.append(build.slice_line(line, line.indent, last.indent))
        else:
            second.append(line)
    return [second, third] if len(third) == 1 else None
