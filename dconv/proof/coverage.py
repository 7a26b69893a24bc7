"""The proof: every word of the source is in the tree, every word of the tree on the pages.

The pages carry two kinds of marks: `<!--text 12-40-->` … `<!--/text-->` around what stands for
lines 12 to 40, where words must come in the tree's order and nothing else may appear, and
`data-lines="15"` on elements whose words became data and are apart; "+3" counts from the
`data-from` of the card around.  Elements with `data-added` hold what the source does not say.  A
tag that `markup` does not know is a word that no source has. What is compared are words with the
borders of blocks and of cells between them; lines of code are compared as a whole, with their
blanks.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from dconv.model.diagnostics import Diagnostic
from dconv.model.source import Source
from dconv.model.tree import Manual
from dconv.model.values import dataclass
from dconv.proof.differences import UNKNOWN_TAG, Loss, differences, loss, quoted, trimmed
from dconv.proof.leaves import BREAK, CELL, Leaf, shown_words
from dconv.proof.markup import (
    BLOCK,
    CELL_START,
    CHIP,
    ELEMENT_WITH_LINES,
    HEAD,
    HEAD_CELL_WITH_TEXT,
    IMAGE,
    INLINE,
    ITEM,
    PRE,
)
from dconv.proof.source_words import (
    SourceComparison,
    compare_with_source,
    filter_losses,
    lines_outside,
)
from dconv.proof.witness import witness_losses

START, END = "<!--text ", "<!--/text-->"  # around the lines 3 to 8: "<!--text 3-8-->"
MARKED = re.compile(
    r"<(\w+)\b[^>]*?\sdata-(?:added|lines=\"(\+?)(\d+)(?:-(\d+))?\")[^>]*>"
    r'|<dl class="card" data-from="(?P<start>\d+)">'
)
TAG = re.compile(r"<[^>]*>")
LINK = re.compile(r"</?(?:a|b|var)\b[^>]*>")  # the single page may have fewer of them
# the row of versions in a card, backlinks, the filter of a matrix, a strip of letters:
# not on the single page
NOT_ON_SINGLE_PAGE = re.compile(
    r'<dt data-added>Versions</dt><dd data-added>(?s:.*?)</dd>\n'
    r'|<dl class="card" data-added>(?s:.*?)</dl>\n'
    r'|<details class="backlinks" data-added>.*\n|<div class="filter.*\n'
    r'|<nav class="letters"[^>]* data-added>(?s:.*?)</nav>\n'
)
# a label at the head of a paragraph or a figure
LABEL = re.compile(r"(<(?:p|figcaption)\b[^>]*><b>[^<]*</b>)")
UNKNOWN_TAG_START = f"{UNKNOWN_TAG}<"  # for the "<" of a tag that `markup` does not know


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many lines of a text, or words of one with markup, are accounted for, of `total`."""

    total: int
    accounted: int
    unit: Literal["line", "word"]

    @property
    def lost(self) -> int:
        """How many are not."""
        return self.total - self.accounted

    def __str__(self) -> str:
        """`33,006 lines in, 33,006 accounted for`."""
        return f"{self.total:,} {self.unit}s in, {self.accounted:,} accounted for"


