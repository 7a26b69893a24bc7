"""Doctrees as plain text for a terminal: the base of the writers for Vim and Info.

A subclass writes sections and links; this class lays out paragraphs, lists, definitions and tables
in lines of at most `WIDTH` columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from docutils import nodes
from docutils.utils import column_width

from dconv.writers.docutils.prose import elements, enumerator, strip_lines
from dconv.writers.html.escape import one_line

WIDTH = 78  # columns
MIN_WIDTH = 30  # of text that is far to the right
INDENT = "    "
# "|", "`" and a blank that a writer adds, until `finished`: the text may have such characters too
BAR, QUOTE = "\ue000", "\ue001"
BLANK = "\ue002"  # where a line does not break
CONCEALED = re.compile(f"[{BAR}{QUOTE}]")
HEADING_MARK_WIDTH = 2  # columns that the mark of a heading takes: " ~" in Vim
MIN_COLUMN_WIDTH, GAP = 4, 2  # columns that a cell has at least, and those between two cells


class PlainText:
    """Lays out the blocks of a document; a subclass adds the markup."""

    def section(self, node: nodes.section, depth: int) -> list[str]:
        """The lines of a section below `depth` others."""
        raise NotImplementedError

    def contents(self, node: nodes.topic) -> list[str]:
        """The lines of the table of contents."""
        raise NotImplementedError

    def code_block(self, lines: Iterable[str], before: list[str]) -> list[str]:
        """`lines` of code, to be written after the lines `before`, which it may change."""
        raise NotImplementedError

    def heading(self, line: str) -> str:
        """`line` of a label or of the head of a table."""
        return line

    def code(self, text: str) -> str:
        """`text` of code within a line."""
        return text

    def link(self, node: nodes.reference, text: str) -> str:
        """The link `node`, which shows `text`."""
        raise NotImplementedError

    def word(self, word: str) -> str:
        """`word` of a line, escaped where the reader's program would take it for markup."""
        return word

    def with_ids(self, lines: Sequence[str], elements: Sequence[nodes.Element]) -> list[str]:
        """`lines` with marks of the ids of `elements`."""
        raise NotImplementedError

    # --- blocks ---------------------------------------------------------------------------

    def blocks(self, children: Iterable[nodes.Node], indent: str, depth: int = 0) -> list[str]:
        """The lines of `children`, each block followed by a blank line."""
        lines: list[str] = []
        for node in children:
            assert isinstance(node, nodes.Element)
            if isinstance(node, nodes.literal_block):
                code = [f"{indent}{INDENT}{line}".rstrip() for line in node.astext().split("\n")]
                lines += self.code_block(code, lines)
                continue
            block = self._block(node, indent, depth)
            lines += [*block, ""] if block else []
        return lines

    def _block(self, node: nodes.Element, indent: str, depth: int) -> list[str]:
        match node:
            case nodes.section():
                return self.section(node, depth)
            case nodes.topic():
                return self.contents(node)
            case nodes.paragraph():
                return [*self.with_ids([], [node]), *self._paragraph(node, indent)]
            case nodes.line_block():
                return [
                    row for line in elements(node)
                    for row in self.indented(self.line(line.children), indent)
                ]
            case nodes.bullet_list() | nodes.enumerated_list():
                return self._list(node, indent)
            case nodes.definition_list():
                return self._definitions(node, indent)
            case nodes.table():
                return self._table(node, indent)
            case nodes.admonition():
                title, *body = node.children
                lines = self.blocks(body, indent + INDENT)
                return strip_lines([f"{indent}{title.astext()}:", *lines])
            case nodes.block_quote():
                return strip_lines(self.blocks(node.children, indent + INDENT))
            case nodes.docinfo():
                return [
                    line for field in node.findall(nodes.TextElement)
                    for line in self.indented(
                        f"{field.tagname.capitalize()}: {self.line(field.children)}", indent
                    )
                ]
            case nodes.transition():
                return [f"{indent}{'-' * 20}"]
            case nodes.comment():
                return []
            case _:
                raise TypeError(f"{node.tagname} cannot appear in a document")

    def _paragraph(self, node: nodes.paragraph, indent: str) -> list[str]:
        if len(node) == 1 and isinstance(node[0], nodes.strong):  # a label
            lines = self.wrapped(self.line(node.children), WIDTH - len(indent) - HEADING_MARK_WIDTH)
            return [self.heading(f"{indent}{finished(line)}") for line in lines]
        return self.indented(self.line(node.children), indent)

    def _list(self, node: nodes.Element, indent: str) -> list[str]:
        """A list; blank lines are between its items where one of them has several blocks."""
        items: list[list[str]] = []
        for number, item in enumerate(elements(node), node.get("start", 1)):
            marker = "-" if isinstance(node, nodes.bullet_list) else enumerator(node, number)
            below = " " * (len(indent) + len(marker) + 1)
            lines = strip_lines(self.blocks(item.children, below))
            if lines and lines[0].startswith(below):
                lines[0] = f"{indent}{marker} {lines[0][len(below):]}"
            else:
                lines.insert(0, f"{indent}{marker}")
            items.append(lines)
        return _spaced(items)

    def _definitions(self, node: nodes.Element, indent: str) -> list[str]:
        items: list[list[str]] = []
        for item in elements(node):
            term, definition = elements(item)
            terms = self.with_ids(self.indented(self.line(term.children), indent), [term])
            items.append([*terms, *strip_lines(self.blocks(definition.children, indent + INDENT))])
        return _spaced(items)

    # --- tables ---------------------------------------------------------------------------

    def _table(self, node: nodes.Element, indent: str) -> list[str]:
        """Columns as wide as their cells, or narrower until they fit; the head is a heading.

        Cells have no links where these are too long.
        """
        rows = list(node.findall(nodes.row))
        cells = [
            [" ".join(self.line(part.children) for part in cell.children) for cell in row.children]
            for row in rows
        ]
        room = WIDTH - len(indent) - HEADING_MARK_WIDTH
        widths = _column_widths(cells, room)
        if not widths:
            plain = [[one_line(cell.astext()) for cell in row.children] for row in rows]
            widths = _column_widths(plain, room)
            if not widths:
                return self._rows(rows, cells, indent)
            cells = plain
        lines: list[str] = []
        for row, texts in zip(rows, cells, strict=True):
            columns = [self.wrapped(text, width) for text, width in zip(texts, widths, strict=True)]
            height = max(map(len, columns), default=0)
            row_lines = [
                indent + "".join(
                    _padded(column[index] if index < len(column) else "", width + GAP)
                    for column, width in zip(columns, widths, strict=True)
                ).rstrip()
                for index in range(height)
            ]
            if isinstance(row.parent, nodes.thead):
                row_lines = [self.heading(line) for line in row_lines]
            paragraphs = list(row.findall(nodes.paragraph))
            lines += self.with_ids([finished(line) for line in row_lines], paragraphs)
        return lines

    def _rows(
        self, rows: Sequence[nodes.row], cells: Sequence[Sequence[str]], indent: str
    ) -> list[str]:
        """The rows of a table that is too wide: their cells one after the other."""
        lines: list[str] = []
        for row, texts in zip(rows, cells, strict=True):
            words = f" {BLANK * (GAP - 1)}".join(filter(None, texts))
            first, *others = self.wrapped(words, WIDTH - len(indent + INDENT)) or [""]
            paragraphs = list(row.findall(nodes.paragraph))
            lines += self.with_ids([f"{indent}{finished(first)}"], paragraphs)
            lines += [f"{indent}{INDENT}{finished(line)}" for line in others]
        return lines

    # --- lines ----------------------------------------------------------------------------

    def line(self, children: Iterable[nodes.Node]) -> str:
        """`children` of a paragraph on one line, with the marks of the writer."""
        line = ""
        for node in children:
            text = node.astext()
            if isinstance(node, nodes.literal):
                text = self.code(text)
            elif isinstance(node, nodes.reference):
                text = self.link(node, text)
            line += text
        return one_line(line)

    def wrapped(self, text: str, width: int) -> list[str]:
        """`text` in lines of at most `width` columns; longer words stay whole."""
        lines: list[str] = []
        for part in text.split():
            word = part if CONCEALED.search(part) else self.word(part)
            if lines and column_width(lines[-1]) + 1 + column_width(word) <= width:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
        return lines

    def indented(self, text: str, indent: str) -> list[str]:
        """`text` in lines that start with `indent`."""
        width = max(WIDTH - len(indent), MIN_WIDTH)
        return [f"{indent}{finished(line)}" for line in self.wrapped(text, width)]


