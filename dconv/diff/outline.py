"""Which section of one state is which of the other, and what became of their texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from dconv.diff.inventory import Inventory
from dconv.diff.passages import passages
from dconv.diff.types import Change, Changed, Place, Run, Subject
from dconv.diff.wording import rewording
from dconv.model.tree import Block
from dconv.writers.pages import counterparts, moves

Key: TypeAlias = "tuple[str, int]"  # a document and a section, counted in source order


@dataclass(frozen=True, slots=True)
class Outline:
    """Sections from old to new, and those that the other side has not."""

    pairs: Mapping[Key, Key]
    added: tuple[Key, ...]
    removed: tuple[Key, ...]


def outline(old: Inventory, new: Inventory) -> Outline:
    """The sections of `old` and `new` matched, one to one.

    Where several mean one, the first whose counterpart means it too is the one.
    """
    before, after = old.known.documents, new.known.documents
    different = counterparts.different((*before.values(), *after.values()))
    forth = _counterparts(old, new, different)
    back = _counterparts(new, old, different)
    pairs = dict(_namesakes(old, new))
    taken = set(pairs.values())
    pairs.update({
        one: other for one, other in forth.items()
        if back.get(other) == one and one not in pairs and other not in taken
    })
    taken = set(pairs.values())
    for one, other in forth.items():
        if one not in pairs and other not in taken and other not in back:
            pairs[one] = other
            taken.add(other)
    pairs.update([*_retitled(old, new, pairs)])
    taken = set(pairs.values())
    return Outline(
        pairs,
        tuple([key for key in _keys(new) if key not in taken]),
        tuple([key for key in _keys(old) if key not in pairs]),
    )


def _namesakes(old: Inventory, new: Inventory) -> Iterator[tuple[Key, Key]]:
    """Sections that share title and parent's title with others: by number, then in order."""
    ours, theirs = _titles(old), _titles(new)
    for title, keys in ours.items():
        others = theirs.get(title, [])
        if len(keys) < 2 and len(others) < 2:
            continue
        left = list(others)
        rest: list[Key] = []
        for one in keys:
            number = old.sections[one[0]][one[1]].number
            same = [key for key in left if new.sections[key[0]][key[1]].number == number]
            if number and same:
                left.remove(same[0])
                yield one, same[0]
            else:
                rest.append(one)
        yield from zip(rest, left, strict=False)


def _titles(found: Inventory) -> dict[tuple[str, str, str], list[Key]]:
    """The sections of each document by their title and that of their parent."""
    titles: dict[tuple[str, str, str], list[Key]] = {}
    for document, catalogue in found.known.documents.items():
        for at, title in enumerate(catalogue.sections):
            above = catalogue.sections[title.parent].folded if title.parent >= 0 else ""
            titles.setdefault((document, title.folded, above), []).append((document, at))
    return titles


def _counterparts(here: Inventory, other: Inventory, different: moves.Different) -> dict[Key, Key]:
    found: dict[Key, Key] = {}
    for document in here.sections:
        near = moves.sections(document, here.known.documents, other.known.documents, different)
        for at, one in enumerate(near):
            if one.exact:
                found[document, at] = (one.document or document, one.section)
    return found


def _retitled(
    old: Inventory, new: Inventory, pairs: Mapping[Key, Key]
) -> Iterator[tuple[Key, Key]]:
    """Sections with one number and other titles, most of whose sub-sections are the same."""
    taken = set(pairs.values())
    for one in _keys(old):
        section = old.sections[one[0]][one[1]]
        if one in pairs or not (section.number and section.sections):
            continue
        for other in _keys(new):
            twin = new.sections[other[0]][other[1]]
            if other in taken or (other[0], twin.number) != (one[0], section.number):
                continue
            below = _below(new, other)
            same = [key for key in _below(old, one) if pairs.get(key) in below]
            if 2 * len(same) > len(section.sections):
                yield one, other


def _below(found: Inventory, key: Key) -> list[Key]:
    """The sub-sections of the section `key`."""
    document, at = key
    listed = found.known.documents[document].sections
    return [(document, place) for place, title in enumerate(listed) if title.parent == at]


def _keys(found: Inventory) -> Iterator[Key]:
    for document, listed in found.sections.items():
        for at in range(len(listed)):
            yield document, at


def renumbered(old: Inventory, new: Inventory, found: Outline) -> dict[tuple[str, str], str]:
    """The numbers of the new side for the sections of the old one (document and anchor)."""
    numbers: dict[tuple[str, str], str] = {}
    for (document, at), (other, place) in found.pairs.items():
        number = new.sections[other][place].number
        if number and number != old.sections[document][at].number:
            numbers[document, old.sections[document][at].anchor] = number
    return numbers


def changed(
    old: Inventory, new: Inventory, found: Outline, numbers: Mapping[tuple[str, str], str]
) -> Iterator[Changed]:
    """The sections that have another title, number, place or text."""
    for document, manual in old.manuals.items():
        if document in new.manuals:
            text = _text(manual.preface, new.manuals[document].preface, numbers)
            if text:
                yield Changed(_preface(document), _preface(document), (), text)
    for one, other in found.pairs.items():
        ours, theirs = old.sections[one[0]][one[1]], new.sections[other[0]][other[1]]
        places = (str(old.section(*one).place), str(new.section(*other).place))
        changes: list[Change] = []
        if one[0] != other[0]:
            changes.append(Change("place", *places))
        if " ".join(ours.title.split()) != " ".join(theirs.title.split()):
            changes.append(Change("title", ours.title, theirs.title))
        if ours.number != theirs.number and one[0] == other[0]:
            changes.append(Change("number", ours.number, theirs.number))
        text = _text(ours.body, theirs.body, numbers)
        if changes or text:
            yield Changed(old.section(*one), new.section(*other), tuple(changes), text)


def _text(
    old: tuple[Block, ...], new: tuple[Block, ...], numbers: Mapping[tuple[str, str], str]
) -> tuple[tuple[Run, ...], ...]:
    return rewording(list(passages(old, numbers)), list(passages(new, {})))


def _preface(document: str) -> Subject:
    return Subject("", "Preface", Place(document, "", "Preface", 1, ""))
