"""The proof: every word of the source is in the tree, every word of the tree on the pages.

What is compared are words with the borders of blocks and of cells between them; lines of code are
compared as a whole, with their blanks.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from dconv.model.diagnostics import Diagnostic
from dconv.model.source import Source
from dconv.model.tree import Manual
from dconv.model.values import dataclass
from dconv.proof.differences import Loss, differences, loss, quoted, without_outer_borders
from dconv.proof.expected_words import expected_word_losses
from dconv.proof.leaves import Leaf, shown_words
from dconv.proof.page_words import MarkedText, plain_texts, read_pages
from dconv.proof.source_words import (
    SourceComparison,
    compare_with_source,
    filter_losses,
    lines_outside_body,
)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many lines of a text, or words of one with markup, are accounted for, of `total`."""

    total: int
    accounted: int
    unit: Literal["line", "word"]

    @property
    def lost(self) -> int:
        """How many are not accounted for."""
        return self.total - self.accounted

    def __str__(self) -> str:
        """`33,006 lines in, 33,006 accounted for`."""
        return f"{self.total:,} {self.unit}s in, {self.accounted:,} accounted for"


def full_coverage(manual: Manual) -> Coverage:
    """The coverage of `manual` if the proof finds no loss, as its pages state before the proof."""
    expected = manual.expected_words
    total = len(expected.words) if expected else len(manual.source.file_lines)
    return Coverage(total, total, "word" if expected else "line")


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of the proof of a document.

    `lost_lines` has the numbers of lines that are not shown as they are, `losses` a diagnostic
    for each difference.  `dropped` has the kinds of dropped marks, with the line of each.  Of a
    text with markup, `word_count` counts the expected words and `lost_word_count` those that are
    not shown; `left_out` counts what is not among them, by kind.
    """

    document: str
    version: str
    line_count: int
    lost_lines: tuple[int, ...]
    dropped: tuple[tuple[str, tuple[int, ...]], ...]
    losses: tuple[Diagnostic, ...]
    word_count: int | None = None
    lost_word_count: int = 0
    left_out: tuple[tuple[str, int], ...] = ()

    @property
    def accounted(self) -> int:
        """The number of lines without a loss."""
        return self.line_count - len(self.lost_lines)

    @property
    def coverage(self) -> Coverage:
        """How much is accounted for: words of a text with markup, lines of any other."""
        if self.word_count is not None:
            accounted = max(0, self.word_count - self.lost_word_count)
            return Coverage(self.word_count, accounted, "word")
        return Coverage(self.line_count, self.accounted, "line")

    def __str__(self) -> str:
        """`configuration 3.4: 33,006 lines in, 33,006 accounted for`."""
        name = f"{self.document} {self.version}".strip()
        return f"{name}: {self.coverage}"


def verify(manual: Manual, version: str, pages: Iterable[str]) -> Proof:
    """Prove that `pages` (HTML texts, in the order of the document) show all of `manual`."""
    comparison = compare_with_source(manual)
    losses = [
        *comparison.losses, *expected_word_losses(manual),
        *_page_losses(manual, comparison, read_pages(pages)),
    ]
    return _proof(manual, version, losses)


def prove_tree(manual: Manual) -> Proof:
    """Prove that the nodes of `manual` hold all of its source, each word once."""
    return _proof(manual, "", [*compare_with_source(manual).losses, *expected_word_losses(manual)])


def _with_file_lines(losses: Iterable[Loss], source: Source) -> Iterator[Loss]:
    """`losses` of lines that a filter wrote, with the lines of the file."""
    for lost in losses:
        finding = replace(lost.finding, line=source.file_line_number(lost.finding.line))
        yield Loss(finding, frozenset(map(source.file_line_number, lost.lines)))


def _proof(manual: Manual, version: str, losses: Sequence[Loss]) -> Proof:
    source = manual.source
    dropped: dict[str, set[int]] = {}
    for mark in manual.dropped:
        dropped.setdefault(mark.kind, set()).add(mark.line)
    lost_word_count = _lost_word_count(losses, source)
    if source.unfiltered:
        losses = [*_with_file_lines(losses, source), *filter_losses(source)]
        for kind, lines in dropped.items():
            dropped[kind] = set(map(source.file_line_number, lines))
        for mark in source.filtered_out:
            dropped.setdefault(mark.kind, set()).add(mark.line)
    elif source.file_line_numbers:
        losses = [*_with_file_lines(losses, source)]
    expected = manual.expected_words
    return Proof(
        manual.name, version, len(source.file_lines),
        tuple(sorted(frozenset().union(*[loss.lines for loss in losses]))),
        tuple((kind, tuple(sorted(lines))) for kind, lines in sorted(dropped.items())),
        tuple(loss.finding for loss in losses),
        len(expected.words) if expected else None, lost_word_count,
        expected.dropped if expected else (),
    )


def _lost_word_count(losses: Iterable[Loss], source: Source) -> int:
    """How many expected words the tree lacks, or are on lines that are lost."""
    lines = frozenset().union(*[loss.lines for loss in losses if not loss.word_count])
    return sum(loss.word_count for loss in losses) + sum(
        len(source.lines[line - 1].text.split()) for line in lines if line <= len(source.lines)
    )


def _page_losses(
    manual: Manual, comparison: SourceComparison, pages: Iterable[MarkedText]
) -> Iterator[Loss]:
    """A loss if the words of `pages` are not those of the tree, once and in order."""
    path = manual.source.path
    leaves_of_flow = {
        out_of_flow: _LeavesByLine(comparison, out_of_flow) for out_of_flow in (False, True)
    }
    times_shown: dict[bool, Counter[int]] = {False: Counter(), True: Counter()}
    last_line = {False: 0, True: 0}
    outside_body = lines_outside_body(manual)
    for marked_text in pages:
        out_of_flow, first = marked_text.out_of_flow, marked_text.first
        times_shown[out_of_flow].update(range(first, marked_text.last + 1))
        yield from leaves_of_flow[out_of_flow].differences(path, marked_text)
        if first not in outside_body:
            if first < last_line[out_of_flow]:
                yield loss(path, [first], "shown after what follows it")
            last_line[out_of_flow] = first
    for line in manual.source.lines:
        count = times_shown[False][line.number]
        if line.text and line.number not in outside_body and count != 1:
            yield loss(path, [line.number], "on a page twice" if count else "on no page")
    for leaf in leaves_of_flow[True].leaves:
        count = times_shown[True][leaf.first]
        if leaf.words and count != 1:
            message = f"shown {'twice' if count else 'on no page'}: {quoted(leaf.words)}"
            yield loss(path, range(leaf.first, leaf.last + 1), message)


class _LeavesByLine:
    """The leaves of running text, or those out of it, by the lines where they start."""

    def __init__(self, comparison: SourceComparison, out_of_flow: bool) -> None:
        self._comparison = comparison
        indexes = [
            index for index, leaf in enumerate(comparison.leaves) if leaf.out_of_flow == out_of_flow
        ]
        self._indexes = sorted(indexes, key=lambda index: comparison.leaves[index].first)
        self.leaves: list[Leaf] = [comparison.leaves[index] for index in self._indexes]
        self._first_lines = [leaf.first for leaf in self.leaves]

    def differences(self, path: str, marked_text: MarkedText) -> Iterator[Loss]:
        """A loss if the words of `marked_text` are not those of the leaves on its lines."""
        first = bisect_left(self._first_lines, marked_text.first)
        last = bisect_right(self._first_lines, marked_text.last)
        words = shown_words(self.leaves[first:last])
        if words == marked_text.words or (
            without_outer_borders(words) == without_outer_borders(marked_text.words)
        ):
            return
        expected: list[tuple[str, int]] = []
        for leaf, index in zip(self.leaves[first:last], self._indexes[first:last], strict=True):
            lines = self._comparison.lines(index)
            start = lines[0] if lines else leaf.first
            expected += [(mark, start) for mark in leaf.border]
            expected += zip(leaf.shown_words or leaf.words, lines, strict=True)
        yield from differences(path, expected, marked_text.words, marked_text.first, "page")


def format_ranges(numbers: Iterable[int]) -> str:
    """Numbers, in order, as people write them: `3,7-9`."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)


def check_single_page(proof: Proof, source: Source, page: str, pages: Iterable[str]) -> Proof:
    """`proof`, with a loss where `page`, the document on one page, has other text than `pages`.

    `source` is that of the document.
    """
    page_texts = [text for part in pages for text in plain_texts(part)]
    single_page_texts = plain_texts(page)
    if page_texts == single_page_texts:
        return proof
    in_pages, in_single_page = Counter(page_texts), Counter(single_page_texts)
    differing = in_pages - in_single_page + (in_single_page - in_pages)
    lines = {line for first, last, _ in differing or page_texts for line in range(first, last + 1)}
    first_line = min(lines, default=1)
    message = "the whole document on one page has a different text than its pages"
    difference = loss(source.path, lines or [first_line], message)
    lost_word_count = proof.lost_word_count + _lost_word_count([difference], source)
    [difference] = _with_file_lines([difference], source)
    return replace(
        proof, lost_lines=tuple(sorted(difference.lines.union(proof.lost_lines))),
        losses=(*proof.losses, difference.finding), lost_word_count=lost_word_count,
    )
