"""Findings as SARIF 2.1.0, which code hosts and editors show next to the text.

The format is https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html; what hosts
require beyond that: https://docs.github.com/code-security/code-scanning (SARIF support).
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from urllib.parse import quote

from dconv.lint.formats.result import Result, fingerprints
from dconv.lint.rule_docs import Description, descriptions
from dconv.model.diagnostics import Fix

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "dconvContent/v1"
ROOT = "%SRCROOT%"  # where paths start, as SARIF calls it


def sarif(results: Sequence[Result], version: str, base: PurePath, help_url: str = "") -> str:
    """`results` as SARIF; `version` is the program's, `base` the folder of relative paths.

    `help_url` is where rules are explained, with the placeholder `{rule}`, or empty.
    """
    rules = descriptions()
    indexes = {name: index for index, name in enumerate(rules)}
    run = {
        "tool": {
            "driver": {
                "name": "dconv", "semanticVersion": version,
                "rules": [_rule(rule, help_url) for rule in rules.values()],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(result, fingerprint, base, indexes)
            for result, fingerprint in zip(results, fingerprints(results), strict=True)
        ],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=1) + "\n"


def _rule(rule: Description, help_url: str) -> dict[str, object]:
    record: dict[str, object] = {
        "id": rule.name,
        "shortDescription": {"text": rule.sentence},
        "fullDescription": {"text": " ".join(rule.text.split("\n\nBad:\n")[0].split())},
        "help": {"text": rule.text, "markdown": "\n\n".join(_markdown(rule.text))},
        "defaultConfiguration": {"level": rule.level},
        "properties": {"tags": ["documentation"]},
    }
    if help_url:
        record["helpUri"] = help_url.replace("{rule}", rule.name)
    return record


def _markdown(text: str) -> Iterator[str]:
    """The paragraphs of a docstring; what is below `Bad:` and `Good:` as code."""
    for part in text.split("\n\n"):
        label, _, code = part.partition("\n")
        if label in ("Bad:", "Good:"):
            yield f"**{label}**\n\n```text\n{textwrap.dedent(code)}\n```"
        else:
            yield part


def _result(
    result: Result, fingerprint: str, base: PurePath, indexes: Mapping[str, int]
) -> dict[str, object]:
    finding = result.finding
    record: dict[str, object] = {
        "ruleId": finding.rule,
        "level": finding.level,
        "message": {"text": finding.message},
        "locations": [_location(result, base)],
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    if result.others:
        record["relatedLocations"] = [_location(other, base) for other in result.others]
    if result.fix is not None:
        record["fixes"] = [_fix(result.fix, _file(result, base))]
    if finding.rule in indexes:
        record["ruleIndex"] = indexes[finding.rule]
    return record


def _fix(fix: Fix, file: dict[str, str]) -> dict[str, object]:
    replacements = [
        {
            "deletedRegion": {
                "startLine": edit.line, "startColumn": edit.column,
                "endLine": edit.end_line, "endColumn": edit.end_column,
            },
            "insertedContent": {"text": edit.text},
        }
        for edit in fix.edits
    ]
    return {
        "description": {"text": fix.description},
        "artifactChanges": [{"artifactLocation": file, "replacements": replacements}],
    }


def _location(result: Result, base: PurePath) -> dict[str, object]:
    region: dict[str, object] = {"startLine": max(1, result.finding.line)}
    if result.line_text:
        region |= {"startColumn": result.start, "endColumn": result.end}
    if result.snippet:
        region |= {"snippet": {"text": result.snippet}}
    file = _file(result, base)
    return {"physicalLocation": {"artifactLocation": file, "region": region}}


def _file(result: Result, base: PurePath) -> dict[str, str]:
    """The file as a URI: relative to `base` where it lies below."""
    file = result.relative_path(base)
    if file.is_absolute():
        return {"uri": file.as_uri()}
    # names of files may hold bytes that are not characters
    words = file.as_posix().encode("utf-8", "surrogateescape")
    return {"uri": quote(words), "uriBaseId": ROOT}
