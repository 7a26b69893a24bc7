"""A comparison as JSON, described by `dconv/diff/diff.schema.json` (JSON Schema 2020-12).

A change that another program may notice gets another `SCHEMA`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from dconv.diff.types import (
    Change,
    Changed,
    Comparison,
    ReferenceChange,
    Regrouping,
    Subject,
)
from dconv.writers.pages.changes import Run

SCHEMA = "dconv/compare/1"

Json: TypeAlias = "str | int | bool | Sequence[Json] | Mapping[str, Json]"
Record: TypeAlias = "dict[str, Json]"


def json_text(comparison: Comparison) -> str:
    """`comparison` as JSON text, which ends with a line end."""
    return json.dumps(_record(comparison), ensure_ascii=False, indent=1) + "\n"


def _record(comparison: Comparison) -> Record:
    regrouped, references = comparison.regrouped, comparison.references
    return {
        "schema": SCHEMA,
        "old": comparison.old,
        "new": comparison.new,
        "different": bool(comparison),
        "documents": {
            "added": list(comparison.documents_added),
            "removed": list(comparison.documents_removed),
        },
        "entries": {
            "added": [_subject(entry) for entry in comparison.added],
            "removed": [_subject(entry) for entry in comparison.removed],
            "changed": [_changed(entry) for entry in comparison.entries],
            "merged": [_regrouping(group) for group in regrouped if group.merged],
            "split": [_regrouping(group) for group in regrouped if not group.merged],
        },
        "sections": {
            "added": [_subject(section) for section in comparison.sections_added],
            "removed": [_subject(section) for section in comparison.sections_removed],
            "changed": [_changed(section) for section in comparison.sections],
        },
        "references": {
            "broken": [_reference(change) for change in references if change.state == "broken"],
            "mended": [_reference(change) for change in references if change.state == "mended"],
        },
    }


def _subject(subject: Subject) -> Record:
    place = subject.place
    return {
        "kind": subject.kind,
        "name": subject.name,
        "document": place.document,
        "section": {"number": place.number, "title": place.title},
        "anchor": place.anchor,
        "line": place.line,
        "summary": subject.summary,
        "deprecated": subject.deprecated,
        "advice": subject.advice,
    }


def _changed(changed: Changed) -> Record:
    return {
        "old": _subject(changed.old),
        "new": _subject(changed.new),
        "changes": [_change(change) for change in changed.changes],
        "text": [[_run(run) for run in passage] for passage in changed.text],
    }


def _change(change: Change) -> Record:
    return {"aspect": change.aspect, "old": change.old, "new": change.new}


def _run(run: Run) -> Record:
    return {"state": run.state, "text": run.text}


def _regrouping(group: Regrouping) -> Record:
    return {"several": [_subject(part) for part in group.parts], "one": _subject(group.whole)}


def _reference(change: ReferenceChange) -> Record:
    return {"text": change.text, "in": _subject(change.subject)}
