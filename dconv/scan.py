"""The outline of a document: header, preface, summary, titles, bodies, footer.

Every line ends in exactly one block; nothing is read inside the bodies yet.
"""

from __future__ import annotations

from dconv.blocks import BodyBlock, OutlineBlock
from dconv.lines import Line, Source
from dconv.outline import footer, header, summary, titles
from dconv.tree import Span


def scan(source: Source) -> tuple[OutlineBlock, ...]:
    """The blocks of `source` in order; their spans cover all lines once."""
    lines = source.lines
    blocks: list[OutlineBlock] = []
    at, end = 0, len(lines)
    if head := header.find(lines):
        if head.span.first > 1:
            blocks.append(BodyBlock(Span(1, head.span.first - 1)))
        blocks.append(head)
        at = head.span.last
    foot = footer.find(lines)
    if foot and foot.span.first > at:
        end = foot.span.first - 1
    found = titles.find(lines, at, end)
    for place, title in enumerate(found):
        _body(blocks, at, title.span.first - 1)
        following = found[place + 1].span.first - 1 if place + 1 < len(found) else end
        if summary.is_title(title):
            contents = summary.read(lines, title, _contents_end(lines, title.span.last, following))
            blocks.append(contents)
            at = contents.span.last
        else:
            blocks.append(title)
            at = title.span.last
    _body(blocks, at, end)
    if foot and end < len(lines):
        blocks.append(foot)
        _body(blocks, foot.span.last, len(lines))
    return tuple(blocks)


def _body(blocks: list[OutlineBlock], first: int, last: int) -> None:
    if first < last:
        blocks.append(BodyBlock(Span(first + 1, last)))


def _contents_end(lines: tuple[Line, ...], at: int, end: int) -> int:
    """The index after a table of contents: it ends at the first title, or at prose."""
    rows = last = 0
    for place in range(at, end):
        text = lines[place].text
        if not text:
            continue
        if summary.ENTRY.match(text):
            rows += 1
        elif rows and not lines[place - 1].text:
            break
        last = place + 1
    return last or at
