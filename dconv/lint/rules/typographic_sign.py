"""A typographic character stands where the rest of the text has one of the keyboard.

Curly quotes, dashes and no-break spaces come in by pasting. Curly quotes make no links, and
no search finds a name with such a hyphen or space.

Bad:
    see [curly quote]maxconn[curly quote]

Good:
    see "maxconn"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dconv.lint.context import Context
from dconv.lint.raw_lines import is_habit
from dconv.lint.rule import Finding, Rule

MEANT: Mapping[str, str] = {
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2018": "'", "\u2019": "'", "\u2010": "-",
    "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-",
    "\u00a0": "a space", "\u2009": "a space", "\u202f": "a space", "\u200b": "nothing",
    "\u00ad": "nothing", "\ufb01": "fi", "\ufb02": "fl",
}  # fmt: skip
SIGN = re.compile(f"[{''.join(MEANT)}]")


def _find(context: Context) -> Iterator[Finding]:
    """A finding for each line with such signs, at the first."""
    matches = [
        (line, match) for line in context.lines
        if not line.text.isascii() and (match := SIGN.search(line.text)) is not None
    ]
    if not is_habit(matches, context.lines):
        for line, match in matches:
            message = f"'{match[0]}' (U+{ord(match[0]):04X}): write {MEANT[match[0]]}"
            yield Finding(line.number, line.column + match.start(), message)


RULE = Rule("typographic-sign", "note", __doc__, _find)
