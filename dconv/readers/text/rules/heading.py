"""Headings without a number inside a body.

    Notes on these keywords :          crtfile:
    -------------------------
                                         The text is deeper.
    *** Control messages ***
"""

from __future__ import annotations

import re
from dataclasses import replace

from dconv.model.anchors import slug
from dconv.model.source import Line
from dconv.model.tree import Heading
from dconv.readers.text import inline
from dconv.readers.text.outline import CAPITALS, HEAD_OF_TABLE, MAX_LENGTH_DIFFERENCE, UNDERLINE
from dconv.readers.text.region import Region
from dconv.readers.text.rules import prose, terms
from dconv.readers.text.rules.labelled import ARGUMENTS

# "crtfile:", "Troubleshooting:", "When used with HTTP:"
TITLE_WITH_COLON = re.compile(r"(?P<title>[A-Za-z][\w./-]*(?: [\w./-]+){0,4})\s?:$")
# "lamp:lit  Whether it burns"
NAME_AND_TEXT = re.compile(r"[\w\[\]<>:.-]+(?<!:) {2,}[A-Z]\S* [A-Za-z]")
# "*** Control messages ***", "=== Limits ==="
FRAMED_TITLE = re.compile(r"(?P<mark>\*{2,}|={2,}|~{2,}) (?P<title>[A-Z](?:.{0,70}\w)?) (?P=mark)$")


def rule(region: Region, index: int) -> tuple[Heading, int] | None:
    """An underlined title, one between stars, or a short line with a colon above deeper prose."""
    line = region.lines[index]
    if heading := _framed(region, index):
        return heading
    if region.context.dialect.guesses_blocks and heads_list(region, index):
        return _heading(region, line, index, index + 1)
    if index + 1 < region.end and (rule_line := region.lines[index + 1]).text:
        mark = None if line.text[-1] == "|" else UNDERLINE.match(rule_line.text)
        if mark and region.context.dialect.guesses_blocks and HEAD_OF_TABLE.search(line.text):
            return None
        has_fitting_length = (
            mark and abs(len(rule_line.text) - len(line.text)) <= MAX_LENGTH_DIFFERENCE
        )
        if (
            has_fitting_length
            and rule_line.indent == line.indent
            and not UNDERLINE.match(line.text)
        ):
            region.context.dropped.add("underline", rule_line)
            return _heading(region, line, index, index + 2)
        return None
    if line.indent != region.indent or line.text[-1] != ":":
        return None
    if not TITLE_WITH_COLON.match(line.text) or ARGUMENTS.match(line.text):
        return None
    next_index = region.next_text(index + 1)
    if next_index >= region.end or region.lines[next_index].indent <= line.indent:
        return None
    below = region.lines[next_index]
    if terms.read_term(terms.COLON, below) or not prose.is_prose_at(region, next_index):
        return None
    return _heading(region, line, index, index + 1)


def heads_list(region: Region, index: int) -> bool:
    """Whether words in capitals at line `index` are alone above a list of names with texts."""
    lines, below = region.lines, region.next_text(index + 1)
    return CAPITALS.fullmatch(lines[index].text) is not None and (
        below > index + 1 and below < region.end and lines[below].indent >= lines[index].indent
        and (index == region.first or not lines[index - 1].text)
        and NAME_AND_TEXT.match(lines[below].text) is not None
    )


def _framed(region: Region, index: int) -> tuple[Heading, int] | None:
    """A title between stars that is alone between blank lines, or None."""
    line = region.lines[index]
    title = FRAMED_TITLE.match(line.text) if line.indent == region.indent else None
    is_alone = (index == region.first or not region.lines[index - 1].text) and (
        index + 1 < region.end and not region.lines[index + 1].text
    )
    if title is None or not is_alone:
        return None
    dropped = region.context.dropped
    dropped.add("stars around a title", line, 0, len(title["mark"]))
    dropped.add("stars around a title", line, title.end("title") + 1)
    words = replace(line.after(title.start("title")), text=title["title"])
    return _heading(region, words, index, index + 1)


def _heading(region: Region, line: Line, index: int, end: int) -> tuple[Heading, int]:
    """The heading with the words of `line`, on the lines from `index` to `end`."""
    content = inline.parse([line], region.context.dropped)
    anchor = region.context.new_anchor(slug(line.text.rstrip(" :")))
    return Heading(content, anchor, region.span(index, end)), end
