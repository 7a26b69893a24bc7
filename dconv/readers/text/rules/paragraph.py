"""A paragraph: lines at one column, up to a blank line or another construct."""

from __future__ import annotations

import re

from dconv.model.source import Line
from dconv.model.tree import Paragraph, Span
from dconv.readers.text import inline
from dconv.readers.text.region import Region
from dconv.readers.text.rules import bullets, forms, languages

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
# definitions at the column of the words above them: "UNK  -> unknown", "0 : all of them"
ARROWS = re.compile(r"\S{1,20}\s+-> \S|\d{1,4} : \S")
LEADS = ("e.g.", "eg.", "i.e.")
STARTS = frozenset("-*•=SEANWRPI")
# what starts a list of definitions deeper than the prose above it: "<status> : the state"
DEFINED = re.compile(r"<[^<>]{1,40}>\s+: ")
# a value of a set, whose meaning is below: "0 = STOPPED"
STATE = re.compile(r"\S{1,12} = \S+$")
# a term whose text is set off by a gap: "nx        After that…"
GAP = re.compile(r"[a-z][\w.-]{0,30} {2,}(?=[\w\"'<(])")


def rule(region: Region, at: int, second: int = 0) -> tuple[Paragraph, int]:
    """Matches always: what no other rule wants is prose.

    The column is that of the line `at`, or of `second` where that is given.
    """
    lines = region.lines
    first = lines[second or at]
    end = at + 1
    while end < region.last:
        above, line = lines[end - 1], lines[end]
        text = line.text
        if not text or line.indent < first.indent:
            break
        if line.indent > first.indent and (_announces(above, line) or forms.starts(region, end)):
            break
        if text[0] in STARTS and INTERRUPTION.match(text):
            break
        if text[0].isdigit() and bullets.starts_numbers(region, end):
            break
        if len(above.text) < languages.MAX_COMMAND_LENGTH and languages.is_command(above, line):
            break
        if above.text[-1] == ":" and ARROWS.match(text):
            break
        if "  " in text and _defines(region, end):
            break
        end += 1
    content = inline.parse(lines[at:end], region.context.dropped)
    return Paragraph(content, Span(lines[at].number, lines[end - 1].number)), end


def _announces(above: Line, line: Line) -> bool:
    """Whether the deeper `line` is what the line `above` it announces, or a definition."""
    if above.text[-1] == ":" or (line.text[0] == "<" and DEFINED.match(line.text)):
        return True
    if line.indent <= above.indent:
        return False
    return above.text.endswith(LEADS) or (
        above.text[-1] == "." and STATE.match(line.text) is not None
    )


def _defines(region: Region, at: int) -> bool:
    """Whether a definition starts at `at` below a whole sentence: its text hangs at the gap."""
    line = region.lines[at]
    if region.lines[at - 1].text[-1] not in ".:" or at + 1 >= region.last:
        return False
    match = GAP.match(line.text)
    below = region.lines[at + 1]
    return match is not None and below.text != "" and below.indent == line.indent + match.end()
