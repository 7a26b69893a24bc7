"""Text with markup as plain text lines: the source of a manual in roff, rST, Markdown or HTML.

The proof, excerpts, the search and differences between releases work on lines of text.  So a
reader of a text with markup builds a `ParsedDocument`, and `build_manual` writes its tree as text,
one line for each block.  That text becomes `Manual.source`.  Each node gets its span there;
sections, entries, terms and headings get their anchors, made of names.

A `ParsedDocument` has the nodes of `dconv.model.tree`, with these differences:

    spans       lines of the file (`Span(7, 9)`), or `NO_SPAN`; they become `Source.origins`, so
                that findings name lines of the file
    anchors     ids in the file, separated by blanks; they become `Manual.aliases`
    Term.line, Reference.line, Reference.column, Cell.extents, Table.lines, Table.columns,
    Signature.anchor, Entry.summary, Section.level, HeaderRow.line
                are filled in
    Header      its rows, if any, start the text; a header without rows is not part of it
    Row         one with a name gets an anchor as an entry does
    texts       may have any white space and characters; those that no page may hold are replaced
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from typing import TypeVar, assert_never

from dconv.model.anchors import Anchors, qualified_anchor, slug
from dconv.model.diagnostics import Diagnostic
from dconv.model.source import TAB_WIDTH, UNSAFE, control_picture, read_source
from dconv.model.summary import summary
from dconv.model.tree import (
    Argument,
    Block,
    BlockQuote,
    Cell,
    Code,
    Definition,
    Definitions,
    Deleted,
    Emphasis,
    Entry,
    Example,
    ExpectedWords,
    Extent,
    Flow,
    Footnote,
    Header,
    HeaderRow,
    Heading,
    Hyperlink,
    Image,
    Inline,
    Item,
    Labelled,
    LineBreak,
    List,
    Manual,
    Paragraph,
    Preformatted,
    Reference,
    Row,
    Section,
    SeeAlso,
    Signature,
    Span,
    Strong,
    Table,
    Term,
    Text,
    plain_text,
    walk,
)
from dconv.model.values import dataclass

NO_SPAN = Span(0, 0)  # the lines of the file are not known
INDENT_STEP = 4  # columns that a body is further right
GAP = "  "  # between the cells of a row
MAX_TERM_LENGTH = 60  # characters of a term that has an anchor
SPACE = re.compile(r"\s+")
# white space in code other than a blank: "\t", "\xa0"
OTHER_SPACE = re.compile(r"[^\S ]")


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A text as its reader parsed it: nodes without lines and anchors.

    `path` names the text in findings; `ids` are those of the text as a whole.
    """

    path: str
    header: Header
    preface: tuple[Block, ...]
    sections: tuple[Section, ...]
    diagnostics: tuple[Diagnostic, ...]
    expected_words: ExpectedWords
    ids: tuple[str, ...] = ()


def build_manual(document: ParsedDocument, name: str) -> Manual:
    """The manual `name` of `document`, whose source is the extracted text."""
    names = frozenset(_names(document.preface, document.sections))
    writer = _Writer(names)
    writer.further_anchors += [(id_, "") for id_ in document.ids]
    header = writer.header(document.header)
    preface = writer.blocks(document.preface, 0, _Context())
    sections = tuple([writer.section(section, 1) for section in document.sections])
    content = "".join([f"{line}\n" for line in writer.lines]).encode()
    source = replace(read_source(content, document.path), origins=tuple(writer.origins))
    return Manual(
        name=name, source=source, header=header, preface=preface, contents=(),
        contents_span=None, sections=sections, footer=None,
        diagnostics=(*document.diagnostics, *source.diagnostics),
        aliases=writer.aliases(), expected_words=document.expected_words,
    )


def entry(
    kind: str, signatures: Iterable[tuple[str, Sequence[str]]], body: Sequence[Flow],
    anchor: str = "", span: Span = NO_SPAN,
) -> Entry:
    """An entry of `kind`; each of `signatures` is a text with its names, at least one."""
    forms = tuple([
        Signature(text, names[0], "", False, False, False, "", span, tuple(names))
        for text, names in signatures
    ])
    return Entry(kind, forms[0].name, forms, (), "", False, False, tuple(body), anchor, span)


