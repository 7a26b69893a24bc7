"""The stages in order: from the bytes of texts to the files of a site, with the proof.

    ReleaseTexts ─read_texts→ Manual… ─linked_release→ Release ─release_files→ ReleaseFiles ─┐
                       └─ versions ──────────────────────────────┘         site_files ───┴→ files

Everything here is a function of its arguments; reading the world, writing and
printing are done by who calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from dconv import GENERATOR as GENERATOR
from dconv.acceptance import divide
from dconv.inventory import opensearch, release_lists, sitemaps
from dconv.linkcheck import EXTERNAL, LinkCheck, checked
from dconv.old_pages import moves
from dconv.pages import (
    Edition,
    Release,
    Shelf,
    latest_pages,
    missing_page,
    product_homes,
    site_home,
)
from dconv.reading import claim as claim
from dconv.reading import link_texts as link_texts
from dconv.reading import linked_beside as linked_beside
from dconv.reading import linked_release
from dconv.reading import published as published
from dconv.reading import read_manual as read_manual
from dconv.reading import read_release as read_release
from dconv.reading import read_text as read_text
from dconv.reading import read_texts as read_texts
from dconv.redirects import redirect_files
from dconv.rendering import ReleaseFiles as ReleaseFiles
from dconv.rendering import release_files as release_files
from dconv.rendering import rendered as rendered
from dconv.texts import ReleaseTexts as ReleaseTexts
from dconv.texts import SourceText as SourceText
from dconv.texts import ordered
from dconv.theme import Theme
from dconv.volumes import newest_day, other_release, site_versions


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
    ahead: Release | None = None  # the older release, which is rendered next
    for at, texts in enumerate(releases):
        before(f"{texts.name}: making pages")
        check.release(f"{texts.product_name}/{texts.version}")
        product = versions[texts.product_name]
        release = ahead or linked_release(texts, read[at], day)
        read[at] = []  # what is shown needs no memory any more
        ahead = None
        if edition.changes and product.before(product.volume(texts.version)):
            ahead = linked_release(releases[at + 1], read[at + 1], day)
        done = release_files(release, edition, theme, product, ahead)
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
