"""The tree as indented text: the golden format of tests, and what a bug report shows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import assert_never

from dconv.model.tree import (
    Argument,
    Block,
    BlockQuote,
    Cell,
    Code,
    Definition,
    Definitions,
    Deleted,
    Emphasis,
    Entry,
    Example,
    Footnote,
    Heading,
    Hyperlink,
    Image,
    Inline,
    Item,
    Labelled,
    LineBreak,
    List,
    Manual,
    Paragraph,
    Preformatted,
    Reference,
    Row,
    Section,
    SeeAlso,
    Span,
    Strong,
    Table,
    Term,
    Text,
    sections,
)


def tree_text(manual: Manual) -> str:
    """`manual` as text: one node on a line with its span, children two columns deeper.

    Prose is shown whole, with `<code>`-like marks for its parts: `*reference*`,
    `` `code` ``, `{<argument>}`, `[address]`, `**strong**`, `//emphasis//`,
    `~~deleted~~`.  The same tree gives the same text.
    """
    header = manual.header
    out = [f"manual {manual.name} {len(manual.source.lines)} lines"]
    if header.span is not None:
        attributes = [header.title, header.subtitle, header.version, header.date, header.author]
        out.append(f"  header {_span(header.span)} {_quoted(*attributes)}")
    for block in manual.preface:
        out += _block(block, 1)
    if manual.contents_span is not None:
        out.append(f"  summary {_span(manual.contents_span)}")
        out += [f"    {row.line} {_quoted(row.number, row.title)}" for row in manual.contents]
    for section in sections(manual):
        out.append(_section(section))
        for block in section.body:
            out += _block(block, section.level + 1)
    if manual.footer is not None:
        out.append(f"  footer {_span(manual.footer)}")
    out += [
        f"  {finding.level} {finding.line}:{finding.column} [{finding.rule}] {finding.message}"
        for finding in manual.diagnostics
    ]
    return "\n".join(out) + "\n"


def _section(section: Section) -> str:
    attributes = _quoted(section.number, section.title)
    return f"{'  ' * section.level}section {_span(section.span)} {attributes} #{section.anchor}"


def _block(block: Block, depth: int) -> Iterator[str]:
    """The lines of `block` and of what it contains; without recursion, texts may nest deep."""
    stack: list[tuple[Block | Item | Definition, int]] = [(block, depth)]
    while stack:
        node, level = stack.pop()
        for offset, text in _node(node):
            yield f"{'  ' * (level + offset)}{text}"
        match node:
            case (
                Entry() | Example() | Item() | Definition() | Labelled() | BlockQuote()
                | Footnote()
            ):
                stack += [(child, level + 1) for child in reversed(node.body)]
            case List():
                stack += [(item, level + 1) for item in reversed(node.items)]
            case Definitions():
                stack += [(item, level + 1) for item in reversed(node.items)]
            case _:
                pass


def _node(node: Block | Item | Definition) -> Iterator[tuple[int, str]]:
    """The lines of `node` itself: how much deeper, and the text."""
    span = _span(node.span)
    match node:
        case Paragraph():
            yield 0, f"paragraph {span} {_inlines(node.content)}"
        case Heading():
            yield 0, f"heading {span} {_inlines(node.content)} #{node.anchor}"
        case SeeAlso():
            yield 0, f"see-also {span} {_quoted(node.label)} {_inlines(node.content)}"
        case Preformatted():
            yield 0, f"preformatted {span} {node.language}".rstrip()
            yield from ((1, f"|{line}") for line in node.lines)
        case Example():
            caption = f" {_inlines(node.caption)}" if node.caption else ""
            yield 0, f"example {span} {_quoted(node.label)}{caption}"
        case Labelled():
            yield 0, f"labelled {span} {node.kind} {_quoted(node.label)}"
        case BlockQuote():
            yield 0, f"block-quote {span}"
        case Footnote():
            yield 0, f"footnote {span} {_quoted(node.label)} #{node.anchor}"
        case List():
            yield 0, f"list {span} {'ordered' if node.ordered else 'bullets'}"
        case Item():
            yield 0, f"item {span} {node.marker}"
        case Definitions():
            yield 0, f"definitions {span}"
        case Definition():
            marks = f"{node.marker} {node.separator}".split()
            yield 0, f"definition {span} {' '.join(marks)}".rstrip()
            yield from ((1, _term(term)) for term in node.terms)
        case Table():
            yield 0, f"table {span} {node.kind} {node.columns} columns"
            yield from ((1, f"head {_row(row)}") for row in node.head)
            yield from ((1, f"row {_row(row)}") for row in node.rows)
        case Entry():
            yield from _entry(node)
        case _:
            assert_never(node)


def _entry(entry: Entry) -> Iterator[tuple[int, str]]:
    flags = "".join(f" {flag}" for flag in _flags(entry.deprecated, entry.experimental))
    yield 0, f"entry {_span(entry.span)} {_quoted(entry.kind, entry.name)}{flags} #{entry.anchor}"
    for signature in entry.signatures:
        attributes = [_quoted(signature.name), *(["negated"] if signature.negated else [])]
        attributes += _flags(signature.deprecated, signature.experimental)
        attributes += [f"type={signature.type}"] if signature.type else []
        if signature.names:
            attributes.append(f"names={_quoted(*signature.names)}")
        if signature.title:
            attributes.append(f"title={_quoted(signature.title)}")
        attributes.append(f"#{signature.anchor}")
        line = f"signature {_span(signature.span)} {_quoted(signature.text)}"
        yield 1, " ".join([line, *attributes])
    for usage in entry.usages:
        values = ", ".join(f"{name}={state}" for name, state in usage.values)
        yield 1, f"usage {_span(usage.span)} {usage.kind}: {values}"


def _flags(deprecated: bool, experimental: bool) -> list[str]:
    return [*(["deprecated"] if deprecated else []), *(["experimental"] if experimental else [])]


def _term(term: Term) -> str:
    attributes = f" {_quoted(term.kind, *term.names)}" if term.kind else ""
    anchor = f" #{term.anchor}" if term.anchor else ""
    return f"term {term.line} {_quoted(term.name)}{attributes}{anchor} {_inlines(term.content)}"


def _row(row: Row) -> str:
    item = f" {_quoted(row.kind, row.name)} #{row.anchor}" if row.kind else ""
    return f"{_span(row.span)}{item} | {' | '.join(_cell(cell) for cell in row.cells)} |"


def _cell(cell: Cell) -> str:
    column_count = f"({cell.columns}) " if cell.columns > 1 else ""
    return column_count + _inlines(cell.content)


def _inlines(content: Sequence[Inline]) -> str:
    return "".join([_inline(part) for part in content])


def _inline(part: Inline) -> str:
    match part:
        case Text():
            return part.text
        case Code():
            return f"`{part.text}`"
        case Argument():
            return f"{{{part.text}}}"
        case Reference():
            targets = ",".join(f"{to.document}#{to.anchor}" for to in part.targets)
            return f"*{part.text}*" + (f"({targets})" if targets else "")
        case Hyperlink():
            return f"[{part.url}]"
        case Strong():
            return f"**{_inlines(part.content)}**"
        case Emphasis():
            return f"//{_inlines(part.content)}//"
        case Deleted():
            return f"~~{_inlines(part.content)}~~"
        case LineBreak():
            return "\\n"
        case Image():
            return f"![{part.text}]({part.file})"
        case _:
            assert_never(part)


def _span(span: Span) -> str:
    return str(span.first) if span.first == span.last else f"{span.first}-{span.last}"


def _quoted(*texts: str) -> str:
    return " ".join(json.dumps(text, ensure_ascii=False) for text in texts)
