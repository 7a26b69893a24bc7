"""HTML as the proof reads it: with marks, and links that show their target."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dconv.model.tree import Block, Inline, Section
from dconv.writers.html import flow, marks
from dconv.writers.html import inlines as prose
from dconv.writers.html.context import PageContext

CONTEXT = PageContext(
    lambda target: f"dconv:{target.document}#{target.anchor}",
    image=lambda file: "" if file == "gone.png" else file,
)
# the comments, and a tag with one or more of the attributes
MARKS = re.compile(r"<!--/?text\b[^>]*-->|<[a-z][^<>]*? data-(?:added|lines=|from=)[^<>]*>")
MARK = re.compile(r'("[^"]*")| data-(?:added|(?:lines|from)="[^"]*")(?=[ >])')


def marked(html: str) -> str:
    """`html`, as the writer returns it, with marks as plain HTML."""
    return marks.with_marks(html.encode())


def blocks(body: Sequence[Block]) -> str:
    """The HTML of blocks, with marks."""
    return marked(flow.blocks(body, CONTEXT))


def heading(section: Section, level: int) -> str:
    """The HTML of the title of a section."""
    return marked(flow.heading(section, level, CONTEXT))


def inlines(content: Sequence[Inline]) -> str:
    """The HTML of a line of prose, with marks."""
    return marked(prose.inlines(content, CONTEXT))


def without_marks(page: str) -> str:
    """`page` without the marks of the proof, all else as it is."""

    def unmarked_tag(match: re.Match[str]) -> str:
        tag = match[0]
        return "" if tag[1] == "!" else MARK.sub(lambda mark: mark[1] or "", tag)

    return MARKS.sub(unmarked_tag, page)
