"""What a form of output is given: findings with the lines they are about, and all rules."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from dconv.lint import page, reading
from dconv.lint.baseline import LONGEST, Key, digest, key
from dconv.lint.rules import RULES
from dconv.model.diagnostics import Diagnostic, Level
from dconv.model.source import MARK, TAB, Source


@dataclass(frozen=True, slots=True)
class Result:
    """A finding in the document of the name `document`.

    `line` is the text that it is about, tabs expanded, or empty; `start` and `end` are the
    columns (from 1; `end` is behind) in the line of the file, where a tab counts as one.
    `others` are told in it, too.
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
        """The line for other programs, or nothing: thousands of findings may be in a huge one."""
        return self.line if len(self.line) <= LONGEST else ""


@dataclass(frozen=True, slots=True)
class Description:
    """A rule: its first sentence, and all that is said of it."""

    name: str
    level: Level
    sentence: str
    text: str


def results(
    findings: Iterable[Diagnostic], document: str, source: Source
) -> Iterator[Result]:
    """`findings` about `source`, each with its line."""
    for number, about in groupby(findings, lambda one: one.line):
        known = 0 < number <= len(source.lines)
        line = source.lines[number - 1] if known else None
        text = " " * line.indent + line.text if line and line.text else ""
        ends = _ends(source.raw[number - 1]) if known else ()
        for one in about:
            start = _written(ends, one.column)
            end = max(start + 1, _written(ends, one.column + one.length))
            yield Result(one, document, text, start, end, key(one, document, text))


def _ends(raw: bytes) -> Sequence[int]:
    """The last column of each character of a line with tabs, expanded; nothing without them."""
    if b"\t" not in raw:
        return ()
    at = 0
    ends: list[int] = []
    for character in raw.decode("utf-8", "surrogateescape").removeprefix(MARK):
        at = at + TAB - at % TAB if character == "\t" else at + 1
        ends.append(at)
    return ends


def _written(ends: Sequence[int], column: int) -> int:
    """The column in a line, tabs as they are, of the `column` with tabs expanded."""
    if not ends:
        return column
    if column > ends[-1]:
        return len(ends) + column - ends[-1]
    return bisect_left(ends, column) + 1


def digests(found: Iterable[Result]) -> Iterator[str]:
    """For each of `found` a text that stays the same while the text around it changes."""
    seen: Counter[Key] = Counter()
    for one in found:
        parts = []
        for member in (one, *one.others):
            seen[member.key] += 1
            parts.append(member.key.digest(seen[member.key]))
        yield parts[0] if len(parts) == 1 else digest(*parts)


def descriptions() -> dict[str, Description]:
    """All rules whose findings the check tells, by name."""
    found = [
        Description(name, level, reading.SENTENCES[name], reading.SENTENCES[name])
        for name, level in reading.LEVELS.items()
    ]
    for rule in RULES:
        text = page.explained(rule)
        sentence = " ".join(text.partition("\n\n")[0].split())
        found.append(Description(rule.name, rule.level, sentence, text))
    return {one.name: one for one in sorted(found, key=lambda one: one.name)}
