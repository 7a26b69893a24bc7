"""What the tree says, word for word: the proof of the tree alone, before any page.

Every node is written out again from its own fields, in the form in which `verify`
reads pages, and compared with the source.  So what a reader of the tree gets, as
by `dconv dump`, is proved without the writers of HTML.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from dconv.model.tree import (
    Block,
    Definition,
    Definitions,
    Entry,
    Example,
    Heading,
    Item,
    Labelled,
    List,
    Manual,
    Paragraph,
    Preformatted,
    Section,
    SeeAlso,
    Span,
    Table,
    Usage,
    plain,
    sections,
)
from dconv.proof.coverage import Proof, compare
from dconv.proof.differences import Stretch
from dconv.proof.expected import BREAK, CELL, QUOTE, listed_numbers
from dconv.readers.text.outline import header


def prove_tree(manual: Manual, version: str = "") -> Proof:
    """Prove that the nodes of `manual` hold all of its source, each line once."""
    return compare(manual, version, emit(manual))


def emit(manual: Manual) -> Iterator[Stretch]:
    """What `manual` says, in its order."""
    yield from _frame(manual)
    if manual.preface:
        span = Span(manual.preface[0].span.first, manual.preface[-1].span.last)
        yield from _stretch(span, [], manual.preface)
    for section in sections(manual):
        title = [BREAK, *_said(f"{section.number} {section.title}")]
        span = Span(section.title_span.first, _text_end(section))
        yield from _stretch(span, title, section.body)


def _stretch(span: Span, title: list[str], body: Iterable[Block]) -> Iterator[Stretch]:
    apart: list[Stretch] = []
    words = title + _flow(body, apart)
    yield from apart
    yield Stretch(span.first, span.last, words)


def _text_end(section: Section) -> int:
    """The last line of the section's own text."""
    return section.sections[0].title_span.first - 1 if section.sections else section.span.last


def _said(text: str) -> list[str]:
    return text.replace(QUOTE, "").split()


def _frame(manual: Manual) -> Iterator[Stretch]:
    """Header and summary."""
    lines = manual.source.lines
    if span := manual.header.span:
        for number in range(span.first, span.last + 1):
            if words := _said(" ".join(header.words(lines[number - 1]))):
                yield Stretch(number, number, words, apart=True)
    if span := manual.summary_span:
        title = _said(lines[span.first - 1].text.rstrip(" :"))
        yield Stretch(span.first, span.first, title, apart=True)
    for row in manual.summary:
        yield Stretch(row.line, row.line, _said(f"{row.number} {row.title}"), apart=True)


def _flow(blocks: Iterable[Block], apart: list[Stretch]) -> list[str]:
    """The words of `blocks`; those of signatures and usages are put into `apart`."""
    words: list[str] = []
    stack: list[Block | Item | Definition | list[str]] = list(reversed([*blocks]))
    while stack:
        node = stack.pop()
        match node:
            case list():
                words += node
            case Entry():
                apart += _data(node)
                stack.extend(reversed(node.body))
            case List():
                for item, number in reversed([*zip(node.items, listed_numbers(node), strict=True)]):
                    stack += [item, [BREAK, number] if number else [BREAK]]
            case Definitions():
                stack.extend(reversed(node.items))
            case _:
                words += _words(node)
                if isinstance(node, Item | Definition | Labelled | Example):
                    stack.extend(reversed(node.body))
    return words


def _words(node: Block | Item | Definition) -> list[str]:
    """What `node` says itself, without what it contains."""
    match node:
        case Paragraph() | Heading():
            return [BREAK, *_said(plain(node.content))]
        case Preformatted():
            return [BREAK, *node.lines]
        case Definition():
            return _terms(node)
        case Labelled():
            return [BREAK, *_said(node.label)]
        case Example():
            return [BREAK, *_said(node.label), BREAK, *_said(plain(node.caption))]
        case SeeAlso():
            return [BREAK, *_said(node.label), BREAK, *_said(plain(node.content))]
        case Table():
            return _cells(node)
        case Item() | List() | Definitions() | Entry():
            return []
        case _:
            assert_never(node)


def _terms(node: Definition) -> list[str]:
    words: list[str] = []
    for place, term in enumerate(node.terms):
        marker = [node.marker] if place == 0 and node.marker[:1].isalnum() else []
        words += [BREAK, *marker, *_said(plain(term.content))]
    return words + (node.separator.split() if node.separator != ":" else [])


def _cells(node: Table) -> list[str]:
    words: list[str] = []
    for row in (*node.head, *node.rows):
        for cell in row.cells:
            columns = str(cell.columns) if cell.columns > 1 else ""
            words += [BREAK, CELL + columns, *_said(plain(cell.content))]
    return words


def _data(entry: Entry) -> Iterator[Stretch]:
    for signature in entry.signatures:
        span = signature.span
        yield Stretch(span.first, span.last, _said(signature.text), apart=True)
    for usage in entry.usages:
        yield _usage(usage, usage.span)


def _usage(usage: Usage, span: Span) -> Stretch:
    if usage.kind == "contexts":
        words = [BREAK, *_said(", ".join([name for name, _ in usage.values]))]
        return Stretch(span.first, span.last, words, apart=True)
    words = []
    for name, state in usage.values:
        words += [BREAK, *_said(name), *_said(state)]
    return Stretch(span.first, span.last, words, apart=True)
