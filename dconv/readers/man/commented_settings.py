"""Listings of a configuration file's page whose comments explain the settings below them.

    # The state at the start.
    **state** MASTER

Each comment with its setting becomes a row of a table, so that the setting has a name; the order of
the words stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field

from dconv.model.tree import Cell, Inline, LineBreak, Row, Table, Text
from dconv.model.values import dataclass
from dconv.readers.extracted_text import NO_SPAN, table
from dconv.readers.man.runs import Run, drop_start, inline_nodes, plain

MIN_SETTINGS = 3  # with a comment above; fewer are an example
NAME = re.compile(r"[a-z][\w.-]*")
INDENT = "\N{NO-BREAK SPACE}"


@dataclass(slots=True)
class _Setting:
    """Lines of a listing: a comment, the setting `name` below it, and what follows."""

    name: str = ""
    has_comment: bool = False
    lines: list[list[Run]] = field(default_factory=list)

    def row(self) -> Row:
        content: list[Inline] = []
        for line in self.lines:
            text = "".join([run.text for run in line])
            indent = len(text) - len(text.lstrip())
            content += [Text(INDENT * indent), *inline_nodes(drop_start(line, indent)), LineBreak()]
        cells = (Cell(tuple(content[:-1])),)
        if not self.name:
            return Row(cells, NO_SPAN)
        return Row(cells, NO_SPAN, self.name, "setting", names=(self.name,))


def settings_table(runs: Iterable[Run]) -> Table | None:
    """The listing of `runs` as a table, if comments explain at least three settings in it."""
    settings = [_Setting()]
    for line in _lines(runs):
        is_comment, name = plain(line).startswith("#"), _bold_name(line)
        if settings[-1].name and (is_comment or name):
            settings.append(_Setting())
        settings[-1].lines.append(line)
        settings[-1].name = name or settings[-1].name
        settings[-1].has_comment = is_comment or settings[-1].has_comment
    if sum(1 for setting in settings if setting.name and setting.has_comment) < MIN_SETTINGS:
        return None
    return table((), [setting.row() for setting in settings])


def _lines(runs: Iterable[Run]) -> list[list[Run]]:
    lines: list[list[Run]] = [[]]
    for run in runs:
        for number, text in enumerate(run.text.split("\n")):
            if number:
                lines.append([])
            if text:
                lines[-1].append(Run(text, run.style, run.target))
    return [line for line in lines if plain(line)]


def _bold_name(line: Sequence[Run]) -> str:
    """The name in bold at the start of `line`, or empty."""
    first = next(run for run in line if run.text.strip())
    name = first.text.strip()
    return name if first.style == "bold" and NAME.fullmatch(name) else ""
