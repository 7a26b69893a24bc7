"""The pages above the documents: of a site, of a product, of a release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from dconv.model.lifecycle import day_in
from dconv.model.tree import sections
from dconv.writers.html import front
from dconv.writers.pages.filenames import ALL, ALL_TITLE
from dconv.writers.pages.listings import Card, Link, Range, Shelf
from dconv.writers.pages.page import Edition, Page, Release, ReleaseDocument, Search


def shelf(release: Release) -> Shelf:
    """What lists show of `release`, with links relative to the site's root."""
    folder = f"{release.product_name}/{release.version}"
    cards = tuple(_card(document, folder) for document in release.documents)
    name = release_name(release)
    return Shelf(
        release.product_name, release.product_title, release.version, release.status,
        Link(name, f"{folder}/index.html"), cards, release.date, release.end,
    )


def site_home(edition: Edition, shelves: Sequence[Shelf]) -> Page:
    """The first page: every release in `shelves`, newest first, with its documents."""
    products = product_ranges(shelves)
    names = ", ".join(product.title for product in products)
    return Page(
        kind="site", path="index.html", root="", title=edition.title, heading=edition.title,
        description=f"Documentation of {names}" if names else edition.title, edition=edition,
        canonical=canonical_address(edition, "index.html"), ranges=products,
        search=search([product.first for product in products]),
    )


def product_homes(edition: Edition, shelves: Sequence[Shelf]) -> Iterator[Page]:
    """The page of each product in `shelves`: its releases with their documents."""
    for product in product_ranges(shelves):
        path = product.link.href
        folder = path.removesuffix("index.html")
        releases = ", ".join(shelf.version for shelf in product.shelves)
        below = replace(
            product, shelves=tuple(_from_folder(shelf, folder) for shelf in product.shelves)
        )
        yield Page(
            kind="product", path=path, root=root_of(path), title=f"{product.title}: all versions",
            heading=product.title, description=f"{product.title}, versions {releases}",
            edition=edition, product=product.title,
            breadcrumbs=(Link(edition.title, f"{root_of(path)}index.html"),),
            canonical=canonical_address(edition, path),
            ranges=(below,), search=search([below.first]),
        )


def product_ranges(shelves: Sequence[Shelf], root: str = "") -> tuple[Range, ...]:
    """The products of `shelves`, each with its releases, newest first.

    `root` is the relative path to the site's root from the page that shows them.
    """
    products: dict[str, list[Shelf]] = {}
    for shelf in shelves:
        products.setdefault(shelf.product_name, []).append(shelf)
    return tuple(
        Range(
            releases[0].product_title, tuple(releases),
            Link(releases[0].product_title, f"{root}{name}/index.html"),
        )
        for name, releases in products.items()
    )


def _from_folder(shelf: Shelf, folder: str) -> Shelf:
    """`shelf` with links as seen from `folder`."""
    return _with_addresses(shelf, lambda href: href.removeprefix(folder))


def from_host_root(shelf: Shelf, root: str) -> Shelf:
    """`shelf` with links that begin at the root of the host, where the site is at `root`."""
    return _with_addresses(shelf, lambda href: f"{root}{href}")


def _with_addresses(shelf: Shelf, address: Callable[[str], str]) -> Shelf:
    """`shelf` with each address replaced by what `address` returns for it."""

    def replaced(link: Link) -> Link:
        return replace(link, href=address(link.href))

    cards = tuple(
        replace(
            card, link=replaced(card.link), index=replaced(card.index) if card.index else None
        )
        for card in shelf.cards
    )
    return replace(shelf, cards=cards, link=replaced(shelf.link))


def search(shelves: Sequence[Shelf]) -> Search | None:
    """The search of the releases in `shelves`; its link leads to names of the first."""
    cards = [card for shelf in shelves for card in shelf.cards]
    if not cards:
        return None
    link = next((card.index for card in cards if card.index), cards[0].link)
    releases = [(f"{shelf.product_name}/{shelf.version}", shelf.link.title) for shelf in shelves]
    return Search(link.href, tuple(releases))


def _card(document: ReleaseDocument, folder: str) -> Card:
    manual = document.manual
    all_sections = list(sections(manual))
    return Card(
        manual.name, Link(document.title, f"{folder}/{manual.name}/index.html"),
        document.description, manual.header.version, len(all_sections),
        sum(front.entry_count(section.body) for section in all_sections),
        Link(ALL_TITLE, f"{folder}/{manual.name}/{ALL}.html") if document.names else None,
        day_in(manual.header.date) or manual.header.date,
    )


def release_name(release: Release) -> str:
    """The name of `release` for readers: "HAProxy 3.4"."""
    return f"{release.product_title} {release.version}".strip()


def release_home(release: Release, edition: Edition) -> Page:
    """The page of `release` with the cards of its documents."""
    folder = f"{release.product_name}/{release.version}/"
    name = release_name(release)
    path = f"{folder}index.html"
    titles = ", ".join(document.title for document in release.documents)
    own = _from_folder(shelf(release), folder)
    return Page(
        kind="release", path=path, root=root_of(path), title=name, heading=name,
        description=f"{name}: {titles}", edition=edition, product=release.product_title,
        version=release.version, breadcrumbs=(Link(edition.title, f"{root_of(path)}index.html"),),
        canonical=canonical_address(edition, path), shelf=own,
        search=search([own]),
    )


def root_of(path: str) -> str:
    """The relative path from the page at `path` to the root of the site."""
    return "../" * path.count("/")


def canonical_address(edition: Edition, path: str) -> str:
    """The public address of `path`, or nothing where the site has none."""
    return f"{edition.url.rstrip('/')}/{path}" if edition.url else ""