def term(
    content: Iterable[Inline], kind: str = "", names: Sequence[str] = (), anchor: str = ""
) -> Term:
    """A term; one with `names` is an entry of `kind` inside a body."""
    content = tuple(content)
    name = names[0] if names else SPACE.sub(" ", plain_text(content)).strip()
    return Term(content, name, kind, anchor, 0, tuple(names))


def definition(terms: Iterable[Term], body: Iterable[Flow], span: Span = NO_SPAN) -> Definitions:
    """A list of one definition; `merge_definitions` joins such lists."""
    return Definitions((Definition("", tuple(terms), "", tuple(body), span),), span)


Node = TypeVar("Node", bound=Block)


def spanned_cells(
    cells: Iterable[tuple[Iterable[Inline], int, int]], covered: dict[int, int]
) -> tuple[Cell, ...]:
    """The cells of a row; below a cell that covers several rows there are empty ones.

    Each of `cells` is a content, with the number of columns and rows that it covers.  `covered`
    counts for each column the further rows that cells above cover; it is updated.
    """
    row: list[Cell] = []
    column = 0
    for content, columns, rows in (*cells, ((), 0, 0)):  # the last one is the end of the row
        while covered.get(column):
            covered[column] -= 1
            row.append(Cell(()))
            column += 1
        if columns:
            covered.update(dict.fromkeys(range(column, column + columns), rows - 1))
            row.append(Cell(tuple(content), columns))
            column += columns
    return tuple(row)


def merge_definitions(nodes: Iterable[Node]) -> list[Node | Definitions]:
    """`nodes`, neighbouring lists of definitions joined."""
    merged: list[Node | Definitions] = []
    for node in nodes:
        last = merged[-1] if merged else None
        if isinstance(last, Definitions) and isinstance(node, Definitions):
            merged[-1] = replace(last, items=(*last.items, *node.items))
        else:
            merged.append(node)
    return merged


def _names(preface: Sequence[Block], sections: Sequence[Section]) -> Iterable[str]:
    """All names of entries, those inside bodies too."""
    from_sections = (block for section in sections for block in section.body)
    for block in walk((*preface, *from_sections)):
        match block:
            case Entry():
                yield from block.names
            case Definition():
                for item_term in block.terms:
                    yield from item_term.names
            case Table():
                yield from (row.name for row in block.rows if row.name)
            case _:
                pass
    for section in sections:
        yield from _names((), section.sections)


@dataclass(frozen=True, slots=True)
class _Context:
    """Where a block is: `prefix` starts the anchors of terms, `title` is the section's."""

    prefix: str = ""
    title: str = ""


