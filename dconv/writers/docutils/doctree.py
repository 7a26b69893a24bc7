"""The linked tree to a docutils document of stock nodes, for docutils' writers and Sphinx.

    section      a section; an entry is one too, titled with its name: outlines list it,
                 no writer's lists nest too deep, and reStructuredText stays flat
    signatures   a literal block of the class `signature`
    usages       a label in bold and a table; for contexts and `default-server` only lines
    labels       a paragraph in bold; notes and warnings are admonitions
    examples     a literal block of the classes `code` and the language's
    definitions  a definition list; its terms have the ids
    references   links with `refid` or `refuri`; the other meanings of an ambiguous
                 name follow in brackets

The names of nodes are their ids.  No word of the tree is left out; `proof` checks that.
Inline nodes are never nested, and cells never span, since reStructuredText and man pages
cannot write that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from docutils import frontend, nodes, utils

from dconv.model import tree
from dconv.model.file_names import file_name
from dconv.writers.docutils.link_targets import (
    CONTENTS,
    LinkTargets,
    OtherDocument,
    identifiers,
    labels,
)
from dconv.writers.docutils.prose import (
    Child,
    inlines,
    link,
    merge_texts,
    strip_lines,
)
from dconv.writers.html.escape import one_line

MAX_LIST_DEPTH = 4  # lists within lists: LaTeX takes four with bullets, ODT five


def make_doctree(
    manual: tree.Manual, title: str = "", other_documents: Mapping[str, OtherDocument] | None = None
) -> nodes.document:
    """The linked `manual` as a docutils document of stock nodes.

    `title` is used if the text has none.  `other_documents` are those of the release;
    references to a document that it lacks are not links.
    """
    link_targets = LinkTargets(
        manual.name, identifiers(manual), dict(labels(manual)), other_documents or {}
    )
    doctree = utils.new_document(file_name(manual.source.path), frontend.get_default_settings())
    doctree += _title_block(manual, title)
    doctree["title"] = doctree[0].astext()
    line = manual.contents_span.first if manual.contents_span else len(manual.source.lines) + 1
    before = [block for block in manual.preface if block.span.first < line]
    after = [block for block in manual.preface if block.span.first >= line]
    doctree += list(_flow(before, link_targets))
    doctree += _contents(manual, link_targets)
    doctree += list(_flow(after, link_targets))
    _sections(doctree, manual, link_targets)
    return doctree


def _sections(doctree: nodes.document, manual: tree.Manual, link_targets: LinkTargets) -> None:
    stack: list[nodes.Element] = [doctree]
    for depth, section in _outline(manual):
        del stack[depth + 1 :]
        node = _section_node(_section_title(section), [section.anchor], link_targets)
        for part in _body(section, link_targets):
            node += part
        stack[-1] += node
        stack.append(node)


def _section_node(title: str, anchors: Iterable[str], link_targets: LinkTargets) -> nodes.section:
    ids = list(dict.fromkeys(link_targets.ids[anchor] for anchor in anchors))
    return nodes.section("", nodes.title("", title), ids=ids, names=list(ids))


def _body(section: tree.Section, link_targets: LinkTargets) -> Iterator[nodes.Element]:
    """The blocks of `section`: text, then entries as sections of their own.

    Text after an entry belongs to the section again, which docutils cannot express: it is in the
    section of the entry, below a transition.
    """
    entry_section: nodes.section | None = None
    has_transition = False
    for block in section.body:
        if isinstance(block, tree.Entry):
            if entry_section is not None:
                yield entry_section
            entry_section, has_transition = _entry(block, link_targets), False
        elif entry_section is None:
            yield from _flow((block,), link_targets)
        else:
            if not has_transition:
                entry_section += nodes.transition()
            entry_section += list(_flow((block,), link_targets))
            has_transition = True
    if entry_section is not None:
        yield entry_section


def _entry(entry: tree.Entry, link_targets: LinkTargets) -> nodes.section:
    anchors = [entry.anchor, *(signature.anchor for signature in entry.signatures)]
    section = _section_node(one_line(entry.title) or "…", anchors, link_targets)
    signatures = [signature.text for signature in entry.signatures]
    if block := literal(signatures, "signature"):
        section += block
    for usage in entry.usages:
        section += list(_usage(usage))
    section += list(_flow(entry.body, link_targets))
    return section


# --- flow -----------------------------------------------------------------------------


def _flow(
    blocks: Iterable[tree.Block], link_targets: LinkTargets, depth: int = 0
) -> Iterator[nodes.Element]:
    """`blocks` as body elements; `depth` counts the lists around them."""
    for node in blocks:
        match node:
            case tree.Paragraph():
                lines = [*filter(None, [
                    inlines(line, link_targets) for line in _lines(node.content)
                ])]
                ids = [link_targets.ids[anchor] for anchor in tree.anchors_of((node,))]
                if len(lines) > 1:
                    yield nodes.line_block("", *[nodes.line("", "", *line) for line in lines])
                else:
                    for paragraph in _paragraph([child for line in lines for child in line]):
                        paragraph["ids"] = paragraph["names"] = ids
                        yield paragraph
            case tree.Preformatted():
                classes = ("code", node.language) if node.language else ()
                if block := literal(node.lines, *classes):
                    yield block
            case tree.Example():
                yield from _label(node.label, node.caption, link_targets)
                yield from _flow(node.body, link_targets, depth)
            case tree.SeeAlso():
                yield from _label(node.label, node.content, link_targets)
            case tree.Labelled():
                yield from _labelled(node, link_targets, depth)
            case tree.Heading():
                yield from _heading(node, link_targets)
            case tree.List() | tree.Definitions():
                yield from _list(node, link_targets, depth)
            case tree.Table():
                head = [_row(row, node.columns, link_targets) for row in node.head]
                rows = [_row(row, node.columns, link_targets) for row in node.rows]
                yield _table(head, rows)
            case tree.BlockQuote():
                yield nodes.block_quote("", *_flow(node.body, link_targets, depth + 1))
            case tree.Footnote():
                for label in _label(node.label, (), link_targets):
                    if node.anchor in link_targets.ids:
                        label["ids"] = label["names"] = [link_targets.ids[node.anchor]]
                    yield label
                yield from _flow(node.body, link_targets, depth)
            case tree.Entry():  # never within a body
                yield from _flow(node.body, link_targets, depth)
            case _:
                assert_never(node)


def _lines(content: Sequence[tree.Inline]) -> list[list[tree.Inline]]:
    """The parts of `content` between its line breaks."""
    lines: list[list[tree.Inline]] = [[]]
    for part in content:
        if isinstance(part, tree.LineBreak):
            lines.append([])
        else:
            lines[-1].append(part)
    return lines


def _paragraph(content: Sequence[nodes.Node]) -> Iterator[nodes.paragraph]:
    if content:
        yield nodes.paragraph("", "", *content)


def literal(lines: Iterable[str], *classes: str) -> nodes.literal_block | None:
    """`lines` as a literal block without blank lines at its ends; None if nothing is left."""
    code = strip_lines([line.rstrip() for line in lines])
    if not code:
        return None
    indent = min(len(line) - len(line.lstrip(" ")) for line in code if line)
    text = "\n".join(line[indent:] for line in code)
    block = nodes.literal_block("", text)
    block["xml:space"] = "preserve"
    block["classes"] += [name for name in map(nodes.make_id, classes) if name]
    return block


def _label(
    label: str, content: tuple[tree.Inline, ...], link_targets: LinkTargets
) -> Iterator[nodes.paragraph]:
    """A label in bold, and what follows it."""
    label_nodes: list[nodes.Node] = []
    if words := one_line(label):
        label_nodes.append(nodes.strong("", f"{words}:"))
    content_nodes = inlines(content, link_targets)
    if label_nodes and content_nodes:
        label_nodes.append(nodes.Text(" "))
    if label_nodes and content_nodes and isinstance(content_nodes[0], nodes.Text):
        label_nodes[-1:] = [nodes.Text(f" {content_nodes.pop(0).astext()}")]
    yield from _paragraph([*label_nodes, *content_nodes])


def _labelled(
    node: tree.Labelled, link_targets: LinkTargets, depth: int
) -> Iterator[nodes.Element]:
    words = one_line(node.label)
    match node.kind:
        case "note" | "warning":
            body = list(_flow(node.body, link_targets, depth))
            if body and words:
                title = nodes.title("", words)
                yield nodes.admonition("", title, *body, classes=[node.kind])
                return
            yield from _label(node.label, (), link_targets)
            yield from body
        case "arguments" | "label":
            first = node.body[0] if node.body else None
            if isinstance(first, tree.Paragraph) and len(node.body) == 1:
                yield from _label(node.label, first.content, link_targets)
                return
            yield from _label(node.label, (), link_targets)
            yield from _flow(node.body, link_targets, depth)
        case _:
            assert_never(node.kind)


def _heading(node: tree.Heading, link_targets: LinkTargets) -> Iterator[nodes.paragraph]:
    """A small title: a paragraph in bold, which all writers show as such."""
    if words := one_line(tree.plain_text(node.content)):
        paragraph = nodes.paragraph("", "", nodes.strong("", words))
        if node.anchor:
            paragraph["ids"] = [link_targets.ids[node.anchor]]
            paragraph["names"] = [link_targets.ids[node.anchor]]
        yield paragraph


def _list(
    node: tree.List | tree.Definitions, link_targets: LinkTargets, depth: int
) -> Iterator[nodes.Element]:
    """A list; one that LaTeX finds too deep is written as the paragraphs of its items."""

    def item_body(body: Sequence[tree.Flow]) -> list[nodes.Element]:
        return list(_flow(body, link_targets, depth + 1))

    match node:
        case tree.List():
            if depth < MAX_LIST_DEPTH:
                yield from _list_items(node, item_body)
            else:
                for item in node.items:
                    yield from _with_marker(item, item_body(item.body))
        case tree.Definitions():
            if depth < MAX_LIST_DEPTH:
                yield nodes.definition_list("", *[
                    nodes.definition_list_item(
                        "", _terms(row, link_targets, nodes.term),
                        nodes.definition("", *(item_body(row.body) or [nodes.comment()])),
                    )
                    for row in node.items
                ])
            else:
                for row in node.items:
                    yield _terms(row, link_targets, nodes.paragraph)
                    yield from item_body(row.body)
        case _:
            assert_never(node)


# --- title block ----------------------------------------------------------------------

# levels of sections; deeper ones are beside each other.  ODT has seven, one is for entries
MAX_SECTION_DEPTH = 6


def _title_block(manual: tree.Manual, title: str) -> list[nodes.Element]:
    """Title, subtitle and bibliographic fields of `manual`.

    Every word of the header is in one of them; `title` serves where it has none.
    """
    header = manual.header
    title_rows, fields = header.titles_and_fields()
    title_words = " ".join(row.text for row in title_rows).split()
    elements: list[nodes.Element] = []
    first, second = one_line(header.title), one_line(header.subtitle)
    if title_words != f"{first} {second}".split() or not first:
        first, second = " ".join(title_words), ""
    elements.append(nodes.title("", first or one_line(title) or manual.name))
    if second:
        elements.append(nodes.subtitle("", second))
    if fields:
        kinds = {one_line(header.date): nodes.date, one_line(header.version): nodes.version}
        elements.append(nodes.docinfo("", *[
            kinds.get(row.text, nodes.author)("", row.text) for row in fields
        ]))
    return elements


# --- the table of contents ------------------------------------------------------------


def _contents(manual: tree.Manual, link_targets: LinkTargets) -> list[nodes.Element]:
    """The table of contents, made from the sections, and lines that only the source's own has.

    These are a list of their own, because writers may replace the table by one with page numbers.
    """
    contents_lines: dict[str, list[tree.ContentsLine]] = {}
    for line in manual.contents:
        contents_lines.setdefault(line.number or one_line(line.title), []).append(line)
    elements: list[nodes.Element] = []
    if manual.sections:
        span = manual.contents_span
        words = one_line(manual.source.lines[span.first - 1].text).rstrip(" :") if span else ""
        title = nodes.title("", words or "Contents")
        listed = _section_list(manual, link_targets, contents_lines)
        topic = nodes.topic("", title, listed, classes=["contents"])
        topic["ids"], topic["names"] = [CONTENTS], [CONTENTS]
        elements.append(topic)
    unmatched = [line for lines in contents_lines.values() for line in lines]
    unmatched.sort(key=lambda line: line.line)
    if unmatched:
        elements.append(nodes.paragraph("", "", nodes.strong("", "In the summary of the text:")))
        paragraphs = [
            nodes.paragraph("", one_line(f"{line.number} {line.title}")) for line in unmatched
        ]
        items = [nodes.list_item("", paragraph) for paragraph in paragraphs]
        elements.append(nodes.bullet_list("", *items, bullet="-"))
    return elements


def _section_list(
    manual: tree.Manual, link_targets: LinkTargets,
    contents_lines: dict[str, list[tree.ContentsLine]],
) -> nodes.bullet_list:
    """All sections as nested lists; removes from `contents_lines` those that say the same."""
    root = nodes.bullet_list(bullet="-")
    lists = [root]
    items: list[nodes.list_item] = []
    for depth, section in _outline(manual):
        del lists[depth + 1 :]
        if depth == len(lists):  # the first below its parent
            below = nodes.bullet_list(bullet="-")
            items[-1] += below
            lists.append(below)
        lines = contents_lines.get(section.number or one_line(section.title), [])
        same = [line for line in lines if one_line(line.title) == one_line(section.title)]
        if same:
            lines.remove(same[0])
        words = _section_title(section)
        attributes = link_targets.attributes(tree.Target(manual.name, section.anchor))
        row = merge_texts([link(words, attributes) if attributes else words])
        items.append(nodes.list_item("", nodes.paragraph("", "", *row)))
        lists[depth] += items[-1]
    return root


def _outline(manual: tree.Manual) -> Iterator[tuple[int, tree.Section]]:
    """Every section in source order with its depth from 0, at most `MAX_SECTION_DEPTH`."""
    for section, depth in tree.sections_with_depth(manual):
        yield min(depth, MAX_SECTION_DEPTH - 1), section


def _section_title(section: tree.Section) -> str:
    """The title of `section` with its number: `4.2 Keywords`."""
    return one_line(f"{section.number} {section.title}") or "…"


# --- lists ----------------------------------------------------------------------------

# "12.", "b)", "(3)"; a list of Roman numbers looks like one of letters
NUMBER = re.compile(r"(\(?)([0-9]{1,9}|[A-HJ-Za-hj-z])([.)])$")
LETTER = re.compile(r"(\(?)([A-Za-z])([.)])$")

ItemBody = Callable[[Sequence[tree.Flow]], list[nodes.Element]]


def _list_items(node: tree.List, item_body: ItemBody) -> Iterator[nodes.Element]:
    """`node` as a list; `item_body` makes the body of an item.

    Numbers that do not count up by one are in the text of a list with bullets.
    """
    numbering = _numbering([item.marker for item in node.items]) if node.ordered else None
    items: list[nodes.list_item] = []
    for item in node.items:
        body = item_body(item.body)
        if node.ordered and not numbering:
            body = _with_marker(item, body)
        items.append(nodes.list_item("", *body))
    if items and numbering:
        yield nodes.enumerated_list("", *items, **numbering)
    elif items:
        yield nodes.bullet_list("", *items, bullet="-")


def _numbering(markers: Sequence[str]) -> dict[str, str | int] | None:
    """The attributes of an enumerated list with these `markers`, or None."""
    first = NUMBER.match(markers[0]) if markers else None
    if first is None:
        return None
    style = "arabic" if first[2].isdigit() else "loweralpha"
    if first[2].isupper():
        style = "upperalpha"
    for offset, marker in enumerate(markers):
        match = NUMBER.match(marker) if style == "arabic" else LETTER.match(marker)
        if match is None or (match[1], match[3]) != (first[1], first[3]):
            return None
        if match[2].isdigit() != first[2].isdigit() or match[2].isupper() != first[2].isupper():
            return None
        if _ordinal(match[2]) != _ordinal(first[2]) + offset:
            return None
    attributes: dict[str, str | int] = {"enumtype": style, "prefix": first[1], "suffix": first[3]}
    if _ordinal(first[2]) != 1:
        attributes["start"] = _ordinal(first[2])
    return attributes


def _ordinal(number: str) -> int:
    return int(number) if number.isdigit() else ord(number.casefold()) - ord("a") + 1


def _with_marker(item: tree.Item, body: list[nodes.Element]) -> list[nodes.Element]:
    """`body` with the item's bullet or number in front, as text."""
    marker = one_line(item.marker)
    if marker and body and isinstance(body[0], nodes.paragraph):
        children = list(body[0].children)
        text = ""
        if isinstance(children[0], nodes.Text):
            text = children.pop(0).astext()
        body[0].children = []
        body[0] += [nodes.Text(f"{marker} {text}"), *children]
    elif marker:
        body.insert(0, nodes.paragraph("", marker))
    return body


