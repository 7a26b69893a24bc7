"""All pages of a release, as builds make them, for tests of their content."""

from __future__ import annotations

from collections.abc import Iterator

from dconv.writers.pages.page import Page, Release, SiteInfo
from dconv.writers.pages.split import (
    home_page,
    pages_of_documents,
    release_addresses,
    release_section_files,
)


def release_pages(release: Release, site: SiteInfo) -> Iterator[Page]:
    """The home of `release`, then the pages of each document; their HTML has the proof's marks."""
    yield home_page(release, site, None)
    addresses = release_addresses(release, release_section_files(release))
    yield from pages_of_documents(release, addresses, site, None)
