"""A site is made, written, and what became of it told."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Generator

from dconv import GENERATOR
from dconv.build import output as site
from dconv.build.cache import BuildCache
from dconv.build.job import Job
from dconv.build.render import ReleaseFiles
from dconv.build.schedule import build_site
from dconv.cli import up_to_date
from dconv.cli.console import Console
from dconv.cli.outcome import Outcome
from dconv.proof.linkcheck import LinkCheck
from dconv.sources.fingerprint import fingerprint, of_program
from dconv.sources.results import Results
from dconv.writers.pages.page import Edition, Link, Picture
from dconv.writers.theme.theme import load


class _Refused(Exception):
    """A strict build found something: what it made is not published."""


def make(
    job: Job, console: Console, strict: bool, key: str
) -> Outcome:
    """Write the site of `job`; raises what a theme, a disk or a worker refuses.

    Where `strict`, the folder stays as it was if anything is odd.  `key` is what the site
    is known by where it is asked for again.
    """
    outcome = Outcome()
    before = len(console.log)
    around = up_to_date.touched(job), up_to_date.surroundings(job)
    cache = _cache(job, around[1])
    files = _files(job, console, outcome, strict, cache)
    try:
        with contextlib.closing(site.with_gzip(files) if job.compress else files) as made:
            written = site.write(made, job.output, durable=not job.passing)
    except _Refused:
        outcome.published = False
        console.info(f"Not published: {job.output} stays as it was")
    else:
        if up_to_date.still(job, key, around):
            up_to_date.note(job, key, outcome, console.log[before:], written)
        elif cache is not None:  # the theme was saved during the build: which one was used?
            cache.discard()
        outcome.files, outcome.changed = written.files, written.changed
    return outcome


def _files(
    job: Job, console: Console, outcome: Outcome, strict: bool, cache: BuildCache | None
) -> Generator[tuple[str, bytes], None, None]:
    """The files of the site; all that is odd is told and noted in `outcome`."""

    def after(release: ReleaseFiles) -> None:
        outcome.diagnostics += release.diagnostics
        outcome.accepted.update(release.accepted)
        _tell(release, console)

    logo = job.look.logo
    extra = [(logo.file, logo.content)] if logo else []
    theme = load(job.theme, job.base, extra, job.look.colours)
    outcome.diagnostics += theme.findings
    console.findings(theme.findings, always=True)
    check = LinkCheck(job.url)
    yield from build_site(
        job.releases, edition(job), theme, on_progress=console.progress, on_release=after,
        check=check, jobs=job.jobs, cache=cache,
    )
    findings = check.finish()
    outcome.diagnostics += findings
    console.findings(findings)
    console.detail(check.summary())
    if strict and (job.lacking or outcome.odd()):
        raise _Refused


def _cache(job: Job, around: str) -> BuildCache | None:
    """The results of earlier builds; `around` is the fingerprint of theme and program."""
    if job.cache is None:
        return None
    return BuildCache(Results(job.cache), job.output, of_program(), fingerprint(around, job.look))


def edition(job: Job) -> Edition:
    """What is the same on all pages of `job`."""
    logo = job.look.logo
    return Edition(
        job.title, GENERATOR, job.url, day=job.day, latest=job.latest, lunr=job.lunr,
        changes=job.changes, footer=job.look.footer,
        logo=Picture(logo.file, logo.width, logo.height) if logo else None,
        links=tuple([Link(link.title, link.href) for link in job.look.links]),
    )


def _tell(release: ReleaseFiles, console: Console) -> None:
    """Print the findings and the summary of a release."""
    console.findings(release.diagnostics)
    for proof in release.proofs:
        console.detail(str(proof))
    for name, counts in release.references:
        console.detail(f"{name} {release.shelf.version}: {counts}")
    for acceptance, count in Counter(release.accepted).items():
        name = f"{acceptance.document} {release.shelf.version}"
        console.detail(f"{name}: {count:,} accepted: [{acceptance.rule}] '{acceptance.text}'")
    console.info(summary(release))


def summary(release: ReleaseFiles) -> str:
    """`HAProxy 2.6: 20 documents, all 36,524 lines kept, 2,729 links, 17 ambiguous`."""
    shelf, proofs = release.shelf, release.proofs
    lines, lost = sum(proof.total for proof in proofs), sum(len(proof.lost) for proof in proofs)
    links = sum(counts.resolved + counts.external for _, counts in release.references)
    ambiguous = sum(counts.ambiguous for _, counts in release.references)
    parts = [
        "1 document" if len(proofs) == 1 else f"{len(proofs):,} documents",
        f"{lost:,} of {lines:,} lines lost" if lost else f"all {lines:,} lines kept",
        "1 link" if links == 1 else f"{links:,} links",
    ]
    if ambiguous:
        parts.append(f"{ambiguous:,} ambiguous")
    if release.accepted:
        accepted = len(release.accepted)
        parts.append("1 accepted finding" if accepted == 1 else f"{accepted:,} accepted findings")
    return f"{shelf.product_title} {shelf.version}: {', '.join(parts)}"
