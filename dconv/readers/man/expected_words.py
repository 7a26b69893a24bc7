"""The words of a manual page as mandoc shows them on a terminal, for the proof of the tree.

The tree comes from another output of mandoc: words that its HTML hides or moves, or that the
reader loses, make them differ.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import pairwise, zip_longest
from xml.etree.ElementTree import Element

from dconv.model.tree import ExpectedWords
from dconv.model.values import dataclass
from dconv.readers.extracted_text import folded_text
from dconv.readers.man.drafts import DraftBuilder
from dconv.readers.man.names import BULLET, NUMBER

OVERSTRUCK = re.compile(r".\x08")
BOX = re.compile(r"[\u2500-\u257f]+")
CELL = re.compile(r"\S+(?: \S+)*")  # of a table without bars
# what may be the bullet or the number of an item
MARKER = re.compile(f"{BULLET.pattern}|{NUMBER.pattern}")
# a word that may continue on the next line, after its hyphen
HYPHENATED = re.compile(r"\w-$")
INLINE = frozenset(("a", "b", "i", "code", "var", "span", "em", "cite", "small"))
# a rule across the page, which the HTML of mandoc leaves out: "\l'\n(.lu\(ul'"
RULE = re.compile(r"_{20,}")
MARKER_ENDS = frozenset("•○*o·+–—-.)]")  # last characters of what it matches
MAX_OFFSET = 4  # words that a terminal may have joined or split since the start of the page
SAME_BULLETS = {"*": "•"}  # bullets that are the same in mandoc's HTML


@dataclass(frozen=True)
class HtmlWords:
    """The words of mandoc's HTML, and what the tree has instead of its markers.

    `marker_indexes` are the indexes of words that may be markers, in order.  `markers` maps each
    such word to what the tree has instead at each of its occurrences; None is for the word itself.
    """

    in_order: Sequence[str]
    marker_indexes: Sequence[int]
    markers: Mapping[str, deque[str | None]]
    has_tables: bool

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(self.in_order)

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        return frozenset(pairwise(self.in_order))

    def count_pairs(self, words: Sequence[str]) -> int:
        return sum(pair in self.pairs for pair in pairwise(words))

    def end_of_match(self, words: Sequence[str], expected_index: int) -> int:
        """The index after `words`, which start near `expected_index`, without a marker; else -1."""
        for index in range(max(expected_index - MAX_OFFSET, 0), expected_index + MAX_OFFSET + 1):
            end = index + len(words)
            if self.in_order[index:end] == words:
                indexes = self.marker_indexes
                following = bisect_left(indexes, index)
                return -1 if following < len(indexes) and indexes[following] < end else end
        return -1


def expected_words(terminal: str, root: Element, builder: DraftBuilder) -> ExpectedWords:
    """The words of `terminal`, with the bullets and numbers that the reader of `root` kept."""
    text = OVERSTRUCK.sub("", terminal) if "\x08" in terminal else terminal
    rows = text.rstrip("\n").split("\n")
    head = next((index for index, row in enumerate(rows) if row.strip()), 0)
    dropped: Counter[str] = Counter()
    dropped["head"] = len(rows[head].split())
    dropped["foot"] = len(rows[-1].split()) if len(rows) > head + 1 else 0
    html_words = _read_html(root, builder)
    tree_words: list[str] = []
    before = ""
    expected_index = 0
    for row in _rows(rows[head + 1 : -1], html_words, dropped):
        if not row:
            continue
        end = html_words.end_of_match(row, expected_index)
        if end >= 0:
            tree_words += row
            before, expected_index = row[-1], end
            continue
        expected_index += len(row)
        for word in _rejoin_hyphenated(tree_words, row, html_words):
            before = _add_word(tree_words, word, before, html_words, dropped)
    # equal words become one object, in memory and in pickles
    interned_words = tuple(map(sys.intern, tree_words))
    counts = tuple([(name, count) for name, count in dropped.items() if count])
    return ExpectedWords(interned_words, counts)


def _add_word(
    tree_words: list[str], word: str, before: str, html_words: HtmlWords, dropped: Counter[str]
) -> str:
    """Add `word`, which follows the word `before`, as the tree has it; return it as in the HTML."""
    marker = SAME_BULLETS.get(word, word)
    replacements = html_words.markers.get(marker)
    replacement = replacements.popleft() if replacements else None
    if replacement is not None:
        if replacement:
            tree_words.append(replacement)
        dropped["punctuation around list numbers" if replacement else "bullets and dashes"] += 1
        return marker
    if (before, word) in html_words.pairs:
        tree_words.append(word)
    elif parts := _split_at_blanks(word, html_words.pairs, before):
        tree_words += parts
        dropped["missing blanks"] += len(parts) - 1
    else:
        tree_words.append(word)
    return word


def _read_html(root: Element, builder: DraftBuilder) -> HtmlWords:
    collector = _WordCollector(builder)
    collector.add(root)
    collector.end_text()
    words, replacements = collector.words, collector.replacements
    markers: dict[str, deque[str | None]] = defaultdict(deque)
    marker_indexes: list[int] = []
    for index, word in enumerate(words):
        if word[-1] in MARKER_ENDS and MARKER.fullmatch(word):
            markers[SAME_BULLETS.get(word, word)].append(replacements.get(index))
            marker_indexes.append(index)
    for index in replacements:
        words[index] = SAME_BULLETS.get(words[index], words[index])
    has_tables = next(root.iter("td"), None) is not None
    return HtmlWords(words, marker_indexes, markers, has_tables)


def _rows(rows: Sequence[str], html_words: HtmlWords, dropped: Counter[str]) -> Iterator[list[str]]:
    """The words of `rows` line by line, those of a table's row cell by cell."""
    if not any(map(BOX.search, rows)):
        for row in _with_whole_cells(rows, html_words):
            yield _without_rules(row, html_words, dropped)
        return
    has_drawings = any(map(BOX.search, html_words.words))
    cells: list[str] = []
    for row in (*_with_whole_cells(rows, html_words), ""):
        line = row.strip()
        if has_drawings and not (
            html_words.has_tables and BOX.match(line) and BOX.fullmatch(line[-1:])
        ):
            text = row
        elif "\u2502" in row:
            cells.append(line)
            continue
        else:
            text = BOX.sub(" ", row)
            dropped["lines of tables"] += len(BOX.findall(row))
        if cells:
            dropped["lines of tables"] += sum(len(BOX.findall(cell)) for cell in cells)
            yield _cells(cells, html_words)
            cells = []
        yield _without_rules(text, html_words, dropped)


