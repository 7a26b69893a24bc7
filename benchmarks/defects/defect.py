"""A defect, and the manual that it is put into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from dconv.lint.context import Context

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Edit:
    """`lines` replace the lines `first` to `last` of a text.

    If `last` is `first - 1`, they are inserted before the line `first`.
    """

    first: int
    last: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Defect:
    """Edits that break a text.

    A finding that mentions `name` is about the defect, on whichever line it is.
    """

    edits: tuple[Edit, ...]
    name: str = ""

    def text(self, lines: Sequence[str]) -> str:
        """The broken text."""
        broken = list(lines)
        for edit in sorted(self.edits, key=lambda edit: -edit.first):
            broken[edit.first - 1 : edit.last] = edit.lines
        return "\n".join(broken) + "\n"

    def nearby_lines(self) -> Iterator[int]:
        """The numbers of the changed lines in the broken text, and of two lines on either side."""
        moved = 0
        for edit in sorted(self.edits, key=lambda edit: edit.first):
            first = edit.first + moved
            yield from range(first - 2, first + max(1, len(edit.lines)) + 2)
            moved += len(edit.lines) - (edit.last - edit.first + 1)


@dataclass(frozen=True, slots=True)
class IntactText:
    """A manual before a defect is put in: its `lines` as written, and its `context` for checks.

    `names_elsewhere` are names that only other releases have.
    """

    context: Context
    lines: tuple[str, ...]
    names_elsewhere: tuple[str, ...]

    def line(self, number: int) -> str:
        """The line of this number, counted from 1."""
        return self.lines[number - 1]

    def delete_lines(self, first: int, last: int) -> Edit:
        """An edit that deletes the lines `first` to `last`."""
        return Edit(first, last, ())

    def copy_lines(self, before: int, first: int, last: int) -> Edit:
        """An edit that repeats the lines `first` to `last` in front of the line `before`."""
        return Edit(before, before - 1, self.lines[first - 1 : last])

    def move_lines(self, before: int, first: int, last: int) -> tuple[Edit, Edit]:
        """Edits that move the lines `first` to `last` in front of the line `before`."""
        return self.delete_lines(first, last), self.copy_lines(before, first, last)

    def replace(self, number: int, old: str, new: str, column: int = 1) -> Edit | None:
        """An edit that puts `new` in place of the first `old` from `column` on, or None."""
        line = self.line(number)
        index = line.find(old, column - 1)
        if index < 0 or "\t" in line:
            return None
        return Edit(number, number, (f"{line[:index]}{new}{line[index + len(old) :]}",))

    def replaced(
        self, number: int, old: str, new: str, column: int = 1, name: str = ""
    ) -> Iterator[Defect]:
        """Yield a defect with the edit of `replace`, if there is one."""
        if edit := self.replace(number, old, new, column):
            yield Defect((edit,), name)


def changed_line(number: int, line: str, name: str = "") -> Defect:
    """A defect whose edit replaces the line of this number by `line`."""
    return Defect((Edit(number, number, (line,)),), name)


DefectGenerator: TypeAlias = Callable[[IntactText, Random], Iterator[Defect]]


def with_typo(name: str, random: Random) -> str:
    """`name` with one typo: a letter missing, doubled or wrong, or two letters swapped."""
    index = random.choice([index for index, character in enumerate(name) if character.isalpha()])
    match random.randrange(4):
        case 0 if len(name) > 3:
            return name[:index] + name[index + 1 :]
        case 1:
            return name[:index] + name[index] + name[index:]
        case 2 if name[index + 1 : index + 2].isalpha() and name[index] != name[index + 1]:
            return name[:index] + name[index + 1] + name[index] + name[index + 2 :]
        case _:
            others = [letter for letter in ALPHABET if letter != name[index].lower()]
            return name[:index] + random.choice(others) + name[index + 1 :]
