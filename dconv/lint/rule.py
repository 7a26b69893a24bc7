"""What a rule of the check is, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from dconv.lint.context import Context
from dconv.lint.listings import ListedName
from dconv.model.diagnostics import Level, Shared
from dconv.model.source import Line
from dconv.model.tree import Reference, Signature


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """What a rule finds: a place (`line` and `column` count from 1) and a sentence.

    `length` is the number of characters that the mark below the line covers; `shared`
    joins the finding with others that the same edit fixes.
    """

    line: int
    column: int
    message: str
    length: int = 1
    shared: Shared | None = field(default=None, compare=False)


def report(
    place: Line | Signature | Reference | ListedName, message: str, shared: Shared | None = None
) -> Finding:
    """A finding about a line, the name of an entry or of a row, or a reference in prose."""
    match place:
        case Line():
            return Finding(place.number, place.column, message, len(place.text), shared)
        case Signature():
            return Finding(place.span.first, 1, message, len(place.name), shared)
        case Reference():
            return Finding(place.line, place.column, message, len(place.text), shared)
        case ListedName():
            return Finding(place.line, place.column, message, len(place.name), shared)


def report_place(place: Signature | ListedName, shared: Shared) -> Finding:
    """A finding about a name that one list lacks or has at the wrong place."""
    message = f"'{shared.name}' is {shared.state}: {shared.verb} it {shared.place}"
    return report(place, message, shared)


def report_words(context: Context, line: int, words: str, message: str) -> Finding:
    """A finding at `words` in the line of the number `line`, or where its first word is."""
    return Finding(line, context.column(line, words), message, len(words))


def position(lines: Sequence[Line], at: int) -> tuple[int, int]:
    """The line and the column of the character `at` of `lines`, joined by line ends."""
    for line in lines:
        if at <= len(line.text):
            return line.number, line.column + at
        at -= len(line.text) + 1
    raise IndexError(at)


@dataclass(frozen=True, slots=True)
class Rule:
    """One mistake that a manual may have.

    `name` never changes; `documentation` says what it finds, with a bad and a good example.
    `find` yields all findings in a manual, in any order.  Rules of `style` are off unless
    --strict or --enable turns them on.
    """

    name: str
    level: Level
    documentation: str | None
    find: Callable[[Context], Iterator[Finding]]
    style: bool = False
