"""Compare two states of manuals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dconv.diff.entry_changes import EntryText, entry_changes, lost_tail
from dconv.diff.passages import passages
from dconv.diff.references import names_of, reference_changes
from dconv.diff.side import Inventory, Side, inventory
from dconv.diff.types import (
    Change,
    Changed,
    Comparison,
    Place,
    ReferenceChange,
    Regrouping,
    Subject,
)
from dconv.diff.wording import changed_passages
from dconv.linking.matching import (
    EntryKey,
    EntryMatches,
    SectionMatches,
    match_entries,
    match_sections,
)
from dconv.model.tree import Block, Entry, Section
from dconv.writers.pages.changes import Run

# document and anchor of an old section to its new number, if that differs
NewNumbers = Mapping[tuple[str, str], str]


def compare(old: Side, new: Side) -> Comparison:
    """What differs in meaning from `old` to `new`; documents are identified by their names."""
    before, after = inventory(old), inventory(new)
    sections = match_sections(old.catalogues, new.catalogues)
    entries = match_entries(before.texts, after.texts)
    numbers = _new_numbers(before, after, sections)
    items_added, items_removed = _items(before, after)
    return Comparison(
        old.name, new.name,
        tuple([name for name in after.manuals if name not in before.manuals]),
        tuple([name for name in before.manuals if name not in after.manuals]),
        (*[after.entry_subject(key) for key in entries.added], *items_added),
        (*[before.entry_subject(key) for key in entries.removed], *items_removed),
        tuple(_changed_entries(before, after, entries, sections, numbers)),
        tuple(_regrouped(before, after, entries)),
        tuple([after.section_subject(key) for key in sections.added]),
        tuple([before.section_subject(key) for key in sections.removed]),
        tuple(_changed_sections(before, after, sections, numbers)),
        tuple(_references(before, after, entries, sections, items_added, items_removed)),
    )


def _items(old: Inventory, new: Inventory) -> tuple[list[Subject], list[Subject]]:
    """The items that were added and removed, wherever they are.

    An item whose name is a signature in the same section on the other side is left out.
    """
    ours, theirs = list(old.items()), list(new.items())
    return (
        _only_in(theirs, ours, old.signatures()),
        _only_in(ours, theirs, new.signatures()),
    )


def _only_in(
    items: Iterable[Subject], others: Iterable[Subject],
    signatures: frozenset[tuple[str, str, str]],
) -> list[Subject]:
    """Those of `items` that are neither among `others` nor `signatures`, each name once."""
    names = {(item.kind, item.name) for item in others}
    alone: dict[tuple[str, str], Subject] = {}
    for item in items:
        if (item.kind, item.name) not in names and item.at not in signatures:
            alone.setdefault((item.kind, item.name), item)
    return list(alone.values())


# --- entries --------------------------------------------------------------------------


def _changed_entries(
    old: Inventory, new: Inventory, matches: EntryMatches, sections: SectionMatches,
    numbers: NewNumbers,
) -> Iterator[Changed]:
    texts = list(_texts(old, new, matches, numbers))
    tails = Counter(
        tail for _, _, ours, theirs in texts if (tail := lost_tail(ours, theirs))
    )
    tail, count = tails.most_common(1)[0] if tails else ("", 0)
    regrouped = {*matches.merged.values(), *matches.split.values()}
    for key, other, ours, theirs in texts:
        ours = replace(ours, rule_tail=tail if 2 * count > tails.total() else "")
        before, after = old.entry_subject(key), new.entry_subject(other)
        changes = [*entry_changes(ours, theirs, key in regrouped or other in regrouped)]
        if _moved(old, new, key, other, sections):
            changes.insert(0, Change("place", str(before.place), str(after.place)))
        text = changed_passages(ours.passages, theirs.passages)
        if changes or text:
            yield Changed(before, after, tuple(changes), text)


def _texts(
    old: Inventory, new: Inventory, matches: EntryMatches, numbers: NewNumbers
) -> Iterator[tuple[EntryKey, EntryKey, EntryText, EntryText]]:
    """The pairs with their texts; words of rules are ignored if the kinds differ."""
    rules = {
        rule for side in (old, new) for catalogue in side.texts.catalogues.values()
        for rule in catalogue.rule_words
    }
    longest_first = sorted(rules, key=len, reverse=True)
    for key, other in matches.pairs.items():
        ours, theirs = old.entry(key), new.entry(other)
        ignored = longest_first if ours.kind != theirs.kind else []
        yield (
            key, other, EntryText(ours, tuple(passages(ours.body, numbers)), ignored),
            EntryText(theirs, tuple(passages(theirs.body, {})), ignored),
        )


def _moved(
    old: Inventory, new: Inventory, key: EntryKey, other: EntryKey, sections: SectionMatches
) -> bool:
    """Whether the new entry is elsewhere than in the counterpart of the old one's section."""
    before = (key[0], old.texts.entry(key).section)
    after = (other[0], new.texts.entry(other).section)
    return sections.pairs.get(before) != after


