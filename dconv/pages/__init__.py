"""How manuals are cut into pages: `Page` values that hold all that a theme shows.

`page` has the values that go in and come out, `cut` the pages of a release,
`shelves` those that list releases, `places` turns anchors into addresses, `aliases`
keeps old anchors alive.
"""

from dconv.pages.cut import OLD_ANCHORS, PROOF, release_pages
from dconv.pages.page import Edition, Link, Origin, Page, Published, Release, Shelf
from dconv.pages.shelves import shelf, site_home

__all__ = [
    "OLD_ANCHORS", "PROOF", "Edition", "Link", "Origin", "Page", "Published", "Release", "Shelf",
    "release_pages", "shelf", "site_home",
]
