"""A paragraph: lines at one column, up to a blank line or another construct."""

from __future__ import annotations

import re

from dconv import inline
from dconv.region import Region
from dconv.rules import bullets, forms
from dconv.tree import Paragraph, Span

# What starts a new construct without a blank line above it.
INTERRUPTION = re.compile(
    r"""
      (?: [-*•] | => ) \s+ [^\s:]
    | See\ also \s? :
    | (?: Examples? | Arguments? | Notes? | NOTES? | Warning | WARNING | Return\ values?
        | Performance\ note | ACL\ (?:derivatives?|alternatives?) | Important\ note
        | IMPORTANT\ NOTE ) \s? :
    """,
    re.VERBOSE,
)
STARTS = frozenset("-*•=SEANWRPI")


def rule(region: Region, at: int) -> tuple[Paragraph, int]:
    """Matches always: what no other rule wants is prose."""
    lines = region.lines
    first = lines[at]
    end = at + 1
    while end < region.last:
        line = lines[end]
        if not line.text or line.indent < first.indent:
            break
        if line.indent > first.indent and (
            lines[end - 1].text[-1] == ":" or forms.starts(region, end)
        ):
            break
        if line.text[0] in STARTS and INTERRUPTION.match(line.text):
            break
        if line.text[0].isdigit() and bullets.starts_numbers(region, end):
            break
        end += 1
    content = inline.parse(lines[at:end])
    return Paragraph(content, Span(first.number, lines[end - 1].number)), end
