"""A sentence says how many items the list below has, and it has more or fewer.

An item was added or removed. The rule checks sentences that end with a colon directly above a list
and have one number from two to nine before the counted word.

Bad:
    There are two modes :
      - one that reads
      - one that writes
      - one that does both

Good:
    There are three modes :
      - one that reads
      - one that writes
      - one that does both
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule
from dconv.model.tree import Block, Definitions, List, Paragraph, plain_text, walk

NUMBERS: Mapping[str, int] = {
    word: value for value, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine"), 2
    )
}
# "supports 5 connection modes :", "The first two words are:": the last number of a sentence
COUNT = re.compile(
    rf"(?<![\w.,/:-])(?P<number>{'|'.join(NUMBERS)}|[2-9])"
    r" (?:[a-z]+ )?[a-z]{2,}s(?: (?:are|is|here|below|available|possible|supported|exist|currently|"
    r"of [a-z]+))* ?:$",
    re.IGNORECASE,
)
NOT_A_COUNT = re.compile(
    r"\b(?:at least|at most|more than|less than|up to|about|than|or|to|extra|the)$"
)


def _find(context: Context) -> Iterator[Finding]:
    yield from _wrong_counts(context, context.manual.preface)
    for section in context.sections:
        yield from _wrong_counts(context, section.body)
        for node in walk(section.body):
            yield from _wrong_counts(context, getattr(node, "body", ()))


def _wrong_counts(context: Context, blocks: Sequence[Block]) -> Iterator[Finding]:
    """Findings about neighbours among `blocks`."""
    for above, block in pairwise(blocks):
        if not isinstance(above, Paragraph) or not isinstance(block, List | Definitions):
            continue
        text = plain_text(above.content)
        match = COUNT.search(text)
        if match is None or NOT_A_COUNT.search(text[: match.start()].rstrip()):
            continue
        word = match["number"].lower()
        stated = NUMBERS.get(word) or int(word)
        if stated != len(block.items):
            line, column = _position(context, above, match[0])
            message = f"the list below has {len(block.items)} items, not {word}"
            yield Finding(line, column, message, len(word))


def _position(context: Context, above: Paragraph, words: str) -> tuple[int, int]:
    """Where `words`, the end of the paragraph `above`, begin."""
    first = re.compile(rf"\b{words.split()[0]}\b")
    for line in reversed(context.lines_of(above.span)):
        if matches := list(first.finditer(line.text)):
            return line.number, line.column + matches[-1].start()
    return above.span.first, 1


RULE = Rule("list-count", "warning", __doc__, _find)
