"""Synopses of sub-commands, and named values, each alone on a line above deeper prose.

    level [<level>]                     0 = STOPPED
      Sets the level; without one,        The server is down.
      lists what there is.              1 = STARTING
                                          The server is warming up.
    sink [<sink>]
      Tells where traces go.
"""

from __future__ import annotations

import re

from dconv.model.source import Line
from dconv.model.tree import Definition, Definitions, Term
from dconv.readers.text import inline, signatures
from dconv.readers.text.name_lines import MIN_EXTRA_INDENT
from dconv.readers.text.region import Region
from dconv.readers.text.rules import terms

MIN_SYNOPSES = 2  # a single one may be a line of prose
MAX_LENGTH = 100  # characters of a synopsis
MAX_DEPTH = 4  # brackets in brackets
# what starts a line that can be one: "level [", "{ on", "0x01 ="
START = re.compile(r"[{\[<]|[\w.+-]+(?: [\w.+-]+)? (?:[<{\[]|= \w)")
# the words that are left without arguments: "level", "set level", or none
WORDS = re.compile(r"\s*+(?:[\w.+-]++\s*+){0,3}")
# "0x01 = RUNNING"
VALUE = re.compile(r"\w+ = (?P<name>\w+)")
# "Sets the level…", "Check failed."
PROSE = re.compile(r"[A-Z][a-z]*,? [a-z\"'<(]")


def rule(region: Region, index: int) -> tuple[Definitions, int] | None:
    """A list of synopses from `index` on, each with the deeper lines below it."""
    items = _items(region, index)
    if len(items) < MIN_SYNOPSES:
        return None
    definitions = tuple(_definition(region, start, end) for start, end in items)
    return Definitions(definitions, region.span(index, items[-1][1])), items[-1][1]


def _items(region: Region, index: int) -> list[tuple[int, int]]:
    """The synopses at the column of line `index`: where each starts, and where its text ends."""
    items: list[tuple[int, int]] = []
    start = index
    while start < region.end and region.lines[start].indent == region.lines[index].indent:
        if not _is_synopsis(region, start):
            break
        items.append((start, region.deeper_end(start + 1, region.lines[start].indent)))
        start = region.next_text(items[-1][1])
    return items


def _is_synopsis(region: Region, index: int) -> bool:
    """Whether the line at `index` is a synopsis, with deeper prose directly below it."""
    text = region.lines[index].text
    if not START.match(text) or len(text) > MAX_LENGTH or index + 1 >= region.end:
        return False
    below = region.lines[index + 1]
    if below.indent < region.lines[index].indent + MIN_EXTRA_INDENT or not PROSE.match(below.text):
        return False
    rest = text
    for _ in range(MAX_DEPTH):
        rest = signatures.ARGUMENT.sub(" ", rest)
    return VALUE.fullmatch(text) is not None or (rest != text and WORDS.fullmatch(rest) is not None)


def _definition(region: Region, index: int, end: int) -> Definition:
    line = region.lines[index]
    body = terms.parse_body(region, Line(line.number, line.indent, ""), index, end)
    return Definition("", (_term(region, line),), "", body, region.span(index, end))


def _term(region: Region, line: Line) -> Term:
    """The synopsis on `line`; the name of a value is its anchor."""
    value = VALUE.fullmatch(line.text)
    if value is None:
        return terms.term(region, line.text, line.number, line.column - 1)
    name = value["name"]
    content = inline.parse([line], region.context.dropped)
    return Term(content, name, "", region.context.new_anchor(name), line.number)
