"""The text that is expected of a tree, line by line."""

from __future__ import annotations

from dataclasses import dataclass, field

from dconv.model.diagnostics import Diagnostic
from dconv.model.source import Source
from dconv.model.tree import Span
from dconv.proof.leaves import BREAK


@dataclass(slots=True)
class ExpectedText:
    """The text expected of one document, indexed by line number (place 0 is unused).

    `words` are those expected in running order, with `BREAK` between blocks; a line of code is one
    word.  `apart` are those that are in an element of their own.  `places` has, where the words of
    a line come from several, the line of each.  `dropped` names, by rule, the lines that lose a
    mark. `cursor` and `used` count what nodes have taken of the head of a line so far: expected
    words, and words of the source.
    """

    source: Source
    words: list[list[str]]
    apart: list[list[str]]
    owners: list[str]
    places: dict[int, list[int]] = field(default_factory=dict)
    dropped: dict[str, list[int]] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    cursor: dict[int, int] = field(default_factory=dict)
    used: dict[int, int] = field(default_factory=dict)

    def drop(self, rule: str, number: int) -> None:
        """Note that `rule` drops a mark of the line `number`."""
        self.dropped.setdefault(rule, []).append(number)

    def problem(self, number: int, message: str) -> None:
        """Note what is wrong with the line `number`."""
        self.problems.append(
            Diagnostic(
                self.source.path, number, 1, "error", "lost-text", f"the line {message}"
            )
        )

    def own(self, span: Span, owner: str) -> None:
        """Note that the lines of `span` belong to a node of the type `owner`."""
        owners = self.owners
        for number in range(span.first, span.last + 1):
            if owners[number]:
                self.problem(number, "stands in two blocks")
            owners[number] = owner

    def open(self, number: int) -> None:
        """Start a block at the line `number`, after what nodes around it have there."""
        words = self.words[number]
        at = min(self.cursor.get(number, 0), len(words))
        if not at or words[at - 1] != BREAK:
            words.insert(at, BREAK)
            self.cursor[number] = at + 1

    def head(self, number: int) -> list[str]:
        """What nodes around a block have at the head of its first line, and its limit."""
        head = self.words[number][: self.cursor.get(number, 0)]
        return head if head[-1:] == [BREAK] else [*head, BREAK]

    def move(self, number: int, words: list[str]) -> None:
        """Expect `words` for a line, and apart from the running text."""
        self.apart[number] = words
        self.words[number] = []

    def take(self, number: int, count: int) -> None:
        """Count the next `count` words of a line as those of a node that holds others."""
        self.cursor[number] = min(self.cursor.get(number, 0) + count, len(self.words[number]))
        self.used[number] = self.used.get(number, 0) + count