@dataclass(slots=True)
class _Writer:
    """Writes `lines`; `names` are those of all entries.

    `origins` has the line of the file for each line, `further_anchors` ids with their anchors.
    """

    names: frozenset[str]
    lines: list[str] = field(default_factory=list)
    origins: list[int] = field(default_factory=list)
    anchors: Anchors = field(default_factory=Anchors)
    further_anchors: list[tuple[str, str]] = field(default_factory=list)

    # --- lines ------------------------------------------------------------------------

    def add_line(self, indent: int, text: str, span: Span) -> int:
        """Write a line; return its number."""
        self.lines.append(f"{' ' * indent}{text}".rstrip())
        self.origins.append(span.first or (self.origins[-1] if self.origins else 0))
        return len(self.lines)

    def blank_line(self) -> None:
        """Write an empty line unless there is one."""
        if self.lines and self.lines[-1]:
            self.add_line(0, "", NO_SPAN)

    def span_from(self, first: int) -> Span:
        """The span from `first` to the last line that is not empty."""
        last = len(self.lines)
        while last > first and not self.lines[last - 1]:
            last -= 1
        return Span(first, last)

    def new_anchor(self, candidate: str, ids: str, title: str = "") -> str:
        """An unused anchor made of `candidate`; `ids` of the file lead to it too.

        If `candidate` is taken, the section's `title` is appended.
        """
        if candidate in self.anchors and title:
            candidate = f"{candidate}.{slug(title.casefold())}"
        anchor = self.anchors.unique(candidate)
        self.further_anchors += [(other, anchor) for other in ids.split()]
        return anchor

    def aliases(self) -> tuple[tuple[str, str], ...]:
        """The further anchors that are not anchors themselves, each once."""
        aliases: dict[str, str] = {}
        for other, anchor in self.further_anchors:
            if other not in self.anchors and not other.startswith("-"):
                aliases.setdefault(other, anchor)
        return tuple(aliases.items())

    # --- sections and entries ---------------------------------------------------------

    def header(self, header: Header) -> Header:
        origin = header.span or NO_SPAN
        rows: list[HeaderRow] = []
        for row in header.rows:
            text = folded_text(row.text)
            rows.append(HeaderRow(self.add_line(0, text, origin), text))
        self.blank_line()
        return replace(header, rows=tuple(rows), span=Span(1, len(rows)) if rows else None)

    def section(self, section: Section, level: int) -> Section:
        self.blank_line()
        number = folded_text(section.number)
        title = folded_text(section.title) or "…"
        first = self.add_line(0, f"{number} {title}".strip(), section.span)
        self.blank_line()
        anchor = self.new_anchor(number or slug(title), section.anchor)
        body = self.blocks(section.body, 0, _Context(slug(title), title))
        below = tuple([self.section(inner, level + 1) for inner in section.sections])
        return Section(
            number, title, anchor, level, body, below, Span(first, first), self.span_from(first)
        )

    def entry(self, entry: Entry, context: _Context) -> Entry:
        signatures: list[Signature] = []
        anchors: dict[str, str] = {}
        ids = entry.anchor
        for signature in entry.signatures:
            text = folded_text(signature.text)
            line = self.add_line(0, text, signature.span)
            name = signature.name
            if name not in anchors:
                candidate = qualified_anchor(entry.kind, name)
                anchors[name] = self.new_anchor(
                    candidate, f"{ids} {signature.anchor}", context.title
                )
                ids = ""
            signatures.append(replace(
                signature, text=text, anchor=anchors[name], span=Span(line, line)
            ))
        for signature in signatures:
            self.further_anchors += [
                (qualified_anchor(entry.kind, other), signature.anchor)
                for other in signature.names
            ]
        first = signatures[0]
        body = self.flow(entry.body, INDENT_STEP, _Context(first.anchor, context.title))
        return replace(
            entry, signatures=tuple(signatures), body=body, summary=summary(body),
            anchor=first.anchor, span=self.span_from(first.span.first),
        )

    # --- blocks -----------------------------------------------------------------------

    def blocks(self, blocks: Iterable[Block], indent: int, context: _Context) -> tuple[Block, ...]:
        """`blocks` with their lines, without empty ones."""
        written: list[Block] = []
        for block in blocks:
            if isinstance(block, Entry):
                self.blank_line()
                written.append(self.entry(block, context))
                self.blank_line()
            elif (node := self.node(block, indent, context)) is not None:
                written.append(node)
        return tuple(written)

    def flow(self, nodes: Iterable[Flow], indent: int, context: _Context) -> tuple[Flow, ...]:
        return tuple([
            written for node in nodes
            if (written := self.node(node, indent, context)) is not None
        ])

    def node(self, node: Flow, indent: int, context: _Context) -> Flow | None:
        """`node` with its lines; None if it is empty."""
        match node:
            case Paragraph() | Heading():
                return self.text(node, indent, context)
            case Preformatted():
                return self.preformatted(node, indent)
            case List():
                items = [self.item(item, indent, context, node.ordered) for item in node.items]
                if not items:
                    return None
                span = Span(items[0].span.first, items[-1].span.last)
                return replace(node, items=tuple(items), span=span)
            case Definitions():
                definitions = [self.definition(item, indent, context) for item in node.items]
                kept = [item for item in definitions if item is not None]
                if not kept:
                    return None
                span = Span(kept[0].span.first, kept[-1].span.last)
                return replace(node, items=tuple(kept), span=span)
            case Table():
                return self.table(node, indent, context)
            case Labelled() | Footnote():
                label = folded_text(node.label)
                first = self.add_line(indent, label, node.span)
                anchored = node
                if isinstance(anchored, Footnote):
                    anchor = self.new_anchor(f"note-{slug(label)}", anchored.anchor)
                    anchored = replace(anchored, anchor=anchor)
                body = self.flow(node.body, indent + INDENT_STEP, context)
                return replace(anchored, label=label, body=body, span=self.span_from(first))
            case BlockQuote():
                start = len(self.lines)
                body = self.flow(node.body, indent + INDENT_STEP, context)
                return replace(node, body=body, span=self.span_from(start + 1)) if body else None
            case Example():
                label = folded_text(node.label)
                caption = folded(node.caption, self.names)
                line = f"{label} {plain_text(caption)}".strip()
                first = self.add_line(indent, line, node.span)
                caption = _with_positions(caption, first, indent + len(label) + 1)
                body = self.flow(node.body, indent + INDENT_STEP, context)
                return replace(
                    node, label=label, caption=caption, body=body, span=self.span_from(first)
                )
            case SeeAlso():
                label = folded_text(node.label)
                content = folded(node.content, self.names)
                first = self.add_line(indent, f"{label} {plain_text(content)}".strip(), node.span)
                self.blank_line()
                content = _with_positions(content, first, indent + len(label) + 1)
                return replace(node, label=label, content=content, span=Span(first, first))
            case _:
                assert_never(node)

    def text(
        self, node: Paragraph | Heading, indent: int, context: _Context
    ) -> Paragraph | Heading | None:
        content = folded(node.content, self.names)
        words = folded_text(plain_text(content))
        if not words:
            return None
        line = self.add_line(indent, words, node.span)
        self.blank_line()
        content = _with_positions(content, line, indent)
        if isinstance(node, Paragraph):
            return Paragraph(content, Span(line, line))
        candidate = f"{context.prefix}.{slug(words)}" if context.prefix else slug(words)
        return Heading(content, self.new_anchor(candidate, node.anchor), Span(line, line))

    def preformatted(self, node: Preformatted, indent: int) -> Preformatted | None:
        lines = [code_line(line) for line in node.lines]
        while lines and not lines[0]:
            lines.pop(0)
        while lines and not lines[-1]:
            lines.pop()
        if not lines:
            return None
        shared = min(len(line) - len(line.lstrip()) for line in lines if line)
        lines = [line[shared:] for line in lines]
        first = len(self.lines) + 1
        for at, line in enumerate(lines):
            origin = node.span.first + at if node.span.first else 0
            self.add_line(indent, line, Span(origin, origin))
        span = self.span_from(first)
        self.blank_line()
        return replace(node, lines=tuple(lines), span=span)

    def item(self, item: Item, indent: int, context: _Context, ordered: bool) -> Item:
        first = len(self.lines) + 1
        if ordered:
            self.add_line(indent, item.marker.strip("()."), item.span)
        body = self.flow(item.body, indent + INDENT_STEP, context)
        if len(self.lines) < first:
            self.add_line(0, "", item.span)
        return Item(item.marker, body, self.span_from(first))

    def definition(self, item: Definition, indent: int, context: _Context) -> Definition | None:
        terms: list[Term] = []
        for item_term in item.terms:
            content = folded(item_term.content, self.names if not item_term.names else frozenset())
            words = folded_text(plain_text(content))
            if not words:
                continue
            line = self.add_line(indent, words, item.span)
            anchor = ""
            is_short = len(item_term.name) <= MAX_TERM_LENGTH
            if is_short or item_term.anchor:
                candidate = slug(item_term.name) if is_short else item_term.anchor.split()[0]
                candidate = f"{context.prefix}.{candidate}" if context.prefix else candidate
                anchor = self.new_anchor(candidate, item_term.anchor)
            content = _with_positions(content, line, indent)
            terms.append(replace(item_term, content=content, anchor=anchor, line=line))
        if not terms:
            return None
        body = self.flow(item.body, indent + INDENT_STEP, context)
        self.blank_line()
        return replace(
            item, marker="", terms=tuple(terms), separator="", body=body,
            span=self.span_from(terms[0].line),
        )

    def table(self, node: Table, indent: int, context: _Context) -> Table | None:
        columns = max(
            (sum(cell.columns for cell in row.cells) for row in (*node.head, *node.rows)),
            default=0,
        )
        start = len(self.lines)
        head = [self.row(row, indent, columns, context) for row in node.head]
        rows = [self.row(row, indent, columns, context) for row in node.rows]
        if not any(head) and not any(rows):
            return None
        lines = tuple([line[indent:] for line in self.lines[start:]])
        self.blank_line()
        return replace(
            node, head=tuple([row for row in head if row]),
            rows=tuple([row for row in rows if row]), columns=columns, lines=lines, decoration=(),
            span=Span(start + 1, start + len(lines)),
        )

    def row(self, row: Row, indent: int, columns: int, context: _Context) -> Row | None:
        """`row` on one line, its cells beside each other; None if it is empty."""
        contents = [folded(cell.content, self.names) for cell in row.cells]
        texts = [folded_text(plain_text(content)) for content in contents]
        if not any(texts):
            return None
        line = len(self.lines) + 1
        cells: list[Cell] = []
        at = indent
        for cell, content, text in zip(row.cells, contents, texts, strict=True):
            extent = Extent(line, at + 1, len(text))
            cells.append(Cell(_with_positions(content, line, at), cell.columns, (extent,)))
            at += len(text) + len(GAP)
        for _ in range(columns - sum(cell.columns for cell in row.cells)):
            cells.append(Cell((), 1, (Extent(line, at + 1, 0),)))
            at += len(GAP)
        self.add_line(indent, GAP.join(texts), row.span)
        anchor = ""
        if row.name:
            anchor = self.new_anchor(
                qualified_anchor(row.kind, row.name), row.anchor, context.title
            )
        return replace(row, cells=tuple(cells), span=Span(line, line), anchor=anchor)


