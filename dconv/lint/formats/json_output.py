"""Findings as JSON, for other programs; `dconv/lint/check.schema.json` describes it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from dconv.lint.formats.result import Result, fingerprints
from dconv.model.diagnostics import LEVELS

FORMAT = "dconv check"
VERSION = 1


def json_output(results: Sequence[Result], notes: Sequence[str], generator: str) -> str:
    """`results` and the `notes` about the baseline as JSON; `generator` is the program's name."""
    value = {
        "format": FORMAT,
        "format_version": VERSION,
        "generator": generator,
        "counts": {
            level: sum(result.finding.level == level for result in results) for level in LEVELS
        },
        "findings": [
            {
                "path": result.finding.path, "document": result.document,
                "line": result.finding.line, "column": result.finding.column,
                "length": result.finding.length,
                "level": result.finding.level, "rule": result.finding.rule,
                "message": result.finding.message, "text": result.snippet,
                "fingerprint": fingerprint,
                "also": [
                    {
                        "line": other.finding.line, "column": other.finding.column,
                        "length": other.finding.length, "text": other.snippet,
                    }
                    for other in result.others
                ],
            }
            for result, fingerprint in zip(results, fingerprints(results), strict=True)
        ],
        "notes": list(notes),
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
