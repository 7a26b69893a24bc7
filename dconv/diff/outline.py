"""Which section of one state is which of the other, and what became of their texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dconv.diff.inventory import Inventory
from dconv.diff.passages import passages
from dconv.diff.types import Change, Changed, Place, Run, Subject
from dconv.diff.wording import rewording
from dconv.linking.matching import SectionMatches
from dconv.model.tree import Block


def renumbered(old: Inventory, new: Inventory, found: SectionMatches) -> dict[tuple[str, str], str]:
    """The numbers of the new side for the sections of the old one (document and anchor)."""
    numbers: dict[tuple[str, str], str] = {}
    for (document, at), (other, place) in found.pairs.items():
        number = new.sections[other][place].number
        if number and number != old.sections[document][at].number:
            numbers[document, old.sections[document][at].anchor] = number
    return numbers


def changed(
    old: Inventory, new: Inventory, found: SectionMatches, numbers: Mapping[tuple[str, str], str]
) -> Iterator[Changed]:
    """The sections that have another title, number, place or text."""
    for document, manual in old.manuals.items():
        if document in new.manuals:
            text = _text(manual.preface, new.manuals[document].preface, numbers)
            if text:
                yield Changed(_preface(document), _preface(document), (), text)
    for one, other in found.pairs.items():
        ours, theirs = old.sections[one[0]][one[1]], new.sections[other[0]][other[1]]
        places = (str(old.section(one).place), str(new.section(other).place))
        changes: list[Change] = []
        if one[0] != other[0]:
            changes.append(Change("place", *places))
        if " ".join(ours.title.split()) != " ".join(theirs.title.split()):
            changes.append(Change("title", ours.title, theirs.title))
        if ours.number != theirs.number and one[0] == other[0]:
            changes.append(Change("number", ours.number, theirs.number))
        text = _text(ours.body, theirs.body, numbers)
        if changes or text:
            yield Changed(old.section(one), new.section(other), tuple(changes), text)


def _text(
    old: tuple[Block, ...], new: tuple[Block, ...], numbers: Mapping[tuple[str, str], str]
) -> tuple[tuple[Run, ...], ...]:
    return rewording(list(passages(old, numbers)), list(passages(new, {})))


def _preface(document: str) -> Subject:
    return Subject("", "Preface", Place(document, "", "Preface", 1, ""))
