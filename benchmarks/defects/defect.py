"""What a defect is, and the manual that it is made in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from dconv.lint.context import Context

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Edit:
    """The lines `first` to `last` of a text give way to `lines`; `last` may be `first - 1`."""

    first: int
    last: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Defect:
    """Edits that break a text; a finding that has `name` is about it wherever it is."""

    edits: tuple[Edit, ...]
    name: str = ""

    def text(self, lines: Sequence[str]) -> str:
        """The broken text."""
        broken = list(lines)
        for edit in sorted(self.edits, key=lambda one: -one.first):
            broken[edit.first - 1 : edit.last] = edit.lines
        return "\n".join(broken) + "\n"

    def places(self) -> Iterator[int]:
        """The numbers of the broken lines, and of those around, in the broken text."""
        moved = 0
        for edit in sorted(self.edits, key=lambda one: one.first):
            first = edit.first + moved
            yield from range(first - 2, first + max(1, len(edit.lines)) + 2)
            moved += len(edit.lines) - (edit.last - edit.first + 1)


@dataclass(frozen=True, slots=True)
class Text:
    """A sound manual, or nearly so: its `lines` as written, and what the check knows of it.

    `gone` are names that only other releases have.
    """

    context: Context
    lines: tuple[str, ...]
    gone: tuple[str, ...]

    def line(self, number: int) -> str:
        """The line of this number, counted from 1."""
        return self.lines[number - 1]

    def cut(self, first: int, last: int) -> Edit:
        """Without these lines."""
        return Edit(first, last, ())

    def put(self, before: int, first: int, last: int) -> Edit:
        """The lines `first` to `last` again, in front of the line `before`."""
        return Edit(before, before - 1, self.lines[first - 1 : last])

    def exchange(self, number: int, old: str, new: str, column: int = 1) -> Edit | None:
        """`new` in place of the first `old` from `column` on; None if it is not there."""
        line = self.line(number)
        index = line.find(old, column - 1)
        if index < 0 or "\t" in line:
            return None
        return Edit(number, number, (f"{line[:index]}{new}{line[index + len(old) :]}",))


DefectGenerator: TypeAlias = Callable[[Text, Random], Iterator[Defect]]


def slip(name: str, random: Random) -> str:
    """`name` with one typo of the keyboard: a letter missing, twice, wrong, or two swapped."""
    index = random.choice([index for index, sign in enumerate(name) if sign.isalpha()])
    match random.randrange(4):
        case 0 if len(name) > 3:
            return name[:index] + name[index + 1 :]
        case 1:
            return name[:index] + name[index] + name[index:]
        case 2 if name[index + 1 : index + 2].isalpha() and name[index] != name[index + 1]:
            return name[:index] + name[index + 1] + name[index] + name[index + 2 :]
        case _:
            other = random.choice([sign for sign in ALPHABET if sign != name[index].lower()])
            return name[:index] + other + name[index + 1 :]
