"""The words of a tree, leaf by leaf, each with the lines of the source that it is on.

Both halves of the proof start here: the leaves are compared with the source, and with the pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from dconv.model import tree
from dconv.model.values import dataclass

# Marks among words, as no text holds them: control characters never get so far.
BREAK = "\x01"  # a block starts
CELL = "\x02"  # a cell starts; the number of its columns follows where it has several


@dataclass(frozen=True, slots=True)
class Leaf:
    """Words of the tree that are together, on the lines `first` to `last`.

    `words` are those of the source, `shown_words` those of a page where they differ, and `border`
    the marks that a page has in front of them.  `extents` are the parts of lines where they are, if
    they share the lines with others.  If `is_code`, they are lines with their blanks; if
    `is_number`, the number of a list's item.  A leaf that is `out_of_flow` is outside of the
    running text.
    """

    first: int
    last: int
    words: list[str]
    border: tuple[str, ...] = (BREAK,)
    shown_words: list[str] | None = None
    extents: tuple[tree.Extent, ...] = ()
    is_code: bool = False
    is_number: bool = False
    out_of_flow: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """The leaves of a table, or of the usage of an entry, row by row; each row has `columns`.

    `spans` has the lines of each row, `colspans` how many columns each of its leaves covers.
    """

    rows: list[list[Leaf]]
    spans: list[tree.Span]
    colspans: list[list[int]]
    columns: int


LeafOrGrid = Leaf | Grid


def leaves_and_grids(manual: tree.Manual) -> Iterator[LeafOrGrid]:
    """All words of `manual`, in its order."""
    for row in manual.header.rows:
        yield Leaf(row.line, row.line, row.text.split(), out_of_flow=True)
    if span := manual.contents_span:
        title = manual.source.lines[span.first - 1].text.rstrip(" :")
        yield Leaf(span.first, span.first, title.split(), out_of_flow=True)
    for line in manual.contents:
        yield Leaf(line.line, line.line, f"{line.number} {line.title}".split(), out_of_flow=True)
    yield from _blocks(manual.preface)
    for section in tree.sections(manual):
        span = section.title_span
        yield Leaf(span.first, span.last, f"{section.number} {section.title}".split())
        yield from _blocks(section.body)


def leaves(manual: tree.Manual) -> Iterator[Leaf]:
    """All words of `manual`, in its order, those of tables cell by cell."""
    for item in leaves_and_grids(manual):
        if isinstance(item, Leaf):
            yield item
        else:
            for row in item.rows:
                yield from row


def shown_words(leaves: Iterable[Leaf]) -> list[str]:
    """The words of `leaves` as a page shows them, with the borders between them."""
    words: list[str] = []
    for leaf in leaves:
        words += leaf.border[1:] if words[-1:] == [BREAK] else leaf.border
        words += leaf.words if leaf.shown_words is None else leaf.shown_words
    return words


def _blocks(blocks: Iterable[tree.Block]) -> Iterator[LeafOrGrid]:
    stack: list[tree.Block | tree.Item | tree.Definition | Leaf] = list(reversed([*blocks]))
    while stack:
        node = stack.pop()
        match node:
            case Leaf():
                yield node
            case tree.Paragraph() | tree.Heading():
                yield Leaf(node.span.first, node.span.last, tree.plain_text(node.content).split())
            case tree.Preformatted():
                yield Leaf(node.span.first, node.span.last, [*node.lines], is_code=True)
            case tree.Item() | tree.BlockQuote():
                stack.extend(reversed(node.body))
            case tree.List():
                numbers = tree.listed_numbers(node)
                for item, number in reversed([*zip(node.items, numbers, strict=True)]):
                    stack += [item, _number(item, number)]
            case tree.Definitions():
                stack.extend(reversed(node.items))
            case tree.Definition():
                yield from _terms(node)
                stack.extend(reversed(node.body))
            case tree.SeeAlso():
                yield Leaf(node.span.first, node.span.first, node.label.split())
                yield Leaf(node.span.first, node.span.last, tree.plain_text(node.content).split())
            case tree.Labelled() | tree.Example() | tree.Footnote():
                yield Leaf(node.span.first, node.span.first, node.label.split())
                if isinstance(node, tree.Example) and node.caption:
                    words = tree.plain_text(node.caption).split()
                    yield Leaf(node.span.first, node.span.last, words)
                stack.extend(reversed(node.body))
            case tree.Table():
                yield _table(node)
            case tree.Entry():
                for signature in node.signatures:
                    span = signature.span
                    leaf = Leaf(
                        span.first, span.last, signature.text.split(), extents=signature.extents,
                        out_of_flow=True,
                    )
                    yield Grid([[leaf]], [span], [[1]], 1) if signature.extents else leaf
                for usage in node.usages:
                    yield _usage(usage)
                stack.extend(reversed(node.body))
            case _:
                assert_never(node)


def _number(item: tree.Item, number: str) -> Leaf:
    """The number of an item as written, and as a page shows it if it counts; empty for a bullet."""
    line = item.span.first
    if not number or number == item.marker:
        return Leaf(line, line, [number] if number else [], is_number=True)
    return Leaf(line, line, [item.marker.strip("().")], shown_words=[number], is_number=True)


def _terms(node: tree.Definition) -> Iterator[Leaf]:
    for term in node.terms:
        words = tree.plain_text(term.content).split()
        if term is node.terms[0] and node.marker[:1].isalnum():
            words.insert(0, node.marker)
        if term is node.terms[-1] and node.separator != ":":
            words += node.separator.split()
        yield Leaf(term.line, term.line, words)


def _table(node: tree.Table) -> Grid:
    rows = (*node.head, *node.rows)
    return Grid(
        [
            [
                Leaf(
                    row.span.first, row.span.last, tree.plain_text(cell.content).split(),
                    (BREAK, CELL + (str(cell.columns) if cell.columns > 1 else "")),
                    extents=cell.extents,
                )
                for cell in row.cells
            ]
            for row in rows
        ],
        [row.span for row in rows],
        [[cell.columns for cell in row.cells] for row in rows],
        node.columns,
    )


def _usage(node: tree.Usage) -> Grid:
    """Where an entry may be used, by name and state ("backend yes"); contexts have commas."""
    row: list[Leaf] = []
    last = len(node.values) - 1
    for index, (name, state) in enumerate(node.values):
        extents = node.extents[index] if index < len(node.extents) else ()
        if node.kind != "contexts":
            words = f"{name} {state}".split()
            row.append(Leaf(
                node.span.first, node.span.last, words, extents=extents, out_of_flow=True
            ))
            continue
        border = () if index else (BREAK,)
        with_comma = f"{name}," if index < last else name
        row.append(
            Leaf(node.span.first, node.span.last, name.split(), border, with_comma.split(), extents,
                 out_of_flow=True)
        )
    return Grid([row], [node.span], [[1] * len(row)], len(row))
