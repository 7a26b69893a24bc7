"""The findings of a command, and its exit status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from dconv.cli.arguments import DONE, FINDINGS
from dconv.cli.console import Console, counted
from dconv.model.diagnostics import FATAL, Diagnostic, failed
from dconv.settings import Acceptance
from dconv.settings.toml import suggestion
from dconv.sources.texts import ReleaseTexts


@dataclass(slots=True)
class Outcome:
    """What a build found and wrote.

    `accepted` are the acceptances that matched a finding; `files` counts the files of the site,
    and `changed` those that were written.
    """

    diagnostics: list[Diagnostic] = field(default_factory=list)
    accepted: set[Acceptance] = field(default_factory=set)
    published: bool = True
    files: int = 0
    changed: int = 0

    def failures(self) -> int:
        """How many warnings and errors there are, which fail a strict build."""
        return sum(finding.level != "note" for finding in self.diagnostics)

    def status(self, strict: bool, console: Console, missing: Sequence[str] = ()) -> int:
        """The exit status: 1 if text was lost or releases are `missing`, else 0.

        A `strict` build also exits with 1 if there are warnings or errors, and says how many.
        """
        if strict and (self.failures() or missing):
            console.problem(f"--strict: {self._refused(len(missing))}")
            return FINDINGS
        return FINDINGS if missing or failed(self.diagnostics) else DONE

    def _refused(self, missing: int) -> str:
        """`1 error, 23 warnings, 1 missing release`."""
        levels = Counter(finding.level for finding in self.diagnostics)
        counts = [
            (levels["error"], "error"), (levels["warning"], "warning"),
            (missing, "missing release"),
        ]
        return ", ".join([counted(count, what) for count, what in counts if count])

    def despite(self, missing: Sequence[str]) -> Iterator[str]:
        """Why a site is not complete: text is lost, releases are `missing`."""
        fatal = sorted({finding.rule for finding in self.diagnostics if finding.rule in FATAL})
        if fatal:
            rules = " and ".join([f"[{rule}]" for rule in fatal])
            yield f"site written despite {rules}; --strict would have kept the old one"
        if missing:
            yield f"site written without {', '.join(missing)}, which could not be fetched"


def unused(releases: Iterable[ReleaseTexts], used: Collection[Acceptance]) -> Iterator[str]:
    """A sentence for each acceptance of `releases` that is not among the `used` ones."""
    documents: dict[Acceptance, list[str]] = {}
    for release in releases:
        for acceptance in release.accepted:
            names = documents.setdefault(acceptance, [])
            names.extend(text.setting.name for text in release.texts)
    for acceptance, names in documents.items():
        if acceptance.document not in names:
            remedy = suggestion(acceptance.document, tuple(dict.fromkeys(names)))
            yield f"accepts a finding of '{acceptance.document}', which no release has; {remedy}"
        elif acceptance not in used:
            yield f"accepts a finding that no longer exists: {acceptance}"
