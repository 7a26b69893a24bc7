"""Text with markup as plain text lines: the source of a manual in roff, rST, Markdown or HTML.

The proof, excerpts, the search and differences between releases work on lines of text.  So a
reader of a text with markup builds a `ParsedDocument`, and `build_manual` writes its tree as text,
one line for each block.  That text becomes `Manual.source`.  Each node gets its span there;
sections, entries, terms and headings get their anchors, made of names.

A `ParsedDocument` has the nodes of `dconv.model.tree`, with these differences:

    spans       lines of the file (`Span(7, 9)`), or `NO_SPAN`; they become
                `Source.file_line_numbers`, so that findings name lines of the file
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

from dconv.model import tree
from dconv.model.anchors import Anchors, qualified_anchor, slug
from dconv.model.diagnostics import Diagnostic
from dconv.model.source import TAB_WIDTH, UNSAFE, control_picture, read_source
from dconv.model.summary import summary
from dconv.model.values import dataclass

NO_SPAN = tree.Span(0, 0)  # the lines of the file are not known
INDENT_STEP = 4  # columns that a body is further right
GAP = "  "  # between the cells of a row
MAX_TERM_LENGTH = 60  # characters of a term that has an anchor
SPACE = re.compile(r"\s+")
# white space in code other than a blank: "\t", "\xa0"
OTHER_SPACE = re.compile(r"[^\S ]")


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A text as its reader parsed it: nodes without lines and anchors.

    `path` names the text in findings; `ids` are those of the text as a whole; `reference_places`
    are those of `Source`.  `placeholders` are words that name no entry where they are emphasized,
    `own_names` those that name the text itself.
    """

    path: str
    header: tree.Header
    preface: tuple[tree.Block, ...]
    sections: tuple[tree.Section, ...]
    diagnostics: tuple[Diagnostic, ...]
    expected_words: tree.ExpectedWords
    ids: tuple[str, ...] = ()
    reference_places: tuple[tuple[str, int, int, str], ...] = ()
    placeholders: frozenset[str] = frozenset()
    own_names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Names:
    """The names that are references where a text sets them as `literal`, or emphasizes them."""

    literal: frozenset[str] = frozenset()
    emphasized: frozenset[str] = frozenset()

    def reference(self, text: str, is_emphasized: bool) -> tree.Reference | None:
        """The reference that `text` is: "-a", "After=", "--page=PG" of the option "--page"."""
        names = self.emphasized if is_emphasized else self.literal
        name, _, value = (text, "", "") if text in names else text.partition("=")
        if name not in names or (value and not name.startswith("-")):
            return None
        return tree.Reference(text, name, kind="literal")


def reference_places(text: str, pattern: re.Pattern[str]) -> tuple[tuple[str, int, int, str], ...]:
    """The groups "target" of `pattern` in lines of `text`, as `Source.reference_places`."""
    return tuple([
        (match["target"], number, match.start("target") + 1, match["target"])
        for number, line in enumerate(text.split("\n"), 1) for match in pattern.finditer(line)
    ])


def build_manual(document: ParsedDocument, name: str) -> tree.Manual:
    """The manual `name` of `document`, whose source is the extracted text."""
    names = frozenset(_names(document.preface, document.sections)) - document.own_names
    writer = _Writer(_Names(names, names - document.placeholders))
    header = writer.header(document.header)
    preface = writer.blocks(document.preface, 0, _Context())
    sections = tuple([writer.section(section, 1) for section in document.sections])
    writer.further_anchors += [(id_, "") for id_ in document.ids]
    content = "".join([f"{line}\n" for line in writer.lines]).encode()
    source = replace(
        read_source(content, document.path), file_line_numbers=tuple(writer.file_line_numbers),
        reference_places=document.reference_places,
    )
    return tree.Manual(
        name=name, source=source, header=header, preface=preface, contents=(),
        contents_span=None, sections=sections, footer=None,
        diagnostics=(*document.diagnostics, *source.diagnostics),
        aliases=writer.aliases(), expected_words=document.expected_words,
    )


def verbatim_manual(
    name: str, path: str, lines: Sequence[str], diagnostics: Sequence[Diagnostic],
    title: str = "", span: tree.Span = NO_SPAN,
) -> tree.Manual:
    """The manual `name` with `lines` as they are, of a text that its reader cannot parse."""
    block = tree.Preformatted(tuple(lines), "", span)
    words = tree.ExpectedWords(tuple(folded_text(" ".join(lines)).split()))
    return build_manual(
        ParsedDocument(path, tree.Header(title), (block,), (), tuple(diagnostics), words), name
    )


