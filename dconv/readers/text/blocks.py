"""The outline of a document: the flat blocks that scanning finds, each with its lines.

Together they cover the file: every line stands in exactly one of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from dconv.model.tree import Header, Span, SummaryLine


@dataclass(frozen=True, slots=True)
class HeaderBlock:
    """The centred block at the head of the document."""

    header: Header
    span: Span


@dataclass(frozen=True, slots=True)
class SummaryBlock:
    """The source's own table of contents, its title included."""

    lines: tuple[SummaryLine, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class TitleBlock:
    """A section's title and its underline, if it has one.

    `number` is without a final dot and empty for a title without one; `mark` is
    the character of the underline, or empty; `indent` the column of the title.
    """

    number: str
    title: str
    mark: str
    indent: int
    span: Span


@dataclass(frozen=True, slots=True)
class BodyBlock:
    """Lines between titles, to be read by the rules of flow; blank lines included."""

    span: Span


@dataclass(frozen=True, slots=True)
class FooterBlock:
    """Settings of an editor at the end of the file."""

    span: Span


OutlineBlock: TypeAlias = HeaderBlock | SummaryBlock | TitleBlock | BodyBlock | FooterBlock
