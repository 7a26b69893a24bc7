"""What the tree leaves out of the text: underlines, bullets, colons, borders, back quotes.

The reader and its rules report each mark that they drop, so that the proof can require all other
characters.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from dconv.model.source import Dropped, Line
from dconv.model.tree import Extent

COLON = re.compile(r"\s*:")
WORD = re.compile(r"\S+")


class DroppedMarks:
    """The marks that the reader of one text drops, in the order in which it meets them.

    Each has a `kind`: what it is, for the report ("underline").
    """

    def __init__(self) -> None:
        self._marks: list[Dropped] = []

    def sorted(self) -> tuple[Dropped, ...]:
        """Return the marks in the order of the text."""
        return tuple(sorted(self._marks, key=lambda mark: (mark.line, mark.column)))

    def add(self, kind: str, line: Line, start: int = 0, end: int | None = None) -> None:
        """Drop the characters from `start` to `end` of the text of `line`, by default all."""
        if text := line.text[start:end]:
            self._marks.append(Dropped(kind, line.number, line.column + start, text))

    def add_colon(self, kind: str, line: Line, end: int) -> None:
        """Drop the colon after the first `end` characters of `line`, if there is one."""
        if match := COLON.match(line.text, end):
            self.add(kind, line, match.end() - 1, match.end())

    def add_after_number(self, kind: str, line: Line, number: str) -> None:
        """Drop what follows the `number` in the first word of `line`: its dot."""
        match = WORD.match(line.text)
        if match and number and match[0].startswith(number):
            self.add(kind, line, len(number), match.end())

    def add_all_but(self, kind: str, line: Line, words: Sequence[str]) -> None:
        """Drop all of `line` but `words`, which it has in this order."""
        index = 0
        for word in words:
            start = line.text.index(word, index)
            self._add_words(kind, line, index, start)
            index = start + len(word)
        self._add_words(kind, line, index, len(line.text))

    def _add_words(self, kind: str, line: Line, start: int, end: int) -> None:
        for match in WORD.finditer(line.text, start, end):
            self.add(kind, line, *match.span())

    def add_outside(
        self, kind: str, lines: Iterable[Line], extents: Sequence[Extent], pattern: re.Pattern[str]
    ) -> None:
        """Drop what `pattern` matches on `lines` outside of `extents`."""
        extents_by_line: defaultdict[int, list[Extent]] = defaultdict(list)
        for extent in extents:
            extents_by_line[extent.line].append(extent)
        for line in lines:
            text = line.text
            for extent in extents_by_line[line.number]:
                start = extent.column - line.column
                text = text[:start] + " " * extent.length + text[start + extent.length :]
            for match in pattern.finditer(text):
                self.add(kind, line, *match.span())
