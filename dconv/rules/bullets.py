"""Bulleted and numbered lists, nested by indentation.

    - a first item, whose text hangs
      under its first letter
    - a second one

        2. numbers are lists only where one follows another

A list whose every item is "term : text" is a list of definitions.
"""

from __future__ import annotations

import re

from dconv.lines import Line
from dconv.region import Region
from dconv.rules import terms
from dconv.tree import Definition, Definitions, Item, List, Span

# "- text", "* text", "=> text", "3. text", "12) text"
MARKER = re.compile(r"([-*•]|=>|\d{1,3}[.)]|[a-z]\))\s+(?=[^\s:])")


def rule(region: Region, at: int) -> tuple[List | Definitions, int] | None:
    """A list that starts at `at`, with all its items."""
    first = region.lines[at]
    match = MARKER.match(first.text)
    if match is None or not _wanted(region, at, match[1]):
        return None
    items: list[tuple[int, int]] = []
    end = at
    while end < region.last:
        line = region.lines[end]
        if line.indent != first.indent or not _alike(line, match[1]):
            break
        last = region.deeper_end(end + 1, first.indent)
        items.append((end, last))
        end = region.next_text(last)
    end = items[-1][1]
    span = Span(first.number, region.lines[end - 1].number)
    heads = [_head(region, start) for start, _ in items]
    if all(heads):
        found = [
            _definition(region, start, last, head)
            for (start, last), head in zip(items, heads, strict=True)
            if head is not None
        ]
        return Definitions(tuple(found), span), end
    rows = tuple(_item(region, start, last) for start, last in items)
    return List(match[1][0].isdigit(), rows, span), end


def starts_numbers(region: Region, at: int) -> bool:
    """True where a numbered list starts at `at` inside a run of text."""
    match = MARKER.match(region.lines[at].text)
    return match is not None and match[1][:-1] in ("0", "1") and _wanted(region, at, match[1])


def _wanted(region: Region, at: int, marker: str) -> bool:
    """Bullets always; a number only where the next number follows at its column."""
    if not marker[0].isdigit():
        return len(marker) < 2 or marker == "=>" or _sibling(region, at, chr(ord(marker[0]) + 1))
    return _sibling(region, at, str(int(marker[:-1]) + 1))


def _sibling(region: Region, at: int, number: str) -> bool:
    indent = region.lines[at].indent
    place = region.next_text(region.deeper_end(at + 1, indent))
    if place >= region.last or region.lines[place].indent != indent:
        return False
    match = MARKER.match(region.lines[place].text)
    return match is not None and match[1][:-1] == number


def _alike(line: Line, marker: str) -> bool:
    match = MARKER.match(line.text)
    if match is None:
        return False
    same = match[1] == marker
    return same or (match[1][0].isalnum() and marker[0].isalnum() and match[1][-1] == marker[-1])


def _head(region: Region, at: int) -> terms.Head | None:
    line = _inner(region.lines[at])
    return terms.bullet_head(line)


def _inner(line: Line) -> Line:
    match = MARKER.match(line.text)
    assert match is not None
    return Line(line.number, line.indent + match.end(), line.text[match.end() :])


def _marker(line: Line) -> str:
    match = MARKER.match(line.text)
    assert match is not None
    return match[1]


def _item(region: Region, first: int, last: int) -> Item:
    inner = _inner(region.lines[first])
    body = terms.body(region, inner, first, last)
    span = Span(inner.number, region.lines[last - 1].number)
    return Item(_marker(region.lines[first]), body, span)


def _definition(region: Region, first: int, last: int, head: terms.Head) -> Definition:
    marker = _marker(region.lines[first])
    return terms.definition(region, head, first, last, marker)
