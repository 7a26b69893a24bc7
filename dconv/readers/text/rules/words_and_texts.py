"""Words with their texts beside them, where a word may be too long for its column.

    wick    The wick of the lamp.       lit         the lamp burns
            It is made of cotton.       oil_is_low  the lamp will go out soon
    lanternoil The oil of lanterns,     set <n>     lights <n> lamps
            which is thin.

In texts without a dialect.  A word that reaches the column of the texts is one blank before its
text, or alone above it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from dconv.model.source import Line
from dconv.model.tree import Definitions
from dconv.readers.text.region import Region
from dconv.readers.text.rules import definitions, lists, prose, terms

WORD_AND_TEXT = re.compile(r"(?P<word>[^\s#-]\S*)(?P<gap> +)(?P<text>[A-Za-z\"'(<%].* .*)$")
# "lamp::lit Whether the lamp": words of prose and of code hold no such marks
NAME_AND_TEXT = re.compile(r"(?P<word>[a-z]\w*::[\w:<>]+) (?P<text>[A-Z]\w* .*)$")
SENTENCE_START = re.compile(r"[A-Z][a-z]+")  # "Testing" of "Testing the lamp"
PLACEHOLDER = re.compile(r"\S [<\[{]\S*$")
PUNCTUATION = (".", ":", ",", ";", "!", "?")  # no such word ends with it
WORD = re.compile(r"[a-z]{2,}")
MIN_ITEMS = 3  # two could be chance
MAX_FREE_COLUMNS = 2  # between a word that is one blank before its text and the column of texts
MIN_LONE_COLUMN = 8  # columns from the name of a `_lone_item` to the text below it
MIN_COLUMN = 5  # columns from the words to the texts, if words may be one blank before theirs


def rule(region: Region, index: int) -> tuple[Definitions, int] | None:
    """A list of such words from `index` on."""
    if not region.context.dialect.guesses_blocks:
        return None
    column = _text_column(region, index)
    items = _items(region, index, column) if column >= 0 else []
    if not _are_certain(region, items[:terms.MAX_EXAMINED_ITEMS], column):
        items = _lone_item(region, index)
    if not items:
        return None
    end = items[-1][2]
    if definitions.end_of_list(region, index) >= end:
        return None
    nodes = tuple(
        terms.definition(region, term_line, start, end) for term_line, start, end in items
    )
    return Definitions(nodes, region.span(index, end)), end


def _text_column(region: Region, index: int) -> int:
    """The indent at which most texts are, beside the words from line `index` on or below them."""
    lines = region.lines
    columns: Counter[int] = Counter()
    start = index
    for _ in range(terms.MAX_EXAMINED_ITEMS):
        if start >= region.end or lines[start].indent != lines[index].indent:
            break
        match = WORD_AND_TEXT.match(lines[start].text)
        if match and len(match["gap"]) > 1:
            columns[lines[start].indent + match.start("text")] += 1
        end = region.deeper_end(start + 1, lines[start].indent)
        if start + 1 < end and lines[start + 1].text:
            columns[lines[start + 1].indent] += 1
        start = region.next_text(end)
    return columns.most_common(1)[0][0] if columns else -1


def _items(region: Region, index: int, column: int) -> list[tuple[terms.TermLine, int, int]]:
    """The words from line `index` on, at its column, whose texts are mostly at `column`.

    Each comes with the index of its line, and that after its text.
    """
    lines = region.lines
    items: list[tuple[terms.TermLine, int, int]] = []
    start = index
    while start < region.end and lines[start].indent == lines[index].indent:
        end = region.deeper_end(start + 1, lines[start].indent)
        below = lines[start + 1] if start + 1 < end else None
        term_line = _term_line(lines[start], below, column)
        if term_line is None:
            if items and items[-1][1] + 1 == start:
                items.pop()  # its text goes on at the column of the words
            break
        items.append((term_line, start, end))
        if len(items) == terms.MAX_EXAMINED_ITEMS and not _are_certain(region, items, column):
            return []
        start = region.next_text(end)
    return items


def _lone_item(region: Region, index: int) -> list[tuple[terms.TermLine, int, int]]:
    """The name on line `index`, one blank before its text, if that goes on far deeper below."""
    line, below = region.lines[index], region.next_text(index + 1)
    match = NAME_AND_TEXT.match(line.text)
    if match is None or below >= region.end or (
        region.lines[below].indent < line.indent + MIN_LONE_COLUMN
    ):
        return []
    term_line = terms.TermLine(
        match["word"], line.indent, separator="", text=match["text"],
        text_column=line.indent + match.start("text"),
    )
    return [(term_line, index, region.deeper_end(index + 1, line.indent))]


def _term_line(line: Line, below: Line | None, column: int) -> terms.TermLine | None:
    """The word on `line` and its text, which is on the line `below` if nothing is beside it."""
    if line.text[0] in "#-" or (lists.MARKER.match(line.text) and line.text[0] != "o"):
        return None
    term_line = terms.term_line_at(line, column)
    if term_line and (
        line.text[column - line.indent - 2] == " " or PLACEHOLDER.search(term_line.term)
    ):
        return term_line if _is_certain(term_line) else None
    match = WORD_AND_TEXT.match(line.text)
    if match is None or match["word"].endswith(PUNCTUATION):
        if " " in line.text or line.text.endswith(PUNCTUATION):
            return None
        if below is None or below.indent != column:
            return None
        return terms.TermLine(line.text, line.indent, separator="", text="", text_column=column)
    end = line.indent + match.end("word")
    if len(match["gap"]) == 1 and (
        end < column - MAX_FREE_COLUMNS or column < line.indent + MIN_COLUMN
        or SENTENCE_START.fullmatch(match["word"])
    ):
        return None
    return terms.TermLine(
        match["word"], line.indent, separator="", text=match["text"],
        text_column=line.indent + match.start("text"),
    )


def _is_certain(term_line: terms.TermLine) -> bool:
    """Whether the term of `term_line` has no columns, and no mark is between it and its text."""
    term, text = term_line.term, term_line.text
    if term.endswith(PUNCTUATION) or "  " in term or term.endswith(" -") or text[0] in "-:=":
        return False
    return term[0] != "'" or text[0] != "'"


def _are_certain(
    region: Region, items: Sequence[tuple[terms.TermLine, int, int]], column: int
) -> bool:
    """Whether `items` are words with prose beside them, most of it at `column`."""
    if len(items) < MIN_ITEMS:
        return False
    if len({term_line.term for term_line, _, _ in items}) * 3 < len(items) * 2:
        return False
    beside = [term_line for term_line, _, _ in items if term_line.text]
    beside_count = sum(term_line.text_column == column for term_line in beside)
    gap_count = sum(terms.column_after_gap(term_line) == column for term_line in beside)
    texts = [Line(1, 0, term_line.text) for term_line in beside]
    hanging_count = sum(
        start + 1 < end and region.lines[start + 1].indent >= column for _, start, end in items
    )
    min_gaps = 1 if 3 * hanging_count >= 2 * len(items) or beside_count == len(items) else 2
    if gap_count < min_gaps or 3 * (beside_count + hanging_count) < 2 * len(items):
        return False
    if 4 * sum(definitions.COLUMN_GAP.search(text.text) is not None for text in texts) > len(texts):
        return False
    word_count = sum(len(WORD.findall(text.text)) for text in texts)
    return word_count >= 2 * len(texts) and (
        3 * hanging_count >= len(items) or 3 * prose.count_function_words(texts) >= len(texts)
    )
