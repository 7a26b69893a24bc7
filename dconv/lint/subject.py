"""What a rule is given: a manual as it is understood, the rest of its release, its dialect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dconv.linking.symbols import Symbols
from dconv.lint.known import Known, known
from dconv.lint.listings import Listing, listings
from dconv.lint.misspelt import Misspelt, misspelt
from dconv.lint.passages import Passage, passages
from dconv.model import tree
from dconv.model.dialect import Dialect
from dconv.model.source import Line
from dconv.model.tree import Entry, Manual, Section


@dataclass(frozen=True, slots=True)
class Subject:
    """A linked manual to check.

    `symbols` are the names of all documents of its release, `known` the same to compare
    others with, `release` those documents, the manual among them.  `sections`, `entries`,
    `listings` (matrices, indexes) and `passages` (its prose) are the manual's, in source
    order; `misspelt` are names of its entries that stand wrong in their headings.
    """

    manual: Manual
    dialect: Dialect
    symbols: Symbols
    known: Known
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

    def follows(self, name: str) -> bool:
        """Whether `name`, which nothing defines, is what a misspelt heading should be.

        It may have words behind it: 'mode open' for the heading `mdoe { open | closed }`.
        """
        return any(
            one.certain and one.wanted and f"{name} ".startswith(f"{one.wanted} ")
            for one in self.misspelt.values()
        )

    def column(self, line: int, words: str) -> int:
        """The column of `words` in the line of the number `line`, or that of its first word."""
        found = self.lines[line - 1]
        return found.column + max(0, found.text.find(words))


def subjects(
    manuals: Sequence[Manual], dialect: Dialect, symbols: Symbols, beside: Sequence[Manual] = ()
) -> tuple[Subject, ...]:
    """A subject for each of `manuals`, the linked documents of one release.

    `beside` are documents of it that are not checked, and need no links.
    """
    release = (*manuals, *beside)
    names = known(release, symbols)
    return tuple(_subject(manual, dialect, symbols, names, release) for manual in manuals)


def _subject(
    manual: Manual, dialect: Dialect, symbols: Symbols, names: Known,
    release: tuple[Manual, ...],
) -> Subject:
    sections = tuple(tree.sections(manual))
    entries = tuple(tree.entries(manual))
    listed = tuple(listings(sections, manual.source.lines))
    wrong = misspelt(manual, sections, [entry for _, entry in entries], listed)
    return Subject(
        manual, dialect, symbols, names, release, sections, entries, listed,
        tuple(passages(manual, sections)), wrong,
    )
