"""Old and new addresses of the documents of a site, for redirects from haproxy-dconv's pages.

The old address of a release that the site does not have points to the nearest newer release of the
site, or else to the latest one, rather than nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dconv.model.lifecycle import DEVELOPMENT, newest_first
from dconv.settings import Product
from dconv.sources.texts import ReleaseTexts


def moves(releases: Sequence[ReleaseTexts], day: str) -> Iterator[tuple[str, str]]:
    """Old and new addresses of the documents of `releases`, the newest of a product first.

    An old address points to the first of its new ones.
    """
    products = {
        (texts.product_name, text.product.name): text.product
        for texts in releases for text in texts.texts
    }
    for (name, _), product in products.items():
        shown = [texts for texts in releases if texts.product_name == name]
        for texts in shown:
            yield from _moved(texts, product, _old_versions(texts, product, day))
        for version in _missing_versions(shown, product, day):
            for texts in _replacements(version, shown, day):
                yield from _moved(texts, product, [version])


def _moved(
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


def _old_versions(texts: ReleaseTexts, product: Product, day: str) -> list[str]:
    """The names of the version of `texts` in old addresses."""
    word = product.old_links.development
    return [texts.version, *([word] if word and _is_development(texts, day) else [])]


def _is_development(texts: ReleaseTexts, day: str) -> bool:
    return texts.lifetime(day).status == DEVELOPMENT


def _missing_versions(
    shown: Sequence[ReleaseTexts], product: Product, day: str
) -> Iterator[str]:
    """The names in old addresses of releases that are not `shown`."""
    versions = {texts.version for texts in shown}
    yield from (
        release.version for release in product.releases if release.version not in versions
    )
    word = product.old_links.development
    if word and not any(_is_development(texts, day) for texts in shown):
        yield word


def _replacements(version: str, shown: Sequence[ReleaseTexts], day: str) -> list[ReleaseTexts]:
    """The releases to read instead of `version`, the best first.

    First come newer ones of those `shown`, the nearest first, then the others, the newest
    first.  A development version comes only if there is no other.
    """
    releases = [texts for texts in shown if not _is_development(texts, day)] or list(shown)
    numbered = [texts for texts in releases if texts.version[:1].isdigit()]
    if not version[:1].isdigit() or not numbered:
        return releases
    order = newest_first([version, *(texts.version for texts in numbered)])
    at = order.index(0)
    ranked = [*reversed(order[:at]), *order[at + 1 :]]
    return [numbered[place - 1] for place in ranked]
