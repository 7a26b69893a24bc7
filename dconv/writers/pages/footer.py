"""What is below the text: its place in the source, and an address for reports of mistakes.

Only the document's home and the single page identify the whole text (its digest, its revision, the
number of its lines), so that a changed word of the source changes only the pages that show it.
"""

from __future__ import annotations

from pathlib import PurePath
from urllib.parse import quote

from dconv.model.tree import Entry, Section, Span, sections, text_span, walk
from dconv.writers.pages.listings import Link
from dconv.writers.pages.overview import canonical_address
from dconv.writers.pages.page import Page, ReleaseDocument, SourceLines

ORIGIN = "-origin"  # the anchor of the footer that says where a document's file comes from


def source_link(document: ReleaseDocument) -> Link | None:
    """The file that `document` is made of, linked to where it comes from; None if unknown."""
    name = _file(document).encode(errors="replace").decode()  # its bytes need not be UTF-8
    return Link(name, f"index.html#{ORIGIN}") if document.origin else None


def source_lines(document: ReleaseDocument, section: Section) -> SourceLines | None:
    """The lines of the own text of `section` in `document`, without blank ones at its end.

    None if no address shows lines, or they are not known: numbers alone say nothing to readers,
    and change on all pages after a line that is added.
    """
    if document.origin is None or not document.origin.line_url:
        return None
    numbers = _lines_in_file(document, text_span(section))
    if numbers is None:
        return None
    first, last = numbers
    values = {"file": _file(document), "first": str(first), "last": str(last)}
    return SourceLines(first, last, _filled(document.origin.line_url, values))


def line_url(document: ReleaseDocument) -> str:
    """The address that shows lines of `document`, with `{first}` and `{last}`, or nothing."""
    pattern = document.origin.line_url if document.origin else ""
    return _filled(pattern, {"file": _file(document)})


def entry_lines(document: ReleaseDocument, section: Section | None = None) -> str:
    """The lines in the file of each entry of `section` or of all of `document`, if some are shown.

    "120+8 2+2": for each entry the distance of its first line from the last line of the entry
    before, and how many lines follow.  Line numbers would add 2 kB to a page with 200 entries.
    """
    if document.origin is None or not document.origin.line_url:
        return ""
    texts: list[str] = []
    before = 0
    manual = document.manual
    blocks = section.body if section else (
        *manual.preface, *(block for part in sections(manual) for block in part.body)
    )
    for node in walk(blocks):
        if isinstance(node, Entry):
            first, last = _lines_in_file(document, node.span) or (before, -1)
            texts.append(f"{first - before}+{last - first}" if last >= first else "")
            before = last if last >= first else before
    return " ".join(texts).rstrip()


def _lines_in_file(document: ReleaseDocument, span: Span) -> tuple[int, int] | None:
    """The first and the last line of `span` in the file, or None if not known."""
    source = document.manual.source
    lines = source.lines
    last = min(span.last, len(lines))
    while last > span.first and not lines[last - 1].text:
        last -= 1
    if source.file_line_numbers and not all(source.file_line_numbers[span.first - 1 : last]):
        return None
    return source.file_line_number(span.first), source.file_line_number(last)


def report_url(document: ReleaseDocument, page: Page, section: Section | None = None) -> str:
    """The address for reports of mistakes in the text of `page`, or nothing.

    `page` is that of `section`, or one of the whole `document`.
    """
    file, source = _file(document), document.manual.source
    description = [f"{page.product} {page.version}".strip(), file]
    if section is not None:
        description.append(f"section {section.number or section.title}")
    return _filled(document.report_url, {
        "place": ", ".join(description), "version": page.version, "file": file,
        "section": section.number or section.title if section else "",
        "line": str(source.file_line_number(section.title_span.first) if section else 1),
        "address": canonical_address(page.site, page.path),
    })


def _filled(pattern: str, values: dict[str, str]) -> str:
    """`pattern` with each name in braces replaced by its value, escaped for addresses."""
    for name, value in values.items():
        pattern = pattern.replace(f"{{{name}}}", quote(value, safe="", errors="replace"))
    return pattern


def _file(document: ReleaseDocument) -> str:
    return PurePath(document.manual.source.path).name
