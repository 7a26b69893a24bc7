"""Blocks of a manual page as nodes of the tree: tags become entries, or terms.

Some pages are an index of others (systemd.directives(7)).  Their entries have names, but say
nothing about them: the body is one paragraph of references of kind "page", in the type that the
page shows, and the commas between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dconv.model.tree import (
    Block,
    BlockQuote,
    Definition,
    Definitions,
    Entry,
    Flow,
    Item,
    List,
    Paragraph,
    Preformatted,
    Table,
)
from dconv.readers.man.elements import Draft, Indented, Listed, Prose, Tagged
from dconv.readers.man.names import Place, are_words, named, shared_words
from dconv.readers.man.runs import Run, nodes, plain
from dconv.readers.reading_copy import UNKNOWN, entry, paragraph, term


def blocks(drafts: Sequence[Draft], place: Place) -> list[Block]:
    """What stands in a section: `drafts` with its entries, those that are further right too."""
    found: list[Block] = []
    for draft in drafts:
        if isinstance(draft, Tagged):
            here = _among(draft, place)
            for tags, body, ids in draft.items:
                one = _entry(tags, body, ids, here)
                if one is not None:
                    found.append(one)
                else:
                    _add(found, _definition(tags, body, ids, here))
        elif isinstance(draft, Indented) and any(isinstance(part, Tagged) for part in draft.body):
            found += blocks(draft.body, place)
        else:
            found += _node(draft, place)
    return found


def flow(drafts: Sequence[Draft], place: Place) -> list[Flow]:
    """What stands in a body: entries in it are terms with names."""
    found: list[Flow] = []
    for draft in drafts:
        if isinstance(draft, Tagged):
            here = _among(draft, place)
            items = [_definition(*item, here) for item in draft.items]
            found.append(Definitions(tuple(items), UNKNOWN))
        else:
            found += _node(draft, place)
    return found


def _among(draft: Tagged, place: Place) -> Place:
    """`place` as the tags of `draft` see it."""
    tags = [tag for item in draft.items for tag in item[0]]
    return replace(place, is_list_of_words=are_words(tags), shared=shared_words(tags))


def _inside(place: Place) -> Place:
    """The place of the description of a tag at `place`."""
    return replace(place, is_inner=True)


def _node(draft: Prose | Indented | Listed | Preformatted | Table, place: Place) -> list[Flow]:
    match draft:
        case Prose(runs=runs):
            return [paragraph(nodes(runs))]
        case Indented(body=body):
            inner = flow(body, place)
            if not any(isinstance(node, Paragraph) for node in inner):
                return inner  # code and lists are further right as they are
            return [BlockQuote(tuple(inner), UNKNOWN)]
        case Listed(ordered=ordered, items=items):
            rows = [Item(marker, tuple(flow(body, place)), UNKNOWN) for marker, body in items]
            return [List(ordered, tuple(rows), UNKNOWN)]
        case Preformatted() | Table():
            return [draft]


def _entry(
    tags: Sequence[Sequence[Run]], body: Sequence[Draft], ids: str, place: Place
) -> Entry | None:
    """The entry of `tags`, if each of them names something."""
    found = [named(tag, place) for tag in tags]
    forms = [
        (plain(tag), one.names) for tag, one in zip(tags, found, strict=True) if one is not None
    ]
    first = found[0]
    if first is None or len(forms) < len(tags):
        return None
    return entry(first.kind, forms, flow(body, _inside(place)), ids)


def _definition(
    tags: Sequence[Sequence[Run]], body: Sequence[Draft], ids: str, place: Place
) -> Definition:
    found = [named(tag, place) for tag in tags]
    all_named = all(found)
    terms = []
    for tag, one in zip(tags, found, strict=True):
        if one is not None and all_named:
            terms.append(term(nodes(tag), one.kind, one.names, ids))
        else:
            terms.append(term(nodes(tag), anchor=ids))
        ids = ""
    return Definition("", tuple(terms), "", tuple(flow(body, _inside(place))), UNKNOWN)


def _add(found: list[Block], definition: Definition) -> None:
    """Put `definition` behind `found`, into the list at its end if there is one."""
    last = found[-1] if found else None
    if isinstance(last, Definitions):
        found[-1] = replace(last, items=(*last.items, definition))
    else:
        found.append(Definitions((definition,), UNKNOWN))
