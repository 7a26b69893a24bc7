"""Where the same thing stands in another release: pure comparison of two catalogues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from dconv.writers.pages.catalogue import Catalogue, Known, Place, Title

ALIKE = 0.6  # how much of two titles with one number is the same where a title was reworded


@dataclass(frozen=True, slots=True)
class Near:
    """The counterpart of a section: its place in the other, -1 for the document's home.

    `exact` is false where the section itself is not there and this is the nearest;
    `document` is empty where it is the same one.
    """

    section: int
    exact: bool
    document: str = ""


def sections(here: Catalogue, other: Catalogue) -> tuple[Near, ...]:
    """For each section of `here` its counterpart in `other`.

    The first that fits decides: the title below the same title; the title, where both
    have it once; the number with a title much like it, where neither title is in the
    other; else the counterpart of the nearest section above is the nearest there is.
    """
    found: list[Near] = []
    full = _by_full_title(other.sections)
    ours, theirs = _by_title(here.sections), _by_title(other.sections)
    numbers = {title.number: at for at, title in enumerate(other.sections) if title.number}
    for at, title in enumerate(here.sections):
        same = full.get(_full(here.sections, at), [])
        alone = theirs.get(title.folded, [])
        numbered = numbers.get(title.number, -1)
        if same:
            best = [place for place in same if other.sections[place].number == title.number]
            found.append(Near((best or same)[0], True))
        elif len(alone) == 1 and len(ours[title.folded]) == 1:
            found.append(Near(alone[0], True))
        elif numbered >= 0 and _reworded(title, other.sections[numbered], ours, theirs):
            found.append(Near(numbered, True))
        else:
            above = found[title.parent].section if title.parent >= 0 else -1
            found.append(Near(above, False))
    return tuple(found)


def _full(titles: Sequence[Title], at: int) -> tuple[str, str]:
    """The title of the section `at` with that of its parent."""
    title = titles[at]
    return title.folded, titles[title.parent].folded if title.parent >= 0 else ""


def _by_full_title(titles: Sequence[Title]) -> dict[tuple[str, str], list[int]]:
    found: dict[tuple[str, str], list[int]] = {}
    for at in range(len(titles)):
        found.setdefault(_full(titles, at), []).append(at)
    return found


def _by_title(titles: Sequence[Title]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, title in enumerate(titles):
        found.setdefault(title.folded, []).append(at)
    return found


def _reworded(
    title: Title, other: Title, ours: dict[str, list[int]], theirs: dict[str, list[int]]
) -> bool:
    """Whether `other`, which has the number of `title`, is the same section, reworded."""
    if title.folded in theirs or other.folded in ours:
        return False
    return SequenceMatcher(None, title.folded, other.folded).ratio() >= ALIKE


def different(catalogues: Iterable[Catalogue]) -> frozenset[tuple[str, str, str]]:
    """Names with each two kinds that stand side by side in a release: different things."""
    return frozenset(
        (name, one.kind, two.kind)
        for catalogue in catalogues for name, places in catalogue.names.items()
        for one in places for two in places if one.kind != two.kind
    )


def entry(
    anchor: str, here: Catalogue, other: Catalogue, different: frozenset[tuple[str, str, str]]
) -> Place | None:
    """The counterpart in `other` of the entry of `here` at `anchor`, or None.

    It is the one of the same kind with the same name, else with another of its names.
    An entry of another kind is one only where the name has one meaning in both, and the
    two kinds are not `different` things of that name in any release.
    """
    known = here.known[anchor]
    twin = other.known.get(anchor)
    if twin and (twin.kind, twin.names[0]) == (known.kind, known.names[0]):
        return Place(twin.kind, anchor, twin.section, twin.deprecated)
    for name in known.names:
        if place := other.entries.get((known.kind, name)):
            return place
    return next(_renamed(known, here, other, different), None)


def _renamed(
    known: Known, here: Catalogue, other: Catalogue, different: frozenset[tuple[str, str, str]]
) -> Iterator[Place]:
    """Entries of other kinds that `known` may be, the names of its rules before its own."""
    for name in (*known.names[1:], known.names[0]):
        places = other.names.get(name, ())
        alone = len(places) == 1 and len(here.names.get(name, ())) == 1
        if alone and (name, known.kind, places[0].kind) not in different:
            yield places[0]


def around(anchor: str, here: Catalogue, other: Catalogue) -> tuple[str, Place] | None:
    """The entry of `other` that speaks of `anchor` among other things, with its name, or None.

    It is the one whose name is the longest beginning of a name of ours: what is the entry
    `http-request deny` here may stand under `http-request` there.
    """
    known = here.known[anchor]
    for name in known.names:
        words = name.split()
        for length in range(len(words) - 1, 0, -1):
            shorter = " ".join(words[:length])
            places = other.names.get(shorter, ())
            if len(places) == 1 and shorter not in known.names:
                if shorter in here.rules or places[0].kind == known.kind:
                    return shorter, places[0]
                break
    return None
