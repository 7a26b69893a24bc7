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
from dconv.model.pictures import picture_name
from dconv.model.references import ReferenceCounts, counts, findings, images, missing_pictures
from dconv.model.tree import Manual
from dconv.proof.coverage import Proof, check_single_page, ranges, verify
from dconv.proof.linkcheck import LinkCheck, PageLinks
from dconv.settings import AcceptedFinding
from dconv.sources.texts import ReleaseTexts
from dconv.writers.html import marks
from dconv.writers.inventory import opensearch, release_inventory, release_lists, sitemaps
from dconv.writers.legacy.forwarding import forwarding
from dconv.writers.legacy.redirects import redirect_files
from dconv.writers.pages.addresses import Addresses
from dconv.writers.pages.filenames import IMAGES, PROOF
from dconv.writers.pages.listings import ReleaseCard
from dconv.writers.pages.overview import product_homes, release_card, site_home
from dconv.writers.pages.page import Page, Release, SiteInfo
from dconv.writers.pages.special import latest_pages, missing_page
from dconv.writers.pages.split import (
    home_page,
    pages_of_documents,
    release_addresses,
    release_sections,
)
from dconv.writers.pages.versions import Versions
from dconv.writers.search.files import search_files
from dconv.writers.theme.theme import Theme


@dataclass(frozen=True, slots=True)
class SiteContext:
    """What the pages of all releases share.

    `versions` are the releases of each product by its name, `folders` those of all releases;
    `date` decides which releases are supported.
    """

    site: SiteInfo
    theme: Theme
    versions: Mapping[str, Versions]
    folders: tuple[str, ...]
    date: str


@dataclass(frozen=True, slots=True)
class ReleaseFiles:
    """A rendered release: its `files` (path below the site's root, content) and its `proofs`.

    `references` counts the references of each document by their outcomes.  `addresses` are the
    public addresses of the pages, for the sitemap.  `accepted` are the accepted
    findings that occurred; they are not among `diagnostics`.
    """

    release_card: ReleaseCard
    files: tuple[tuple[str, bytes], ...]
    proofs: tuple[Proof, ...]
    references: tuple[tuple[str, ReferenceCounts], ...]
    diagnostics: tuple[Diagnostic, ...]
    addresses: tuple[str, ...] = ()
    accepted: tuple[AcceptedFinding, ...] = ()


@dataclass(frozen=True, slots=True)
class RenderResult:
    """A rendered `release`, the `links` in its pages, and the SHA-256 `digests` of its files."""

    release: ReleaseFiles
    links: PageLinks
    digests: tuple[tuple[str, str], ...]

    def without_files(self) -> RenderResult:
        """The same without the content of the files."""
        return replace(self, release=replace(self.release, files=()))


@dataclass(frozen=True, slots=True)
class DocumentFiles:
    """Rendered documents of a release, all or some: their pages and proofs.

    `files` are pairs of a path below the site's root and a content, `addresses` the public ones
    of the pages; `links` are those of the pages where they were read already.
    """

    files: tuple[tuple[str, bytes], ...]
    proofs: tuple[Proof, ...]
    addresses: tuple[str, ...]
    links: PageLinks | None = None


def render_release(
    texts: ReleaseTexts, manuals: Sequence[Manual], older: Release | None, context: SiteContext
) -> RenderResult:
    """Link the `manuals` of a release, render and prove them, and collect the links of the pages.

    `older` is the release before it if the site has pages of changes.  Raises `ThemeError`.
    """
    release = linked_release(texts, manuals, context.date)
    versions = context.versions.get(texts.product_name)
    files = release_files(release, context.site, context.theme, versions, older)
    return _result(texts, release, files, (), context)


def render_documents(
    part: Release, addresses: Addresses, context: SiteContext
) -> DocumentFiles:
    """Render and prove the documents of `part`, which are some of a release.

    `addresses` are those of all its documents.  Raises `ThemeError`.
    """
    versions = context.versions.get(part.product_name)
    documents = document_files(part, addresses, context.site, context.theme, versions)
    check = _link_check(context)
    for path, content in documents.files:
        check.read(path, content)
    return replace(documents, links=check.links())


