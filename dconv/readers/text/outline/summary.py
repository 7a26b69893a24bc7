"""The summary: the source's own table of contents.

    Summary
    -------

    1.    First things
    1.1.      The very first
"""

from __future__ import annotations

import re

from dconv.model.source import Line
from dconv.model.tree import Span, SummaryLine
from dconv.readers.text.blocks import SummaryBlock, TitleBlock

TITLE = re.compile(r"(?:summary|table of contents|contents)\s*:?$", re.IGNORECASE)
# "9.4.1.    Some commands"
ENTRY = re.compile(r"(\d{1,9}(?:\.\d{1,9})*)[.)]?(?:\s+(\S.*))?$")


FEWEST = 2  # entries of a table of contents; with fewer, the text is a section like others


def is_title(title: TitleBlock) -> bool:
    """Whether `title` can head a table of contents, by its words."""
    return not title.number and TITLE.match(title.title) is not None


def find(lines: tuple[Line, ...], title: TitleBlock, end: int) -> SummaryBlock | None:
    """The summary under `title`, before index `end`; None where other text is below it.

    It needs two entries, and most lines must be entries.  It ends at prose
    behind a blank line.
    """
    if not is_title(title):
        return None
    rows: list[SummaryLine] = []
    for place in range(title.span.last, end):
        text = lines[place].text
        match = ENTRY.match(text)
        if match:
            rows.append(SummaryLine(match[1], match[2] or "", lines[place].number))
        elif text:
            if rows and not lines[place - 1].text:
                break
            rows.append(SummaryLine("", text, lines[place].number))
    entries = sum(1 for row in rows if row.number)
    if entries < FEWEST or entries * 2 <= len(rows):
        return None
    return SummaryBlock(tuple(rows), Span(title.span.first, rows[-1].line))
