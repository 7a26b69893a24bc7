"""The script that forwards old anchors from the document on one page to the sections' pages.

The document on one page has every anchor that haproxy-dconv gave it.  With JavaScript a
reader need not load all of it: `old-links.js` of the theme goes to the section's page at once.
It computes the place by the rules of `dconv.writers.legacy.old_anchors` from this data, which
follows it in one file:

    oldAnchors("configuration/", [
    ["4.2", "4.2.html", "Proxies", "Keywords", "acl|option x|no option x|=action.|allow"]], [
    ["http-request deny", "configuration/4.3.html#action.deny"],
    ["reqadd", "../2.0/configuration/4.2.html#reqadd", "2.0"]]);

A section is its old number, its file, the titles of its chapter and its own, and its
keywords in source order.  The anchor of a keyword is its name with hyphens, without
`no`; `=action.` puts this in front of those that follow, and `name=anchor` has it in
full (empty for the section itself).  Below them are names that are elsewhere, with addresses
below the folder of the release, and the last release of removed ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from dconv.linking.counterparts import containing_entry, matching_entry
from dconv.linking.outline import EntryPlace
from dconv.linking.similarity import leading_words
from dconv.model.tree import sections
from dconv.model.values import dataclass
from dconv.writers.legacy.old_anchors import OldSection, old_sections
from dconv.writers.pages.documents import DocumentPages, document_pages
from dconv.writers.pages.filenames import OLD_ANCHORS
from dconv.writers.pages.page import Release, ReleaseDocument
from dconv.writers.pages.versions import ProductVersions, ReleasePages
from dconv.writers.site_files import SectionFiles, SiteFile

NEGATION = "no "


def forwarding(
    release: Release, section_files: SectionFiles, code: bytes,
    versions: ProductVersions | None,
) -> Iterator[SiteFile]:
    """The scripts for the documents with old anchors.

    `code` is that of `old-links.js`; `versions` are the releases of the product, None if only
    `release` is known.
    """
    for document in release.documents:
        if document.has_old_anchors:
            name = document.manual.name
            path = f"{release.folder}/{name}/{OLD_ANCHORS}"
            yield path, code.rstrip() + b"\n" + _call_of_script(
                document, section_files[name], release, versions
            )


def _call_of_script(
    document: ReleaseDocument, files: Iterable[str], release: Release,
    versions: ProductVersions | None,
) -> bytes:
    manual = document.manual
    file_of = {section.anchor: file for section, file in zip(sections(manual), files, strict=True)}
    old = list(old_sections(manual))
    rows = [
        json.dumps(
            (section.number, file_of[section.anchor], *section.titles, "|".join(_names(section))),
            ensure_ascii=False,
        )
        for section in old
    ]
    old_names = {  # "stats" and "stats socket" of "stats socket"
        leading for section in old for name, _ in section.keywords
        for leading in leading_words(name)
    }
    others = [
        json.dumps([other.name, other.address, *([other.version] if other.version else [])],
                   ensure_ascii=False)
        for other in moved_names(release, manual.name, old_names, versions)
    ]
    folder = json.dumps(f"{manual.name}/")
    return "\n".join((
        f"oldAnchors({folder}, [", ",\n".join(rows), "], [", ",\n".join(others), "]);\n",
    )).encode()


def _names(section: OldSection) -> Iterator[str]:
    """The keywords of `section`, each once, with what their anchors need beside them."""
    last_prefix = ""
    anchors: dict[str, str] = {}
    for name, anchor in section.keywords:
        anchors.setdefault(name, "" if anchor == section.anchor else anchor)
    for name, anchor in anchors.items():
        hyphenated = name.removeprefix(NEGATION).replace(" ", "-")
        prefix = anchor.removesuffix(hyphenated)
        if not anchor.endswith(hyphenated) or (prefix and prefix[-1] != "."):
            yield f"{name}={anchor}"
            continue
        if prefix != last_prefix:
            last_prefix = prefix
            yield f"={last_prefix}"
        yield name


@dataclass(frozen=True, slots=True)
class MovedName:
    """Where a name is: an address below the folder of the release.

    `version` is empty, or that of the last release that has the name.
    """

    name: str
    address: str
    version: str = ""


def moved_names(
    release: Release, document: str, known_names: set[str], versions: ProductVersions | None
) -> Iterator[MovedName]:
    """Yield the names of entries of `document`, now and in older ones, except `known_names`.

    What was the keyword `http-request set-header` may be the action `set-header` of another section
    now, or be removed.  Old links lead to the new place, or to the last release that has the name.
    """
    documents, older_releases = _releases(release, versions)
    known_names = set(known_names)

    def is_new(name: str) -> bool:
        if name in known_names:
            return False
        known_names.add(name)
        return True

    for entry in documents[document].outline.entries.values():
        for name, anchor in entry.names.items():
            if is_new(name):
                yield MovedName(name, f"{document}/{documents[document].address(entry, anchor)}")
    for older in older_releases if versions else ():
        pages = older.documents.get(document)
        for entry in pages.outline.entries.values() if pages else ():
            for name, anchor in entry.names.items():
                if not (pages and versions and is_new(name)):
                    continue
                counterpart = _counterpart(document, entry.anchor, older, release.version, versions)
                if counterpart:
                    new_pages = documents[counterpart.document]
                    address = new_pages.address(counterpart.entry, counterpart.anchor)
                    yield MovedName(name, f"{counterpart.document}/{address}")
                else:
                    address = pages.address(entry, anchor)
                    yield MovedName(name, f"../{older.version}/{document}/{address}", older.version)


def _releases(
    release: Release, versions: ProductVersions | None
) -> tuple[dict[str, DocumentPages], tuple[ReleasePages, ...]]:
    """The documents of `release` by their names, and the releases before it, the newest first."""
    if versions is None:
        manuals = [document.manual for document in release.documents]
        return document_pages(manuals, release.vocabulary.rule_sets), ()
    pages = versions.release(release.version)
    return dict(pages.documents), versions.older(pages)


def _counterpart(
    document: str, anchor: str, older: ReleasePages, version: str, versions: ProductVersions
) -> EntryPlace | None:
    """Where the entry `anchor` of `document` of `older`, or what describes it, is in `version`."""
    pair = versions.pair(older, versions.release(version))
    if counterpart := matching_entry(document, anchor, pair):
        return counterpart
    name_and_place = containing_entry(document, anchor, pair)
    return name_and_place[1] if name_and_place else None
