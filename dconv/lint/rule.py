"""What a rule of the check is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from dconv.lint.context import Context
from dconv.model.diagnostics import Level, Shared


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


@dataclass(frozen=True, slots=True)
class Rule:
    """One mistake that a manual may have.

    `name` never changes; `documentation` is the docstring of the rule's module: what it
    finds, a bad and a good example.  `find` yields all findings in a manual, in any order.
    Rules of `style` are off unless --strict or --enable turns them on.
    """

    name: str
    level: Level
    documentation: str | None
    find: Callable[[Context], Iterator[Finding]]
    style: bool = False
