"""Tables and usages, read from the lines by borders and columns.

Of the node of a table only the style and the lines of each row are taken.  Where columns
leave two readings open, the words of its cells decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import assert_never

from dconv.model.source import Line
from dconv.model.tree import Table, UsageKind
from dconv.proof.leaves import BREAK, CELL
from expected_text import aligned, borders
from expected_text.pieces import Pieces, Style


@dataclass(frozen=True, slots=True)
class Cells:
    """The words of the row that starts at line `number`, `CELL` before each cell.

    `places` has the line of each word; `dropped` names rules with lines that draw;
    `message` says what is wrong, or is empty.
    """

    number: int
    words: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    dropped: tuple[tuple[str, int], ...] = ()
    message: str = ""


def read(table: Table, lines: Sequence[Line]) -> Iterator[Cells]:
    """The rows of `table`, whose lines are `lines`, in order; and what is in none."""
    filled = [line for line in lines if line.text]
    style = _style(table, filled)
    rest = {line.number: line for line in filled if line.number not in style.drawn}
    for number in sorted(style.drawn):
        yield Cells(number, dropped=(("table rule or repeated head", number),))
    for row in (*table.head, *table.rows):
        span = row.span
        row_lines = [
            rest.pop(number) for number in range(span.first, span.last + 1) if number in rest
        ]
        is_read = row_lines and row_lines[0].number == span.first
        pieces = style.reader(row, row_lines) if is_read else None
        if pieces is None:
            yield Cells(span.first, message="is in a row that its columns do not make")
        else:
            yield _row(row_lines, pieces)
    for number in rest:
        yield Cells(number, message="is in no row of its table")


def _row(lines: Sequence[Line], pieces: Pieces) -> Cells:
    first = lines[0].number
    words: list[str] = []
    places: list[int] = []
    for piece in pieces:
        if words:
            words.append(BREAK)
            places.append(first)
        words.append(CELL + (str(piece.columns) if piece.columns > 1 else ""))
        places.append(first)
        words += [word for word, _ in piece.words]
        places += [number for _, number in piece.words]
    return Cells(first, tuple(words), tuple(places))


def _style(table: Table, lines: Sequence[Line]) -> Style:
    match table.layout:
        case "grid":
            return borders.grid(table, lines)
        case "pipes":
            return borders.pipes(lines)
        case "columns":
            return aligned.bare(table, lines)
        case "ruled":
            return aligned.ruled(table, lines)
        case _:
            assert_never(table.layout)


# --- usages ---------------------------------------------------------------------------


def pairs(
    kind: UsageKind, text: str, below: str
) -> Sequence[tuple[list[str], list[str]]]:
    """The names of a usage on the line `text` with their states, by position.

    `below` is the line with the states, or empty.  A word before the first name of a group is
    before all of its names.  Contexts are one list.
    """
    label, _, shown = text.partition(":")
    match kind:
        case "contexts":
            names = [" ".join(name.split()) for name in shown.split(",")]
            return [(", ".join(names).split(), [])]
        case "default-server":
            return [(label.split(), shown.split())]
        case "sections" | "rule sets":
            places = [name.split() for name in shown.split("|")]
            states = [state.split() for state in below.split("|")]
            if kind == "rule sets":
                places = _grouped(places)
            return list(zip_longest(places, states, fillvalue=[]))
        case _:
            assert_never(kind)


def _grouped(names: Sequence[list[str]]) -> list[list[str]]:
    group: list[str] = []
    grouped: list[list[str]] = []
    for name in names:
        group = name[:-1] or group
        grouped.append([*group, *name[-1:]])
    return grouped
