"""Headings without a number inside a body.

    Notes on these keywords :          crtfile:
    -------------------------
                                         The text is deeper.
"""

from __future__ import annotations

import re

from dconv.model.anchors import slug
from dconv.model.tree import Heading, Span
from dconv.readers.text import inline
from dconv.readers.text.outline import MAX_LENGTH_DIFFERENCE, UNDERLINE
from dconv.readers.text.region import Region
from dconv.readers.text.rules import prose, terms
from dconv.readers.text.rules.labelled import ARGUMENTS

# "crtfile:", "Troubleshooting:", "When used with HTTP:"
TITLE_WITH_COLON = re.compile(r"(?P<title>[A-Za-z][\w./-]*(?: [\w./-]+){0,4})\s?:$")


def rule(region: Region, at: int) -> tuple[Heading, int] | None:
    """An underlined title, or a short line with a colon alone above deeper prose."""
    line = region.lines[at]
    if at + 1 < region.last and (rule_line := region.lines[at + 1]).text:
        mark = None if line.text[-1] == "|" else UNDERLINE.match(rule_line.text)
        near = mark and abs(len(rule_line.text) - len(line.text)) <= MAX_LENGTH_DIFFERENCE
        if near and rule_line.indent == line.indent and not UNDERLINE.match(line.text):
            region.context.dropped.add("underline", rule_line)
            return _heading(region, at, at + 2)
        return None
    if line.indent != region.indent or line.text[-1] != ":":
        return None
    if not TITLE_WITH_COLON.match(line.text) or ARGUMENTS.match(line.text):
        return None
    below = region.next_text(at + 1)
    if below >= region.last or region.lines[below].indent <= line.indent:
        return None
    if terms.match(terms.COLON, region.lines[below]) or not prose.starts(region, below):
        return None
    return _heading(region, at, at + 1)


def _heading(region: Region, at: int, end: int) -> tuple[Heading, int]:
    line = region.lines[at]
    content = inline.parse([line], region.context.dropped)
    prefix = region.context.prefix
    title_slug = slug(line.text.rstrip(" :"))
    anchor = region.context.anchors.unique(f"{prefix}.{title_slug}" if prefix else title_slug)
    return Heading(content, anchor, Span(line.number, region.lines[end - 1].number)), end
