"""The text of blocks as passages: words without layout and markup, one passage a paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import assert_never

from dconv.model import tree
from dconv.model.values import dataclass

SENTENCE_END = re.compile(r"\s(?<=[.!?;]\s)\s*(?=[A-Z\"<(`])")  # found by its first blank
MAX_CACHED_TEXTS = 1 << 14
# the number in a reference that names a section: "section 4.2", "4.2"
NUMBER = re.compile(r"\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class Passage:
    """The words of a paragraph, a row or a line of code.

    `compared_words` are the words, but with the new number of a section that got another one.
    """

    words: tuple[str, ...]
    compared_words: tuple[str, ...]

    def __str__(self) -> str:
        """The words, with a space between them."""
        return " ".join(self.words)


def passages(
    blocks: Sequence[tree.Block], renumbered: Mapping[tuple[str, str], str]
) -> Iterator[Passage]:
    """The passages of `blocks`, without those of entries among them.

    `renumbered` maps sections (document and anchor) to the number to compare them by.
    """
    for node in _nodes(blocks):
        for text, compared in _texts(node, renumbered):
            words, compared_words = tuple(text.split()), tuple(compared.split())
            if words:
                same_length = len(compared_words) == len(words)
                yield Passage(words, compared_words if same_length else words)


def passage_texts(blocks: Sequence[tree.Block]) -> Iterator[str]:
    """The passages of `blocks` as strings, with a space between two words."""
    for node in _nodes(blocks):
        for text, _ in _texts(node, {}):
            if words := text.split():
                yield " ".join(words)


def sentences(blocks: Sequence[tree.Block]) -> Iterator[str]:
    """The sentences of `blocks`, without those of entries among them."""
    for passage in passage_texts(blocks):
        yield from _split(passage)


# each passage is asked for several times, and releases of a product have most in common
_split = lru_cache(maxsize=MAX_CACHED_TEXTS)(SENTENCE_END.split)


def _nodes(blocks: Sequence[tree.Block]) -> Iterator[tree.Block | tree.Item | tree.Definition]:
    return tree.walk(tuple([block for block in blocks if not isinstance(block, tree.Entry)]))


def _texts(
    node: tree.Block | tree.Item | tree.Definition, renumbered: Mapping[tuple[str, str], str]
) -> Iterator[tuple[str, str]]:
    """The texts of `node` without what it contains: as shown, and as compared."""
    match node:
        case tree.Paragraph() | tree.Heading() | tree.SeeAlso():
            yield _inline_text(node.content, renumbered)
        case tree.Preformatted():
            yield from ((line, line) for line in node.lines)
        case tree.Example():
            yield _inline_text(node.caption, renumbered)
        case tree.Labelled() | tree.Footnote():
            yield node.label, node.label
        case tree.Definition():
            for term in node.terms:
                yield _inline_text(term.content, renumbered)
        case tree.Table():
            for row in (*node.head, *node.rows):
                if not _lists_entry(node, row):
                    cells = [_inline_text(cell.content, renumbered) for cell in row.cells]
                    compared = " ".join([compared for _, compared in cells])
                    yield " ".join([text for text, _ in cells]), compared
        case tree.List() | tree.Definitions() | tree.Item() | tree.Entry() | tree.BlockQuote():
            pass
        case _:
            assert_never(node)


def _lists_entry(table: tree.Table, row: tree.Row) -> bool:
    """Whether `row` only lists an entry, which is compared itself."""
    return table.role != "data" and any(
        isinstance(node, tree.Reference) and node.kind == "listed" and node.targets
        for node in row.cells[0].content
    )


def _inline_text(
    content: tuple[tree.Inline, ...], renumbered: Mapping[tuple[str, str], str]
) -> tuple[str, str]:
    if not renumbered:
        text = tree.plain_text(content)
        return text, text
    return tree.plain_text(content), "".join(
        [_compared_text(node, renumbered) for node in content]
    )


def _compared_text(node: tree.Inline, renumbered: Mapping[tuple[str, str], str]) -> str:
    if isinstance(node, tree.Reference) and node.kind == "section" and len(node.targets) == 1:
        target = node.targets[0]
        number = renumbered.get((target.document, target.anchor))
        if number is not None:
            return NUMBER.sub(lambda _: number, node.text, count=1)
    return node.text
