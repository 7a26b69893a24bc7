"""A line of prose has more than 80 columns.

Terminals break it anywhere. Signatures, tables, examples and drawings may be longer, and so
may lines with a long word, such as an address. Texts with many long lines are not checked.

Bad:
    a line that goes on and on and on and on and on and on and on and on and on and on

Good:
    a line that goes on and on and on and on and on and on and on and on and on
    and on
"""

from __future__ import annotations

from collections.abc import Iterator

from dconv.lint.context import Context
from dconv.lint.raw_lines import is_habit
from dconv.lint.rule import Finding, Rule
from dconv.model.source import Line
from dconv.model.tree import Paragraph, SeeAlso

MOST = 80
LONG = 40  # a word that nobody can break


def _find(context: Context) -> Iterator[Finding]:
    """A finding for each long line of a paragraph, where its 81st column is."""
    long_lines: dict[int, Line] = {}
    for passage in context.passages:
        if isinstance(passage.node, Paragraph | SeeAlso):
            for line in context.lines[passage.span.first - 1 : passage.span.last]:
                if line.indent + len(line.text) > MOST and _can_break(line):
                    long_lines.setdefault(line.number, line)
    if not is_habit(tuple(long_lines), context.lines):
        for number, line in long_lines.items():
            width = line.indent + len(line.text)
            message = f"this line has {width} columns; the limit is {MOST}"
            yield Finding(number, MOST + 1, message, width - MOST)


def _can_break(line: Line) -> bool:
    return " " in line.text and max(map(len, line.text.split())) < LONG


RULE = Rule("long-line", "note", __doc__, _find, style=True)
