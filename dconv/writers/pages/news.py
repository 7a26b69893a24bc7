"""What is new in a document: entries added, deprecated and removed since an older release."""

from __future__ import annotations

from dconv.linking.counterparts import ReleasePair, containing_entry, matching_entry
from dconv.writers.pages.documents import DocumentPages
from dconv.writers.pages.listings import Change, Link, News

MAX_LINKS = 5  # names of added entries that the page shows, of deprecated and of removed ones


def news(
    pages: DocumentPages, older_pages: DocumentPages, pair: ReleasePair, version: str
) -> News | None:
    """What is new in the document of `pages`, compared with `older_pages` of release `version`.

    An entry that was part of another ("http-request deny" of "http-request") is not new, nor is
    one that was split into parts, moved or changed its kind.  Returns None if nothing is new, as
    for documents without entries.
    """
    document = pages.catalogue.document
    deprecated = [
        anchor for anchor, entry in pages.catalogue.entries.items()
        if entry.deprecated
        and (counterpart := matching_entry(document, anchor, pair))
        and not counterpart.entry.deprecated
    ]
    added = _missing_entries(document, pair)
    removed = _missing_entries(document, pair.swapped())
    if not (added or deprecated or removed):
        return None
    return News(
        version, _change(added, pages, ""), _change(deprecated, pages, ""),
        _change(removed, older_pages, f"../../{version}/{document}/"),
    )


def _missing_entries(document: str, pair: ReleasePair) -> list[str]:
    """The entries of `document` that are nowhere in the other release, each name once."""
    prefixes = {
        " ".join(words[:length])
        for words in map(str.split, pair.other[document].by_name)
        for length in range(1, len(words))
    }
    absent: dict[tuple[str, str], str] = {}
    for anchor, entry in pair.current[document].entries.items():
        if not (
            entry.name in prefixes
            or matching_entry(document, anchor, pair)
            or containing_entry(document, anchor, pair)
        ):
            absent.setdefault((entry.kind, entry.name), anchor)
    return list(absent.values())


def _change(anchors: list[str], pages: DocumentPages, folder: str) -> Change:
    """The entries `anchors` of a document, whose pages are in `folder`."""
    catalogue = pages.catalogue
    first = [catalogue.entries[anchor] for anchor in anchors[:MAX_LINKS]]
    return Change(len(anchors), tuple([
        Link(
            entry.name, f"{folder}{pages.address(entry)}",
            catalogue.sections[entry.section].number,
        )
        for entry in first
    ]))
