"""Two states of manuals to all that differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dconv.diff import facts, outline, promises
from dconv.diff.facts import Text
from dconv.diff.inventory import Inventory, Side, inventory, items
from dconv.diff.passages import passages
from dconv.diff.types import Change, Changed, Comparison, Folded, Promise, Subject
from dconv.diff.wording import rewording
from dconv.linking.matching import (
    EntryKey,
    EntryMatches,
    SectionMatches,
    match_entries,
    match_sections,
)
from dconv.model.tree import Block

Numbers = Mapping[tuple[str, str], str]


def compare(old: Side, new: Side) -> Comparison:
    """What differs in meaning from `old` to `new`; documents are known by their names."""
    before, after = inventory(old), inventory(new)
    chapters = match_sections(old.catalogues, new.catalogues)
    numbers = outline.renumbered(before, after, chapters)
    found = match_entries(before.texts, after.texts)
    come, gone = _items(before, after)
    names = [name for name in after.manuals if name not in before.manuals]
    missing = [name for name in before.manuals if name not in after.manuals]
    return Comparison(
        old.name, new.name, tuple(names), tuple(missing),
        (*[after.subject(key) for key in found.added], *come),
        (*[before.subject(key) for key in found.removed], *gone),
        tuple(_entries(before, after, found, chapters, numbers)),
        tuple(_folded(before, after, found)),
        tuple([after.section(key) for key in chapters.added]),
        tuple([before.section(key) for key in chapters.removed]),
        tuple(outline.changed(before, after, chapters, numbers)),
        tuple(_promises(before, after, found, chapters, come, gone)),
    )


def _items(old: Inventory, new: Inventory) -> tuple[list[Subject], list[Subject]]:
    """The items that came and that went, wherever they stand.

    One that a signature of the same section has on the other side is there.
    """
    ours, theirs = list(items(old)), list(items(new))
    known = {(one.kind, one.name) for one in ours}
    kept = {(one.kind, one.name) for one in theirs}
    before, after = old.signed(), new.signed()
    return (
        _once(one for one in theirs if (one.kind, one.name) not in known and one.at not in before),
        _once(one for one in ours if (one.kind, one.name) not in kept and one.at not in after),
    )


def _once(subjects: Iterator[Subject]) -> list[Subject]:
    found: dict[tuple[str, str], Subject] = {}
    for one in subjects:
        found.setdefault((one.kind, one.name), one)
    return list(found.values())


# --- entries --------------------------------------------------------------------------


def _entries(
    old: Inventory, new: Inventory, found: EntryMatches, chapters: SectionMatches, numbers: Numbers
) -> Iterator[Changed]:
    texts = list(_texts(old, new, found, numbers))
    tails = Counter(tail for _, _, ours, theirs in texts if (tail := facts.ending(ours, theirs)))
    tail, count = tails.most_common(1)[0] if tails else ("", 0)
    scattered = {*found.merged.values(), *found.split.values()}
    for one, other, ours, theirs in texts:
        ours = replace(ours, tail=tail if 2 * count > tails.total() else "")
        changes = [*facts.differences(ours, theirs, one in scattered or other in scattered)]
        if _moved(old, new, one, other, chapters):
            places = (str(old.subject(one).place), str(new.subject(other).place))
            changes.insert(0, Change("place", *places))
        text = rewording(ours.passages, theirs.passages)
        if changes or text:
            yield Changed(old.subject(one), new.subject(other), tuple(changes), text)


def _texts(
    old: Inventory, new: Inventory, found: EntryMatches, numbers: Numbers
) -> Iterator[tuple[EntryKey, EntryKey, Text, Text]]:
    """The pairs with their texts; where the kind is another, without the words of rules."""
    rules = {
        rule for one in (old, new) for catalogue in one.texts.catalogues.values()
        for rule in catalogue.rule_words
    }
    longest = sorted(rules, key=len, reverse=True)
    for one, other in found.pairs.items():
        (_, ours), (_, theirs) = old.entries[one], new.entries[other]
        left = longest if ours.kind != theirs.kind else []
        yield (
            one, other, Text(ours, tuple(passages(ours.body, numbers)), left),
            Text(theirs, tuple(passages(theirs.body, {})), left),
        )


def _moved(
    old: Inventory, new: Inventory, one: EntryKey, other: EntryKey, chapters: SectionMatches
) -> bool:
    """Whether the entry stands in another section than the one that its own became."""
    here = (one[0], old.texts.entry(one).section)
    there = (other[0], new.texts.entry(other).section)
    return chapters.pairs.get(here) != there


def _folded(old: Inventory, new: Inventory, found: EntryMatches) -> Iterator[Folded]:
    for merged, parts, here, there in (
        (True, found.merged, old, new), (False, found.split, new, old),
    ):
        groups: dict[EntryKey, list[EntryKey]] = {}
        for part, one in parts.items():
            groups.setdefault(one, []).append(part)
        for one, several in groups.items():
            subjects = tuple([here.subject(key) for key in several])
            yield Folded(merged, subjects, there.subject(one))


# --- references -----------------------------------------------------------------------


def _promises(
    old: Inventory, new: Inventory, found: EntryMatches, chapters: SectionMatches,
    come: Sequence[Subject], gone: Sequence[Subject],
) -> Iterator[Promise]:
    pairs: list[tuple[Subject, Sequence[Block], Sequence[Block]]] = [
        (new.subject(other), old.entries[one][1].body, new.entries[other][1].body)
        for one, other in found.pairs.items()
    ]
    pairs += [
        (
            new.section(other), promises.own(old.sections[one[0]][one[1]].body),
            promises.own(new.sections[other[0]][other[1]].body),
        )
        for one, other in chapters.pairs.items()
    ]
    fresh: list[tuple[Subject, Sequence[Block]]]
    fresh = [(new.subject(key), new.entries[key][1].body) for key in found.added]
    fresh += [
        (new.section(key), promises.own(new.sections[key[0]][key[1]].body))
        for key in chapters.added
    ]
    lost = promises.leading(_bodies(old), [*found.removed, *_anchors(gone)])
    won = promises.leading(_bodies(new), [*found.added, *_anchors(come)])
    yield from promises.promises(pairs, fresh, lost, won)


def _anchors(subjects: Sequence[Subject]) -> list[EntryKey]:
    return [(one.place.document, one.place.anchor) for one in subjects]


def _bodies(found: Inventory) -> Iterator[tuple[Block, ...]]:
    for listed in found.sections.values():
        for section in listed:
            yield section.body
