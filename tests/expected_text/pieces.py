"""Cells of tables, read from lines: shared by all styles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dconv.model.source import Line
from dconv.model.tree import Row

QUOTE = "`"  # around code; pages show the code instead

# the words of one cell, each with its line
Words: TypeAlias = list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Piece:
    """The words of a cell that covers `columns` columns."""

    columns: int
    words: Words


# the cells of one line, and of a row that is on several
Pieces: TypeAlias = list[Piece]
Reader: TypeAlias = Callable[[Row, Sequence[Line]], Pieces | None]


@dataclass(frozen=True, slots=True)
class Style:
    """A table, looked at: the lines that only draw, and how a row's lines are read."""

    drawn: frozenset[int]
    reader: Reader


def numbered_words(text: str, number: int) -> Words:
    return [(word, number) for word in text.replace(QUOTE, "").split()]


def merged(lines: Sequence[Pieces | None]) -> Pieces | None:
    """One row from the cells of its lines; None if they are cut differently."""
    first = lines[0]
    if first is None or len(lines) == 1:
        return first
    words: list[Words] = [[] for _ in first]
    for pieces in lines:
        if pieces is None or [part.columns for part in pieces] != [part.columns for part in first]:
            return None
        for cell, piece in zip(words, pieces, strict=True):
            cell += piece.words
    return [Piece(piece.columns, cell) for piece, cell in zip(first, words, strict=True)]
