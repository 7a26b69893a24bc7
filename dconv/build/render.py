"""Render linked trees into files: those of each release with proofs, and those of the site."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from posixpath import dirname
from types import MappingProxyType
from typing import Self
from urllib.parse import urlsplit

from dconv.build.read import check_stated_version, linked_release
from dconv.build.workers import in_background
from dconv.diff.page import changes_page, release_comparison
from dconv.diff.upgrade_step import upgrade_step_file
from dconv.model.diagnostics import Diagnostic
from dconv.model.references import (
    ReferenceCounts,
    count_references,
    missing_images,
    reference_findings,
)
from dconv.model.tree import Manual
from dconv.model.values import dataclass
from dconv.proof.coverage import Proof, check_single_page, format_ranges, verify
from dconv.proof.linkcheck import LinkCheck, PageLinks
from dconv.settings.types import AcceptedFinding
from dconv.sources.texts import ReleaseTexts
from dconv.writers.explain.release_data import release_data_file
from dconv.writers.feed import FEED, release_feeds
from dconv.writers.html import marks
from dconv.writers.html.escape import one_line
from dconv.writers.inventory import opensearch, release_inventory, release_lists, sitemaps
from dconv.writers.legacy.forwarding import forwarding
from dconv.writers.legacy.redirects import redirect_files
from dconv.writers.llms import llms
from dconv.writers.pages.addresses import Addresses, image_files
from dconv.writers.pages.explanations import explain_pages
from dconv.writers.pages.filenames import PROOF
from dconv.writers.pages.latest_and_missing import latest_pages, missing_page
from dconv.writers.pages.listings import ReleaseCard
from dconv.writers.pages.overview import product_homes, release_card, site_home, sitemap_entry
from dconv.writers.pages.packages import shelf_home
from dconv.writers.pages.page import Page, Release, ReleaseDocument, SiteInfo
from dconv.writers.pages.previews import entry_text_files, previews_file
from dconv.writers.pages.shelf import PackageRelease
from dconv.writers.pages.split import (
    home_page,
    pages_of_documents,
    release_addresses,
    release_section_files,
)
from dconv.writers.pages.versions import ProductVersions
from dconv.writers.search.files import search_files
from dconv.writers.site_files import SectionFiles, SiteFile, indented_json
from dconv.writers.theme.theme import Theme


@dataclass(frozen=True, slots=True)
class SiteContext:
    """What the pages of all releases share.

    `versions` are the releases of each product by its name, `folders` those of all releases;
    `date` decides which releases are supported.
    """

    site: SiteInfo
    theme: Theme
    versions: Mapping[str, ProductVersions]
    folders: tuple[str, ...]
    date: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """What is known of rendered documents: their proofs, and the findings in them.

    `references` counts the references of each document by their outcomes.  `accepted` are the
    accepted findings that occurred; they are not among `diagnostics`.
    """

    proofs: tuple[Proof, ...]
    references: tuple[tuple[str, ReferenceCounts], ...]
    diagnostics: tuple[Diagnostic, ...]
    accepted: tuple[AcceptedFinding, ...]


@dataclass(frozen=True, slots=True)
class RenderedFiles(Rendered):
    """What a job has rendered: `files`, their SHA-256 `digests`, and the `links` in their pages.

    `sitemap_entries` are addresses of pages with dates.
    """

    files: tuple[SiteFile, ...]
    digests: tuple[tuple[str, str], ...]
    links: PageLinks
    sitemap_entries: tuple[tuple[str, str], ...]

    def without_files(self) -> Self:
        """The same without the content of the files."""
        return replace(self, files=())


@dataclass(frozen=True, slots=True)
class ReleaseFiles(RenderedFiles):
    """A rendered release."""

    release_card: ReleaseCard


def render_release(
    texts: ReleaseTexts, manuals: Sequence[Manual], previous: Release | None,
    context: SiteContext, parallel: bool,
) -> ReleaseFiles:
    """Link the `manuals` of a release, render and prove them, and collect the links of the pages.

    `previous` is the release before it if the site has pages of changes.  If `parallel`, another
    process helps.  Raises `ThemeError` and `WorkerError`.
    """
    release = linked_release(texts, manuals, context.date)
    versions = context.versions.get(texts.product_name)
    check = LinkCheck(context.site.url)
    for folder in context.folders:
        check.add_release(folder)
    files = release_files(release, context.site, context.theme, versions, previous, parallel, check)
    manuals = [document.manual for document in release.documents]
    findings = (*check_stated_version(texts, manuals), *files.diagnostics)
    diagnostics, accepted = split_accepted(findings, manuals, texts.accepted)
    return replace(files, diagnostics=diagnostics, accepted=accepted)


def release_files(
    release: Release, site: SiteInfo, theme: Theme, versions: ProductVersions | None = None,
    previous: Release | None = None, parallel: bool = False, check: LinkCheck | None = None,
) -> ReleaseFiles:
    """All files of `release`, with their proofs.

    `versions` are the releases of its product; `previous` is the release before it if there is to
    be a page of changes.  `check` reads all files.  If `parallel`, another process makes the files
    that hold no pages, and one reads the links of pages.  Raises `ThemeError` and `WorkerError`.

    The home of a document states how many lines are kept, and the proof needs the pages.  So
    pages are rendered with the claim that no line is lost, and rendered again if the proof
    finds otherwise.
    """
    section_files = release_section_files(release)
    data_files = in_background(
        lambda: _data_files(release, section_files, site, theme, versions), parallel
    )
    addresses = release_addresses(release, section_files)
    pages = _render_pages(release, addresses, site, theme, versions)
    page_files = _without_marks(pages)
    check = check or LinkCheck()
    page_check = check.without_files()
    page_links = in_background(partial(_links, page_files, page_check), parallel)
    proofs = tuple(document_proofs(release, pages, partial(_document_of, release.folder)))
    if any(proof.losses for proof in proofs):
        pages = _render_pages(with_losses(release, proofs), addresses, site, theme, versions)
        page_files = _without_marks(pages)
        page_links = partial(_links, page_files, page_check)
    manuals = [document.manual for document in release.documents]
    diagnostics = all_findings(release.documents, proofs)
    home = home_page(release, site, versions)
    exported: list[SiteFile] = []
    if site.exports:
        from dconv.writers.downloads import release_downloads  # it imports docutils: few need it

        downloads = release_downloads(release, section_files, site, theme)
        home = replace(home, downloads=downloads.links)
        exported += downloads.files
        diagnostics += downloads.diagnostics
    sitemap_entries = [sitemap_entry(page) for page in (home, *(page for page, _ in pages))]
    home_file = (home.path, marks.without_marks(theme.render(home)))
    other_files: list[SiteFile] = []
    for document, proof in zip(release.documents, proofs, strict=True):
        record = proof_record(proof, document.origin.sha256 if document.origin else "")
        other_files.append((f"{release.folder}/{proof.document}/{PROOF}", indented_json(record)))
    other_files += [
        (f"{release.folder}/{path}", content)
        for path, content in image_files(release.documents)
    ]
    other_files += exported
    if previous and versions:
        comparison = release_comparison(previous, release, versions)
        page = changes_page(comparison, previous, release, site, versions)
        sitemap_entries.append(sitemap_entry(page))
        other_files.append((page.path, theme.render(page)))
        other_files += upgrade_step_file(comparison, release, previous)
    data, search_findings = data_files()
    other_files += data
    diagnostics += search_findings
    check.read(*home_file)
    check.add(page_links())
    for path, content in other_files:
        check.read(path, content)
    all_files = (home_file, *page_files, *other_files)
    return ReleaseFiles(
        proofs, tuple([(manual.name, count_references(manual)) for manual in manuals]),
        tuple(diagnostics), (), all_files, digests(all_files), check.links(),
        tuple(sitemap_entries), release_card(release),
    )


def digests(files: Iterable[SiteFile]) -> tuple[tuple[str, str], ...]:
    """The path and the SHA-256 of each of `files`."""
    return tuple([(path, sha256(content).hexdigest()) for path, content in files])


def _without_marks(pages: Iterable[tuple[Page, bytes]]) -> list[SiteFile]:
    """The paths and contents of rendered `pages`, without the marks of the proof."""
    return [(page.path, marks.without_marks(content)) for page, content in pages]


def _links(files: Iterable[SiteFile], check: LinkCheck) -> PageLinks:
    """The links of `files`, read by the empty `check`."""
    for path, content in files:
        check.read(path, content)
    return check.links()


def _data_files(
    release: Release, section_files: SectionFiles, site: SiteInfo, theme: Theme,
    versions: ProductVersions | None,
) -> tuple[list[SiteFile], tuple[Diagnostic, ...]]:
    """The files of `release` for other programs and for scripts, and what the search reports."""
    files = list(release_inventory(release, section_files))
    files += forwarding(release, section_files, theme.content("old-links.js"), versions)
    files += release_data_file(release, section_files, versions)
    files.append(previews_file(release, section_files, versions))
    if versions and len(versions.releases) > 1:
        files += entry_text_files(release, section_files)
    search = search_files(release, section_files, site.lunr, versions)
    return [*files, *search.files], search.diagnostics


def all_findings(documents: Iterable[ReleaseDocument], proofs: Iterable[Proof]) -> list[Diagnostic]:
    """The findings of reading `documents`, of linking them, and of their `proofs`."""
    documents = tuple(documents)
    manuals = [document.manual for document in documents]
    diagnostics = [finding for manual in manuals for finding in manual.diagnostics]
    diagnostics += [finding for manual in manuals for finding in reference_findings(manual)]
    diagnostics += [loss for proof in proofs for loss in proof.losses]
    for document in documents:
        names = {name for name, _ in document.images}
        diagnostics += missing_images(document.manual, names)
    return diagnostics


def proof_record(proof: Proof, sha256: str) -> dict[str, object]:
    """The `proof` of a document for JSON: how many lines are kept, and what was dropped.

    `sha256` is the digest of its source.
    """
    coverage = proof.coverage
    left_out = {"left_out": dict(proof.left_out)} if coverage.unit == "word" else {}
    return {
        "document": proof.document,
        "version": proof.version,
        "sha256": sha256,
        f"{coverage.unit}s": {"total": coverage.total, "accounted": coverage.accounted},
        "decoration": {
            kind: {"marks": len(lines), "lines": format_ranges(lines)}
            for kind, lines in proof.dropped
        },
        **left_out,
        "lost": format_ranges(proof.lost_lines),
        "losses": [{"line": loss.line, "message": loss.message} for loss in proof.losses],
    }


def _render_pages(
    release: Release, addresses: Addresses, site: SiteInfo, theme: Theme,
    versions: ProductVersions | None,
) -> list[tuple[Page, bytes]]:
    """The pages of the documents of `release` with the marks of the proof; raises `ThemeError`."""
    pages = pages_of_documents(release, addresses, site, versions)
    return [(page, theme.render(page)) for page in pages]


def _document_of(folder: str, page: Page) -> str:
    """The name of the document of `page`, whose release is in `folder`."""
    document, slash, _ = page.path.removeprefix(f"{folder}/").partition("/")
    return document if slash else document.removesuffix(".html")


def document_proofs(
    release: Release, pages: Iterable[tuple[Page, bytes]], document_of: Callable[[Page], str]
) -> Iterator[Proof]:
    """The proof of each document of `release`, from its rendered `pages` with their marks.

    `document_of` returns the name of the document of a page.
    """
    texts: dict[str, list[str]] = {}
    single_pages: dict[str, str] = {}
    for page, content in pages:
        if page.kind == "single-page":
            single_pages[document_of(page)] = marks.with_marks(content)
        elif page.kind in ("document", "manual", "section"):
            texts.setdefault(document_of(page), []).append(marks.with_marks(content))
    for document in release.documents:
        manual = document.manual
        page_texts = texts.get(manual.name, [])
        proof = verify(manual, release.version, page_texts)
        if manual.name in single_pages:
            proof = check_single_page(proof, manual.source, single_pages[manual.name], page_texts)
        yield proof


def with_losses(release: Release, proofs: Iterable[Proof]) -> Release:
    """`release` whose documents say how many lines their `proofs` found."""
    return replace(release, documents=tuple([
        replace(document, proof=str(proof.coverage))
        for document, proof in zip(release.documents, proofs, strict=True)
    ]))


# --- accepted findings ----------------------------------------------------------------


def split_accepted(
    findings: Iterable[Diagnostic], manuals: Iterable[Manual], accepted: Sequence[AcceptedFinding]
) -> tuple[tuple[Diagnostic, ...], tuple[AcceptedFinding, ...]]:
    """The `findings` that are not `accepted`, and what accepts each of the others.

    An accepted finding names no line, since lines move from release to release.
    """
    by_path = {manual.source.path: manual for manual in manuals}
    rest: list[Diagnostic] = []
    matched: list[AcceptedFinding] = []
    for finding in findings:
        manual = by_path.get(finding.path)
        matches = [item for item in accepted if manual and _accepts(item, finding, manual)]
        if matches:
            matched.append(matches[0])
        else:
            rest.append(finding)
    return tuple(rest), tuple(matched)


def _accepts(accepted: AcceptedFinding, finding: Diagnostic, manual: Manual) -> bool:
    """Whether rule and document are the same, and the finding's line has the accepted words."""
    if (accepted.document, accepted.rule) != (manual.name, finding.rule):
        return False
    source = manual.source
    if source.is_extracted:
        texts = [
            line.text for line in source.lines
            if source.file_line_number(line.number) == finding.line
        ]
    else:
        texts = [line.text for line in source.file_lines[finding.line - 1 : finding.line]]
    return one_line(accepted.text) in one_line(" ".join(texts))


