"""Links: every reference in the tree gets the places that it means.

Linking is a function of the manuals of one release: it fills in `targets`, turns names
of manual pages into addresses, and changes nothing else, so it is idempotent.
`resolve` decides what a reference means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from dconv.linking.examples import highlight
from dconv.linking.resolve import resolve
from dconv.linking.scope import Scope
from dconv.linking.symbols import Symbols
from dconv.model.dialect import Dialect
from dconv.model.placeholders import placeholder_anchors, placeholders_of
from dconv.model.tree import (
    WITH_CONTENT,
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
    Flow,
    Footnote,
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
    SeeAlso,
    Strong,
    Table,
    Target,
    Term,
    Text,
    inline_parts,
    plain_text,
    with_bodies,
)

CONTEXT_LENGTH = 90  # characters around a reference that may say what it means
PARTS_BEFORE = 9  # parts of a paragraph that usually have so many characters
PARTS_AFTER = 5
# what may be a reference, or contain one
WITH_REFERENCES = (Reference, Argument, *WITH_CONTENT)
PARTS_AFTER_NUMBER = 11  # further numbers may follow, and the name of their document


def link(manual: Manual, symbols: Symbols, dialect: Dialect) -> Manual:
    """`manual` with the targets of every reference to a name or section of `symbols`."""
    scope = Scope(manual.name, None, symbols, dialect)
    linked = with_bodies(
        manual, lambda section: _blocks(section.body, replace(scope, section=section.anchor))
    )
    return replace(linked, preface=_blocks(manual.preface, scope))


def _blocks(blocks: Sequence[Block], scope: Scope) -> tuple[Block, ...]:
    return tuple(
        _entry(block, scope) if isinstance(block, Entry) else _node(block, scope)
        for block in blocks
    )


def _entry(entry: Entry, scope: Scope) -> Entry:
    placeholders = placeholder_anchors(entry).by_name
    return replace(
        entry, body=_flow(entry.body, replace(scope, entry=entry, placeholders=placeholders))
    )


def _flow(nodes: Sequence[Flow], scope: Scope) -> tuple[Flow, ...]:
    return tuple(_node(node, scope) for node in nodes)


def _node(node: Flow, scope: Scope) -> Flow:
    match node:
        case Paragraph() | SeeAlso() | Heading():
            scope_of_node = replace(scope, in_see_also=True) if isinstance(node, SeeAlso) else scope
            content = _inlines(node.content, scope_of_node)
            return node if content is node.content else replace(node, content=content)
        case Preformatted():
            styled_code = highlight(node, scope.document, scope.entry, scope.symbols, scope.dialect)
            return replace(node, styled_code=styled_code) if styled_code else node
        case Example():
            caption = _inlines(node.caption, scope)
            return replace(node, caption=caption, body=_flow(node.body, scope))
        case List():
            return replace(node, items=tuple(_item(item, scope) for item in node.items))
        case Definitions():
            return replace(node, items=tuple(_definition(item, scope) for item in node.items))
        case Labelled() | BlockQuote() | Footnote():
            return replace(node, body=_flow(node.body, scope))
        case Table():
            head = tuple(_row(row, scope) for row in node.head)
            return replace(node, head=head, rows=tuple(_row(row, scope) for row in node.rows))
        case _:
            assert_never(node)


def _item(item: Item, scope: Scope) -> Item:
    first = item.body[0] if item.body else None
    if isinstance(first, Paragraph) and _starts_definition(first.content, scope):
        head = replace(first, content=(*first.content[:2], *_inlines(first.content[2:], scope)))
        return replace(item, body=(head, *_flow(item.body[1:], scope)))
    return replace(item, body=_flow(item.body, scope))


def _starts_definition(content: tuple[Inline, ...], scope: Scope) -> bool:
    """Whether `content` defines the quoted name at its start: '"max-size" <UINT32>'.

    '"delay" is the time' does too, but not in an entry, nor for what is not a plain word.
    """
    if len(content) < 3 or not isinstance(content[1], Reference) or content[0].text != '"':
        return False
    if len(content) == 4 and isinstance(content[3], Argument):
        return content[2].text.strip() == '"'
    return (
        scope.entry is None
        and content[1].text.isalnum()
        and content[2].text.startswith('" is the ')
    )


def _definition(item: Definition, scope: Scope) -> Definition:
    terms = tuple(_term(term, scope) for term in item.terms)
    if scope.entry is not None:
        placeholders = {
            name: term.anchor
            for term in item.terms if term.anchor for name in placeholders_of(term)
        }
        if placeholders:  # the text of a definition means its own placeholders
            placeholders = {**scope.definition_placeholders, **placeholders}
            scope = replace(scope, definition_placeholders=placeholders)
    return replace(item, terms=terms, body=_flow(item.body, scope))


def _term(term: Term, scope: Scope) -> Term:
    """Names in a term are links; the term's own placeholders are not."""
    if not any(isinstance(part, Reference) for part in inline_parts(term.content)):
        return term
    section = scope.section if scope.entry is None else ""
    return replace(
        term, content=_inlines(term.content, replace(scope, entry=None, section=section))
    )


def _row(row: Row, scope: Scope) -> Row:
    return replace(row, cells=tuple(_cell(cell, scope) for cell in row.cells))


def _cell(cell: Cell, scope: Scope) -> Cell:
    content = _inlines(cell.content, scope)
    return cell if content is cell.content else replace(cell, content=content)


def _inlines(content: tuple[Inline, ...], scope: Scope) -> tuple[Inline, ...]:
    """`content` with its references resolved; the same object if it has none."""
    if not any(isinstance(part, WITH_REFERENCES) for part in content):
        return content
    parts: list[Inline] = []
    for at, part in enumerate(content):
        match part:
            case Reference():
                if url := _external_file(part, scope):
                    parts.append(Hyperlink(part.text, url, part.line, part.column))
                    continue
                before = plain_text(content[max(0, at - PARTS_BEFORE) : at])[-CONTEXT_LENGTH:]
                parts_after = PARTS_AFTER_NUMBER if part.kind == "section" else PARTS_AFTER
                after = plain_text(content[at + 1 : at + 1 + parts_after])[:CONTEXT_LENGTH]
                parts.append(resolve(part, before, after, scope))
            case Argument():
                anchor = scope.definition_placeholders.get(part.text) or scope.placeholders.get(
                    part.text
                )
                target = Target(scope.document, anchor) if anchor else None
                parts.append(replace(part, target=target))
            case Strong() | Emphasis() | Deleted():
                parts.append(replace(part, content=_inlines(part.content, scope)))
            case Text() | Code() | Hyperlink() | LineBreak() | Image():
                parts.append(part)
            case _:
                assert_never(part)
    return tuple(parts)


def _external_file(part: Reference, scope: Scope) -> str:
    """The address of a file that is not a document of the release, or empty if not known."""
    name = part.name.casefold()
    if part.kind != "document" or name in scope.symbols.documents:
        return ""
    return scope.dialect.external_files.get(name, "")

