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
from dconv.model import tree
from dconv.model.dialect import Dialect
from dconv.model.placeholders import placeholder_anchors, placeholders_of

CONTEXT_LENGTH = 90  # characters around a reference that may say what it means
STRAIGHT_QUOTES = str.maketrans("“”", "\"\"")  # as the patterns around names have them
# what may be a reference, or contain one
WITH_REFERENCES = frozenset((tree.Reference, tree.Argument, *tree.WITH_CONTENT))


def link(manual: tree.Manual, symbols: Symbols, dialect: Dialect) -> tree.Manual:
    """`manual` with the targets of every reference to a name or section of `symbols`."""
    scope = Scope(manual.name, None, symbols, dialect)
    linked = tree.with_bodies(
        manual, lambda section: _blocks(section.body, replace(scope, section=section.anchor))
    )
    return replace(linked, preface=_blocks(manual.preface, scope))


def _blocks(blocks: Sequence[tree.Block], scope: Scope) -> tuple[tree.Block, ...]:
    return tuple(
        _entry(block, scope) if isinstance(block, tree.Entry) else _node(block, scope)
        for block in blocks
    )


def _entry(entry: tree.Entry, scope: Scope) -> tree.Entry:
    placeholders = placeholder_anchors(entry).by_name
    return replace(
        entry, body=_flow(entry.body, replace(scope, entry=entry, placeholders=placeholders))
    )


def _flow(nodes: Sequence[tree.Flow], scope: Scope) -> tuple[tree.Flow, ...]:
    return tuple(_node(node, scope) for node in nodes)


def _node(node: tree.Flow, scope: Scope) -> tree.Flow:
    match node:
        case tree.Paragraph() | tree.SeeAlso() | tree.Heading():
            if isinstance(node, tree.SeeAlso):
                scope = replace(scope, in_see_also=True)
            content = _inlines(node.content, scope)
            return node if content is node.content else replace(node, content=content)
        case tree.Preformatted():
            styled_code = highlight(node, scope.document, scope.entry, scope.symbols, scope.dialect)
            return replace(node, styled_code=styled_code) if styled_code else node
        case tree.Example():
            caption = _inlines(node.caption, scope)
            return replace(node, caption=caption, body=_flow(node.body, scope))
        case tree.List():
            return replace(node, items=tuple(_item(item, scope) for item in node.items))
        case tree.Definitions():
            return replace(node, items=tuple(_definition(item, scope) for item in node.items))
        case tree.Labelled() | tree.BlockQuote() | tree.Footnote():
            return replace(node, body=_flow(node.body, scope))
        case tree.Table():
            head = tuple(_row(row, scope) for row in node.head)
            return replace(node, head=head, rows=tuple(_row(row, scope) for row in node.rows))
        case _:
            assert_never(node)


def _item(item: tree.Item, scope: Scope) -> tree.Item:
    first = item.body[0] if item.body else None
    if isinstance(first, tree.Paragraph) and _starts_definition(first.content, scope):
        head = replace(first, content=(*first.content[:2], *_inlines(first.content[2:], scope)))
        return replace(item, body=(head, *_flow(item.body[1:], scope)))
    return replace(item, body=_flow(item.body, scope))


def _starts_definition(content: tuple[tree.Inline, ...], scope: Scope) -> bool:
    """Whether `content` defines the quoted name at its start: '"max-size" <UINT32>'.

    '"delay" is the time' does too, but not in an entry, nor for what is not a plain word.
    """
    if len(content) < 3 or not isinstance(content[1], tree.Reference) or content[0].text != '"':
        return False
    if len(content) == 4 and isinstance(content[3], tree.Argument):
        return content[2].text.strip() == '"'
    return (
        scope.entry is None
        and content[1].text.isalnum()
        and content[2].text.startswith('" is the ')
    )


def _definition(item: tree.Definition, scope: Scope) -> tree.Definition:
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


def _term(term: tree.Term, scope: Scope) -> tree.Term:
    """Names in a term are links; the term's own placeholders are not."""
    if not any(isinstance(node, tree.Reference) for node in tree.walk_inlines(term.content)):
        return term
    section = scope.section if scope.entry is None else ""
    return replace(
        term, content=_inlines(term.content, replace(scope, entry=None, section=section))
    )


def _row(row: tree.Row, scope: Scope) -> tree.Row:
    return replace(row, cells=tuple(_cell(cell, scope) for cell in row.cells))


def _cell(cell: tree.Cell, scope: Scope) -> tree.Cell:
    content = _inlines(cell.content, scope)
    return cell if content is cell.content else replace(cell, content=content)


def _inlines(content: tuple[tree.Inline, ...], scope: Scope) -> tuple[tree.Inline, ...]:
    """`content` with its references resolved; the same object if it has none."""
    if WITH_REFERENCES.isdisjoint(map(type, content)):
        return content
    nodes: list[tree.Inline] = []
    text, end = tree.plain_text(content).translate(STRAIGHT_QUOTES), 0
    for node in content:
        start, end = end, end + len(node.text)
        match node:
            case tree.Reference():
                if url := _external_file(node, scope):
                    nodes.append(tree.Hyperlink(node.text, url, node.line, node.column))
                    continue
                before = text[max(0, start - CONTEXT_LENGTH) : start]
                nodes.append(resolve(node, before, text[end : end + CONTEXT_LENGTH], scope))
            case tree.Argument():
                anchor = scope.definition_placeholders.get(node.text) or scope.placeholders.get(
                    node.text
                )
                target = tree.Target(scope.document, anchor) if anchor else None
                nodes.append(tree.Argument(node.text, target))
            case tree.Strong() | tree.Emphasis() | tree.Deleted():
                nodes.append(replace(node, content=_inlines(node.content, scope)))
            case tree.Text() | tree.Code() | tree.Hyperlink() | tree.LineBreak() | tree.Image():
                nodes.append(node)
            case _:
                assert_never(node)
    return tuple(nodes)


def _external_file(reference: tree.Reference, scope: Scope) -> str:
    """The address of a file that is not a document of the release, or empty if not known."""
    name = reference.name.casefold()
    if reference.kind != "document" or name in scope.symbols.documents:
        return ""
    return scope.dialect.external_files.get(name, "")

