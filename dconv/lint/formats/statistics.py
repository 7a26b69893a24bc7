"""How many findings each rule has, as a table for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dconv.lint.formats.result import Result


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
