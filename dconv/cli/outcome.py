"""What a command found, and the exit status that it leaves with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from dconv.cli.console import Console
from dconv.model.diagnostics import FATAL, Diagnostic, failed
from dconv.settings import Acceptance
from dconv.settings.toml import suggestion
from dconv.sources.texts import ReleaseTexts

DONE, FINDINGS = 0, 1


@dataclass(slots=True)
class Outcome:
    """What a build found, what of the accepted findings there was, and if it was written."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    accepted: set[Acceptance] = field(default_factory=set)
    published: bool = True

    def odd(self) -> int:
        """How many findings a strict build does not let pass."""
        return sum(finding.level != "note" for finding in self.diagnostics)

    def status(self, strict: bool, console: Console, missing: Sequence[str] = ()) -> int:
        """The exit status: lost text counts, and so do releases that are `missing`; where
        `strict`, so do warnings and errors, and a sentence says how many.
        """
        if strict and (self.odd() or missing):
            console.tell(f"dconv: --strict: {_refused(self.odd(), len(missing))}")
            return FINDINGS
        return FINDINGS if missing or failed(self.diagnostics) else DONE

    def in_spite(self, missing: Sequence[str]) -> Iterator[str]:
        """What a site was written in spite of: text is lost, releases are `missing`."""
        fatal = sorted({finding.rule for finding in self.diagnostics if finding.rule in FATAL})
        if fatal:
            rules = " and ".join([f"[{rule}]" for rule in fatal])
            yield f"the site is written in spite of {rules}; with --strict the old one would stay"
        if missing:
            releases = "1 release is" if len(missing) == 1 else f"{len(missing):,} releases are"
            yield f"{releases} missing, the site is written without {', '.join(missing)}"


def _refused(odd: int, missing: int) -> str:
    """`23 warnings or errors are not accepted, 1 release is missing`."""
    found = "1 warning or error is" if odd == 1 else f"{odd:,} warnings or errors are"
    releases = "1 release is" if missing == 1 else f"{missing:,} releases are"
    reasons = [f"{found} not accepted"] * bool(odd) + [f"{releases} missing"] * bool(missing)
    return ", ".join(reasons)


def unused(releases: Iterable[ReleaseTexts], used: Collection[Acceptance]) -> Iterator[str]:
    """What `releases` accept that is not among the `used`, each with what is wrong about it."""
    documents: dict[Acceptance, list[str]] = {}
    for release in releases:
        for one in release.accepted:
            documents.setdefault(one, []).extend(text.setting.name for text in release.texts)
    for one, names in documents.items():
        if one.document not in names:
            meant = suggestion(one.document, tuple(dict.fromkeys(names)))
            yield f"accepts a finding of '{one.document}', which no release has; {meant}"
        elif one not in used:
            yield f"accepts what is not found any more: {one}"