def entry(
    kind: str, signatures: Iterable[tuple[str, Sequence[str]]], body: Sequence[tree.Flow],
    anchor: str = "", span: tree.Span = NO_SPAN,
) -> tree.Entry:
    """An entry of `kind`; each of `signatures` is a text with its names, at least one."""
    nodes = tuple([
        tree.Signature(text, span, names[0], names=tuple(names)) for text, names in signatures
    ])
    return tree.Entry(kind, nodes[0].name, nodes, (), "", False, False, tuple(body), anchor, span)


def term(
    content: Iterable[tree.Inline], kind: str = "", names: Sequence[str] = (), anchor: str = ""
) -> tree.Term:
    """A term; one with `names` is an entry of `kind` inside a body."""
    content = tuple(content)
    name = names[0] if names else SPACE.sub(" ", tree.plain_text(content)).strip()
    return tree.Term(content, name, kind, anchor, 0, tuple(names))


def definition(
    terms: Iterable[tree.Term], body: Iterable[tree.Flow], span: tree.Span = NO_SPAN
) -> tree.Definitions:
    """A list of one definition; `merge_definitions` joins such lists."""
    return tree.Definitions((tree.Definition("", tuple(terms), "", tuple(body), span),), span)


Node = TypeVar("Node", bound=tree.Block)


def section(
    title: str, anchor: str, body: Iterable[tree.Block], sections: Iterable[tree.Section],
    span: tree.Span = NO_SPAN,
) -> tree.Section:
    """A section without a number; its level is that of its place."""
    return tree.Section("", title, anchor, 0, tuple(body), tuple(sections), span, span)


def table(
    head: Iterable[tree.Row], rows: Iterable[tree.Row], span: tree.Span = NO_SPAN
) -> tree.Table:
    """A table of these rows."""
    return tree.Table("grid", tuple(head), tuple(rows), 0, (), (), span)


def spanned_cells(
    cells: Iterable[tuple[Iterable[tree.Inline], int, int]], covered: dict[int, int]
) -> tuple[tree.Cell, ...]:
    """The cells of a row; below a cell that covers several rows there are empty ones.

    Each of `cells` is a content, with the number of columns and rows that it covers.  `covered`
    counts for each column the further rows that cells above cover; it is updated.
    """
    row: list[tree.Cell] = []
    column = 0
    for content, columns, rows in (*cells, ((), 0, 0)):  # the last one is the end of the row
        while covered.get(column):
            covered[column] -= 1
            row.append(tree.Cell(()))
            column += 1
        if columns:
            covered.update(dict.fromkeys(range(column, column + columns), rows - 1))
            row.append(tree.Cell(tuple(content), columns))
            column += columns
    return tuple(row)


def merge_definitions(nodes: Iterable[Node]) -> list[Node | tree.Definitions]:
    """`nodes`, neighbouring lists of definitions joined."""
    merged: list[Node | tree.Definitions] = []
    for node in nodes:
        last = merged[-1] if merged else None
        if isinstance(last, tree.Definitions) and isinstance(node, tree.Definitions):
            merged[-1] = replace(last, items=(*last.items, *node.items))
        else:
            merged.append(node)
    return merged


def _names(preface: Sequence[tree.Block], sections: Sequence[tree.Section]) -> Iterable[str]:
    """The names of all entries, those inside bodies too."""
    from_sections = (block for section in sections for block in section.body)
    for block in tree.walk((*preface, *from_sections)):
        match block:
            case tree.Entry():
                yield from block.names
            case tree.Definition():
                for item_term in block.terms:
                    yield from item_term.names
            case tree.Table():
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

    def anchor(self, name: str) -> str:
        """The anchor of `name` here, which another node may have too."""
        return f"{self.prefix}.{name}" if self.prefix else name