def complete_release(
    texts: ReleaseTexts, release: Release, section_files: Mapping[str, Sequence[str]],
    parts: Sequence[DocumentFiles], context: SiteContext,
) -> RenderResult:
    """The result of a release whose documents were rendered in `parts`.  Raises `ThemeError`."""
    versions = context.versions.get(texts.product_name)
    documents = DocumentFiles(
        tuple([file for part in parts for file in part.files]),
        tuple([proof for part in parts for proof in part.proofs]),
        tuple([address for part in parts for address in part.addresses]),
    )
    files = _with_own_files(
        release, section_files, documents, context.site, context.theme, versions, None
    )
    return _result(texts, release, files, [part.links for part in parts if part.links], context)


def _result(
    texts: ReleaseTexts, release: Release, files: ReleaseFiles, known: Sequence[PageLinks],
    context: SiteContext,
) -> RenderResult:
    """The `files` of a release with their links, of which some are `known`, and digests."""
    manuals = [document.manual for document in release.documents]
    findings = (*check_stated_version(texts, manuals), *files.diagnostics)
    diagnostics, accepted = _split_accepted(findings, manuals, texts.accepted)
    files = replace(files, diagnostics=diagnostics, accepted=accepted)
    check = _link_check(context)
    seen = {path for links in known for path, _ in links.targets}
    home, *others = [file for file in files.files if file[0] not in seen]
    check.read(*home)
    for links in known:
        check.add(links)
    for path, content in others:
        check.read(path, content)
    digests = [(path, sha256(content).hexdigest()) for path, content in files.files]
    return RenderResult(files, check.links(), tuple(digests))


def _link_check(context: SiteContext) -> LinkCheck:
    check = LinkCheck(context.site.url)
    for folder in context.folders:
        check.add_release(folder)
    return check


def release_files(
    release: Release, site: SiteInfo, theme: Theme, versions: Versions | None = None,
    older: Release | None = None,
) -> ReleaseFiles:
    """All files of `release`, with their proofs.

    `versions` are the releases of its product; `older` is the release before it if there is to
    be a page of changes.  Raises `ThemeError`.
    """
    section_files = release_sections(release)
    addresses = release_addresses(release, section_files)
    documents = document_files(release, addresses, site, theme, versions)
    return _with_own_files(release, section_files, documents, site, theme, versions, older)


def document_files(
    release: Release, addresses: Addresses, site: SiteInfo, theme: Theme,
    versions: Versions | None,
) -> DocumentFiles:
    """The files of the documents of `release`, all or some; `addresses` are those of all.

    The home of a document states how many lines are kept, and the proof needs the pages.  So
    pages are rendered with the claim that no line is lost, and rendered again if the proof
    finds otherwise.
    """
    files = _render_pages(release, addresses, site, theme, versions)
    proofs = tuple(_proofs(release, files))
    if any(proof.losses for proof in proofs):
        release = _with_losses(release, proofs)
        files = _render_pages(release, addresses, site, theme, versions)
    written = [(page.path, marks.without_marks(content)) for page, content in files]
    written += (_proof_file(release, proof) for proof in proofs)
    return DocumentFiles(tuple(written), proofs, tuple([page.canonical for page, _ in files]))


def _with_own_files(
    release: Release, section_files: Mapping[str, Sequence[str]], documents: DocumentFiles,
    site: SiteInfo, theme: Theme, versions: Versions | None, older: Release | None,
) -> ReleaseFiles:
    """The files of `documents`, which are all of `release`, and those of the release itself."""
    manuals = [document.manual for document in release.documents]
    diagnostics = _diagnostics(manuals, documents.proofs)
    for document in release.documents:
        shown = {name for name, _ in document.pictures}
        diagnostics += missing_pictures(document.manual, shown)
    home = home_page(release, site, versions)
    addresses = [home.canonical, *documents.addresses]
    written = [(home.path, marks.without_marks(theme.render(home))), *documents.files]
    written += _pictures(release)
    written += release_inventory(release, section_files)
    written += forwarding(release, section_files, theme.content("old-links.js"))
    if older and versions:
        changes = changes_page(older, release, site, versions)
        addresses.append(changes.canonical)
        written.append((changes.path, theme.render(changes)))
    search = search_files(release, section_files, site.lunr, versions)
    written += search.files
    diagnostics += search.diagnostics
    references = tuple((manual.name, counts(manual)) for manual in manuals)
    return ReleaseFiles(
        release_card(release), tuple(written), documents.proofs, references, tuple(diagnostics),
        tuple(addresses),
    )


