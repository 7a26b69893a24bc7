"""Render linked trees into files: those of each release with proofs, and those of the site."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from urllib.parse import urlsplit

from dconv.build.read import check_stated_version, linked_release
from dconv.diff.page import changes_page
from dconv.model.diagnostics import Diagnostic
from dconv.model.references import ReferenceCounts, counts, findings
from dconv.model.tree import Manual
from dconv.proof.coverage import Proof, claim, ranges, verify, whole_page
from dconv.proof.linkcheck import LinkCheck, PageLinks
from dconv.settings import Acceptance
from dconv.sources.texts import ReleaseTexts
from dconv.writers.html import marks
from dconv.writers.inventory import opensearch, release_inventory, release_lists, sitemaps
from dconv.writers.legacy.forwarding import forwarding
from dconv.writers.legacy.redirects import redirect_files
from dconv.writers.pages.filenames import PROOF
from dconv.writers.pages.listings import ReleaseCard
from dconv.writers.pages.overview import product_homes, release_card, site_home
from dconv.writers.pages.page import Page, Release, SiteInfo
from dconv.writers.pages.special import latest_pages, missing_page
from dconv.writers.pages.split import release_pages, release_sections
from dconv.writers.pages.versions import Versions
from dconv.writers.search.files import search_files
from dconv.writers.theme.theme import Theme


@dataclass(frozen=True, slots=True)
class SiteContext:
    """What the pages of all releases share.

    `versions` are the releases of each product by its name, `folders` those of all releases;
    `day` decides which releases are supported.
    """

    site: SiteInfo
    theme: Theme
    versions: Mapping[str, Versions]
    folders: tuple[str, ...]
    day: str


@dataclass(frozen=True, slots=True)
class ReleaseFiles:
    """A rendered release: its `files` (path below the site's root, content) and its `proofs`.

    `references` counts the references of each document by their outcomes.  `addresses` are the
    public addresses of the pages, for the sitemap.  `accepted` has the acceptances of findings
    that are therefore not among `diagnostics`.
    """

    release_card: ReleaseCard
    files: tuple[tuple[str, bytes], ...]
    proofs: tuple[Proof, ...]
    references: tuple[tuple[str, ReferenceCounts], ...]
    diagnostics: tuple[Diagnostic, ...]
    addresses: tuple[str, ...] = ()
    accepted: tuple[Acceptance, ...] = ()


@dataclass(frozen=True, slots=True)
class RenderResult:
    """A rendered `release`, the `links` in its pages, and the SHA-256 `digests` of its files."""

    release: ReleaseFiles
    links: PageLinks
    digests: tuple[tuple[str, str], ...]

    def without_files(self) -> RenderResult:
        """The same without the content of the files."""
        return replace(self, release=replace(self.release, files=()))


def render_release(
    texts: ReleaseTexts, manuals: Sequence[Manual], older: Release | None, context: SiteContext
) -> RenderResult:
    """Link the `manuals` of a release, render and prove them, and collect the links of the pages.

    `older` is the release before it if the site has pages of changes.  Raises `ThemeError`.
    """
    release = linked_release(texts, manuals, context.day)
    linked = [document.manual for document in release.documents]
    versions = context.versions.get(texts.product_name)
    files = release_files(release, context.site, context.theme, versions, older)
    findings = (*check_stated_version(texts, linked), *files.diagnostics)
    diagnostics, accepted = _split_accepted(findings, linked, texts.accepted)
    files = replace(files, diagnostics=diagnostics, accepted=accepted)
    check = LinkCheck(context.site.url)
    for folder in context.folders:
        check.release(folder)
    for path, content in files.files:
        check.read(path, content)
    digests = [(path, sha256(content).hexdigest()) for path, content in files.files]
    return RenderResult(files, check.links(), tuple(digests))


def release_files(
    release: Release, site: SiteInfo, theme: Theme, versions: Versions | None = None,
    older: Release | None = None,
) -> ReleaseFiles:
    """All files of `release`, with their proofs.

    `versions` are the releases of its product; `older` is the release before it if there is to
    be a page of changes.  Raises `ThemeError`.

    The home of a document states how many lines are kept, and the proof needs the pages.  So
    pages are rendered with the claim that no line is lost, and rendered again if the proof
    finds otherwise.
    """
    files = _rendered(release, site, theme, versions)
    proofs = tuple(_proofs(release, files))
    if any(proof.losses for proof in proofs):
        release = _with_losses(release, proofs)
        files = _rendered(release, site, theme, versions)
    manuals = [document.manual for document in release.documents]
    diagnostics = _diagnostics(manuals, proofs)
    written = [(page.path, marks.without_marks(content)) for page, content in files]
    written += (_proof_file(release, proof) for proof in proofs)
    section_files = release_sections(release)
    written += release_inventory(release, section_files)
    written += forwarding(release, section_files, theme.content("old-links.js"))
    if older and versions:
        changes = changes_page(older, release, site, versions)
        files.append((changes, theme.render(changes)))
        written.append((changes.path, files[-1][1]))
    search = search_files(release, section_files, site.lunr, versions)
    written += search.files
    diagnostics += search.diagnostics
    references = tuple((manual.name, counts(manual)) for manual in manuals)
    return ReleaseFiles(
        release_card(release), tuple(written), proofs, references, tuple(diagnostics),
        tuple(page.canonical for page, _ in files),
    )


def _diagnostics(manuals: Sequence[Manual], proofs: Iterable[Proof]) -> list[Diagnostic]:
    """The findings of reading, linking and the proof."""
    diagnostics = [finding for manual in manuals for finding in manual.diagnostics]
    diagnostics += [finding for manual in manuals for finding in findings(manual)]
    return diagnostics + [loss for proof in proofs for loss in proof.losses]


def _proof_file(release: Release, proof: Proof) -> tuple[str, bytes]:
    """The proof of a document as JSON: how many lines are kept, and what was dropped."""
    origins = {document.manual.name: document.origin for document in release.documents}
    origin = origins.get(proof.document)
    record = {
        "document": proof.document,
        "version": proof.version,
        "sha256": origin.sha256 if origin else "",
        "lines": {"total": proof.total, "accounted": proof.accounted},
        "decoration": {
            rule: {"marks": len(lines), "lines": ranges(lines)} for rule, lines in proof.dropped
        },
        "lost": ranges(proof.lost),
        "losses": [{"line": loss.line, "message": loss.message} for loss in proof.losses],
    }
    path = f"{release.product_name}/{release.version}/{proof.document}/{PROOF}"
    return path, (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode()


def _rendered(
    release: Release, site: SiteInfo, theme: Theme, versions: Versions | None = None
) -> list[tuple[Page, bytes]]:
    """The pages of `release` with the marks of the proof; raises `ThemeError`."""
    return [(page, theme.render(page)) for page in release_pages(release, site, versions)]


def _proofs(release: Release, files: Iterable[tuple[Page, bytes]]) -> Iterator[Proof]:
    """The proof of each document of `release`, from its rendered pages with their marks."""
    folder = f"{release.product_name}/{release.version}/"
    texts: dict[str, list[str]] = {}
    wholes: dict[str, str] = {}
    for page, content in files:
        name = page.path.removeprefix(folder).partition("/")[0]
        if page.kind == "whole":
            wholes[name.removesuffix(".html")] = marks.with_marks(content)
        elif page.kind in ("manual", "section"):
            texts.setdefault(name, []).append(marks.with_marks(content))
    for document in release.documents:
        manual = document.manual
        pages = texts.get(manual.name, [])
        proof = verify(manual, release.version, pages)
        yield whole_page(proof, manual.source.path, wholes.get(manual.name, ""), pages)


def _with_losses(release: Release, proofs: Iterable[Proof]) -> Release:
    """`release` whose documents say how many lines the proofs found."""
    sentences = {proof.document: claim(proof.total, proof.accounted) for proof in proofs}
    documents = tuple(
        replace(document, proof=sentences[document.manual.name]) for document in release.documents
    )
    return replace(release, documents=documents)


# --- accepted findings ----------------------------------------------------------------


def _split_accepted(
    findings: Iterable[Diagnostic], manuals: Iterable[Manual], accepted: Sequence[Acceptance]
) -> tuple[tuple[Diagnostic, ...], tuple[Acceptance, ...]]:
    """The `findings` that are not `accepted`, and the acceptances of the others.

    An acceptance names no line, since lines move from release to release.
    """
    by_path = {manual.source.path: manual for manual in manuals}
    rest: list[Diagnostic] = []
    used: list[Acceptance] = []
    for finding in findings:
        manual = by_path.get(finding.path)
        matches = [item for item in accepted if manual and _accepts(item, finding, manual)]
        if matches:
            used.append(matches[0])
        else:
            rest.append(finding)
    return tuple(rest), tuple(used)


def _accepts(acceptance: Acceptance, finding: Diagnostic, manual: Manual) -> bool:
    """Whether rule and document are the same, and the finding's line has the accepted words."""
    if (acceptance.document, acceptance.rule) != (manual.name, finding.rule):
        return False
    return _words(acceptance.text) in _words(manual.source.lines[finding.line - 1].text)


def _words(text: str) -> str:
    return " ".join(text.split())


# --- files of the whole site ----------------------------------------------------------


def site_files(
    site: SiteInfo,
    theme: Theme,
    products: Iterable[Versions],
    release_cards: Sequence[ReleaseCard],
    addresses: Iterable[str],
    redirected: Iterable[tuple[str, str]],
) -> Iterator[tuple[str, bytes]]:
    """The files that belong to no single release: home pages, theme, sitemap, redirects.

    `addresses` are the public addresses of all pages of releases, `redirected` pairs of an old
    and a new path.  Raises `ThemeError`.
    """
    latest = {(product.product, product.latest.version) for product in products}
    release_cards = [
        replace(card, latest=(card.product_name, card.version) in latest)
        for card in release_cards
    ]
    for product in products:
        if len(product.releases) > 1 or site.latest:
            for page in latest_pages(product, site):
                yield page.path, theme.render(page)
    homes = [site_home(site, release_cards), *product_homes(site, release_cards)]
    for page in (*homes, missing_page(site, release_cards)):
        yield page.path, theme.render(page)
    yield from release_lists(release_cards)
    yield from opensearch(site.title, homes[0].description, site.url)
    yield from theme.files()
    yield from sitemaps([*(home.canonical for home in homes), *addresses], site.url)
    yield from redirect_files(redirected, urlsplit(site.url).path.rstrip("/"))
