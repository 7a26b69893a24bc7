"""Text cut into pages, as standards are: drop page footers, running heads and form feeds.

    Droms                       Standards Track                     [Page 2]
    ^L
    RFC 2131          Dynamic Host Configuration Protocol         March 1997

Paragraphs that a page break splits are joined.  Titles are at the margin, with their numbers and
without underlines; the leaders and page numbers of a table of contents are dropped too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from dconv.model.dialect import Dialect
from dconv.model.source import Line, Source
from dconv.model.wrapping import has_room
from dconv.readers.text.filters.filtered import FilteredLines, FilteredText

# "Droms          Standards Track          [Page 2]"
PAGE_FOOTER = re.compile(r"(?:\S.*\s)?\[Page (?P<page>\d{1,4})\]$")
MIN_FOOTERS = 2  # of a text; one alone may be quoted
HEAD_DISTANCE = 5  # lines from a foot to the head of the next page
HEAD_COLUMNS = re.compile(r"\S.*\S {3,}\S.*\S {3,}\S")
# the end of "Introduction. . . . . . 2", "Limits .....12"
LEADER = re.compile(r"(?<![\s.]) {0,3}\.(?: ?\.)+ {0,6}(?:\d{1,4}|[ivxl]{1,6})$")
MIN_LEADERS = 3  # lines of a table of contents
MAX_LENGTH = 120  # characters of a line that has a foot or a leader
MARGIN = 66  # columns; a line of a paragraph ends where the next word would pass them
# "3.1 Limits", "3.1. Limits", "A. Limits", "A.1 Limits", "Appendix A. Limits"
NUMBERED = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2})*\.?|[A-Z](?:\.\d{1,2})+\.?|[A-Z]\."
    r"|(?:Appendix|APPENDIX) [A-Z](?:[.:]| -| (?= ))) +[^\s.]"
)
UNNUMBERED = re.compile(r"[A-Z][^.:;,!?]{0,59}$")  # "Status of this memo"
GAP = re.compile(r"\S {3,}\S")
CONTINUATION_START = re.compile(r"[a-z(]")  # how most continuation lines start
SENTENCE_START = re.compile(r"[A-Z0-9\"'<\[]")
ITEM_START = re.compile(r"(?:[-*+o•]|\(?(?:\d{1,2}|[a-z])[.)]) +")
MIN_TITLES = 2  # numbered ones; with fewer, the margin is no place for titles


def filtered(source: Source, dialect: Dialect) -> FilteredText | None:
    """Return the text without page breaks, or None if it has no numbered footers."""
    footers = _footers(source.lines)
    if len(footers) < MIN_FOOTERS:
        return None
    heads = _heads(source, footers)
    leaders = _leaders(source.lines)
    contents = range(min(leaders, default=0), max(leaders, default=0))
    output = FilteredLines()
    above: Line | None = None  # the last line of text
    has_page_ended = is_blank = False  # whether a page ended, or a blank line is, after it
    for index, line in enumerate(source.lines):
        if index in footers or index in heads:
            output.dropped.add("page foot" if index in footers else "running head", line)
            has_page_ended = True
            continue
        if not line.text:
            is_blank = True
            continue
        in_contents = index in contents
        if has_page_ended and above:
            is_blank = not in_contents and not _continues(above, line)
        heading = in_contents and not line.indent and index not in leaders
        if is_blank or heading:
            output.blank_line(line)
        if index in leaders:
            output.dropped.add("leader and page number", line, leaders[index])
        output.add_line(line, line.indent, line.text[: leaders.get(index)])
        above, has_page_ended, is_blank = line, False, heading
    result = output.source(source)
    titles = _titles(result.lines)
    indents = Counter(line.indent for line in result.lines if line.indent)
    body_indent = max(indents, key=indents.__getitem__) if titles and indents else 0
    return FilteredText(result, dialect, titles, body_indent=body_indent)


def _footers(lines: Sequence[Line]) -> frozenset[int]:
    """The indexes of page footers, if the numbers of most pages follow one another."""
    footers: dict[int, int] = {}
    for index, line in enumerate(lines):
        if line.text.endswith("]") and len(line.text) <= MAX_LENGTH:
            match = PAGE_FOOTER.match(line.text)
            if match:
                footers[index] = int(match["page"])
    numbers = list(footers.values())
    in_order_count = sum(number == before + 1 for before, number in pairwise(numbers))
    return frozenset(footers if in_order_count * 2 >= len(numbers) - 1 else ())


def _heads(source: Source, footers: frozenset[int]) -> frozenset[int]:
    """The indexes of running heads: lines after footers that recur or follow a form feed."""
    lines = source.lines
    candidates: dict[int, bool] = {}
    for footer in footers:
        has_form_feed = False
        for index in range(footer + 1, min(footer + 1 + HEAD_DISTANCE, len(lines))):
            has_form_feed = has_form_feed or b"\f" in source.raw[index]
            if lines[index].text:
                candidates[index] = has_form_feed
                break
    texts = Counter(lines[index].text for index in candidates)
    return frozenset(
        index for index, has_form_feed in candidates.items()
        if HEAD_COLUMNS.match(lines[index].text) and (has_form_feed or texts[lines[index].text] > 1)
    )


def _leaders(lines: Sequence[Line]) -> Mapping[int, int]:
    """Where the leader starts in each line of a table of contents, by the index of the line."""
    leaders = {
        index: match.start() for index, line in enumerate(lines)
        if ".." in line.text.replace(" ", "") and len(line.text) <= MAX_LENGTH
        and (match := LEADER.search(line.text))
    }
    return leaders if len(leaders) >= MIN_LEADERS else {}


def _continues(above: Line, line: Line) -> bool:
    """Whether `line`, at the top of a page, continues the prose of the line `above`."""
    if ITEM_START.match(line.text) or GAP.search(line.text) or GAP.search(above.text):
        return False
    item = ITEM_START.match(above.text)
    text_indent = above.indent + (item.end() if item else 0)
    if not above.indent or line.indent not in (above.indent, text_indent):
        return False
    if CONTINUATION_START.match(line.text):
        return True
    is_full = not has_room(above, line, MARGIN)
    return is_full and above.text[-1] not in ".:!?" and SENTENCE_START.match(line.text) is not None


def _titles(lines: Sequence[Line]) -> Mapping[int, int]:
    """The lines at the margin that are titles, each with its level, 0 for its second line."""
    levels: dict[int, int] = {}
    numbered = 0
    for index, line in enumerate(lines):
        if line.indent or not line.text or (index and lines[index - 1].text):
            continue
        end = index + 1
        has_number = NUMBERED.match(line.text) is not None
        if has_number and end < len(lines) and lines[end].indent and lines[end].text:
            end += 1
        if end < len(lines) and lines[end].text:
            continue
        below = next((row for row in lines[end : end + 4] if row.text), None)
        has_deeper_text = below is not None and below.indent > 0
        if has_number or (UNNUMBERED.match(line.text) and has_deeper_text):
            numbered += has_number
            levels[line.number] = 1
            for continuation in lines[index + 1 : end]:
                levels[continuation.number] = 0
    return levels if numbered >= MIN_TITLES else {}
