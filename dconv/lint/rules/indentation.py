"""A paragraph of an entry, or one line of it, is indented unlike all others.

Indentation says what belongs to what. Reported are paragraphs at an odd column that no other of
the entry has, in manuals where nearly all are at even ones; in lists of names, paragraphs at the
first column, where names are; paragraphs one column right of the label, bullet or term above them;
and a line that is one column off its paragraph.

Bad:
    relay <name>
      Names a relay.

         It may be long.

Good:
    relay <name>
      Names a relay.

      It may be long.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dconv.lint.context import Context
from dconv.lint.habits import MIN_CASES, is_exception
from dconv.lint.rule import Finding, Rule, report
from dconv.model.source import Line
from dconv.model.tree import Definition, Item, Labelled, Paragraph, plain_text, walk

MAX_TITLE_LENGTH = 12  # signs of a paragraph that is a title below others
MIN_LINES = 4  # lines of a paragraph that show its column


def _find(context: Context) -> Iterator[Finding]:
    homes = Counter(section.anchor for section, _ in context.entries)
    heads = {section.anchor: entry.anchor for section, entry in reversed(context.entries)}
    yield from _off_by_one(context)
    starts: list[Line] = []
    odd: list[Line] = []
    for section, entry in context.entries:
        own = [
            context.line(block.span.first) for block in entry.body[1:]
            if isinstance(block, Paragraph) and len(plain_text(block.content)) >= MAX_TITLE_LENGTH
        ]
        listed = homes[section.anchor] >= MIN_CASES and heads[section.anchor] != entry.anchor
        columns = Counter(line.indent for line in own)
        starts += own
        odd += [
            line for line in own
            if (line.indent % 2 and columns[line.indent] == 1) or (listed and not line.indent)
        ]
    if len(starts) >= MIN_CASES and is_exception(len(odd), len(starts)):
        for line in odd:
            message = f"no other paragraph begins at column {line.column}"
            yield report(line, message)
    for passage in context.passages:
        first, last = passage.span.first, passage.span.last
        if isinstance(passage.node, Paragraph) and last - first >= MIN_LINES - 1:
            yield from _misaligned_line(context.lines[first:last])


def _off_by_one(context: Context) -> Iterator[Finding]:
    """Paragraphs one column after the label, bullet or term that they are below."""
    for _, entry in context.entries:
        for node in walk(entry.body):
            if not isinstance(node, Labelled | Item | Definition):
                continue
            column = context.line(node.span.first).column
            for block in node.body:
                line = context.line(block.span.first)
                if isinstance(block, Paragraph) and line.column == column + 1 and (
                    block.span.first > node.span.first
                ):
                    message = f"this paragraph begins at column {line.column}"
                    message += f", its parent at {column}"
                    yield report(line, message)


def _misaligned_line(lines: tuple[Line, ...]) -> Iterator[Finding]:
    """The one of `lines`, all of a paragraph but its first, that is elsewhere."""
    usual, count = Counter(line.indent for line in lines).most_common(1)[0]
    if len(lines) - count == 1:
        for line in lines:
            if abs(line.indent - usual) == 1:
                message = f"this line begins at column {line.column}, its paragraph at"
                yield report(line, f"{message} {usual + 1}")


RULE = Rule("indentation", "note", __doc__, _find)
