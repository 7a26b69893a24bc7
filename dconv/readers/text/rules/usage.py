"""Usages: tables and lines that say where an entry may be used, read into data.

    May be used in sections :   defaults | frontend | listen | backend
                                   yes   |    yes   |   yes  |   no

    May be used in the following contexts: tcp, http

    Usable in:  TCP RqCon| RqSes|    HTTP Req| Res
                      X  |   -  |         X  |  -
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from dconv.model.source import Line
from dconv.model.tree import Span, Usage, UsageKind
from dconv.readers.text.dropped import DroppedMarks
from dconv.readers.text.rules.tables import build

# "May be used in sections :   defaults | frontend"
SECTIONS = re.compile(r"May be used in sections?\s*:\s*(\S.*)$")
# "Usable in:  QUIC Ini|    TCP RqCon| RqSes"
RULE_SETS = re.compile(r"Usable in\s*:\s*(\S.*\|.*)")
# "May be used in the following contexts: tcp, http, log"
CONTEXTS = re.compile(r"May be used in the following contexts?\s*:\s*(\S.*)$")
# "Supported in default-server: No"
DEFAULT_SERVER = re.compile(r"(Supported in default-server)\s*:\s*([A-Za-z]+)$")
# a name or a state: "frontend", "TCP RqCon", "yes(!)", "X"; other characters are not data
CELL = re.compile(r"[^\s|,:]+(?: [^\s|,:]+)*")
FIRST_LETTERS = frozenset("MUS")  # of such lines, for a quick test before the patterns
# "May be used in sections :" and the borders after it
LABEL = re.compile(r"(?:(?:Usable in|May be used in [a-z ]++)\s*:)|[|,:]+")


def find(
    lines: Sequence[Line], index: int, stop: int, dropped: DroppedMarks
) -> tuple[Usage, int] | None:
    """The usage on line `index` before index `stop`, and the index after it; None for text."""
    if lines[index].text[:1] not in FIRST_LETTERS:
        return None
    usage_and_end = _usage(lines, index, stop)
    if usage_and_end is not None:
        usage, end = usage_and_end
        extents = [extent for parts in usage.extents for extent in parts]
        dropped.add_outside("label and borders of a usage", lines[index:end], extents, LABEL)
    return usage_and_end


def _usage(lines: Sequence[Line], index: int, end: int) -> tuple[Usage, int] | None:
    line = lines[index]
    span = Span(line.number, line.number)
    if match := SECTIONS.match(line.text):
        names = _parts(_part(line, *match.span(1)), "|")
        return _pairs(lines, index, end, "sections", [[name] for name in names])
    if match := RULE_SETS.match(line.text):
        names = _parts(_part(line, *match.span(1)), "|")
        return _pairs(lines, index, end, "rule sets", _grouped(names))
    if match := CONTEXTS.match(line.text):
        names = _parts(_part(line, *match.span(1)), ",")
        if not all(CELL.fullmatch(_folded(name)) for name in names):
            return None
        values = tuple((_folded(name), "yes") for name in names)
        extents = tuple(build.extents([name]) for name in names)
        return Usage("contexts", values, span, extents), index + 1
    if match := DEFAULT_SERVER.match(line.text):
        parts = [_part(line, *match.span(group)) for group in (1, 2)]
        extents = (build.extents(parts),)
        return Usage("default-server", ((match[1], match[2]),), span, extents), index + 1
    return None


def _pairs(
    lines: Sequence[Line], index: int, end: int, kind: UsageKind, names: Sequence[Sequence[Line]]
) -> tuple[Usage, int] | None:
    """Names from line `index` with the states of the line below, where there are as many.

    A name is one word, or the word of its group and one of its own.
    """
    if index + 1 >= end:
        return None
    below = lines[index + 1]
    states = _parts(below, "|")
    values = tuple(
        (" ".join(map(_folded, name)), _folded(state))
        for name, state in zip(names, states, strict=False)
    )
    all_cells = all(CELL.fullmatch(part) for value in values for part in value)
    if len(states) != len(names) or not all_cells:
        return None
    cells = zip(names, states, strict=True)
    extents = tuple(build.extents([*name, state]) for name, state in cells)
    return Usage(kind, values, Span(lines[index].number, below.number), extents), index + 2


def _parts(line: Line, border: str) -> list[Line]:
    start = 0
    parts: list[Line] = []
    for text in line.text.split(border):
        parts.append(_part(line, start, start + len(text)))
        start += len(text) + 1
    return parts


def _part(line: Line, start: int, end: int) -> Line:
    """The text of `line` from `start` to `end`, without the spaces around it."""
    return build.slice_line(line, line.indent + start, line.indent + end)


def _folded(part: Line) -> str:
    return " ".join(part.text.split())


def _grouped(names: Sequence[Line]) -> list[list[Line]]:
    """Put the word of a group, which only its first name has, before all of its names."""
    group: list[Line] = []
    grouped: list[list[Line]] = []
    for name in names:
        start = name.text.rfind(" ") + 1
        if start:
            group = [_part(name, 0, start)]
        grouped.append([*group, _part(name, start, len(name.text))])
    return grouped
