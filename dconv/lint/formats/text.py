"""Findings for people: the line of compilers, the line of the source, a mark below.

    manual.txt:120:15: warning: [doubled-word] 'the' appears twice in a row
      120 |   This is the the lamp.
          |               ^~~

The first line is that of the GNU coding standards (section 4.4), which editors jump by; the mark is
that of GCC (https://gcc.gnu.org/onlinedocs/gcc/Diagnostic-Message-Formatting-Options.html).  Where
a finding is about several lines, a note follows for each of the others, as those of compilers do:

    manual.txt:140:15: note: 'the' appears twice in a row
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dconv.lint.formats.result import Result

MAX_OTHERS = 20  # places of a finding that are shown; its message has the lines of all
WIDTH = 80  # columns of a line of the source that are shown
ELLIPSIS = "…"
MAX_WHOLE_LINE = 1000  # characters; a longer line is cut without measuring its columns
COLUMNS_BEFORE_MARK = 20  # that are shown of a long line


def text(results: Iterable[Result], *, with_lines: bool) -> str:
    """`results` as text; if `with_lines`, each place with the line of the source and a mark."""
    return "".join(f"{row}\n" for result in results for row in _rows(result, with_lines))


def _rows(result: Result, with_lines: bool) -> Iterator[str]:
    yield str(result.finding)
    printed_lines: set[int] = set()
    for place in (result, *result.others[:MAX_OTHERS]):
        finding = place.finding
        if finding.line in printed_lines:
            continue
        if place is not result:
            yield f"{finding.place}: note: {finding.message}"
        if with_lines:
            yield from _marked_line(place)
        printed_lines.add(finding.line)


def _marked_line(result: Result) -> Iterator[str]:
    """The line that `result` is about, and the mark below."""
    finding = result.finding
    if not result.line_text or finding.column > len(result.line_text):
        return
    head = f"{finding.line:5} | "
    excerpt, column, length = _excerpt(result.line_text, finding.column - 1, finding.length, WIDTH)
    before, marked = excerpt[:column], excerpt[column : column + length]
    mark = " " * _columns(before) + "^" + "~" * (_columns(marked) - 1)
    yield f"{head}{excerpt}"
    yield f"{' ' * 5} | {mark}"


def _excerpt(line: str, column: int, length: int, width: int) -> tuple[str, int, int]:
    """The part of `line` around the mark that fits `width`; where the mark is in it."""
    length = max(1, min(length, len(line) - column))
    if len(line) <= MAX_WHOLE_LINE and _columns(line) <= width:
        return line, column, length
    start = 0 if column + length < width else max(0, column - COLUMNS_BEFORE_MARK)
    prefix, suffix = ELLIPSIS if start else "", ELLIPSIS if start + width < len(line) else ""
    excerpt = prefix + line[start + len(prefix) : start + width - len(suffix)]
    column -= start
    return excerpt + suffix, column, min(length, len(excerpt) - column)


def _columns(words: str) -> int:
    """How many columns of a terminal `words` take (Unicode, UAX #11)."""
    if words.isascii():
        return len(words)
    return sum(
        0 if unicodedata.combining(character)
        else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in words
    )


def statistics(results: Sequence[Result]) -> str:
    """A row for each rule and level, the most frequent first: findings, those with a fix.

        findings  fixable  level    rule
              43       31  warning  entry-order
    """
    counts = Counter((result.finding.level, result.finding.rule) for result in results)
    fixable = Counter(
        (result.finding.level, result.finding.rule) for result in results
        if result.fix is not None
    )
    rows = [
        f"{count:8,}  {fixable[level, rule]:7,}  {level:7}  {rule}\n"
        for (level, rule), count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return "".join(["findings  fixable  level    rule\n", *rows]) if rows else ""
