"""Examples: a label, perhaps a caption, and deeper code.

    Example : limit the rate to 10 a second
        frontend web
            rate-limit sessions 10

What is deeper than the label belongs to the example, blank lines included.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dconv.model.source import Line
from dconv.model.tree import Example, Flow, Inline
from dconv.model.wrapping import MIN_FULL_LENGTH, has_room
from dconv.readers.text import inline
from dconv.readers.text.region import Region, trimmed_range
from dconv.readers.text.rules import languages, prose
from dconv.readers.text.rules.preformatted import code_and_prose, preformatted

# "Example :", "Examples:", "Example 2:", "TCP/HTTP Examples :", "Example with IPv4 input:"
LABEL = re.compile(
    r"""
    (?P<label> (?: [A-Z][\w/.-]* \s (?: \w+ \s )? )? [Ee]xamples?
               (?: \s \d+ | \s (?: with | of | for | using | in ) \s [\w ./-]{1,40} )? )
    \s? : (?: \s+ (?P<rest> \S.* ) )? $
    """,
    re.VERBOSE,
)
# "- Balancing of links", not "- /a -> /b"
ITEM = re.compile(r"[-*•] [A-Z][\w-]+ [\w(]+ \w")
SEE_ALSO = ("See also", "See Also")
LABELS = (*SEE_ALSO, "Example")
MAX_ROWS = 10  # last lines of output that the next block is compared with
LABEL_ALONE = re.compile(r"(?P<label>Examples?)(?P<rest>)$")


def rule(region: Region, index: int) -> tuple[Example, int] | None:
    """An example whose label is at `index`."""
    line = region.lines[index]
    if "xample" not in line.text[:60]:
        return None
    match = LABEL.match(line.text) or LABEL_ALONE.match(line.text)
    if match is None:
        return None
    rest = match["rest"] or ""
    next_index = region.next_text(index + 1)
    if next_index < region.end and region.lines[next_index].indent > line.indent:
        return _indented(region, index, match["label"], rest, line.indent + match.start("rest"))
    if rest:
        return _one_line(region, index, match["label"], rest, line.indent + match.start("rest"))
    if ":" not in line.text or next_index >= region.end:
        return None
    return _unindented(region, index, match["label"], next_index)


def _indented(
    region: Region, index: int, label: str, rest: str, column: int
) -> tuple[Example, int] | None:
    """Code that is deeper than the label; the caption may continue below its first letter."""
    lines = region.lines
    indent = lines[index].indent
    start = index + 1
    caption: list[Line] = []
    if rest:
        caption.append(lines[index].after(column - indent))
        while start < region.end and lines[start].text and lines[start].indent == column:
            caption.append(lines[start])
            start += 1
    end = _end(region, start, indent)
    first = region.next_text(start)
    if first >= end:
        return _one_line(region, index, label, rest, column) if len(caption) == 1 else None
    if all(
        ITEM.match(line.text) for line in lines[first:end]
        if line.text and line.indent == lines[first].indent
    ):
        body = region.parse(region.inside(first, end, lines[first].indent))
    else:
        body = code_and_prose(region, first, end)
    content = inline.parse(caption, region.context.dropped) if caption else ()
    return _example(region, index, end, label, content, body)


def _end(region: Region, start: int, indent: int) -> int:
    """The index after the deeper lines, or before a label among them."""
    lines = region.lines
    end = region.deeper_end(start, indent)
    first = region.next_text(start)
    for index in range(first + 1, end):
        text = lines[index].text
        if lines[index - 1].text or not text.startswith(LABELS):
            continue
        another = lines[index].indent < lines[first].indent and LABEL.match(text)
        if text.startswith(SEE_ALSO) or another:
            return trimmed_range(lines, first, index)[1]
    return end


def _one_line(
    region: Region, index: int, label: str, rest: str, column: int
) -> tuple[Example, int] | None:
    """An example on the line of the label; None if a sentence is there, or starts there."""
    if prose.is_sentence(rest) or _continues_below(region, index):
        return None
    line = region.lines[index].after(column - region.lines[index].indent)
    alone = Region((line,), 0, 1, 0, region.context, region.parse)
    language = languages.detect(alone, 0, 1)
    return _example(region, index, index + 1, label, (), (preformatted((line,), language),))


def _continues_below(region: Region, index: int) -> bool:
    """Whether a sentence on line `index`, which is full, continues at the same column."""
    if index + 1 >= region.end:
        return False
    line, below = region.lines[index : index + 2]
    if not below.text or below.indent != line.indent or has_room(line, below, MIN_FULL_LENGTH):
        return False
    has_words = prose.count_function_words([line]) >= prose.MIN_FUNCTION_WORDS
    return below.text[0].islower() or (has_words and below.text[0].isalpha())


def _unindented(
    region: Region, index: int, label: str, body_start: int
) -> tuple[Example, int] | None:
    """Code at the column of the label, up to a blank line or the next prose."""
    lines = region.lines
    indent = lines[index].indent
    if lines[body_start].indent < indent:
        return None
    if prose.is_prose_at(region, body_start):
        return _introduced_blocks(region, index, label, body_start)
    end = min(region.block_end(body_start), region.end)
    while body_start > index + 1:
        following = region.next_text(end)
        if following >= region.end or lines[following].indent < indent:
            break
        block = lines[following : region.block_end(following)]
        rows = lines[max(body_start, end - MAX_ROWS) : end]
        if block[0].indent == indent and _ends_code(block, rows):
            break
        end = region.block_end(following)
    body = code_and_prose(region, body_start, end)
    return _example(region, index, end, label, (), body)


def _ends_code(block: Sequence[Line], rows: Sequence[Line]) -> bool:
    """Whether `block` does not continue the code whose last `rows` are above it.

    Output may start with a capital if one of the rows starts with the same words.
    """
    if prose.is_prose(block):
        return True
    start = block[0].text.split()[:2]
    is_similar = any(line.text.split()[:2] == start for line in rows)
    return block[0].text[0].isupper() and not is_similar


def _introduced_blocks(
    region: Region, index: int, label: str, body_start: int
) -> tuple[Example, int] | None:
    """Introductions that end with a colon, each with the deeper lines below it."""
    indent = region.lines[index].indent
    end = start = body_start
    while start < region.end and region.lines[start].indent == indent:
        intro_end = start
        while intro_end < region.end and region.lines[intro_end].text and (
            region.lines[intro_end].indent == indent
        ):
            intro_end += 1
        if region.lines[intro_end - 1].text[-1] != ":":
            break
        deeper_end = region.deeper_end(intro_end, indent)
        end = max(end, deeper_end) if deeper_end > intro_end else end
        start = region.next_text(deeper_end)
    if end == body_start:
        return None
    body = region.parse(region.inside(body_start, end, indent))
    return _example(region, index, end, label, (), body)


def _example(
    region: Region, index: int, end: int, label: str, caption: tuple[Inline, ...],
    body: tuple[Flow, ...],
) -> tuple[Example, int]:
    region.context.dropped.add_colon("colon after a label", region.lines[index], len(label))
    return Example(label, caption, body, region.span(index, end)), end
