"""The tree as indented text: the golden format of tests, and what a bug report shows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import assert_never

from dconv.model import tree


def tree_text(manual: tree.Manual) -> str:
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
    for section in tree.sections(manual):
        title = f"{_quoted(section.number, section.title)} #{section.anchor}"
        out.append(f"{'  ' * section.level}section {_span(section.span)} {title}")
        for block in section.body:
            out += _block(block, section.level + 1)
    if manual.footer is not None:
        out.append(f"  footer {_span(manual.footer)}")
    out += [
        f"  {finding.level} {finding.line}:{finding.column} [{finding.rule}] {finding.message}"
        for finding in manual.diagnostics
    ]
    return "\n".join(out) + "\n"


def _block(block: tree.Block, depth: int) -> Iterator[str]:
    """The lines of `block` and of what it contains; without recursion, texts may nest deep."""
    stack: list[tuple[tree.Block | tree.Item | tree.Definition, int]] = [(block, depth)]
    while stack:
        node, level = stack.pop()
        for offset, text in _node(node):
            yield f"{'  ' * (level + offset)}{text}"
        match node:
            case (
                tree.Entry() | tree.Example() | tree.Item() | tree.Definition() | tree.Labelled()
                | tree.BlockQuote() | tree.Footnote()
            ):
                stack += [(child, level + 1) for child in reversed(node.body)]
            case tree.List():
                stack += [(item, level + 1) for item in reversed(node.items)]
            case tree.Definitions():
                stack += [(item, level + 1) for item in reversed(node.items)]
            case _:
                pass


def _node(node: tree.Block | tree.Item | tree.Definition) -> Iterator[tuple[int, str]]:
    """The lines of `node` itself: how much deeper, and the text."""
    span = _span(node.span)
    match node:
        case tree.Paragraph():
            yield 0, f"paragraph {span} {_inlines(node.content)}"
        case tree.Heading():
            yield 0, f"heading {span} {_inlines(node.content)} #{node.anchor}"
        case tree.SeeAlso():
            yield 0, f"see-also {span} {_quoted(node.label)} {_inlines(node.content)}"
        case tree.Preformatted():
            yield 0, f"preformatted {span} {node.language}".rstrip()
            yield from ((1, f"|{line}") for line in node.lines)
        case tree.Example():
            caption = f" {_inlines(node.caption)}" if node.caption else ""
            yield 0, f"example {span} {_quoted(node.label)}{caption}"
        case tree.Labelled():
            yield 0, f"labelled {span} {node.kind} {_quoted(node.label)}"
        case tree.BlockQuote():
            yield 0, f"block-quote {span}"
        case tree.Footnote():
            yield 0, f"footnote {span} {_quoted(node.label)} #{node.anchor}"
        case tree.List():
            yield 0, f"list {span} {'ordered' if node.ordered else 'bullets'}"
        case tree.Item():
            yield 0, f"item {span} {node.marker}"
        case tree.Definitions():
            yield 0, f"definitions {span}"
        case tree.Definition():
            marks = f"{node.marker} {node.separator}".split()
            yield 0, f"definition {span} {' '.join(marks)}".rstrip()
            yield from ((1, _term(term)) for term in node.terms)
        case tree.Table():
            yield 0, f"table {span} {node.kind} {node.columns} columns"
            yield from ((1, f"head {_row(row)}") for row in node.head)
            yield from ((1, f"row {_row(row)}") for row in node.rows)
        case tree.Entry():
            yield from _entry(node)
        case _:
            assert_never(node)


def _entry(entry: tree.Entry) -> Iterator[tuple[int, str]]:
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


def _term(term: tree.Term) -> str:
    attributes = f" {_quoted(term.kind, *term.names)}" if term.kind else ""
    anchor = f" #{term.anchor}" if term.anchor else ""
    return f"term {term.line} {_quoted(term.name)}{attributes}{anchor} {_inlines(term.content)}"


def _row(row: tree.Row) -> str:
    item = f" {_quoted(row.kind, row.name)} #{row.anchor}" if row.kind else ""
    return f"{_span(row.span)}{item} | {' | '.join(_cell(cell) for cell in row.cells)} |"


def _cell(cell: tree.Cell) -> str:
    column_count = f"({cell.columns}) " if cell.columns > 1 else ""
    return column_count + _inlines(cell.content)


def _inlines(content: Sequence[tree.Inline]) -> str:
    return "".join([_inline(part) for part in content])


def _inline(part: tree.Inline) -> str:
    match part:
        case tree.Text():
            return part.text
        case tree.Code():
            return f"`{part.text}`"
        case tree.Argument():
            return f"{{{part.text}}}"
        case tree.Reference():
            targets = ",".join(f"{to.document}#{to.anchor}" for to in part.targets)
            shown = _inline(part.image) if part.image else part.text
            return f"*{shown}*" + (f"({targets})" if targets else "")
        case tree.Hyperlink():
            return f"[{_inline(part.image)}]({part.url})" if part.image else f"[{part.url}]"
        case tree.Strong():
            return f"**{_inlines(part.content)}**"
        case tree.Emphasis():
            return f"//{_inlines(part.content)}//"
        case tree.Deleted():
            return f"~~{_inlines(part.content)}~~"
        case tree.LineBreak():
            return "\\n"
        case tree.Image():
            return f"![{part.text}]({part.file})" + (f"#{part.anchor}" if part.anchor else "")
        case _:
            assert_never(part)


def _span(span: tree.Span) -> str:
    return str(span.first) if span.first == span.last else f"{span.first}-{span.last}"


def _quoted(*texts: str) -> str:
    return " ".join(json.dumps(text, ensure_ascii=False) for text in texts)
