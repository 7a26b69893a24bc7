"""Build a site that is not up to date, write it, and print what happened."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence

from dconv import GENERATOR
from dconv.build.cache import BuildCache
from dconv.build.executors import connect
from dconv.build.fingerprint import fingerprint
from dconv.build.output import with_gzip, write_site
from dconv.build.render import ReleaseFiles, Rendered
from dconv.build.results import ResultStore
from dconv.build.schedule import build_site
from dconv.build.shelf import PackageFiles
from dconv.cli import up_to_date
from dconv.cli.console import Console, pluralize
from dconv.cli.outcome import Outcome
from dconv.cli.request import BuildRequest
from dconv.proof.coverage import Coverage
from dconv.proof.linkcheck import LinkCheck
from dconv.writers.pages.listings import Link
from dconv.writers.pages.page import SiteInfo, StaticImage
from dconv.writers.theme.theme import load


class _StrictFailure(Exception):
    """A strict build has findings: the site is not written."""


def build(request: BuildRequest, console: Console, strict: bool, key: str) -> Outcome:
    """Build and write the site; its `key` is stored for the next build.

    A `strict` build with warnings or missing releases leaves the folder as it was.  Raises
    `ThemeError`, `SiteError` and `WorkerError`.
    """
    outcome = Outcome()
    log_start = len(console.log)
    cache = None
    if request.cache is not None:
        theme_fingerprint = fingerprint(
            up_to_date.theme_and_program_fingerprint(request), request.theme_options
        )
        cache = BuildCache(ResultStore(request.cache), request.output, theme_fingerprint)
    files = _files(request, console, outcome, strict, cache)
    try:
        with contextlib.closing(with_gzip(files) if request.compress else files) as all_files:
            written = write_site(all_files, request.output)
    except _StrictFailure:
        outcome.published = False
        state = "is unchanged" if request.output.exists() else "is not written"
        console.info(f"Not published: {request.output} {state}")
        return outcome
    if up_to_date.is_unchanged(request, key):
        up_to_date.store_record(request, key, outcome, console.log[log_start:], written)
    elif cache is not None:  # the theme was saved during the build
        cache.discard()
    outcome.file_count, outcome.changed_count = written.file_count, written.changed_count
    return outcome


def _files(
    request: BuildRequest, console: Console, outcome: Outcome, strict: bool,
    cache: BuildCache | None,
) -> Generator[tuple[str, bytes], None, None]:
    """The files of the site; findings are printed and added to `outcome`."""

    def on_release(release: ReleaseFiles) -> None:
        outcome.diagnostics += release.diagnostics
        outcome.accepted.update(release.accepted)
        _print_details(release, release.release_card.version, console)
        console.info(summary(release))

    def on_shelf(packages: Sequence[PackageFiles]) -> None:
        for package in packages:
            outcome.diagnostics += package.diagnostics
            outcome.accepted.update(package.accepted)
        _print_shelf(packages, console)

    logo = request.theme_options.logo
    extra = [(logo.file, logo.content)] if logo else []
    theme = load(request.theme, request.themes_folder, extra, request.theme_options.colors)
    outcome.diagnostics += theme.findings
    console.findings(theme.findings)
    check = LinkCheck(request.url)
    with connect(request.executor) if request.executor else contextlib.nullcontext() as executor:
        yield from build_site(
            request.releases, site_info(request), theme, on_progress=console.progress,
            on_release=on_release, on_shelf=on_shelf, check=check, executor=executor,
            jobs=request.jobs, cache=cache,
        )
    findings = check.finish()
    outcome.diagnostics += findings
    console.findings(findings)
    console.detail(check.summary())
    if strict and (request.missing_required or outcome.failures()):
        raise _StrictFailure


def site_info(request: BuildRequest) -> SiteInfo:
    """What all pages of the site share."""
    logo = request.theme_options.logo
    return SiteInfo(
        request.title, GENERATOR, request.url, date=request.date, latest=request.latest,
        lunr=request.lunr, changes=request.changes, exports=request.exports,
        footer=request.theme_options.footer,
        logo=StaticImage(logo.file, logo.width, logo.height) if logo else None,
        links=tuple([Link(link.title, link.href) for link in request.theme_options.links]),
    )


def _print_shelf(packages: Sequence[PackageFiles], console: Console) -> None:
    """Print the findings of all packages, and one summary of the shelf."""
    for package in packages:
        _print_details(package, package.texts.version, console)
        if len(packages) > 1:
            console.detail(f"{package.texts.name}: {', '.join(_counts([package]))}")
    names = {package.texts.product_name for package in packages}
    counts = ", ".join(_counts(packages))
    if len(packages) == 1:
        console.info(f"{packages[0].texts.name}: {counts}")
    elif len(names) == 1:  # texts of several releases
        console.info(f"{packages[0].texts.product_title}: {counts}")
    else:
        console.info(f"Shelf: {len(names):,} packages, {counts}")


def _print_details(rendered: Rendered, version: str, console: Console) -> None:
    """Print the findings of what was `rendered`, and what is known of each document."""
    console.findings(rendered.diagnostics)
    for proof in rendered.proofs:
        console.detail(str(proof))
    for name, counts in rendered.references:
        console.detail(f"{name} {version}: {counts}")
    for accepted, count in Counter(rendered.accepted).items():
        name = f"{accepted.document} {version}"
        console.detail(f"{name}: {count:,} accepted: [{accepted.rule}] '{accepted.text}'")


def summary(release: ReleaseFiles) -> str:
    """`HAProxy 2.6: 20 documents, all 36,524 lines kept, 2,729 links, 17 ambiguous`."""
    release_card = release.release_card
    return f"{release_card.product_title} {release_card.version}: {', '.join(_counts([release]))}"


def _counts(rendered: Sequence[Rendered]) -> Iterator[str]:
    """What was `rendered`, in numbers."""
    proofs = [proof for files in rendered for proof in files.proofs]
    references = [counts for files in rendered for _, counts in files.references]
    yield pluralize(len(proofs), "document")
    yield from _coverage_text([proof.coverage for proof in proofs])
    yield pluralize(sum(counts.resolved + counts.external for counts in references), "link")
    if ambiguous := sum(counts.ambiguous for counts in references):
        yield f"{ambiguous:,} ambiguous"
    if accepted := sum(len(files.accepted) for files in rendered):
        yield pluralize(accepted, "accepted finding")


def _coverage_text(coverages: Iterable[Coverage]) -> Iterator[str]:
    """`all 36,524 lines kept`, `2 of 11,204 words lost`: one for each unit there is."""
    totals: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for coverage in coverages:
        totals[coverage.unit] += coverage.total
        lost[coverage.unit] += coverage.lost
    if not lost.total():
        prefix = "" if [*totals.values()] == [1] else "all "
        counts = [pluralize(total, unit) for unit, total in totals.items() if total]
        yield f"{prefix}{' and '.join(counts) or '0 lines'} kept"
        return
    for unit, total in totals.items():
        kept = f"all {pluralize(total, unit)} kept"
        yield f"{lost[unit]:,} of {pluralize(total, unit)} lost" if lost[unit] else kept
