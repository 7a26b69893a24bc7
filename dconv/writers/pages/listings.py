"""What pages list, as values: links, documents, releases, names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from dconv.model.lifecycle import END_OF_LIFE
from dconv.model.values import dataclass

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Link:
    """A link outside of the text of a page, relative to it; `count` is the number of entries there.

    `depth` counts from 0; `current` is true for the page itself, `is_entry` for a link to an entry.
    """

    title: str
    href: str
    number: str = ""
    depth: int = 0
    count: int = 0
    current: bool = False
    is_entry: bool = False


@dataclass(frozen=True, slots=True)
class DocumentCard:
    """A document in a list: its link and its line of description.

    `name` is the document's in addresses, `version` and `date` are those of its header; `index`
    points to all its names from A to Z, if it has any.
    """

    name: str
    link: Link
    description: str
    version: str
    sections: int
    entries: int
    index: Link | None = None
    date: str = ""


@dataclass(frozen=True, slots=True)
class ReleaseCard:
    """A release in a list, with the cards of its documents; `latest` marks the latest.

    `explains` is true if the page that explains configurations can use its data.
    """

    product_name: str
    product_title: str
    version: str
    status: str
    link: Link
    cards: tuple[DocumentCard, ...]
    date: str = ""
    end: str = ""
    latest: bool = False
    explains: bool = False


def by_product(release_cards: Iterable[ReleaseCard]) -> dict[str, list[ReleaseCard]]:
    """`release_cards` by the names of their products, in the same order."""
    products: dict[str, list[ReleaseCard]] = {}
    for card in release_cards:
        products.setdefault(card.product_name, []).append(card)
    return products


@dataclass(frozen=True, slots=True)
class ReleaseRow:
    """A release in the table of releases: its card of each document there is, or None."""

    release_card: ReleaseCard
    cards: tuple[DocumentCard | None, ...]


@dataclass(frozen=True, slots=True)
class ProductCard:
    """A product with all its releases, newest first; `link` points to its own page."""

    title: str
    release_cards: tuple[ReleaseCard, ...]
    link: Link

    @property
    def documents(self) -> tuple[str, ...]:
        """The titles of the documents of all releases, those of the newest first."""
        return tuple(self._titles().values())

    @property
    def maintained(self) -> tuple[ReleaseRow, ...]:
        """The releases that are maintained, or have no end of maintenance."""
        return self._rows(card for card in self.release_cards if not self._is_unmaintained(card))

    @property
    def unmaintained(self) -> tuple[ReleaseRow, ...]:
        """The releases that are no longer maintained, without the latest."""
        return self._rows(card for card in self.release_cards if self._is_unmaintained(card))

    def _titles(self) -> dict[str, str]:
        titles: dict[str, str] = {}
        for release_card in self.release_cards:
            for card in release_card.cards:
                titles.setdefault(card.name, card.link.title)
        return titles

    def _rows(self, release_cards: Iterable[ReleaseCard]) -> tuple[ReleaseRow, ...]:
        names, rows = self._titles(), []
        for release_card in release_cards:
            cards = {card.name: card for card in release_card.cards}
            rows.append(ReleaseRow(release_card, tuple(map(cards.get, names))))
        return tuple(rows)

    def _is_unmaintained(self, release_card: ReleaseCard) -> bool:
        return release_card.status == END_OF_LIFE and release_card is not self.latest

    @property
    def latest(self) -> ReleaseCard:
        """The latest release, or the first where none is marked."""
        return next((card for card in self.release_cards if card.latest), self.release_cards[0])


@dataclass(frozen=True, slots=True)
class Change:
    """Entries that changed in one way: how many, and links to the `first` of them."""

    count: int
    first: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class News:
    """What is new in a document, compared with the release `version` before.

    `all` points to the page of all changes, if there is one.
    """

    version: str
    added: Change
    deprecated: Change
    removed: Change
    all: Link | None = None


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A name in an index; `href` points to its place, `anchor` is its own on the page.

    `section` is the place's number, or its title where it has none.  `full_name` is the
    whole name ("option httplog") where `name` is a shorter one, else empty; `other_names` are
    further names of the same thing.
    """

    name: str
    href: str
    anchor: str
    kind: str
    section: str
    summary: str
    deprecated: bool
    full_name: str = ""
    other_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LetterGroup(Generic[Row]):
    """Rows that begin with the same letter: of an index, of documents, or of names of a shelf.

    `anchor` is what links point to; `title` is empty where rows are not divided by letters.
    """

    title: str
    anchor: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document in a list of many: its link, which counts its entries, and its description."""

    link: Link
    description: str


@dataclass(frozen=True, slots=True)
class DocumentGroup:
    """Documents of one kind, such as "Commands"; `anchor` is what links point to."""

    title: str
    anchor: str
    letters: tuple[LetterGroup[DocumentRow], ...]

    @property
    def count(self) -> int:
        """How many documents it has."""
        return sum(len(letter.rows) for letter in self.letters)


@dataclass(frozen=True, slots=True)
class PackageCard:
    """A package in a list: its link, its newest version, the `first` of its documents.

    `date` is that of its newest text, `count` the number of its documents.
    """

    link: Link
    version: str
    description: str
    first: tuple[Link, ...]
    count: int
    date: str = ""


@dataclass(frozen=True, slots=True)
class PackageGroup:
    """Packages and products in one group of the home page; its title may be empty."""

    title: str
    products: tuple[ProductCard, ...]
    packages: tuple[PackageCard, ...]


@dataclass(frozen=True, slots=True)
class NamePlace:
    """A place that defines a name; `other_names` are further names of the same thing."""

    link: Link
    kind: str
    package: str
    summary: str
    deprecated: bool
    other_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NameRow:
    """A name of a shelf with all its places; `anchor` is its own on the page."""

    name: str
    anchor: str
    places: tuple[NamePlace, ...]


@dataclass(frozen=True, slots=True)
class NamesPage:
    """What a page of the names of a shelf shows: all letters as links, and the names of some.

    `kinds` and `packages` are those of its names, sorted.
    """

    links: tuple[Link, ...]
    letters: tuple[LetterGroup[NameRow], ...]
    kinds: tuple[str, ...]
    packages: tuple[str, ...]
