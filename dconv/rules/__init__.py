"""The constructs of a body, one file each, in the order in which they are tried.

A rule takes a region and the index of a non-blank line where a block starts; it
returns the node and the index after its last line, or None.  The first rule that
matches wins; what no rule wants is a paragraph.
"""

from __future__ import annotations

from dconv.region import MAX_DEPTH, Region, Rule
from dconv.rules import (
    bullets,
    definitions,
    drawing,
    example,
    heading,
    labelled,
    paragraph,
    preformatted,
    quoted_terms,
    see_also,
    table,
)
from dconv.tree import Flow, Preformatted

RULES: tuple[Rule, ...] = (
    heading.rule,
    see_also.rule,
    example.rule,
    labelled.rule,
    table.rule,
    bullets.rule,
    quoted_terms.rule,
    definitions.rule,
    drawing.rule,
    preformatted.rule,
)


def parse(region: Region) -> tuple[Flow, ...]:
    """The flow of `region`: every non-blank line ends in exactly one node.

    Preformatted blocks with nothing but blank lines between them are one.
    """
    nodes: list[Flow] = []
    starts: list[int] = []
    at = region.next_text(region.first)
    if region.depth > MAX_DEPTH:
        end = region.last
        while end > at and not region.lines[end - 1].text:
            end -= 1
        return (preformatted.preformatted(region.lines[at:end], ""),) if at < end else ()
    while at < region.last:
        node, end = _block(region, at)
        if nodes and isinstance(node, Preformatted) and isinstance(nodes[-1], Preformatted):
            at, before = starts.pop(), nodes.pop()
            assert isinstance(before, Preformatted)
            language = node.language or before.language
            node = preformatted.preformatted(region.lines[at:end], language)
        nodes.append(node)
        starts.append(at)
        at = region.next_text(end)
    return tuple(nodes)


def _block(region: Region, at: int) -> tuple[Flow, int]:
    """The node that starts at `at`, and the index after it."""
    for rule in RULES:
        found = rule(region, at)
        if found is not None:
            return found
    return paragraph.rule(region, at)
