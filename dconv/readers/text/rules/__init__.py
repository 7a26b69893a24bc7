"""The rules for the constructs of a body, one file each, in the order in which they are tried.

A rule takes a region, the lines of a body or of a part of it, and the index of a non-blank line
where a block starts.  It returns the node and the index after its last line, or None.  The first
rule that matches wins.

To add a construct: write its file with a function `rule`, and put it into `RULES`.  If it
leaves characters of the source out, it reports them to `region.context.dropped`.
"""

from __future__ import annotations

from dconv.model.tree import Code, Flow, Paragraph, Preformatted
from dconv.readers.text.region import MAX_DEPTH, Region, Rule, trimmed_range
from dconv.readers.text.rules import (
    definitions,
    drawing,
    example,
    heading,
    labelled,
    lists,
    names_and_values,
    paragraph,
    preformatted,
    quoted_terms,
    see_also,
    synopses,
    tables,
    words_and_texts,
)

RULES: tuple[Rule, ...] = (
    preformatted.marked_code,  # lines that one of `filters` marked as code
    preformatted.announced_code,  # below a line that ends with " >"
    drawing.excerpt,  # between two marks "---%<---"
    preformatted.commented_code,  # above deeper comments
    heading.rule,  # a title without a number, by its underline or its place
    see_also.rule,  # "See also : ..."
    example.rule,  # "Example :" and deeper code
    labelled.rule,  # "Arguments :", "Note:"
    tables.rule,
    lists.rule,  # bulleted and numbered lists
    quoted_terms.rule,  # '"all": ...', without indentation
    synopses.rule,  # a sub-command or a value alone on a line above deeper prose
    names_and_values.rule,  # options and values with their texts, without a dialect
    words_and_texts.rule,  # words too long for their column
    definitions.rule,  # "<method>  is the method used"
    drawing.rule,
    preformatted.rule,  # a block that is deeper than the prose around it
    paragraph.rule,  # matches always
)


def parse(region: Region) -> tuple[Flow, ...]:
    """The flow of `region`: every non-blank line ends in exactly one node.

    Preformatted blocks with nothing but blank lines between them are one, and so is one with a line
    of code above its deeper lines.
    """
    nodes: list[Flow] = []
    runs: list[tuple[int, int]] = []
    index = region.next_text(region.first)
    if region.depth > MAX_DEPTH:
        _, end = trimmed_range(region.lines, index, region.end)
        return (preformatted.preformatted(region.lines[index:end], ""),) if index < end else ()
    while index < region.end:
        node, end = next(filter(None, (rule(region, index) for rule in RULES)))
        nodes.append(node)
        runs.append((index, end))
        index = region.next_text(end)
    if region.context.dialect.guesses_blocks:
        for number in range(len(nodes) - 2, -1, -1):
            _join_line_above_code(region, nodes, runs, number)
    return _merged(region, nodes, runs)


def _join_line_above_code(
    region: Region, nodes: list[Flow], runs: list[tuple[int, int]], number: int
) -> None:
    """If node `number` is a line of code above deeper ones, make its block one node."""
    first, end = runs[number]
    if end != first + 1 or region.lines[end].indent <= region.lines[first].indent or not (
        isinstance(nodes[number], Paragraph) and isinstance(nodes[number + 1], Preformatted)
    ):
        return
    is_below_code = number > 0 and isinstance(nodes[number - 1], Preformatted)
    if not paragraph.is_line_above_code(region, first, is_below_code=is_below_code):
        return
    stop = number + 1
    while stop < len(nodes) and runs[stop][0] == runs[stop - 1][1]:
        stop += 1
    if all(
        isinstance(node, Preformatted) or (
            isinstance(node, Paragraph) and not any(isinstance(part, Code) for part in node.content)
        ) for node in nodes[number:stop]
    ):
        end = runs[stop - 1][1]
        nodes[number:stop] = [preformatted.preformatted(region.lines[first:end], "")]
        runs[number:stop] = [(first, end)]


def _merged(region: Region, nodes: list[Flow], runs: list[tuple[int, int]]) -> tuple[Flow, ...]:
    """`nodes`, which are on the lines `runs`, with preformatted neighbours as one."""
    merged: list[Flow] = []
    index = 0
    while index < len(nodes):
        end = index + 1
        node = nodes[index]
        if isinstance(node, Preformatted):
            language = node.language
            while end < len(nodes) and isinstance(following := nodes[end], Preformatted):
                if following.language == "console" and language not in ("", "console"):
                    break
                language = following.language or language
                end += 1
            if end > index + 1:
                first, stop = runs[index][0], runs[end - 1][1]
                node = preformatted.preformatted(region.lines[first:stop], language)
        merged.append(node)
        index = end
    return tuple(merged)