def _terms(
    item: tree.Definition, link_targets: LinkTargets, kind: type[nodes.term | nodes.paragraph]
) -> nodes.term | nodes.paragraph:
    """The terms of `item` as one element: reStructuredText allows one line only."""
    children: list[Child] = []
    if item.marker[:1].isalnum():
        children.append(f"{item.marker} ")
    for number, term in enumerate(item.terms):
        children += [", "] if number else []
        children += inlines(term.content, link_targets)
    if item.separator not in ("", ":"):
        children.append(f" {item.separator}")
    element = kind("", "", *(merge_texts(children) or [nodes.Text("…")]))
    element["ids"] = [link_targets.ids[term.anchor] for term in item.terms if term.anchor]
    element["names"] = list(element["ids"])
    return element


# --- tables and usages ----------------------------------------------------------------

MIN_COLUMN_WIDTH, MAX_COLUMN_WIDTH = 3, 50  # characters that a column is at least and at most wide


def _usage(node: tree.Usage) -> Iterator[nodes.Element]:
    """Yield a usage: a label, with a table where there are states."""
    match node.kind:
        case "contexts":
            names = ", ".join(one_line(name) for name, _ in node.values)
            yield _usage_line("May be used in contexts", names)
        case "default-server":
            for name, state in node.values:
                yield _usage_line(one_line(name), one_line(state))
        case "sections" | "rule sets":
            if node.values:
                yield _usage_line(f"May be used in {node.kind}", "")
                head = _plain_row([one_line(name) for name, _ in node.values])
                states = _plain_row([one_line(state) for _, state in node.values])
                yield _table([head], [states])
        case _:
            assert_never(node.kind)


