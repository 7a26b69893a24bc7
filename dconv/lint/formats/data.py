"""Findings as JSON, for other programs; `dconv/lint/check.schema.json` describes it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from dconv.lint.formats.report import Result, digests
from dconv.model.diagnostics import LEVELS

FORMAT = "dconv check"
VERSION = 1


def data(found: Sequence[Result], notes: Sequence[str], generator: str) -> str:
    """`found` and the `notes` about them, told by the program `generator`."""
    value = {
        "format": FORMAT,
        "format_version": VERSION,
        "generator": generator,
        "counts": {
            level: sum(one.finding.level == level for one in found) for level in LEVELS
        },
        "findings": [
            {
                "path": one.finding.path, "document": one.document, "line": one.finding.line,
                "column": one.finding.column, "length": one.finding.length,
                "level": one.finding.level, "rule": one.finding.rule,
                "message": one.finding.message, "text": one.snippet, "fingerprint": digest,
                "also": [
                    {
                        "line": other.finding.line, "column": other.finding.column,
                        "length": other.finding.length, "text": other.snippet,
                    }
                    for other in one.others
                ],
            }
            for one, digest in zip(found, digests(found), strict=True)
        ],
        "notes": list(notes),
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
