"""Where the cells of a plain table stand in its lines."""

from __future__ import annotations

import re

from dconv.model.source import Line

# "frontend", "HTTP Req", "X (!)": what two blanks, or a pipe, part from the next
CELL = re.compile(r"[^\s|]+(?: [^\s|]+)*")


def column_of(words: str, title: str, head: Line, row: Line) -> int:
    """The column in the line `row`, from 1, of the cell with these `words` below `title`.

    It is the one whose middle is nearest to that of the title in the line `head`; 0 where there
    is none.
    """
    at = head.text.rfind(title)
    cells = [cell for cell in CELL.finditer(row.text) if cell[0] == words]
    if at < 0 or not cells:
        return 0
    middle = 2 * (head.column + at) + len(title)
    nearest = min(cells, key=lambda cell: abs(2 * row.column + sum(cell.span()) - middle))
    return row.column + nearest.start()
