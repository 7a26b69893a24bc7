"""The findings of a command, and its exit status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field

from dconv.cli.arguments import FAILURE, SUCCESS
from dconv.cli.console import Console, pluralize
from dconv.model.diagnostics import FATAL_RULES, Diagnostic, has_fatal
from dconv.model.values import dataclass
from dconv.settings.toml import suggestion
from dconv.settings.types import AcceptedFinding
from dconv.sources.texts import ReleaseTexts


@dataclass(slots=True)
class Outcome:
    """What a build found and wrote.

    `accepted` are the accepted findings that exist; `published` is false if a strict build kept
    the site as it was; `file_count` counts the files of the site, `changed_count` those that were
    written.
    """

    diagnostics: list[Diagnostic] = field(default_factory=list)
    accepted: set[AcceptedFinding] = field(default_factory=set)
    published: bool = True
    file_count: int = 0
    changed_count: int = 0

    def failures(self) -> int:
        """How many warnings and errors there are, which fail a strict build."""
        return sum(finding.level != "note" for finding in self.diagnostics)

    def status(self, strict: bool, console: Console, missing: Sequence[str] = ()) -> int:
        """The exit status: 1 if text was lost or releases are `missing`, else 0.

        A `strict` build also exits with 1 if there are warnings or errors, and says how many.
        """
        if strict and (self.failures() or missing):
            console.problem(f"--strict: {self._failure_counts(len(missing))}")
            return FAILURE
        return FAILURE if missing or has_fatal(self.diagnostics) else SUCCESS

    def _failure_counts(self, missing: int) -> str:
        """`1 error, 23 warnings, 1 missing release`."""
        levels = Counter(finding.level for finding in self.diagnostics)
        counts = [
            (levels["error"], "error"), (levels["warning"], "warning"),
            (missing, "missing release"),
        ]
        return ", ".join([pluralize(count, noun) for count, noun in counts if count])

    def reasons_incomplete(self, missing: Sequence[str]) -> Iterator[str]:
        """Why a site is not complete: text is lost, releases are `missing`."""
        if fatal := FATAL_RULES.intersection(finding.rule for finding in self.diagnostics):
            rules = " and ".join([f"[{rule}]" for rule in sorted(fatal)])
            yield f"site written despite {rules}; --strict would have kept the old one"
        if missing:
            yield f"site written without {', '.join(missing)}, which could not be fetched"


def unused_accepted_findings(
    releases: Iterable[ReleaseTexts], used: Collection[AcceptedFinding]
) -> Iterator[str]:
    """A sentence for each accepted finding of `releases` that is not among the `used` ones."""
    documents: dict[AcceptedFinding, list[str]] = {}
    for release in releases:
        for accepted_finding in release.accepted:
            names = documents.setdefault(accepted_finding, [])
            names.extend(text.document.name for text in release.texts)
    for accepted_finding, names in documents.items():
        if accepted_finding.document not in names:
            remedy = suggestion(accepted_finding.document, tuple(dict.fromkeys(names)))
            document = accepted_finding.document
            yield f"accepts a finding of '{document}', which no release has; {remedy}"
        elif accepted_finding not in used:
            yield f"accepts a finding that no longer exists: {accepted_finding}"
