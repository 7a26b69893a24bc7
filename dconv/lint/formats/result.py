"""Findings with the lines that they are about: what each format is given."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from dconv.lint.baseline import MAX_LINE_LENGTH, Key, digest, key
from dconv.model.diagnostics import Diagnostic
from dconv.model.source import BYTE_ORDER_MARK, TAB_WIDTH, Source


@dataclass(frozen=True, slots=True)
class Result:
    """A finding in the document `document`.

    `line` is the line that it is about, tabs expanded, or empty; `start` and `end` are columns
    of the file's line (from 1; `end` is exclusive), where a tab counts as one.  `others` are
    the findings that are joined to it.
    """

    finding: Diagnostic
    document: str
    line: str
    start: int
    end: int
    key: Key
    others: tuple[Result, ...] = ()

    @property
    def snippet(self) -> str:
        """The line for other programs, empty if it is huge: it may have many findings."""
        return self.line if len(self.line) <= MAX_LINE_LENGTH else ""


def with_lines(
    findings: Iterable[Diagnostic], document: str, source: Source
) -> Iterator[Result]:
    """`findings` about `source`, sorted by line, each with its line."""
    for number, group in groupby(findings, lambda finding: finding.line):
        exists = 0 < number <= len(source.file_lines) and not source.is_copy
        line = source.file_lines[number - 1] if exists else None
        text = " " * line.indent + line.text if line and line.text else ""
        ends = _character_ends(source.raw[number - 1]) if exists else ()
        for finding in group:
            start = _file_column(ends, finding.column)
            end = max(start + 1, _file_column(ends, finding.column + finding.length))
            yield Result(finding, document, text, start, end, key(finding, document, text))


def _character_ends(raw: bytes) -> Sequence[int]:
    """The last column of each character of a line with tabs, expanded; nothing without them."""
    if b"\t" not in raw:
        return ()
    column = 0
    ends: list[int] = []
    for character in raw.decode("utf-8", "surrogateescape").removeprefix(BYTE_ORDER_MARK):
        column = column + TAB_WIDTH - column % TAB_WIDTH if character == "\t" else column + 1
        ends.append(column)
    return ends


def _file_column(ends: Sequence[int], column: int) -> int:
    """The column in a line, tabs as they are, of the `column` with tabs expanded."""
    if not ends:
        return column
    if column > ends[-1]:
        return len(ends) + column - ends[-1]
    return bisect_left(ends, column) + 1


def fingerprints(results: Iterable[Result]) -> Iterator[str]:
    """A fingerprint of each of `results`, which stays while the text around it changes."""
    seen: Counter[Key] = Counter()
    for result in results:
        parts = []
        for member in (result, *result.others):
            seen[member.key] += 1
            parts.append(member.key.digest(seen[member.key]))
        yield parts[0] if len(parts) == 1 else digest(*parts)
