"""Group findings that one edit fixes.

They are about neighbours that have to move, also rows with their entries; the names that one list
lacks; one row of a matrix, or one heading of an entry; the same wrong name, typo or slip in several
places; or lines with the same words.  It is the last step: baselines compare finding by finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeAlias

from dconv.lint.formats.result import Result
from dconv.model.diagnostics import NameChange

ENTRY_ORDER, ROW_ORDER, SIGNATURE = "entry-order", "row-order", "signature"
GROUPED_BY_LINE = frozenset({"matrix-contradiction", "usage-table"})
GROUPED_BY_MESSAGE = frozenset({
    "doubled-word", "example-name", "near-name", "punctuation", "see-also-item", "title-underline",
    "unknown-markup",
})  # fmt: skip

_GroupKey: TypeAlias = tuple[object, ...]


def group_findings(results: Sequence[Result]) -> list[Result]:
    """`results` with those of one group merged, at the place of the first of them.

    Findings are of one group if their changes say so (`NameChange`), if document, rule, message and
    the words of the line are the same, or, by rule, if the line or the message is.
    """
    groups: dict[_GroupKey, list[Result]] = {}
    lines: dict[_GroupKey, set[int]] = {}
    for result in results:
        key = _group_key(result, lines)
        groups.setdefault(key, []).append(result)
        lines.setdefault(key, set()).add(result.finding.line)
    return [_merged(group, rows) for group, rows in _with_rows(list(groups.values()))]


def _group_key(result: Result, lines: Mapping[_GroupKey, set[int]]) -> _GroupKey:
    """What findings of the group of `result` have in common; `lines` has those of each group.

    A second finding of a group on the same line is a group of its own.
    """
    finding = result.finding
    if finding.change is not None:
        return finding.path, finding.rule, finding.change.group
    if finding.rule in GROUPED_BY_LINE:
        return finding.path, finding.rule, finding.line
    key: _GroupKey = (finding.path, result.key)
    if finding.rule in GROUPED_BY_MESSAGE:
        key = (finding.path, finding.message)  # several rules may see one wrong name
    elif finding.rule == SIGNATURE and "(" in result.line_text:
        key = (finding.path, finding.rule, finding.message, result.line_text.partition("(")[0])
    if not result.line_text or finding.line in lines.get(key, ()):
        return *key, finding
    return key


def _with_rows(groups: Sequence[list[Result]]) -> Iterator[tuple[list[Result], list[Result]]]:
    """Each of `groups` with rows of a table or list that have to move as these entries do."""
    entry_groups = {  # the index of the group that has the name of an entry
        (result.finding.path, name): index for index, group in enumerate(groups) for result in group
        if result.finding.rule == ENTRY_ORDER and (name := _name(result))
    }
    rows: dict[int, list[Result]] = {}  # by the index of the group that they join
    merged_indexes: set[int] = set()  # the indexes of the groups of these rows
    for index, group in enumerate(groups):
        if group[0].finding.rule != ROW_ORDER:
            continue
        indexes = {entry_groups.get((result.finding.path, _name(result)), -1) for result in group}
        entry_group = indexes.pop()
        if entry_group >= 0 and not indexes and entry_group not in rows:
            rows[entry_group] = group
            merged_indexes.add(index)
    for index, group in enumerate(groups):
        if index not in merged_indexes:
            yield group, rows.get(index, [])


def _name(result: Result) -> str:
    return result.finding.change.name if result.finding.change else ""


def _merged(group: Sequence[Result], rows: Sequence[Result]) -> Result:
    """The findings of `group` and `rows` as one, at the place of the first of `group`."""
    first, *others = group
    others += rows
    if not others:
        return first
    changes = [result.finding.change for result in group if result.finding.change is not None]
    message = _message(changes) if len(changes) > 1 else first.finding.message
    if first.finding.rule in GROUPED_BY_LINE:
        message = "; ".join([result.finding.message for result in group])
    same_elsewhere = rows or [
        result for result in others if not changes and result.finding.line != first.finding.line
    ]
    finding = replace(first.finding, message=message + _also_lines(same_elsewhere))
    return replace(first, finding=finding, others=tuple(others))


def _message(changes: Sequence[NameChange]) -> str:
    """"'a' and 'b' are out of order: move them before 'c'", or each before another."""
    state, verb = changes[0].state, changes[0].verb
    if len({change.place for change in changes}) == 1:
        return f"{_quoted(changes)} are {state}: {verb} them {changes[0].place}"
    places = (
        f"{_quoted(list(neighbours))} {place}"
        for place, neighbours in groupby(changes, lambda change: change.place)
    )
    return f"{len(changes)} names are {state}: {verb} {', '.join(places)}"


def _quoted(changes: Sequence[NameChange]) -> str:
    """"'a', 'b' and 'c'"."""
    *before, last = [f"'{change.name}'" for change in changes]
    return f"{', '.join(before)} and {last}" if before else last


def _also_lines(results: Sequence[Result]) -> str:
    """" (also lines 3 and 7)": where the same is true."""
    lines = [str(result.finding.line) for result in results]
    if not lines:
        return ""
    if len(lines) == 1:
        return f" (also line {lines[0]})"
    return f" (also lines {', '.join(lines[:-1])} and {lines[-1]})"
