"""Marks in pages, by which the proof knows what stands for which lines of the source.

    <!--text 12-40--> … <!--/text-->   around what stands for these lines
    data-lines="15"                    on an element whose words moved from there
    data-from="12", data-lines="+3"    on the card of an entry (its syntax), whose elements count
                                       from its line
    data-added                         on an element with words that dconv adds

Readers have no use for them, so each mark is between two control characters, which no text has: a
page is rendered once; the proof reads it `with_marks`, the site has it `without_marks`.
"""

from __future__ import annotations

import re

from dconv.model.tree import Span

START, END = "\x01", "\x02"
MARK = re.compile(rb"\x01[^\x02]*\x02")


def without_marks(page: bytes) -> bytes:
    """`page` without its marks."""
    return MARK.sub(b"", page)


def with_marks(page: bytes) -> str:
    """`page` with its marks as plain HTML."""
    return page.translate(None, b"\x01\x02").decode()


def mark(content: str) -> str:
    """`content`, an attribute or a comment, as a mark for the proof."""
    return f"{START}{content}{END}"


DATA_ADDED = mark(" data-added")  # of an element whose words are not in the source


def lines_attribute(lines: str) -> str:
    """The attribute of an element with words from `lines` of the source, as `3-4`."""
    return mark(f' data-lines="{lines}"')


def mark_source(span: Span, content: str) -> str:
    """`content`, marked as the text of the lines of `span`."""
    start, end = mark(f"<!--text {span.first}-{span.last}-->"), mark("<!--/text-->")
    return f"{start}\n{content}{end}\n"