@dataclass(slots=True)
class _Writer:
    """Writes `lines`.

    `file_line_numbers` has the line of the file for each line, 0 if not known; `further_anchors`
    has ids with their anchors.
    """

    names: _Names
    lines: list[str] = field(default_factory=list)
    file_line_numbers: list[int] = field(default_factory=list)
    anchors: Anchors = field(default_factory=Anchors)
    further_anchors: list[tuple[str, str]] = field(default_factory=list)

    # --- lines ------------------------------------------------------------------------

    def add_line(self, indent: int, text: str, span: tree.Span) -> int:
        self.lines.append(f"{' ' * indent}{text}".rstrip())
        numbers = self.file_line_numbers
        numbers.append(span.first or (numbers[-1] if numbers else 0))
        return len(self.lines)

    def blank_line(self) -> None:
        if self.lines and self.lines[-1]:
            self.add_line(0, "", NO_SPAN)

    def span_from(self, first: int) -> tree.Span:
        """The span from `first` to the last line that is not empty."""
        last = len(self.lines)
        while last > first and not self.lines[last - 1]:
            last -= 1
        return tree.Span(first, last)

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
            # ids that begin with a dash are the theme's
            if other not in self.anchors and not other.startswith("-"):
                aliases.setdefault(other, anchor)
        return tuple(aliases.items())

    # --- sections and entries ---------------------------------------------------------

    def header(self, header: tree.Header) -> tree.Header:
        origin = header.span or NO_SPAN
        rows: list[tree.HeaderRow] = []
        for row in header.rows:
            text = folded_text(row.text)
            rows.append(tree.HeaderRow(self.add_line(0, text, origin), text))
        self.blank_line()
        return replace(header, rows=tuple(rows), span=tree.Span(1, len(rows)) if rows else None)

    def section(self, section: tree.Section, level: int) -> tree.Section:
        self.blank_line()
        number = folded_text(section.number)
        title = folded_text(section.title) or "…"
        first = self.add_line(0, f"{number} {title}".strip(), section.span)
        self.blank_line()
        anchor = self.new_anchor(number or slug(title), section.anchor)
        body = self.blocks(section.body, 0, _Context(slug(title), title))
        below = tuple([self.section(inner, level + 1) for inner in section.sections])
        title_span, span = tree.Span(first, first), self.span_from(first)
        return tree.Section(number, title, anchor, level, body, below, title_span, span)

    def entry(self, entry: tree.Entry, context: _Context) -> tree.Entry:
        signatures: list[tree.Signature] = []
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
                signature, text=text, anchor=anchors[name], span=tree.Span(line, line)
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

    def blocks(
        self, blocks: Iterable[tree.Block], indent: int, context: _Context
    ) -> tuple[tree.Block, ...]:
        """`blocks` with their lines, without empty ones."""
        written: list[tree.Block] = []
        for block in blocks:
            if isinstance(block, tree.Entry):
                self.blank_line()
                written.append(self.entry(block, context))
                self.blank_line()
            elif (node := self.node(block, indent, context)) is not None:
                written.append(node)
        return tuple(written)

    def flow(
        self, nodes: Iterable[tree.Flow], indent: int, context: _Context
    ) -> tuple[tree.Flow, ...]:
        return tuple([
            written for node in nodes
            if (written := self.node(node, indent, context)) is not None
        ])

    def node(self, node: tree.Flow, indent: int, context: _Context) -> tree.Flow | None:
        """`node` with its lines; None if it is empty."""
        match node:
            case tree.Paragraph() | tree.Heading():
                return self.text(node, indent, context)
            case tree.Preformatted():
                return self.preformatted(node, indent)
            case tree.List():
                items = [self.item(item, indent, context, node.ordered) for item in node.items]
                if not items:
                    return None
                span = tree.Span(items[0].span.first, items[-1].span.last)
                return replace(node, items=tuple(items), span=span)
            case tree.Definitions():
                definitions = [self.definition(item, indent, context) for item in node.items]
                kept = [item for item in definitions if item is not None]
                if not kept:
                    return None
                span = tree.Span(kept[0].span.first, kept[-1].span.last)
                return replace(node, items=tuple(kept), span=span)
            case tree.Table():
                return self.table(node, indent, context)
            case tree.Labelled() | tree.Footnote():
                label = folded_text(node.label)
                first = self.add_line(indent, label, node.span)
                anchored = node
                if isinstance(anchored, tree.Footnote):
                    anchor = self.new_anchor(f"note-{slug(label)}", anchored.anchor)
                    anchored = replace(anchored, anchor=anchor)
                body = self.flow(node.body, indent + INDENT_STEP, context)
                return replace(anchored, label=label, body=body, span=self.span_from(first))
            case tree.BlockQuote():
                start = len(self.lines)
                body = self.flow(node.body, indent + INDENT_STEP, context)
                return replace(node, body=body, span=self.span_from(start + 1)) if body else None
            case tree.Example():
                label, caption, first = self.labelled(node.label, node.caption, indent, node.span)
                body = self.flow(node.body, indent + INDENT_STEP, context)
                return replace(
                    node, label=label, caption=caption, body=body, span=self.span_from(first)
                )
            case tree.SeeAlso():
                label, content, first = self.labelled(node.label, node.content, indent, node.span)
                self.blank_line()
                return replace(node, label=label, content=content, span=tree.Span(first, first))
            case _:
                assert_never(node)

    def labelled(
        self, label: str, content: Sequence[tree.Inline], indent: int, span: tree.Span
    ) -> tuple[str, tuple[tree.Inline, ...], int]:
        """Write `label` and `content` on a line; return them as they are there, and its number."""
        label, nodes = folded_text(label), folded(content, self.names)
        line = self.add_line(indent, f"{label} {tree.plain_text(nodes)}".strip(), span)
        return label, self.with_positions(nodes, line, indent + len(label) + 1), line

    def text(
        self, node: tree.Paragraph | tree.Heading, indent: int, context: _Context
    ) -> tree.Paragraph | tree.Heading | None:
        content = folded(node.content, self.names)
        words = folded_text(tree.plain_text(content))
        if not words:
            return None
        line = self.add_line(indent, words, node.span)
        self.blank_line()
        content = self.with_positions(content, line, indent)
        if isinstance(node, tree.Paragraph):
            return tree.Paragraph(content, tree.Span(line, line))
        anchor = self.new_anchor(context.anchor(slug(words)), node.anchor)
        return tree.Heading(content, anchor, tree.Span(line, line))

    def preformatted(self, node: tree.Preformatted, indent: int) -> tree.Preformatted | None:
        lines = [code_line(line) for line in node.lines]
        while lines and not lines[0]:
            lines.pop(0)
        while lines and not lines[-1]:
            lines.pop()
        if not lines:
            return None
        indentation = min(len(line) - len(line.lstrip()) for line in lines if line)
        lines = [line[indentation:] for line in lines]
        first = len(self.lines) + 1
        for index, line in enumerate(lines):
            origin = node.span.first + index if node.span.first else 0
            self.add_line(indent, line, tree.Span(origin, origin))
        span = self.span_from(first)
        self.blank_line()
        return replace(node, lines=tuple(lines), span=span)

    def item(self, item: tree.Item, indent: int, context: _Context, ordered: bool) -> tree.Item:
        first = len(self.lines) + 1
        if ordered:
            self.add_line(indent, item.marker.strip("()."), item.span)
        body = self.flow(item.body, indent + INDENT_STEP, context)
        if len(self.lines) < first:
            self.add_line(0, "", item.span)
        return tree.Item(item.marker, body, self.span_from(first))

    def definition(
        self, item: tree.Definition, indent: int, context: _Context
    ) -> tree.Definition | None:
        terms: list[tree.Term] = []
        for item_term in item.terms:
            content = folded(item_term.content, self.names if not item_term.names else _Names())
            words = folded_text(tree.plain_text(content))
            if not words:
                continue
            line = self.add_line(indent, words, item.span)
            anchor = ""
            is_short = len(item_term.name) <= MAX_TERM_LENGTH
            if is_short or item_term.anchor:
                name = slug(item_term.name) if is_short else item_term.anchor.split()[0]
                anchor = self.new_anchor(context.anchor(name), item_term.anchor)
            content = self.with_positions(content, line, indent)
            terms.append(replace(item_term, content=content, anchor=anchor, line=line))
        if not terms:
            return None
        body = self.flow(item.body, indent + INDENT_STEP, context)
        self.blank_line()
        return replace(
            item, marker="", terms=tuple(terms), separator="", body=body,
            span=self.span_from(terms[0].line),
        )

    def table(self, node: tree.Table, indent: int, context: _Context) -> tree.Table | None:
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
            span=tree.Span(start + 1, start + len(lines)),
        )

    def row(self, row: tree.Row, indent: int, columns: int, context: _Context) -> tree.Row | None:
        """`row` on one line, its cells side by side; None if it is empty."""
        contents = [folded(cell.content, self.names) for cell in row.cells]
        texts = [folded_text(tree.plain_text(content)) for content in contents]
        if not any(texts):
            return None
        line = len(self.lines) + 1
        cells: list[tree.Cell] = []
        index = indent
        for cell, content, text in zip(row.cells, contents, texts, strict=True):
            extent = tree.Extent(line, index + 1, len(text))
            content = self.with_positions(content, line, index)
            cells.append(tree.Cell(content, cell.columns, (extent,)))
            index += len(text) + len(GAP)
        for _ in range(columns - sum(cell.columns for cell in row.cells)):
            cells.append(tree.Cell((), 1, (tree.Extent(line, index + 1, 0),)))
            index += len(GAP)
        self.add_line(indent, GAP.join(texts), row.span)
        anchor = ""
        if row.name:
            anchor = self.new_anchor(
                qualified_anchor(row.kind, row.name), row.anchor, context.title
            )
        return replace(row, cells=tuple(cells), span=tree.Span(line, line), anchor=anchor)

    # --- inlines ----------------------------------------------------------------------

    def with_positions(
        self, content: tuple[tree.Inline, ...], line: int, indent: int
    ) -> tuple[tree.Inline, ...]:
        """`content` with anchors, and with the place of each reference.

        It is on `line` from the column `indent` (from 0).
        """
        column = indent + 1
        nodes: list[tree.Inline] = []
        for node in content:
            match node:
                case tree.Reference() | tree.Hyperlink():
                    image = self.anchored(node.image) if node.image else None
                    nodes.append(replace(node, line=line, column=column, image=image))
                case tree.Strong() | tree.Emphasis() | tree.Deleted():
                    inner = self.with_positions(node.content, line, column - 1)
                    nodes.append(type(node)(inner))
                case tree.Image():
                    nodes.append(self.anchored(node))
                case tree.Text() | tree.Code() | tree.Argument() | tree.LineBreak():
                    nodes.append(node)
                case _:
                    assert_never(node)
            column += len(node.text)
        return tuple(nodes)

    def anchored(self, image: tree.Image) -> tree.Image:
        ids = image.anchor
        return replace(image, anchor=self.new_anchor(ids.split()[0], ids)) if ids else image


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