def _diagnostics(manuals: Sequence[Manual], proofs: Iterable[Proof]) -> list[Diagnostic]:
    """The findings of reading, linking and the proof."""
    diagnostics = [finding for manual in manuals for finding in manual.diagnostics]
    diagnostics += [finding for manual in manuals for finding in findings(manual)]
    return diagnostics + [loss for proof in proofs for loss in proof.losses]


def _pictures(release: Release) -> Iterator[tuple[str, bytes]]:
    """The pictures that the documents of `release` show, each once, as they are."""
    for document in release.documents:
        folder = f"{release.product_name}/{release.version}/{document.manual.name}/{IMAGES}"
        named = {picture_name(image.file) for image in images(document.manual)}
        for name, content in document.pictures:
            if name in named:
                yield f"{folder}/{name}", content


def _proof_file(release: Release, proof: Proof) -> tuple[str, bytes]:
    """The proof of a document as JSON: how many lines are kept, and what was dropped."""
    origins = {document.manual.name: document.origin for document in release.documents}
    origin = origins.get(proof.document)
    coverage = proof.coverage
    left_out = {"left_out": dict(proof.left_out)} if coverage.unit == "word" else {}
    record = {
        "document": proof.document,
        "version": proof.version,
        "sha256": origin.sha256 if origin else "",
        f"{coverage.unit}s": {"total": coverage.total, "accounted": coverage.accounted},
        "decoration": {
            rule: {"marks": len(lines), "lines": ranges(lines)} for rule, lines in proof.dropped
        },
        **left_out,
        "lost": ranges(proof.lost),
        "losses": [{"line": loss.line, "message": loss.message} for loss in proof.losses],
    }
    path = f"{release.product_name}/{release.version}/{proof.document}/{PROOF}"
    return path, (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode()


def _render_pages(
    release: Release, addresses: Addresses, site: SiteInfo, theme: Theme,
    versions: Versions | None,
) -> list[tuple[Page, bytes]]:
    """The pages of the documents of `release` with the marks of the proof; raises `ThemeError`."""
    pages = pages_of_documents(release, addresses, site, versions)
    return [(page, theme.render(page)) for page in pages]


def _proofs(release: Release, files: Iterable[tuple[Page, bytes]]) -> Iterator[Proof]:
    """The proof of each document of `release`, from its rendered pages with their marks."""
    folder = f"{release.product_name}/{release.version}/"
    texts: dict[str, list[str]] = {}
    single_pages: dict[str, str] = {}
    for page, content in files:
        name = page.path.removeprefix(folder).partition("/")[0]
        if page.kind == "single-page":
            single_pages[name.removesuffix(".html")] = marks.with_marks(content)
        elif page.kind in ("manual", "section"):
            texts.setdefault(name, []).append(marks.with_marks(content))
    for document in release.documents:
        manual = document.manual
        pages = texts.get(manual.name, [])
        proof = verify(manual, release.version, pages)
        yield check_single_page(proof, manual.source, single_pages.get(manual.name, ""), pages)


def _with_losses(release: Release, proofs: Iterable[Proof]) -> Release:
    """`release` whose documents say how many lines the proofs found."""
    sentences = {proof.document: str(proof.coverage) for proof in proofs}
    documents = tuple(
        replace(document, proof=sentences[document.manual.name]) for document in release.documents
    )
    return replace(release, documents=documents)


# --- accepted findings ----------------------------------------------------------------


def _split_accepted(
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
    if source.is_copy:
        own = [line.text for line in source.lines if source.origin(line.number) == finding.line]
    else:
        own = [line.text for line in source.file_lines[finding.line - 1 : finding.line]]
    return _words(accepted.text) in _words(" ".join(own))


def _words(text: str) -> str:
    return " ".join(text.split())


# --- files of the whole site ----------------------------------------------------------


def site_files(
    site: SiteInfo,
    theme: Theme,
    products: Iterable[Versions],
    release_cards: Sequence[ReleaseCard],
    addresses: Iterable[str],
    redirects: Iterable[tuple[str, str]],
) -> Iterator[tuple[str, bytes]]:
    """The files that belong to no single release: home pages, theme, sitemap, redirects.

    `addresses` are the public addresses of all pages of releases, `redirects` pairs of an old
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
    yield from redirect_files(redirects, urlsplit(site.url).path.rstrip("/"))
