"""Blocks of a manual page as nodes of the tree: tags become entries, or terms.

Some pages are an index of others (systemd.directives(7)).  Their entries have names, but say
nothing about them: the body is one paragraph of references of kind "page", in the type that the
page shows, and the commas between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dconv.model import tree
from dconv.readers.extracted_text import NO_SPAN, definition, entry, merge_definitions, term
from dconv.readers.man.drafts import Draft, IndentedBlock, ItemList, Prose, TaggedList
from dconv.readers.man.names import TagContext, in_list, read_names, shared_words
from dconv.readers.man.runs import Run, inline_nodes, plain
from dconv.readers.names import KindAndNames


def blocks(drafts: Sequence[Draft], context: TagContext) -> list[tree.Block]:
    """The blocks of a section: `drafts` with its entries, indented ones too."""
    nodes: list[tree.Block] = []
    for draft in drafts:
        if isinstance(draft, TaggedList):
            list_context = in_list([tag for item in draft.items for tag in item[0]], context)
            for tags, body, ids in draft.items:
                entry_node = _entry(tags, body, ids, list_context)
                nodes.append(entry_node or _definition(tags, body, ids, list_context))
        elif isinstance(draft, IndentedBlock) and any(
            isinstance(part, TaggedList) for part in draft.body
        ):
            nodes += blocks(draft.body, context)
        else:
            nodes += _node(draft, context)
    return merge_definitions(nodes)


def flow(drafts: Sequence[Draft], context: TagContext) -> list[tree.Flow]:
    """The body of an entry or an item; what would be entries are terms with names."""
    nodes: list[tree.Flow] = []
    for draft in drafts:
        if isinstance(draft, TaggedList):
            list_context = in_list([tag for item in draft.items for tag in item[0]], context)
            nodes += [_definition(*item, list_context) for item in draft.items]
        else:
            nodes += _node(draft, context)
    return merge_definitions(nodes)


def _node(
    draft: Prose | IndentedBlock | ItemList | tree.Preformatted | tree.Table, context: TagContext
) -> list[tree.Flow]:
    match draft:
        case Prose(runs=runs):
            return [tree.Paragraph(inline_nodes(runs), NO_SPAN)]
        case IndentedBlock(body=body):
            inner = flow(body, context)
            if not any(isinstance(node, tree.Paragraph) for node in inner):
                return inner  # code and lists are indented anyway
            return [tree.BlockQuote(tuple(inner), NO_SPAN)]
        case ItemList(ordered=ordered, items=items):
            nodes = [
                tree.Item(marker, tuple(flow(body, context)), NO_SPAN) for marker, body in items
            ]
            return [tree.List(ordered, tuple(nodes), NO_SPAN)]
        case tree.Preformatted() | tree.Table():
            return [draft]


def _entry(
    tags: Sequence[Sequence[Run]], body: Sequence[Draft], ids: str, context: TagContext
) -> tree.Entry | None:
    """The entry of `tags`, if each of them names something."""
    tag_names = _tag_names(tags, body, context)
    signatures = [
        (plain(tag), names.names) for tag, names in zip(tags, tag_names, strict=True)
        if names is not None
    ]
    first = tag_names[0]
    if first is None or len(signatures) < len(tags):
        return None
    return entry(first.kind, signatures, flow(body, replace(context, is_inner=True)), ids)


def _tag_names(
    tags: Sequence[Sequence[Run]], body: Sequence[Draft], context: TagContext
) -> list[KindAndNames | None]:
    """What each of `tags` with the description `body` names; the label of a listing nothing."""
    if plain(tags[-1]).endswith(":") and body and (
        all(isinstance(part, tree.Preformatted) for part in body)
    ):
        return [None] * len(tags)
    context = replace(context, shared_in_entry=shared_words(tags))
    return [read_names(tag, context) for tag in tags]


def _definition(
    tags: Sequence[Sequence[Run]], body: Sequence[Draft], ids: str, context: TagContext
) -> tree.Definitions:
    tag_names = _tag_names(tags, body, context)
    all_named = all(tag_names)
    terms = []
    for tag, names in zip(tags, tag_names, strict=True):
        if names is not None and all_named:
            terms.append(term(inline_nodes(tag), names.kind, names.names, ids))
        else:
            terms.append(term(inline_nodes(tag), anchor=ids))
        ids = ""
    return definition(terms, flow(body, replace(context, is_inner=True)))
