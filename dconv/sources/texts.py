"""Texts with their products and releases, before they are parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from dconv.model.lifecycle import Lifetime, ReleaseStatus, lifetime, newest_first
from dconv.model.origin import Origin
from dconv.model.values import dataclass
from dconv.readers import format_of
from dconv.settings.types import AcceptedFinding, DocumentSetting, Product

# the characters that count in a product's name: "H A - P r o x y" is "HAProxy"
WORD_CHARACTER = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text to convert: its bytes and where they belong.

    Findings name the text by `path`; `document` names and titles it, `other_names` are
    those of files that stand for it (symbolic links, pages that only include it).  `images`
    are those that it names, with their names.  `titles` are those that references in
    reStructuredText show: their kind ("label" or "document"), their target, and its title; of
    "listed documents", lines of a table of contents, also what each lists, with tabs between.
    `sphinx_settings` are those of the project of Sphinx that the text is in ("rst_prolog").
    """

    content: bytes
    path: str
    product: Product
    document: DocumentSetting
    origin: Origin
    other_names: tuple[str, ...] = ()
    images: tuple[tuple[str, bytes], ...] = ()
    titles: tuple[tuple[str, str, str], ...] = ()
    sphinx_settings: tuple[tuple[str, str], ...] = ()

    @property
    def format(self) -> str:
        """Its format: that of the setting of its document, else as it looks or is named."""
        return self.document.format or format_of(self.content, self.path)


@dataclass(frozen=True, slots=True)
class ReleaseTexts:
    """The texts of one release; `status` is its status in `site.toml`, or empty.

    `accepted` are the findings that the site accepts.  `referenced_texts` are
    other texts of the folder that these texts name: they are only the targets of links.
    `is_shelf` is true for a package of a shelf, `is_ordered` if lists show the texts in their order
    and not by their titles; `group` is the title that the package or product
    is below on the home of the site, or empty; `description` is a phrase about a package, or
    empty.
    """

    product_name: str
    product_title: str
    version: str
    status: ReleaseStatus | Literal[""]
    texts: tuple[SourceText, ...]
    accepted: tuple[AcceptedFinding, ...] = ()
    referenced_texts: tuple[SourceText, ...] = ()
    is_shelf: bool = False
    is_ordered: bool = False
    group: str = ""
    description: str = ""

    @property
    def name(self) -> str:
        """The name for people: `HAProxy 3.4`."""
        return f"{self.product_title} {self.version}"

    @property
    def size(self) -> int:
        """The number of bytes of its texts."""
        return sum([len(text.content) for text in self.texts])

    def lifetime(self, date: str) -> Lifetime:
        """The support status of the release on `date`, by `site.toml` or else by the product."""
        records = self.texts[0].product.releases if self.texts else ()
        return lifetime(records, self.version, self.status, date)


def mentions_product(title: str, names: Iterable[str]) -> bool:
    """Whether the `title` of a text contains one of the `names` of its product.

    Blanks and punctuation between letters do not matter, and an empty name is in every title.
    The version of such a text is that of the product; the text of a protocol may have another.
    """
    for name in names:
        spaced = r"[\W_]*".join(map(re.escape, WORD_CHARACTER.findall(name)))
        if not spaced or re.search(rf"(?<![^\W_]){spaced}(?![^\W\d_])", title, re.IGNORECASE):
            return True
    return False


def sort_releases(releases: Iterable[ReleaseTexts]) -> list[ReleaseTexts]:
    """`releases` grouped by product, the newest of each first."""
    products: dict[str, list[ReleaseTexts]] = {}
    for texts in releases:
        products.setdefault(texts.product_name, []).append(texts)
    return [
        group[index]
        for group in products.values()
        for index in newest_first([texts.version for texts in group])
    ]
