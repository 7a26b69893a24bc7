"""Findings as annotations of GitHub workflows, shown next to the changed lines.

See https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath

from dconv.lint.formats.result import Result
from dconv.model.diagnostics import Level

COMMANDS: Mapping[Level, str] = {"error": "error", "warning": "warning", "note": "notice"}
ESCAPES: Mapping[int, str] = {ord("%"): "%25", ord("\r"): "%0D", ord("\n"): "%0A"}
PROPERTY_ESCAPES: Mapping[int, str] = {**ESCAPES, ord(":"): "%3A", ord(","): "%2C"}


def github(results: Iterable[Result], base: PurePath) -> str:
    """`results`, a workflow command in each line; paths below `base` are relative to it."""
    return "".join(f"{_command(result, base)}\n" for result in results)


def _command(result: Result, base: PurePath) -> str:
    finding = result.finding
    path = result.relative_path(base)
    # `endColumn` is the last column itself
    properties = {
        "file": path.as_posix(), "line": str(max(1, finding.line)),
        "endLine": str(max(1, finding.line)), "col": str(result.start),
        "endColumn": str(result.end - 1), "title": f"dconv {finding.rule}",
    }
    words = ",".join(
        f"{name}={text.translate(PROPERTY_ESCAPES)}" for name, text in properties.items()
    )
    return f"::{COMMANDS[finding.level]} {words}::{finding.message.translate(ESCAPES)}"
