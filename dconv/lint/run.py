"""Rules applied: from a subject to diagnostics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dconv.lint.rule import Rule
from dconv.lint.subject import Subject
from dconv.model.diagnostics import Diagnostic


def check(subject: Subject, rules: Iterable[Rule]) -> Iterator[Diagnostic]:
    """What `rules` find in the manual of `subject`, rule by rule."""
    path = subject.manual.source.path
    for rule in rules:
        for one in rule.find(subject):
            yield Diagnostic(
                path, one.line, one.column, rule.level, rule.name, one.message, one.length,
                one.shared,
            )
