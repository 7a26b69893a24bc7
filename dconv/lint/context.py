"""What a rule can use: a linked manual, the rest of its release, its dialect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from dconv.linking.symbols import Symbols
from dconv.lint.listings import Listing, listings
from dconv.lint.misspelt_headings import Misspelling, misspelt_headings
from dconv.lint.name_index import NameIndex, name_index
from dconv.model import tree
from dconv.model.dialect import Dialect
from dconv.model.source import Line
from dconv.model.values import dataclass

Prose: TypeAlias = tree.Paragraph | tree.SeeAlso | tree.Example | tree.Heading | tree.Definition


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph, a "See also", a caption, a heading or a term.

    `section` and `entry` are those around it, `node` is its block, `text` the characters of
    its content with white space folded.
    """

    section: tree.Section | None
    entry: tree.Entry | None
    node: Prose
    content: tuple[tree.Inline, ...]
    span: tree.Span
    text: str

    def references(self) -> Iterator[tuple[int, tree.Reference]]:
        """Each reference, with its index in the content."""
        for index, node in enumerate(self.content):
            if isinstance(node, tree.Reference):
                yield index, node

    def before(self, index: int) -> str:
        """The text of the few nodes before the node `index` of the content."""
        return tree.plain_text(self.content[max(0, index - 9) : index])

    def after(self, index: int) -> str:
        """The text of the few nodes after the node `index` of the content."""
        return tree.plain_text(self.content[index + 1 : index + 6])


@dataclass(frozen=True, slots=True)
class Context:
    """A linked manual to check.

    manual      the manual
    dialect     how it is read
    symbols     the names of all documents of its release
    name_index  the same names, to find the nearest to a wrong one
    release_manuals
                the documents of its release, the manual among them
    sections, entries, listings, nodes, text_blocks
                the manual's, in source order; listings are matrices, summaries and
                indexes, nodes all blocks of sections with those within, text blocks its prose
    misspelt_headings
                misspelt headings of its entries, by the misspelt name
    """

    manual: tree.Manual
    dialect: Dialect
    symbols: Symbols
    name_index: NameIndex
    release_manuals: tuple[tree.Manual, ...]
    sections: tuple[tree.Section, ...]
    entries: tuple[tuple[tree.Section, tree.Entry], ...]
    listings: tuple[Listing, ...]
    nodes: tuple[tree.Block | tree.Item | tree.Definition, ...]
    text_blocks: tuple[TextBlock, ...]
    misspelt_headings: Mapping[str, Misspelling]

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the source, tabs expanded; line 1 is at 0."""
        return self.manual.source.lines

    def line(self, number: int) -> Line:
        """The line of this number, from 1."""
        return self.lines[number - 1]

    def lines_of(self, span: tree.Span) -> tuple[Line, ...]:
        """The lines of `span`."""
        return self.lines[span.first - 1 : span.last]

    def prose_lines(self) -> Iterator[Line]:
        """The lines of paragraphs and of "See also"."""
        for text_block in self.text_blocks:
            if isinstance(text_block.node, tree.Paragraph | tree.SeeAlso):
                yield from self.lines_of(text_block.span)

    def code_lines(self) -> set[int]:
        """The numbers of the lines of code and drawings."""
        return {
            number for node in self.nodes if isinstance(node, tree.Preformatted)
            for number in range(node.span.first, node.span.last + 1)
        }

    def body_lines(self, entry: tree.Entry) -> tuple[Line, ...]:
        """The lines of `entry` below its signatures."""
        return self.lines[entry.signatures[-1].span.last : entry.span.last]

    def corrects_heading(self, name: str) -> bool:
        """Whether `name`, which nothing defines, is what a misspelt heading of an entry should be.

        Words may follow: 'mode open' for the heading `mdoe { open | closed }`.
        """
        return any(
            heading.is_certain and heading.correction
            and f"{name} ".startswith(f"{heading.correction} ")
            for heading in self.misspelt_headings.values()
        )

    def column(self, line: int, words: str) -> int:
        """The column of `words` in the line of the number `line`, or that of its first word."""
        source_line = self.line(line)
        return source_line.column + max(0, source_line.text.find(words))


def contexts(
    manuals: Sequence[tree.Manual], dialect: Dialect, symbols: Symbols,
    unchecked: Sequence[tree.Manual] = (),
) -> tuple[Context, ...]:
    """The contexts of `manuals`, the linked documents of one release.

    `unchecked` are its other documents, which are not checked and need no links.
    """
    release_manuals = (*manuals, *unchecked)
    names = name_index(release_manuals, symbols)
    checked: list[Context] = []
    for manual in manuals:
        sections = tuple(tree.sections(manual))
        entries = tuple(tree.entries(manual))
        lists = tuple(listings(sections, manual.source.lines))
        headings = misspelt_headings(manual, sections, [entry for _, entry in entries], lists)
        checked.append(Context(
            manual, dialect, symbols, names, release_manuals, sections, entries, lists,
            tuple(node for section in sections for node in tree.walk(section.body)),
            tuple(text_blocks(manual, sections)), headings,
        ))
    return tuple(checked)


def text_blocks(manual: tree.Manual, sections: Sequence[tree.Section]) -> Iterator[TextBlock]:
    """The prose of `manual`, which has these `sections`, in source order; tables have none."""
    yield from _text_blocks(manual.preface, None)
    for section in sections:
        yield from _text_blocks(section.body, section)


def _text_blocks(blocks: Sequence[tree.Block], section: tree.Section | None) -> Iterator[TextBlock]:
    for block in blocks:
        entry = block if isinstance(block, tree.Entry) else None
        for node in tree.walk((block,)):
            match node:
                case tree.Paragraph() | tree.SeeAlso() | tree.Heading():
                    text = tree.plain_text(node.content)
                    yield TextBlock(section, entry, node, node.content, node.span, text)
                case tree.Example() if node.caption:
                    text = tree.plain_text(node.caption)
                    yield TextBlock(section, entry, node, node.caption, node.span, text)
                case tree.Definition():
                    for term in node.terms:
                        span = tree.Span(term.line, term.line)
                        text = tree.plain_text(term.content)
                        yield TextBlock(section, entry, node, term.content, span, text)
                case _:
                    pass
