"""The page that a server shows for addresses that do not exist.

It is shown at any depth below the site's root, so its addresses begin at the host's
root: with the path of the site's public address, or with `/` where it has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from dconv.writers.pages.overview import ranges, search, under
from dconv.writers.pages.page import Edition, Page, Shelf

PATH = "404.html"


def missing_page(edition: Edition, shelves: Sequence[Shelf]) -> Page:
    """The page for what is missing, with ways to the latest of the releases in `shelves`."""
    root = f"{urlsplit(edition.url).path.rstrip('/')}/"
    found = ranges([under(shelf, root) for shelf in shelves], root)
    heading = "There is no such page"
    return Page(
        kind="missing", path=PATH, root=root, title=f"{heading} - {edition.title}",
        heading=heading, description=heading, edition=edition, ranges=found,
        search=search([one.first for one in found]),
    )
