"""Where the same entry or section is in another release of the product.

An entry is the same in two releases if its kind and name are, wherever it is; a section if its
title is, whatever its number.  The page of a section and the card of an entry link to these
places, and `matching` pairs whole releases by them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TypeAlias, TypeVar

from dconv.linking.outline import EntryPlace, EntryRecord, Outline, Outlines, SectionRecord
from dconv.model.values import dataclass

MIN_SIMILARITY = 0.6  # how much two titles of one number share where one is the other, reworded
MIN_TITLE_WORDS = 2  # a title with fewer ("Introduction") may be of anything in another document

# a name and two kinds that have it side by side in one release
DistinctKinds: TypeAlias = "frozenset[tuple[str, str, str]]"
Title = TypeVar("Title", str, tuple[str, str])


@dataclass(frozen=True, slots=True)
class ReleasePair:
    """Two releases: counterparts of what is in the `current` one are looked for in the `other` one.

    Entries of kinds that are in `distinct_kinds` for a name are never the same entry.
    """

    current: Outlines
    other: Outlines
    distinct_kinds: DistinctKinds

    def swapped(self) -> ReleasePair:
        """The same releases, the other way round."""
        return ReleasePair(self.other, self.current, self.distinct_kinds)


@dataclass(frozen=True, slots=True)
class SectionMatch:
    """The counterpart of a section: the index of one of `document`, -1 for the document's home.

    `exact` is false if the section itself is not there and this is the nearest place;
    `document` is empty if not even the document is there.
    """

    document: str
    section_index: int
    exact: bool


def distinct_kinds(outlines: Iterable[Outline]) -> DistinctKinds:
    """The names of `outlines` that entries of two kinds have in one document."""
    return frozenset(
        (name, place.entry.kind, other.entry.kind)
        for outline in outlines for name, places in outline.by_name.items()
        for place in places for other in places if place.entry.kind != other.entry.kind
    )


def matching_entry(document: str, anchor: str, pair: ReleasePair) -> EntryPlace | None:
    """The counterpart of the entry `anchor` of `document`, or None.

    An entry in the same document is preferred; else it is the only one of the same kind and name
    in another document, unless another document of the current release has such an entry, too:
    then that one is its counterpart.
    """
    current = pair.current[document]
    entry = current.entries[anchor]
    if document in pair.other and (
        counterpart := _in_document(entry, current, pair.other[document], pair.distinct_kinds)
    ):
        return counterpart
    key = (entry.kind, entry.name)
    if any(
        key in outline.by_kind_and_name
        for name, outline in pair.current.items() if name != document
    ):
        return None
    counterparts = [
        _namesake(entry, current, outline) or outline.by_kind_and_name[key]
        for name, outline in pair.other.items()
        if name != document and key in outline.by_kind_and_name
    ]
    return counterparts[0] if len(counterparts) == 1 else None


def _in_document(
    entry: EntryRecord, current: Outline, other: Outline, distinct_kinds: DistinctKinds
) -> EntryPlace | None:
    """The entry of `other` with the kind and the name of `entry`, else with another of its names.

    An entry of another kind is one only if the name has one meaning in both, and the two
    kinds are not in `distinct_kinds` for it.
    """
    if namesake := _namesake(entry, current, other):
        return namesake
    for name in entry.names:
        if place := other.by_kind_and_name.get((entry.kind, name)):
            return place
    return _of_another_kind(entry, current, other, distinct_kinds)


def _namesake(entry: EntryRecord, current: Outline, other: Outline) -> EntryPlace | None:
    """The entry of `other` with the kind and the own name of `entry`, or None.

    If there are several (`show sess`), it is the one with the same anchor; those without
    such a namesake are matched in source order.
    """
    key = (entry.kind, entry.name)
    namesake = other.entries.get(entry.anchor)
    if namesake and (namesake.kind, namesake.name) == key:
        return EntryPlace(other.document, namesake.anchor, namesake)
    current_namesakes, other_namesakes = current.namesakes[key], other.namesakes.get(key, ())
    if not other_namesakes:
        return None
    current_anchors = {namesake.anchor for namesake in current_namesakes}
    other_anchors = {namesake.anchor for namesake in other_namesakes}
    unmatched = [namesake for namesake in other_namesakes if namesake.anchor not in current_anchors]
    current_order = [
        namesake.anchor for namesake in current_namesakes if namesake.anchor not in other_anchors
    ]
    index = current_order.index(entry.anchor)
    if index >= len(unmatched):
        return None
    return EntryPlace(other.document, unmatched[index].anchor, unmatched[index])


def _of_another_kind(
    entry: EntryRecord, current: Outline, other: Outline, distinct_kinds: DistinctKinds
) -> EntryPlace | None:
    """The entry of another kind that `entry` may be, or None.

    It has a name of `entry` that no other entry of `current` or `other` has; names with the words
    of a rule ("http-request deny") are tried before the own name ("deny").  If `other` has an
    entry of the same kind with the own name of `entry`, it is that, unless `current` has one, too.
    """
    own_name, *others = entry.names
    for name in (*others, own_name):
        places = other.by_name.get(name, ())
        is_unique = len(places) == 1 and len(current.by_name.get(name, ())) == 1
        if is_unique and (name, entry.kind, places[0].entry.kind) not in distinct_kinds:
            kind = places[0].entry.kind
            if (kind, own_name) in current.by_kind_and_name:
                return places[0]
            return other.by_kind_and_name.get((kind, own_name), places[0])
    return None


def containing_entry(
    document: str, anchor: str, pair: ReleasePair
) -> tuple[str, EntryPlace] | None:
    """The name and the place of the entry that describes `anchor` among other things, or None.

    Its name is the longest beginning of a name of the current entry: what is the entry
    `http-request deny` in one release may be a part of `http-request` in the other.
    """
    if document not in pair.other:
        return None
    current, other = pair.current[document], pair.other[document]
    entry = current.entries[anchor]
    for name in entry.names:
        words = name.split()
        for length in range(len(words) - 1, 0, -1):
            start = " ".join(words[:length])
            places = other.by_name.get(start, ())
            if len(places) == 1 and start not in entry.names:
                if start in current.rule_words or places[0].entry.kind == entry.kind:
                    return start, places[0]
                break
    return None


def matching_sections(document: str, pair: ReleasePair) -> tuple[SectionMatch, ...]:
    """The counterpart of each section of `document`, or the nearest place there is.

    A section that the same document does not have by its title is the section that most of its
    entries are in, else the only one with its title in another document.
    """
    current = pair.current[document]
    if document in pair.other:
        same_document = _match_by_titles(current, pair.other[document])
    else:
        same_document = [SectionMatch("", -1, False) for _ in current.sections]
    matched_sections = {
        (match.document, match.section_index) for match in same_document if match.exact
    }
    matches: list[SectionMatch] = []
    for index, match in enumerate(same_document):
        parent = current.sections[index].parent_index
        nearest = matches[parent] if parent >= 0 else match
        matches.append(
            match if match.exact else
            _by_entries(index, document, pair, matched_sections)
            or _by_title(index, document, pair)
            or replace(nearest, exact=False)
        )
    return tuple(matches)


def _match_by_titles(current: Outline, other: Outline) -> list[SectionMatch]:
    """For each section of `current` its counterpart in `other`, by titles and numbers.

    The first that fits decides: the title below the same title; the title, if both have it
    once; the number with a similar title, if neither title is on the other side.
    """
    namesakes = _indexes(_titles(other))
    pairs = _pairs_by_titles(current, other)
    current_titles = _indexes(record.title_key for record in current.sections)
    other_titles = _indexes(record.title_key for record in other.sections)
    numbers = {record.number: index for index, record in enumerate(other.sections) if record.number}
    matches: list[SectionMatch] = []
    for index, (record, titles) in enumerate(zip(current.sections, _titles(current), strict=True)):
        same_title = other_titles.get(record.title_key, [])
        same_number = numbers.get(record.number, -1)
        if index in pairs:
            counterpart = pairs[index]
        elif same_titles := namesakes.get(titles):
            counterpart = same_titles[0]
        elif len(same_title) == 1 and len(current_titles[record.title_key]) == 1:
            counterpart = same_title[0]
        elif same_number >= 0 and _is_reworded(
            record, other.sections[same_number], current_titles, other_titles
        ):
            counterpart = same_number
        else:
            counterpart = -1
        matches.append(SectionMatch(other.document, counterpart, counterpart >= 0))
    return matches


def _pairs_by_titles(current: Outline, other: Outline) -> dict[int, int]:
    """Pairs of the indexes of sections with the same title below the same title.

    Of several, those with the same number are pairs; the others are matched in order.
    """
    pairs: dict[int, int] = {}
    namesakes = _indexes(_titles(other))
    for titles, current_indexes in _indexes(_titles(current)).items():
        unmatched = list(namesakes.get(titles, []))
        rest: list[int] = []
        for index in current_indexes:
            number = current.sections[index].number
            same_numbers = [
                candidate for candidate in unmatched
                if number and other.sections[candidate].number == number
            ]
            if same_numbers:
                unmatched.remove(same_numbers[0])
                pairs[index] = same_numbers[0]
            else:
                rest.append(index)
        pairs.update(zip(rest, unmatched, strict=False))
    return pairs


def _titles(outline: Outline) -> Iterator[tuple[str, str]]:
    """The title of each section and that of its parent, to compare."""
    for record in outline.sections:
        index = record.parent_index
        yield record.title_key, outline.sections[index].title_key if index >= 0 else ""


def _indexes(titles: Iterable[Title]) -> dict[Title, list[int]]:
    """The indexes of each of `titles`."""
    indexes: dict[Title, list[int]] = {}
    for index, title in enumerate(titles):
        indexes.setdefault(title, []).append(index)
    return indexes


def _is_reworded(
    current: SectionRecord, other: SectionRecord, current_titles: dict[str, list[int]],
    other_titles: dict[str, list[int]],
) -> bool:
    """Whether `other`, which has the number of `current`, is the same section with a new title."""
    if current.title_key in other_titles or other.title_key in current_titles:
        return False
    return SequenceMatcher(None, current.title_key, other.title_key).ratio() >= MIN_SIMILARITY


def _by_entries(
    index: int, document: str, pair: ReleasePair, matched_sections: set[tuple[str, int]]
) -> SectionMatch | None:
    """The section that more than half of the entries of the section `index` are in.

    Of those of its entries in the `current` release, most must be in the section `index`, too.
    """
    anchors = _anchors(pair.current[document], index)
    counterpart = _most_common(anchors, document, pair, len(anchors))
    if counterpart is None or counterpart in matched_sections:
        return None
    name, section = counterpart
    if _most_common(_anchors(pair.other[name], section), name, pair.swapped()) != (document, index):
        return None
    return SectionMatch(name, section, True)


def _anchors(outline: Outline, section_index: int) -> list[str]:
    return [
        anchor for anchor, entry in outline.entries.items()
        if entry.section_index == section_index
    ]


def _most_common(
    anchors: list[str], document: str, pair: ReleasePair, total: int = 0
) -> tuple[str, int] | None:
    """The document and section with more than half of `total`, or of the matched `anchors`."""
    places = [place for anchor in anchors if (place := matching_entry(document, anchor, pair))]
    if not places:
        return None
    counts = Counter((place.document, place.entry.section_index) for place in places)
    best, count = counts.most_common(1)[0]
    return best if 2 * count > (total or len(places)) else None


def _by_title(index: int, document: str, pair: ReleasePair) -> SectionMatch | None:
    """The section with the title of `index`, if one other document alone has it, once."""
    title = pair.current[document].sections[index].title_key
    if len(title.split()) < MIN_TITLE_WORDS or any(
        record.title_key == title
        for name, outline in pair.current.items() if name != document
        for record in outline.sections
    ):
        return None
    matches = [
        SectionMatch(name, other_index, True)
        for name, outline in pair.other.items() if name != document
        for other_index, record in enumerate(outline.sections) if record.title_key == title
    ]
    return matches[0] if len(matches) == 1 else None
