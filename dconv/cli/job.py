"""A site to make, as a command asks for it: what is written, and what is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dconv import pipeline, site
from dconv.cli.arguments import Arguments
from dconv.cli.console import Console
from dconv.cli.outcome import Outcome, unused
from dconv.compressed import with_copies
from dconv.linkcheck import LinkCheck
from dconv.pages.page import Edition
from dconv.pipeline import ReleaseFiles, ReleaseTexts
from dconv.settings import Look
from dconv.theme import load


class _Refused(Exception):
    """A strict build found something: what it made is not published."""


@dataclass(frozen=True, slots=True)
class Job:
    """Releases to make a site of, and where; `missing` is how many could not be had."""

    releases: tuple[ReleaseTexts, ...]
    edition: Edition
    theme: str
    base: Path | None  # where a theme may lie that is named without a folder
    output: Path
    missing: int = 0
    look: Look = field(default_factory=Look)
    compress: bool = False  # whether texts get compressed copies

    def run(self, console: Console, strict: bool = False) -> Outcome:
        """Write the site; raises what a theme or a disk refuses.

        Where `strict`, the folder stays as it was if anything is odd.
        """
        outcome = Outcome()

        def after(release: ReleaseFiles) -> None:
            outcome.diagnostics += release.diagnostics
            outcome.accepted.update(release.accepted)
            _tell(release, console)

        logo = self.look.logo
        extra = [(logo.file, logo.content)] if logo else []
        theme = load(self.theme, self.base, extra, self.look.colours)
        outcome.diagnostics += theme.findings
        console.findings(theme.findings)
        check = LinkCheck(self.edition.url)
        files = pipeline.whole_site(
            self.releases, self.edition, theme, console.step, after, check
        )

        def checked() -> Iterator[tuple[str, bytes]]:
            yield from files
            findings = check.finish()
            outcome.diagnostics += findings
            console.findings(findings)
            console.say(check.told())
            if strict and (self.missing or outcome.odd()):
                raise _Refused

        made = with_copies(checked()) if self.compress else checked()
        try:
            written = site.write(made, self.output)
        except _Refused:
            outcome.published = False
            console.say(f"nothing is published: {self.output} stays as it was")
        else:
            console.say(f"{written.files:,} files, {written.changed:,} changed")
        return outcome

    def finish(self, chosen: Arguments, console: Console) -> int:
        """`run`, say where the site is; the exit status."""
        outcome = self.run(console, chosen.strict)
        if not self.missing:
            for told in unused(self.releases, outcome.accepted):
                console.tell(f"dconv: {chosen.site}: {told}")
        if outcome.published and (self.output / "index.html").exists():
            console.say(f"open {(self.output / 'index.html').absolute().as_uri()}")
        return outcome.status(chosen.strict, console, self.missing)


def _tell(release: ReleaseFiles, console: Console) -> None:
    """What became of a release: findings, proofs, references, what is accepted."""
    console.findings(release.diagnostics)
    for proof in release.proofs:
        console.say(str(proof))
    for name, told in release.references:
        console.say(f"{name}: {told}")
    for one, count in Counter(release.accepted).items():
        name = f"{one.document} {release.shelf.version}"
        console.say(f"{name}: {count:,} accepted: [{one.rule}] '{one.text}'")
