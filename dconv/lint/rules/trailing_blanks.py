"""A line ends with spaces or tabs.

Editors remove them, and patches grow by them. Texts with many such lines are not checked;
page breaks and a space after a backslash are allowed.

Bad:
    maxconn <number>[blank][blank]

Good:
    maxconn <number>
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dconv.lint.context import Context
from dconv.lint.raw_lines import is_habit, text_of
from dconv.lint.rule import Finding, Rule

BLANKS = re.compile(rb"(?<!\\)(?:[ \t])(?=[\r\n]*$)")  # not the "\\ " of "set lcs=tab:\\ "


def _find(context: Context) -> Iterator[Finding]:
    """A finding for each line with blanks at its end, behind its last word."""
    raw = context.manual.source.raw
    numbers = [
        number for number, line in enumerate(raw, 1) if BLANKS.search(line)
    ]
    if not is_habit(numbers, raw):
        for number in numbers:
            text = text_of(raw[number - 1])
            end = len(text.rstrip(" \t"))
            yield Finding(number, end + 1, "this line ends with blanks", len(text) - end)


RULE = Rule("trailing-blanks", "note", __doc__, _find)
