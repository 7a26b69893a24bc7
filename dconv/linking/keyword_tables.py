"""Tables that list everything, joined to what they list: links, facts, contradictions.

The rows of a matrix (keywords against sections or rule sets) and of a summary (samples
with their types) lead to the entries that they name.  What a row says and its entry does
not becomes a fact of the entry; where both say something, they should agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dconv.linking.columns import column_of
from dconv.model import anchors as naming
from dconv.model.diagnostics import Diagnostic
from dconv.model.tree import (
    Block,
    Cell,
    Entry,
    Fact,
    Manual,
    Reference,
    Row,
    Section,
    Signature,
    Table,
    Target,
    Text,
    Usage,
    UsageKind,
    plain,
    sections,
)

# "[no] option tcplog (*)", "set-tos (deprecated)", "wait_end": what is not the name
AROUND = re.compile(r"(?:\[no\] )?(?P<name>\S+(?: [^\s(<\[]\S*)*)")
PLACEHOLDER = re.compile(r"<[^<>]*>")
MAYBE = "(!)"  # in a cell or a state: only in sections that have a name


@dataclass(frozen=True, slots=True)
class _Listed:
    """A row with its name and, where there is one, the entry and signature that it means.

    It tells about them where its name is `exact`, not longer, shorter or of a family.
    `head` is the line with the titles of the columns.
    """

    row: Row
    name: str
    entry: Entry | None
    signature: Signature | None
    head: int
    exact: bool = False


@dataclass(slots=True)
class _Joined:
    """What the tables of a manual say: anchors by row, facts by entry."""

    anchors: dict[int, tuple[str, str]] = field(default_factory=dict)
    facts: dict[str, list[Fact]] = field(default_factory=dict)
    findings: list[Diagnostic] = field(default_factory=list)


def joined(manual: Manual) -> Manual:
    """`manual` with its lists joined to its entries; findings go to its diagnostics.

    Rows are known by their first line, since a line stands in one block only.
    """
    every = list(sections(manual))
    found = _Joined()
    for at, section in enumerate(every):
        for block in section.body:
            if isinstance(block, Table) and block.kind in ("matrix", "summary"):
                about = section if block.kind == "summary" else _described(every[at:])
                if about is not None:
                    _join(manual, block, Target(manual.name, section.anchor), about, found)
    if not (found.anchors or found.findings):
        return manual
    return replace(
        manual,
        sections=tuple([_section(section, manual, found) for section in manual.sections]),
        diagnostics=(*manual.diagnostics, *found.findings),
    )


def _described(after: Sequence[Section]) -> Section | None:
    """The section whose entries a matrix lists: the first with entries, from its own on."""
    return next(
        (section for section in after if any(isinstance(block, Entry) for block in section.body)),
        None,
    )


def _join(manual: Manual, table: Table, source: Target, about: Section, found: _Joined) -> None:
    named = {
        signature.name: (entry, signature)
        for entry in about.body if isinstance(entry, Entry) for signature in entry.signatures
    }
    columns = _columns(table)
    kind = _kind(columns, [entry for entry, _ in named.values()])
    head = table.head[-1].span.last if table.head else 0
    rows = [_listed(row, named, head) for row in table.rows]
    if sum(listed.entry is None for listed in rows) * 2 > len(rows):
        return  # a table of other things
    for listed in rows:
        row = listed.row
        if listed.entry is None or listed.signature is None:
            if listed.name:
                found.findings.append(_nobody(manual, listed, about))
            continue
        found.anchors[row.span.first] = (listed.name, listed.signature.anchor)
        if table.kind == "summary":
            _types(manual, listed, columns, source, found)
        elif kind is not None and len(row.cells) == len(columns):
            _places(manual, listed, columns, Fact(kind, (), source), found)


def _columns(table: Table) -> tuple[str, ...]:
    """The titles of the columns, none where the head is not a plain row."""
    head = table.head[-1].cells if table.head else ()
    return tuple([_words(cell) for cell in head]) if len(head) == table.columns else ()


def _kind(columns: Sequence[str], entries: Sequence[Entry]) -> UsageKind | None:
    """What the columns of a matrix are, as the entries that it lists tell."""
    for entry in entries:
        for usage in entry.usages:
            if any(place in columns for place, _ in usage.values):
                return usage.kind
    return None


def _listed(
    row: Row, named: Mapping[str, tuple[Entry, Signature]], head: int
) -> _Listed:
    """`row` with the entry of its name, or of the longest beginning of it, or of its family."""
    match = AROUND.match(naming.bare(_words(row.cells[0])))
    name = match["name"] if match else ""
    words = name.split()
    for length in range(len(words), 0, -1):
        start = " ".join(words[:length])
        if start in named:
            return _Listed(row, start, *named[start], head, exact=start == name)
    for other, (entry, signature) in named.items():
        if name and (other.startswith(f"{name} ") or _is_family(other, name)):
            return _Listed(row, name, entry, signature, head)
    return _Listed(row, name, None, None, head)


def _is_family(family: str, name: str) -> bool:
    """True where `name` ("map_str") is one of `family` ("map_<match>")."""
    if "<" not in family:
        return False
    parts = [re.escape(part) for part in PLACEHOLDER.split(family)]
    return re.fullmatch(r"\w+".join(parts), name) is not None


# --- what the rows say ----------------------------------------------------------------


def _places(
    manual: Manual, listed: _Listed, columns: Sequence[str], fact: Fact, found: _Joined
) -> None:
    """Where an entry may be used: a fact where it does not say so itself."""
    entry = listed.entry
    if entry is None or not listed.exact:
        return
    cells = dict(zip(columns[1:], map(_words, listed.row.cells[1:]), strict=True))
    own = [
        usage for usage in entry.usages if any(place in cells for place, _ in usage.values)
    ]
    if not own:
        states = tuple((place, _state(cell, fact.name)) for place, cell in cells.items())
        found.facts.setdefault(entry.anchor, []).append(replace(fact, values=states))
    for usage in own:
        found.findings += _contradictions(manual, listed, cells, usage)


def _contradictions(
    manual: Manual, listed: _Listed, cells: Mapping[str, str], usage: Usage
) -> Iterator[Diagnostic]:
    for place, state in usage.values:
        cell = cells.get(place)
        if cell is None or (_allows(cell), MAYBE in cell) == (_allows(state), MAYBE in state):
            continue
        yield _contradiction(
            manual, listed, place, cell,
            f"the matrix has {cell or 'nothing'!r} for {listed.name!r} in {place!r}, and "
            f"{state!r} stands in its own table, line {usage.span.last}",
        )


def _types(
    manual: Manual, listed: _Listed, columns: Sequence[str], source: Target, found: _Joined
) -> None:
    """Types of samples: facts where the signature has none."""
    entry, signature = listed.entry, listed.signature
    if entry is None or signature is None or not listed.exact:
        return
    for column, cell in zip(columns[1:], listed.row.cells[1:], strict=False):
        words = _words(cell)
        if not words:
            continue
        if not signature.type:
            fact = Fact(column, ((words, ""),), source)
            known = found.facts.setdefault(entry.anchor, [])
            if fact not in known:
                known.append(fact)
        elif column == columns[-1] and not _same_type(words, signature.type):
            found.findings.append(_contradiction(
                manual, listed, column, words,
                f"the summary gives {listed.name!r} the type {words!r}, and its signature in "
                f"line {signature.span.first} has {signature.type!r}",
            ))


def _same_type(one: str, other: str) -> bool:
    """True for the same type, also where one is short for the other: "bool", "signed"."""
    return one == other or (
        "+" not in f"{one}{other}" and (one.startswith(other) or other.startswith(one))
    )


def _allows(state: str) -> bool:
    return state.casefold().startswith(("x", "yes"))


def _state(cell: str, name: str) -> str:
    """The state of a usage of the kind `name` that a cell of a matrix means."""
    if name == "rule sets":
        return cell
    return ("yes(!)" if MAYBE in cell else "yes") if _allows(cell) else "no"


def _nobody(manual: Manual, listed: _Listed, about: Section) -> Diagnostic:
    where = f"section {about.number}" if about.number else f"the section {about.title!r}"
    message = f"the table lists {listed.name!r}, and {where} has no such entry"
    line, column = _place(manual, listed)
    return Diagnostic(
        manual.source.path, line, column, "warning", "matrix-row", message, len(listed.name)
    )


def _contradiction(
    manual: Manual, listed: _Listed, title: str, cell: str, message: str
) -> Diagnostic:
    """It is about the words `cell` below `title`, or the name of a row that has none there."""
    lines = manual.source.lines
    line, column = _place(manual, listed)
    marked = cell and column_of(cell, title, lines[listed.head - 1], lines[line - 1])
    column, length = (marked, len(cell)) if marked else (column, len(listed.name))
    return Diagnostic(
        manual.source.path, line, column, "warning", "matrix-contradiction", message, length
    )


def _place(manual: Manual, listed: _Listed) -> tuple[int, int]:
    """The line and the column of the name of a row."""
    line = listed.row.span.first
    return line, _column(manual, line, listed.name)


def _column(manual: Manual, line: int, name: str) -> int:
    found = manual.source.lines[line - 1]
    return found.column + max(0, found.text.find(name))


def _words(cell: Cell) -> str:
    return " ".join(plain(cell.content).split())


# --- the manual with it ---------------------------------------------------------------


def _section(section: Section, manual: Manual, found: _Joined) -> Section:
    return replace(
        section,
        body=tuple([_block(block, manual, found) for block in section.body]),
        sections=tuple([_section(inner, manual, found) for inner in section.sections]),
    )


def _block(block: Block, manual: Manual, found: _Joined) -> Block:
    match block:
        case Entry() if block.anchor in found.facts:
            return replace(block, facts=tuple(found.facts[block.anchor]))
        case Table() if any(row.span.first in found.anchors for row in block.rows):
            return replace(block, rows=tuple([_row(row, manual, found) for row in block.rows]))
        case _:
            return block


def _row(row: Row, manual: Manual, found: _Joined) -> Row:
    """`row` with its name as a link."""
    name, anchor = found.anchors.get(row.span.first, ("", ""))
    cell = row.cells[0]
    first = cell.content[0] if cell.content else None
    if not (name and isinstance(first, Text) and name in first.text):
        return row
    before, _, after = first.text.partition(name)
    line = row.span.first
    target = Target(manual.name, anchor)
    link = Reference(name, name, line, _column(manual, line, name), (target,), "listed")
    parts = [Text(before)] if before else []
    rest = [Text(after)] if after else []
    content = (*parts, link, *rest, *cell.content[1:])
    return replace(row, cells=(replace(cell, content=content), *row.cells[1:]))
