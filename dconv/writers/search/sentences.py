"""The sentences of all texts, in parts that are loaded one by one.

They are too many to be loaded with the words: a page that shows a result of the text
loads the part that it is in, and `search-marks.js` chooses the sentence.
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
    plain_text,
)
from dconv.writers.pages.page import ReleaseDocument
from dconv.writers.search.places import SENTENCE, SectionPage
from dconv.writers.search.texts import LISTS, Key


@dataclass(slots=True)
class _Collector:
    """Gathers the sentences of each place."""

    sentences: dict[Key, list[str]] = field(default_factory=dict)

    def add(self, key: Key, text: str) -> None:
        text = " ".join(text.split())
        if text:
            self.sentences.setdefault(key, []).append(text)


def sentences(
    documents: Sequence[ReleaseDocument], pages: Sequence[SectionPage]
) -> dict[Key, list[str]]:
    """Return the sentences of each text of `documents`, in their order.

    Keys are those of `texts.fields`.  Lines of code stand for themselves, rows of tables too;
    a term leads the sentence that explains it.
    """
    collector = _Collector()
    for page in pages:
        key = (page.document, page.section.anchor)
        for block in page.section.body:
            if isinstance(block, Entry):
                own = (page.document, block.anchor)
                _blocks(collector, block.body, own)
                for signature in block.signatures:
                    collector.add(own, signature.text)
            else:
                _blocks(collector, (block,), key)
    return collector.sentences


def _blocks(collector: _Collector, blocks: Iterable[Block], key: Key) -> None:
    for block in blocks:
        _block(collector, block, key)


def _block(collector: _Collector, block: Block | Item | Definition, key: Key) -> None:
    match block:
        case Paragraph():
            _prose(collector, block.content, key)
        case Heading():
            collector.add(key, plain_text(block.content))
        case Preformatted():
            for line in block.lines:
                collector.add(key, line)
        case Table():
            _table(collector, block, key)
        case Definition():
            _definition(collector, block, key)
        case List() | Definitions():
            for item in block.items:
                _block(collector, item, key)
        case Example():
            _prose(collector, block.caption, key)
            _blocks(collector, block.body, key)
        case Item() | Labelled():
            _blocks(collector, block.body, key)
        case SeeAlso() | Entry():
            pass


def _prose(collector: _Collector, content: tuple[Inline, ...], key: Key, term: str = "") -> None:
    for sentence in SENTENCE.split(" ".join(plain_text(content).split())):
        joint = "" if not term else " " if sentence[:1].islower() else ": "
        collector.add(key, f"{term}{joint}{sentence}")
        term = ""


def _definition(collector: _Collector, definition: Definition, key: Key) -> None:
    own = [term for term in definition.terms if term.kind and term.anchor]
    if own:
        key = (key[0], own[0].anchor)
    terms = ", ".join(plain_text(term.content).strip() for term in definition.terms)
    first, rest = definition.body[:1], definition.body
    if first and isinstance(first[0], Paragraph):
        _prose(collector, first[0].content, key, terms)
        rest = definition.body[1:]
    else:
        collector.add(key, terms)
    _blocks(collector, rest, key)


def _table(collector: _Collector, table: Table, key: Key) -> None:
    for row in table.rows if table.kind not in LISTS else ():
        own = (key[0], row.anchor) if row.anchor and row.kind else key
        collector.add(own, _cells(row))


def _cells(row: Row) -> str:
    """Return the cells of `row` as one line, in which the first is a heading."""
    cells = [text for cell in row.cells if (text := " ".join(plain_text(cell.content).split()))]
    return ": ".join([*cells[:1], ", ".join(cells[1:])]) if len(cells) > 1 else "".join(cells)


def parts(rows: Mapping[int, Sequence[str]], most: int) -> Iterator[dict[int, Sequence[str]]]:
    """Yield `rows` with their sentences in parts of about `most` characters, one row at least."""
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
