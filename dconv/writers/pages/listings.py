"""What pages list, as values: links, documents, releases, names."""

from __future__ import annotations

from dataclasses import dataclass

from dconv.model.lifecycle import END_OF_LIFE


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the frame, relative to the page; `count` is the number of entries there.

    `depth` counts from 0; `current` is true for the page itself.
    """

    title: str
    href: str
    number: str = ""
    depth: int = 0
    count: int = 0
    current: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A document in a list: its link and its line of description.

    `name` is the document's in addresses, `version` and `date` are those of its header;
    `index` leads to all its names from A to Z, if it has any.
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
class Shelf:
    """A release in a list, with the cards of its documents; `latest` marks the latest."""

    product_name: str
    product_title: str
    version: str
    status: str
    link: Link
    cards: tuple[Card, ...]
    date: str = ""
    end: str = ""
    latest: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A release in the table of releases: its card of each document there is, or None."""

    shelf: Shelf
    cards: tuple[Card | None, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """A product with all its releases, newest first; `link` leads to its own page."""

    title: str
    shelves: tuple[Shelf, ...]
    link: Link

    @property
    def documents(self) -> tuple[str, ...]:
        """The titles of the documents of all releases, those of the newest first."""
        return tuple(self._titles().values())

    @property
    def maintained(self) -> tuple[Row, ...]:
        """The releases that are maintained, or have no end of maintenance."""
        return tuple(self._row(shelf) for shelf in self.shelves if not self._is_over(shelf))

    @property
    def over(self) -> tuple[Row, ...]:
        """The releases that are no longer maintained, without the latest."""
        return tuple(self._row(shelf) for shelf in self.shelves if self._is_over(shelf))

    def _titles(self) -> dict[str, str]:
        titles: dict[str, str] = {}
        for shelf in self.shelves:
            for card in shelf.cards:
                titles.setdefault(card.name, card.link.title)
        return titles

    def _row(self, shelf: Shelf) -> Row:
        cards = {card.name: card for card in shelf.cards}
        return Row(shelf, tuple(cards.get(name) for name in self._titles()))

    def _is_over(self, shelf: Shelf) -> bool:
        return shelf.status == END_OF_LIFE and shelf is not self.first

    @property
    def first(self) -> Shelf:
        """The latest release, or the first where none is marked."""
        return next((shelf for shelf in self.shelves if shelf.latest), self.shelves[0])


@dataclass(frozen=True, slots=True)
class Change:
    """Entries that changed in one way: how many, and links to the `first` of them."""

    count: int
    first: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class News:
    """What is new in a document, compared with the release `version` before.

    `all` leads to the page of all changes, if there is one.
    """

    version: str
    added: Change
    deprecated: Change
    gone: Change
    all: Link | None = None


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A name in an index; `href` leads to its place, `identity` is its own on the page.

    `section` is the place's number, or its title where it has none.  `form` is the
    whole name ("option httplog") where `name` is a shorter one, else empty.
    """

    name: str
    href: str
    identity: str
    kind: str
    section: str
    summary: str
    deprecated: bool
    form: str = ""


@dataclass(frozen=True, slots=True)
class Letter:
    """The names of an index that begin alike; `identity` is what links lead to."""

    title: str
    identity: str
    rows: tuple[IndexRow, ...]
