"""Findings with the lines that they are about: what each format is given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import PurePath

from dconv.lint.baseline import MAX_LINE_LENGTH, Key, finding_key, fingerprint
from dconv.lint.fixes import merge_fixes
from dconv.model.diagnostics import Diagnostic, Fix
from dconv.model.source import Source, character_ends, file_column
from dconv.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """A finding in the document `document`.

    `line_text` is the line that it is about, tabs expanded, or empty; `start` and `end` are columns
    of the file's line (from 1; `end` is exclusive), where a tab counts as one.  `others` are
    the findings that are joined to it.
    """

    finding: Diagnostic
    document: str
    line_text: str
    start: int
    end: int
    key: Key
    others: tuple[Result, ...] = ()

    @property
    def snippet(self) -> str:
        """The line for other programs, empty if it is huge: it may have many findings."""
        return self.line_text if len(self.line_text) <= MAX_LINE_LENGTH else ""

    def relative_path(self, base: PurePath) -> PurePath:
        """The path of the file, relative to the folder `base` if it is below it."""
        path = PurePath(self.finding.path)
        return path.relative_to(base) if path.is_relative_to(base) else path

    @property
    def fix(self) -> Fix | None:
        """The fixes of the finding and of those joined to it, merged; None without any."""
        findings = [result.finding for result in (self, *self.others)]
        return merge_fixes(finding.fix for finding in findings if finding.fix is not None)


def with_lines(findings: Iterable[Diagnostic], document: str, source: Source) -> Iterator[Result]:
    """`findings` about `source`, sorted by line, each with its line."""
    for number, group in groupby(findings, lambda finding: finding.line):
        exists = 0 < number <= len(source.file_lines) and not source.is_extracted
        line = source.file_lines[number - 1] if exists else None
        text = " " * line.indent + line.text if line and line.text else ""
        ends = character_ends(source.raw[number - 1]) if exists else ()
        for finding in group:
            start = file_column(ends, finding.column)
            end = max(start + 1, file_column(ends, finding.column + finding.length))
            yield Result(finding, document, text, start, end, finding_key(finding, document, text))


def fingerprints(results: Iterable[Result]) -> Iterator[str]:
    """A fingerprint of each of `results`, which stays while the text around it changes."""
    seen: Counter[Key] = Counter()
    for result in results:
        parts = []
        for member in (result, *result.others):
            seen[member.key] += 1
            parts.append(member.key.fingerprint(seen[member.key]))
        yield parts[0] if len(parts) == 1 else fingerprint(*parts)
