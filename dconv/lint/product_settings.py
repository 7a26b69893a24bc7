"""What the settings of a product change in findings: levels, and those that are accepted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from dconv.lint.formats.result import Result
from dconv.settings.types import AcceptedFinding, CheckSetting


def with_levels(results: Iterable[Result], check: CheckSetting) -> Iterator[Result]:
    """`results`, each with the level that the product gives its rule."""
    for result in results:
        level = check.levels.get(result.finding.rule, result.finding.level)
        yield replace(result, finding=replace(result.finding, level=level))


def split_accepted(
    results: Iterable[Result], accepted: Sequence[AcceptedFinding]
) -> tuple[list[Result], frozenset[AcceptedFinding]]:
    """The `results` that are not `accepted`, and what accepts the others."""
    rest: list[Result] = []
    matched: set[AcceptedFinding] = set()
    for result in results:
        matches = [item for item in accepted if _accepts(item, result)]
        matched.update(matches)
        if not matches:
            rest.append(result)
    return rest, frozenset(matched)


def _accepts(accepted: AcceptedFinding, result: Result) -> bool:
    """Whether rule and document are the same, and line or message have the accepted words."""
    if (accepted.document, accepted.rule) != (result.document, result.finding.rule):
        return False
    words = " ".join(accepted.text.split())
    return any(words in " ".join(text.split()) for text in (result.line, result.finding.message))
