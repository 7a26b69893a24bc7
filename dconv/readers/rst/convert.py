"""docutils' tree to the blocks and sections of a `ParsedDocument` (see `extracted_text`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from docutils import nodes

from dconv.model import tree
from dconv.model.man_pages import PAGE_MENTION
from dconv.model.references import OBJECT_LABEL_PREFIXES
from dconv.readers.extracted_text import (
    NO_SPAN,
    definition,
    entry,
    merge_definitions,
    section,
    spanned_cells,
    table,
    term,
)
from dconv.readers.names import MAX_NAME_LENGTH, KindAndNames, kind_of_title, names_of_titles
from dconv.readers.rst import addnodes
from dconv.readers.rst.expected_words import number
from dconv.readers.rst.names import WORD, command_name, option_names, read_names
from dconv.readers.rst.roles import GENERATED, SECTION_LABEL

WARNINGS = frozenset({"Attention", "Caution", "Danger", "Error", "Warning", "deprecated"})
# languages that mean none
NO_LANGUAGE = frozenset({"none", "text", "default", "plain"})
# "balance-rr or 0": a value and its other name
VALUE = re.compile(r"\S+(?: or \S+)?")
# "seek", "sticker get": what a literal term defines that is no value
LITERAL_NAME = re.compile(r"[\w+$/.-]*[A-Za-z][\w+./:@-]*(?: [a-z][\w-]*){0,3}")
# what becomes an entry or has an anchor; ids of others are those of the section
WITH_ANCHOR = (
    addnodes.object_description, nodes.option_list, nodes.definition_list, nodes.rubric,
    nodes.title, nodes.footnote, nodes.citation, nodes.table, nodes.figure, nodes.system_message,
)
# messages about titles that docutils accepted nevertheless
ACCEPTED_TITLE = re.compile(r"Title (?:over|under)line too short")


class Converter:
    """Converts one document; `ids` of nodes without an anchor become further ids of the section."""

    def __init__(self, document: nodes.document) -> None:
        self.document = document
        self.ids: list[str] = []
        self.kind = ""  # the kind of names that lists in the current section define
        self.is_in_entry = False

    # --- the document -----------------------------------------------------------------

    def header(self) -> tree.Header:
        """The title of the document, and its version, date and author."""
        places = nodes.document | nodes.docinfo | nodes.authors
        title, subtitle, version, date, author = (
            ", ".join(
                " ".join(tree.plain_text(self.inlines(node)).split())
                for node in self.document.findall(kind) if isinstance(node.parent, places)
            )
            for kind in (nodes.title, nodes.subtitle, nodes.version, nodes.date, nodes.author)
        )
        return tree.Header(title, subtitle, version, date, author)

    def preface(self) -> tuple[tree.Block, ...]:
        title = self.document.get("title", "")
        self.kind = kind_of_title(title)
        blocks = self.blocks([
            node for node in self.document.children
            if not isinstance(node, nodes.section | nodes.title | nodes.subtitle)
        ])
        return (*blocks, *self.named_sections(self.document))

    def sections(self, parent: nodes.Element) -> tuple[tree.Section, ...]:
        """The sections right below `parent`, none if they are `named_sections`."""
        if _named_sections(parent):
            return ()
        return tuple([self.section(node) for node in _sections(parent)])

    def named_sections(self, parent: nodes.Element) -> list[tree.Block]:
        """The sections right below `parent` as entries, if they document one thing each.

        Others between them become headings.
        """
        names = _named_sections(parent)
        blocks: list[tree.Block] = []
        for node in _sections(parent) if names else ():
            title = next(child for child in node.children if isinstance(child, nodes.title))
            anchor = _ids(node)
            self.kind = kind_of_title(_title_of(parent)) or "keyword"
            below = [child for child in node.children if child is not title]
            if name := names.get(node):
                body = self.body(below)
                blocks.append(entry(self.kind, [(name, [name])], body, anchor, self.span(title)))
            else:
                blocks.append(tree.Heading(self.inlines(title), anchor, self.span(title)))
                blocks += self.body(below)
        return blocks

    def section(self, node: nodes.section) -> tree.Section:
        title = next((child for child in node.children if isinstance(child, nodes.title)), None)
        self.ids = list(node["ids"])
        text = tree.plain_text(self.inlines(title)) if title is not None else ""
        self.kind = kind_of_title(text)
        body = tuple(self.blocks([
            child for child in node.children
            if child is not title and not isinstance(child, nodes.section)
        ]))
        anchor = " ".join(self.ids)
        body = (*body, *self.named_sections(node))
        sections, span = self.sections(node), self.span(title)
        return section(text, anchor, body, sections, span)

    # --- inlines ----------------------------------------------------------------------

    def label_target(self, name: str) -> str | None:
        """The target of a link to the label or the id `name`; None if the document has no such."""
        key = name if name in self.document.ids else self.document.nameids.get(
            nodes.fully_normalize_name(name), ""
        )
        return f"#{key}" if key in self.document.ids else None

    def inlines(self, node: nodes.Element) -> tuple[tree.Inline, ...]:
        """The content of a node that holds text; targets in it are places of the section."""
        self.ids += [name for target in node.findall(nodes.target) for name in target["ids"]]
        return inlines(node.children, self.label_target)

    def span(self, node: nodes.Node | None) -> tree.Span:
        """The line of the original that `node` starts on."""
        while node is not None and not node.line:
            node = node.parent
        return tree.Span(node.line, node.line) if node is not None and node.line else NO_SPAN

    # --- blocks -----------------------------------------------------------------------

    def blocks(self, children: Sequence[nodes.Node]) -> list[tree.Block]:
        """The blocks of a section's own body."""
        blocks: list[tree.Block] = []
        pairs = zip_longest(children, children[1:])
        for node, below in pairs:
            match node, below:
                case nodes.paragraph(), nodes.block_quote() if (
                    self.kind and WORD.fullmatch(node.astext())
                ):
                    blocks.append(entry(
                        self.kind, [(node.astext(), [node.astext()])],
                        self.body(below.children), _ids(node), self.span(node),
                    ))
                    next(pairs)
                case nodes.paragraph(), nodes.field_list() if (
                    named := _literal_name(self.inlines(node))
                ):
                    kind = self.kind or "setting"
                    body = self.body([below])
                    signatures = [(node.astext(), named.names)]
                    blocks.append(entry(kind, signatures, body, _ids(node), self.span(node)))
                    next(pairs)
                case nodes.block_quote(), _ if quoted := self.quoted_lists(node):
                    blocks += quoted
                    self.ids += node["ids"]
                case addnodes.object_description(), _:
                    blocks.append(self.object_description(node))
                case nodes.option_list(), _:
                    blocks += self.options(node)
                case nodes.definition_list(), _:
                    blocks += self.definition_list(node)
                case nodes.container() | nodes.compound() | nodes.topic(), _ if (
                    not _has_title(node)
                ):
                    self.ids += node["ids"]
                    blocks += self.blocks(node.children)
                case _:
                    blocks += self.node(node)
        return blocks

    def quoted_lists(self, node: nodes.block_quote) -> list[tree.Block]:
        """The lists in a block quote if most of them define entries, else nothing."""
        if not all(
            isinstance(child, nodes.definition_list | nodes.option_list | nodes.comment)
            for child in node.children
        ):
            return []
        ids = list(self.ids)
        blocks = self.blocks(node.children)
        if 2 * sum(isinstance(block, tree.Entry) for block in blocks) > len(blocks):
            return blocks
        self.ids = ids
        return []

    def body(self, children: Sequence[nodes.Node]) -> list[tree.Flow]:
        """The body of an entry, where lists define values."""
        state = self.kind, self.is_in_entry
        self.kind, self.is_in_entry = "", True
        flow = self.flow(children)
        self.kind, self.is_in_entry = state
        return flow

    def flow(self, children: Sequence[nodes.Node]) -> list[tree.Flow]:
        """The blocks of a body; entries in it are terms with a kind."""
        flow: list[tree.Flow] = []
        pairs = zip_longest(children, children[1:])
        for node, below in pairs:
            match node, below:
                case nodes.paragraph(), nodes.block_quote() if VALUE.fullmatch(node.astext()):
                    value = term(self.inlines(node), anchor=_ids(node))
                    flow.append(definition([value], self.flow(below.children), self.span(node)))
                    next(pairs)
                case _:
                    flow += self.node(node)
        return merge_definitions(flow)

    def node(self, node: nodes.Node) -> list[tree.Flow]:
        span = self.span(node)
        if isinstance(node, nodes.Element) and not isinstance(node, WITH_ANCHOR):
            self.ids += node["ids"]
        match node:
            case (
                nodes.comment() | nodes.substitution_definition() | nodes.pending()
                | addnodes.omitted_words() | nodes.transition() | nodes.target()
            ):
                return []
            case nodes.system_message():
                return self.message(node)
            case addnodes.object_description() | nodes.option_list() | nodes.definition_list():
                return merge_definitions([
                    _as_definitions(block) if isinstance(block, tree.Entry) else block
                    for block in self.blocks([node])
                ])
            case nodes.literal_block() | nodes.doctest_block() | nodes.math_block():
                language = str(node.get("language", "")).casefold()
                language = "" if language in NO_LANGUAGE else language
                return [tree.Preformatted(tuple(node.astext().split("\n")), language, span)]
            case nodes.line_block():
                return [tree.Paragraph(tuple(self.lines(node)), span)]
            case nodes.bullet_list():
                return [self.list_of_items(node, ["-"] * len(node.children), False)]
            case nodes.enumerated_list():
                dot = "" if node["enumtype"].endswith("roman") else "."
                markers = [f"{number(node, index)}{dot}" for index in range(len(node.children))]
                return [self.list_of_items(node, markers, True)]
            case nodes.field_list() | nodes.docinfo():
                return self.fields(node)
            case nodes.block_quote():
                return [tree.BlockQuote(tuple(self.flow(node.children)), span)]
            case nodes.table():
                return self.table(node)
            case nodes.admonition() | nodes.topic() | nodes.sidebar() if _has_title(node):
                return [self.admonition(node)]
            case nodes.footnote() | nodes.citation():
                body = self.flow(node.children[1:])
                label = node.children[0].astext()
                return [tree.Footnote(label, _ids(node), tuple(body), span)]
            case _:
                return self.text_node(node, span)

    def text_node(self, node: nodes.Node, span: tree.Span) -> list[tree.Flow]:
        """A node that holds text, or the blocks of one that is only a container."""
        match node:
            case nodes.attribution():
                return [tree.Paragraph((tree.Text("— "), *self.inlines(node)), span)]
            case nodes.rubric() | nodes.title():
                return [tree.Heading(self.inlines(node), _ids(node), span)]
            case nodes.reference() | nodes.Inline():  # an image, too
                return [tree.Paragraph(inlines([node], self.label_target), span)]
            case nodes.TextElement() if isinstance(node, nodes.Bibliographic):
                label = term([tree.Text(node.tagname.capitalize())])
                return [definition([label], [tree.Paragraph(self.inlines(node), NO_SPAN)], span)]
            case nodes.TextElement():
                return [tree.Paragraph(self.inlines(node), span)]
            case nodes.Element():
                return self.flow(node.children)
            case _:
                return [tree.Paragraph((tree.Text(node.astext()),), span)]

    def message(self, node: nodes.system_message) -> list[tree.Flow]:
        """Text that docutils could not parse, which only its message has."""
        if not node.children or ACCEPTED_TITLE.match(node.children[0].astext()):
            return []
        return self.flow([
            child for child in node.children if isinstance(child, nodes.literal_block)
        ])

    def lines(self, node: nodes.line_block) -> list[tree.Inline]:
        inlines: list[tree.Inline] = []
        for child in node.children:
            if isinstance(child, nodes.line_block):
                inlines += self.lines(child)
            elif isinstance(child, nodes.Element):
                inlines += [*self.inlines(child), tree.LineBreak()]
        return inlines

    def list_of_items(
        self, node: nodes.Element, markers: Iterable[str], ordered: bool
    ) -> tree.List:
        self.ids += [name for item in _elements(node) for name in item["ids"]]
        items = [
            tree.Item(marker, tuple(self.flow(item.children)), self.span(item))
            for marker, item in zip(markers, node.children, strict=True)
        ]
        return tree.List(ordered, tuple(items), self.span(node))

    def fields(self, node: nodes.Element) -> list[tree.Flow]:
        """Fields, and those of the document's docinfo that the header does not have."""
        blocks: list[tree.Flow] = []
        for field in _elements(node):
            if isinstance(field, nodes.field):
                name, body = _elements(field)
                content = self.inlines(name)
                flow = self.flow(body.children)
                blocks.append(definition([term(content)], flow, self.span(field)))
            else:
                blocks += self.node(field)
        return merge_definitions(blocks)

    def admonition(self, node: nodes.Element) -> tree.Labelled:
        title, *rest = node.children
        assert isinstance(title, nodes.Element)
        label = tree.plain_text(self.inlines(title))
        kind: tree.LabelKind = "warning" if node.get("kind") in WARNINGS else "note"
        return tree.Labelled(label, kind, tuple(self.flow(rest)), self.span(node))

    # --- entries ----------------------------------------------------------------------

    def object_description(self, node: addnodes.object_description) -> tree.Entry:
        """An entry that a directive describes."""
        signatures = [
            (tree.plain_text(self.inlines(child)), list(child["names"]))
            for child in node.children if isinstance(child, addnodes.signature)
        ]
        body = [child for child in node.children if not isinstance(child, addnodes.signature)]
        return entry(node["kind"], signatures, self.body(body), _ids(node), self.span(node))

    def options(self, node: nodes.option_list) -> list[tree.Entry]:
        entries: list[tree.Entry] = []
        for item in _elements(node):
            group, description = _elements(item)
            text = group.astext()
            body = self.body(description.children)
            names = option_names(text)
            item["ids"] += [] if entries else node["ids"]
            labels = [addnodes.object_label("option", name) for name in names]
            addnodes.add_labels(item, self.document, labels)
            entries.append(entry("option", [(text, names)], body, _ids(item), self.span(item)))
        return entries

    def definition_list(self, node: nodes.definition_list) -> list[tree.Block]:
        """Definitions; those of names are entries."""
        list_ids = [*node["ids"]]
        blocks: list[tree.Block] = []
        for item in _elements(node):
            terms = [child for child in _elements(item) if isinstance(child, nodes.term)]
            content: list[tree.Inline] = []
            for child in _elements(item):
                if isinstance(child, nodes.term):
                    content += self.inlines(child)
                elif isinstance(child, nodes.classifier):
                    content += [tree.Text(" : "), *self.inlines(child)]
            bodies = [child for child in _elements(item) if isinstance(child, nodes.definition)]
            children = [child for body in bodies for child in body.children]
            term_ids = [anchor for item_term in terms for anchor in item_term["ids"]]
            ids = " ".join([*list_ids, *term_ids])
            list_ids = []
            named = read_names(
                terms[0].astext(), _is_literal(content[0]), self.kind
            ) if terms and content and not isinstance(content[0], tree.Emphasis) else None
            if named is None and not self.kind and not self.is_in_entry:
                named = _literal_name(content)
            if named:
                text, body = tree.plain_text(tuple(content)), self.body(children)
                blocks.append(entry(named.kind, [(text, named.names)], body, ids, self.span(item)))
            elif tree.plain_text(tuple(content)).strip():
                body = self.flow(children)
                blocks.append(definition([term(content, anchor=ids)], body, self.span(item)))
            else:  # a term without text
                self.ids += ids.split()
                blocks.append(tree.BlockQuote(tuple(self.flow(children)), self.span(item)))
        return merge_definitions(blocks)

    # --- tables -----------------------------------------------------------------------

    def table(self, node: nodes.table) -> list[tree.Flow]:
        """A table, its title above it, to which references to the table lead."""
        above: list[tree.Flow] = []
        head: list[tree.Row] = []
        rows: list[tree.Row] = []
        for child in _elements(node):
            if not isinstance(child, nodes.tgroup):
                above += [
                    replace(block, anchor=_ids(node)) if isinstance(block, tree.Heading) else block
                    for block in self.node(child)
                ]
                continue
            for group in _elements(child):
                if isinstance(group, nodes.thead):
                    head += self.rows(group)
                elif isinstance(group, nodes.tbody):
                    rows += self.rows(group)
        return [*above, table(head, rows, self.span(node))]

    def rows(self, group: nodes.Element) -> list[tree.Row]:
        rows: list[tree.Row] = []
        covered: dict[int, int] = {}
        for row in _elements(group):
            cells = [
                (
                    _cell_content(self.flow(cell.children)), int(cell.get("morecols", 0)) + 1,
                    int(cell.get("morerows", 0)) + 1,
                )
                for cell in _elements(row)
            ]
            rows.append(tree.Row(spanned_cells(cells, covered), self.span(row)))
        return rows


