"""A paragraph of an entry, or one line of it, is indented unlike all others.

Indentation shows which text belongs to which entry. The rule reports paragraphs at an odd column
that no other of the entry has, in manuals where nearly all are at even ones; in lists of names,
paragraphs at the first column, where names are; paragraphs one column right of the label, bullet
or term above them; and a line that is one column off its paragraph.

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
from dconv.lint.frequency import MIN_CASES, is_rare
from dconv.lint.rule import Finding, Rule, report
from dconv.model.source import Line
from dconv.model.tree import Definition, Item, Labelled, Paragraph, plain_text, walk

MAX_TITLE_LENGTH = 12  # characters of a paragraph that is a title below others
MAX_INDENT = 20  # columns; what begins further right is aligned at its end
MIN_LINES = 4  # lines of a paragraph that show its column


def _find(context: Context) -> Iterator[Finding]:
    entry_counts = Counter(section.anchor for section, _ in context.entries)
    first_entries = {section.anchor: entry.anchor for section, entry in reversed(context.entries)}
    yield from _off_by_one(context)
    all_first_lines: list[Line] = []
    odd_lines: list[Line] = []
    for section, entry in context.entries:
        first_lines = [
            context.line(block.span.first) for block in entry.body[1:]
            if isinstance(block, Paragraph) and len(plain_text(block.content)) >= MAX_TITLE_LENGTH
        ]
        is_in_name_list = (
            entry_counts[section.anchor] >= MIN_CASES
            and first_entries[section.anchor] != entry.anchor
        )
        columns = Counter(line.indent for line in first_lines)
        all_first_lines += first_lines
        odd_lines += [
            line for line in first_lines
            if (line.indent % 2 and line.indent < MAX_INDENT and columns[line.indent] == 1)
            or (is_in_name_list and not line.indent)
        ]
    if len(all_first_lines) >= MIN_CASES and is_rare(len(odd_lines), len(all_first_lines)):
        for line in odd_lines:
            yield report(line, f"no other paragraph begins at column {line.column}")
    for text_block in context.text_blocks:
        first, last = text_block.span.first, text_block.span.last
        if isinstance(text_block.node, Paragraph) and last - first >= MIN_LINES - 1:
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
    """The only one of `lines`, which continue a paragraph, at another column."""
    usual, count = Counter(line.indent for line in lines).most_common(1)[0]
    if len(lines) - count == 1:
        for line in lines:
            if abs(line.indent - usual) == 1:
                message = f"this line begins at column {line.column}, its paragraph at"
                yield report(line, f"{message} {usual + 1}")


RULE = Rule("indentation", "note", __doc__, _find)
