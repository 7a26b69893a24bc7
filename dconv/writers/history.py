"""The names of all releases of a product in one file: when each was added, deprecated, removed.

    haproxy/keywords.json   described by dconv/writers/history.schema.json

It is for editors and programs that know which release somebody runs.  An entry that changed its
kind or its document between two releases is one name, by the same matching as the links between
releases.  A name that went and came back has two records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import quote

from dconv.linking.counterparts import matching_entry
from dconv.linking.outline import EntryRecord
from dconv.model.anchors import FRAGMENT_CHARACTERS
from dconv.writers.inventory import KEYWORDS
from dconv.writers.pages.documents import DocumentPages
from dconv.writers.pages.versions import ProductVersions, ReleasePages
from dconv.writers.site_files import SiteFile, indented_json

SCHEMA = "dconv/history/1"


def histories(products: Iterable[ProductVersions]) -> Iterator[SiteFile]:
    """The file of each product that has documents."""
    for versions in products:
        if any(release.documents for release in versions.releases):
            yield product_history(versions)


def product_history(versions: ProductVersions) -> SiteFile:
    """The names of all releases of a product as JSON."""
    names = sorted(_names(versions), key=lambda name: (name[0].casefold(), *name[:3]))
    value = {
        "schema": SCHEMA, "product": versions.product, "latest": versions.latest.version,
        "releases": [release.version for release in versions.releases],
        "keywords": [record for *_, record in names],
    }
    return f"{versions.product}/{KEYWORDS}", indented_json(value)


def _names(versions: ProductVersions) -> Iterator[tuple[str, str, str, dict[str, object]]]:
    """The name, the kind and the document of each name, and its record."""
    seen: set[tuple[str, str, str, str]] = set()  # entries of older releases: version, place, name
    for index, release in enumerate(versions.releases):
        for document, pages in release.documents.items():
            for entry in pages.outline.entries.values():
                entry_key = (release.version, document, entry.anchor, entry.name)
                if entry_key in seen:
                    continue
                seen.add(entry_key)
                occurrences = [(release, entry)]
                for older in versions.releases[index + 1 :]:
                    pair = versions.pair(release, older)
                    counterpart = matching_entry(document, entry.anchor, pair)
                    if counterpart is None:
                        if document in older.documents:
                            break
                        continue
                    if entry.name == counterpart.entry.name:
                        key = (older.version, counterpart.document, counterpart.entry.anchor)
                        seen.add((*key, counterpart.entry.name))
                    occurrences.append((older, counterpart.entry))
                record = _record(entry, document, pages, occurrences, versions)
                yield entry.name, entry.kind, document, record


def _record(
    entry: EntryRecord, document: str, pages: DocumentPages,
    occurrences: list[tuple[ReleasePages, EntryRecord]], versions: ProductVersions,
) -> dict[str, object]:
    """What the file says of `entry`; `occurrences` are the releases that have it, newest first."""
    newest, oldest = occurrences[0][0], occurrences[-1][0]
    file, _, anchor = pages.address(entry).partition("#")
    path = quote(f"{newest.version}/{document}/{file}")
    record: dict[str, object] = {
        "name": entry.name, "kind": entry.kind, "document": document,
        "url": f"{path}#{quote(anchor, safe=FRAGMENT_CHARACTERS)}", "since": oldest.version,
    }
    aliases = [name for name in entry.names if name != entry.name]
    if aliases:
        record["aliases"] = aliases
    deprecated = ""
    for release, older_entry in occurrences:
        if not older_entry.deprecated:
            break
        deprecated = release.version
    if deprecated:
        record["deprecated_in"] = deprecated
    newer = versions.releases[: versions.releases.index(newest)]
    if newer:
        record["removed_in"] = newer[-1].version
    return record
