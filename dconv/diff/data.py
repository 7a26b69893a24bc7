"""A comparison as JSON, described by `dconv/diff/diff.schema.json` (JSON Schema 2020-12).

A change that another program may notice gets another `SCHEMA`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from dconv.diff.types import Change, Changed, Comparison, Folded, Promise, Run, Subject

SCHEMA = "dconv/compare/1"

Json: TypeAlias = "str | int | bool | Sequence[Json] | Mapping[str, Json]"
Record: TypeAlias = "dict[str, Json]"


def json_text(comparison: Comparison) -> str:
    """`comparison` as JSON text, ends with a line end."""
    return json.dumps(record(comparison), ensure_ascii=False, indent=1) + "\n"


def record(found: Comparison) -> Record:
    """`found` as one object of the schema."""
    return {
        "schema": SCHEMA,
        "old": found.old,
        "new": found.new,
        "different": bool(found),
        "documents": {
            "added": list(found.documents_added), "removed": list(found.documents_removed),
        },
        "entries": {
            "added": [_subject(one) for one in found.added],
            "removed": [_subject(one) for one in found.removed],
            "changed": [_changed(one) for one in found.entries],
            "merged": [_folded(one) for one in found.folded if one.merged],
            "split": [_folded(one) for one in found.folded if not one.merged],
        },
        "sections": {
            "added": [_subject(one) for one in found.sections_added],
            "removed": [_subject(one) for one in found.sections_removed],
            "changed": [_changed(one) for one in found.sections],
        },
        "references": {
            "broken": [_promise(one) for one in found.promises if one.fate == "broken"],
            "mended": [_promise(one) for one in found.promises if one.fate == "mended"],
        },
    }


def _subject(one: Subject) -> Record:
    place = one.place
    return {
        "kind": one.kind,
        "name": one.name,
        "document": place.document,
        "section": {"number": place.number, "title": place.title},
        "anchor": place.anchor,
        "line": place.line,
        "summary": one.summary,
        "deprecated": one.deprecated,
        "advice": one.advice,
    }


def _changed(one: Changed) -> Record:
    return {
        "old": _subject(one.old),
        "new": _subject(one.new),
        "changes": [_change(change) for change in one.changes],
        "text": [[_run(run) for run in passage] for passage in one.text],
    }


def _change(change: Change) -> Record:
    return {"aspect": change.aspect, "old": change.old, "new": change.new}


def _run(run: Run) -> Record:
    return {"state": run.state, "text": run.text}


def _folded(fold: Folded) -> Record:
    return {"several": [_subject(one) for one in fold.several], "one": _subject(fold.one)}


def _promise(one: Promise) -> Record:
    return {"text": one.text, "in": _subject(one.subject)}
