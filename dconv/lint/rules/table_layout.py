"""A row of a table does not line up with its columns, or lacks a border.

Readers and programs misread such a row. In a matrix or a summary the cells of nearly all
rows begin at the same columns; a row with more or fewer cells, or with other columns, is
reported, unless a long name pushes its cells aside. A table with borders must have them at
the same columns in each line; a cell may span columns, but the last border must be there.

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
from dconv.lint.habits import is_exception
from dconv.lint.rule import Finding, Rule, report
from dconv.model.source import Line
from dconv.model.tree import Entry, Preformatted, Section, Table, walk

MARK = re.compile(r"(?<=\s)[X-](?=\s|$)")
CELL = re.compile(r"(?<=\s\s)\S")
GRID = re.compile(r"\+-+\+(?:-+\+)+")
RULED = re.compile(r"-{4,}(?:\+-{4,})+")
BORDER = re.compile(r"[|+]")
MIN_ROWS = 5  # rows that show where columns are
MIN_RULED_ROWS = 10  # and of a table between ruled lines
MAX_SHIFT = 2  # columns that a border may be beside its place


def _find(context: Context) -> Iterator[Finding]:
    for section in context.sections:
        for block in walk(section.body):
            match block:
                case Table(kind="matrix" | "summary") if len(block.rows) >= MIN_ROWS:
                    rows = [context.line(row.span.first) for row in block.rows]
                    yield from _cells(rows, MARK if block.kind == "matrix" else CELL)
                case Table(kind="grid" | "pipes") if len(block.rows) >= MIN_ROWS:
                    yield from _borders(context.lines_of(block.span), block.kind == "grid")
                case _:
                    pass
        for drawing in _drawings(section):
            if len(drawing.lines) >= MIN_ROWS:
                lines = context.lines_of(drawing.span)
                yield from _borders(_grid(lines), closed=True)
                yield from _cells(_ruled(lines), CELL)


def _drawings(section: Section) -> Iterator[Preformatted]:
    """The drawings of a section and of its entries, without those of lists and examples."""
    for block in section.body:
        for inner in (block.body if isinstance(block, Entry) else (block,)):
            if isinstance(inner, Preformatted):
                yield inner


def _grid(drawn: Sequence[Line]) -> Sequence[Line]:
    """The table with borders all around that was read as a drawing, being so odd, or nothing."""
    rules = [at for at, line in enumerate(drawn) if GRID.fullmatch(line.text)]
    if len(rules) < 2 or rules[0]:
        return ()
    lines = drawn[: rules[-1] + 1]
    return lines if all(line.text[:1] in ("|", "+") for line in lines) else ()


def _ruled(drawn: Sequence[Line]) -> Sequence[Line]:
    """The rows of a table between ruled lines that was read as a drawing, or nothing."""
    rules = [at for at, line in enumerate(drawn) if RULED.fullmatch(line.text)]
    rows = drawn[rules[0] + 1 : rules[-1]] if len(rules) > 1 else ()
    return [line for line in rows if line.text] if len(rows) >= MIN_RULED_ROWS else ()


def _cells(lines: Sequence[Line], cell: re.Pattern[str]) -> Iterator[Finding]:
    """Lines whose cells begin elsewhere than those of nearly all."""
    starts = [
        tuple(match.start() + line.indent for match in cell.finditer(line.text)) for line in lines
    ]
    usual, count = Counter(starts).most_common(1)[0] if starts else ((), 0)
    if not is_exception(len(lines) - count, len(lines)) or not usual:
        return
    for line, own in zip(lines, starts, strict=True):
        if own != usual and not _is_pushed(line, own, usual):
            message = "this row does not line up with the columns of the table"
            if len(own) != len(usual):
                cells = f"{len(own)} cell{'s' * (len(own) != 1)}"
                message = f"{cells} follow the name in this row, {len(usual)} in the others"
            yield report(line, message)


def _is_pushed(line: Line, own: tuple[int, ...], usual: tuple[int, ...]) -> bool:
    """True if a long name reaches into the next column."""
    name = re.match(r"\S+(?: \S+)*", line.text)
    return name is not None and name.end() + line.indent >= usual[0] - 1 and len(own) <= len(usual)


def _borders(every: Sequence[Line], closed: bool) -> Iterator[Finding]:
    """Lines that have a border beside its place, or lack the last one of a `closed` table."""
    lines = [line for line in every if line.text]
    counts = Counter(place for line in lines for place in set(_places(line)))
    bars = [place for place, count in counts.items() if count * 5 >= len(lines) * 4]
    if not bars:
        return
    last = max(bars)
    for line in lines:
        own = _places(line)
        end = line.indent + len(line.text) - 1
        lacking = [bar for bar in bars if bar not in own]
        beside = [
            place for place in own
            if place not in bars and any(abs(place - bar) <= MAX_SHIFT for bar in lacking)
        ]
        if closed and end < last:
            message = "this line of the table lacks its last border"
        elif beside:
            message = "a border of this line does not line up with the others"
        else:
            continue
        yield report(line, message)


def _places(line: Line) -> list[int]:
    return [match.start() + line.indent for match in BORDER.finditer(line.text)]


RULE = Rule("table-layout", "warning", __doc__, _find)
