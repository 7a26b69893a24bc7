"""What a page of changes shows, as values: groups of changes, and the rows of each."""

from __future__ import annotations

from typing import Literal

from dconv.model.values import dataclass
from dconv.writers.pages.listings import Link

State = Literal["same", "removed", "added", "side"]


@dataclass(frozen=True, slots=True)
class Segment:
    """Words that both sides have, or one of them, separated by single spaces.

    The sides are the old and the new release, or file.  The text of a `side` is the name of the one
    that the words after it are from.
    """

    state: State
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that changed: an entry or a section.

    The address of `link` may be empty; `kind` is empty for a section, `section` is its number or
    title.  `note` is a sentence about it; `lines` are what changed.  `old` is true if the link
    points to the old side.
    """

    link: Link
    kind: str
    section: str
    note: str = ""
    lines: tuple[tuple[Segment, ...], ...] = ()
    old: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """All that changed in one way; `code` if its lines are code, `folded` if they are long."""

    title: str
    anchor: str
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

    `figures` are counts, each with a link to the first group that it counts.
    """

    old: str
    new: str
    figures: tuple[Link, ...]
    groups: tuple[Group, ...]
