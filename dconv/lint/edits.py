"""Edits for the fixes of rules: replace words of a line, add or move lines."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import groupby, pairwise

from dconv.lint.listings import ListedName
from dconv.lint.rule import Finding, report_misplaced
from dconv.lint.sort_order import Move, sort_key
from dconv.model.diagnostics import Edit, Fix, NameChange
from dconv.model.source import TAB_WIDTH, Line, Source, character_ends, decoded_line, file_column
from dconv.model.tree import Signature, Span


def words_edit(source: Source, line: Line, start: int, end: int, text: str) -> Edit | None:
    """Replace the characters `start` to `end` of the text of `line`, counted from 0, by `text`.

    None if the file has other lines, or other characters there, than the text that is read.
    """
    if source.file_line_numbers:
        return None
    raw = source.raw[line.number - 1]
    file_line = decoded_line(raw).expandtabs(TAB_WIDTH).rstrip()
    if len(file_line) != line.indent + len(line.text):
        return None
    ends = character_ends(raw)
    first, last = (file_column(ends, line.column + offset) for offset in (start, end))
    return Edit(line.number, first, line.number, last, text)


def insertion(number: int, lines: Sequence[str]) -> Edit:
    """Add `lines` before the line of this number."""
    return Edit(number, 1, number, 1, "".join(f"{line}\n" for line in lines))


def misplaced(
    source: Source, spans: Sequence[Span], indexes: Sequence[int],
    subjects: Sequence[Signature | ListedName], moves: Sequence[Move], last_is_movable: bool,
    state: str,
) -> Iterator[Finding]:
    """A finding for each of `moves`; one fix does those of a run, if that is mechanical.

    `spans` are all items of a list; the names that are compared, `subjects`, are those at `indexes`
    in it.  `last_is_movable` says that nothing else is after the last one; `state` is what the
    names are ("out of order").  A run is names that move together.  There are no fixes if the file
    has other lines than the text.
    """
    names = [subject.name for subject in subjects]
    moved_indexes = {indexes[move.index] for move in moves}
    for run, group in groupby(moves, lambda move: move.run):
        run_moves = list(group)
        sorted_moves = sorted(run_moves, key=lambda move: sort_key(names[move.index]))
        edits = () if source.file_line_numbers else reordered(source, spans, [
            (indexes[move.index], _next_unmoved(move, indexes, moved_indexes, len(spans)))
            for move in sorted_moves
        ], last_is_movable)
        words = [f"'{names[move.index]}'" for move in sorted_moves]
        description = f"put {', '.join(words[:-1])} and {words[-1]} in order"
        if len(words) == 1:
            description = f"move {words[0]} {sorted_moves[0].destination}"
        fix = Fix(description, edits) if edits else None
        for move in run_moves:
            group_name = f"{spans[indexes[0]].first}:{run}"
            change = NameChange(group_name, names[move.index], state, move.destination, "move")
            yield report_misplaced(subjects[move.index], change, fix)


def _next_unmoved(
    move: Move, indexes: Sequence[int], moved_indexes: Container[int], end: int
) -> int:
    """The index of the item, which stays, to put that of `move` before, or `end` without one."""
    if move.target_index < len(indexes) and indexes[move.target_index] not in moved_indexes:
        return indexes[move.target_index]
    first = indexes[move.target_index - 1] + 1
    return next((index for index in range(first, end) if index not in moved_indexes), end)


def reordered(
    source: Source, spans: Sequence[Span], moves: Sequence[tuple[int, int]], last_is_movable: bool
) -> tuple[Edit, ...]:
    """Move lines of a list; each of `spans` is one item, in the order of the text.

    `moves` are indexes in `spans`: of an item that moves, and of the one that it then precedes,
    which stays; `len(spans)` is the end.  Items with the same target get the order of `moves`.  The
    blank lines between two items move too.  There are no edits if something else is between two
    items that a move separates or joins; `last_is_movable` says that nothing is after the last one.
    """
    spans = [_without_blank_end(source, span) for span in spans]
    gaps = [Span(span.last + 1, following.first - 1) for span, following in pairwise(spans)]
    is_blank = [not "".join(_lines(source, gap)).strip() for gap in gaps]
    is_separable = [True, *is_blank, last_is_movable]  # before each item, and after the last one
    if not all(
        is_separable[index] and is_separable[index + 1] and is_separable[target]
        for index, target in moves
    ):
        return ()
    moved_indexes = {index for index, _ in moves}
    last = max(index for index in range(len(spans)) if index not in moved_indexes)
    edits = [
        _removal(Span(spans[index].first, gaps[index].last))
        for index in moved_indexes if index < last
    ]
    if last < len(spans) - 1:
        edits.append(_removal(Span(spans[last].last + 1, spans[-1].last)))
    added: dict[int, list[str]] = {}  # by the line that they are added before
    for index, target in moves:
        lines = _lines(source, spans[index])
        gap = _lines(source, gaps[min(index, len(gaps) - 1)])
        if target < len(spans):
            added.setdefault(spans[target].first, []).extend((*lines, *gap))
        else:
            added.setdefault(spans[last].last + 1, []).extend((*gap, *lines))
    return tuple(sorted([*edits, *(insertion(line, lines) for line, lines in added.items())]))


def _lines(source: Source, span: Span) -> list[str]:
    """The lines of the file in `span`, without their ends."""
    return [decoded_line(raw) for raw in source.raw[span.first - 1 : span.last]]


def _without_blank_end(source: Source, span: Span) -> Span:
    last = span.last
    while last > span.first and not source.raw[last - 1].strip():
        last -= 1
    return Span(span.first, last)


def _removal(span: Span) -> Edit:
    return Edit(span.first, 1, span.last + 1, 1, "")