def finished(line: str) -> str:
    """`line` with the characters that `BAR`, `QUOTE` and `BLANK` stand for."""
    return line.replace(BAR, "|").replace(QUOTE, "`").replace(BLANK, " ")


def is_signature(node: nodes.Node | None) -> bool:
    """Whether `node` is the block of signatures that an entry starts with."""
    return isinstance(node, nodes.literal_block) and "signature" in node["classes"]


def without_repetition(title: nodes.Node, body: Sequence[nodes.Node]) -> Sequence[nodes.Node]:
    """The `body` of a section without a signature that is its `title`."""
    if body and is_signature(body[0]) and body[0].astext() == title.astext():
        return body[1:]
    return body


def _padded(text: str, width: int) -> str:
    """`text` with blanks to `width` columns as they are shown."""
    return text + " " * (width - column_width(CONCEALED.sub("", text)))


def _spaced(items: Sequence[Sequence[str]]) -> list[str]:
    """The lines of `items`, with blank lines between them if one has some inside."""
    # Vim shows the line "<" below code as a blank one
    gap = [""] if any("" in item or "<" in item for item in items) else []
    lines = [line for item in items for line in (*item, *gap)]
    return lines[:-1] if gap and lines else lines


def _column_widths(cells: Sequence[Sequence[str]], room: int) -> list[int]:
    """The widths of the columns of `cells`, at most `room` columns with the gaps between them.

    It is empty if even the longest words need more.
    """
    texts = [[CONCEALED.sub("", text) for text in column] for column in zip(*cells, strict=True)]
    widths = [max(column_width(text) for text in column) for column in texts]
    shortest = [
        max((column_width(word) for text in column for word in text.split()), default=0)
        for column in texts
    ]
    while sum(widths) + GAP * (len(widths) - 1) > room:
        excess = [
            (width - max(least, MIN_COLUMN_WIDTH), index)
            for index, (width, least) in enumerate(zip(widths, shortest, strict=True))
        ]
        most, index = max(excess)
        if most <= 0:
            return []
        widths[index] -= 1
    return widths