# --- files of the whole site ----------------------------------------------------------


def site_files(
    site: SiteInfo, theme: Theme, products: Collection[ProductVersions],
    release_cards: Sequence[ReleaseCard], sitemap_entries: Iterable[tuple[str, str]],
    redirects: Iterable[tuple[str, str]], packages: Sequence[PackageRelease] = (),
    product_groups: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[SiteFile]:
    """The files that belong to no single release: home pages, theme, sitemap, redirects.

    `packages` are those of the shelf, and `product_groups` the groups of products among them, by
    their names.  `sitemap_entries` are those of all pages of releases, `redirects` pairs of an old
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
    home = site_home(site, release_cards)
    if packages:
        home = shelf_home(site, packages, release_cards, product_groups)
    feeds = dict(release_feeds(release_cards, products, site))
    homes = [
        home,
        *(
            replace(page, feed=FEED if f"{dirname(page.path)}/{FEED}" in feeds else "")
            for page in product_homes(site, release_cards)
        ),
    ]
    explanations = [*explain_pages(products, release_cards, site)]
    for page in (*homes, *explanations, missing_page(site, release_cards)):
        yield page.path, theme.render(page)
    yield from release_lists(release_cards)
    yield from feeds.items()
    yield from llms(site, homes[0].description, release_cards)
    yield from opensearch(site.title, homes[0].description, site.url)
    yield from theme.files()
    yield from sitemaps([*map(sitemap_entry, (*homes, *explanations)), *sitemap_entries], site.url)
    yield from redirect_files(redirects, urlsplit(site.url).path.rstrip("/"))
