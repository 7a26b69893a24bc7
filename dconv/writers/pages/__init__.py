"""How manuals are cut into pages: `Page` values that hold all that a theme shows.

`page` has the values that go in and come out, `cut` the pages of a release,
`shelves` those that list releases, `places` turns anchors into addresses, `aliases`
keeps old anchors alive, `versions` leads from each page and entry to the same in
other releases (by `dconv.linking.counterparts`), `latest` from addresses that
outlive a release to the latest one, `missing` from those that do not exist.
"""

from dconv.writers.pages.missing import missing_page
from dconv.writers.pages.overview import product_homes, shelf, site_home
from dconv.writers.pages.page import Edition, Link, Origin, Page, Published, Release, Shelf
from dconv.writers.pages.special import latest_pages
from dconv.writers.pages.split import (
    OLD_ANCHORS,
    PROOF,
    proof_pages,
    release_pages,
    release_sections,
)
from dconv.writers.pages.versions import Versions, Volume

__all__ = [
    "OLD_ANCHORS", "PROOF", "Edition", "Link", "Origin", "Page", "Published", "Release", "Shelf",
    "Versions", "Volume", "latest_pages", "missing_page", "product_homes", "proof_pages",
    "release_pages",
    "release_sections", "shelf", "site_home",
]
