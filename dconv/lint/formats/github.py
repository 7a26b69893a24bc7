"""Findings as commands that GitHub's jobs show beside the changed lines.

See https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath

from dconv.lint.formats.report import Result
from dconv.model.diagnostics import Level

COMMANDS: Mapping[Level, str] = {"error": "error", "warning": "warning", "note": "notice"}
DATA: Mapping[int, str] = {ord("%"): "%25", ord("\r"): "%0D", ord("\n"): "%0A"}
PROPERTY: Mapping[int, str] = {**DATA, ord(":"): "%3A", ord(","): "%2C"}


def github(found: Iterable[Result], base: PurePath) -> str:
    """`found`, a command in each line; paths below `base` are told without it."""
    return "".join(f"{_command(one, base)}\n" for one in found)


def _command(one: Result, base: PurePath) -> str:
    finding = one.finding
    path = PurePath(finding.path)
    if path.is_absolute() and path.is_relative_to(base):
        path = path.relative_to(base)
    # `endColumn` is the last column itself
    properties = {
        "file": path.as_posix(), "line": str(max(1, finding.line)),
        "endLine": str(max(1, finding.line)), "col": str(one.start),
        "endColumn": str(one.end - 1), "title": f"dconv {finding.rule}",
    }
    told = ",".join(f"{name}={text.translate(PROPERTY)}" for name, text in properties.items())
    return f"::{COMMANDS[finding.level]} {told}::{finding.message.translate(DATA)}"
