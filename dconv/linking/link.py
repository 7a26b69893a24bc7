"""Links: every reference gets the places that it means, on the tree.

Linking is a function of the manuals of one release: it fills `targets`, makes
addresses of manual pages, and leaves all else alone, so that linking twice is
linking once.  What a reference means, `resolve` tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from dconv.linking.examples import highlighted
from dconv.linking.resolve import resolved
from dconv.linking.scope import Place
from dconv.linking.symbols import Symbols
from dconv.model.dialect import Dialect
from dconv.model.placeholders import defined, held
from dconv.model.tree import (
    Argument,
    Block,
    Cell,
    Code,
    Definition,
    Definitions,
    Entry,
    Example,
    Flow,
    Heading,
    Hyperlink,
    Inline,
    Item,
    Labelled,
    List,
    Manual,
    Paragraph,
    Preformatted,
    Reference,
    Row,
    Section,
    SeeAlso,
    Table,
    Target,
    Term,
    Text,
    plain,
    sections,
)

NEAR = 90  # characters around a reference that tell what is meant
MEMBERS = 12  # parts behind a number that tell: others may follow, and a text that they are of


def link(manual: Manual, symbols: Symbols, dialect: Dialect) -> Manual:
    """`manual` with every reference that `symbols` knows leading to its places."""
    place = Place(manual.name, None, symbols, dialect)
    return replace(
        manual,
        preface=_blocks(manual.preface, place),
        sections=_sections(manual, place),
    )


def _sections(manual: Manual, place: Place) -> tuple[Section, ...]:
    """The chapters of `manual`, linked from the last section to the first: however deep."""
    done: dict[int, Section] = {}  # by the line of the title
    for section in reversed(list(sections(manual))):
        below = tuple(done.pop(inner.title_span.first) for inner in section.sections)
        body = _blocks(section.body, replace(place, section=section.anchor))
        done[section.title_span.first] = replace(section, body=body, sections=below)
    return tuple(done[section.title_span.first] for section in manual.sections)


def _blocks(blocks: Sequence[Block], place: Place) -> tuple[Block, ...]:
    return tuple(
        _entry(block, place) if isinstance(block, Entry) else _node(block, place)
        for block in blocks
    )


def _entry(entry: Entry, place: Place) -> Entry:
    inside = replace(place, entry=entry, placeholders=defined(entry).named, own={})
    return replace(entry, body=_flow(entry.body, inside))


def _flow(nodes: Sequence[Flow], place: Place) -> tuple[Flow, ...]:
    return tuple(_node(node, place) for node in nodes)


def _node(node: Flow, place: Place) -> Flow:
    match node:
        case Paragraph() | SeeAlso() | Heading():
            listed = replace(place, listed=True) if isinstance(node, SeeAlso) else place
            content = _inlines(node.content, listed)
            return node if content is node.content else replace(node, content=content)
        case Preformatted():
            pieces = highlighted(node, place.document, place.entry, place.symbols, place.dialect)
            return replace(node, pieces=pieces) if pieces else node
        case Example():
            caption = _inlines(node.caption, place)
            return replace(node, caption=caption, body=_flow(node.body, place))
        case List():
            return replace(node, items=tuple(_item(item, place) for item in node.items))
        case Definitions():
            return replace(node, items=tuple(_definition(item, place) for item in node.items))
        case Labelled():
            return replace(node, body=_flow(node.body, place))
        case Table():
            head = tuple(_row(row, place) for row in node.head)
            return replace(node, head=head, rows=tuple(_row(row, place) for row in node.rows))
        case _:
            assert_never(node)


def _item(item: Item, place: Place) -> Item:
    first = item.body[0] if item.body else None
    if isinstance(first, Paragraph) and _defines(first.content, place):
        head = replace(first, content=(*first.content[:2], *_inlines(first.content[2:], place)))
        return replace(item, body=(head, *_flow(item.body[1:], place)))
    return replace(item, body=_flow(item.body, place))


def _defines(content: tuple[Inline, ...], place: Place) -> bool:
    """True for a quoted name that an item defines: '"max-size" <UINT32>', '"delay" is the time'.

    In an entry it may be a name all the same, and so may what is no plain word.
    """
    if len(content) < 3 or not isinstance(content[1], Reference) or content[0].text != '"':
        return False
    if len(content) == 4 and isinstance(content[3], Argument):
        return content[2].text.strip() == '"'
    return (
        place.entry is None
        and content[1].text.isalnum()
        and content[2].text.startswith('" is the ')
    )


def _definition(item: Definition, place: Place) -> Definition:
    terms = tuple(_term(term, place) for term in item.terms)
    if place.entry is not None:
        own = {name: term.anchor for term in item.terms if term.anchor for name in held(term)}
        if own:  # the text of a definition speaks of its own placeholders
            place = replace(place, own={**place.own, **own})
    return replace(item, terms=terms, body=_flow(item.body, place))


def _term(term: Term, place: Place) -> Term:
    """Names in a term are links; the term's own placeholders are not."""
    if not any(isinstance(part, Reference) for part in term.content):
        return term
    above = place.section if place.entry is None else ""
    return replace(
        term, content=_inlines(term.content, replace(place, entry=None, section=above))
    )


def _row(row: Row, place: Place) -> Row:
    cells = tuple(_cell(cell, place) for cell in row.cells)
    return replace(row, cells=cells)


def _cell(cell: Cell, place: Place) -> Cell:
    content = _inlines(cell.content, place)
    return cell if content is cell.content else replace(cell, content=content)


def _inlines(content: tuple[Inline, ...], place: Place) -> tuple[Inline, ...]:
    """`content` with its references resolved; the same object where there are none."""
    if not any(isinstance(part, Reference | Argument) for part in content):
        return content
    found: list[Inline] = []
    for at, part in enumerate(content):
        match part:
            case Reference():
                if url := _elsewhere(part, place):
                    found.append(Hyperlink(part.text, url, part.line, part.column))
                    continue
                before = plain(content[max(0, at - 9) : at])[-NEAR:]
                behind = MEMBERS if part.kind == "section" else 6
                after = plain(content[at + 1 : at + behind])[:NEAR]
                found.append(resolved(part, before, after, place))
            case Argument():
                found.append(_argument(part, place))
            case Text() | Code() | Hyperlink():
                found.append(part)
            case _:
                assert_never(part)
    return tuple(found)


def _elsewhere(part: Reference, place: Place) -> str:
    """The address of a file that is no document of the release, where the dialect has one."""
    name = part.name.casefold()
    if part.kind != "document" or name in place.symbols.documents:
        return ""
    return place.dialect.external_files.get(name, "")


def _argument(part: Argument, place: Place) -> Argument:
    """A placeholder leads to its definition within the entry at hand."""
    anchor = place.own.get(part.text) or place.placeholders.get(part.text, "")
    return replace(part, target=Target(place.document, anchor) if anchor else None)
