"""Names that old links to a document may have and that are not at its left margin any more.

What was the keyword `http-request set-header` may be the action `set-header` of another section
now, or be removed.  Old links lead to the new place, or to the last release that has the name.
"""

from __future__ import annotations

from collections.abc import Iterator

from dconv.linking.catalogue import EntryPlace
from dconv.linking.counterparts import containing_entry, matching_entry
from dconv.model.values import dataclass
from dconv.writers.pages.documents import DocumentPages, document_pages
from dconv.writers.pages.page import Release
from dconv.writers.pages.versions import ReleasePages, Versions


@dataclass(frozen=True, slots=True)
class MovedName:
    """Where a name is: an address below the folder of the release.

    `version` is empty, or that of the last release that has the name.
    """

    name: str
    address: str
    version: str = ""


def moved_names(
    release: Release, document: str, known_names: set[str], versions: Versions | None
) -> Iterator[MovedName]:
    """Yield the names of entries of `document`, now and in older ones, except
    `known_names`.
    """
    documents, older_releases = _releases(release, versions)
    known_names = set(known_names)

    def is_new(name: str) -> bool:
        if name in known_names:
            return False
        known_names.add(name)
        return True

    for entry in documents[document].catalogue.entries.values():
        for name, anchor in entry.names.items():
            if is_new(name):
                yield MovedName(name, f"{document}/{documents[document].address(entry, anchor)}")
    for older in older_releases if versions else ():
        pages = older.documents.get(document)
        for entry in pages.catalogue.entries.values() if pages else ():
            for name, anchor in entry.names.items():
                if not (pages and versions and is_new(name)):
                    continue
                place = _counterpart(document, entry.anchor, older, release.version, versions)
                if place:
                    address = documents[place.document].address(place.entry, place.anchor)
                    yield MovedName(name, f"{place.document}/{address}")
                else:
                    address = pages.address(entry, anchor)
                    yield MovedName(name, f"../{older.version}/{document}/{address}", older.version)


def _releases(
    release: Release, versions: Versions | None
) -> tuple[dict[str, DocumentPages], tuple[ReleasePages, ...]]:
    """The documents of `release` by their names, and the releases before it, the newest first."""
    if versions is None:
        manuals = [document.manual for document in release.documents]
        return document_pages(manuals, release.vocabulary.rule_sets), ()
    documents = versions.release(release.version)
    return dict(documents.documents), versions.older(documents)


def _counterpart(
    document: str, anchor: str, older: ReleasePages, version: str, versions: Versions
) -> EntryPlace | None:
    """The place in `version` of the entry `anchor` of `document` of `older`, or of what has it."""
    pair = versions.pair(older, versions.release(version))
    if place := matching_entry(document, anchor, pair):
        return place
    container = containing_entry(document, anchor, pair)
    return container[1] if container else None