def full_coverage(manual: Manual) -> Coverage:
    """What pages of `manual` claim, unless the proof finds a loss."""
    if manual.witness is not None:
        total = len(manual.witness.words)
        return Coverage(total, total, "word")
    total = len(manual.source.file_lines)
    return Coverage(total, total, "line")


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of the proof of a document.

    `total` counts its lines; `lost` has the numbers of those that are not shown as they are,
    `losses` a diagnostic for each difference.  `dropped` has the kinds of dropped marks, with
    the line of each.  A text with markup is known by its `words` (see `Manual.witness`), of which
    `lost_words` are not shown; `left_out` names what is not among them, with the number of words.
    """

    document: str
    version: str
    total: int
    lost: tuple[int, ...]
    dropped: tuple[tuple[str, tuple[int, ...]], ...]
    losses: tuple[Diagnostic, ...]
    words: int | None = None
    lost_words: int = 0
    left_out: tuple[tuple[str, int], ...] = ()

    @property
    def accounted(self) -> int:
        """The number of lines without a loss."""
        return self.total - len(self.lost)

    @property
    def coverage(self) -> Coverage:
        """What pages say of it."""
        if self.words is not None:
            return Coverage(self.words, max(0, self.words - self.lost_words), "word")
        return Coverage(self.total, self.accounted, "line")

    def __str__(self) -> str:
        """`configuration 3.4: 33,006 lines in, 33,006 accounted for`."""
        name = f"{self.document} {self.version}".strip()
        return f"{name}: {self.coverage}"


@dataclass(frozen=True, slots=True)
class MarkedText:
    """The words that a page shows for the lines `first` to `last`.

    `out_of_flow` is true for those that are outside the running text.
    """

    first: int
    last: int
    words: list[str]
    out_of_flow: bool = False


def verify(manual: Manual, version: str, pages: Iterable[str]) -> Proof:
    """Prove that `pages` (HTML texts, in the order of the document) show all of `manual`."""
    comparison = compare_with_source(manual)
    losses = [*_source_losses(manual, comparison), *_page_losses(manual, comparison, read(pages))]
    return _proof(manual, version, losses)


def prove_tree(manual: Manual, version: str = "") -> Proof:
    """Prove that the nodes of `manual` hold all of its source, each word once."""
    return _proof(manual, version, _source_losses(manual, compare_with_source(manual)))


def _source_losses(manual: Manual, comparison: SourceComparison) -> list[Loss]:
    """What is lost between the bytes of a manual and its tree."""
    return [*comparison.losses, *witness_losses(manual)]


def _with_file_lines(losses: Iterable[Loss], source: Source) -> Iterator[Loss]:
    """`losses` of lines that a filter wrote, with the lines of the file."""
    for lost in losses:
        finding = replace(lost.finding, line=source.origin(lost.finding.line))
        yield Loss(finding, frozenset(map(source.origin, lost.lines)))


def _proof(manual: Manual, version: str, losses: Sequence[Loss]) -> Proof:
    source = manual.source
    dropped: dict[str, set[int]] = {}
    for mark in manual.dropped:
        dropped.setdefault(mark.kind, set()).add(mark.line)
    lost_words = _lost_words(losses, source)
    if source.unfiltered:
        losses = [*_with_file_lines(losses, source), *filter_losses(source)]
        dropped = {kind: set(map(source.origin, lines)) for kind, lines in dropped.items()}
        for mark in source.filtered_out:
            dropped.setdefault(mark.kind, set()).add(mark.line)
    elif source.origins:
        losses = [*_with_file_lines(losses, source)]
    witness = manual.witness
    return Proof(
        manual.name, version, len(source.file_lines),
        tuple(sorted(frozenset().union(*[loss.lines for loss in losses]))),
        tuple((kind, tuple(sorted(lines))) for kind, lines in sorted(dropped.items())),
        tuple(loss.finding for loss in losses),
        len(witness.words) if witness else None, lost_words, witness.dropped if witness else (),
    )


def _lost_words(losses: Iterable[Loss], source: Source) -> int:
    """How many words the witness has that the tree lacks, or are on lines that are lost."""
    lines = frozenset().union(*[loss.lines for loss in losses if not loss.words])
    return sum(loss.words for loss in losses) + sum(
        len(source.lines[line - 1].text.split()) for line in lines if line <= len(source.lines)
    )


def _page_losses(
    manual: Manual, comparison: SourceComparison, pages: Iterable[MarkedText]
) -> Iterator[Loss]:
    """Yield a loss if the words of `pages` are not those of the tree, once and in order."""
    path = manual.source.path
    leaves_of_flow = {
        out_of_flow: _Leaves(comparison, out_of_flow) for out_of_flow in (False, True)
    }
    times_shown: dict[bool, Counter[int]] = {False: Counter(), True: Counter()}
    last_line = {False: 0, True: 0}
    outside = lines_outside(manual)
    for marked_text in pages:
        out_of_flow, first = marked_text.out_of_flow, marked_text.first
        times_shown[out_of_flow].update(range(first, marked_text.last + 1))
        yield from leaves_of_flow[out_of_flow].differences(path, marked_text)
        if first not in outside:
            if first < last_line[out_of_flow]:
                yield loss(path, [first], "shown after what follows it")
            last_line[out_of_flow] = first
    for line in manual.source.lines:
        count = times_shown[False][line.number]
        if line.text and line.number not in outside and count != 1:
            yield loss(path, [line.number], "on a page twice" if count else "on no page")
    for leaf in leaves_of_flow[True].leaves:
        count = times_shown[True][leaf.first]
        if leaf.words and count != 1:
            message = f"shown {'twice' if count else 'on no page'}: {quoted(leaf.words)}"
            yield loss(path, range(leaf.first, leaf.last + 1), message)


class _Leaves:
    """The leaves of running text, or those that are apart, by the lines where they start."""

    def __init__(self, comparison: SourceComparison, out_of_flow: bool) -> None:
        self._reading = comparison
        indexes = [
            index for index, leaf in enumerate(comparison.leaves) if leaf.out_of_flow == out_of_flow
        ]
        self._indexes = sorted(indexes, key=lambda index: comparison.leaves[index].first)
        self.leaves: list[Leaf] = [comparison.leaves[index] for index in self._indexes]
        self._firsts = [leaf.first for leaf in self.leaves]

    def differences(self, path: str, marked_text: MarkedText) -> Iterator[Loss]:
        """Yield a loss if the words of `marked_text` are not those of the leaves on its lines."""
        first = bisect_left(self._firsts, marked_text.first)
        last = bisect_right(self._firsts, marked_text.last)
        shown = shown_words(self.leaves[first:last])
        if shown == marked_text.words or trimmed(shown) == trimmed(marked_text.words):
            return
        expected: list[tuple[str, int]] = []
        for leaf, index in zip(self.leaves[first:last], self._indexes[first:last], strict=True):
            lines = self._reading.lines(index)
            start = lines[0] if lines else leaf.first
            expected += [(mark, start) for mark in leaf.border]
            expected += zip(leaf.shown_words or leaf.words, lines, strict=True)
        yield from differences(path, expected, marked_text.words, marked_text.first, "page")


def ranges(numbers: Iterable[int]) -> str:
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
    ours = [text for part in pages for text in _texts(part)]
    theirs = _texts(page)
    if ours == theirs:
        return proof
    differing = Counter(ours) - Counter(theirs) + (Counter(theirs) - Counter(ours))
    lines = {line for first, last, _ in differing or ours for line in range(first, last + 1)}
    at = min(lines, default=1)
    message = "the whole document on one page has a different text than its pages"
    difference = loss(source.path, lines or [at], message)
    lost_words = proof.lost_words + _lost_words([difference], source)
    [difference] = _with_file_lines([difference], source)
    lost = tuple(sorted(difference.lines.union(proof.lost)))
    return replace(
        proof, lost=lost, losses=(*proof.losses, difference.finding), lost_words=lost_words
    )


def _texts(page: str) -> list[tuple[int, int, str]]:
    """The text of each marked text of `page`, without markup, and what is apart around them."""
    texts: list[tuple[int, int, str]] = []
    around, regions = _regions(page)
    for first, last, region in regions:
        texts.append((first, last, TAG.sub(" ", LINK.sub("", NOT_ON_SINGLE_PAGE.sub("", region)))))
    out_of_flow: list[MarkedText] = []
    if " data-lines=" in around:
        _separated(around, out_of_flow)
    return [
        *((text.first, text.last, " ".join(text.words)) for text in out_of_flow),
        *texts,
    ]


# --- reading pages --------------------------------------------------------------------


def read(pages: Iterable[str]) -> Iterator[MarkedText]:
    """Yield the marked texts that `pages` show."""
    for page in pages:
        around, regions = _regions(page)
        marked_texts: list[MarkedText] = []
        if " data-lines=" in around:
            _separated(around, marked_texts)
        yield from marked_texts
        for first, last, region in regions:
            marked_texts = []
            text = _separated(region, marked_texts)
            yield from marked_texts
            yield MarkedText(first, last, _words(text))


def _regions(page: str) -> tuple[str, list[tuple[int, int, str]]]:
    """Return the text around the marked texts of `page`, and the marked texts with their lines."""
    before, *parts = page.split(START)
    rest_of_page = [before]
    regions: list[tuple[int, int, str]] = []
    for part in parts:
        span, _, around = part.partition("-->")
        region, _, after = around.partition(END)
        first, _, last = span.partition("-")
        regions.append((int(first), int(last), region))
        rest_of_page.append(after)
    return "".join(rest_of_page), regions


def _words(text: str) -> list[str]:
    """The words of a piece of HTML, with the limits of its blocks and cells."""
    if "<pre" not in text:
        return _prose(text)
    words: list[str] = []
    for index, part in enumerate(PRE.split(text)):
        if index % 2:
            words += [BREAK, *html.unescape(_mark_unknown_tags(INLINE.sub("", part))).split("\n")]
        else:
            words += _prose(part)
    return words


def _prose(text: str) -> list[str]:
    if "<" not in text:
        return html.unescape(text).split()
    if '<span class="' in text:
        text = CHIP.sub(r"\1 \2\3\4</span>", text)
    if "<img" in text:
        text = IMAGE.sub(r"\1", text)
    if "<li" in text:
        text = ITEM.sub(r"<li> \1\2 <li>", text)
    if "><b>" in text:
        text = LABEL.sub(r"\1<li>", text)
    if "<table" in text:
        unknown_cell = f"{UNKNOWN_TAG_START}td"
        text = HEAD.sub(lambda head: HEAD_CELL_WITH_TEXT.sub(unknown_cell, head[0]), text)
        text = CELL_START.sub(rf" {CELL}\1\2 ", text)
    words = html.unescape(_mark_unknown_tags(BLOCK.sub(f" {BREAK} ", INLINE.sub("", text)))).split()
    if words[-1:] == [BREAK]:
        words.pop()
    return words


def _mark_unknown_tags(text: str) -> str:
    """`text` without its known tags, where others become words that no source has."""
    return text.replace("<", UNKNOWN_TAG_START) if "<" in text else text


def _separated(region: str, marked_texts: list[MarkedText]) -> str:
    """`region` without its marked elements, whose words are put into `marked_texts`."""
    parts: list[str] = []
    at = start = 0
    for match in MARKED.finditer(region):
        if match["start"]:
            start = int(match["start"])
            continue
        if match.start() < at:
            continue
        parts.append(region[at : match.start()])
        at = _element_end(region, match.end(), match[1])
        if match[3]:
            content = _separated(region[match.end() : at], marked_texts)
            card_start = start if match[2] else 0
            first = card_start + int(match[3])
            last = card_start + int(match[4]) if match[4] else first
            is_known = ELEMENT_WITH_LINES.fullmatch(match[0])
            words = _words(content) if is_known else [UNKNOWN_TAG_START + match[0], content]
            marked_texts.append(MarkedText(first, last, words, out_of_flow=True))
    parts.append(region[at:])
    return "".join(parts)


@cache
def _tag_pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"<(/?){name}\b[^>]*>")


def _element_end(text: str, at: int, tag: str) -> int:
    """The place after the end tag of the element whose content starts at `at`."""
    end = text.find(f"</{tag}>", at)
    if end >= 0 and text.find(f"<{tag}", at, end) < 0:
        return end + len(tag) + 3
    depth = 1
    for match in _tag_pattern(tag).finditer(text, at):
        depth += -1 if match[1] else 1
        if depth == 0:
            return match.end()
    return len(text)
