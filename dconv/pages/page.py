"""A page as a value: all that a theme shows, and what pages are made from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from markupsafe import Markup

from dconv.pages.listing import Listed, listing
from dconv.tree import Manual

Kind = Literal["site", "release", "manual", "section", "whole", "index"]


# --- what goes in ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document's text was fetched: `text` for readers, `url` or empty.

    `date` is when, or what the source says of its age; `sha256` the digest of
    the bytes, in hexadecimal.
    """

    text: str
    url: str = ""
    date: str = ""
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """One document of a release: the linked manual and what is said about it.

    `proof` is the sentence that tells how many lines are accounted for.
    `old_anchors` is true where the anchors that haproxy-dconv gave go on working.
    `names` is what indexes and inventories list, found once.
    """

    manual: Manual
    title: str
    description: str = ""
    origin: Origin | None = None
    proof: str = ""
    old_anchors: bool = False
    names: tuple[Listed, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", listing(self.manual))


@dataclass(frozen=True, slots=True)
class Release:
    """One release of a product with its documents; `status` is a word for readers."""

    product_name: str
    product_title: str
    version: str
    documents: tuple[Published, ...]
    status: str = ""


@dataclass(frozen=True, slots=True)
class Edition:
    """What is the same on all pages; `url` is the site's public address, or empty."""

    title: str
    generator: str
    url: str = ""
    language: str = "en"


# --- what comes out -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the frame: relative to the page, `count` of entries behind it.

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
    """A document in a list: its link and its line of description."""

    link: Link
    description: str
    version: str
    sections: int
    entries: int


@dataclass(frozen=True, slots=True)
class Shelf:
    """A release in a list, with the cards of its documents."""

    product_name: str
    product_title: str
    version: str
    status: str
    link: Link
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """A product with all its releases, newest first."""

    title: str
    shelves: tuple[Shelf, ...]


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


@dataclass(frozen=True, slots=True)
class Page:
    """One page: everything that a template needs, nothing that it has to work out.

    `path` is below the site's root, `root` the relative way back there (`../../`
    or empty).  `body` is finished HTML.  `title` is the page's whole title,
    `heading` the short one.
    """

    kind: Kind
    path: str
    root: str
    title: str
    heading: str
    description: str
    edition: Edition
    body: Markup = field(default_factory=Markup)
    product: str = ""
    version: str = ""
    document: str = ""
    home: Link | None = None
    release: Link | None = None
    whole: Link | None = None
    breadcrumbs: tuple[Link, ...] = ()
    tree: tuple[Link, ...] = ()
    children: tuple[Link, ...] = ()
    on_page: tuple[Link, ...] = ()
    previous: Link | None = None
    next: Link | None = None
    origin: Origin | None = None
    proof: Link | None = None
    canonical: str = ""
    ranges: tuple[Range, ...] = ()
    shelf: Shelf | None = None
    index: Link | None = None
    indexes: tuple[Link, ...] = ()
    letters: tuple[Letter, ...] = ()
    old_anchors: str = ""
