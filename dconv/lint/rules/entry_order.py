"""An entry is out of alphabetical order in a sorted section.

Names are compared in lower case, with or without hyphens, underscores and dots. An entry
with several signatures counts by any of them; the first entry of a section and deprecated
entries may have any name. A section counts as sorted if at most a fifth of its entries would
have to move, or a third of thirty or more; the rule reports the fewest that have to move.

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

from dconv.lint.context import Context
from dconv.lint.edits import misplaced
from dconv.lint.rule import Finding, Rule
from dconv.lint.sort_order import is_sorted, moves
from dconv.model.tree import Entry, Heading, Section

MIN_ENTRIES = 4  # entries of a section that can be called sorted


def _find(context: Context) -> Iterator[Finding]:
    for section in context.sections:
        for entries, last_is_movable in _entry_lists(section):
            yield from _out_of_order(context, entries, last_is_movable)


def _entry_lists(section: Section) -> Iterator[tuple[list[Entry], bool]]:
    """The entries of `section`, cut where a small title begins another list.

    The second value says whether the last entry ends the list, and no text is below it.
    """
    entries: list[Entry] = []
    last_is_movable = True
    for block in section.body:
        if isinstance(block, Entry):
            entries.append(block)
            last_is_movable = True
        elif isinstance(block, Heading):
            yield entries, last_is_movable
            entries = []
        else:
            last_is_movable = False
    yield entries, last_is_movable


def _out_of_order(
    context: Context, entries: Sequence[Entry], last_is_movable: bool
) -> Iterator[Finding]:
    compared = [  # current entries whose name is not a misspelt one
        index for index, entry in enumerate(entries)
        if not entry.deprecated and entry.signatures[0].name not in context.misspelt_headings
    ]
    moved = moves([entries[index].signature_names for index in compared])
    if len(compared) < MIN_ENTRIES or not is_sorted(len(compared), len(moved)):
        return
    yield from misplaced(
        context.manual.source, [entry.span for entry in entries], compared,
        [entries[index].signatures[0] for index in compared], moved, last_is_movable,
        "out of order",
    )


RULE = Rule("entry-order", "warning", __doc__, _find, needs_entry_rules=True)
