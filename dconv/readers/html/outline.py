"""The sections of a document: headings and what follows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import pairwise, takewhile

from bs4 import Tag

from dconv.model import tree
from dconv.model.values import dataclass
from dconv.readers.extracted_text import (
    NO_SPAN,
    definition,
    entry,
    folded_text,
    merge_definitions,
    section,
    term,
)
from dconv.readers.html import soup
from dconv.readers.html.blocks import MIN_NAMED_SHARE, BlockReader
from dconv.readers.html.inlines import inlines
from dconv.readers.html.names import read_heading_names, read_names
from dconv.readers.names import KindAndNames, kind_of_title, names_of_titles

# elements whose headings start no sections
WITHOUT_SECTIONS = soup.LISTS | {"dl", "blockquote", "pre", "aside"}
# elements whose parts may be entries, which have anchors
WITH_NAMES = soup.LISTS | {"dl", "table"}
MAX_DEPTH = 60  # elements around a heading
MIN_OPTIONS = 2  # paragraphs that are options, so that what follows each is its text


@dataclass(frozen=True, slots=True)
class Outline:
    """A document: its title if it is the only one of its level, else empty, and its sections.

    `ids` are those of the document as a whole.
    """

    title: str
    title_span: tree.Span
    preface: tuple[tree.Block, ...]
    sections: tuple[tree.Section, ...]
    ids: tuple[str, ...]


@dataclass(slots=True)
class _Heading:
    """A heading with what follows it, and the headings below."""

    level: int
    content: tuple[tree.Inline, ...]
    ids: list[str]
    span: tree.Span
    body: list[Tag | str] = field(default_factory=list)
    below: list[_Heading] = field(default_factory=list)

    @property
    def title(self) -> str:
        return folded_text(tree.plain_text(self.content))


def outline(block_reader: BlockReader, root: Tag) -> Outline:
    """The sections of `root`."""
    preface, top_headings = _nest_headings(_flatten(root, 0))
    top = top_headings[0] if len(top_headings) == 1 and top_headings[0].below else None
    # what is before the first section has no anchors, unless it is an entry
    ids = ("top", *(top.ids if top else ()), *(
        id_ for child in (*preface, *(top.body if top else ()))
        if isinstance(child, Tag) and child.name not in WITH_NAMES for id_ in soup.ids_in(child)
    ))
    if top and not _has_content(preface):
        body = _blocks(block_reader, top.body, top.title)
        has_names = any(isinstance(node, tree.Entry) for node in body) or _starts_with_names(top)
        if not has_names:
            sections = [_section(block_reader, heading) for heading in top.below]
            return Outline(top.title, top.span, tuple(body), tuple(sections), ids)
    before = block_reader.flow(preface, "")
    sections = [_section(block_reader, heading) for heading in top_headings]
    return Outline("", NO_SPAN, tuple(before), tuple(sections), ids)


# --- headings -------------------------------------------------------------------------


def _flatten(tag: Tag, depth: int) -> Iterator[Tag | str | list[str]]:
    """The headings in `tag`, what is between them, and lists of the ids of elements around them."""
    for child in soup.children(tag):
        if isinstance(child, str) or child.name in soup.HEADINGS:
            yield child
        elif depth < MAX_DEPTH and _is_around_heading(child):
            yield [*soup.own_ids(child)]
            yield from _flatten(child, depth + 1)
        else:
            yield child


def _is_around_heading(tag: Tag) -> bool:
    """Whether `tag` has a heading that starts a section."""
    if tag.name in WITHOUT_SECTIONS:
        return False
    for inner in soup.elements(tag):
        if inner.name in soup.HEADINGS and soup.text_of(inner).strip():
            around = takewhile(lambda parent: parent is not tag, inner.parents)
            if not any(parent.name in WITHOUT_SECTIONS for parent in around):
                return True
    return False


def _nest_headings(
    children: Iterable[Tag | str | list[str]]
) -> tuple[list[Tag | str], list[_Heading]]:
    """What is before the first heading, and the headings inside each other by their levels."""
    preface: list[Tag | str] = []
    top_headings: list[_Heading] = []
    open_headings: list[_Heading] = []
    pending_ids: list[str] = []  # of elements before a heading, which become those of its section
    for child in children:
        body = open_headings[-1].body if open_headings else preface
        if isinstance(child, list):
            pending_ids += child
        elif isinstance(child, Tag) and child.name in soup.HEADINGS and soup.text_of(child).strip():
            line, rest = soup.split_heading(child)
            heading = _Heading(
                int(child.name[1]), inlines(line), [*soup.ids_in(child), *pending_ids],
                soup.span_of(child),
            )
            heading.body += rest
            pending_ids = []
            while open_headings and open_headings[-1].level >= heading.level:
                open_headings.pop()
            (open_headings[-1].below if open_headings else top_headings).append(heading)
            open_headings.append(heading)
        elif isinstance(child, Tag) and not _has_content([child]):
            pending_ids += soup.ids_in(child)
            body.append(child)
        else:
            if pending_ids and open_headings and _has_content([child]):
                open_headings[-1].ids += pending_ids
                pending_ids = []
            body.append(child)
    if open_headings:
        open_headings[-1].ids += pending_ids
    return preface, top_headings


def _has_content(children: Sequence[Tag | str]) -> bool:
    return any(
        bool(child.strip()) if isinstance(child, str)
        else bool(soup.text_of(child).strip())
        or any(element.name == "img" for element in (child, *soup.elements(child)))
        for child in children
    )


# --- sections -------------------------------------------------------------------------


def _section(block_reader: BlockReader, heading: _Heading) -> tree.Section:
    ids = block_reader.claim(heading.ids)
    body = _blocks(block_reader, heading.body, heading.title)
    below: list[tree.Section] = []
    names = _named_headings(heading)
    are_names = len(names) >= MIN_NAMED_SHARE * len(heading.below)
    for inner in heading.below:
        heading_names = names.get(id(inner))
        if heading_names is not None and not below:
            body.append(_entry(block_reader, inner, heading_names, heading.title))
        elif are_names and not below and not _has_names_below(inner):
            body.append(tree.Heading(inner.content, " ".join(inner.ids), inner.span))
            body += _flow_with_subheadings(block_reader, inner, heading.title)
        else:
            below.append(_section(block_reader, inner))
    anchor = f"{ids} {_claim_body_ids(block_reader, heading)}".strip()
    return section(heading.title, anchor, body, below, heading.span)


def _named_headings(heading: _Heading) -> dict[int, KindAndNames]:
    """What the headings below `heading` name, by the `id()` of those that name something."""
    named_headings = {
        id(inner): names for inner in heading.below
        if (names := read_heading_names(inner.content, heading.title)) is not None
    }
    titles = [inner.title for inner in heading.below]
    if not any(inner.below for inner in heading.below):
        kind = kind_of_title(heading.title) or "keyword"
        for inner, name in zip(heading.below, names_of_titles(titles, heading.title), strict=True):
            if name:
                named_headings.setdefault(id(inner), KindAndNames(kind, (name,)))
    if len(named_headings) < MIN_NAMED_SHARE * len(heading.below):
        with_names_below = {id(inner) for inner in heading.below if _has_names_below(inner)}
        named_headings = {
            key: names for key, names in named_headings.items() if key not in with_names_below
        }
    if kind_of_title(heading.title) or len(named_headings) > 1:
        return named_headings
    return {key: names for key, names in named_headings.items() if names.kind == "option"}


def _starts_with_names(heading: _Heading) -> bool:
    """Whether the first heading below `heading` is a name, or most are."""
    names = _named_headings(heading)
    return id(heading.below[0]) in names or (
        bool(names) and len(names) >= MIN_NAMED_SHARE * len(heading.below)
    )


def _has_names_below(heading: _Heading) -> bool:
    """Whether one of the headings below `heading`, at any depth, is a name."""
    return any(
        isinstance(inner.content[0], tree.Code)
        or read_names(inner.content, heading.title) is not None
        or _has_names_below(inner)
        for inner in heading.below if inner.content
    )


def _entry(
    block_reader: BlockReader, heading: _Heading, names: KindAndNames, title: str
) -> tree.Block:
    """The entry of `heading`, which is a name, with what follows it; headings below are titles."""
    ids = block_reader.claim(heading.ids)
    body = _flow_with_subheadings(block_reader, heading, title)
    anchor = f"{ids} {_claim_body_ids(block_reader, heading)}".strip()
    return entry(names.kind, [(heading.title, names.names)], body, anchor, heading.span)


def _claim_body_ids(block_reader: BlockReader, heading: _Heading) -> str:
    """The ids of what follows `heading` that no other node has, separated by blanks."""
    return block_reader.claim_ids(*(child for child in heading.body if isinstance(child, Tag)))


def _flow_with_subheadings(
    block_reader: BlockReader, heading: _Heading, title: str
) -> list[tree.Flow]:
    """What follows `heading`, with the headings below it as titles or terms."""
    body = block_reader.flow(heading.body, title)
    names = _named_headings(heading)
    for inner in heading.below:
        ids = " ".join(inner.ids)
        if heading_names := names.get(id(inner)):
            new_term = term(inner.content, heading_names.kind, heading_names.names, ids)
            flow = _flow_with_subheadings(block_reader, inner, heading.title)
            body.append(definition([new_term], flow, inner.span))
        else:
            body.append(tree.Heading(inner.content, ids, inner.span))
            body += _flow_with_subheadings(block_reader, inner, title)
    return body


# --- entries --------------------------------------------------------------------------


def _blocks(
    block_reader: BlockReader, children: Sequence[Tag | str], title: str
) -> list[tree.Block]:
    """The blocks of a section; definitions of names are entries."""
    blocks: list[tree.Block] = []
    for node in _with_options(block_reader.flow(children, title), title):
        if not isinstance(node, tree.Definitions):
            blocks.append(node)
            continue
        for item in node.items:
            terms = [item_term for item_term in item.terms if item_term.names]
            if len(terms) < len(item.terms):
                blocks.append(tree.Definitions((item,), item.span))
                continue
            blocks.append(entry(
                terms[0].kind,
                [(folded_text(tree.plain_text(form.content)), form.names) for form in terms],
                item.body, " ".join([form.anchor for form in terms if form.anchor]), item.span,
            ))
    return merge_definitions(blocks)


def _with_options(nodes: Sequence[tree.Flow], title: str) -> list[tree.Flow]:
    """`nodes`; a paragraph that is an option, and what follows it, become a definition."""
    if not kind_of_title(title):
        return [*nodes]
    options = {
        index: option for index, node in enumerate(nodes)
        if isinstance(node, tree.Paragraph) and (option := read_names(node.content, title))
        and option.kind == "option"
    }
    if len(options) < MIN_OPTIONS or len(nodes) < 2 * len(options):
        return [*nodes]
    blocks = [*nodes[: min(options)]]
    starts = [*options, len(nodes)]
    for index, end in pairwise(starts):
        node, option = nodes[index], options[index]
        assert isinstance(node, tree.Paragraph)
        new_term = term(node.content, option.kind, option.names)
        blocks.append(definition([new_term], nodes[index + 1 : end], node.span))
    return blocks
