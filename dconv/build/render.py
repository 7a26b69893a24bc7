"""From a linked release to its files, proved."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias
from urllib.parse import urlsplit

from dconv.diff.page import changes_page
from dconv.model.diagnostics import Diagnostic
from dconv.model.references import ReferenceCounts, counts, findings
from dconv.model.tree import Manual
from dconv.proof.coverage import Proof, ranges, verify, whole_page
from dconv.settings import Acceptance
from dconv.writers.inventory import opensearch, release_inventory, release_lists, sitemaps
from dconv.writers.legacy.forwarding import forwarding
from dconv.writers.legacy.redirects import redirect_files
from dconv.writers.pages import (
    PROOF,
    Edition,
    Page,
    Release,
    Shelf,
    Versions,
    latest_pages,
    missing_page,
    product_homes,
    proof_pages,
    release_pages,
    release_sections,
    shelf,
    site_home,
)
from dconv.writers.search.files import Files, search_files
from dconv.writers.theme.theme import Theme

Show: TypeAlias = Callable[[Sequence[tuple[str, bytes]]], None]  # of paths with what they hold


@dataclass(frozen=True, slots=True)
class ReleaseFiles:
    """A release, rendered: its files (path below the site's root, bytes), its proofs.

    `references` counts those of each document by their outcomes.
    `addresses` are the public ones of the pages, for the sitemap; `accepted` has for
    each finding that is no news, and so not among `diagnostics`, what accepts it.
    """

    shelf: Shelf
    files: tuple[tuple[str, bytes], ...]
    proofs: tuple[Proof, ...]
    references: tuple[tuple[str, ReferenceCounts], ...]
    diagnostics: tuple[Diagnostic, ...]
    addresses: tuple[str, ...] = ()
    accepted: tuple[Acceptance, ...] = ()


def release_files(
    release: Release, edition: Edition, theme: Theme, versions: Versions | None = None,
    search: bool = True, older: Release | None = None, show: Show | None = None,
) -> ReleaseFiles:
    """All files of `release`, proved; `versions` are all of its product, where there are more.

    Without `search`, those of the search are not among them.  Where the release before it
    is given (`older`), one page tells what changed since.

    Pages carry the sentence of the proof, and the proof needs the pages: they
    are made with the claim that nothing is lost, and made again where that is
    not so.  It reads the same pages with marks.  `show` is given pages, some at a time,
    before they are proved.  Raises `ThemeError` where a template is wrong.
    """
    early = _Early(show)
    files = rendered(release, edition, theme, versions, early.take if show else None)
    early.flush()
    marked = [
        (page, theme.render(page).decode()) for page in proof_pages(release, edition, versions)
    ]
    proofs = tuple(_proofs(release, marked))
    del marked
    if any(proof.losses for proof in proofs):
        release = _honest(release, proofs)
        files = rendered(release, edition, theme, versions)
    manuals = [document.manual for document in release.documents]
    diagnostics = _diagnostics(manuals, proofs)
    written = [(page.path, content) for page, content in files]
    written += _beside(release, [page for page, _ in files], proofs, theme)
    if older and versions:
        changes = changes_page(older, release, edition, versions)
        files.append((changes, theme.render(changes)))
        written.append((changes.path, files[-1][1]))
    if search:
        found = _search(release, edition, versions)
        written += found.files
        diagnostics += found.diagnostics
    references = tuple((manual.name, counts(manual)) for manual in manuals)
    return ReleaseFiles(
        shelf(release), tuple(written), proofs, references, tuple(diagnostics),
        tuple(page.canonical for page, _ in files),
    )


def _beside(
    release: Release, pages: Sequence[Page], proofs: Iterable[Proof], theme: Theme
) -> Iterator[tuple[str, bytes]]:
    """The files that stand beside the `pages`: proofs, lists for programs, old addresses."""
    yield from (_proof_file(release, proof) for proof in proofs)
    yield from release_inventory(release, pages)
    yield from forwarding(release, pages, theme.content("old-links.js"))


def _diagnostics(manuals: Sequence[Manual], proofs: Iterable[Proof]) -> list[Diagnostic]:
    """What reading, linking and the proof found odd."""
    found = [finding for manual in manuals for finding in manual.diagnostics]
    found += [finding for manual in manuals for finding in findings(manual)]
    return found + [loss for proof in proofs for loss in proof.losses]


def search_part(release: Release, edition: Edition, versions: Versions | None) -> ReleaseFiles:
    """The files of the search of `release` alone."""
    found = _search(release, edition, versions)
    return ReleaseFiles(shelf(release), found.files, (), (), found.diagnostics)


def _search(release: Release, edition: Edition, versions: Versions | None) -> Files:
    return search_files(release, release_sections(release), edition.lunr, versions)


def _proof_file(release: Release, proof: Proof) -> tuple[str, bytes]:
    """The proof for readers who want to know what was dropped, beside the document's home."""
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


def rendered(
    release: Release, edition: Edition, theme: Theme, versions: Versions | None = None,
    take: Callable[[Page, bytes], None] | None = None,
) -> list[tuple[Page, bytes]]:
    """The pages of `release`; raises `ThemeError`.

    `take` is given each as it is done.
    """
    files: list[tuple[Page, bytes]] = []
    for page in release_pages(release, edition, versions):
        files.append((page, theme.render(page)))
        if take is not None:
            take(*files[-1])
    return files


@dataclass(slots=True)
class _Early:
    """Gives pages to `show` before they are proved: those of sections first, as written.

    Lists of names and the edition on one page, which come after them, take longer than all
    of them.
    """

    show: Show | None
    _waiting: list[tuple[str, bytes]] = field(default_factory=list)
    _last: str = ""

    def take(self, page: Page, content: bytes) -> None:
        """Note that `page` is done; show those of sections when the last of a document is."""
        if self._last == "section" != page.kind:
            self.flush()
        self._last = page.kind
        self._waiting.append((page.path, content))

    def flush(self) -> None:
        """Show what waits."""
        if self.show is not None and self._waiting:
            self.show(self._waiting)
        self._waiting = []


def _proofs(release: Release, marked: Iterable[tuple[Page, str]]) -> Iterator[Proof]:
    """The proof of each document, from its rendered pages with their marks."""
    folder = f"{release.product_name}/{release.version}/"
    texts: dict[str, list[str]] = {}
    wholes: dict[str, str] = {}
    for page, content in marked:
        name = page.path.removeprefix(folder).partition("/")[0]
        if page.kind == "whole":
            wholes[name.removesuffix(".html")] = content
        else:
            texts.setdefault(name, []).append(content)
    for document in release.documents:
        manual = document.manual
        pages = texts.get(manual.name, [])
        proof = verify(manual, release.version, pages)
        yield whole_page(proof, manual.source.path, wholes.get(manual.name, ""), pages)


def _honest(release: Release, proofs: Iterable[Proof]) -> Release:
    """`release` whose documents say what their proofs found."""
    said = {
        proof.document: f"{proof.total:,} lines in, {proof.accounted:,} accounted for"
        for proof in proofs
    }
    documents = tuple(
        replace(document, proof=said[document.manual.name]) for document in release.documents
    )
    return replace(release, documents=documents)


def other_files(
    edition: Edition,
    theme: Theme,
    products: Iterable[Versions],
    shelves: Sequence[Shelf],
    addresses: Iterable[str],
    redirected: Iterable[tuple[str, str]],
) -> Iterator[tuple[str, bytes]]:
    """The files that belong to no single release: also those that lead to the latest."""
    newest = {(one.product, one.latest.version) for one in products}
    marked = [
        replace(one, latest=(one.product_name, one.version) in newest) for one in shelves
    ]
    for product in products:
        if len(product.volumes) > 1 or edition.latest:
            for page in latest_pages(product, edition):
                yield page.path, theme.render(page)
    yield from site_files(edition, theme, marked, addresses, redirected)


def site_files(
    edition: Edition,
    theme: Theme,
    shelves: Sequence[Shelf],
    addresses: Iterable[str] = (),
    redirected: Iterable[tuple[str, str]] = (),
) -> Iterator[tuple[str, bytes]]:
    """The files that belong to no release: first pages, theme, sitemap, redirects.

    `addresses` are the public ones of all other pages, `redirected` old and new paths.
    """
    homes = [site_home(edition, shelves), *product_homes(edition, shelves)]
    for page in (*homes, missing_page(edition, shelves)):
        yield page.path, theme.render(page)
    yield from release_lists(shelves)
    yield from opensearch(edition.title, homes[0].description, edition.url)
    yield from theme.files()
    yield from sitemaps([*(home.canonical for home in homes), *addresses], edition.url)
    yield from redirect_files(redirected, urlsplit(edition.url).path.rstrip("/"))
