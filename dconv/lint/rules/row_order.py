"""A row of a sorted table, or an item of a sorted list, is out of order.

This is 'entry-order' for lists: rows of matrices and summaries, names of an index, and any other
table or list of ten or more names. Of the latter, at most one name in eight may be out of order,
else the list is sorted by something else; the first and the last may have any name, and names that
begin with the same word may have an order of their own ('ssl-min-ver', 'ssl-max-ver'). Deprecated
names may appear anywhere, and so may other names of the entry of the row above.

Bad:
    * Limits
      - maxconn
      - maxpipes
      - maxcomprate
      - maxsessrate
      - maxsslconn

Good:
    * Limits
      - maxcomprate
      - maxconn
      - maxpipes
      - maxsessrate
      - maxsslconn
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from dconv.lint.context import Context
from dconv.lint.edits import misplaced
from dconv.lint.listings import (
    NAME_ONLY,
    ListedName,
    Listing,
    defined_names,
    deprecated_names,
    read_leading_name,
)
from dconv.lint.rule import Finding, Rule
from dconv.lint.sort_order import Move, is_sorted, moves
from dconv.model.source import Line
from dconv.model.tree import Definitions, Item, List, Span, Table, walk

WORD = re.compile(r"[-_. ]")  # between the words of names
MIN_NAMES = 5  # names of a matrix, summary or index
MIN_OTHER_NAMES = 10  # names of any other list
MIN_OTHER_NAMES_PER_MOVE = 8  # at most one in so many of these may have to move


def _find(context: Context) -> Iterator[Finding]:
    listed: set[int] = set()
    for listing in context.listings:
        listed.update(row.line for row in listing.names)
        lines = sorted({row.line for row in listing.names})
        yield from _out_of_order(context, list(_compared_names(listing)), lines, is_index=True)
    for section in context.sections:
        for block in walk(section.body):
            names = _names(block, context.lines) if isinstance(
                block, List | Definitions | Table
            ) else ()
            if len(names) >= MIN_OTHER_NAMES and names[0].line not in listed:
                yield from _out_of_order(
                    context, names, [row.line for row in names], is_index=False
                )


def _compared_names(listing: Listing) -> Iterator[ListedName]:
    """The names of `listing`, without deprecated ones and other names of the entry in front."""
    entry_anchors = {name: entry.anchor for name, entry in defined_names(listing.listed_section)}
    deprecated = deprecated_names(listing.listed_section)
    previous = ""
    for row in listing.names:
        anchor = entry_anchors.get(row.name, row.name)
        if anchor != previous and row.name not in deprecated and not row.deprecated:
            yield row
        previous = anchor


def _names(block: List | Definitions | Table, lines: Sequence[Line]) -> Sequence[ListedName]:
    """The names that begin all rows or items of `block`; none if other things do."""
    names: list[ListedName] = []
    if isinstance(block, Table):
        for row in block.rows:
            text = row.name or row.cells[0].text
            names += _listed_name(text, lines[row.span.first - 1])
    elif len(block.items) >= MIN_OTHER_NAMES:
        for item in block.items:
            line = lines[item.span.first - 1]
            if isinstance(item, Item):
                text = line.after(len(item.marker)).text.strip()
            else:
                text = item.terms[0].name if item.terms else ""
            names += _listed_name(text, line)
        if len(names) < len(block.items):
            return ()
    return names if len({name.name for name in names}) == len(names) else ()


def _listed_name(text: str, line: Line) -> Iterator[ListedName]:
    listed = read_leading_name(text, line)
    if listed is not None and NAME_ONLY.match(listed.name) and not listed.name.isdigit():
        yield listed


def _out_of_order(
    context: Context, names: Sequence[ListedName], lines: Sequence[int], is_index: bool
) -> Iterator[Finding]:
    """Findings about `names`, which are compared, in a list that has names on these `lines`."""
    moved = moves([(row.name, f"no {row.name}") if row.negated else (row.name,) for row in names])
    is_meant_sorted = is_sorted(len(names), len(moved)) if is_index else (
        len(moved) * MIN_OTHER_NAMES_PER_MOVE <= len(names)
    )
    if len(names) < MIN_NAMES or not is_meant_sorted:
        return
    if not is_index:
        moved = [
            move for move in moved
            if move.index != len(names) - 1 and not _is_deliberate(move, names, moved)
        ]
    below = context.manual.source.raw[lines[-1] :][:1]
    yield from misplaced(
        context.manual.source, [Span(line, line) for line in lines],
        [lines.index(row.line) for row in names], names, moved,
        last_is_movable=not b"".join(below).strip(), state="out of order in this list",
    )


def _is_deliberate(move: Move, rows: Sequence[ListedName], moved: Sequence[Move]) -> bool:
    """Whether names with one first word have an order of their own: "ssl-min-ver", "ssl-max-ver".

    It is so if `move` passes only such names, and too many of them would have to move.  The first
    word is what follows the characters that all `rows` begin with.
    """
    names = [row.name for row in rows]
    columns = zip(*names, strict=False)
    prefix_length = len([*takewhile(lambda letters: len({*letters}) == 1, columns)])
    first_words = [WORD.split(name[prefix_length:])[0] for name in names]
    first_word = first_words[move.index]
    target = move.target_index
    passed_words = first_words[target : move.index] + first_words[move.index + 1 : target]
    same_word = {index for index, other in enumerate(first_words) if other == first_word}
    return passed_words == [first_word] * len(passed_words) and not is_sorted(
        len(same_word), len(same_word.intersection(move.index for move in moved))
    )


RULE = Rule("row-order", "warning", __doc__, _find)
