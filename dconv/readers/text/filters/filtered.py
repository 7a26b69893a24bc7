"""What a filter makes of a text: other lines, and what it knows about them.

Words are never changed: each line of the result has the words of one line of the file, without
those that the filter reports as left out.  `dconv/proof/source_words.py` compares them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Literal, TypeAlias

from dconv.model.dialect import Dialect
from dconv.model.source import Line, Source
from dconv.model.values import dataclass
from dconv.readers.text.dropped import DroppedMarks

StyleKind: TypeAlias = Literal["bold", "underlined"]


@dataclass(frozen=True, slots=True)
class Style:
    """The characters `start` to `end` (excluded) of a line are bold or underlined."""

    start: int
    end: int
    kind: StyleKind


@dataclass(frozen=True, slots=True)
class FilteredEntry:
    """An entry: the number of the line of each signature, with its name, and its last line."""

    signatures: tuple[tuple[int, str], ...]
    last: int


@dataclass(frozen=True, slots=True)
class FilteredText:
    """A text to read, and what is known about its lines, by their numbers.

    `titles` are lines with titles, each with its level; `code` are lines of code, whatever they
    look like; `body_indent` is the usual indent of lines that are no titles; `styles` has bold and
    underlined characters; `entries` are those that the filter recognizes.
    """

    source: Source
    dialect: Dialect
    titles: Mapping[int, int] = field(default_factory=dict)
    code: frozenset[int] = frozenset()
    body_indent: int = 0
    styles: Mapping[int, tuple[Style, ...]] = field(default_factory=dict)
    entries: tuple[FilteredEntry, ...] = ()


class FilteredLines:
    """The lines that a filter writes; `dropped` takes what it leaves out of the file's lines."""

    def __init__(self) -> None:
        self.dropped = DroppedMarks()
        self._lines: list[Line] = []
        self._file_line_numbers: list[int] = []
        self._out_of_order: set[int] = set()

    @property
    def count(self) -> int:
        """How many lines are written."""
        return len(self._lines)

    def add_line(
        self, file_line: Line, indent: int, text: str, *, source_offset: int = 0,
        is_out_of_order: bool = False,
    ) -> int:
        """Write `text`, of the file's line `file_line`, at the column `indent`; return its number.

        The file has it `source_offset` columns further right.  `is_out_of_order` says that lines
        follow which are above `file_line` in the file.
        """
        number = len(self._lines) + 1
        stripped = text.strip()
        self._lines.append(Line(number, indent if stripped else 0, stripped, source_offset))
        self._file_line_numbers.append(file_line.number)
        if is_out_of_order:
            self._out_of_order.add(number)
        return number

    def blank_line(self, file_line: Line) -> None:
        """Write a blank line before what the file has on `file_line`, unless there is one."""
        if self._lines and self._lines[-1].text:
            self.add_line(file_line, 0, "")

    def source(self, original: Source) -> Source:
        """`original` with the lines that were written in the place of its own."""
        return replace(
            original, lines=tuple(self._lines), file_line_numbers=tuple(self._file_line_numbers),
            unfiltered=original.lines, filtered_out=self.dropped.sorted(),
            out_of_order=frozenset(self._out_of_order),
        )
