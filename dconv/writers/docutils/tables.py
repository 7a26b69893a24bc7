"""Tables and usages to docutils."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from docutils import nodes

from dconv.model.tree import Row, Table, Usage
from dconv.writers.docutils.places import Places
from dconv.writers.docutils.prose import folded, inlines

NARROWEST, WIDEST = 3, 50  # characters that a column is at least and at most wide


def table(node: Table, places: Places) -> nodes.table:
    """`node` with its head and rows; a cell over several columns is followed by empty ones."""
    head = [_row(row, node.columns, places) for row in node.head]
    rows = [_row(row, node.columns, places) for row in node.rows]
    return _table(head, rows)


def usage(node: Usage) -> Iterator[nodes.Element]:
    """Where an entry may be used, and how far: a label, with a table where there are states."""
    match node.kind:
        case "contexts":
            names = ", ".join(folded(name) for name, _ in node.values)
            yield _fact("May be used in contexts", names)
        case "default-server":
            for name, state in node.values:
                yield _fact(folded(name), folded(state))
        case "sections" | "rule sets":
            if node.values:
                yield _fact(f"May be used in {node.kind}", "")
                head = _plain_row([folded(name) for name, _ in node.values])
                states = _plain_row([folded(state) for _, state in node.values])
                yield _table([head], [states])
        case _:
            assert_never(node.kind)


def _fact(label: str, text: str) -> nodes.paragraph:
    made = nodes.paragraph("", "", nodes.strong("", f"{label}:"))
    if text:
        made += nodes.Text(f" {text}")
    return made


def _plain_row(cells: Sequence[str]) -> nodes.row:
    return nodes.row(
        "", *[nodes.entry("", *([nodes.paragraph("", cell)] if cell else [])) for cell in cells]
    )


def _row(row: Row, columns: int, places: Places) -> nodes.row:
    made = nodes.row()
    identifiers = [places.ids[row.anchor]] if row.anchor else []
    for cell in row.cells:
        content = inlines(cell.content, places)
        entry = nodes.entry()
        if content:
            paragraph = nodes.paragraph("", "", *content)
            paragraph["ids"], paragraph["names"] = identifiers, list(identifiers)
            identifiers = []
            entry += paragraph
        made += entry
        made += [nodes.entry() for _ in range(cell.columns - 1)]
    made += [nodes.entry() for _ in range(columns - len(made))]
    return made


def _table(head: list[nodes.row], rows: list[nodes.row]) -> nodes.table:
    """A table of rows that are as long as the longest; a table of heads only has rows only."""
    if not rows:
        head, rows = [], head
    columns = max((len(row) for row in (*head, *rows)), default=1)
    for row in (*head, *rows):
        row += [nodes.entry() for _ in range(columns - len(row))]
    group = nodes.tgroup(cols=columns)
    for place in range(columns):
        longest = max(len(row[place].astext()) for row in (*head, *rows))
        group += nodes.colspec(colwidth=min(max(longest, NARROWEST), WIDEST))
    if head:
        group += nodes.thead("", *head)
    group += nodes.tbody("", *rows)
    return nodes.table("", group, classes=["colwidths-given"])
