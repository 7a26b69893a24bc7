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

from dconv.lint.alphabet import Move, is_sorted, moves
from dconv.lint.context import Context
from dconv.lint.listings import (
    BULLET,
    ListedName,
    Listing,
    deprecated_names,
    leading_name,
    names_of,
    words,
)
from dconv.lint.rule import Finding, Rule, report_place
from dconv.model.diagnostics import Shared
from dconv.model.source import Line
from dconv.model.tree import Definitions, Item, List, Table, walk

WORD = re.compile(r"[-_. ]")  # between the words of names
MIN_NAMES = 5  # names of a matrix, summary or index
MIN_OTHER_NAMES = 10  # names of any other list
SHARE_OTHERS = 8  # at most one in so many of these may have to move


def _find(context: Context) -> Iterator[Finding]:
    listed: set[int] = set()
    for listing in context.listings:
        listed.update(row.line for row in listing.names)
        yield from _out_of_order(list(_counted(listing)), is_index=True)
    for section in context.sections:
        for block in walk(section.body):
            names = _names(block, context.lines) if isinstance(
                block, List | Definitions | Table
            ) else ()
            if len(names) >= MIN_OTHER_NAMES and names[0].line not in listed:
                yield from _out_of_order(names, is_index=False)


def _counted(listing: Listing) -> Iterator[ListedName]:
    """The names of `listing`, without deprecated ones and other names of the entry in front."""
    homes = {name: entry.anchor for name, entry in names_of(listing.about)}
    deprecated = deprecated_names(listing.about)
    before = ""
    for row in listing.names:
        home = homes.get(row.name, row.name)
        if home != before and row.name not in deprecated and not row.deprecated:
            yield row
        before = home


def _names(block: List | Definitions | Table, lines: Sequence[Line]) -> Sequence[ListedName]:
    """The names that begin all rows or items of `block`; none if other things do."""
    names: list[ListedName] = []
    if isinstance(block, Table):
        for row in block.rows:
            text = row.name or words(row.cells[0])
            names += _named(text, lines[row.span.first - 1])
    elif len(block.items) >= MIN_OTHER_NAMES:
        for item in block.items:
            line = lines[item.span.first - 1]
            if isinstance(item, Item):
                text = line.after(len(item.marker)).text.strip()
            else:
                text = item.terms[0].name if item.terms else ""
            names += _named(text, line)
        if len(names) < len(block.items):
            return ()
    return names if len({name.name for name in names}) == len(names) else ()


def _named(text: str, line: Line) -> Iterator[ListedName]:
    listed = leading_name(text, line)
    if listed is not None and BULLET.match(listed.name) and not listed.name.isdigit():
        yield listed


def _out_of_order(names: Sequence[ListedName], is_index: bool) -> Iterator[Finding]:
    moved = moves([
        (row.name, f"no {row.name}") if row.negated else (row.name,) for row in names
    ])
    enough = is_sorted(len(names), len(moved)) if is_index else (
        len(moved) * SHARE_OTHERS <= len(names)
    )
    if len(names) < MIN_NAMES or not enough:
        return
    for move in moved:
        if not is_index and (move.at == len(names) - 1 or _is_deliberate(move, names, moved)):
            continue
        row = names[move.at]
        group = f"{names[0].line}:{move.run}"
        state = "out of order in this list"
        yield report_place(row, Shared(group, row.name, state, move.where, "move"))


def _is_deliberate(move: Move, rows: Sequence[ListedName], moved: Sequence[Move]) -> bool:
    """Whether a name is deliberately out of order among similar ones: "ssl-min-ver" before
    "ssl-max-ver".

    Its like begin with the same word, after what all names begin with. They have an order of their
    own where it would pass no others, and too many of them would have to move.
    """
    names = [row.name for row in rows]
    shared = _shared(names)
    families = [WORD.split(name[shared:])[0] for name in names]
    family = families[move.at]
    passed = families[move.target : move.at] + families[move.at + 1 : move.target]
    like = {at for at, other in enumerate(families) if other == family}
    return passed == [family] * len(passed) and not is_sorted(
        len(like), len(like.intersection(move.at for move in moved))
    )


def _shared(names: Sequence[str]) -> int:
    """How many characters all of `names` begin with."""
    first, last = min(names), max(names)
    pairs = zip(first, last, strict=False)
    return next((at for at, (letter, other) in enumerate(pairs) if letter != other), len(first))


RULE = Rule("row-order", "warning", __doc__, _find)
