"""Messages of docutils as diagnostics: file, line, column, level, rule and message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile

from docutils import nodes

from dconv.model.diagnostics import Diagnostic, Level
from dconv.model.source import Source

LEVELS: dict[int, Level] = {1: "note", 2: "warning", 3: "error", 4: "error"}

QUOTED = re.compile(r'"([^"]+)"')  # what a message is about: 'unknown target name: "part"'


def findings(messages: Iterable[nodes.system_message], source: Source) -> list[Diagnostic]:
    """`messages` of docutils as diagnostics, each once, sorted by place; its own remarks (level 1)
    are left out.
    """
    return sorted(_findings(messages, source))


def _findings(
    messages: Iterable[nodes.system_message], source: Source
) -> Iterator[Diagnostic]:
    seen: set[tuple[int, str]] = set()
    for message in messages:
        level = int(message["level"])
        rule = str(message.get("rule", "rst-syntax" if level > 1 else ""))
        text = " ".join(message.children[0].astext().split()).rstrip(".")
        line = min(max(int(message.get("line") or 1), 1), max(len(source.lines), 1))
        if not rule or (line, text) in seen:
            continue
        seen.add((line, text))
        shown = text[:1].lower() + text[1:]
        words = str(message.get("words", "")) or next(iter(QUOTED.findall(text)), "")
        line, column = place_of(words, source, line)
        yield Diagnostic(source.path, line, column, LEVELS.get(level, "error"), rule, shown)


def place_of(words: str, source: Source, line: int) -> tuple[int, int]:
    """The place of `words` in the block of `source` that starts on `line`, else its start."""
    rows = source.lines[line - 1 :]
    for row in takewhile(lambda row: row.text, rows) if words else ():
        if (at := row.text.find(words)) >= 0:
            return row.number, row.column + at
    return line, rows[0].column if rows else 1