def _cell_content(flow: Iterable[tree.Flow]) -> list[tree.Inline]:
    """The words of `flow` as a cell holds them, a line for each block."""
    content: list[tree.Inline] = []
    for node in flow:
        if content:
            content.append(tree.LineBreak())
        match node:
            case tree.Paragraph() | tree.Heading():
                content += node.content
            case tree.Preformatted():
                for index, line in enumerate(node.lines):
                    content += [tree.LineBreak()] if index else []
                    content.append(tree.Code(line))
            case tree.List():
                for list_item in node.items:
                    if node.ordered:
                        content.append(tree.Text(f"{list_item.marker.rstrip('.')}. "))
                    content += [*_cell_content(list_item.body), tree.LineBreak()]
            case tree.Definitions():
                for item in node.items:
                    for item_term in item.terms:
                        content += [*item_term.content, tree.LineBreak()]
                    content += [*_cell_content(item.body), tree.LineBreak()]
            case tree.Labelled() | tree.Footnote():
                content += [tree.Strong((tree.Text(node.label),)), tree.Text(" ")]
                content += _cell_content(node.body)
            case tree.BlockQuote():
                content += _cell_content(node.body)
            case tree.Table():
                for row in (*node.head, *node.rows):
                    for cell in row.cells:
                        content += [*cell.content, tree.Text("  ")]
                    content.append(tree.LineBreak())
            case tree.SeeAlso():
                content += [tree.Text(f"{node.label} "), *node.content]
            case _:
                content += _cell_content(node.body)
    return content


