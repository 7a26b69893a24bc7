"""Paragraphs that each explain a quoted word, written without indentation.

    "none": Only the files of the configuration are loaded.

    "all": Everything that is found is loaded.  A description may have
    several paragraphs, up to the next quoted word.
"""

from __future__ import annotations

import re

from dconv.model.tree import Definition, Definitions
from dconv.readers.text.region import Region, trimmed_range
from dconv.readers.text.rules import terms

# '"bundle": When a file…'
HEAD = re.compile(r"(?P<term>\"[\w.+-]{1,40}\")(?P<separator>\s?:)\s+(?P<text>\S.*)$")


def rule(region: Region, index: int) -> tuple[Definitions, int] | None:
    """Two or more such paragraphs from `index` on."""
    line = region.lines[index]
    if line.text[0] != '"' or not HEAD.match(line.text):
        return None
    if index > region.first and region.lines[index - 1].text:
        return None  # inside a run of text: a search from each line would be quadratic
    starts = [
        start for start in range(index, region.end)
        if region.lines[start].indent == line.indent and region.lines[start].text[:1] == '"'
        and HEAD.match(region.lines[start].text)
        and (start == index or not region.lines[start - 1].text)
    ]
    if len(starts) < 2:
        return None
    ends = [trimmed_range(region.lines, index, following)[1] for following in starts[1:]]
    ends.append(region.block_end(starts[-1]))
    items = tuple(_definition(region, start, end) for start, end in zip(starts, ends, strict=True))
    return Definitions(items, region.span(index, ends[-1])), ends[-1]


def _definition(region: Region, start: int, end: int) -> Definition:
    line = region.lines[start]
    match = HEAD.match(line.text)
    assert match is not None
    first = line.after(match.start("text")).with_indent(line.indent)
    region.context.dropped.add_colon("colon after a term", line, match.end("term"))
    term = terms.term(region, match["term"], line.number, line.column - 1)
    body = terms.parse_body(region, first, start, end)
    return Definition(
        marker="", terms=(term,), separator=":", body=body, span=region.span(start, end)
    )
