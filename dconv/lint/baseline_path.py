"""Files of known findings: `[[finding]]` with document, rule, line, message and count."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from dconv.lint.baseline import Key
from dconv.settings.toml import Table, load


def load_baseline(path: Path) -> Counter[Key]:
    """How often each finding of the file `path` is known; raises `SettingsError`."""
    file = load(path).known("finding")
    known: Counter[Key] = Counter()
    for table in file.tables("finding"):
        table.known("document", "rule", "line", "message", "count")
        key = Key(*(table.text(name) for name in ("document", "rule")),
                  *(table.text(name, "") for name in ("line", "message")))  # fmt: skip
        known[key] += _count(table)
    return known


def _count(table: Table) -> int:
    count = table.values.get("count", 1)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise table.error("has a 'count' that is no number of findings; write 1 or more")
    return count