def _literal_name(content: Sequence[tree.Inline]) -> KindAndNames | None:
    """What a line names whose `content` is one literal: "seek {TIME}"; None if it is not."""
    if len(content) != 1 or isinstance(content[0], tree.Strong) or not _is_literal(content[0]):
        return None
    names = command_name(content[0].text)
    is_name = len(names[0]) <= MAX_NAME_LENGTH and LITERAL_NAME.fullmatch(names[0])
    return KindAndNames("keyword", names) if is_name else None


def _is_literal(node: tree.Inline) -> bool:
    """Whether `node` sets a name apart from prose."""
    if isinstance(node, tree.Reference):
        return node.kind == "option" and node.name.startswith(OBJECT_LABEL_PREFIXES)
    return isinstance(node, tree.Code | tree.Strong)


def _elements(node: nodes.Node) -> list[nodes.Element]:
    return [child for child in node.children if isinstance(child, nodes.Element)]


def _ids(node: nodes.Element) -> str:
    """The ids of `node`, separated by blanks."""
    return " ".join(node["ids"])


def _sections(parent: nodes.Element) -> list[nodes.section]:
    return [node for node in parent.children if isinstance(node, nodes.section)]


def _named_sections(parent: nodes.Element) -> dict[nodes.section, str]:
    """The sections right below `parent` whose title is a name, if they are enough, with the name.

    Empty if one of them has subsections.
    """
    sections = _sections(parent)
    if any(_sections(node) for node in sections):
        return {}
    names = names_of_titles([_title_of(node) for node in sections], _title_of(parent))
    return {node: name for node, name in zip(sections, names, strict=True) if name}


