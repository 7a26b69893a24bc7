"""What a rule of the check is, and what it finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from dconv.lint.context import Context
from dconv.lint.listings import ListedName
from dconv.model.diagnostics import Fix, Level, NameChange
from dconv.model.source import Line
from dconv.model.tree import Reference, Signature
from dconv.model.values import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """What a rule finds: a place (`line` and `column` count from 1) and a sentence.

    `length` is the number of characters that the mark below the line covers; `change` says
    what to do with a name, such as to move it.  `fix` corrects it, if that is mechanical.
    """

    line: int
    column: int
    message: str
    length: int = 1
    change: NameChange | None = field(default=None, compare=False)
    fix: Fix | None = field(default=None, compare=False)


def report(
    subject: Line | Signature | Reference | ListedName, message: str,
    change: NameChange | None = None, fix: Fix | None = None,
) -> Finding:
    """A finding about a line, the name of an entry or of a row, or a reference in prose."""
    match subject:
        case Line():
            return Finding(subject.number, subject.column, message, len(subject.text), change, fix)
        case Signature():
            return Finding(subject.span.first, 1, message, len(subject.name), change, fix)
        case Reference():
            return Finding(subject.line, subject.column, message, len(subject.text), change, fix)
        case ListedName():
            return Finding(subject.line, subject.column, message, len(subject.name), change, fix)


def report_match(line: Line, match: re.Match[str], message: str, group: int | str = 0) -> Finding:
    """A finding about the `group` of a `match` in the text of `line`."""
    return Finding(line.number, line.column + match.start(group), message, len(match[group]))


def unknown_message(name: str, suggestion: str) -> str:
    """The message about a `name` that nothing defines, if `suggestion` is similar."""
    return f"unknown '{name}'; did you mean '{suggestion}'?"


def report_misplaced(
    subject: Signature | ListedName, change: NameChange, fix: Fix | None
) -> Finding:
    """A finding about a name that one list lacks or has at the wrong place."""
    message = f"'{change.name}' is {change.state}: {change.verb} it {change.place}"
    return report(subject, message, change, fix)


def report_words(context: Context, line: int, words: str, message: str) -> Finding:
    """A finding at `words` in the line of the number `line`, or where its first word is."""
    return Finding(line, context.column(line, words), message, len(words))


def position(lines: Sequence[Line], offset: int) -> tuple[int, int]:
    """The line and the column of the character `offset` of `lines`, joined by line ends."""
    for line in lines:
        if offset <= len(line.text):
            return line.number, line.column + offset
        offset -= len(line.text) + 1
    raise IndexError(offset)


@dataclass(frozen=True, slots=True)
class Rule:
    """One mistake that a manual may have.

    `name` never changes; `documentation` says what it finds, with a bad and a good example.
    `find` yields all findings in a manual, in any order.  Rules of `style` are off unless
    --strict or --enable turns them on.  Those with `needs_entry_rules` are about entries, and off
    where no dialect says where these are: names that are only guessed follow no conventions.
    If it is `in_file`, its findings count the lines of the file, not those that a filter made of
    them.
    """

    name: str
    level: Level
    documentation: str | None
    find: Callable[[Context], Iterator[Finding]]
    style: bool = False
    needs_entry_rules: bool = False
    in_file: bool = False
