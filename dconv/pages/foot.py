"""The foot of a page: where its text stands in the source, and whom to tell of a mistake."""

from __future__ import annotations

from pathlib import PurePath
from urllib.parse import quote

from dconv.html import front
from dconv.pages.page import Page, Published, SourceLines
from dconv.pages.shelves import canonical_address
from dconv.tree import Section


def source_lines(document: Published, section: Section) -> SourceLines:
    """The lines of the own text of `section`, a part of `document`, but for blank ones behind."""
    span, lines = front.text_span(section), document.manual.source.lines
    last = min(span.last, len(lines))
    while last > span.first and not lines[last - 1].text:
        last -= 1
    origin = document.origin
    values = {"file": _file(document), "first": str(span.first), "last": str(last)}
    return SourceLines(span.first, last, filled(origin.lines, values) if origin else "")


def report(document: Published, page: Page, section: Section | None = None) -> str:
    """The address for reports of mistakes in the text of `page`, or nothing.

    `page` is that of `section`, or one of the whole `document`.
    """
    file = _file(document)
    place = [f"{page.product} {page.version}".strip(), file]
    if section is not None:
        place += [f"section {section.number or section.title}", f"line {section.title_span.first}"]
    return filled(document.report, {
        "place": ", ".join(place),
        "version": page.version,
        "file": file,
        "section": section.number or section.title if section else "",
        "line": str(section.title_span.first if section else 1),
        "address": canonical_address(page.edition, page.path),
    })


def filled(pattern: str, values: dict[str, str]) -> str:
    """`pattern` with `values`, fit for addresses, in the places of their names in braces."""
    for name, value in values.items():
        pattern = pattern.replace(f"{{{name}}}", quote(value, safe="", errors="replace"))
    return pattern


def _file(document: Published) -> str:
    return PurePath(document.manual.source.path).name
