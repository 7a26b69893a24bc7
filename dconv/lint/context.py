"""What a rule is given: a linked manual, the rest of its release, its dialect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dconv.linking.symbols import Symbols
from dconv.lint.listings import Listing, listings
from dconv.lint.misspelt import Misspelt, misspelt
from dconv.lint.names import NameIndex, name_index
from dconv.lint.prose import Passage, passages
from dconv.model import tree
from dconv.model.dialect import Dialect
from dconv.model.source import Line
from dconv.model.tree import Entry, Manual, Section


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

    def is_misspelt_heading(self, name: str) -> bool:
        """Whether a misspelt heading of an entry should be `name`, which nothing defines.

        Words may follow: 'mode open' for the heading `mdoe { open | closed }`.
        """
        return any(
            heading.certain and heading.wanted and f"{name} ".startswith(f"{heading.wanted} ")
            for heading in self.misspelt.values()
        )

    def column(self, line: int, words: str) -> int:
        """The column of `words` in the line of the number `line`, or that of its first word."""
        written = self.lines[line - 1]
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
