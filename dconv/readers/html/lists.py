"""The names that items of lists start with."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bs4 import Tag

from dconv.model.tree import Inline, LineBreak, Strong, Term, Text, plain_text
from dconv.model.values import dataclass
from dconv.readers.extracted_text import term
from dconv.readers.html.inlines import inlines
from dconv.readers.html.names import read_names
from dconv.readers.html.soup import children, is_block, parts_of

# what is between a name and its text in the item of a list: ":", " - "
BETWEEN = re.compile(
    r"(?P<note>\s*\([^()]*\))?\s*(?P<separator>:|[-–—]{1,3}(?=\s|$))?(?P<rest>.*)", re.DOTALL
)
# between two names of an item
BETWEEN_NAMES = re.compile(r"\s*(?:[,/|]|or)\s+|\s+")


@dataclass(frozen=True, slots=True)
class NamedItem:
    """The item of a list: its name, its text, its other blocks.

    `has_separator` says whether a separator is between name and text.
    """

    term: Term
    text: tuple[Inline, ...]
    rest: Sequence[Tag | str]
    has_separator: bool


def named_item(group: Sequence[Tag], title: str) -> NamedItem | None:
    """What is in an item of a list that starts with a name, or None."""
    parts = [*parts_of(group)]
    while parts and isinstance(parts[0], str) and not parts[0].strip():
        del parts[0]
    if not parts:
        return None
    first = parts[0]
    if isinstance(first, Tag) and first.name == "p":
        line, rest = [*children(first)], parts[1:]
    else:
        blocks = (at for at, part in enumerate(parts) if isinstance(part, Tag) and is_block(part))
        at = next(blocks, len(parts))
        line, rest = parts[:at], parts[at:]
    content = inlines(line)
    split = _split_term(content)
    if split is None:
        return None
    head, text, has_separator = split
    names = read_names(head, title)
    if names is None or (not has_separator and plain_text(text).strip()):
        return None
    return NamedItem(term(head, names.kind, names.names), text, rest, has_separator)


def has_description(part: NamedItem) -> bool:
    """Whether there is more in an item than its name."""
    return bool(plain_text(part.text).strip()) or any(
        isinstance(node, Tag) or node.strip() for node in part.rest
    )


def _split_term(
    content: tuple[Inline, ...]
) -> tuple[tuple[Inline, ...], tuple[Inline, ...], bool] | None:
    """`content` cut at the separator after its literal start, and whether there is one."""
    head: list[Inline] = []
    for at, node in enumerate(content):
        if isinstance(node, Text) and head:
            match = BETWEEN.match(node.text)
            if match is None or match["separator"] is None:
                if node.text.strip() and not BETWEEN_NAMES.fullmatch(node.text):
                    return None
                head.append(node)
                continue
            rest = match["rest"]
            if rest and not rest[0].isspace():
                return None
            note = (Text(match["note"]),) if match["note"] else ()
            return (*head, *note), (Text(rest), *content[at + 1 :]), True
        if isinstance(node, Text | LineBreak):
            if node.text.strip() or head:
                return None
            continue
        if isinstance(node, Strong) and node.text.rstrip().endswith(":"):
            inner = node.content[-1]
            is_apart = at + 1 == len(content) or content[at + 1].text[:1].isspace()
            if not isinstance(inner, Text) or not is_apart:
                return None
            bare = (*node.content[:-1], Text(inner.text.rstrip().removesuffix(":")))
            return (*head, Strong(bare)), content[at + 1 :], True
        head.append(node)
    return (tuple(head), (), False) if head else None
