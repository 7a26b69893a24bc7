"""An entry is out of alphabetical order in a sorted section.

Names are compared in lower case, with or without hyphens, underscores and dots. An entry
with several signatures counts by any of them; the first entry of a section and deprecated
entries may have any name. A section counts as sorted if at most a fifth of its entries would
have to move, or a third of thirty or more; the fewest that would have to move are reported.

Bad:
    backlog <number>
    mode <name>
    log <address>
    option keep
    weight <number>

Good:
    backlog <number>
    log <address>
    mode <name>
    option keep
    weight <number>
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dconv.lint.alphabet import is_sorted, moves
from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, report_place
from dconv.model.diagnostics import Shared
from dconv.model.tree import Entry, Heading, Section

MIN_ENTRIES = 4  # entries of a section that can be called sorted


def _find(context: Context) -> Iterator[Finding]:
    for section in context.sections:
        for run in _runs(section):
            yield from _of_run([entry for entry in run if _counts(entry, context)])


def _runs(section: Section) -> Iterator[list[Entry]]:
    """The entries of `section`, parted where a small title begins another list."""
    run: list[Entry] = []
    for block in section.body:
        if isinstance(block, Entry):
            run.append(block)
        elif isinstance(block, Heading):
            yield run
            run = []
    yield run


def _counts(entry: Entry, context: Context) -> bool:
    """Whether `entry` is current, and its name is not a misspelt one."""
    return not entry.deprecated and entry.signatures[0].name not in context.misspelt


def _of_run(current: Sequence[Entry]) -> Iterator[Finding]:
    moved = moves([[form.name for form in entry.signatures] for entry in current])
    if len(current) < MIN_ENTRIES or not is_sorted(len(current), len(moved)):
        return
    for move in moved:
        form = current[move.at].signatures[0]
        group = f"{current[0].span.first}:{move.run}"
        yield report_place(form, Shared(group, form.name, "out of order", move.where, "move"))


RULE = Rule("entry-order", "warning", __doc__, _find)
