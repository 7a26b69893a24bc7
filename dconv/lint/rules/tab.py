"""A line has a tab.

Tabs have other widths in other editors and on pages, so that columns fall apart. Of
successive lines the first is reported. What a program printed may have tabs, and texts that
are indented with them are not checked.

Bad:
    maxconn <number>[tab]# a comment

Good:
    maxconn <number>   # a comment
"""

from __future__ import annotations

from collections.abc import Iterator

from dconv.lint.context import Context
from dconv.lint.raw_lines import is_habit, text_of
from dconv.lint.rule import Finding, Rule
from dconv.model.tree import Preformatted, walk


def _find(context: Context) -> Iterator[Finding]:
    """A finding for each run of lines with tabs, at the first tab."""
    raw = context.manual.source.raw
    tabbed = [number for number, line in enumerate(raw, 1) if b"\t" in line]
    if tabbed:
        printed = frozenset(_printed(context))
        tabbed = [number for number in tabbed if number not in printed]
    if is_habit(tabbed, raw):
        return
    for number in tabbed:
        if number - 1 not in tabbed:
            run = 1
            while number + run in tabbed:
                run += 1
            lines = "this line has a tab" if run == 1 else f"{run} lines from here on have tabs"
            column = text_of(raw[number - 1]).index("\t") + 1
            yield Finding(number, column, f"{lines}; write spaces")


def _printed(context: Context) -> Iterator[int]:
    """The lines of sessions at a prompt."""
    for section in context.sections:
        for node in walk(section.body):
            if isinstance(node, Preformatted) and node.language == "console":
                yield from range(node.span.first, node.span.last + 1)


RULE = Rule("tab", "note", __doc__, _find)
