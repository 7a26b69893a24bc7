"""A row of a table does not line up with its columns, or lacks a border.

Readers and programs misread such a row. In a matrix or a summary the cells of nearly all
rows begin at the same columns; the rule reports a row with more or fewer cells, or with other
columns, unless a long name moves its cells. A table with borders must have them at the same
columns in each line; a cell may span columns, but the last border must be there.

Bad:
    +------+--------------+
    | 200  | all is well
    | 301 | moved         |
    +------+--------------+

Good:
    +------+--------------+
    | 200  | all is well  |
    | 301  | moved        |
    +------+--------------+
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from dconv.lint.context import Context
from dconv.lint.frequency import is_rare
from dconv.lint.rule import Finding, Rule, report
from dconv.model.source import Line
from dconv.model.tree import Entry, Preformatted, Table, walk

MATRIX_MARK = re.compile(r"(?<=\s)[X-](?=\s|$)")
CELL = re.compile(r"(?<=\s\s)\S")
GRID_BORDER = re.compile(r"\+-+\+(?:-+\+)+")
RULING = re.compile(r"-{4,}(?:\+-{4,})+")
BORDER = re.compile(r"[|+]")
MIN_ROWS = 5  # rows that show where columns are
MIN_GRID_ROWS = 2  # the same for a table whose rulings show them too
MIN_RULED_ROWS = 10  # the same for a table between rulings
MAX_BORDER_SHIFT = 2  # columns by which a border may be misplaced


def _find(context: Context) -> Iterator[Finding]:
    for section in context.sections:
        for block in walk(section.body):
            match block:
                case Table(role="matrix" | "summary") if len(block.rows) >= MIN_ROWS:
                    rows = [context.line(row.span.first) for row in block.rows]
                    cell = MATRIX_MARK if block.role == "matrix" else CELL
                    yield from _misaligned_cells(rows, cell)
                case Table(layout="grid" | "pipes") if len(block.rows) >= (
                    MIN_ROWS if block.layout == "pipes" else MIN_GRID_ROWS
                ):
                    lines = context.lines_of(block.span)
                    yield from _misplaced_borders(lines, closed=block.layout == "grid")
                case _:
                    pass
        for preformatted in [
            inner for block in section.body
            for inner in (block.body if isinstance(block, Entry) else (block,))
        ]:  # not those of lists and examples
            if isinstance(preformatted, Preformatted) and len(preformatted.lines) >= MIN_ROWS:
                lines = context.lines_of(preformatted.span)
                yield from _misplaced_borders(_grid_lines(lines), closed=True)
                if marked := _matrix_rows(lines):
                    yield from _misaligned_cells(marked, MATRIX_MARK)
                else:
                    yield from _misaligned_cells(_ruled_rows(lines), CELL)


def _grid_lines(lines: Sequence[Line]) -> Sequence[Line]:
    """The bordered table that was read as preformatted text because it is irregular, or nothing."""
    rulings = [index for index, line in enumerate(lines) if GRID_BORDER.fullmatch(line.text)]
    if len(rulings) < 2 or rulings[0]:
        return ()
    lines = lines[: rulings[-1] + 1]
    return lines if all(line.text[:1] in ("|", "+") for line in lines) else ()


def _ruled_rows(lines: Sequence[Line]) -> Sequence[Line]:
    """The rows of a table between rulings that was read as preformatted text, or nothing."""
    rulings = [index for index, line in enumerate(lines) if RULING.fullmatch(line.text)]
    rows = lines[rulings[0] + 1 : rulings[-1]] if len(rulings) > 1 else ()
    return [line for line in rows if line.text] if len(rows) >= MIN_RULED_ROWS else ()


def _matrix_rows(lines: Sequence[Line]) -> Sequence[Line]:
    """The rows of a matrix that one of them made preformatted text, or nothing."""
    marked = [index for index, line in enumerate(lines) if len(MATRIX_MARK.findall(line.text)) > 1]
    if len(marked) < MIN_RULED_ROWS:
        return ()
    return [line for line in lines[marked[0] : marked[-1] + 1] if line.text]


def _misaligned_cells(lines: Sequence[Line], cell: re.Pattern[str]) -> Iterator[Finding]:
    """Lines whose cells begin at other columns than those of nearly all lines."""
    starts = [
        tuple(match.start() + line.indent for match in cell.finditer(line.text)) for line in lines
    ]
    usual_columns, count = Counter(starts).most_common(1)[0] if starts else ((), 0)
    if not is_rare(len(lines) - count, len(lines)) or not usual_columns:
        return
    for line, own_starts in zip(lines, starts, strict=True):
        if own_starts != usual_columns and not _has_long_name(line, own_starts, usual_columns):
            message = "this row does not line up with the columns of the table"
            if len(own_starts) != len(usual_columns):
                cells = f"{len(own_starts)} cell{'s' * (len(own_starts) != 1)}"
                message = f"{cells} follow the name in this row, {len(usual_columns)} in the others"
            yield report(line, message)


def _has_long_name(line: Line, columns: tuple[int, ...], usual_columns: tuple[int, ...]) -> bool:
    """Whether a long name reaches into the next column."""
    name = re.match(r"\S+(?: \S+)*", line.text)
    return (
        name is not None and name.end() + line.indent >= usual_columns[0] - 1
        and len(columns) <= len(usual_columns)
    )


def _misplaced_borders(all_lines: Sequence[Line], *, closed: bool) -> Iterator[Finding]:
    """Lines with a misplaced border, or without the last one of a `closed` table."""
    lines = [line for line in all_lines if line.text]
    counts = Counter(border for line in lines for border in set(_border_columns(line)))
    border_columns = [border for border, count in counts.items() if count * 5 >= len(lines) * 4]
    if not border_columns:
        return
    last = max(border_columns)
    for line in lines:
        own_columns = _border_columns(line)
        line_end = line.indent + len(line.text) - 1
        missing_columns = [column for column in border_columns if column not in own_columns]
        shifted_columns = [
            border for border in own_columns
            if border not in border_columns
            and any(abs(border - column) <= MAX_BORDER_SHIFT for column in missing_columns)
        ]
        if closed and line_end < last:
            message = "this line of the table lacks its last border"
        elif shifted_columns:
            message = "a border of this line does not line up with the others"
        else:
            continue
        yield report(line, message)


def _border_columns(line: Line) -> list[int]:
    return [match.start() + line.indent for match in BORDER.finditer(line.text)]


RULE = Rule("table-layout", "warning", __doc__, _find)
