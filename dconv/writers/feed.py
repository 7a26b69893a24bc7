"""An Atom feed of the releases of a product, newest first.

    haproxy/feed.atom   if the site has a public address

The dates are those of the releases, so the feed changes when they do.  A release whose day is not
known is not in it: an Atom entry needs one.

Format: RFC 4287.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote
from xml.sax.saxutils import escape

from dconv.writers.inventory import XML_DECLARATION
from dconv.writers.pages.listings import ReleaseCard

FEED = "feed.atom"  # beside the home of a product
ATOM = "http://www.w3.org/2005/Atom"
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def release_feeds(
    release_cards: Iterable[ReleaseCard], url: str, site_title: str
) -> Iterator[tuple[str, bytes]]:
    """The path and the content of the feed of each product; none if `url` is empty.

    `url` is the public address of the site, whose title is the author of products without one.
    """
    products: dict[str, list[ReleaseCard]] = {}
    for card in release_cards:
        if url and DAY.fullmatch(card.date):
            products.setdefault(card.product_name, []).append(card)
    for product, cards in products.items():
        home = f"{url.rstrip('/')}/{quote(product)}"
        title = cards[0].product_title or product
        entries = "".join([_entry(card, home, title) for card in cards])
        updated = max(card.date for card in cards)
        yield f"{product}/{FEED}", (
            f'{XML_DECLARATION}<feed xmlns="{ATOM}">\n'
            f"<title>{escape(f'{title}: releases of the documentation')}</title>\n"
            f"<id>{escape(home)}/{FEED}</id>\n"
            f'<link rel="self" type="application/atom+xml" href="{escape(home)}/{FEED}"/>\n'
            f'<link rel="alternate" type="text/html" href="{escape(home)}/index.html"/>\n'
            f"<updated>{updated}T00:00:00Z</updated>\n"
            f"<author><name>{escape(site_title or title)}</name></author>\n"
            f"{entries}</feed>\n"
        ).encode()


def _entry(card: ReleaseCard, home: str, title: str) -> str:
    """The entry of a release: which it is, where, since when, with which documents."""
    address = escape(f"{home}/{quote(card.version)}/index.html")
    documents = ", ".join(document.link.title for document in card.cards)
    return (
        f"<entry>\n<title>{escape(f'{title} {card.version}')}</title>\n"
        f'<id>{address}</id>\n<link rel="alternate" type="text/html" href="{address}"/>\n'
        f"<updated>{card.date}T00:00:00Z</updated>\n"
        f"<summary>{escape(documents)}</summary>\n</entry>\n"
    )