def _without_rules(text: str, html_words: HtmlWords, dropped: Counter[str]) -> list[str]:
    """The words of `text` without rules across the page."""
    words = text.split() if text.isprintable() else folded_text(text).split()
    if "____" not in text:
        return words
    row_words = [word for word in words if word in html_words.words or not RULE.fullmatch(word)]
    dropped["drawn rules"] += len(words) - len(row_words)
    return row_words


def _with_whole_cells(rows: Sequence[str], html_words: HtmlWords) -> Iterator[str]:
    """`rows`, where each cell of a table without bars is on one line.

    A line continues a cell of the line above if mandoc's HTML has the words in that order.
    """
    cells: list[tuple[int, str]] = []  # of the line before, each with its column
    for row in rows if html_words.has_tables else ():
        text = row.strip()
        if text and len(cells) > 1:
            start = len(row) - len(row.lstrip())
            index = max(sum(column <= start for column, _ in cells) - 1, 0)
            longer = list(cells)
            longer[index] = cells[index][0], f"{cells[index][1]} {text}"
            by_line = _line(cells).split() + text.split()
            if html_words.count_pairs(_line(longer).split()) > html_words.count_pairs(by_line):
                cells = longer
                continue
        if cells:
            yield _line(cells)
        cells = [(match.start(), match[0]) for match in CELL.finditer(row)]
        if not cells:
            yield row
    if cells:
        yield _line(cells)
    if not html_words.has_tables:
        yield from rows


