"""Old and new addresses of the documents of a site, for redirects from haproxy-dconv's pages.

The old address of a release that the site does not have points to the nearest newer release of the
site, or else to the latest one, rather than nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dconv.model.lifecycle import DEVELOPMENT, newest_first
from dconv.settings.types import Product
from dconv.sources.texts import ReleaseTexts


def redirects(releases: Sequence[ReleaseTexts], date: str) -> Iterator[tuple[str, str]]:
    """Old and new addresses of the documents of `releases`, the newest of a product first.

    An old address points to the first of its new ones.
    """
    products = {
        (texts.product_name, text.product.name): text.product
        for texts in releases for text in texts.texts
    }
    for (name, _), product in products.items():
        published = [texts for texts in releases if texts.product_name == name]
        for texts in published:
            yield from _redirects_of(texts, product, _old_versions(texts, product, date))
        for version in _missing_versions(published, product, date):
            for texts in _replacements(version, published, date):
                yield from _redirects_of(texts, product, [version])


def _redirects_of(
    texts: ReleaseTexts, product: Product, versions: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """The addresses that the documents of `texts` had as those of `versions`."""
    documents = [
        text.setting.name for text in texts.texts
        if text.product.name == product.name and text.setting.name in product.old_links.documents
    ]
    for address in product.old_links.addresses:
        for version in versions:
            for document in documents:
                old = address.replace("{version}", version).replace("{document}", document)
                yield old, f"/{texts.product_name}/{texts.version}/{document}.html"


def _old_versions(texts: ReleaseTexts, product: Product, date: str) -> list[str]:
    """The names of the version of `texts` in old addresses."""
    development_name = product.old_links.development
    if development_name and _is_development(texts, date):
        return [texts.version, development_name]
    return [texts.version]


def _is_development(texts: ReleaseTexts, date: str) -> bool:
    return texts.lifetime(date).status == DEVELOPMENT


def _missing_versions(
    published: Sequence[ReleaseTexts], product: Product, date: str
) -> Iterator[str]:
    """The names in old addresses of releases that are not `published`."""
    versions = {texts.version for texts in published}
    yield from (
        release.version for release in product.releases if release.version not in versions
    )
    development_name = product.old_links.development
    if development_name and not any(_is_development(texts, date) for texts in published):
        yield development_name


def _replacements(version: str, published: Sequence[ReleaseTexts], date: str) -> list[ReleaseTexts]:
    """The releases to read instead of `version`, the best first.

    First come newer ones of those `published`, the nearest first, then the others, the newest
    first.  A development version comes only if there is no other.
    """
    releases = [texts for texts in published if not _is_development(texts, date)] or list(published)
    numbered = [texts for texts in releases if texts.version[:1].isdigit()]
    if not version[:1].isdigit() or not numbered:
        return releases
    order = newest_first([version, *(texts.version for texts in numbered)])
    at = order.index(0)
    ranked = [*reversed(order[:at]), *order[at + 1 :]]
    return [numbered[place - 1] for place in ranked]
