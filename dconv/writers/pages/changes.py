"""What a page of changes shows, as values: sorts of changes, and what changed in each way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dconv.writers.pages.listings import Link


@dataclass(frozen=True, slots=True)
class Words:
    """Words of a line: `state` tells on which side they stand."""

    state: Literal["same", "removed", "added"]
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that changed: an entry or a section.

    `link` leads to it where there is a page of it; `kind` is empty for a section, `section`
    its number or title.  `told` is a sentence about it; `lines` are what changed.
    `old` is true where the link leads to the old side.
    """

    link: Link
    kind: str
    section: str
    told: str = ""
    lines: tuple[tuple[Words, ...], ...] = ()
    old: bool = False


@dataclass(frozen=True, slots=True)
class Sort:
    """All that changed in one way; `code` where its lines are code, `folded` where long."""

    title: str
    identity: str
    rows: tuple[Difference, ...]
    code: bool = False
    folded: bool = False

    @property
    def count(self) -> int:
        """How much changed in this way."""
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Changes:
    """All that changed from the side `old` to the side `new`.

    `figures` are links to the first of their sorts, with counts.
    """

    old: str
    new: str
    figures: tuple[Link, ...]
    sorts: tuple[Sort, ...]
