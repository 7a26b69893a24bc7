"""The pages of addresses that outlive a release, and of addresses that do not exist.

`haproxy/latest/…` redirects to the latest release, by small pages: static servers need no rules
for them, and unlike symbolic links they survive on all hosts and in archives.  An address that only
older releases have redirects to its counterpart.

A server shows the page `404.html` at any depth below the site's root, so its addresses begin at
the root of the host: with the path of the site's public address, or with `/` where it has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from dconv.model.lifecycle import LATEST
from dconv.proof.linkcheck import MISSING_PAGE
from dconv.writers.pages import overview
from dconv.writers.pages.filenames import CHANGES
from dconv.writers.pages.listings import Link, ReleaseCard
from dconv.writers.pages.page import Page, SearchScope, SiteInfo
from dconv.writers.pages.shelf import ALL_PACKAGE_NAMES_FILE
from dconv.writers.pages.versions import ProductVersions, counterpart


def latest_pages(versions: ProductVersions, site: SiteInfo) -> Iterator[Page]:
    """The pages below `latest/` of a product, one for each page of any of its releases.

    None if a release itself has that name.
    """
    if any(release.version.casefold() == LATEST for release in versions.releases):
        return
    newest = versions.latest
    written: set[str] = set()
    for release in (newest, *versions.releases):
        paths = ["index.html"]
        if site.changes and versions.previous(release):
            paths.append(CHANGES)
        for pages in release.documents.values():
            paths += pages.paths()
        for path in paths:
            if path.casefold() not in written:
                written.add(path.casefold())
                target = counterpart(path, release, newest, versions).href
                yield _latest_page(versions, site, path, target)


def _latest_page(versions: ProductVersions, site: SiteInfo, path: str, target: str) -> Page:
    """The page that leads from `latest`/`path` to `target`, below the product's folder."""
    page_path = f"{versions.product}/{LATEST}/{path}"
    address = f"{versions.product}/{target}"
    href = f"../{'../' * path.count('/')}{target}"
    name = f"{versions.title} {versions.latest.version}"
    return Page(
        kind="latest", path=page_path, root=overview.root_of(page_path), title=name, heading=name,
        description=f"The latest release is {versions.latest.version}", site=site,
        product=versions.title, version=versions.latest.version, next=Link(name, href),
        canonical=overview.canonical_address(site, address) or href,
    )


def missing_page(site: SiteInfo, release_cards: Sequence[ReleaseCard]) -> Page:
    """The page for addresses that do not exist; it links to the latest of `release_cards`."""
    root = f"{urlsplit(site.url).path.rstrip('/')}/"
    cards = [overview.with_addresses(card, lambda href: f"{root}{href}") for card in release_cards]
    products = overview.product_cards(cards, root)
    heading = "There is no such page"
    return Page(
        kind="missing", path=MISSING_PAGE, root=root, title=f"{heading} - {site.title}",
        heading=heading, description=heading, site=site, products=products,
        explain=overview.explain_links(release_cards, root),
        search=(
            SearchScope(f"{root}{ALL_PACKAGE_NAMES_FILE}", site.shelf_search) if site.shelf_search
            else overview.search_scope([product.latest for product in products])
        ),
    )
