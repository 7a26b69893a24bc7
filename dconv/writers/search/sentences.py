"""The sentences of all texts, in parts that are loaded one by one.

They are too many to be loaded with the words: who shows a result of the text asks for
the part that it is in, and `excerpt` chooses the sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

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
    Row,
    SeeAlso,
    Table,
    plain,
)
from dconv.writers.pages.page import Published
from dconv.writers.search.fields import LISTS, Key
from dconv.writers.search.places import SENTENCE, Spot


@dataclass(slots=True)
class _Reader:
    """Gathers the sentences of each place."""

    found: dict[Key, list[str]] = field(default_factory=dict)

    def add(self, key: Key, text: str) -> None:
        text = " ".join(text.split())
        if text:
            self.found.setdefault(key, []).append(text)


def sentences(
    documents: Sequence[Published], known: Sequence[Spot]
) -> dict[Key, list[str]]:
    """What each text of `documents` says, sentence by sentence, in its order.

    Keys are those of `fields`.  Lines of code stand for themselves, rows of tables too;
    a term leads the sentence that explains it.
    """
    reader = _Reader()
    for spot in known:
        key = (spot.document, spot.section.anchor)
        for block in spot.section.body:
            if isinstance(block, Entry):
                own = (spot.document, block.anchor)
                _blocks(reader, block.body, own)
                for signature in block.signatures:
                    reader.add(own, signature.text)
            else:
                _blocks(reader, (block,), key)
    return reader.found


def _blocks(reader: _Reader, blocks: Iterable[Block], key: Key) -> None:
    for block in blocks:
        _block(reader, block, key)


def _block(reader: _Reader, block: Block | Item | Definition, key: Key) -> None:
    match block:
        case Paragraph():
            _prose(reader, block.content, key)
        case Heading():
            reader.add(key, plain(block.content))
        case Preformatted():
            for line in block.lines:
                reader.add(key, line)
        case Table():
            _table(reader, block, key)
        case Definition():
            _definition(reader, block, key)
        case List() | Definitions():
            for item in block.items:
                _block(reader, item, key)
        case Example():
            _prose(reader, block.caption, key)
            _blocks(reader, block.body, key)
        case Item() | Labelled():
            _blocks(reader, block.body, key)
        case SeeAlso() | Entry():
            pass


def _prose(reader: _Reader, content: tuple[Inline, ...], key: Key, term: str = "") -> None:
    for sentence in SENTENCE.split(" ".join(plain(content).split())):
        joint = "" if not term else " " if sentence[:1].islower() else ": "
        reader.add(key, f"{term}{joint}{sentence}")
        term = ""


def _definition(reader: _Reader, definition: Definition, key: Key) -> None:
    own = [term for term in definition.terms if term.kind and term.anchor]
    if own:
        key = (key[0], own[0].anchor)
    terms = ", ".join(plain(term.content).strip() for term in definition.terms)
    first, rest = definition.body[:1], definition.body
    if first and isinstance(first[0], Paragraph):
        _prose(reader, first[0].content, key, terms)
        rest = definition.body[1:]
    else:
        reader.add(key, terms)
    _blocks(reader, rest, key)


def _table(reader: _Reader, table: Table, key: Key) -> None:
    for row in table.rows if table.kind not in LISTS else ():
        own = (key[0], row.anchor) if row.anchor and row.kind else key
        reader.add(own, _cells(row))


def _cells(row: Row) -> str:
    """The cells of `row` as one line: the first tells what the others are about."""
    cells = [text for cell in row.cells if (text := " ".join(plain(cell.content).split()))]
    return ": ".join([*cells[:1], ", ".join(cells[1:])]) if len(cells) > 1 else "".join(cells)


def parts(rows: Mapping[int, Sequence[str]], most: int) -> Iterator[dict[int, Sequence[str]]]:
    """`rows` with their sentences in parts of about `most` characters, one row at least."""
    part: dict[int, Sequence[str]] = {}
    size = 0
    for row in sorted(rows):
        own = sum(map(len, rows[row]))
        if part and size + own > most:
            yield part
            part, size = {}, 0
        part[row] = rows[row]
        size += own
    if part:
        yield part