def folded(content: Sequence[tree.Inline], names: _Names) -> tuple[tree.Inline, ...]:
    """`content` with white space folded across its nodes, and none at its ends.

    What it sets as literal or emphasizes, and is one of `names`, becomes a reference.
    """
    nodes, _ = _folded(content, names, True)
    return _stripped(nodes)


def _folded(
    content: Sequence[tree.Inline], names: _Names, after_blank: bool
) -> tuple[list[tree.Inline], bool]:
    """The nodes of `folded` with the white space at the end, and whether there is any.

    `after_blank` says whether white space is before `content`.
    """
    nodes: list[tree.Inline] = []
    for node in content:
        match node:
            case tree.LineBreak():
                nodes.append(node)
                after_blank = True
                continue
            case tree.Strong() | tree.Emphasis() | tree.Deleted():
                inner, after_blank = _folded(node.content, names, after_blank)
                if not inner:
                    continue
                is_text = len(inner) == 1 and isinstance(inner[0], tree.Text)
                is_emphasized = isinstance(node, tree.Emphasis)
                reference = names.reference(inner[0].text, is_emphasized) if is_text else None
                nodes.append(reference or type(node)(tuple(inner)))
                continue
            case _:
                pass
        text = SPACE.sub(" ", _safe(node.text))
        if after_blank:
            text = text.removeprefix(" ")
        if not text:
            continue
        after_blank = text.endswith(" ")
        match node:
            case tree.Text() if nodes and isinstance(nodes[-1], tree.Text):
                nodes[-1] = tree.Text(nodes[-1].text + text)
            case tree.Code() if reference := names.reference(text, False):
                nodes.append(reference)
            case _:
                nodes.append(node if text == node.text else replace(node, text=text))
    return nodes, after_blank


def _stripped(nodes: Sequence[tree.Inline]) -> tuple[tree.Inline, ...]:
    stripped = list(nodes)
    while stripped:
        last = stripped.pop()
        match last:
            case tree.LineBreak():
                continue
            case tree.Strong() | tree.Emphasis() | tree.Deleted():
                inner = _stripped(last.content)
                if inner:
                    return (*stripped, type(last)(inner))
            case _:
                if text := last.text.rstrip():
                    return (*stripped, last if text == last.text else replace(last, text=text))
    return ()

