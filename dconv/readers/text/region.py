"""Regions: the lines that a rule reads, with their indentation and their surroundings.

Indentation decides what a line is: the same line is code below a paragraph at column 2 and prose
inside a list whose text is at column 6.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import Literal, TypeAlias

from dconv.model.anchors import Anchors
from dconv.model.dialect import Dialect, ItemRule
from dconv.model.source import Line, block_end
from dconv.model.tree import Flow, Span
from dconv.model.values import dataclass
from dconv.readers.text.dropped import DroppedMarks

Mode = Literal["prose", "arguments"]

MAX_DEPTH = 40  # deeper nesting than any manual's is read as preformatted text


@dataclass(frozen=True, slots=True)
class Context:
    """What rules need of the surroundings of a body.

    `title` is the section's title, `entry` the name of the current entry or empty,
    `anchor_prefix` the anchor that terms are put under ("balance" for `balance.leastconn`),
    `item_rules` those that hold here, `code` the numbers of lines that are known to be code;
    `wrap_width` is that of `dconv.model.wrapping`; `dropped` takes the characters that a rule
    leaves out.
    """

    dialect: Dialect
    anchors: Anchors
    title: str = ""
    anchor_prefix: str = ""
    entry: str = ""
    item_rules: tuple[ItemRule, ...] = ()
    code: frozenset[int] = frozenset()
    wrap_width: int = 0
    dropped: DroppedMarks = field(default_factory=DroppedMarks)

    def new_anchor(self, name: str) -> str:
        """An unused anchor of the part `name` of the current entry or section."""
        return self.anchors.unique(f"{self.anchor_prefix}.{name}" if self.anchor_prefix else name)


@dataclass(frozen=True, slots=True)
class Region:
    """The lines from `first` to `end` (indexes into `lines`; `end` is excluded).

    `indent` is the column of the region's prose, `label` the label above it ("Arguments");
    `mode` is "arguments" under one that announces definitions; `parse` reads a region into flow
    nodes.  Rules for containers call it through this field, since an import would be circular.
    """

    lines: tuple[Line, ...]
    first: int
    end: int
    indent: int
    context: Context
    parse: Callable[[Region], tuple[Flow, ...]]
    mode: Mode = "prose"
    label: str = ""
    depth: int = 0

    def inside(self, first: int, end: int, indent: int) -> Region:
        """The region from `first` to `end` with the prose column `indent`, below no label."""
        return replace(
            self, first=first, end=end, indent=indent, mode="prose", label="",
            depth=self.depth + 1,
        )

    def span(self, first: int, end: int) -> Span:
        """The lines of the source from the index `first` to `end`, which is excluded."""
        return Span(self.lines[first].number, self.lines[end - 1].number)

    def block_end(self, index: int) -> int:
        """The index after the run of non-blank lines that `index` is in."""
        return block_end(self.lines, index, self.end)

    def deeper_end(self, index: int, indent: int) -> int:
        """The index after the lines from `index` that are deeper than `indent`.

        Blank lines between them are inside, trailing ones are not.
        """
        end = index
        while index < self.end:
            line = self.lines[index]
            if line.text:
                if line.indent <= indent:
                    break
                end = index + 1
            index += 1
        return end

    def index_above(self, index: int) -> int:
        """The index of the last non-blank line above `index`, or `first`, at the least."""
        index = max(index - 1, self.first)
        while index > self.first and not self.lines[index].text:
            index -= 1
        return index

    def next_text(self, index: int) -> int:
        """The index of the first non-blank line at or after `index`, or `end`."""
        while index < self.end and not self.lines[index].text:
            index += 1
        return index


def trimmed_range(lines: Sequence[Line], first: int, end: int) -> tuple[int, int]:
    """The range from `first` to `end` without the blank lines at its start and end.

    A range of blank lines alone ends at `first`.
    """
    while end > first and not lines[end - 1].text:
        end -= 1
    while first < end and not lines[first].text:
        first += 1
    return first, end


def dedented(lines: Sequence[Line]) -> tuple[str, ...]:
    """The text of `lines` without the indentation that all of them share."""
    shared = min(line.indent for line in lines if line.text)
    return tuple(" " * (line.indent - shared) + line.text if line.text else "" for line in lines)


Rule: TypeAlias = Callable[[Region, int], "tuple[Flow, int] | None"]
