"""Where haproxy-dconv had the documents of a site, and where they are now.

A release that the product's table knows, but the site does not show, is the nearest
newer one that it shows, or else the latest: an old link to it reaches a page that says
what changed, rather than none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dconv.model.lifecycle import DEVELOPMENT, newest_first
from dconv.settings import Product
from dconv.sources.texts import ReleaseTexts
from dconv.writers.legacy.redirects import moved


def moves(releases: Sequence[ReleaseTexts], day: str) -> Iterator[tuple[str, str]]:
    """Old and new addresses of the documents of `releases`, the newest of a product first.

    Of several new addresses for an old one the first counts.
    """
    known = {
        (texts.product_name, text.product.name): text.product
        for texts in releases for text in texts.texts
    }
    for (name, _), product in known.items():
        shown = [texts for texts in releases if texts.product_name == name]
        for texts in shown:
            yield from _moved(texts, product, _words(texts, product, day))
        for version in _absent(shown, product, day):
            for texts in _instead(version, shown, day):
                yield from _moved(texts, product, [version])


def _moved(
    texts: ReleaseTexts, product: Product, versions: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """The addresses that the documents of `texts` had as those of `versions`."""
    folder = f"{texts.product_name}/{texts.version}"
    names = [text.setting.name for text in texts.texts if text.product.name == product.name]
    pages = {
        name: f"{folder}/{name}.html" for name in names if name in product.old_links.documents
    }
    yield from moved(product.old_links.addresses, versions, pages)


def _words(texts: ReleaseTexts, product: Product, day: str) -> list[str]:
    """What stood for the version of `texts` in addresses."""
    word = product.old_links.development
    return [texts.version, *([word] if word and _developed(texts, day) else [])]


def _developed(texts: ReleaseTexts, day: str) -> bool:
    return texts.lifetime(day).status == DEVELOPMENT


def _absent(shown: Sequence[ReleaseTexts], product: Product, day: str) -> Iterator[str]:
    """What stood in old addresses for releases that are not shown."""
    versions = {texts.version for texts in shown}
    yield from (one.version for one in product.releases if one.version not in versions)
    word = product.old_links.development
    if word and not any(_developed(texts, day) for texts in shown):
        yield word


def _instead(version: str, shown: Sequence[ReleaseTexts], day: str) -> list[ReleaseTexts]:
    """The releases to read instead of `version`, the best first.

    They are the newer ones of those `shown`, the nearest first, then the others, the newest
    first; no development version, unless there is nothing else.
    """
    found = [texts for texts in shown if not _developed(texts, day)] or list(shown)
    numbered = [texts for texts in found if texts.version[:1].isdigit()]
    if not version[:1].isdigit() or not numbered:
        return found
    order = newest_first([version, *(texts.version for texts in numbered)])
    at = order.index(0)
    ranked = [*reversed(order[:at]), *order[at + 1 :]]
    return [numbered[place - 1] for place in ranked]
