"""Convert elements to blocks; terms that are names become entries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from itertools import takewhile

from bs4 import PageElement, Tag

from dconv.model import tree
from dconv.model.values import dataclass
from dconv.readers.extracted_text import (
    NO_SPAN,
    definition,
    folded_text,
    spanned_cells,
    table,
    term,
)
from dconv.readers.html import soup
from dconv.readers.html.inlines import CODE, image_text, inlines, trimmed
from dconv.readers.html.names import OPTION, read_names
from dconv.readers.names import MIN_NAMES, TECHNICAL_WORD, kind_of_title

MAX_DEPTH = 40  # blocks inside each other; what is deeper is a paragraph
# titles above what changed: "Version 1.2", "Fixed", "News"
CHANGES = re.compile(r"\d\.\d|\bchange|\bnews\b|^(?:added|fixed|removed|deprecated)", re.IGNORECASE)
MIN_NAMED_SHARE = 0.6  # of the terms or items are names, where a list documents names
NOTES: dict[str, tree.LabelKind] = {
    "note": "note", "tip": "note", "hint": "note", "important": "note", "admonition": "note",
    "admonitionblock": "note", "seealso": "note", "info": "note", "warning": "warning",
    "caution": "warning", "danger": "warning", "attention": "warning", "error": "warning",
}
TITLES = frozenset(("title", "admonition-title", "topic-title", "summary", "heading"))
FOOTNOTES = frozenset(("footnotes", "footnote", "footnote-list", "citation"))
# a class of code: "language-ini", "lang-sh", "highlight-python3"
LANGUAGE = re.compile(r"(?:language|lang|highlight|src|brush)[-:]([a-z0-9+#_-]+)")
# the head of a column of names
NAME_COLUMN = re.compile(
    r"(?:(?:long |short |command[- ]line |environment |config(?:uration)? )?"
    r"(?:options?|names?|flags?|settings?|parameters?|variables?|directives?|commands?|keys?"
    r"|propert(?:y|ies)|attributes?|fields?|keywords?|arguments?|switch(?:es)?))",
    re.IGNORECASE,
)


@dataclass(slots=True)
class BlockReader:
    """Reads the elements of one document as blocks.

    `li_numbers` has the numbers of the `li` of the document, by `id()`; `li_name_lengths` maps
    numbers of those that define a name ("<li>-v: print more") to how many words the name has;
    `claimed_ids` are those that a node has.
    """

    li_numbers: dict[int, int]
    li_name_lengths: dict[int, int] = field(default_factory=dict)
    claimed_ids: set[str] = field(default_factory=set)

    # --- flow -------------------------------------------------------------------------

    def flow(self, children: Iterable[Tag | str], title: str, depth: int = 0) -> list[tree.Flow]:
        """The blocks of `children`, which are in the section `title`."""
        blocks: list[tree.Flow] = []
        line: list[Tag | str] = []
        for child in children:
            if isinstance(child, str) or not soup.is_block(child):
                line.append(child)
                continue
            blocks += _paragraph(line)
            line = []
            if depth > MAX_DEPTH:
                blocks += _flattened(child)
            else:
                blocks += self.block(child, title, depth)
        return blocks + _paragraph(line)

    def block(self, tag: Tag, title: str, depth: int) -> list[tree.Flow]:
        name = tag.name
        depth += 1
        if name in soup.VERBATIM:
            return [preformatted(tag)]
        if (kind := _note_kind(tag)) and (label := _label(tag)) is not None:
            label_words = folded_text(label_text(label))
            label.extract()
            body = self.flow(soup.children(tag), title, depth)
            return [tree.Labelled(label_words, kind, tuple(body), soup.span_of(tag))]
        if kind or name == "blockquote":
            body = self.flow(soup.children(tag), title, depth)
            return [tree.BlockQuote(tuple(body), soup.span_of(tag))]
        if name in soup.HEADINGS or name == "summary":  # of what a browser can hide
            return self.heading(tag, title, depth)
        if name in soup.LISTS:
            return self.list_or_definitions(tag, title, depth)
        if name == "dl":
            return self.definitions(tag, title, depth)
        if name == "table":
            return self.table(tag, title, depth)
        if name == "p" and not any(soup.is_block(child) for child in soup.child_elements(tag)):
            return _paragraph([*soup.children(tag)], soup.span_of(tag))
        return self.flow(soup.children(tag), title, depth)

    def heading(self, tag: Tag, title: str, depth: int) -> list[tree.Flow]:
        """A small title; blocks in it follow it."""
        first, rest = soup.split_heading(tag)
        content = inlines(first)
        if not tree.plain_text(content).strip():
            return self.flow(rest, title, depth)
        node = tree.Heading(content, self.claim_ids(tag), soup.span_of(tag))
        return [node, *self.flow(rest, title, depth)]

    def claim_ids(self, *tags: Tag) -> str:
        """The ids of `tags` and of elements in them that no other node has."""
        return self.claim([tag_id for tag in tags for tag_id in soup.ids_in(tag)])

    def claim(self, ids: Iterable[str]) -> str:
        """Those of `ids` that no other node has, separated by blanks."""
        new_ids = [tag_id for tag_id in ids if tag_id not in self.claimed_ids]
        self.claimed_ids.update(new_ids)
        return " ".join(new_ids)

    # --- lists ------------------------------------------------------------------------

    def list_or_definitions(self, tag: Tag, title: str, depth: int) -> list[tree.Flow]:
        """A list; one that documents names becomes definitions."""
        groups = soup.list_items(tag)
        if not groups:
            return []
        if tag.name == "ol" and any("footnotes" in soup.classes(parent) for parent in tag.parents):
            return [
                tree.Footnote(
                    number, self.claim_ids(*group),
                    tuple(self.flow(soup.item_content(group), title, depth)),
                    soup.span_of(group[0]),
                )
                for group, number in soup.numbered_items(tag, groups)
            ]
        if tag.name != "ol" and not CHANGES.search(title):
            named_items = self.named_items(groups, title, depth)
            if named_items:
                return named_items
        ordered = tag.name == "ol"
        items: list[tree.Item] = []
        before: list[tree.Flow] = []
        for group, number in soup.numbered_items(tag, groups):
            body = self.flow(soup.item_content(group), title, depth)
            if group[0].name != "li":
                before += body
                continue
            marker = f"{number}." if ordered else "-"
            items.append(tree.Item(marker, tuple(body), soup.span_of(group[0])))
        return [*before, tree.List(ordered, tuple(items), soup.span_of(tag))] if items else before

    def named_items(
        self, groups: Sequence[Sequence[Tag]], title: str, depth: int
    ) -> list[tree.Flow]:
        """The items of a list that documents options or other names; nothing if few do."""
        items = [named_item(group, title) for group in groups]
        with_text = [item for item in items if item is not None and has_description(item)]
        if len(groups) < 2 or len(with_text) < MIN_NAMED_SHARE * len(groups):
            return []
        if not kind_of_title(title) and not are_names_below_any_title(with_text):
            return []
        blocks: list[tree.Flow] = []
        for group, item in zip(groups, items, strict=True):
            if item is None:
                body = self.flow(soup.item_content(group), title, depth)
                unnamed = tree.Item("-", tuple(body), soup.span_of(group[0]))
                blocks.append(tree.List(False, (unnamed,), unnamed.span))
                continue
            body = [
                *_text_paragraph(item.text, soup.span_of(group[0])),
                *self.flow(item.rest, title, depth),
            ]
            item_term = replace(item.term, anchor=self.claim_ids(*group))
            if item.has_separator and id(group[0]) in self.li_numbers:
                length = len(folded_text(tree.plain_text(item_term.content)).split())
                self.li_name_lengths[self.li_numbers[id(group[0])]] = length
            blocks.append(definition([item_term], body, soup.span_of(group[0])))
        return blocks

    # --- definitions ------------------------------------------------------------------

    def definitions(self, tag: Tag, title: str, depth: int) -> list[tree.Flow]:
        """The definitions of a `dl`; one that defines a name is a list of its own."""
        groups = [*_groups(tag)]
        if FOOTNOTES & soup.classes(tag):  # the terms are the marks
            notes: list[tree.Flow] = []
            for terms, body in groups:
                label = folded_text("".join(map(soup.text_of, terms)))
                anchor = self.claim_ids(*terms, *(node for node in body if isinstance(node, Tag)))
                flow = self.flow(body, title, depth)
                notes += [
                    tree.Footnote(label, anchor, tuple(flow), soup.span_of(terms[0]))
                ] if label else flow
            return notes
        terms_of_groups = [[self.term(item, title) for item in terms] for terms, _ in groups]
        all_named = [
            all(item.names for item in group_terms)
            for group_terms in terms_of_groups if group_terms
        ]
        most_are_names = any(all_named) and sum(all_named) >= MIN_NAMED_SHARE * len(all_named)
        blocks: list[tree.Flow] = []
        for group_terms, (terms, body) in zip(terms_of_groups, groups, strict=True):
            flow = self.flow(body, title, depth)
            group_terms = [item for item in group_terms if tree.plain_text(item.content).strip()]
            if not group_terms:
                blocks += flow
                continue
            if not most_are_names or not all(item.names for item in group_terms):
                group_terms = [term(item.content) for item in group_terms]
            tags = [*terms, *(node for node in body if isinstance(node, Tag))]
            group_terms[0] = replace(group_terms[0], anchor=self.claim_ids(*tags))
            new_list = definition(group_terms, flow, soup.span_of(terms[0]))
            above = blocks[-1] if blocks else None
            if not group_terms[0].kind and isinstance(above, tree.Definitions) and not any(
                item_term.kind for above_item in above.items for item_term in above_item.terms
            ):
                blocks[-1] = replace(above, items=(*above.items, *new_list.items))
            else:
                blocks.append(new_list)
        return blocks

    def term(self, tag: Tag, title: str) -> tree.Term:
        content = inlines(soup.children(tag))
        names = read_names(content, title, is_literal="sig" in soup.classes(tag))
        if names is None:
            return term(content)
        return term(content, names.kind, names.names)

    # --- tables -----------------------------------------------------------------------

    def table(self, tag: Tag, title: str, depth: int) -> list[tree.Flow]:
        """A table; of one that only lays out a page, what is in its cells."""
        rows = [
            row for row in soup.elements(tag)
            if row.name == "tr" and row.find_parent("table") is tag
        ]
        outside = [child for child in outside_rows(tag) if isinstance(child, Tag) or child.strip()]
        blocks = self.flow(outside, title, depth)
        if options := self.options(tag, rows, title, depth):
            return blocks + options
        if is_layout(tag, rows):
            cells = [cell for row in rows for cell in cells_of(row)]
            for cell in cells:
                blocks += self.flow(soup.children(cell), title, depth)
            return blocks
        head, body = self.rows(tag, rows, title)
        if not body:
            head, body = (), head
        return [*blocks, table(head, body, soup.span_of(tag))] if body else blocks

    def options(self, tag: Tag, rows: Sequence[Tag], title: str, depth: int) -> list[tree.Flow]:
        """The rows of the table `tag` if they are options below no head, as definitions, or none.

        The first cell with words is the term.  A row that starts with an empty cell has the
        text of an option above it without one.
        """
        has_head = any(all(cell.name == "th" for cell in cells_of(row)) for row in rows)
        if has_head or any(element.name == "table" for element in soup.elements(tag)):
            return []
        filled = [
            [
                cell for cell in cells_of(row)
                if tree.plain_text(inlines(soup.children(cell))).strip()
            ] for row in rows
        ]
        filled_rows = [(row, cells) for row, cells in zip(rows, filled, strict=True) if cells]
        terms = [self.term(cells[0], title) for _, cells in filled_rows]
        described = [
            row_term for row_term, (_, cells) in zip(terms, filled_rows, strict=True)
            if len(cells) > 1
        ]
        options = [row_term for row_term in described if row_term.kind == "option"]
        if len(options) < max(2, MIN_NAMED_SHARE * len(described)):
            return []
        return self.option_list(filled_rows, terms, title, depth)

    def option_list(
        self, rows: Sequence[tuple[Tag, Sequence[Tag]]], terms: Sequence[tree.Term], title: str,
        depth: int,
    ) -> list[tree.Flow]:
        """The definitions of `rows`, each with its cells that are not empty and its term."""
        blocks: list[tree.Flow] = []
        open_option: tree.Term | None = None  # one without a text, the last of `blocks`
        for (row, cells), row_term in zip(rows, terms, strict=True):
            is_option = row_term.kind == "option"
            is_term = is_option or len(cells) > 1
            body = [
                node for cell in (cells[1:] if is_term else cells)
                for node in self.flow(soup.children(cell), title, depth)
            ]
            if open_option and not is_option and cells_of(row)[0] is not cells[0]:
                blocks[-1] = definition([open_option], body, blocks[-1].span)
                open_option = None
                continue
            if not is_term:
                blocks += body
                continue
            names = row_term.names if is_option else ()
            shown_term = term(
                trimmed(row_term.content), row_term.kind if is_option else "", names,
                self.claim_ids(row),
            )
            blocks.append(definition([shown_term], body, soup.span_of(row)))
            open_option = shown_term if is_option and not body else None
        return blocks

    def rows(
        self, tag: Tag, rows: Sequence[Tag], title: str
    ) -> tuple[tuple[tree.Row, ...], tuple[tree.Row, ...]]:
        """The rows of the head and of the body of the table `tag`."""
        head: list[tree.Row] = []
        body: list[tree.Row] = []
        covered: dict[int, int] = {}  # how many further rows each column is covered
        kind: str | None = None  # of the names in the first column, if it has names
        for row in rows:
            cells = cells_of(row)
            filled = filled_row(row, cells, covered)
            in_head = row.parent is not None and row.parent.name == "thead"
            is_head = not body and cells and (in_head or all(cell.name == "th" for cell in cells))
            if is_head:
                head.append(filled)
                first = tree.plain_text(filled.cells[0].content).strip() if filled.cells else ""
                kind = kind_of_title(first) if NAME_COLUMN.fullmatch(first) else None
                continue
            if kind is not None and filled.cells:
                filled = self.named_row(filled, row, kind, title)
            body.append(filled)
        return tuple(head), tuple(body)

    def named_row(self, row: tree.Row, tag: Tag, kind: str, title: str) -> tree.Row:
        """`row` as an item, if its first cell is a name."""
        content = row.cells[0].content
        text = tree.plain_text(content)
        is_literal = content and (isinstance(content[0], tree.Code) or OPTION.match(text))
        names = read_names(content, title) if is_literal else None
        if names is None:
            return row
        row_kind = names.kind if names.kind != "keyword" else kind or "keyword"
        return replace(
            row, name=names.names[0], kind=row_kind, anchor=self.claim_ids(tag), names=names.names
        )


def _paragraph(children: Sequence[Tag | str], span: tree.Span = NO_SPAN) -> list[tree.Flow]:
    """A paragraph of `children`, unless they are blank."""
    if not children:
        return []
    if span is NO_SPAN:
        span = next((soup.span_of(child) for child in children if isinstance(child, Tag)), NO_SPAN)
    return _text_paragraph(inlines(children), span)


def _text_paragraph(content: Sequence[tree.Inline], span: tree.Span) -> list[tree.Flow]:
    content = trimmed(content)
    words = tree.plain_text(tuple(content)).strip()
    return [tree.Paragraph(tuple(content), span)] if words else []


def _flattened(tag: Tag) -> list[tree.Flow]:
    """What is in `tag`, which is too deep for its structure: paragraphs."""
    texts = (" ".join(child.splitlines()) if child != "\n" else child for child in _texts(tag))
    lines = "".join(texts).split("\n")
    return [tree.Paragraph((tree.Text(line),), soup.span_of(tag)) for line in lines if line.strip()]


def _texts(tag: Tag) -> Iterator[str]:
    """The texts in `tag`, with line ends around its blocks and words for its images."""
    after_blocks: set[int] = set()  # the ids of what follows blocks
    starts_line = False
    for child in tag.descendants:
        starts_line = starts_line or id(child) in after_blocks
        text = child if isinstance(child, str) and soup.element_or_text(child) is not None else ""
        if isinstance(child, Tag) and child.name == "img":
            text = image_text(child)
        if text:
            if starts_line and not text.startswith("\n"):
                yield "\n"
            starts_line = False
            yield text
        elif isinstance(child, Tag) and (child.name in soup.BLOCKS or child.name == "br"):
            starts_line = False
            yield "\n"
            if child.name in soup.BLOCKS:
                after_blocks.add(id(_node_after(child)))


def _node_after(tag: Tag) -> PageElement | None:
    """What follows `tag`, or the elements of a line that it ends; None at the end of a block."""
    while tag.next_sibling is None and tag.parent and tag.parent.name not in soup.BLOCKS:
        tag = tag.parent
    return tag.next_sibling


def _note_kind(tag: Tag) -> tree.LabelKind | None:
    if tag.name not in ("div", "aside", "section", "details"):
        return None
    kinds = {NOTES[css_class] for css_class in soup.classes(tag) if css_class in NOTES}
    return "warning" if "warning" in kinds else "note" if kinds else None


def _label(tag: Tag) -> Tag | None:
    """The title of the note `tag`, before all else in it."""
    for element in soup.elements(tag):
        name, css_classes = element.name, soup.classes(element)
        is_title = name in soup.HEADINGS or name == "summary" or TITLES & css_classes or (
            name == "td" and "icon" in css_classes
        )
        if name in soup.BLOCKS and is_title and label_text(element).strip():
            return element
        if name in ("p", "pre", "ul", "ol", "dl"):
            return None
    return None


def label_text(tag: Tag) -> str:
    """The text of the label of a note, or that of its image."""
    images = [image_text(element) for element in soup.elements(tag) if element.name == "img"]
    return soup.text_of(tag) if soup.text_of(tag).strip() else " ".join(images)


# --- code -----------------------------------------------------------------------------


def preformatted(tag: Tag) -> tree.Preformatted:
    """The lines of `tag`."""
    lines = "".join(_texts(tag)).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    span = soup.span_of(tag)
    first = span.first + 1 if span.first and not lines[0].strip() else span.first
    span = tree.Span(first, first) if first else NO_SPAN
    return tree.Preformatted(tuple(lines), _language(tag), span)


def _language(tag: Tag) -> str:
    """The language that the classes of `tag`, of the code in it or of its parents name."""
    around = [parent for _, parent in zip(range(2), tag.parents, strict=False)]
    inner = [element for element in soup.child_elements(tag) if element.name in CODE]
    for element in (*inner, tag, *around):
        for name in sorted(soup.classes(element)):
            if match := LANGUAGE.fullmatch(name):
                return match[1] if match[1] not in ("default", "none", "text") else ""
    return ""


# --- definitions ----------------------------------------------------------------------


def _groups(tag: Tag) -> Iterator[tuple[list[Tag], list[Tag | str]]]:
    """The terms of a `dl` with what describes them."""
    terms: list[Tag] = []
    body: list[Tag | str] = []
    for child in _definition_parts(tag):
        if isinstance(child, str) and not child.strip():
            continue
        if isinstance(child, Tag) and child.name == "dt":
            if body:
                yield terms, body
                terms, body = [], []
            terms.append(child)
        else:
            body.append(child)
    if terms or body:
        yield terms, body


def _definition_parts(tag: Tag) -> Iterator[Tag | str]:
    """What is in a `dl`, also inside the `div` that may group it."""
    for child in soup.children(tag):
        if isinstance(child, Tag) and child.name == "div" and any(
            inner.name == "dt" for inner in soup.child_elements(child)
        ):
            yield from soup.children(child)
        else:
            yield child


# --- items that start with a name -----------------------------------------------------


# "~/.lamps", "/etc/lamps", "lamp.conf"
FILE_NAME = re.compile(r"~?/.*|.*\.(?:[ch]|conf|html?|js|json|md|py|r[bs]|rst|sh|ts|txt|xml|ya?ml)")
# what is between a name and its text in the item of a list: ":", " - ", " (since 2.0):", or the end
# of such a note: ", required):"
NOTE_AND_SEPARATOR = re.compile(
    r"(?P<note>\s*\([^()]*\)|[^()]*\))?\s*(?P<separator>:|[-–—]{1,3}(?=\s|$))?(?P<rest>.*)",
    re.DOTALL,
)
# between two names of an item, or the start of a note: " (default: "
BETWEEN_NAMES = re.compile(r"\s*(?:[,/|]|or)\s+|\s+|\s*\([^()]*")


@dataclass(frozen=True, slots=True)
class NamedItem:
    """The item of a list: its name, its text, its other blocks.

    `has_separator` says whether a separator is between name and text.
    """

    term: tree.Term
    text: tuple[tree.Inline, ...]
    rest: Sequence[Tag | str]
    has_separator: bool


def named_item(group: Sequence[Tag], title: str) -> NamedItem | None:
    """What is in an item of a list that starts with a name, or None."""
    children = [*soup.item_content(group)]
    while children and isinstance(children[0], str) and not children[0].strip():
        del children[0]
    if not children:
        return None
    first = children[0]
    if isinstance(first, Tag) and first.name == "p":
        line, rest = [*soup.children(first)], children[1:]
    else:
        line = list(takewhile(lambda it: isinstance(it, str) or not soup.is_block(it), children))
        rest = children[len(line) :]
    content = inlines(line)
    split = _split_term(content)
    if split is None:
        return None
    term_content, text, has_separator = split
    names = read_names(term_content, title)
    if names is None or (not has_separator and tree.plain_text(text).strip()):
        return None
    return NamedItem(term(term_content, names.kind, names.names), text, rest, has_separator)


def are_names_below_any_title(items: Sequence[NamedItem]) -> bool:
    """Whether `items` are names whatever the title above: options, or words of no language."""
    if all(item.term.kind == "option" for item in items):
        return True
    names = [name for item in items for name in item.term.names]
    return len(names) >= MIN_NAMES and len(set(names)) == len(names) and all(
        TECHNICAL_WORD.fullmatch(name) and not FILE_NAME.fullmatch(name) for name in names
    ) and all(isinstance(item.term.content[0], tree.Code) for item in items)


def has_description(item: NamedItem) -> bool:
    """Whether there is more in an item than its name."""
    return bool(tree.plain_text(item.text).strip()) or any(
        isinstance(node, Tag) or node.strip() for node in item.rest
    )


def _split_term(
    content: tuple[tree.Inline, ...]
) -> tuple[tuple[tree.Inline, ...], tuple[tree.Inline, ...], bool] | None:
    """`content` cut at the separator after its literal start, and whether there is one."""
    term_nodes: list[tree.Inline] = []
    for index, node in enumerate(content):
        if isinstance(node, tree.Text) and term_nodes:
            match = NOTE_AND_SEPARATOR.match(node.text)
            if match is None or match["separator"] is None:
                before = tree.plain_text(tuple(term_nodes))
                is_in_note = before.count("(") > before.count(")") and ")" not in node.text
                if not is_in_note and not BETWEEN_NAMES.fullmatch(node.text):
                    return None
                term_nodes.append(node)
                continue
            rest = match["rest"]
            if rest and not rest[0].isspace():
                return None
            note = (tree.Text(match["note"]),) if match["note"] else ()
            return (*term_nodes, *note), (tree.Text(rest), *content[index + 1 :]), True
        if isinstance(node, tree.Text | tree.LineBreak):
            if node.text.strip() or term_nodes:
                return None
            continue
        if isinstance(node, tree.Strong) and node.text.rstrip().endswith(":"):
            inner = node.content[-1]
            is_apart = index + 1 == len(content) or content[index + 1].text[:1].isspace()
            if not isinstance(inner, tree.Text) or not is_apart:
                return None
            bare = (*node.content[:-1], tree.Text(inner.text.rstrip().removesuffix(":")))
            return (*term_nodes, tree.Strong(bare)), content[index + 1 :], True
        term_nodes.append(node)
    return (tuple(term_nodes), (), False) if term_nodes else None


# --- tables ---------------------------------------------------------------------------


MAX_COLUMNS = 100


def cells_of(row: Tag) -> list[Tag]:
    """The cells of `row`."""
    return [cell for cell in soup.child_elements(row) if cell.name in ("td", "th")]


def outside_rows(tag: Tag) -> Iterator[Tag | str]:
    """The parts of the table `tag` outside its rows: its caption, and misplaced content."""
    for child in soup.children(tag):
        if isinstance(child, Tag) and child.name in ("thead", "tbody", "tfoot", "tr"):
            if child.name == "tr":
                yield from (
                    inner for inner in soup.children(child)
                    if isinstance(inner, str) or inner.name not in ("td", "th")
                )
            else:
                yield from outside_rows(child)
        elif not isinstance(child, Tag) or child.name not in ("col", "colgroup"):
            yield child


def is_layout(tag: Tag, rows: Sequence[Tag]) -> bool:
    """Whether the table `tag` only places things on a page."""
    if soup.attribute(tag, "role") in ("presentation", "none"):
        return True
    inner = [*soup.elements(tag)]
    if any(element.name == "table" or element.name in soup.HEADINGS for element in inner):
        return True
    if all(len(cells_of(row)) < 2 for row in rows):
        return True
    if any(element.name == "th" for element in inner):
        return False
    if all(sum(bool(soup.text_of(cell).strip()) for cell in cells_of(row)) < 2 for row in rows):
        return True
    if soup.attribute(tag, "border").strip() not in ("", "0"):
        return False
    return any(element.name in ("ul", "ol", "dl", *soup.VERBATIM) for element in inner)


def filled_row(row: Tag, cells: Sequence[Tag], covered: dict[int, int]) -> tree.Row:
    """`row` with empty cells where cells of rows before it reach into it."""
    contents = [
        (trimmed(inlines(soup.children(cell))), _count(cell, "colspan"), _count(cell, "rowspan"))
        for cell in cells
    ]
    return tree.Row(spanned_cells(contents, covered), soup.span_of(row))


def _count(cell: Tag, name: str) -> int:
    """How many columns or rows `cell` covers."""
    value = soup.attribute(cell, name).strip()
    return min(max(int(value), 1), MAX_COLUMNS) if soup.NUMBER.fullmatch(value) else 1