def _title_of(node: nodes.Element) -> str:
    """The title of a section or of the document."""
    title = next((child for child in node.children if isinstance(child, nodes.title)), None)
    return " ".join(title.astext().split()) if title is not None else ""


def _has_title(node: nodes.Node) -> bool:
    return bool(node.children) and isinstance(node.children[0], nodes.title)


def _as_definitions(entry_node: tree.Entry) -> tree.Definitions:
    """An entry inside a body: terms with its kind and its names."""
    terms = [
        term([tree.Text(signature.text)], entry_node.kind, signature.names)
        for signature in entry_node.signatures
    ]
    terms[0] = replace(terms[0], anchor=entry_node.anchor)
    return definition(terms, entry_node.body, entry_node.span)


# --- inlines --------------------------------------------------------------------------


WEB = ("https://", "http://", "ftp://")
# "other.rst#part", "../other.html": another document
FILE = re.compile(r"[\w./+-]+(?:#[\w.-]*)?")

# a label -> the target of a link to it; None if the document has no such label
LabelTarget = Callable[[str], str | None]


def inlines(children: Iterable[nodes.Node], label_target: LabelTarget) -> tuple[tree.Inline, ...]:
    """The nodes of the tree for `children`; `label_target` finds targets in the document."""
    return tuple([part for child in children for part in _inline(child, label_target)])