def _usage_line(label: str, text: str) -> nodes.paragraph:
    paragraph = nodes.paragraph("", "", nodes.strong("", f"{label}:"))
    if text:
        paragraph += nodes.Text(f" {text}")
    return paragraph


def _plain_row(cells: Sequence[str]) -> nodes.row:
    return nodes.row(
        "", *[nodes.entry("", *([nodes.paragraph("", cell)] if cell else [])) for cell in cells]
    )


def _row(row: tree.Row, columns: int, link_targets: LinkTargets) -> nodes.row:
    """`row` with at least `columns` cells; one over several columns is followed by empty ones."""
    cells = nodes.row()
    identifiers = [link_targets.ids[row.anchor]] if row.anchor else []
    for cell in row.cells:
        content = inlines(cell.content, link_targets)
        entry = nodes.entry()
        if content:
            paragraph = nodes.paragraph("", "", *content)
            paragraph["ids"], paragraph["names"] = identifiers, list(identifiers)
            identifiers = []
            entry += paragraph
        cells += entry
        cells += [nodes.entry() for _ in range(cell.columns - 1)]
    cells += [nodes.entry() for _ in range(columns - len(cells))]
    return cells


def _table(head: list[nodes.row], rows: list[nodes.row]) -> nodes.table:
    """A table of rows that are as long as the longest; a table of heads only has rows only."""
    if not rows:
        head, rows = [], head
    columns = max((len(row) for row in (*head, *rows)), default=1)
    for row in (*head, *rows):
        row += [nodes.entry() for _ in range(columns - len(row))]
    group = nodes.tgroup(cols=columns)
    for index in range(columns):
        longest = max(len(row[index].astext()) for row in (*head, *rows))
        group += nodes.colspec(colwidth=min(max(longest, MIN_COLUMN_WIDTH), MAX_COLUMN_WIDTH))
    if head:
        group += nodes.thead("", *head)
    group += nodes.tbody("", *rows)
    return nodes.table("", group, classes=["colwidths-given"])