def _regrouped(old: Inventory, new: Inventory, matches: EntryMatches) -> Iterator[Regrouping]:
    for merged, wholes, here, there in (
        (True, matches.merged, old, new), (False, matches.split, new, old),
    ):
        parts: dict[EntryKey, list[EntryKey]] = {}
        for part, whole in wholes.items():
            parts.setdefault(whole, []).append(part)
        for whole, keys in parts.items():
            subjects = tuple([here.entry_subject(key) for key in keys])
            yield Regrouping(merged, subjects, there.entry_subject(whole))


# --- sections -------------------------------------------------------------------------


def _new_numbers(
    old: Inventory, new: Inventory, matches: SectionMatches
) -> dict[tuple[str, str], str]:
    """The new numbers of the old sections that have another number now."""
    numbers: dict[tuple[str, str], str] = {}
    for key, other in matches.pairs.items():
        section, number = old.section(key), new.section(other).number
        if number and number != section.number:
            numbers[key[0], section.anchor] = number
    return numbers


def _changed_sections(
    old: Inventory, new: Inventory, matches: SectionMatches, numbers: NewNumbers
) -> Iterator[Changed]:
    """The sections that have another title, number, place or text."""
    for document, manual in old.manuals.items():
        if document in new.manuals:
            text = _text(manual.preface, new.manuals[document].preface, numbers)
            if text:
                preface = Subject("", "Preface", Place(document, "", "Preface", 1, ""))
                yield Changed(preface, preface, (), text)
    for key, other in matches.pairs.items():
        ours, theirs = old.section(key), new.section(other)
        before, after = old.section_subject(key), new.section_subject(other)
        changes: list[Change] = []
        if key[0] != other[0]:
            changes.append(Change("place", str(before.place), str(after.place)))
        if ours.title.split() != theirs.title.split():
            changes.append(Change("title", ours.title, theirs.title))
        if ours.number != theirs.number and key[0] == other[0]:
            changes.append(Change("number", ours.number, theirs.number))
        text = _text(ours.body, theirs.body, numbers)
        if changes or text:
            yield Changed(before, after, tuple(changes), text)


def _text(
    old: tuple[Block, ...], new: tuple[Block, ...], numbers: NewNumbers
) -> tuple[tuple[Run, ...], ...]:
    return changed_passages(list(passages(old, numbers)), list(passages(new, {})))


# --- references -----------------------------------------------------------------------


def _references(
    old: Inventory, new: Inventory, entries: EntryMatches, sections: SectionMatches,
    items_added: Sequence[Subject], items_removed: Sequence[Subject],
) -> Iterator[ReferenceChange]:
    pairs: list[tuple[Subject, Sequence[Block], Sequence[Block]]] = [
        (new.entry_subject(other), old.entry(key).body, new.entry(other).body)
        for key, other in entries.pairs.items()
    ]
    pairs += [
        (new.section_subject(other), _prose(old.section(key)), _prose(new.section(other)))
        for key, other in sections.pairs.items()
    ]
    added: list[tuple[Subject, Sequence[Block]]] = [
        (new.entry_subject(key), new.entry(key).body) for key in entries.added
    ]
    added += [(new.section_subject(key), _prose(new.section(key))) for key in sections.added]
    removed_names = names_of(_bodies(old), [*entries.removed, *_keys(items_removed)])
    added_names = names_of(_bodies(new), [*entries.added, *_keys(items_added)])
    yield from reference_changes(pairs, added, removed_names, added_names)


def _prose(section: Section) -> tuple[Block, ...]:
    """The blocks of `section` that are not entries."""
    return tuple([block for block in section.body if not isinstance(block, Entry)])


def _keys(items: Sequence[Subject]) -> list[EntryKey]:
    return [(item.place.document, item.place.anchor) for item in items]


def _bodies(side: Inventory) -> Iterator[tuple[Block, ...]]:
    for sections in side.sections.values():
        for section in sections:
            yield section.body
