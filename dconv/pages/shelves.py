"""The pages above the manuals: all releases of a site, all documents of a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dconv.html import front
from dconv.pages.page import Card, Edition, Link, Page, Published, Range, Release, Shelf
from dconv.tree import sections


def shelf(release: Release) -> Shelf:
    """What lists show of `release`; links are relative to the site's root."""
    folder = f"{release.product_name}/{release.version}"
    cards = tuple(_card(document, folder) for document in release.documents)
    name = release_name(release)
    return Shelf(
        release.product_name, release.product_title, release.version, release.status,
        Link(name, f"{folder}/index.html"), cards,
    )


def site_home(edition: Edition, shelves: Sequence[Shelf]) -> Page:
    """The first page: every release in `shelves`, newest first, with its documents."""
    products: dict[str, list[Shelf]] = {}
    for one in shelves:
        products.setdefault(one.product_title, []).append(one)
    names = ", ".join(products)
    return Page(
        kind="site", path="index.html", root="", title=edition.title, heading=edition.title,
        description=f"Documentation of {names}" if names else edition.title, edition=edition,
        canonical=canonical_address(edition, "index.html"),
        ranges=tuple(Range(title, tuple(found)) for title, found in products.items()),
    )


def _card(document: Published, folder: str) -> Card:
    manual = document.manual
    every = list(sections(manual))
    return Card(
        Link(document.title, f"{folder}/{manual.name}/index.html"),
        document.description, manual.header.version, len(every),
        sum(front.entry_count(section.body) for section in every),
    )


def release_name(release: Release) -> str:
    """The name of `release` for readers: "HAProxy 3.4"."""
    return f"{release.product_title} {release.version}".strip()


def release_home(release: Release, edition: Edition) -> Page:
    """The page of `release` with the cards of its documents."""
    here = shelf(release)
    folder = f"{release.product_name}/{release.version}/"
    cards = tuple(
        replace(card, link=replace(card.link, href=card.link.href.removeprefix(folder)))
        for card in here.cards
    )
    name = release_name(release)
    path = f"{folder}index.html"
    titles = ", ".join(document.title for document in release.documents)
    return Page(
        kind="release", path=path, root=root_of(path), title=name, heading=name,
        description=f"{name}: {titles}", edition=edition, product=release.product_title,
        version=release.version, breadcrumbs=(Link(edition.title, f"{root_of(path)}index.html"),),
        canonical=canonical_address(edition, path), shelf=replace(here, cards=cards),
    )


def root_of(path: str) -> str:
    """The relative way from the page at `path` to the root of the site."""
    return "../" * path.count("/")


def canonical_address(edition: Edition, path: str) -> str:
    """The public address of `path`, or nothing where the site has none."""
    return f"{edition.url.rstrip('/')}/{path}" if edition.url else ""
