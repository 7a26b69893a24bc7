"""An Atom feed of the releases of a product, newest first, each with what it changes.

    haproxy/feed.atom   if the site has a public address

An entry is updated when a text of the release has a newer date.  A release without any date is not
in it: an Atom entry needs one.

Format: RFC 4287.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, urljoin

from dconv.writers.html.escape import attribute, text
from dconv.writers.inventory import XML_DECLARATION
from dconv.writers.pages.filenames import CHANGES
from dconv.writers.pages.listings import Change, ReleaseCard, by_product
from dconv.writers.pages.page import SiteInfo
from dconv.writers.pages.versions import ProductVersions, document_news
from dconv.writers.site_files import SiteFile

FEED = "feed.atom"  # beside the home of a product
ATOM = "http://www.w3.org/2005/Atom"
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def release_feeds(
    release_cards: Iterable[ReleaseCard], products: Iterable[ProductVersions], site: SiteInfo
) -> Iterator[SiteFile]:
    """The feed of each product; none if `site` has no address.

    `products` say what a release changes.
    """
    versions = {product.product: product for product in products}
    dated_cards = [card for card in release_cards if site.url and _updated(card)]
    for product, product_cards in by_product(dated_cards).items():
        home = f"{site.url.rstrip('/')}/{quote(product)}"
        title = product_cards[0].product_title or product
        entries = "".join([
            _entry(card, home, title, versions.get(product), site) for card in product_cards
        ])
        yield f"{product}/{FEED}", (
            f'{XML_DECLARATION}<feed xmlns="{ATOM}" xml:lang="{attribute(site.language)}">\n'
            f"<title>{text(f'{title}: releases of the documentation')}</title>\n"
            f"<id>{text(home)}/{FEED}</id>\n"
            f'<link rel="self" type="application/atom+xml" href="{attribute(home)}/{FEED}"/>\n'
            f'<link rel="alternate" type="text/html" href="{attribute(home)}/index.html"/>\n'
            f"<updated>{max(map(_updated, product_cards))}T00:00:00Z</updated>\n"
            f"<author><name>{text(site.title or title)}</name></author>\n"
            f"{entries}</feed>\n"
        ).encode()


def _updated(card: ReleaseCard) -> str:
    """The newest date of the release and of its texts, or empty."""
    dates = [card.date, *(document.date for document in card.cards)]
    return max(filter(DATE.fullmatch, dates), default="")


def _entry(
    card: ReleaseCard, home: str, title: str, versions: ProductVersions | None, site: SiteInfo
) -> str:
    """The entry of a release: which it is, where, since when, with which documents and changes."""
    folder = f"{home}/{quote(card.version)}"
    address = attribute(f"{folder}/index.html")
    documents = ", ".join(document.link.title for document in card.cards)
    published = ""
    if DATE.fullmatch(card.date):
        published = f"<published>{card.date}T00:00:00Z</published>\n"
    changes = "".join(_changes(card, folder, versions, site)) if versions else ""
    content = f'<content type="html">{text(changes)}</content>\n' if changes else ""
    return (
        f"<entry>\n<title>{text(f'{title} {card.version}')}</title>\n"
        f'<id>{address}</id>\n<link rel="alternate" type="text/html" href="{address}"/>\n'
        f"{published}<updated>{_updated(card)}T00:00:00Z</updated>\n"
        f"<summary>{text(documents)}</summary>\n{content}</entry>\n"
    )


def _changes(
    card: ReleaseCard, folder: str, versions: ProductVersions, site: SiteInfo
) -> Iterator[str]:
    """As HTML, the new, deprecated and removed names of each document of the release of `card`."""
    release = versions.release(card.version)
    for document in card.cards:
        news = document_news(document.name, release, versions)
        if news is None:
            continue
        base = f"{folder}/{quote(document.name)}/"
        yield f"<p>{text(document.link.title)}, compared with {text(news.version)}:</p>\n<ul>\n"
        yield _change_item("New", news.added, base)
        yield _change_item("Deprecated", news.deprecated, base)
        yield _change_item("Removed", news.removed, base)
        yield "</ul>\n"
    if site.changes and versions.previous(release):
        yield f'<p><a href="{attribute(f"{folder}/{CHANGES}")}">All changes</a></p>\n'


def _change_item(label: str, change: Change, base: str) -> str:
    """The first names of a `change` as an item of a list; their links are relative to `base`."""
    if not change.count:
        return ""
    links = ", ".join([
        f'<a href="{attribute(urljoin(base, link.href))}">{text(link.title)}</a>'
        for link in change.first
    ])
    rest = f" and {change.count - len(change.first):,} more"
    return f"<li>{label}: {links}{rest if change.count > len(change.first) else ''}</li>\n"