def _line(cells: Sequence[tuple[int, str]]) -> str:
    return "  ".join([text for _, text in cells])


def _cells(rows: Sequence[str], html_words: HtmlWords) -> list[str]:
    """The words of lines with cells between bars: line by line, or, if cells wrap, cell by cell.

    The order that shares more pairs with mandoc's HTML wins.
    """
    by_line = folded_text(BOX.sub(" ", " ".join(rows))).split()
    if len(rows) == 1:
        return by_line
    columns = zip_longest(*(row.split("\u2502") for row in rows), fillvalue="")
    by_cell = folded_text(BOX.sub(" ", " ".join([" ".join(column) for column in columns]))).split()
    return by_cell if html_words.count_pairs(by_cell) > html_words.count_pairs(by_line) else by_line


def _rejoin_hyphenated(before: list[str], words: list[str], html_words: HtmlWords) -> list[str]:
    """`words` of a line; the first is joined with the last one `before` if a hyphen split them."""
    if not before or not words or not HYPHENATED.search(before[-1]):
        return words
    whole = before[-1] + words[0]
    if whole in html_words.words and before[-1] not in html_words.words:
        before.pop()
        return [whole, *words[1:]]
    return words


def _split_at_blanks(word: str, pairs: frozenset[tuple[str, str]], before: str) -> list[str]:
    """`word`, which follows `before`, split where mandoc's HTML has blanks; empty if nowhere."""
    tried: set[tuple[str, int]] = set()
    splits: list[tuple[list[str], int]] = [([], 0)]  # parts, and where the next one begins
    while splits:
        parts, index = splits.pop()
        last = parts[-1] if parts else before
        if (last, index) in tried:
            continue
        tried.add((last, index))
        for end in range(index + 1, len(word) + bool(parts)):
            if (last, word[index:end]) in pairs:
                if end == len(word):
                    return [*parts, word[index:end]]
                splits.append(([*parts, word[index:end]], end))
    return []


@dataclass(slots=True)
class _WordCollector:
    """Collects `words`; `text` has the characters that are not split into words yet.

    `replacements` are what the tree has instead of markers, by their indexes.
    """

    builder: DraftBuilder
    words: list[str] = field(default_factory=list)
    replacements: dict[int, str] = field(default_factory=dict)
    text: list[str] = field(default_factory=list)

    def end_text(self) -> None:
        self.words += "".join(self.text).split()
        self.text.clear()

    def add_marker(self, word: str, replacement: str) -> None:
        """Add `word`, which is `replacement` in the tree."""
        self.end_text()
        self.replacements[len(self.words)] = replacement
        self.words.append(word)

    def add(self, element: Element) -> None:
        """Add the characters of `element` in order, and its markers where they are."""
        text, builder = self.text, self.builder
        is_block = element.tag not in INLINE
        if is_block:
            text.append(" ")
        if element in builder.implied_markers:
            self.add_marker(*builder.implied_markers[element])
        if element in builder.dashed_paragraphs:
            tag, prose = "".join(element.itertext()).replace("\n", " ").split(" - ", 1)
            text.append(tag)
            self.add_marker("-", "")
            text.append(f"{prose} ")
            return
        if element in builder.markers:
            first = "".join(element.itertext()).split(maxsplit=1)[0]
            self.add_marker(first, builder.markers[element])
            if element.tag == "dt":  # it has no other words
                return
            text.append((element.text or "").lstrip().removeprefix(first))
        elif element.text:
            text.append(element.text)
        for child in element:
            self.add(child)
            if child.tail:
                text.append(child.tail)
        if is_block:
            text.append(" ")
