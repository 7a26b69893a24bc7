"""The texts of releases, not yet parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from dconv.model.lifecycle import Lifetime, ReleaseStatus, lifetime, newest_first
from dconv.model.origin import Origin
from dconv.settings import Acceptance, DocumentSetting, Product

# what counts when a title is searched for a product's name: "H A - P r o x y"
LETTER = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text to convert: its bytes and what is known of it.

    `path` is the name for findings; `setting` says what its document is called.
    """

    content: bytes
    path: str
    product: Product
    setting: DocumentSetting
    origin: Origin


@dataclass(frozen=True, slots=True)
class ReleaseTexts:
    """The texts of one release, not yet parsed; `status` is what the site says, or empty.

    `accepted` are findings about them that are no news.  `referenced` are texts of
    the same folder that they name: only links lead to them.
    """

    product_name: str
    product_title: str
    version: str
    status: ReleaseStatus | Literal[""]
    texts: tuple[SourceText, ...]
    accepted: tuple[Acceptance, ...] = ()
    referenced: tuple[SourceText, ...] = ()

    @property
    def name(self) -> str:
        """The name for people: `HAProxy 3.4`."""
        return f"{self.product_title} {self.version}"

    def lifetime(self, day: str) -> Lifetime:
        """What is known of the release on the `day`: what the site says, or its product."""
        records = self.texts[0].product.releases if self.texts else ()
        return lifetime(records, self.version, self.status, day)


def names_product(title: str, names: Iterable[str]) -> bool:
    """Whether the `title` of a text has one of the `names` of its product, however spaced.

    The version of such a text is the product's; the protocols beside a manual have
    versions of their own.  A name is no part of another word, but digits may follow it;
    an empty one is in all titles.
    """
    for name in names:
        spaced = r"[\W_]*".join(map(re.escape, LETTER.findall(name)))
        if not spaced or re.search(rf"(?<![^\W_]){spaced}(?![^\W\d_])", title, re.IGNORECASE):
            return True
    return False


def ordered(releases: Iterable[ReleaseTexts]) -> list[ReleaseTexts]:
    """`releases`, those of each product together with the newest first."""
    products: dict[str, list[ReleaseTexts]] = {}
    for texts in releases:
        products.setdefault(texts.product_name, []).append(texts)
    return [
        found[place]
        for found in products.values() for place in newest_first([one.version for one in found])
    ]
