"""Keyword tables, merged into the entries that they list.

The rows of a matrix (keywords against sections or rule sets) and of a summary (samples
with their types) become links to the entries that they name.  What only the row says
becomes a value of the entry; what both say should agree, else it is a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from dconv.model import tree
from dconv.model.anchors import without_arguments
from dconv.model.diagnostics import Diagnostic
from dconv.model.source import Line
from dconv.model.values import dataclass

# the name in "[no] option tcplog (*)", "set-tos (deprecated)", "wait_end"
NAME = re.compile(r"(?:\[no\] )?(?P<name>\S+(?: [^\s(<\[]\S*)*)")
PLACEHOLDER = re.compile(r"<[^<>]*>")
NAMED_ONLY = "(!)"  # in a cell or a state: only in sections with a name ("defaults foo")
# "frontend", "HTTP Req", "X (!)": a cell, which two spaces or a pipe separate from the next
CELL = re.compile(r"[^\s|]+(?: [^\s|]+)*")


@dataclass(frozen=True, slots=True)
class _KeywordRow:
    """A row with its name, and the entry and signature that it means.

    Only an `exact` row, whose name is that of the signature, gives values to the entry.
    `head_line` is the number of the line with the titles of the columns.
    """

    row: tree.Row
    name: str
    entry: tree.Entry
    signature: tree.Signature
    head_line: int
    exact: bool = False


@dataclass(frozen=True, slots=True)
class _NameTarget:
    """Where a name is documented: an anchor, the kind of the entry, the title of its section."""

    anchor: str
    kind: str
    section: str


@dataclass(slots=True)
class _MergeResult:
    """What the tables of a manual add: names and targets by row, values by entry, findings.

    A row is known by its first line, an entry by its anchor.
    """

    targets_by_row: dict[int, tuple[str, tuple[_NameTarget, ...]]] = field(default_factory=dict)
    from_tables: dict[str, list[tree.TableValues]] = field(default_factory=dict)
    findings: list[Diagnostic] = field(default_factory=list)


def merge_into_entries(manual: tree.Manual) -> tree.Manual:
    """`manual` with its tables merged into its entries, and findings about contradictions."""
    all_sections = list(tree.sections(manual))
    result = _MergeResult()
    targets_by_name = _targets_by_name(all_sections)
    for index, section in enumerate(all_sections):
        for block in section.body:
            if isinstance(block, tree.Table) and block.role != "data":
                listed = section if block.role == "summary" else next((
                    after for after in all_sections[index:] if after.entries
                ), None)  # a matrix lists the first section with entries, from its own on
                if listed is not None:
                    source = tree.Target(manual.name, section.anchor)
                    _merge_table(manual, block, source, listed, targets_by_name, result)
    if not (result.targets_by_row or result.findings):
        return manual
    merged = tree.with_bodies(
        manual, lambda section: tuple([_block(block, manual, result) for block in section.body])
    )
    return replace(merged, diagnostics=(*manual.diagnostics, *result.findings))


def _targets_by_name(all_sections: Sequence[tree.Section]) -> Mapping[str, tuple[_NameTarget, ...]]:
    """The targets of each name, in the order of the text."""
    targets: dict[str, dict[str, _NameTarget]] = {}
    for section in all_sections:
        for entry in section.entries:
            for signature in entry.signatures:
                target = _NameTarget(signature.anchor, entry.kind, section.title)
                targets.setdefault(signature.name, {}).setdefault(target.anchor, target)
    return {name: tuple(name_targets.values()) for name, name_targets in targets.items()}


def _merge_table(
    manual: tree.Manual, table: tree.Table, source: tree.Target, listed_section: tree.Section,
    targets_by_name: Mapping[str, tuple[_NameTarget, ...]], result: _MergeResult,
) -> None:
    """Add to `result` what `table`, in the section `source`, says of `listed_section`.

    The name of a row that this section does not have leads to its targets in `targets_by_name`.
    """
    names = {
        signature.name: (entry, signature)
        for entry in listed_section.entries for signature in entry.signatures
    }
    head_cells = table.head[-1].cells if table.head else ()
    columns = [cell.text for cell in head_cells] if len(head_cells) == table.columns else []
    kind = _usage_kind(columns, [entry for entry, _ in names.values()])
    head_line = table.head[-1].span.last if table.head else 0
    rows = [(row, _row_name(row)) for row in table.rows]
    keyword_rows = [_keyword_row(row, name, names, head_line) for row, name in rows]
    if keyword_rows.count(None) * 2 > len(rows):
        return  # a table of other things
    for (row, name), keyword_row in zip(rows, keyword_rows, strict=True):
        if keyword_row is None:
            if name:
                result.findings.append(_unlisted(manual, row, name, listed_section))
            if elsewhere := targets_by_name.get(name, ()):
                result.targets_by_row[row.span.first] = (name, elsewhere)
            continue
        target = _NameTarget(
            keyword_row.signature.anchor, keyword_row.entry.kind, listed_section.title
        )
        result.targets_by_row[row.span.first] = (keyword_row.name, (target,))
        if table.role == "summary":
            _add_types(manual, keyword_row, columns, source, result)
        elif kind is not None and len(row.cells) == len(columns):
            _add_usages(manual, keyword_row, columns, tree.TableValues(kind, (), source), result)


def _usage_kind(columns: Sequence[str], entries: Sequence[tree.Entry]) -> tree.UsageKind | None:
    """What the columns of a matrix are, by the usages of the entries that it lists."""
    for entry in entries:
        for usage in entry.usages:
            if any(column in columns for column, _ in usage.values):
                return usage.kind
    return None


def _row_name(row: tree.Row) -> str:
    match = NAME.match(without_arguments(row.cells[0].text))
    return match["name"] if match else ""


def _keyword_row(
    row: tree.Row, name: str, names: Mapping[str, tuple[tree.Entry, tree.Signature]],
    head_line: int,
) -> _KeywordRow | None:
    """`row` with the entry of its `name`, or of its first words, or one that starts with it."""
    words = name.split()
    for length in range(len(words), 0, -1):
        start = " ".join(words[:length])
        if start in names:
            return _KeywordRow(row, start, *names[start], head_line, exact=start == name)
    for other, (entry, signature) in names.items():
        if name and (other.startswith(f"{name} ") or _matches_placeholders(name, other)):
            return _KeywordRow(row, name, entry, signature, head_line)
    return None


def _matches_placeholders(name: str, pattern: str) -> bool:
    """Whether `name` ("map_str") is `pattern` ("map_<match>") with words for its placeholders."""
    if "<" not in pattern:
        return False
    parts = [re.escape(part) for part in PLACEHOLDER.split(pattern)]
    return re.fullmatch(r"\w+".join(parts), name) is not None


def _add_usages(
    manual: tree.Manual, keyword_row: _KeywordRow, columns: Sequence[str],
    table_values: tree.TableValues, result: _MergeResult,
) -> None:
    """Add where an entry may be used to it, unless the entry says so itself."""
    entry = keyword_row.entry
    if not keyword_row.exact:
        return
    texts = [cell.text for cell in keyword_row.row.cells[1:]]
    cells = dict(zip(columns[1:], texts, strict=True))
    stated_usages = [
        usage for usage in entry.usages if any(column in cells for column, _ in usage.values)
    ]
    if not stated_usages:
        states = tuple((column, _state(cell, table_values.name)) for column, cell in cells.items())
        result.from_tables.setdefault(entry.anchor, []).append(replace(table_values, values=states))
    for usage in stated_usages:
        result.findings += _contradictions(manual, keyword_row, cells, usage)


def _contradictions(
    manual: tree.Manual, keyword_row: _KeywordRow, cells: Mapping[str, str], usage: tree.Usage
) -> Iterator[Diagnostic]:
    for column, state in usage.values:
        cell = cells.get(column)
        if cell is None or _meaning(cell) == _meaning(state):
            continue
        yield _contradiction(
            manual, keyword_row, column, cell,
            f"the matrix has {cell or 'nothing'!r} for {keyword_row.name!r} in {column!r}, but "
            f"its entry has {state!r} in line {usage.span.last}",
        )


def _add_types(
    manual: tree.Manual, keyword_row: _KeywordRow, columns: Sequence[str], source: tree.Target,
    result: _MergeResult,
) -> None:
    """Add the types of samples to their entries, unless the signature has one."""
    entry, signature = keyword_row.entry, keyword_row.signature
    if not keyword_row.exact:
        return
    for column, cell in zip(columns[1:], keyword_row.row.cells[1:], strict=False):
        words = cell.text
        if words and not signature.type:
            table_values = tree.TableValues(column, ((words, ""),), source)
            from_tables = result.from_tables.setdefault(entry.anchor, [])
            if table_values not in from_tables:
                from_tables.append(table_values)
        elif words and column == columns[-1] and not _same_type(words, signature.type):
            result.findings.append(_contradiction(
                manual, keyword_row, column, words,
                f"the summary gives {keyword_row.name!r} the type {words!r}, but its "
                f"signature has {signature.type!r} in line {signature.span.first}",
            ))


def _same_type(name: str, other: str) -> bool:
    """Whether both names mean one type, also if one is short for the other: "bool"."""
    return name == other or (
        "+" not in f"{name}{other}" and (name.startswith(other) or other.startswith(name))
    )


def _meaning(state: str) -> tuple[bool, bool]:
    """Whether `state` allows something, and whether only in sections that have a name."""
    return tree.allows(state), NAMED_ONLY in state


def _state(cell: str, name: str) -> str:
    """The state of a usage of the kind `name` that a cell of a matrix means."""
    if name == "rule sets":
        return cell
    return ("yes(!)" if NAMED_ONLY in cell else "yes") if tree.allows(cell) else "no"


def _unlisted(manual: tree.Manual, row: tree.Row, name: str, section: tree.Section) -> Diagnostic:
    number = section.number
    section_name = f"section {number}" if number else f"the section {section.title!r}"
    message = f"the table lists {name!r}, but {section_name} has no such entry"
    line, column = _position(manual, row, name)
    return Diagnostic(manual.source.path, line, column, "warning", "matrix-row", message, len(name))


def _contradiction(
    manual: tree.Manual, keyword_row: _KeywordRow, title: str, cell: str, message: str
) -> Diagnostic:
    """A finding about the words `cell` below `title`, or about the name of the row if empty."""
    lines = manual.source.lines
    line, column = _position(manual, keyword_row.row, keyword_row.name)
    length = len(keyword_row.name)
    head = lines[keyword_row.head_line - 1]
    if cell and (cell_column := _cell_column(cell, title, head, lines[line - 1])):
        column, length = cell_column, len(cell)
    return Diagnostic(
        manual.source.path, line, column, "warning", "matrix-contradiction", message, length
    )


def _position(manual: tree.Manual, row: tree.Row, name: str) -> tuple[int, int]:
    """The line and the column of the `name` of `row`."""
    source = manual.source.lines[row.span.first - 1]
    return source.number, source.column + max(0, source.text.find(name))


def _cell_column(words: str, title: str, head: Line, row: Line) -> int:
    """The column in the line `row`, from 1, of the cell with these `words` below `title`.

    It is the cell whose middle is nearest to that of the title in the line `head`; 0 if
    there is none.
    """
    start = head.text.rfind(title)
    cells = [cell for cell in CELL.finditer(row.text) if cell[0] == words]
    if start < 0 or not cells:
        return 0
    middle = 2 * (head.column + start) + len(title)
    nearest = min(cells, key=lambda cell: abs(2 * row.column + sum(cell.span()) - middle))
    return row.column + nearest.start()


def _block(block: tree.Block, manual: tree.Manual, result: _MergeResult) -> tree.Block:
    match block:
        case tree.Entry() if block.anchor in result.from_tables:
            return replace(block, from_tables=tuple(result.from_tables[block.anchor]))
        case tree.Table() if any(row.span.first in result.targets_by_row for row in block.rows):
            return replace(block, rows=tuple([_row(row, manual, result) for row in block.rows]))
        case _:
            return block


def _row(row: tree.Row, manual: tree.Manual, result: _MergeResult) -> tree.Row:
    """`row` with its name as a link, or with a link to each of its targets."""
    name, name_targets = result.targets_by_row.get(row.span.first, ("", ()))
    cell = row.cells[0]
    first = cell.content[0] if cell.content else None
    if not (name and isinstance(first, tree.Text) and name in first.text):
        return row
    before, _, after = first.text.partition(name)
    targets = tuple([tree.Target(manual.name, target.anchor) for target in name_targets])
    target_labels = tuple([(target.kind, target.section) for target in name_targets])
    link = tree.Reference(
        name, name, *_position(manual, row, name), targets, "listed",
        target_labels if len(targets) > 1 else (),
    )
    parts = [part for part in (tree.Text(before), link, tree.Text(after)) if part.text]
    content = (*parts, *cell.content[1:])
    return replace(row, cells=(replace(cell, content=content), *row.cells[1:]))
