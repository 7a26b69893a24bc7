"""What a rule is given: a linked manual, the rest of its release, its dialect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dconv.linking.symbols import Symbols
from dconv.lint.listings import Listing, listings
from dconv.lint.misspelt import Misspelt, misspelt
from dconv.lint.names import NameIndex, name_index
from dconv.model import tree
from dconv.model.dialect import Dialect
from dconv.model.source import Line
from dconv.model.tree import (
    Block,
    Definition,
    Entry,
    Example,
    Heading,
    Inline,
    Item,
    Manual,
    Paragraph,
    Reference,
    Section,
    SeeAlso,
    Span,
    plain_text,
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

    def references(self) -> Iterator[tuple[int, Reference]]:
        """Each reference, with its place in the content."""
        for at, part in enumerate(self.content):
            if isinstance(part, Reference):
                yield at, part

    def before(self, at: int) -> str:
        """The text in front of the part `at` of the content: that of a few parts."""
        return plain_text(self.content[max(0, at - 9) : at])

    def after(self, at: int) -> str:
        """The text after the part `at` of the content: that of a few parts."""
        return plain_text(self.content[at + 1 : at + 6])


@dataclass(frozen=True, slots=True)
class Context:
    """A linked manual to check.

    manual      the manual
    dialect     how it is read
    symbols     the names of all documents of its release
    name_index  the same names, to find the nearest to a wrong one
    release     the documents of its release, the manual among them
    sections, entries, listings, passages
                the manual's, in source order; listings are matrices, summaries and
                indexes, passages its prose
    misspelt    names of its entries that are misspelt in their headings
    """

    manual: Manual
    dialect: Dialect
    symbols: Symbols
    name_index: NameIndex
    release: tuple[Manual, ...]
    sections: tuple[Section, ...]
    entries: tuple[tuple[Section, Entry], ...]
    listings: tuple[Listing, ...]
    passages: tuple[Passage, ...]
    misspelt: Mapping[str, Misspelt]

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the source, tabs expanded; line 1 is at 0."""
        return self.manual.source.lines

    def line(self, number: int) -> Line:
        """The line of this number, from 1."""
        return self.lines[number - 1]

    def lines_of(self, span: Span) -> tuple[Line, ...]:
        """The lines of `span`."""
        return self.lines[span.first - 1 : span.last]

    def body_lines(self, entry: Entry) -> tuple[Line, ...]:
        """The lines of `entry` below its signatures."""
        return self.lines[entry.signatures[-1].span.last : entry.span.last]

    def nodes(self) -> Iterator[Block | Item | Definition]:
        """All blocks of all sections, with those within, in source order."""
        for section in self.sections:
            yield from walk(section.body)

    def corrects_heading(self, name: str) -> bool:
        """Whether `name`, which nothing defines, is what a misspelt heading of an entry should be.

        Words may follow: 'mode open' for the heading `mdoe { open | closed }`.
        """
        return any(
            heading.certain and heading.wanted and f"{name} ".startswith(f"{heading.wanted} ")
            for heading in self.misspelt.values()
        )

    def column(self, line: int, words: str) -> int:
        """The column of `words` in the line of the number `line`, or that of its first word."""
        written = self.line(line)
        return written.column + max(0, written.text.find(words))


def contexts(
    manuals: Sequence[Manual], dialect: Dialect, symbols: Symbols, beside: Sequence[Manual] = ()
) -> tuple[Context, ...]:
    """The contexts of `manuals`, the linked documents of one release.

    `beside` are other documents of it, which are not checked and need no links.
    """
    release = (*manuals, *beside)
    names = name_index(release, symbols)
    return tuple(_context(manual, dialect, symbols, names, release) for manual in manuals)


def _context(
    manual: Manual, dialect: Dialect, symbols: Symbols, names: NameIndex,
    release: tuple[Manual, ...],
) -> Context:
    sections = tuple(tree.sections(manual))
    entries = tuple(tree.entries(manual))
    listed = tuple(listings(sections, manual.source.lines))
    wrong = misspelt(manual, sections, [entry for _, entry in entries], listed)
    return Context(
        manual, dialect, symbols, names, release, sections, entries, listed,
        tuple(passages(manual, sections)), wrong,
    )


def passages(manual: Manual, sections: Sequence[Section]) -> Iterator[Passage]:
    """The prose of `manual`, which has these `sections`, in source order; tables have none."""
    yield from _passages(manual.preface, None)
    for section in sections:
        yield from _passages(section.body, section)


def _passages(blocks: Sequence[Block], section: Section | None) -> Iterator[Passage]:
    for block in blocks:
        entry = block if isinstance(block, Entry) else None
        for node in walk((block,)):
            match node:
                case Paragraph() | SeeAlso() | Heading():
                    text = plain_text(node.content)
                    yield Passage(section, entry, node, node.content, node.span, text)
                case Example() if node.caption:
                    text = plain_text(node.caption)
                    yield Passage(section, entry, node, node.caption, node.span, text)
                case Definition():
                    for term in node.terms:
                        span = Span(term.line, term.line)
                        text = plain_text(term.content)
                        yield Passage(section, entry, node, term.content, span, text)
                case _:
                    pass
