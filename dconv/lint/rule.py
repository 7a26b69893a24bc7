"""What a rule of the check is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from dconv.lint.subject import Subject
from dconv.model.diagnostics import Level, Shared


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """What a rule finds: a place (`line` and `column` count from 1) and a sentence.

    `length` is how many characters are meant, for the mark below the line; `shared` how it is
    told with others of its kind.
    """

    line: int
    column: int
    message: str
    length: int = 1
    shared: Shared | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that can be wrong in a manual.

    `name` stays the same for ever; `documentation` is the docstring of the rule's module: what
    it finds, a bad and a good example, how to silence it.  `find` tells every finding about a
    manual, in any order.  Rules of `style` are off unless they are asked for.
    """

    name: str
    level: Level
    documentation: str | None
    find: Callable[[Subject], Iterator[Finding]]
    style: bool = False
