"""The summary: the source's own table of contents.

    Summary
    -------

    1.    First things
    1.1.      The very first
"""

from __future__ import annotations

import re

from dconv.blocks import SummaryBlock, TitleBlock
from dconv.lines import Line
from dconv.tree import Span, SummaryLine

TITLE = re.compile(r"(?:summary|table of contents|contents)\s*:?$", re.IGNORECASE)
# "9.4.1.    Some commands"
ENTRY = re.compile(r"(\d+(?:\.\d+)*)[.)]?(?:\s+(\S.*))?$")


def is_title(title: TitleBlock) -> bool:
    """True where `title` heads a table of contents."""
    return not title.number and TITLE.match(title.title) is not None


def read(lines: tuple[Line, ...], title: TitleBlock, end: int) -> SummaryBlock:
    """The summary under `title`, up to the line before index `end`."""
    rows: list[SummaryLine] = []
    for line in lines[title.span.last : end]:
        if not line.text:
            continue
        match = ENTRY.match(line.text)
        number, text = (match[1], match[2] or "") if match else ("", line.text)
        rows.append(SummaryLine(number, text, line.number))
    last = rows[-1].line if rows else title.span.last
    return SummaryBlock(tuple(rows), Span(title.span.first, last))
