"""What blocks say, as passages of words: layout, marks and colours do not count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from dconv.model.tree import (
    Block,
    Definition,
    Definitions,
    Entry,
    Example,
    Heading,
    Inline,
    Item,
    Labelled,
    List,
    Paragraph,
    Preformatted,
    Reference,
    Row,
    SeeAlso,
    Table,
    plain,
    walk,
)

# where a sentence ends and another begins
SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-Z\"<(`])")
# the number in a reference that names a section: "section 4.2", "4.2"
NUMBER = re.compile(r"\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class Passage:
    """The words of a paragraph, a row or a line of code.

    `keys` are what is compared: the words, but for the number of a section that is
    the same section with another number on the other side.
    """

    words: tuple[str, ...]
    keys: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        return " ".join(self.words)


def passages(
    blocks: Sequence[Block], renumbered: Mapping[tuple[str, str], str]
) -> Iterator[Passage]:
    """The passages of `blocks`, but for those of entries among them.

    `renumbered` maps sections (document and anchor) to the number that they are
    compared by.
    """
    for node in walk(tuple([block for block in blocks if not isinstance(block, Entry)])):
        for shown, key in _texts(node, renumbered):
            words = tuple(shown.split())
            keys = tuple(key.split())
            if words:
                yield Passage(words, keys if len(keys) == len(words) else words)


def sentences(found: Sequence[Passage]) -> Iterator[str]:
    """The sentences of the passages `found`."""
    for passage in found:
        yield from SENTENCE.split(str(passage))


def _texts(
    node: Block | Item | Definition, renumbered: Mapping[tuple[str, str], str]
) -> Iterator[tuple[str, str]]:
    """What `node` itself says, without what it contains: as shown, and as compared."""
    match node:
        case Paragraph() | Heading():
            yield _said(node.content, renumbered)
        case SeeAlso():
            yield _said(node.content, renumbered)
        case Preformatted():
            yield from zip(node.lines, node.lines, strict=True)
        case Example():
            yield _said(node.caption, renumbered)
        case Labelled():
            yield node.label, node.label
        case Definition():
            for term in node.terms:
                yield _said(term.content, renumbered)
        case Table():
            for row in (*node.head, *node.rows):
                if not _listed(node, row):
                    yield _row(row, renumbered)
        case List() | Definitions() | Item() | Entry():
            pass
        case _:
            assert_never(node)


def _listed(table: Table, row: Row) -> bool:
    """Whether `row` only lists an entry, which tells itself what changes."""
    return table.kind in ("matrix", "summary") and any(
        isinstance(part, Reference) and part.kind == "listed" and part.targets
        for part in row.cells[0].content
    )


def _row(row: Row, renumbered: Mapping[tuple[str, str], str]) -> tuple[str, str]:
    cells = [_said(cell.content, renumbered) for cell in row.cells]
    return " ".join([shown for shown, _ in cells]), " ".join([key for _, key in cells])


def _said(
    content: tuple[Inline, ...], renumbered: Mapping[tuple[str, str], str]
) -> tuple[str, str]:
    if not renumbered:
        shown = plain(content)
        return shown, shown
    return plain(content), "".join([_key(part, renumbered) for part in content])


def _key(part: Inline, renumbered: Mapping[tuple[str, str], str]) -> str:
    if isinstance(part, Reference) and part.kind == "section" and len(part.targets) == 1:
        target = part.targets[0]
        number = renumbered.get((target.document, target.anchor))
        if number is not None:
            return NUMBER.sub(lambda _: number, part.text, count=1)
    return part.text
