"""Tables with borders, as the proof reads them: grids, and pipes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from dconv.model.source import Line
from dconv.model.tree import Table
from expected_text.pieces import Piece, Pieces, Style, merged, numbered_words

# "+-----+", "+=====|", "|--+--|" on a line of its own; inside a head only the first
GRID_RULE = re.compile(r"[+|](?:[-=]+[+|])+")
# "+---", "|--+", "-----", " ____", "|___|__|"
FLAT_RULE = re.compile(r"\+|\|-+\+|-+$|_+$|\|[_|]+$")
PARTIAL = re.compile(r"\+(?:[-=]+\+)+")
BOXES = str.maketrans("┌┬┐├┼┤└┴┘─│", "+++++++++-|")
# "------+-------", "-----|------"
PIPE_RULE = re.compile(r"-+(?:[+|]-+)+")


def grid(table: Table, lines: Sequence[Line]) -> Style:
    """Cells between "|" at the columns where rules have a "+", or the same in box characters."""
    if lines[0].text[0] == "┌":
        lines = [replace(line, text=line.text.translate(BOXES)) for line in lines]
    edges = sorted(
        {
            line.indent + at
            for line in lines
            for match in (GRID_RULE if FLAT_RULE.match(line.text) else PARTIAL).finditer(line.text)
            for at in range(*match.span()) if line.text[at] in "+|"
        }
    )
    if not edges:  # rules without crosses: the first row has the columns
        edges = [lines[1].indent + at for at, sign in enumerate(lines[1].text) if sign == "|"]
    ruled = frozenset(line.number for line in lines if FLAT_RULE.match(line.text))
    cut = {line.number: _between(line, edges) for line in lines if line.number not in ruled}
    drawn = ruled | _wordless(cut)
    if table.columns < len(edges) or not table.head:
        return Style(drawn, lambda row, row_lines: merged([cut[line.number] for line in row_lines]))
    head = table.head[0].span
    below = cut.get(head.last) or []
    filled = [at for at, piece in enumerate(below) if piece.words]
    at = filled[0] if filled else 0
    return Style(
        drawn, lambda row, row_lines: _stacked([cut[line.number] or [] for line in row_lines], at)
    )


def _wordless(cut: Mapping[int, Pieces | None]) -> frozenset[int]:
    return frozenset(
        number for number, pieces in cut.items()
        if pieces is not None and not any(piece.words for piece in pieces)
    )


def _between(line: Line, edges: Sequence[int]) -> Pieces | None:
    """The cells of a grid's line; a border that is missing makes one cell of two columns."""
    if line.indent not in edges:
        return None
    text = PARTIAL.sub(lambda rule: re.sub("[-=]", " ", rule[0]).replace("+", "|"), line.text)
    last = edges.index(line.indent)
    pieces = [Piece(1, []) for _ in range(last)]
    for at in range(last + 1, len(edges)):
        offset = edges[at] - line.indent
        if offset >= len(text) or text[offset] == "|":
            words = numbered_words(text[edges[last] + 1 - line.indent : offset], line.number)
            pieces.append(Piece(at - last, words))
            last = at
    return pieces


def _stacked(cut: Sequence[Pieces], at: int) -> Pieces | None:
    """A row whose lines are two values, side by side, of the column `at`."""
    upper = cut[0]
    if any(piece.columns > 1 for piece in upper):
        edges = accumulate((piece.columns for piece in upper), initial=0)
        return [
            Piece(piece.columns + (first <= at < first + piece.columns), piece.words)
            for piece, first in zip(upper, edges, strict=False)
        ]
    whole_row = merged(cut)
    lower = merged(cut[1:]) if len(cut) > 1 else [Piece(1, []) for _ in upper]
    if whole_row is None or lower is None:
        return None
    return [*whole_row[:at], upper[at], lower[at], *whole_row[at + 1 :]]


def pipes(lines: Sequence[Line]) -> Style:
    """Cells between "|" at the columns where the rule under the head has its crosses."""
    ruler = next((line for line in lines if PIPE_RULE.fullmatch(line.text)), lines[0])
    borders = [ruler.indent + at for at, sign in enumerate(ruler.text) if sign in "+|"]
    cut = {
        line.number: _at_borders(line, borders)
        for line in lines if not PIPE_RULE.fullmatch(line.text)
    }
    ruled = frozenset(line.number for line in lines if line.number not in cut)
    return Style(
        ruled | _wordless(cut),
        lambda row, row_lines: merged([cut[line.number] for line in row_lines]),
    )


def _at_borders(line: Line, borders: Sequence[int]) -> Pieces | None:
    """The cells of a line of pipes; it may end before its last borders."""
    text = " " * line.indent + line.text
    pieces: Pieces = []
    left = 0
    for border in borders:
        if border < len(text) and text[border] != "|":
            return None
        pieces.append(Piece(1, numbered_words(text[left:border], line.number)))
        left = border + 1
    return [*pieces, Piece(1, numbered_words(text[left:], line.number))]
