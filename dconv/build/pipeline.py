"""The stages in order: from the bytes of texts to the files of a site, with the proof.

    ReleaseTexts ─Read→ Known… ─site_versions→ Versions ─┬─Make→ Made… ─ LinkCheck ─┬→ files
          └──────────────────────────────────────────────┘     site_files ──────────┘

What is `Read` and what is `Make` are tasks, done by this process or by others.
Everything here is a function of its arguments; reading the world, writing and
printing are done by who calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

from dconv import GENERATOR as GENERATOR
from dconv.build.cache_api import Forgetful, Memory
from dconv.build.jobs import Desk, Made
from dconv.build.read import link_texts as link_texts
from dconv.build.read import linked_beside as linked_beside
from dconv.build.read import read_manual as read_manual
from dconv.build.read import read_text as read_text
from dconv.build.read import read_texts as read_texts
from dconv.build.release import claim as claim
from dconv.build.release import published as published
from dconv.build.release import read_release as read_release
from dconv.build.render import ReleaseFiles as ReleaseFiles
from dconv.build.render import Show
from dconv.build.render import release_files as release_files
from dconv.build.render import rendered as rendered
from dconv.build.schedule import Assembly, folders
from dconv.build.workers import Workers
from dconv.proof.linkcheck import EXTERNAL, LinkCheck
from dconv.sources.texts import ReleaseTexts as ReleaseTexts
from dconv.sources.texts import SourceText as SourceText
from dconv.sources.texts import ordered
from dconv.writers.inventory import opensearch, release_lists, sitemaps
from dconv.writers.legacy.old_pages import moves
from dconv.writers.legacy.redirects import redirect_files
from dconv.writers.pages import (
    Edition,
    Shelf,
    Versions,
    latest_pages,
    missing_page,
    product_homes,
    site_home,
)
from dconv.writers.theme.theme import Theme


def whole_site(
    releases: Iterable[ReleaseTexts],
    edition: Edition,
    theme: Theme,
    before: Callable[[str], None],
    after: Callable[[ReleaseFiles], None],
    check: LinkCheck | None = None,
    workers: Workers[Desk] | None = None,
    memory: Memory | None = None, show: Show | None = None,
) -> Iterator[tuple[str, bytes]]:
    """All files of a site, those of a release together; `check` has read them at the end.

    All texts are read first, for every page leads to the same in other releases.  Each of
    `workers`, who have a theme, makes a release at a time, without them this process does;
    `memory` has what need not be made.  `before` is told each step, `after` each release
    with its proofs, in order; `show` pages that are not proved yet, where one has changed.
    Raises `ThemeError`, and `WorkerError`.
    """
    texts = ordered(releases)
    check = check or LinkCheck()
    workers = workers or Workers(1, partial(Desk, theme))
    shelves: list[Shelf] = []
    addresses: list[str] = []

    def done(made: Made) -> None:
        check.add(made.links)
        after(made.release)
        shelves.append(made.release.shelf)
        addresses.extend(made.release.addresses)

    for folder in folders(texts):
        check.release(folder)
    assembly = Assembly(texts, edition, workers, before, memory or Forgetful(), show)
    assembly.read()
    yield from assembly.files(done)
    products, redirected = assembly.versions.values(), moves(texts, assembly.day)
    for path, content in other_files(edition, theme, products, shelves, addresses, redirected):
        check.read(path, content)
        yield path, content
    yield EXTERNAL, check.listed()


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
