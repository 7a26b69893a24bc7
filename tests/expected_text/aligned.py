"""Tables whose columns are only aligned."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from dconv.model.source import Line
from dconv.model.tree import Row, Table, plain_text
from expected_text.pieces import QUOTE, Piece, Pieces, Style, Words, merged, numbered_words

# "------+-------" below the head
RULE = re.compile(r"-{2,}(?:\+-+)+")
# "----   ----" below the head, "====  ====" around it
STROKES = re.compile(r"-{2,}(?: +-{2,})+|={2,}(?: +={2,})+")
# one rule below the head, which says where the columns start
ONE_STROKE = re.compile(r"-{20,}|={20,}")
# words with one space between them
CHUNK = re.compile(r"\S+(?: \S+)*")
LETTERS = re.compile(r"[^\W_]+")
# "TCP: Con Ses": a group and its columns
GROUP = re.compile(r"(\w+): (\w+(?: \w+)*)")
NEAR = 2  # columns that a cell may appear beside its column
FLAG = "(deprecated)"  # after the last column it belongs to the name


def _chunks(line: Line) -> list[Line]:
    """The stretches of `line` that are two spaces or more apart."""
    return [
        Line(line.number, line.indent + match.start(), match[0])
        for match in CHUNK.finditer(line.text)
    ]


def ruled(table: Table, lines: Sequence[Line]) -> Style:
    """Cells at the columns where the strokes of the rule, or most cells of full rows, start."""
    if strokes := next((line for line in lines if STROKES.fullmatch(line.text)), None):
        starts = [strokes.indent + match.start() for match in re.finditer(r"\S+", strokes.text)]
        below = [line for line in lines if line.number > strokes.number]
        gaps = _starts_of_gaps(below)
        over = any(
            (" " * line.indent + line.text)[at - 1 : at].strip() for line in below
            for at in starts[1:]
        )
        if len(gaps) == table.columns and (over or len(starts) < len(gaps)):
            style = _under_strokes(STROKES, gaps, lines)
            return Style(style.drawn, lambda row, row_lines: (
                _names(lines[0], len(starts), table.columns) if row_lines[0] is lines[0]
                else style.reader(row, row_lines)
            ))
        return _under_strokes(STROKES, starts, lines)
    head = lines[0]
    if any(ONE_STROKE.fullmatch(line.text) for line in lines):
        return _under_strokes(ONE_STROKE, [name.indent for name in _chunks(head)], lines)
    head_words = LETTERS.findall(head.text)
    drawn = frozenset(
        line.number for line in lines[1:]
        if RULE.fullmatch(line.text) or line.text == head.text
        or (line.text.startswith("--") and LETTERS.findall(line.text) == head_words)
    )
    full = [
        chunks for line in lines[1:]
        if line.number not in drawn and len(chunks := _chunks(line)) == table.columns
    ]
    starts = [
        Counter(chunks[at].indent for chunks in full).most_common(1)[0][0] if full else 0
        for at in range(table.columns)
    ]

    def cells(row: Row, row_lines: Sequence[Line]) -> Pieces | None:
        if row_lines[0] is head:
            return _names(head, table.columns)
        by_order = merged([_by_order(line, starts) for line in row_lines])
        if by_order and _says(row, by_order):
            return by_order
        return merged([_by_columns(line, starts) for line in row_lines])

    return Style(drawn, cells)


def _under_strokes(rule: re.Pattern[str], starts: Sequence[int], lines: Sequence[Line]) -> Style:
    def cells(row: Row, row_lines: Sequence[Line]) -> Pieces | None:
        cut: list[Pieces | None] = []
        for line in row_lines:
            text = " " * line.indent + line.text
            # a word belongs to the column where it starts, and the last words stay together
            last_start = _chunks(line)[-1].indent
            is_over = any(text[at - 1 : at].strip() for at in starts[1:]) and last_start in starts
            edges = [
                -1 if is_over and at > last_start
                else text.find(" ", at) if text[at - 1 : at].strip() else at for at in starts[1:]
            ]
            edges = [starts[0], *[len(text) if at < 0 else at for at in edges], len(text) + 1]
            parts = [text[first:last] for first, last in pairwise(edges)]
            cut.append([Piece(1, numbered_words(part, line.number)) for part in parts])
        return merged(cut)

    drawn = frozenset(line.number for line in lines if rule.fullmatch(line.text))
    return Style(drawn, cells)


def _starts_of_gaps(lines: Sequence[Line]) -> list[int]:
    """Where text starts after two columns or more that are blank in all `lines`."""
    text = [" " * line.indent + line.text for line in lines]
    blank = [
        all(row[at : at + 1] in ("", " ") for row in text) for at in range(max(map(len, text)))
    ]
    return [
        at for at, is_blank in enumerate(blank)
        if not is_blank and all(blank[max(at - 2, 0) : at]) and (at == lines[0].indent or at > 1)
    ]


def _says(row: Row, pieces: Pieces) -> bool:
    """Whether `row` reads its lines as `found` does."""
    return [plain_text(cell.content).replace(QUOTE, "").split() for cell in row.cells] == [
        [word for word, _ in piece.words] for piece in pieces
    ]


def _names(line: Line, count: int, columns: int = 0) -> Pieces | None:
    """The names of `count` columns; a group's word is before each of its own.

    If there are more `columns`, the others have no name.
    """
    pieces: Pieces = []
    chunks = _chunks(line)
    for chunk in chunks:
        group = GROUP.fullmatch(chunk.text) if len(chunks) != count else None
        names = [f"{group[1]} {name}" for name in group[2].split()] if group else [chunk.text]
        pieces += [Piece(1, numbered_words(name, line.number)) for name in names]
    further = [Piece(1, []) for _ in range(columns - count)]
    return [*pieces, *further] if len(pieces) == count else None


def _by_order(line: Line, starts: Sequence[int]) -> Pieces:
    """The cells of a line that fills all columns: one stretch each."""
    chunks = _chunks(line)
    if len(chunks) != len(starts):
        return _by_columns(line, starts)
    return [Piece(1, numbered_words(chunk.text, line.number)) for chunk in chunks]


def _by_columns(line: Line, starts: Sequence[int]) -> Pieces:
    """The cells of a line by the columns that its stretches start at, or go on with."""
    columns: list[Words] = [[] for _ in starts]
    at = 0
    for chunk in _chunks(line):
        for part in _divided(chunk, starts):
            right = bisect_left(starts, part.indent)
            beside = range(max(right - 1, 0), min(right + 1, len(starts)))
            near = min(beside, key=lambda place: abs(starts[place] - part.indent))
            close = abs(starts[near] - part.indent) <= NEAR
            if close and (near > at or not any(columns)):
                at = near
            elif part.text == FLAG and part.indent > starts[-1]:
                at = 0
            columns[at] += numbered_words(part.text, line.number)
    return [Piece(1, words) for words in columns]


def _divided(part: Line, starts: Sequence[int]) -> list[Line]:
    """`part`, cut where a word starts exactly at a column: a long cell leaves one space."""
    cuts = [0]
    for start in starts[bisect_left(starts, part.indent, 1) :]:
        offset = start - part.indent
        if cuts[-1] + 1 < offset < len(part.text) and part.text[offset - 1] == " ":
            cuts.append(offset)
    cuts.append(len(part.text))
    return [
        Line(part.number, part.indent + first, part.text[first:last].rstrip())
        for first, last in pairwise(cuts)
    ]


def bare(table: Table, lines: Sequence[Line]) -> Style:
    """A key, a text, and perhaps a third column that is aligned with its name."""
    head = lines[0]
    names = _chunks(head)

    def cells(row: Row, row_lines: Sequence[Line]) -> Pieces | None:
        columns: list[Words] = [[] for _ in names]
        if row_lines[0] is head:
            columns = [numbered_words(name.text, head.number) for name in names]
            columns[0] += [
                word for line in row_lines[1:] for word in numbered_words(line.text, line.number)
            ]
        else:
            key = row_lines[0].text.split(maxsplit=1)[0]
            columns[0] = numbered_words(key, row_lines[0].number)
            start = len(row_lines[0].text) - len(row_lines[0].text[len(key) :].lstrip())
            for line in (row_lines[0].after(start), *row_lines[1:]):
                _divide(line, names, columns)
        return [Piece(1, words) for words in columns]

    return Style(frozenset(), cells)


def _divide(line: Line, names: Sequence[Line], columns: list[Words]) -> None:
    """Put the words of `line` into the second column, and the third where it has one."""
    *rest, last = _chunks(line)
    end = len(line.text)
    if len(names) > 2 and rest:
        name = names[2]
        ends = (last.indent + len(last.text), name.indent + len(name.text))
        if last.indent == name.indent or ends[0] == ends[1]:
            end = last.indent - line.indent
    columns[1] += numbered_words(line.text[:end], line.number)
    if end < len(line.text):
        columns[2] += numbered_words(line.text[end:], line.number)
