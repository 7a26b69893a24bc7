"""A text whose entries nobody recognises: signatures stand in it, and no section holds entries.

    level-table <name> [ from <low> ]          May be used in sections :   defaults | gate
      Name the table of levels.                                               no    | yes
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dconv.model.diagnostics import Diagnostic
from dconv.model.source import Line

# "no mode <name> [ from <low> ] (deprecated)": words and at least one argument, nothing else
SIGNATURE = re.compile(
    r"[a-z][\w.-]{0,60}(?: [a-z][\w.-]{0,60}){0,3}"
    r"(?: (?:<[^<>]+>|\[[^\[\]]+\]|\{[^{}|]*+\|[^{}]*+\}))+(?: +\([a-z]+\))?$"
)
USAGE = re.compile(r"May be used in\b[^.:|]{0,40}:")
FEWEST = 3  # so many places are no chance


def found(lines: Sequence[Line], path: str) -> Iterator[Diagnostic]:
    """A note at the first of the places of `lines`, a text without entries, that look like some."""
    places = [
        line for at, line in enumerate(lines)
        if USAGE.match(line.text)
        or (line.indent == 0 and SIGNATURE.match(line.text) and _has_text(lines, at + 1))
    ]
    if len(places) >= FEWEST:
        first = places[0]
        message = (
            f"{len(places)} lines look like those of entries, and no section holds any: tell dconv "
            "which sections hold them (section 3.3 of its manual)"
        )
        yield Diagnostic(
            path, first.number, first.column, "note", "no-entries", message, len(first.text)
        )


def _has_text(lines: Sequence[Line], at: int) -> bool:
    """True where deeper text stands directly at the index `at`, or below one more signature."""
    below = next((line for line in lines[at : at + 2] if line.indent or not line.text), None)
    return below is not None and bool(below.text)
