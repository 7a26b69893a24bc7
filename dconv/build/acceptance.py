"""Findings that a publisher knows and accepts, kept apart from new ones.

An acceptance names no line: lines move from release to release, and a text that is
corrected elsewhere keeps what was accepted.
"""

from __future__ import annotations

from collections.abc import Iterable

from dconv.model.diagnostics import Diagnostic
from dconv.model.tree import Manual
from dconv.settings import Acceptance


def divide(
    findings: Iterable[Diagnostic], manuals: Iterable[Manual], accepted: Iterable[Acceptance]
) -> tuple[tuple[Diagnostic, ...], tuple[Acceptance, ...]]:
    """Those of `findings` about `manuals` that nobody has `accepted`, and for each of the
    others what accepts it.
    """
    known = tuple(accepted)
    by_path = {manual.source.path: manual for manual in manuals}
    left: list[Diagnostic] = []
    used: list[Acceptance] = []
    for finding in findings:
        manual = by_path.get(finding.path)
        found = next((one for one in known if manual and _fits(one, finding, manual)), None)
        if found is None:
            left.append(finding)
        else:
            used.append(found)
    return tuple(left), tuple(used)


def _fits(acceptance: Acceptance, finding: Diagnostic, manual: Manual) -> bool:
    """Whether rule and document are the same, and the words stand in the finding's line."""
    if (acceptance.document, acceptance.rule) != (manual.name, finding.rule):
        return False
    return _words(acceptance.text) in _words(manual.source.lines[finding.line - 1].text)


def _words(text: str) -> str:
    return " ".join(text.split())