# --- inlines --------------------------------------------------------------------------


def folded_text(text: str) -> str:
    """`text` on one line, white space folded, characters that no page may hold replaced."""
    return " ".join(_safe(text).split())


def code_line(text: str) -> str:
    """A line of code with blanks as its only white space, without those at its end."""
    return _safe(OTHER_SPACE.sub(" ", text.expandtabs(TAB_WIDTH))).rstrip()


def _safe(text: str) -> str:
    """`text` with characters that no page may hold replaced."""
    return text if text.isprintable() else UNSAFE.sub(control_picture, text)


def folded(content: Sequence[Inline], names: frozenset[str]) -> tuple[Inline, ...]:
    """`content` with white space folded across its nodes, and none at its ends.

    What it sets as literal, and is one of `names`, becomes a reference.
    """
    nodes, _ = _folded(content, names, True)
    return _stripped(nodes)


def _folded(
    content: Sequence[Inline], names: frozenset[str], blank: bool
) -> tuple[list[Inline], bool]:
    """The same, but white space at the end stays, and whether white space is there.

    `blank` says whether it is before `content`.
    """
    nodes: list[Inline] = []
    for node in content:
        match node:
            case LineBreak():
                nodes.append(node)
                blank = True
                continue
            case Strong() | Emphasis() | Deleted():
                inner, blank = _folded(node.content, names, blank)
                if not inner:
                    continue
                name = plain_text(tuple(inner))
                if name in names and len(inner) == 1 and isinstance(inner[0], Text):
                    nodes.append(Reference(name, name, 0, 0, kind="literal"))
                else:
                    nodes.append(type(node)(tuple(inner)))
                continue
            case _:
                pass
        text = SPACE.sub(" ", _safe(node.text))
        if blank:
            text = text.removeprefix(" ")
        if not text:
            continue
        blank = text.endswith(" ")
        match node:
            case Text() if nodes and isinstance(nodes[-1], Text):
                nodes[-1] = Text(nodes[-1].text + text)
            case Code() if text in names:
                nodes.append(Reference(text, text, 0, 0, kind="literal"))
            case _:
                nodes.append(node if text == node.text else replace(node, text=text))
    return nodes, blank


def _stripped(nodes: Sequence[Inline]) -> tuple[Inline, ...]:
    """`nodes` without white space at their end."""
    stripped = list(nodes)
    while stripped:
        last = stripped.pop()
        match last:
            case LineBreak():
                continue
            case Strong() | Emphasis() | Deleted():
                inner = _stripped(last.content)
                if inner:
                    return (*stripped, type(last)(inner))
            case _:
                if text := last.text.rstrip():
                    return (*stripped, last if text == last.text else replace(last, text=text))
    return ()


def _with_positions(content: tuple[Inline, ...], line: int, indent: int) -> tuple[Inline, ...]:
    """`content` with the place of each reference, on `line` from the column `indent` (from 0)."""
    column = indent + 1
    nodes: list[Inline] = []
    for node in content:
        match node:
            case Reference() | Hyperlink():
                nodes.append(replace(node, line=line, column=column))
            case Strong() | Emphasis() | Deleted():
                nodes.append(type(node)(_with_positions(node.content, line, column - 1)))
            case Text() | Code() | Argument() | LineBreak() | Image():
                nodes.append(node)
            case _:
                assert_never(node)
        column += len(node.text)
    return tuple(nodes)
