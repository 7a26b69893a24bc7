"""What moved to another document, or to a section with another title: pure comparison.

`counterparts` compares a document with itself in another release.  Here all documents
of two releases are compared: commands that stood in one manual stand in another now, and
a section whose title says nothing of it is known by its entries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from dconv.writers.pages import counterparts
from dconv.writers.pages.catalogue import Catalogue, Place
from dconv.writers.pages.counterparts import Near

Documents = Mapping[str, Catalogue]
Different = frozenset[tuple[str, str, str]]
WORDS = 2  # a title with fewer ("Introduction") may be of anything in another document


def entry(
    anchor: str, document: str, here: Documents, other: Documents, different: Different
) -> tuple[str, Place] | None:
    """The counterpart in `other` of the entry `anchor` of `document`, with its document.

    That in the same document first; else the only one of the same kind and name in
    another, unless it is also in another of `here`: there it is another thing.
    """
    if document in other and (
        place := counterparts.entry(anchor, here[document], other[document], different)
    ):
        return document, place
    known = here[document].known[anchor]
    key = (known.kind, known.names[0])
    if any(key in catalogue.entries for name, catalogue in here.items() if name != document):
        return None
    found = [
        (name, catalogue.entries[key])
        for name, catalogue in other.items() if name != document and key in catalogue.entries
    ]
    return found[0] if len(found) == 1 else None


def sections(
    document: str, here: Documents, other: Documents, different: Different
) -> tuple[Near, ...]:
    """For each section of `document` in `here` its counterpart in `other`, or the nearest.

    Where the same document has none by its title, it is the section that most of its
    entries are in, then the only one with its title in another document.
    """
    ours = here[document]
    if document in other:
        known = counterparts.sections(ours, other[document])
    else:
        known = (Near(-1, False),) * len(ours.sections)
    taken = {(document, near.section) for near in known if near.exact}
    found: list[Near] = []
    for at, near in enumerate(known):
        parent = ours.sections[at].parent
        above = found[parent] if parent >= 0 else near
        if near.exact:
            found.append(near)
        elif moved := (
            _by_entries(at, document, here, other, different, taken)
            or _by_title(at, document, here, other)
        ):
            found.append(moved)
        else:
            found.append(replace(above, exact=False))
    return tuple(found)


def _by_entries(
    at: int, document: str, here: Documents, other: Documents, different: Different,
    taken: set[tuple[str, int]],
) -> Near | None:
    """The section that more than half of the entries of the section `at` are in.

    Of those of its entries that are in `here`, most must be in this section, too.
    """
    anchors = _anchors(here[document], at)
    there = _most(anchors, document, here, other, different)
    if there is None or there in taken:
        return None
    name, section = there
    theirs = _anchors(other[name], section)
    if _most(theirs, name, other, here, different, matched=True) != (document, at):
        return None
    return Near(section, True, name)


def _anchors(catalogue: Catalogue, section: int) -> list[str]:
    return [anchor for anchor, known in catalogue.known.items() if known.section == section]


def _most(
    anchors: list[str], document: str, here: Documents, other: Documents, different: Different,
    matched: bool = False,
) -> tuple[str, int] | None:
    """The document and section with more than half of `anchors`, or of those `matched`."""
    places = [entry(anchor, document, here, other, different) for anchor in anchors]
    found = [(place[0], place[1].section) for place in places if place]
    if not found:
        return None
    best, count = Counter(found).most_common(1)[0]
    return best if 2 * count > len(found if matched else anchors) else None


def _by_title(at: int, document: str, here: Documents, other: Documents) -> Near | None:
    """The section with the title of `at`, where one other document alone has it, once."""
    title = here[document].sections[at].folded
    if len(title.split()) < WORDS:
        return None
    if any(
        one.folded == title
        for name, catalogue in here.items() if name != document for one in catalogue.sections
    ):
        return None
    found = [
        Near(place, True, name)
        for name, catalogue in other.items() if name != document
        for place, one in enumerate(catalogue.sections) if one.folded == title
    ]
    return found[0] if len(found) == 1 else None
