"""Tables to HTML.

The cells of a matrix have classes, so that a theme can show ticks and dashes for the "X" and "-"
of the source, which stay in the text.  A matrix with few columns is in a plain box, because its
header is sticky only outside of a scrolling box; one with many columns is in a scrolling box.
Large matrices have a filter, which needs JavaScript.
"""

from __future__ import annotations

from dconv.model.tree import Cell, Row, Table, plain_text
from dconv.writers.html.context import PageContext
from dconv.writers.html.escape import text
from dconv.writers.html.inlines import inlines
from dconv.writers.html.marks import DATA_ADDED

MAX_NARROW_COLUMNS = 5  # columns that a phone can show beside each other
MIN_FILTERED_ROWS = 20  # rows from which on a matrix has a filter
BOX = '<div class="table" role="group" aria-label="Table" tabindex="0">\n'
NARROW_BOX = '<div class="narrow">\n'
WIDE_BOX = '<div class="table wide" role="group" aria-label="Table" tabindex="0">\n'


def table(node: Table, out: list[str], context: PageContext) -> None:
    """Append `node` to `out`."""
    is_matrix = node.role == "matrix"
    columns = max((len(row.cells) for row in node.rows), default=0)
    box = BOX if not is_matrix else WIDE_BOX if columns > MAX_NARROW_COLUMNS else NARROW_BOX
    if is_matrix and node.head and len(node.rows) >= MIN_FILTERED_ROWS and not context.single_page:
        out.append(_filter(node))
    out.append(f'{box}<table class="{node.kind}">\n')
    if is_matrix:
        names = f"{len(node.rows)} names, and where each may be used"
        out.append(f'<caption class="hidden"{DATA_ADDED}>{names}</caption>\n')
    if node.head:
        out.append("<thead>\n")
        for row in node.head:
            out.append(f"<tr>{''.join([_head_cell(cell, context) for cell in row.cells])}</tr>\n")
        out.append("</thead>\n")
    out.append("<tbody>\n")
    letter = ""
    for row in node.rows:
        first = plain_text(row.cells[0].content)[:1].casefold() if is_matrix and row.cells else ""
        _row(row, out, is_matrix, first != letter and letter != "", context)
        letter = first
    out.append("</tbody>\n</table>\n</div>\n")


def _filter(node: Table) -> str:
    """A field for words of names, and a check box for each column."""
    names = [plain_text(cell.content).strip() for cell in node.head[-1].cells][1:]
    check_boxes = [
        f'<label><input type="checkbox" value="{column}">{text(name)}</label>'
        for column, name in enumerate(names, 1) if name
    ]
    return (
        f'<div class="filter js-only" role="search" aria-label="Filter"{DATA_ADDED}>'
        '<label><span class="hidden">Filter names</span><input type="search"'
        ' placeholder="Filter names" autocomplete="off" spellcheck="false"></label>'
        f'<fieldset><legend>Usable in</legend>{"".join(check_boxes)}</fieldset>'
        f'<output role="status">{len(node.rows)}</output></div>\n'
    )


def _head_cell(cell: Cell, context: PageContext) -> str:
    html = inlines(cell.content, context)
    if not html.strip():
        return f"<td{_colspan(cell)}></td>"
    scope = "colgroup" if cell.columns > 1 else "col"
    return f'<th scope="{scope}"{_colspan(cell)}>{html}</th>'


def _row(row: Row, out: list[str], is_matrix: bool, new_letter: bool, context: PageContext) -> None:
    """Append one row; `new_letter` is true if its name is the first of a letter."""
    id_attribute = f' id="{context.anchor(row.anchor)}"' if row.anchor else ""
    letter = ' class="letter"' if new_letter else ""
    out.append(f"<tr{id_attribute}{letter}>")
    name_index = 0 if is_matrix else _name_index(row)
    for index, cell in enumerate(row.cells):
        if index == name_index:
            out.append(f'<th scope="row"{_colspan(cell)}>{inlines(cell.content, context)}</th>')
        else:
            state = _state_class(cell) if is_matrix else ""
            out.append(f"<td{_colspan(cell)}{state}>{inlines(cell.content, context)}</td>")
    out.append("</tr>\n")


def _name_index(row: Row) -> int:
    """The cell with the name that `row` defines ("%ci" for "ci"); -1 if it defines none."""
    if not row.name:
        return -1
    texts = [plain_text(cell.content).strip() for cell in row.cells]
    return next((index for index, words in enumerate(texts) if words.endswith(row.name)), -1)


def _colspan(cell: Cell) -> str:
    return f' colspan="{cell.columns}"' if cell.columns > 1 else ""


def _state_class(cell: Cell) -> str:
    """The classes of a matrix cell; `named` if only sections with a name allow it: "X (!)"."""
    words = plain_text(cell.content).strip().casefold()
    if words in ("x", "yes"):
        return ' class="yes"'
    if words.startswith(("x", "yes")):
        return ' class="yes named"'
    return ' class="no"' if words in ("-", "no") else ""
