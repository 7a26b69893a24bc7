"""The manual as JSON, described by `dconv/writers/dump/dump.schema.json` (JSON Schema 2020-12).

A change that another program may notice gets another `SCHEMA`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from dconv.model import tree
from dconv.model.diagnostics import Diagnostic
from dconv.model.references import Mention, mentions, reference_findings
from dconv.model.source import Source
from dconv.model.summary import first_sentence, summary
from dconv.proof.coverage import prove_tree
from dconv.writers.site_files import Json, indented_json

SCHEMA = "dconv/2"
LINES = ("first", "last", "line")  # fields with the number of a line

Record: TypeAlias = "dict[str, Json]"


def json_text(manuals: Sequence[tree.Manual]) -> str:
    """`manuals` as JSON text, which ends with a newline: one is an object, several are a list."""
    records = [record(manual) for manual in manuals]
    value: Json = records[0] if len(records) == 1 else records
    return indented_json(value).decode()


def record(manual: tree.Manual) -> Record:
    """`manual` as one object of the schema."""
    header, proof = manual.header, prove_tree(manual)
    parts = [
        ("", manual.preface),
        *((section.number or section.anchor, section.body) for section in tree.sections(manual)),
    ]
    bodies = [body for _, body in parts]
    nodes = [node for body in bodies for node in tree.walk(body)]
    content: Record = {
        "sections": [_section(section) for section in tree.sections(manual)],
        "entries": [
            entry for section, body in parts for block in body
            for entry in _entries(section, block)
        ],
        "items": [
            {"kind": item.kind, "name": item.name, "anchor": item.anchor, "line": item.line}
            for body in bodies for item in tree.defined_items(body)
        ],
        "references": [_mention(mention) for mention in mentions(manual)],
        "examples": [_example(node) for node in nodes if isinstance(node, tree.Example)],
        "tables": [_table(node) for node in nodes if isinstance(node, tree.Table)],
    }
    return {
        "schema": SCHEMA,
        "document": {
            "name": manual.name, "title": f"{header.title} {header.subtitle}".strip(),
            "version": header.version, "date": header.date,
            **({"other_names": manual.other_names} if manual.other_names else {}),
        },
        "lines": {"total": proof.line_count, "accounted": proof.accounted},
        **{name: _with_file_lines(value, manual.source) for name, value in content.items()},
        "diagnostics": [
            _diagnostic(finding) for finding in (*manual.diagnostics, *reference_findings(manual))
        ],
    }


def _with_file_lines(value: Json, source: Source) -> Json:
    """`value` with lines of the file, as far as these are known."""
    if not any(source.file_line_numbers):
        return value
    if isinstance(value, Mapping):
        return {
            name: source.file_line_number(inner) if name in LINES and isinstance(inner, int)
            else _with_file_lines(inner, source)
            for name, inner in value.items()
        }
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_with_file_lines(inner, source) for inner in value]
    return value


def _section(section: tree.Section) -> Record:
    return {
        "number": section.number, "title": section.title, "anchor": section.anchor,
        "level": section.level, "first": section.span.first, "last": section.span.last,
    }


def _entries(section: str, block: tree.Block) -> Iterator[Record]:
    """The entry `block`, if it is one, and those inside it: terms and rows with names.

    `section` is the number or the anchor of the section around it, or empty.
    """
    if isinstance(block, tree.Entry):
        yield _entry(section, block)
    for node in tree.walk((block,)):
        if isinstance(node, tree.Definition):
            for term in node.terms:
                if term.names:
                    last, sentence = node.span.last, summary(node.body)
                    text = tree.plain_text(term.content)
                    yield _inner_entry(section, term, last, text, sentence)
        elif isinstance(node, tree.Table):
            for row in node.rows:
                if row.names:
                    yield _inner_entry(section, row, row.span.last, *_row_texts(row))


def _row_texts(row: tree.Row) -> tuple[str, str]:
    """The text of the name that `row` defines, and what the row says of it.

    A row of one cell is a part of a listing, where a comment is above the name.
    """
    first, *others = [tree.plain_text(cell.content) for cell in row.cells]
    if others:
        return first, max(others, key=len)
    lines = [line.strip() for line in first.split("\n")]
    setting = next((line for line in lines if line.startswith(row.name)), row.name)
    comments = [line.lstrip("# ") for line in lines if line.startswith("#")]
    return setting, first_sentence(" ".join(comments))


def _inner_entry(
    section: str, item: tree.Term | tree.Row, last: int, text: str, sentence: str
) -> Record:
    return {
        "kind": item.kind,
        "name": item.name,
        "names": list(item.names),
        "anchor": item.anchor,
        "section": section,
        "first": item.line,
        "last": last,
        "summary": sentence,
        "deprecated": False,
        "experimental": False,
        "contexts": [],
        "signatures": [{
            "line": item.line, "name": item.name, "text": text,
            "negated": False, "deprecated": False,
        }],
        "backlinks": [],
    }


def _entry(section: str, entry: tree.Entry) -> Record:
    return {
        "kind": entry.kind,
        "name": entry.name,
        "names": list(entry.names),
        "anchor": entry.anchor,
        "section": section,
        "first": entry.span.first,
        "last": entry.span.last,
        "summary": entry.summary,
        "deprecated": entry.deprecated,
        "experimental": entry.experimental,
        "contexts": [
            place
            for kind, values in (
                *((usage.kind, usage.values) for usage in entry.usages),
                *(
                    (table.name, table.values)
                    for table in entry.from_tables if table.name in tree.USAGE_KINDS
                ),
            )
            for place in _allowed_in(kind, values)
        ],
        "signatures": [_signature(signature) for signature in entry.signatures],
        "backlinks": [
            {
                "document": link.source.document, "anchor": link.source.anchor,
                "example": link.in_example,
            }
            for link in entry.backlinks
        ],
    }


def _signature(signature: tree.Signature) -> Record:
    return {
        "line": signature.span.first, "name": signature.name, "text": signature.text,
        "negated": signature.negated, "deprecated": signature.deprecated,
    }


def _allowed_in(kind: str, values: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield the names of `values`, of a usage of `kind`, where an entry may be used."""
    for name, state in values:
        if tree.allows(state):
            yield kind if kind == "default-server" else name


def _example(example: tree.Example) -> Record:
    codes = [node for node in tree.walk(example.body) if isinstance(node, tree.Preformatted)]
    span = example.span
    language = codes[0].language if codes else ""
    return {"first": span.first, "last": span.last, "language": language}


def _table(table: tree.Table) -> Record:
    return {
        "kind": table.kind, "first": table.span.first, "last": table.span.last,
        "rows": len(table.rows), "columns": table.columns,
    }


def _mention(mention: Mention) -> Record:
    targets: list[Json] = [
        {"document": target.document, "anchor": target.anchor} for target in mention.targets
    ]
    if mention.url:
        targets.append({"url": mention.url})
    return {
        "line": mention.line, "column": mention.column, "text": mention.text,
        "outcome": mention.outcome, "targets": targets,
    }


def _diagnostic(finding: Diagnostic) -> Record:
    return {
        "line": finding.line, "column": finding.column, "level": finding.level,
        "rule": finding.rule, "message": finding.message,
    }
