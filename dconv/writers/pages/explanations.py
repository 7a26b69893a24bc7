"""The page of a product that explains configurations, upgrades and log lines.

It is empty until a reader pastes something.  Then the theme's explain-page.js fills it with data
of each release: the names that it knows (dconv/writers/explain), and what an upgrade to it changes
(dconv/diff/upgrade_step.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dconv.writers.pages import overview
from dconv.writers.pages.filenames import EXPLAIN
from dconv.writers.pages.listings import Link, ReleaseCard, by_product
from dconv.writers.pages.page import ExplainedRelease, Page, SiteInfo
from dconv.writers.pages.versions import ProductVersions


def explain_pages(
    products: Iterable[ProductVersions], release_cards: Sequence[ReleaseCard], site: SiteInfo
) -> Iterator[Page]:
    """The page of each of `products`, if one of its `release_cards` has such data."""
    cards = by_product(card for card in release_cards if card.explains)
    for product in products:
        if product.product in cards:
            yield _explain_page(product, cards[product.product], site)


def _explain_page(product: ProductVersions, cards: Sequence[ReleaseCard], site: SiteInfo) -> Page:
    path = f"{product.product}/{EXPLAIN}"
    root = overview.root_of(path)
    latest = next((card for card in cards if card.latest), cards[0])
    previous_releases = [
        product.previous(product.release(card.version)) if site.changes else None for card in cards
    ]
    return Page(
        kind="explain", path=path, root=root, title=f"{overview.EXPLAIN_TITLE} - {product.title}",
        heading=overview.EXPLAIN_TITLE, site=site, product=product.title,
        description=(
            f"Paste a configuration of {product.title}, or lines of its log: your browser explains"
            " them, and sends nothing"
        ),
        breadcrumbs=(Link(site.title, f"{root}index.html"), Link(product.title, "index.html")),
        canonical=overview.canonical_address(site, path), search=overview.search_scope([
            overview.with_links_from(latest, f"{product.product}/"),
        ]),
        explain=overview.explain_links(cards, root),
        explain_releases=tuple([
            ExplainedRelease(
                card.version, card.status, previous.version if previous else "", card is latest
            )
            for card, previous in zip(cards, previous_releases, strict=True)
        ]),
    )
