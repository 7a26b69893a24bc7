"""Names that older releases have, and a release has not any more: where each was last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dconv.writers.pages import Versions
from dconv.writers.pages.documents import DocumentPages
from dconv.writers.search import words


@dataclass(frozen=True, slots=True)
class Gone:
    """A name that is gone: `version` is the newest release that has it.

    `address` is where its entry is, below the folder of that release.
    """

    name: str
    kind: str
    version: str
    address: str


def gone(versions: Versions, version: str, names: Sequence[str]) -> list[Gone]:
    """The names of older releases that `version` has not, by letters; `names` are all it has."""
    here = versions.volume(version)
    known = {words.lower(name) for name in names}
    for catalogue in here.catalogues.values():
        known |= {words.lower(name) for name in catalogue.by_name}
    found: dict[str, Gone] = {}
    for older in versions.volumes[versions.volumes.index(here) + 1 :]:
        for pages in older.documents.values():
            for name, kind, address in _entries(pages):
                if words.lower(name) not in known:
                    one = Gone(name, kind, older.version, address)
                    found.setdefault(words.lower(name), one)
    return [found[name] for name in sorted(found)]


def _entries(pages: DocumentPages) -> Iterator[tuple[str, str, str]]:
    """The name, the kind and the address of each entry."""
    document = pages.catalogue.document
    for entry in pages.catalogue.entries.values():
        yield entry.name, entry.kind, f"{document}/{pages.address(entry)}"
