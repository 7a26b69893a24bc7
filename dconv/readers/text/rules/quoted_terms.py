"""Paragraphs that each explain a quoted word, written without indentation.

    "none": Only the files of the configuration are loaded.

    "all": Everything that is found is loaded.  A description may have
    several paragraphs, up to the next quoted word.
"""

from __future__ import annotations

import re

from dconv.model.tree import Definition, Definitions
from dconv.readers.text.region import Region, trimmed
from dconv.readers.text.rules import terms

# '"bundle": When a file…'
HEAD = re.compile(r"(?P<term>\"[\w.+-]{1,40}\")(?P<separator>\s?:)\s+(?P<text>\S.*)$")


def rule(region: Region, at: int) -> tuple[Definitions, int] | None:
    """Two or more such paragraphs from `at` on."""
    line = region.lines[at]
    if line.text[0] != '"' or not HEAD.match(line.text):
        return None
    if at > region.first and region.lines[at - 1].text:
        return None  # inside a run of text: a search from each line would be quadratic
    starts = [
        index
        for index in range(at, region.last)
        if region.lines[index].indent == line.indent
        and region.lines[index].text[:1] == '"'
        and HEAD.match(region.lines[index].text)
        and (index == at or not region.lines[index - 1].text)
    ]
    if len(starts) < 2:
        return None
    ends = [trimmed(region.lines, at, start)[1] for start in starts[1:]]
    ends.append(region.block_end(starts[-1]))
    items = tuple(_definition(region, start, end) for start, end in zip(starts, ends, strict=True))
    return Definitions(items, region.span(at, ends[-1])), ends[-1]


def _definition(region: Region, start: int, end: int) -> Definition:
    line = region.lines[start]
    match = HEAD.match(line.text)
    assert match is not None
    first = line.after(match.start("text")).at(line.indent)
    region.context.dropped.colon("colon after a term", line, match.end("term"))
    term = terms.term(region, match["term"], line.number, line.column - 1)
    body = terms.parse_body(region, first, start, end)
    return Definition("", (term,), ":", body, region.span(start, end))
