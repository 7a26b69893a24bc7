"""Where an entry may be used: tables and lines that become data.

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

# "May be used in sections :   defaults | frontend"
SECTIONS = re.compile(r"May be used in sections?\s*:\s*(\S.*)$")
# "Usable in:  QUIC Ini|    TCP RqCon| RqSes"
RULE_SETS = re.compile(r"Usable in\s*:\s*(\S.*\|.*)")
# "May be used in the following contexts: tcp, http, log"
CONTEXTS = re.compile(r"May be used in the following contexts?\s*:\s*(\S.*)$")
# "Supported in default-server: No"
DEFAULT_SERVER = re.compile(r"(Supported in default-server)\s*:\s*([A-Za-z]+)$")
# a name or a state: "frontend", "TCP RqCon", "yes(!)", "X"; other signs are not data
CELL = re.compile(r"[^\s|,:]+(?: [^\s|,:]+)*")
FIRST = frozenset("MUS")


def find(lines: Sequence[Line], at: int, last: int) -> tuple[Usage, int] | None:
    """The usage on line `at` before index `last`, and the index after it; None for text."""
    line = lines[at]
    if line.text[:1] not in FIRST:
        return None
    if match := SECTIONS.match(line.text):
        return _pairs(lines, at, last, "sections", _cells(match[1]))
    if match := RULE_SETS.match(line.text):
        return _pairs(lines, at, last, "rule sets", _grouped(_cells(match[1])))
    if match := CONTEXTS.match(line.text):
        names = [" ".join(name.split()) for name in match[1].split(",")]
        if not all(map(CELL.fullmatch, names)):
            return None
        values = tuple((name, "yes") for name in names)
        return Usage("contexts", values, Span(line.number, line.number)), at + 1
    if match := DEFAULT_SERVER.match(line.text):
        return Usage("default-server", ((match[1], match[2]),), Span(line.number, line.number)), (
            at + 1
        )
    return None


def _pairs(
    lines: Sequence[Line], at: int, last: int, kind: UsageKind, names: list[str]
) -> tuple[Usage, int] | None:
    """Names from line `at` with the states of the line below, where their numbers agree."""
    if at + 1 >= last:
        return None
    states = _cells(lines[at + 1].text)
    if len(states) != len(names) or not all(map(CELL.fullmatch, (*names, *states))):
        return None
    span = Span(lines[at].number, lines[at + 1].number)
    return Usage(kind, tuple(zip(names, states, strict=True)), span), at + 2


def _cells(text: str) -> list[str]:
    return [" ".join(cell.split()) for cell in text.split("|")]


def _grouped(cells: list[str]) -> list[str]:
    """A group's word stands before its first name only: put it before all of them."""
    group = ""
    names: list[str] = []
    for cell in cells:
        first, _, rest = cell.rpartition(" ")
        if first:
            group = first
        names.append(f"{group} {rest}".strip())
    return names
