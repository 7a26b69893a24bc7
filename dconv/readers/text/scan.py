"""The outline of a document: header, preface, summary, titles, bodies, footer.

Every line is in exactly one block.  Bodies are not read yet.
"""

from __future__ import annotations

from dconv.model.source import Source
from dconv.model.tree import Span
from dconv.readers.text.blocks import BodyBlock, OutlineBlock
from dconv.readers.text.outline import summary, titles
from dconv.readers.text.outline.header import find_footer, find_header


def scan(source: Source) -> tuple[OutlineBlock, ...]:
    """Return the blocks of `source` in order; their spans cover all lines once."""
    lines = source.lines
    blocks: list[OutlineBlock] = []
    at, end = 0, len(lines)
    if head := find_header(lines):
        if head.span.first > 1:
            blocks.append(BodyBlock(Span(1, head.span.first - 1)))
        blocks.append(head)
        at = head.span.last
    foot = find_footer(lines)
    if foot and foot.span.first > at:
        end = foot.span.first - 1
    all_titles = titles.find(lines, at, end)
    # there is one table of contents; it stands before the numbered sections, or, where
    # sections have no numbers, before all others
    contents = None
    before = True
    numbered = any(title.number for title in all_titles)
    for place, title in enumerate(all_titles):
        _body(blocks, at, title.span.first - 1)
        following = all_titles[place + 1].span.first - 1 if place + 1 < len(all_titles) else end
        headed = not title.number if numbered else summary.is_title(title)
        before = before and contents is None and headed
        contents = summary.find(lines, title, following) if before else None
        block = contents or title
        blocks.append(block)
        at = block.span.last
    _body(blocks, at, end)
    if foot and end < len(lines):
        blocks.append(foot)
        _body(blocks, foot.span.last, len(lines))
    return tuple(blocks)


def _body(blocks: list[OutlineBlock], first: int, last: int) -> None:
    if first < last:
        blocks.append(BodyBlock(Span(first + 1, last)))
