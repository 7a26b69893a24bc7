"""Findings that one thought mends are told as one.

They are neighbours that have to move, the names that one list lacks, a row that is out of
order as its entry is, a wrong name wherever it stands, a slip of a signature and of its row in a
summary, what a row of a matrix or the head of an entry has wrong, and what stands in several
lines in the same words.  It is the last step: what is known and what is new is told apart
finding by finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeAlias

from dconv.lint import (
    entry_order,
    example_name,
    near_name,
    row_order,
    see_also_item,
    signature,
    usage_table,
)
from dconv.lint.formats.report import Result
from dconv.model.diagnostics import Shared

MOST = 8  # names that are told each with its place

ENTRIES, ROWS = entry_order.RULE.name, row_order.RULE.name
BY_LINE = frozenset({"matrix-contradiction", usage_table.RULE.name})
SIGNATURE = signature.RULE.name
NAMES = frozenset({example_name.RULE.name, near_name.RULE.name, see_also_item.RULE.name})

_Group: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Names:
    """Findings of one group; `rows` say the same of lines of a list."""

    found: tuple[Result, ...]
    rows: tuple[Result, ...] = ()


def together(found: Sequence[Result]) -> list[Result]:
    """`found`, with those of one group as one, where the first of them is.

    Of one group are those that say so, and those whose rule, document, line and message have
    the same words.
    """
    groups: dict[_Group, list[Result]] = {}
    lines: dict[_Group, set[int]] = {}
    for one in found:
        group = _group(one, lines)
        groups.setdefault(group, []).append(one)
        lines.setdefault(group, set()).add(one.finding.line)
    named = [tuple(group) for group in groups.values()]
    return [_joined(group) for group in _with_rows(named)]


def _group(one: Result, lines: Mapping[_Group, set[int]]) -> _Group:
    """What `one` is told by: its own group, its words, or, twice in a line, itself.

    `lines` are those that the groups have so far.
    """
    finding = one.finding
    if finding.shared is not None:
        return finding.path, finding.rule, finding.shared.group
    if finding.rule in BY_LINE:
        return finding.path, finding.rule, finding.line
    group: _Group = (finding.path, one.key)
    if finding.rule in NAMES:
        group = (finding.path, finding.message)  # one name, which one rule or another sees
    elif finding.rule == SIGNATURE and "(" in one.line:
        group = (finding.path, finding.rule, finding.message, one.line.partition("(")[0])
    if not one.line or finding.line in lines.get(group, ()):
        return *group, finding
    return group


def _with_rows(groups: Sequence[tuple[Result, ...]]) -> Iterable[_Names]:
    """`groups`; rows that have to move as entries have are told with these."""
    entries = {
        (one.finding.path, name): at for at, group in enumerate(groups) for one in group
        if one.finding.rule == ENTRIES and (name := _name(one))
    }
    rows: dict[int, tuple[Result, ...]] = {}
    told: set[int] = set()
    for at, group in enumerate(groups):
        if group[0].finding.rule != ROWS:
            continue
        places = {entries.get((one.finding.path, _name(one)), -1) for one in group}
        place = places.pop()
        if place >= 0 and not places and place not in rows:
            rows[place] = group
            told.add(at)
    for at, group in enumerate(groups):
        if at not in told:
            yield _Names(group, rows.get(at, ()))


def _name(one: Result) -> str:
    return one.finding.shared.name if one.finding.shared else ""


def _joined(group: _Names) -> Result:
    first, *others = group.found
    others += group.rows
    if not others:
        return first
    names = [one.finding.shared for one in group.found if one.finding.shared is not None]
    message = _named(names) if len(names) > 1 else first.finding.message
    if first.finding.rule in BY_LINE:
        message = "; ".join([one.finding.message for one in group.found])
    again = group.rows or tuple([
        one for one in others if not names and one.finding.line != first.finding.line
    ])
    finding = replace(first.finding, message=message + _lines(again))
    return replace(first, finding=finding, others=tuple(others))


def _named(names: Sequence[Shared]) -> str:
    """"'a' and 'b' are out of order: move them before 'c'", or each before another."""
    state, verb = names[0].state, names[0].verb
    if len({one.place for one in names}) == 1:
        return f"{_listed(names)} are {state}: {verb} them {names[0].place}"
    if len(names) > MOST:
        return f"{len(names)} names are {state}: {_listed(names)}"
    places = (
        f"{_listed(list(some))} {place}" for place, some in groupby(names, lambda one: one.place)
    )
    return f"{len(names)} names are {state}: {verb} {', '.join(places)}"


def _listed(names: Sequence[Shared]) -> str:
    """"'a', 'b' and 'c'"."""
    *before, last = [f"'{one.name}'" for one in names]
    return f"{', '.join(before)} and {last}" if before else last


def _lines(again: Sequence[Result]) -> str:
    """Where the same is true, as what stands behind a message."""
    lines = [str(one.finding.line) for one in again]
    if not lines:
        return ""
    if len(lines) == 1:
        return f" (and so in line {lines[0]})"
    return f" (and so in lines {', '.join(lines[:-1])} and {lines[-1]})"
