"""A comparison as JSON, described by `dconv/diff/diff.schema.json` (JSON Schema 2020-12).

A change that another program may notice gets another `SCHEMA`.
"""

from __future__ import annotations

from typing import TypeAlias

from dconv.diff.types import Comparison, Element, ElementDiff, MergeOrSplit, ReferenceChange
from dconv.writers.site_files import Json, indented_json

SCHEMA = "dconv/compare/1"

Record: TypeAlias = "dict[str, Json]"


def json_text(comparison: Comparison) -> str:
    """`comparison` as JSON text, which ends with a line end."""
    return indented_json(_record(comparison)).decode()


def _record(comparison: Comparison) -> Record:
    groups, references = comparison.merges_and_splits, comparison.reference_changes
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
            "added": [_element(entry) for entry in comparison.entries_added],
            "removed": [_element(entry) for entry in comparison.entries_removed],
            "changed": [_element_diff(entry) for entry in comparison.entries_changed],
            "merged": [_merge_or_split(group) for group in groups if group.merged],
            "split": [_merge_or_split(group) for group in groups if not group.merged],
        },
        "sections": {
            "added": [_element(section) for section in comparison.sections_added],
            "removed": [_element(section) for section in comparison.sections_removed],
            "changed": [_element_diff(section) for section in comparison.sections_changed],
        },
        "references": {
            "broken": [_reference(change) for change in references if change.state == "broken"],
            "mended": [_reference(change) for change in references if change.state == "mended"],
        },
    }


def _element(element: Element) -> Record:
    location = element.location
    return {
        "kind": element.kind,
        "name": element.name,
        "document": location.document,
        "section": {"number": location.number, "title": location.title},
        "anchor": location.anchor,
        "line": location.line,
        "summary": element.summary,
        "deprecated": element.deprecated,
        "advice": element.advice,
    }


def _element_diff(diff: ElementDiff) -> Record:
    return {
        "old": _element(diff.old),
        "new": _element(diff.new),
        "changes": [
            {"aspect": change.field, "old": change.old, "new": change.new}
            for change in diff.changes
        ],
        "text": [
            [{"state": segment.state, "text": segment.text} for segment in passage]
            for passage in diff.text
        ],
    }


def _merge_or_split(group: MergeOrSplit) -> Record:
    return {"several": [_element(part) for part in group.parts], "one": _element(group.combined)}


def _reference(change: ReferenceChange) -> Record:
    return {"text": change.text, "in": _element(change.element)}
