"""The pages above the manuals: all releases of a site, all documents of a release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from dconv.model.lifecycle import day_in
from dconv.model.tree import sections
from dconv.writers.html import front
from dconv.writers.pages.filenames import ALL, ALL_TITLE
from dconv.writers.pages.page import (
    Card,
    Edition,
    Link,
    Page,
    Published,
    Range,
    Release,
    Search,
    Shelf,
)


def shelf(release: Release) -> Shelf:
    """What lists show of `release`; links are relative to the site's root."""
    folder = f"{release.product_name}/{release.version}"
    cards = tuple(_card(document, folder) for document in release.documents)
    name = release_name(release)
    return Shelf(
        release.product_name, release.product_title, release.version, release.status,
        Link(name, f"{folder}/index.html"), cards, release.date, release.end,
    )


def site_home(edition: Edition, shelves: Sequence[Shelf]) -> Page:
    """The first page: every release in `shelves`, newest first, with its documents."""
    found = ranges(shelves)
    names = ", ".join(one.title for one in found)
    return Page(
        kind="site", path="index.html", root="", title=edition.title, heading=edition.title,
        description=f"Documentation of {names}" if names else edition.title, edition=edition,
        canonical=canonical_address(edition, "index.html"), ranges=found,
        search=search([one.first for one in found]),
    )


def product_homes(edition: Edition, shelves: Sequence[Shelf]) -> Iterator[Page]:
    """The page of each product in `shelves`: its releases with their documents."""
    for found in ranges(shelves):
        path = found.link.href
        folder = path.removesuffix("index.html")
        releases = ", ".join(shelf.version for shelf in found.shelves)
        below = replace(found, shelves=tuple(_below(one, folder) for one in found.shelves))
        yield Page(
            kind="product", path=path, root=root_of(path), title=f"{found.title}: all versions",
            heading=found.title, description=f"{found.title}, versions {releases}",
            edition=edition, product=found.title,
            breadcrumbs=(Link(edition.title, f"{root_of(path)}index.html"),),
            canonical=canonical_address(edition, path),
            ranges=(below,), search=search([below.first]),
        )


def ranges(shelves: Sequence[Shelf], root: str = "") -> tuple[Range, ...]:
    """The products of `shelves`, each with its releases, newest first.

    `root` is the way to the site's root from the page that shows them.
    """
    products: dict[str, list[Shelf]] = {}
    for one in shelves:
        products.setdefault(one.product_name, []).append(one)
    return tuple(
        Range(
            found[0].product_title, tuple(found),
            Link(found[0].product_title, f"{root}{found[0].product_name}/index.html"),
        )
        for found in products.values()
    )


def _below(shelf: Shelf, folder: str) -> Shelf:
    """`shelf` with links as seen from `folder`."""
    return _led(shelf, lambda href: href.removeprefix(folder))


def under(shelf: Shelf, root: str) -> Shelf:
    """`shelf` with links that begin at the host's root, where the site's is at `root`."""
    return _led(shelf, lambda href: f"{root}{href}")


def _led(shelf: Shelf, address: Callable[[str], str]) -> Shelf:
    """`shelf` with the links that `address` makes of its own."""

    def led(link: Link) -> Link:
        return replace(link, href=address(link.href))

    cards = tuple(
        replace(card, link=led(card.link), index=led(card.index) if card.index else None)
        for card in shelf.cards
    )
    return replace(shelf, cards=cards, link=led(shelf.link))


def search(shelves: Sequence[Shelf]) -> Search | None:
    """The search of the releases in `shelves`; its link leads to names of the first."""
    cards = [card for shelf in shelves for card in shelf.cards]
    if not cards:
        return None
    link = next((card.index for card in cards if card.index), cards[0].link)
    releases = [(f"{one.product_name}/{one.version}", one.link.title) for one in shelves]
    return Search(link.href, tuple(releases))


def _card(document: Published, folder: str) -> Card:
    manual = document.manual
    every = list(sections(manual))
    return Card(
        manual.name, Link(document.title, f"{folder}/{manual.name}/index.html"),
        document.description, manual.header.version, len(every),
        sum(front.entry_count(section.body) for section in every),
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
    own = _below(shelf(release), folder)
    return Page(
        kind="release", path=path, root=root_of(path), title=name, heading=name,
        description=f"{name}: {titles}", edition=edition, product=release.product_title,
        version=release.version, breadcrumbs=(Link(edition.title, f"{root_of(path)}index.html"),),
        canonical=canonical_address(edition, path), shelf=own,
        search=search([own]),
    )


def root_of(path: str) -> str:
    """The relative way from the page at `path` to the root of the site."""
    return "../" * path.count("/")


def canonical_address(edition: Edition, path: str) -> str:
    """The public address of `path`, or nothing where the site has none."""
    return f"{edition.url.rstrip('/')}/{path}" if edition.url else ""
