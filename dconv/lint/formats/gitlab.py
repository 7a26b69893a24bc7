"""Findings as a Code Quality report, which GitLab shows in merge requests.

The format is that of https://docs.gitlab.com/ci/testing/code_quality/ (a subset of the
specification of Code Climate's engines).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import PurePath

from dconv.lint.formats.result import Result, fingerprints
from dconv.model.diagnostics import Level

SEVERITIES: Mapping[Level, str] = {"error": "critical", "warning": "minor", "note": "info"}


def gitlab(results: Sequence[Result], base: PurePath) -> str:
    """`results` as JSON; paths below `base` are relative to it, as GitLab needs them."""
    report = [
        {
            "description": result.finding.message,
            "check_name": result.finding.rule,
            "fingerprint": fingerprint,
            "severity": SEVERITIES[result.finding.level],
            "location": {
                "path": result.relative_path(base).as_posix(),
                "lines": {"begin": max(1, result.finding.line)},
            },
        }
        for result, fingerprint in zip(results, fingerprints(results), strict=True)
    ]
    return json.dumps(report, ensure_ascii=False, indent=1) + "\n"

