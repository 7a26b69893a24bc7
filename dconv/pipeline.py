"""The stages in order: from the bytes of texts to the files of a site, with the proof.

    ReleaseTexts ─read_texts→ Manual… ─linked_release→ Release ─release_files→ ReleaseFiles ─┐
                       └─ versions ──────────────────────────────┘         site_files ───┴→ files

Everything here is a function of its arguments; reading the world, writing and
printing are done by who calls.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from dconv import __version__, lines
from dconv.acceptance import divide
from dconv.backlinks import with_backlinks
from dconv.diagnostics import Diagnostic
from dconv.facts import joined
from dconv.forwarding import forwarding
from dconv.inventory import opensearch, release_inventory, release_lists, sitemaps
from dconv.link import link
from dconv.linkcheck import EXTERNAL, LinkCheck, checked
from dconv.nest import nest
from dconv.old_pages import moves
from dconv.pages import (
    PROOF,
    Edition,
    Page,
    Published,
    Release,
    Shelf,
    Versions,
    latest_pages,
    missing_page,
    product_homes,
    release_pages,
    shelf,
    site_home,
)
from dconv.redirects import redirect_files
from dconv.references import findings, told
from dconv.scan import scan
from dconv.search import check
from dconv.search.files import search_files
from dconv.settings import Acceptance, Product
from dconv.symbols import Symbols, collect
from dconv.texts import ReleaseTexts as ReleaseTexts
from dconv.texts import SourceText as SourceText
from dconv.texts import newest_day, ordered, other_release, site_versions
from dconv.theme import Theme
from dconv.tree import Manual
from dconv.verify import Proof, ranges, unmarked, verify, whole_page
from dconv.vocabulary import Vocabulary

GENERATOR = f"dconv {__version__}"
# the rules of findings that fail every build
LOST_TEXT = "lost-text"
UNFOUND = check.RULE


@dataclass(frozen=True, slots=True)
class ReleaseFiles:
    """A release, rendered: its files (path below the site's root, bytes), its proofs.

    `references` tells for each document (with its release) what became of them.
    `addresses` are the public ones of the pages, for the sitemap; `accepted` has for
    each finding that is no news, and so not among `diagnostics`, what accepts it.
    """

    shelf: Shelf
    files: tuple[tuple[str, bytes], ...]
    proofs: tuple[Proof, ...]
    references: tuple[tuple[str, str], ...]
    diagnostics: tuple[Diagnostic, ...]
    addresses: tuple[str, ...] = ()
    accepted: tuple[Acceptance, ...] = ()


def read_manual(content: bytes, path: str, product: Product, name: str) -> Manual:
    """The text `content` as a tree: the document `name` in the dialect of `product`.

    `path` is the file's name for findings.  Never raises: what is odd in the
    text is told in the manual's diagnostics.
    """
    source = lines.read(content, path)
    return nest(scan(source), source, product.dialect, name)


def read_text(text: SourceText) -> Manual:
    """The tree of `text`."""
    return read_manual(text.content, text.path, text.product, text.setting.name)


def link_texts(texts: Sequence[SourceText], manuals: Sequence[Manual]) -> list[Manual]:
    """`manuals`, read from `texts`, one release's documents, linked forth and back."""
    linked: list[Manual] = []
    tables: dict[str, Symbols] = {}
    for text, manual in zip(texts, manuals, strict=True):
        product = text.product
        if product.name not in tables:
            files = [
                (other, its.setting.file)
                for its, other in zip(texts, manuals, strict=True)
                if its.product.name == product.name
            ]
            tables[product.name] = collect(files, product.dialect)
        linked.append(joined(link(manual, tables[product.name], product.dialect)))
    return with_backlinks(linked)


def published(text: SourceText, manual: Manual) -> Published:
    """`manual` with what its setting, its own header and its origin say about it."""
    header = manual.header
    title = text.setting.title or header.subtitle or header.title or text.setting.name
    old_anchors = text.setting.name in text.product.old_links.documents
    return Published(
        manual, title, text.setting.description, text.origin, claim(manual), old_anchors,
        text.product.report,
    )


def claim(manual: Manual) -> str:
    """What pages say of `manual` as long as the proof does not say otherwise."""
    total = len(manual.source.lines)
    return f"{total:,} lines in, {total:,} accounted for"


def release_files(
    release: Release, edition: Edition, theme: Theme, versions: Versions | None = None
) -> ReleaseFiles:
    """All files of `release`, proved; `versions` are all of its product, where there are more.

    Pages carry the sentence of the proof, and the proof needs the pages: they
    are made with the claim that nothing is lost, and made again where that is
    not so; its marks do not stay in them.  Raises `ThemeError` where a template is wrong.
    """
    files = rendered(release, edition, theme, versions)
    proofs = tuple(_proofs(release, files))
    if any(proof.losses for proof in proofs):
        release = _honest(release, proofs)
        files = rendered(release, edition, theme, versions)
    diagnostics = [
        finding for document in release.documents for finding in document.manual.diagnostics
    ]
    diagnostics += [
        finding for document in release.documents for finding in findings(document.manual)
    ]
    diagnostics += [loss for proof in proofs for loss in proof.losses]
    written = [(page.path, unmarked(content.decode()).encode()) for page, content in files]
    written += [_proof_file(release, proof) for proof in proofs]
    written += release_inventory(release, [page for page, _ in files])
    written += forwarding(release, [page for page, _ in files], theme.content("old-links.js"))
    search = search_files(release, [page for page, _ in files], edition.lunr)
    written += search.files
    diagnostics += search.diagnostics
    references = tuple(
        (f"{document.manual.name} {release.version}".strip(), told(document.manual))
        for document in release.documents
    )
    return ReleaseFiles(
        shelf(release), tuple(written), proofs, references, tuple(diagnostics),
        tuple(page.canonical for page, _ in files),
    )


def _proof_file(release: Release, proof: Proof) -> tuple[str, bytes]:
    """The proof for readers who want to know what was dropped, beside the document's home."""
    record = {
        "document": proof.document,
        "version": proof.version,
        "lines": {"total": proof.total, "accounted": proof.accounted},
        "decoration": {
            rule: {"marks": len(lines), "lines": ranges(lines)} for rule, lines in proof.dropped
        },
        "lost": ranges(proof.lost),
        "losses": [{"line": loss.line, "message": loss.message} for loss in proof.losses],
    }
    path = f"{release.product_name}/{release.version}/{proof.document}/{PROOF}"
    return path, (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode()


def read_release(texts: ReleaseTexts, before: Callable[[str], None]) -> Release:
    """The texts of a release, parsed and linked; `before` is told what is read next."""
    return linked_release(texts, read_texts(texts, before), "")


def read_texts(texts: ReleaseTexts, before: Callable[[str], None]) -> list[Manual]:
    """The trees of the texts of a release, not yet linked; `before` is told what is next."""
    manuals: list[Manual] = []
    for text in texts.texts:
        before(f"{texts.name}: reading {text.setting.name}")
        manuals.append(read_text(text))
    return manuals


def linked_release(texts: ReleaseTexts, manuals: Sequence[Manual], day: str) -> Release:
    """`manuals`, read from `texts`, as a release with what is known of it on the `day`."""
    linked = link_texts(texts.texts, manuals)
    documents = [
        published(text, manual) for text, manual in zip(texts.texts, linked, strict=True)
    ]
    life = texts.lifetime(day)
    vocabulary = texts.texts[0].product.vocabulary if texts.texts else Vocabulary()
    return Release(
        texts.product_name, texts.product_title, texts.version, tuple(documents), life.status,
        life.date, life.end, vocabulary,
    )


def whole_site(
    releases: Iterable[ReleaseTexts],
    edition: Edition,
    theme: Theme,
    before: Callable[[str], None],
    after: Callable[[ReleaseFiles], None],
    check: LinkCheck | None = None,
) -> Iterator[tuple[str, bytes]]:
    """All files of a site, one release after the other; `check` reads them in passing.

    All texts are read first, for every page leads to the same in other releases;
    linked and rendered they are one by one, since that takes the memory.  `before` is
    told each step, `after` is given each release with its proofs.  Raises `ThemeError`.
    """
    check = check or LinkCheck()
    yield from checked(_site(ordered(releases), edition, theme, before, after, check), check)
    yield EXTERNAL, check.listed()


def _site(
    releases: Sequence[ReleaseTexts],
    edition: Edition,
    theme: Theme,
    before: Callable[[str], None],
    after: Callable[[ReleaseFiles], None],
    check: LinkCheck,
) -> Iterator[tuple[str, bytes]]:
    read = [read_texts(texts, before) for texts in releases]
    day = edition.day or newest_day(read)
    versions = site_versions(releases, read, day)
    shelves: list[Shelf] = []
    addresses: list[str] = []
    redirected = tuple(moves(releases, day))
    for at, texts in enumerate(releases):
        before(f"{texts.name}: making pages")
        check.release(f"{texts.product_name}/{texts.version}")
        product = versions[texts.product_name]
        release = linked_release(texts, read[at], day)
        read[at] = []  # what is shown needs no memory any more
        done = release_files(release, edition, theme, product)
        manuals = [document.manual for document in release.documents]
        found = (*other_release(texts, manuals), *done.diagnostics)
        left, accepted = divide(found, manuals, texts.accepted)
        done = replace(done, diagnostics=left, accepted=accepted)
        del release, manuals
        after(done)
        latest = texts.version == product.latest.version
        shelves.append(replace(done.shelf, latest=latest))
        addresses += done.addresses
        yield from done.files
    for product in versions.values():
        if len(product.volumes) > 1 or edition.latest:
            for page in latest_pages(product, edition):
                yield page.path, theme.render(page)
    yield from site_files(edition, theme, shelves, addresses, redirected)


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


def failed(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether one of `diagnostics` says that text is lost, or that a name is not found."""
    return any(finding.rule in (LOST_TEXT, UNFOUND) for finding in diagnostics)


def rendered(
    release: Release, edition: Edition, theme: Theme, versions: Versions | None = None
) -> list[tuple[Page, bytes]]:
    """The pages of `release` with the marks of the proof; raises `ThemeError`."""
    return [(page, theme.render(page)) for page in release_pages(release, edition, versions)]


def _proofs(release: Release, files: Sequence[tuple[Page, bytes]]) -> Iterator[Proof]:
    """The proof of each document, from its rendered files."""
    folder = f"{release.product_name}/{release.version}/"
    texts: dict[str, list[str]] = {}
    wholes: dict[str, str] = {}
    for page, content in files:
        name = page.path.removeprefix(folder).partition("/")[0]
        if page.kind == "whole":
            wholes[name.removesuffix(".html")] = content.decode()
        elif page.kind not in ("release", "index"):
            texts.setdefault(name, []).append(content.decode())
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
