"""The first half of the proof: the words of the source are those of the tree.

Every word of the source is in one leaf of the tree, on the lines that the leaf names and in the
order of the text, or among the characters that the reader reports as dropped.  The cells of a
`Grid` (a table, or a `Usage`: where an entry may be used) are side by side, so they are looked up
by lines and columns.  Two blocks must not be one leaf: where the author ended a line and the next
one is at another column, another leaf starts.  Nothing here knows a format: a reader fills in
`Source`, spans, extents and `dropped`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from dconv.model.source import Source
from dconv.model.tree import Extent, Manual
from dconv.model.values import dataclass
from dconv.model.wrapping import HYPHEN_BREAK, starts_block
from dconv.proof.differences import Loss, differences, loss, quoted
from dconv.proof.leaves import Grid, Leaf, leaves_and_grids


@dataclass(frozen=True, slots=True)
class SourceComparison:
    """The result of comparing the leaves of a tree with its source.

    `words_before` counts for each of the `leaves` the words of its first line that are in leaves
    before it; `losses` is where source and tree differ.
    """

    source: SourceWords
    leaves: tuple[Leaf, ...]
    words_before: tuple[int, ...]
    losses: tuple[Loss, ...]

    def lines(self, index: int) -> list[int]:
        """The line of each word of the leaf at `index`, as the source has them."""
        leaf = self.leaves[index]
        if leaf.is_code:  # its `words` are whole lines
            return [*range(leaf.first, leaf.first + len(leaf.words))]
        expected = self.source.expected(leaf, self.words_before[index])
        lines = [line for _, line in expected[: len(leaf.words)]]
        return lines + [lines[-1] if lines else leaf.first] * (len(leaf.words) - len(lines))


class SourceWords:
    """The `words` of a source by line, without what the reader dropped; lines count from 1."""

    def __init__(self, manual: Manual) -> None:
        self._lines = manual.source.lines
        # the ends of the dropped characters of a line, as offsets into its text, in order
        self._dropped: dict[int, list[tuple[int, int]]] = {}
        for mark in manual.dropped:
            first = mark.column - self._lines[mark.line - 1].column
            self._dropped.setdefault(mark.line, []).append((first, first + len(mark.text)))
        self.words = [[], *[line.text.split() for line in self._lines]]
        for number, ranges in self._dropped.items():
            text = self._lines[number - 1].text
            self.words[number] = without_ranges(text, ranges, "").split()

    def text(self, extent: Extent) -> str:
        """The text of `extent`, without what was dropped."""
        line = self._lines[extent.line - 1]
        first = extent.column - line.column
        last = first + extent.length
        ranges = self._dropped.get(extent.line, [])
        first_range = bisect_right(ranges, first, key=lambda dropped: dropped[1])
        end_range = bisect_left(ranges, last, key=lambda dropped: dropped[0])
        inside = [
            (start - first, end - first) for start, end in ranges[first_range:end_range]
        ]
        return without_ranges(line.text[first:last], inside, "")

    def words_outside(self, number: int, extents: Sequence[Extent]) -> list[str]:
        """The words of the line `number` that are in none of `extents`."""
        line = self._lines[number - 1]
        ranges = [*self._dropped.get(number, ())]
        for extent in extents:
            if extent.line == number:
                first = extent.column - line.column
                ranges.append((first, first + extent.length))
        return without_ranges(line.text, sorted(ranges), " ").split()

    def expected(self, leaf: Leaf, words_before: int) -> list[tuple[str, int]]:
        """The words where `leaf` is, each with its line, without the `words_before` it."""
        if leaf.extents:
            rows = [(self.text(extent).split(), extent.line) for extent in leaf.extents]
        else:
            numbers = range(leaf.first, leaf.last + 1)
            rows = [(self.words[number], number) for number in numbers]
        pairs = [(word, line) for words, line in rows for word in words][words_before:]
        return _with_hyphens_joined(pairs)


def without_ranges(text: str, ranges: Sequence[tuple[int, int]], replacement: str) -> str:
    """`text` with `replacement` in the place of each of `ranges`, which come in order."""
    parts: list[str] = []
    last_end = 0
    for start, end in ranges:
        if start > last_end:
            parts.append(text[last_end:start])
        if end > last_end:
            last_end = end
    if last_end < len(text):
        parts.append(text[last_end:])
    return replacement.join(parts)


def _with_hyphens_joined(pairs: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """`pairs` of words and lines, with words joined that a line break splits at a hyphen."""
    merged: list[tuple[str, int]] = []
    for word, line in pairs:
        before = merged[-1] if merged else ("", line)
        may_join = before[0].endswith("-") and line != before[1]
        if may_join and HYPHEN_BREAK.search(f"{before[0]}\n{word}"):
            merged[-1] = (before[0] + word, line)
        else:
            merged.append((word, line))
    return merged


def lines_outside_body(manual: Manual) -> frozenset[int]:
    """The lines of header, contents and footer, which are in no running text."""
    spans = (manual.header.span, manual.contents_span, manual.footer)
    return frozenset(
        number for span in spans if span for number in range(span.first, span.last + 1)
    )


def compare_with_source(manual: Manual) -> SourceComparison:
    """Compare the words of the leaves of `manual` with those of its source."""
    comparer = _Comparer(manual)
    for item in leaves_and_grids(manual):
        if isinstance(item, Grid):
            comparer.compare_grid(item)
        elif item.is_code:
            comparer.compare_code(item)
        else:
            comparer.compare_leaf(item)
    comparer.report_unused()
    return SourceComparison(
        comparer.source, tuple(comparer.leaves), tuple(comparer.words_before),
        tuple(comparer.losses),
    )


class _Comparer:
    """Compares leaves with the `words` of their lines; `used_words` counts those compared."""

    def __init__(self, manual: Manual) -> None:
        self.manual = manual
        self.source = SourceWords(manual)
        self.leaves: list[Leaf] = []
        self.words_before: list[int] = []
        self.losses: list[Loss] = []
        self.words = self.source.words
        self.used_words = [0] * len(self.words)
        self.outside_body = lines_outside_body(manual)
        self.last_lines: dict[str, int] = {}  # of each flow, the first line of its last leaf
        self.used_extents: set[Extent] = set()  # of cells

    def compare_leaf(self, leaf: Leaf) -> None:
        """Compare a leaf of running text."""
        words, used_words, first, last = self.words, self.used_words, leaf.first, leaf.last
        words_before = self._add_leaf(leaf)
        if first == last:
            source = words[first][words_before:] if words_before else words[first]
            count = len(leaf.words)
            if source[:count] == leaf.words:
                used_words[first] += count
                return
        else:
            source = words[first][words_before:]
            for number in range(first + 1, last + 1):
                source += words[number]
            if source == leaf.words and not any(used_words[first + 1 : last + 1]):
                for number in range(first, last + 1):
                    used_words[number] = len(words[number])
                self._check_block_starts(leaf, last, words_before)
                return
        self._compare(leaf, words_before)

    def _check_block_starts(self, leaf: Leaf, last: int, words_before: int) -> None:
        """Report two blocks in the lines of `leaf` up to `last`.

        The `words_before` it on its first line, such as a bullet or a term, are no indent.
        """
        if leaf.out_of_flow:
            return
        lines = list(self.manual.source.lines[leaf.first - 1 : last])
        if words_before or not lines[0].text.startswith(leaf.words[0]):
            lines[0] = lines[0].with_indent(lines[1].indent)
        for above, below in pairwise(lines):
            has_words = self.words[above.number] and self.words[below.number]
            if has_words and starts_block(above, below):
                self._add_loss([below.number], f"run together with the line above: {below.text!r}")

    def _add_leaf(self, leaf: Leaf) -> int:
        """Add `leaf`, report it if it is out of order, and return how many words are before it."""
        words_before = self.used_words[leaf.first]
        self.leaves.append(leaf)
        self.words_before.append(words_before)
        # usages may appear in the middle of an entry's text, a table of contents between its lines
        flow = "usage" if leaf.out_of_flow and leaf.extents else "text"
        flow = "outside" if leaf.first in self.outside_body else flow
        if leaf.first < self.last_lines.get(flow, 0):
            self._add_loss(range(leaf.first, leaf.last + 1), "is out of order")
        else:
            self.last_lines[flow] = leaf.first
        return words_before

    def _compare(self, leaf: Leaf, words_before: int) -> None:
        """Count the words of `leaf` that are those of the source, and report others."""
        expected: list[tuple[str, int]] = []
        for number in range(leaf.first, leaf.last + 1):
            own = self.words[number][self.used_words[number] :]
            expected += [(word, number) for word in own]
        count = _matching_length(expected, leaf.words)
        if count is None:
            # as far as the line of its last word; `report_unused` reports further lines
            last = expected[: len(leaf.words)][-1:] or expected[:1]
            expected = [pair for pair in expected if pair[1] <= last[0][1]]
            count = len(expected)
            self._add_differences(_with_hyphens_joined(expected), leaf)
        for _, number in expected[:count]:
            self.used_words[number] += 1
        if count and expected[count - 1][1] > leaf.first:
            self._check_block_starts(leaf, expected[count - 1][1], words_before)

    def compare_code(self, leaf: Leaf) -> None:
        """Compare lines of code, which keep their indentation, except what all of them share."""
        words_before = self._add_leaf(leaf)
        lines = self.manual.source.lines[leaf.first - 1 : leaf.last]
        shares_first_line = bool(words_before) or self.words[leaf.first] != lines[0].text.split()
        expected: list[tuple[str, int]] = []
        shared_indent = None
        for index, line in enumerate(lines):
            row = leaf.words[index] if index < len(leaf.words) else ""
            text = line.text
            if index == 0 and shares_first_line:
                last_text = self.words[leaf.first][words_before:]
                same = text.endswith(row.strip()) and row.split() == last_text
                expected.append((row if same else " ".join(last_text), line.number))
                continue
            if shared_indent is None and text:
                shared_indent = line.indent - len(row) + len(row.lstrip())
            blanks = " " * (line.indent - (shared_indent or 0))
            expected.append((blanks + text if text else "", line.number))
        if [row for row, _ in expected] != leaf.words:
            self._add_differences(expected, leaf)
        elif not any(row and not row[0].isspace() for row in leaf.words):
            self._add_loss([leaf.first], "all lines of code are indented")
        if any(self.used_words[leaf.first + 1 : leaf.last + 1]):
            self._add_loss([leaf.first], "the lines are in two blocks")
        for line in lines:
            self.used_words[line.number] = len(self.words[line.number])

    def compare_grid(self, grid: Grid) -> None:
        """Compare the cells of a table or the values of a usage, each at its extents."""
        for row, span, colspans in zip(grid.rows, grid.spans, grid.colspans, strict=True):
            numbers = range(span.first, span.last + 1)
            if sum(colspans) != grid.columns:
                self._add_loss(numbers, f"{sum(colspans)} columns of {grid.columns}")
            for index, leaf in enumerate(row):
                self._add_leaf(leaf)
                self._compare_cell(leaf)
                if index and not _may_follow(leaf.extents, row[index - 1].extents):
                    self._add_loss(numbers, f"cells in another order: {quoted(leaf.words)}")
                if leaf.extents and leaf.extents[-1] in self.used_extents:
                    self._add_loss(numbers, f"in two cells: {quoted(leaf.words)}")
                self.used_extents.update(leaf.extents)
            extents = [extent for leaf in row for extent in leaf.extents]
            for number in numbers:
                if outside := self.source.words_outside(number, extents)[self.used_words[number] :]:
                    self._add_loss([number], f"source {quoted(outside)}, in no cell")
                self.used_words[number] = len(self.words[number])

    def _compare_cell(self, leaf: Leaf) -> None:
        words: list[str] = []
        for extent in leaf.extents:
            words += self.source.text(extent).split()
            if not leaf.first <= extent.line <= leaf.last:
                self._add_loss([leaf.first], f"a cell from line {extent.line}")
        if words != leaf.words:
            expected = self.source.expected(leaf, 0) if leaf.extents else []
            if [word for word, _ in expected] != leaf.words:
                self._add_differences(expected, leaf)

    def report_unused(self) -> None:
        """Report words of the source in no leaf, and dropped text that the source does not have."""
        for number, (words, used_words) in enumerate(zip(self.words, self.used_words, strict=True)):
            if used_words < len(words):
                self._add_loss([number], f"not in the tree: {quoted(words[used_words:])}")
        lines = self.manual.source.lines
        for mark in self.manual.dropped:
            line = lines[mark.line - 1]
            if not line.text.startswith(mark.text, mark.column - line.column):
                self._add_loss([mark.line], f"dropped, but not in the source: {mark.text!r}")

    def _add_loss(self, lines: Sequence[int], message: str) -> None:
        self.losses.append(loss(self.manual.source.path, lines, message))

    def _add_differences(self, expected: Sequence[tuple[str, int]], leaf: Leaf) -> None:
        path = self.manual.source.path
        self.losses += differences(path, expected, leaf.words, leaf.first, "tree")


def _may_follow(extents: Sequence[Extent], before: Sequence[Extent]) -> bool:
    """Whether a cell may come after the one `before`: further right, or in its place but below.

    Columns below one heading ("HTTP" of "HTTP Req" and "HTTP Res") each have its word first.
    """
    if not extents or not before:
        return True
    own, other = extents[0], before[0]
    if own == other and len(extents) > 1 and len(before) > 1:
        own, other = extents[1], before[1]
    are_side_by_side = (
        own.column >= other.column + other.length or other.column >= own.column + own.length
    )
    return own.column > other.column if are_side_by_side else own.line > other.line


def _matching_length(source: Sequence[tuple[str, int]], words: Sequence[str]) -> int | None:
    """How many words of `source` make `words`, with hyphens at line ends joined, or None."""
    index = 0
    for word in words:
        if index == len(source):
            return None
        text, line = source[index]
        index += 1
        while text != word and index < len(source) and source[index][1] > line:
            following, line = source[index]
            if not text.endswith("-") or not HYPHEN_BREAK.search(f"{text}\n{following}"):
                break
            text += following
            index += 1
        if text != word:
            return None
    return index


def filter_losses(source: Source) -> Iterator[Loss]:
    """A loss for each line of the file whose words are not those that were read, in order.

    A filter (`readers/text/filters`) turns a file into lines that the text reader knows.  What it
    left out is named in `Source.filtered_out`, and must be in the file.
    """
    if not source.unfiltered:
        return
    words_read: dict[int, list[str]] = {}
    for line, number in zip(source.lines, source.file_line_numbers, strict=True):
        words_read.setdefault(number, []).extend(line.text.split())
    in_order = [
        number for line, number in enumerate(source.file_line_numbers, 1)
        if line not in source.out_of_order
    ]
    for above, below in pairwise(in_order):
        if below < above:
            yield loss(source.path, [below], "is out of order")
    dropped: dict[int, list[tuple[int, int]]] = {}
    for mark in source.filtered_out:
        line = source.unfiltered[mark.line - 1]
        start = mark.column - line.column
        if line.text.startswith(mark.text, start):
            dropped.setdefault(mark.line, []).append((start, start + len(mark.text)))
        else:
            yield loss(source.path, [mark.line], f"left out, but not in the file: {mark.text!r}")
    for line in source.unfiltered:
        words = without_ranges(line.text, sorted(dropped.get(line.number, ())), "").split()
        actual = words_read.get(line.number, [])
        if words != actual:
            yield loss(source.path, [line.number], f"file {quoted(words)}, read {quoted(actual)}")
