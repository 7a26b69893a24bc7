"""What the blocks of a page have in common: their places, their ids, what is in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bs4 import Tag

from dconv.model.tree import Span
from dconv.readers.html.soup import BLOCKS, anchor_of, attribute, children, elements, text_of
from dconv.readers.reading_copy import NO_SPAN

VERBATIM = frozenset(("pre", "listing", "xmp", "plaintext"))
NUMBER = re.compile(r"-?\d{1,9}")  # an attribute that counts


def is_block(tag: Tag) -> bool:
    """Whether `tag` stands apart from the line, or holds an element that does."""
    if tag.name in BLOCKS:
        return True
    return any(inner.name in BLOCKS for inner in elements(tag))


def span_of(tag: Tag) -> Span:
    """The line of the original that `tag` starts on."""
    line = tag.sourceline
    return Span(line, line) if line else NO_SPAN


def ids_in(tag: Tag) -> Iterator[str]:
    """The ids of `tag` and of what is in it."""
    for element in (tag, *elements(tag)):
        yield from own_ids(element)


def own_ids(tag: Tag) -> Iterator[str]:
    """The ids of `tag` itself."""
    for name in ("id", "name") if tag.name == "a" else ("id",):
        if value := anchor_of(attribute(tag, name)):
            yield value


def split_heading(tag: Tag) -> tuple[list[Tag | str], list[Tag | str]]:
    """What is in the heading `tag`: the parts of its line, and those from its first block on."""
    parts = [*children(tag)]
    while len(parts) == 1 and isinstance(parts[0], Tag) and is_block(parts[0]):
        parts = [*children(parts[0])]
    for at, part in enumerate(parts):
        if isinstance(part, Tag) and is_block(part):
            words = "".join([
                before if isinstance(before, str) else text_of(before) for before in parts[:at]
            ])
            if words.strip():
                return parts[:at], parts[at:]
    return parts, []


def child_elements(tag: Tag) -> Iterator[Tag]:
    """The elements in `tag`, not those in them."""
    for child in tag.contents:
        if isinstance(child, Tag):
            yield child
