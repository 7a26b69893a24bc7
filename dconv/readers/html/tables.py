"""Tables: which of them hold data, and where their cells are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bs4 import Tag

from dconv.model.tree import Row
from dconv.readers.extracted_text import spanned_cells
from dconv.readers.html.inlines import inlines, trimmed
from dconv.readers.html.soup import (
    HEADINGS,
    NUMBER,
    VERBATIM,
    attribute,
    child_elements,
    children,
    elements,
    span_of,
    text_of,
)

MAX_COLUMNS = 100


def table_of(tag: Tag) -> Tag | None:
    """The table that `tag` is a part of."""
    return next((parent for parent in tag.parents if parent.name == "table"), None)


def cells_of(row: Tag) -> list[Tag]:
    """The cells of `row`."""
    return [cell for cell in child_elements(row) if cell.name in ("td", "th")]


def outside_rows(tag: Tag) -> Iterator[Tag | str]:
    """The parts of the table `tag` outside its rows: its caption, and misplaced content."""
    for part in children(tag):
        if isinstance(part, Tag) and part.name in ("thead", "tbody", "tfoot", "tr"):
            if part.name == "tr":
                yield from (
                    child for child in children(part)
                    if isinstance(child, str) or child.name not in ("td", "th")
                )
            else:
                yield from outside_rows(part)
        elif not isinstance(part, Tag) or part.name not in ("col", "colgroup"):
            yield part


def is_layout(tag: Tag, rows: Sequence[Tag]) -> bool:
    """Whether the table `tag` only places things on a page."""
    if attribute(tag, "role") in ("presentation", "none"):
        return True
    inner = [*elements(tag)]
    if any(element.name == "table" or element.name in HEADINGS for element in inner):
        return True
    if all(len(cells_of(row)) < 2 for row in rows):
        return True
    if any(element.name == "th" for element in inner):
        return False
    if all(sum(bool(text_of(cell).strip()) for cell in cells_of(row)) < 2 for row in rows):
        return True
    if attribute(tag, "border").strip() not in ("", "0"):
        return False
    return any(element.name in ("ul", "ol", "dl", *VERBATIM) for element in inner)


def filled_row(row: Tag, cells: Sequence[Tag], covered: dict[int, int]) -> Row:
    """`row` with empty cells where cells of rows before it reach into it."""
    contents = [
        (trimmed(inlines(children(cell))), _count(cell, "colspan"), _count(cell, "rowspan"))
        for cell in cells
    ]
    return Row(spanned_cells(contents, covered), span_of(row))


def _count(cell: Tag, name: str) -> int:
    """How many columns or rows `cell` covers."""
    value = attribute(cell, name).strip()
    return min(max(int(value), 1), MAX_COLUMNS) if NUMBER.fullmatch(value) else 1
