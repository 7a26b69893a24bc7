"""Group findings that one edit fixes.

They are neighbours that have to move, the names that one list lacks, a row that is out of order as
its entry is, a wrong name wherever it is, a typo of a signature and of its row in a summary, what
a row of a matrix or the heading of an entry has wrong, and equal messages about several lines.  It
is the last step: baselines compare finding by finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeAlias

from dconv.lint.formats.result import Result
from dconv.lint.rules import (
    entry_order,
    example_name,
    near_name,
    row_order,
    see_also_item,
    signature,
    usage_table,
)
from dconv.model.diagnostics import Shared

MAX_PLACES = 8  # names that are reported with the place of each

ENTRIES, ROWS = entry_order.RULE.name, row_order.RULE.name
BY_LINE = frozenset({"matrix-contradiction", usage_table.RULE.name})
SIGNATURE = signature.RULE.name
NAMES = frozenset({example_name.RULE.name, near_name.RULE.name, see_also_item.RULE.name})

_GroupKey: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Group:
    """Findings that become one; `rows` are those about rows with the names of `entries`."""

    results: tuple[Result, ...]
    rows: tuple[Result, ...] = ()


def group_findings(results: Sequence[Result]) -> list[Result]:
    """`results` with those of one group joined, at the place of the first of them.

    Findings are of one group if their rules say so (`Shared`), or if document, rule, message
    and the words of the line are the same.
    """
    groups: dict[_GroupKey, list[Result]] = {}
    lines: dict[_GroupKey, set[int]] = {}
    for result in results:
        key = _group_key(result, lines)
        groups.setdefault(key, []).append(result)
        lines.setdefault(key, set()).add(result.finding.line)
    return [_joined(group) for group in _with_rows([tuple(group) for group in groups.values()])]


def _group_key(result: Result, lines: Mapping[_GroupKey, set[int]]) -> _GroupKey:
    """What findings of the group of `result` have in common; `lines` has those of each group.

    A second finding of a group on the same line is a group of its own.
    """
    finding = result.finding
    if finding.shared is not None:
        return finding.path, finding.rule, finding.shared.group
    if finding.rule in BY_LINE:
        return finding.path, finding.rule, finding.line
    key: _GroupKey = (finding.path, result.key)
    if finding.rule in NAMES:
        key = (finding.path, finding.message)  # several rules may see one wrong name
    elif finding.rule == SIGNATURE and "(" in result.line:
        key = (finding.path, finding.rule, finding.message, result.line.partition("(")[0])
    if not result.line or finding.line in lines.get(key, ()):
        return *key, finding
    return key


def _with_rows(groups: Sequence[tuple[Result, ...]]) -> Iterable[_Group]:
    """`groups`, with rows that have to move as entries have joined to these entries."""
    entries = {
        (result.finding.path, name): at for at, group in enumerate(groups) for result in group
        if result.finding.rule == ENTRIES and (name := _name(result))
    }
    rows: dict[int, tuple[Result, ...]] = {}
    joined: set[int] = set()
    for at, group in enumerate(groups):
        if group[0].finding.rule != ROWS:
            continue
        places = {entries.get((result.finding.path, _name(result)), -1) for result in group}
        place = places.pop()
        if place >= 0 and not places and place not in rows:
            rows[place] = group
            joined.add(at)
    for at, group in enumerate(groups):
        if at not in joined:
            yield _Group(group, rows.get(at, ()))


def _name(result: Result) -> str:
    return result.finding.shared.name if result.finding.shared else ""


def _joined(group: _Group) -> Result:
    first, *others = group.results
    others += group.rows
    if not others:
        return first
    names = [
        result.finding.shared for result in group.results if result.finding.shared is not None
    ]
    message = _message(names) if len(names) > 1 else first.finding.message
    if first.finding.rule in BY_LINE:
        message = "; ".join([result.finding.message for result in group.results])
    also = group.rows or tuple([
        result for result in others if not names and result.finding.line != first.finding.line
    ])
    finding = replace(first.finding, message=message + _also(also))
    return replace(first, finding=finding, others=tuple(others))


def _message(names: Sequence[Shared]) -> str:
    """"'a' and 'b' are out of order: move them before 'c'", or each before another."""
    state, verb = names[0].state, names[0].verb
    if len({name.place for name in names}) == 1:
        return f"{_listed(names)} are {state}: {verb} them {names[0].place}"
    if len(names) > MAX_PLACES:
        return f"{len(names)} names are {state}: {_listed(names)}"
    places = (
        f"{_listed(list(some))} {place}" for place, some in groupby(names, lambda name: name.place)
    )
    return f"{len(names)} names are {state}: {verb} {', '.join(places)}"


def _listed(names: Sequence[Shared]) -> str:
    """"'a', 'b' and 'c'"."""
    *before, last = [f"'{name.name}'" for name in names]
    return f"{', '.join(before)} and {last}" if before else last


def _also(results: Sequence[Result]) -> str:
    """" (also lines 3 and 7)": where the same is true."""
    lines = [str(result.finding.line) for result in results]
    if not lines:
        return ""
    if len(lines) == 1:
        return f" (also line {lines[0]})"
    return f" (also lines {', '.join(lines[:-1])} and {lines[-1]})"