def _inline(node: nodes.Node, label_target: LabelTarget) -> Iterator[tree.Inline]:
    match node:
        case nodes.Text():
            yield from _text(node.astext())
        case nodes.literal() | nodes.math():
            yield tree.Code(node.astext())
        case nodes.strong():
            yield tree.Strong(inlines(node.children, label_target))
        case nodes.emphasis() | nodes.title_reference():
            yield tree.Emphasis(inlines(node.children, label_target))
        case addnodes.role_reference():
            yield _role_reference(node, label_target)
        case nodes.image():
            yield image(node)
        case nodes.footnote_reference() | nodes.citation_reference():
            text = f"[{node.astext()}]"
            target = node.get("refid")
            yield _link(text, f"#{target}") if target else tree.Text(text)
        case nodes.reference():
            yield from _reference(node, label_target)
        case (
            nodes.comment()
            | nodes.system_message()
            | nodes.substitution_definition()
            | addnodes.omitted_words()
        ):
            return
        case nodes.Element():
            yield from inlines(node.children, label_target)
        case _:
            yield tree.Text(node.astext())


def image(node: nodes.image) -> tree.Image:
    """An image; its text is the name of its file if it has none."""
    outer = node.parent.parent if isinstance(node.parent, nodes.reference) else node.parent
    anchor = _ids(outer) if isinstance(outer, nodes.figure) else ""
    return tree.Image(str(node["uri"]), node.get("alt") or str(node["uri"]), anchor)


