"""What is new in a document: entries that the release before it has not, and so on."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from dconv.writers.pages import counterparts, moves
from dconv.writers.pages.catalogue import Catalogue
from dconv.writers.pages.moves import Different, Documents
from dconv.writers.pages.page import Change, Link, News

FIRST = 5  # names of each sort that are told


def news(
    document: str, here: Documents, older: Documents, version: str, different: Different
) -> News | None:
    """What `document` of the release `here` has that `older` (`version`) has not.

    An entry that is part of another there ("http-request deny" of "http-request"), or
    that was cut into such parts, is nothing new, nor one that moved or is of another kind
    now.  None where nothing is,
    and for documents without entries.
    """
    ours, theirs = here[document], older[document]
    deprecated = [
        anchor for anchor, known in ours.known.items()
        if known.deprecated
        and (found := moves.entry(anchor, document, here, older, different))
        and not found[1].deprecated
    ]
    added = _absent(document, here, older, different)
    gone = _absent(document, older, here, different)
    if not (added or deprecated or gone):
        return None
    return News(
        version, _change(added, ours, ""), _change(deprecated, ours, ""),
        _change(gone, theirs, f"../../{version}/{document}/"),
    )


def _absent(
    document: str, here: Documents, other: Documents, different: Different
) -> list[str]:
    """The entries of `document` in `here` that are nowhere in `other`, those of one name once."""
    ours, theirs = here[document], other[document]
    beginnings = {
        " ".join(words[:length])
        for words in map(str.split, theirs.names) for length in range(1, len(words))
    }
    found: dict[tuple[str, str], str] = {}
    for anchor, known in ours.known.items():
        if not (
            known.names[0] in beginnings
            or moves.entry(anchor, document, here, other, different)
            or counterparts.around(anchor, ours, theirs)
        ):
            found.setdefault((known.kind, known.names[0]), anchor)
    return list(found.values())


def _change(anchors: list[str], catalogue: Catalogue, folder: str) -> Change:
    """The entries `anchors` of a document, whose pages are in `folder`."""

    def links() -> Iterable[Link]:
        for anchor in anchors:
            known = catalogue.known[anchor]
            section = catalogue.sections[known.section]
            yield Link(known.names[0], f"{folder}{section.file}#{anchor}", section.number)

    return Change(len(anchors), tuple(islice(links(), FIRST)))
