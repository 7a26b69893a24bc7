"""The pages of each document of a release, with the outline of what they hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dconv.linking.outline import EntryRecord, Outline, release_outlines
from dconv.model.tree import Manual
from dconv.model.values import dataclass
from dconv.writers.pages import indexes
from dconv.writers.pages.filenames import section_files
from dconv.writers.pages.names import defined_names


@dataclass(frozen=True, slots=True)
class DocumentPages:
    """The files of a document, of its sections in source order and its indexes, and its entries."""

    outline: Outline
    section_files: tuple[str, ...]
    index_files: frozenset[str]

    def address(self, entry: EntryRecord, anchor: str = "") -> str:
        """The file and the anchor of `entry`, or of its signature at `anchor`."""
        return f"{self.section_files[entry.section_index]}#{anchor or entry.anchor}"

    def paths(self) -> Iterator[str]:
        """All pages of the document, below the folder of its release."""
        document = self.outline.document
        yield f"{document}.html"
        yield f"{document}/index.html"
        for file in (*self.section_files, *sorted(self.index_files)):
            yield f"{document}/{file}"


def document_pages(
    manuals: Iterable[Manual], rule_sets: Mapping[str, str]
) -> dict[str, DocumentPages]:
    """The pages of `manuals`, the documents of a release, by their names.

    `rule_sets` are those of the release's dialect.
    """
    manuals = tuple(manuals)
    outlines = release_outlines(manuals, rule_sets)
    pages: dict[str, DocumentPages] = {}
    for manual in manuals:
        reserved_stems = indexes.planned_indexes(manual, defined_names(manual)).stems()
        files = tuple(file for _, file in section_files(manual, reserved_stems))
        names = frozenset(f"{stem}.html" for stem in reserved_stems)
        pages[manual.name] = DocumentPages(outlines[manual.name], files, names)
    return pages
