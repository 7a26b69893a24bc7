"""The prose of a manual in passages, each with its place: what rules about words read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from dconv.model.tree import (
    Block,
    Definition,
    Entry,
    Example,
    Heading,
    Inline,
    Manual,
    Paragraph,
    Section,
    SeeAlso,
    Span,
    plain,
    walk,
)

Prose: TypeAlias = Paragraph | SeeAlso | Example | Heading | Definition


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, a "See also", a caption, a small title or a term.

    `section` and `entry` are those around it, `node` is its block, `text` the characters of
    its content with white space folded.
    """

    section: Section | None
    entry: Entry | None
    node: Prose
    content: tuple[Inline, ...]
    span: Span
    text: str


def passages(manual: Manual, sections: tuple[Section, ...]) -> Iterator[Passage]:
    """The prose of `manual`, which has these `sections`, in source order; tables have none."""
    yield from _below(manual.preface, None)
    for section in sections:
        yield from _below(section.body, section)


def _below(blocks: tuple[Block, ...], section: Section | None) -> Iterator[Passage]:
    for block in blocks:
        entry = block if isinstance(block, Entry) else None
        for node in walk((block,)):
            match node:
                case Paragraph() | SeeAlso() | Heading():
                    yield _passage(section, entry, node, node.content, node.span)
                case Example() if node.caption:
                    yield _passage(section, entry, node, node.caption, node.span)
                case Definition():
                    for term in node.terms:
                        span = Span(term.line, term.line)
                        yield _passage(section, entry, node, term.content, span)
                case _:
                    pass


def _passage(
    section: Section | None, entry: Entry | None, node: Prose, content: tuple[Inline, ...],
    span: Span,
) -> Passage:
    return Passage(section, entry, node, content, span, plain(content))