def _text(text: str) -> Iterator[tree.Inline]:
    """`text` with the manual pages in it as references."""
    end = 0
    for match in PAGE_MENTION.finditer(text):
        yield tree.Text(text[end : match.start()])
        yield tree.Reference(match[0], match[0], kind="page")
        end = match.end()
    yield tree.Text(text[end:])


def _link(text: str, name: str) -> tree.Reference:
    return tree.Reference(text, name, kind="link")


def _reference(node: nodes.reference, label_target: LabelTarget) -> Iterator[tree.Inline]:
    """A link: to the web, into the document, to a file."""
    content = inlines(node.children, label_target)
    text = tree.plain_text(content)
    shown = content[0] if len(content) == 1 and isinstance(content[0], tree.Image) else None
    url = str(node.get("refuri", ""))
    if url.startswith(WEB):
        yield tree.Hyperlink(text, url, image=shown)
    elif url and FILE.fullmatch(url):
        yield tree.Reference(text, url, kind="link", image=shown)
    elif name := node.get("refid"):
        name = label_target(name) or f"#{name}"
        yield tree.Reference(text, name, kind="link", image=shown)
    else:
        yield from content


def _role_reference(node: addnodes.role_reference, label_target: LabelTarget) -> tree.Inline:
    """A name with a role."""
    text, target = node.astext(), str(node["target"])
    match node["kind"]:
        case "manual page":
            return tree.Reference(text, target, kind="page")
        case "term":
            label = addnodes.object_label("term", target)
            link = label_target(label)
            return tree.Emphasis((
                _link(text, link) if link else tree.Reference(text, label, kind="label"),
            ))
        case "option" | "envvar" | "confval" as kind:
            label = addnodes.object_label(kind, target, node["program"])
            if label_target(label) and text == target and " " not in text:
                return tree.Code(text)
            return tree.Reference(text, label, kind="option")
        case "document" if "/" not in target:
            return tree.Reference(text, target, kind="document")
        case "document" | "listed document":
            return _link(text, target)
        case "label" if target in GENERATED:
            return tree.Text(text)
        case "label":
            link = label_target(target)
            if link is None and SECTION_LABEL.fullmatch(target):
                document, title = target.split(":", 1)
                return _link(text, f"{document}#{nodes.make_id(title)}")
            if link is None:
                return tree.Reference(text, nodes.make_id(target), kind="label")
            return _link(text, link)
        case _:
            return tree.Code(text)
