"""What a release of a site changed against the one before it, as one of its pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dconv.diff.compare import compare
from dconv.diff.inventory import Side
from dconv.diff.page import Way, changes
from dconv.diff.types import Subject
from dconv.writers.pages import Edition, Page, Release, Versions, Volume
from dconv.writers.pages.filenames import CHANGES
from dconv.writers.pages.overview import canonical_address, release_home, release_name
from dconv.writers.pages.page import Link
from dconv.writers.pages.versions import fitted


def changes_page(older: Release, newer: Release, edition: Edition, versions: Versions) -> Page:
    """The page of what `newer` changed against `older`; `versions` has both.

    All documents are on it, since entries move from one to another.  Its links lead to
    the pages of both releases.
    """
    before, after = versions.volume(older.version), versions.volume(newer.version)
    here, there = _addresses(after, ""), _addresses(before, f"../{older.version}/")
    home, name = release_home(newer, edition), release_name(newer)
    path = home.path.removesuffix("index.html") + CHANGES
    found = compare(_side(older, before), _side(newer, after))
    several = len(after.documents) > 1 or len(before.documents) > 1
    way = Way(lambda subject, old: (there if old else here)(subject), several)
    page = replace(
        home, kind="changes", path=path, shelf=None, heading="Changes",
        title=f"What {name} changes since {older.version}",
        description=f"What changes in meaning from {older.version} to {name}",
        breadcrumbs=(*home.breadcrumbs, Link(name, "index.html")),
        canonical=canonical_address(edition, path),
        changes=changes(found, way),
    )
    return fitted(page, versions, newer.version)


def _side(release: Release, volume: Volume) -> Side:
    manuals = tuple([document.manual for document in release.documents])
    return Side(release.version, manuals, volume.catalogues)


def _addresses(volume: Volume, folder: str) -> Callable[[Subject], str]:
    """Where subjects of `volume` are, whose pages are in `folder`."""
    def address(subject: Subject) -> str:
        place = subject.place
        pages = volume.documents[place.document]
        entry = pages.catalogue.entries.get(place.anchor)
        if entry is not None:
            return f"{folder}{place.document}/{pages.address(entry)}"
        shown = f"{place.number} {place.title}".strip()
        titles = [section.shown for section in pages.catalogue.sections]
        # the text before all sections is on the document's home
        file = pages.section_files[titles.index(shown)] if shown in titles else "index.html"
        anchor = f"#{place.anchor}" if place.anchor else ""
        return f"{folder}{place.document}/{file}{anchor}"

    return address
