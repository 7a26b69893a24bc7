"""The pages above the documents: of a site, of a product, of a release."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import quote

from dconv.model.lifecycle import date_in
from dconv.model.tree import sections
from dconv.writers.pages.filenames import ALL_NAMES, ALL_NAMES_TITLE, EXPLAIN
from dconv.writers.pages.listings import DocumentCard, Link, ProductCard, ReleaseCard, by_product
from dconv.writers.pages.page import Page, Release, ReleaseDocument, SearchScope, SiteInfo

EXPLAIN_TITLE = "Explain a configuration or log line"


def release_card(release: Release) -> ReleaseCard:
    """What lists show of `release`, with links relative to the site's root."""
    folder = release.folder
    cards = tuple(_document_card(document, folder) for document in release.documents)
    return ReleaseCard(
        release.product_name, release.product_title, release.version, release.status,
        Link(release_name(release), f"{folder}/index.html"), cards, release.date, release.end,
        explains=explains(release),
    )


def site_home(site: SiteInfo, release_cards: Sequence[ReleaseCard]) -> Page:
    """The first page: every release in `release_cards`, newest first, with its documents."""
    products = product_cards(release_cards)
    names = ", ".join(product.title for product in products)
    return Page(
        kind="site", path="index.html", root="", title=site.title, heading=site.title,
        description=f"Documentation of {names}" if names else site.title, site=site,
        canonical=canonical_address(site, "index.html"), products=products,
        search=search_scope([product.latest for product in products]),
        explain=explain_links(release_cards, ""),
    )


def product_homes(site: SiteInfo, release_cards: Sequence[ReleaseCard]) -> Iterator[Page]:
    """The page of each product in `release_cards`: its releases with their documents."""
    for product in product_cards(release_cards):
        path = product.link.href
        releases = ", ".join(release_card.version for release_card in product.release_cards)
        folder = path.removesuffix("index.html")
        cards = tuple(with_links_from(card, folder) for card in product.release_cards)
        product_card = replace(product, release_cards=cards)
        yield Page(
            kind="product", path=path, root=root_of(path), title=f"{product.title}: all versions",
            heading=product.title, description=f"{product.title}, versions {releases}",
            site=site, product=product.title, breadcrumbs=(site_link(site, path),),
            canonical=canonical_address(site, path),
            products=(product_card,), search=search_scope([product_card.latest]),
            explain=explain_links(product.release_cards, root_of(path)),
        )


def product_cards(release_cards: Sequence[ReleaseCard], root: str = "") -> tuple[ProductCard, ...]:
    """The products of `release_cards`, each with its releases, newest first.

    `root` is the relative path to the site's root from the page that shows them.
    """
    return tuple(
        ProductCard(
            releases[0].product_title, tuple(releases),
            Link(releases[0].product_title, f"{root}{name}/index.html"),
        )
        for name, releases in by_product(release_cards).items()
    )


def with_links_from(release_card: ReleaseCard, folder: str) -> ReleaseCard:
    """`release_card` with links as seen from `folder`."""
    return with_addresses(release_card, lambda href: href.removeprefix(folder))


def with_addresses(release_card: ReleaseCard, new_address: Callable[[str], str]) -> ReleaseCard:
    """`release_card` with each address replaced by what `new_address` returns for it."""

    def replaced(link: Link) -> Link:
        return replace(link, href=new_address(link.href))

    cards = tuple(
        replace(card, link=replaced(card.link), index=replaced(card.index) if card.index else None)
        for card in release_card.cards
    )
    return replace(release_card, cards=cards, link=replaced(release_card.link))


def search_scope(release_cards: Sequence[ReleaseCard]) -> SearchScope | None:
    """The search of the releases in `release_cards`; its link points to names of the first."""
    cards = [card for release_card in release_cards for card in release_card.cards]
    if not cards:
        return None
    link = next((card.index for card in cards if card.index), cards[0].link)
    releases = [(f"{card.product_name}/{card.version}", card.link.title) for card in release_cards]
    return SearchScope(link.href, tuple(releases))


def _document_card(document: ReleaseDocument, folder: str) -> DocumentCard:
    manual = document.manual
    all_sections = list(sections(manual))
    index = Link(ALL_NAMES_TITLE, f"{folder}/{manual.name}/{ALL_NAMES}.html")
    return DocumentCard(
        manual.name, Link(document.title, f"{folder}/{manual.name}/index.html"),
        document.description, manual.header.version, len(all_sections),
        sum(len(section.entries) for section in all_sections),
        index if document.names else None, date_in(manual.header.date) or manual.header.date,
    )


def release_name(release: Release) -> str:
    """The name of `release` for readers: "HAProxy 3.4"."""
    return f"{release.product_title} {release.version}".strip()


def release_home(release: Release, site: SiteInfo) -> Page:
    """The page of `release` with the cards of its documents."""
    folder = f"{release.folder}/"
    name = release_name(release)
    path = f"{folder}index.html"
    titles = ", ".join(document.title for document in release.documents)
    card = with_links_from(release_card(release), folder)
    return Page(
        kind="release", path=path, root=root_of(path), title=name, heading=name,
        description=f"{name}: {titles}", site=site, product=release.product_title,
        version=release.version, breadcrumbs=(site_link(site, path),),
        canonical=canonical_address(site, path), release_card=card,
        search=search_scope([card]), explain=explain_link(release, "../"),
    )


def explains(release: Release) -> bool:
    """Whether `release` has data for the page that explains configurations."""
    return bool(release.dialect.syntax.sections)


def explain_link(release: Release, folder: str) -> tuple[Link, ...]:
    """The link to the page that explains configurations of `release`, or nothing.

    `folder` is the relative path to the folder of its product.
    """
    if not explains(release):
        return ()
    return (Link(EXPLAIN_TITLE, f"{folder}{EXPLAIN}?release={quote(release.version)}"),)


def explain_links(release_cards: Iterable[ReleaseCard], root: str) -> tuple[Link, ...]:
    """Links to the pages that explain configurations of the products of `release_cards`.

    `root` is the relative path to the site's root.
    """
    products = {card.product_name: card.product_title for card in release_cards if card.explains}
    return tuple([
        Link(
            f"{EXPLAIN_TITLE} of {title}" if len(products) > 1 else EXPLAIN_TITLE,
            f"{root}{name}/{EXPLAIN}",
        ) for name, title in products.items()
    ])


def site_link(site: SiteInfo, path: str) -> Link:
    """The link from the page at `path` to the home of `site`."""
    return Link(site.title, f"{root_of(path)}index.html")


def root_of(path: str) -> str:
    """The relative path from the page at `path` to the root of the site."""
    return "../" * path.count("/")


def sitemap_entry(page: Page) -> tuple[str, str]:
    """The canonical address of `page`, and the date of its text unless that is another page's."""
    is_own = page.canonical == canonical_address(page.site, page.path)
    return page.canonical, page.date if is_own else ""


def canonical_address(site: SiteInfo, path: str) -> str:
    """The public address of `path`, or nothing if the site has none."""
    return f"{site.url.rstrip('/')}/{path}" if site.url else ""
