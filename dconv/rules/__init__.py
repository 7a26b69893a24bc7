"""The constructs of a body, one file each, in the order in which they are tried.

A rule takes a region and the index of a non-blank line where a block starts; it
returns the node and the index after its last line, or None.  The first rule that
matches wins; `paragraph` matches always.
"""

from __future__ import annotations

from dconv.region import MAX_DEPTH, Region, Rule
from dconv.rules import (
    bullets,
    definitions,
    example,
    heading,
    labelled,
    paragraph,
    preformatted,
    quoted_terms,
    see_also,
    table,
)
from dconv.tree import Flow

RULES: tuple[Rule, ...] = (
    heading.rule,
    see_also.rule,
    example.rule,
    labelled.rule,
    table.rule,
    bullets.rule,
    quoted_terms.rule,
    definitions.rule,
    preformatted.rule,
    paragraph.rule,
)


def parse(region: Region) -> tuple[Flow, ...]:
    """The flow of `region`: every non-blank line ends in exactly one node."""
    nodes: list[Flow] = []
    at = region.next_text(region.first)
    if region.depth > MAX_DEPTH:
        end = region.last
        while end > at and not region.lines[end - 1].text:
            end -= 1
        return (preformatted.preformatted(region.lines[at:end], ""),) if at < end else ()
    while at < region.last:
        for rule in RULES:
            found = rule(region, at)
            if found is not None:
                node, end = found
                nodes.append(node)
                break
        at = region.next_text(end)
    return tuple(nodes)
