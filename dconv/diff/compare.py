"""Compare two states of manuals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import TypeAlias

from dconv.diff.entry_changes import EntryText, entry_changes, removed_suffix
from dconv.diff.manual_set import ManualSet, ManualSetIndex, index_manual_set
from dconv.diff.types import (
    Comparison,
    Element,
    ElementDiff,
    FieldChange,
    Location,
    MergeOrSplit,
    ReferenceChange,
)
from dconv.diff.word_diff import changed_passages
from dconv.linking.matching import (
    EntryKey,
    EntryMatches,
    SectionMatches,
    match_entries,
    match_sections,
)
from dconv.linking.passages import passages
from dconv.model.references import inlines
from dconv.model.tree import Block, Reference, Target
from dconv.writers.pages.changes import Segment

# document and anchor of an old section to its new number, if that differs
NewNumbers = Mapping[tuple[str, str], str]
ReferenceKey: TypeAlias = "tuple[str, str]"  # "section" or "name", and what is looked up


def compare(old: ManualSet, new: ManualSet) -> Comparison:
    """What differs in meaning from `old` to `new`; documents are identified by their names."""
    before, after = index_manual_set(old), index_manual_set(new)
    sections = match_sections(old.outlines, new.outlines)
    entries = match_entries(before.texts, after.texts)
    numbers = _new_numbers(before, after, sections)
    items_added, items_removed = _changed_items(before, after)
    return Comparison(
        old.name, new.name,
        tuple([name for name in after.manuals if name not in before.manuals]),
        tuple([name for name in before.manuals if name not in after.manuals]),
        (*[after.entry_element(key) for key in entries.added], *items_added),
        tuple(_removed(before, after, entries, items_removed)),
        tuple(_changed_entries(before, after, entries, sections, numbers)),
        tuple(_merges_and_splits(before, after, entries)),
        tuple([after.section_element(key) for key in sections.added]),
        tuple([before.section_element(key) for key in sections.removed]),
        tuple(_changed_sections(before, after, sections, numbers)),
        tuple(_references(before, after, entries, sections, items_added, items_removed)),
    )


def _removed(
    old: ManualSetIndex, new: ManualSetIndex, matches: EntryMatches, items: Sequence[Element]
) -> Iterator[Element]:
    """What was removed, with advice: by its own old text, or else by the new one."""
    advice_by_name = new.older_names()
    for key in matches.removed:
        element = old.entry_element(key)
        yield replace(element, advice=element.advice or advice_by_name.get(element.name, ""))
    for item in items:
        yield replace(item, advice=advice_by_name.get(item.name, ""))


def _changed_items(old: ManualSetIndex, new: ManualSetIndex) -> tuple[list[Element], list[Element]]:
    """The items that were added and removed, wherever they are.

    An item whose name is a signature in the same section on the other side is left out.
    """
    old_items, new_items = list(old.items()), list(new.items())
    return (
        _only_in(new_items, old_items, old.signatures()),
        _only_in(old_items, new_items, new.signatures()),
    )


def _only_in(
    items: Iterable[Element], others: Iterable[Element],
    signatures: frozenset[tuple[str, str, str]],
) -> list[Element]:
    """Those of `items` that are neither among `others` nor `signatures`, each name once."""
    names = {(item.kind, item.name) for item in others}
    only_here: dict[tuple[str, str], Element] = {}
    for item in items:
        if (item.kind, item.name) not in names and item.key not in signatures:
            only_here.setdefault((item.kind, item.name), item)
    return list(only_here.values())


def _changed_entries(
    old: ManualSetIndex, new: ManualSetIndex, matches: EntryMatches, sections: SectionMatches,
    numbers: NewNumbers,
) -> Iterator[ElementDiff]:
    texts = list(_texts(old, new, matches, numbers))
    # what signatures of rules end with, and those of their actions do not: " [ if <condition> ]"
    suffixes = Counter(
        suffix for _, _, old_text, new_text in texts
        if (suffix := removed_suffix(old_text, new_text))
    )
    suffix, count = suffixes.most_common(1)[0] if suffixes else ("", 0)
    merged_or_split = {*matches.merged.values(), *matches.split.values()}
    for old_key, new_key, old_text, new_text in texts:
        old_text = replace(old_text, rule_suffix=suffix if 2 * count > suffixes.total() else "")
        old_element, new_element = old.entry_element(old_key), new.entry_element(new_key)
        has_parts = old_key in merged_or_split or new_key in merged_or_split
        changes = [*entry_changes(old_text, new_text, has_parts)]
        renamed: tuple[str, ...] = ()
        if old_key in matches.renamed:
            renamed_element = new.entry_element(matches.renamed[old_key])
            renamed = renamed_element.names
            names = old_element.display_name, renamed_element.display_name
            changes.insert(0, FieldChange("name", *names))
        before = (old_key[0], old.texts.entry(old_key).section_index)
        after = (new_key[0], new.texts.entry(new_key).section_index)
        if sections.pairs.get(before) != after:  # it moved
            locations = str(old_element.location), str(new_element.location)
            changes.insert(0, FieldChange("place", *locations))
        text = changed_passages(old_text.passages, new_text.passages)
        if changes or text:
            yield ElementDiff(old_element, new_element, tuple(changes), text, renamed)


def _texts(
    old: ManualSetIndex, new: ManualSetIndex, matches: EntryMatches, numbers: NewNumbers
) -> Iterator[tuple[EntryKey, EntryKey, EntryText, EntryText]]:
    """The pairs with their texts; words of rules are ignored if the kinds differ."""
    rules = {
        rule for manuals in (old, new) for outline in manuals.texts.outlines.values()
        for rule in outline.rule_words
    }
    longest_first = sorted(rules, key=len, reverse=True)
    for old_key, new_key in matches.pairs.items():
        old_entry, new_entry = old.entry(old_key), new.entry(new_key)
        ignored = longest_first if old_entry.kind != new_entry.kind else []
        yield (
            old_key, new_key,
            EntryText(
                old_entry, tuple(passages(old_entry.body, numbers)), ignored,
                other_terms=cache(partial(old.terms_of_sections, old_entry)),
            ),
            EntryText(
                new_entry, tuple(passages(new_entry.body, {})), ignored,
                other_terms=cache(partial(new.terms_of_sections, new_entry)),
            ),
        )


def _merges_and_splits(
    old: ManualSetIndex, new: ManualSetIndex, matches: EntryMatches
) -> Iterator[MergeOrSplit]:
    swapped = {new_key: old_key for old_key, new_key in matches.pairs.items()}
    old_by_new, new_by_old = {**matches.split, **swapped}, {**matches.merged, **matches.pairs}
    for merged, whole_by_part, parts_side, whole_side, counterparts in (
        (True, matches.merged, old, new, old_by_new), (False, matches.split, new, old, new_by_old),
    ):
        # the counterpart of the whole is one of its parts, also if others were merged into it
        parts = {
            whole: [counterparts[whole]]
            for whole in whole_by_part.values() if whole in counterparts
        }
        for part, whole in whole_by_part.items():
            parts.setdefault(whole, []).append(part)
        for whole, keys in parts.items():
            elements = tuple([parts_side.entry_element(key) for key in keys])
            yield MergeOrSplit(merged, elements, whole_side.entry_element(whole))


def _new_numbers(
    old: ManualSetIndex, new: ManualSetIndex, matches: SectionMatches
) -> dict[tuple[str, str], str]:
    """The new numbers of the old sections that have another number now."""
    numbers: dict[tuple[str, str], str] = {}
    for old_key, new_key in matches.pairs.items():
        section, number = old.section(old_key), new.section(new_key).number
        if number and number != section.number:
            numbers[old_key[0], section.anchor] = number
    return numbers


def _changed_sections(
    old: ManualSetIndex, new: ManualSetIndex, matches: SectionMatches, numbers: NewNumbers
) -> Iterator[ElementDiff]:
    """The sections that have another title, number, place or text."""
    for document, manual in old.manuals.items():
        if document in new.manuals and (
            text := _text(manual.preface, new.manuals[document].preface, numbers)
        ):
            preface = Element("", "Preface", Location(document, "", "Preface", 1, ""))
            yield ElementDiff(preface, preface, (), text)
    for old_key, new_key in matches.pairs.items():
        old_section, new_section = old.section(old_key), new.section(new_key)
        old_element, new_element = old.section_element(old_key), new.section_element(new_key)
        changes: list[FieldChange] = []
        if old_key[0] != new_key[0]:
            locations = str(old_element.location), str(new_element.location)
            changes.append(FieldChange("place", *locations))
        if old_section.title.split() != new_section.title.split():
            changes.append(FieldChange("title", old_section.title, new_section.title))
        if old_section.number != new_section.number and old_key[0] == new_key[0]:
            changes.append(FieldChange("number", old_section.number, new_section.number))
        text = _text(old_section.body, new_section.body, numbers)
        if changes or text:
            yield ElementDiff(old_element, new_element, tuple(changes), text)


def _text(
    old: tuple[Block, ...], new: tuple[Block, ...], numbers: NewNumbers
) -> tuple[tuple[Segment, ...], ...]:
    return changed_passages(list(passages(old, numbers)), list(passages(new, {})))


def _references(
    old: ManualSetIndex, new: ManualSetIndex, entries: EntryMatches, sections: SectionMatches,
    items_added: Sequence[Element], items_removed: Sequence[Element],
) -> Iterator[ReferenceChange]:
    pairs: list[tuple[Element, Sequence[Block], Sequence[Block]]] = [
        (new.entry_element(new_key), old.entry(old_key).body, new.entry(new_key).body)
        for old_key, new_key in entries.pairs.items()
    ]
    pairs += [
        (new.section_element(new_key), old.section(old_key).prose, new.section(new_key).prose)
        for old_key, new_key in sections.pairs.items()
    ]
    pairs += [(new.entry_element(key), (), new.entry(key).body) for key in entries.added]
    pairs += [(new.section_element(key), (), new.section(key).prose) for key in sections.added]
    removed_names = _names_that_point_to(old, [*entries.removed, *_keys(items_removed)])
    added_names = _names_that_point_to(new, [*entries.added, *_keys(items_added)])
    yield from _reference_changes(pairs, removed_names, added_names)


def _keys(items: Sequence[Element]) -> list[EntryKey]:
    return [(item.location.document, item.location.anchor) for item in items]


def _reference_changes(
    pairs: Iterable[tuple[Element, Sequence[Block], Sequence[Block]]],
    removed_names: frozenset[ReferenceKey], added_names: frozenset[ReferenceKey],
) -> Iterator[ReferenceChange]:
    """References that break or are mended in `pairs`: an element, its old and its new text.

    `removed_names` point to what was removed, `added_names` to what was added: other names without
    a target are quoted words, not references.
    """
    for element, old, new in pairs:
        old_references, new_references = _references_by_key(old), _references_by_key(new)
        for key, (text, targets) in new_references.items():
            old_reference = old_references.get(key)
            is_section = key[0] == "section"
            if not targets and (old_reference is None or old_reference[1]) and (
                is_section or key in removed_names
            ):
                yield ReferenceChange("broken", text, element)
            if targets and old_reference is not None and not old_reference[1] and (
                is_section or key in added_names
            ):
                yield ReferenceChange("mended", text, element)
        for key, (text, targets) in old_references.items():
            if key[0] == "section" and not targets and key not in new_references:
                yield ReferenceChange("mended", text, element)


def _names_that_point_to(
    manuals: ManualSetIndex, entries: Iterable[EntryKey]
) -> frozenset[ReferenceKey]:
    """The names in the text of `manuals` that point to `entries` alone."""
    entry_keys = frozenset(entries)
    return frozenset(
        key for sections in manuals.sections.values() for section in sections
        for key, (_, targets) in _references_by_key(section.body).items()
        if targets and all((target.document, target.anchor) in entry_keys for target in targets)
    )


def _references_by_key(
    blocks: Sequence[Block],
) -> Mapping[ReferenceKey, tuple[str, tuple[Target, ...]]]:
    """The references of `blocks` by what they look up: the text and the targets of each."""
    references: dict[ReferenceKey, tuple[str, tuple[Target, ...]]] = {}
    for part in inlines(tuple(blocks)):
        if isinstance(part, Reference) and part.kind in ("name", "listed", "section", "marked"):
            key = ("section" if part.kind == "section" else "name", part.name)
            text, targets = references.get(key, (part.text, ()))
            references[key] = (text, targets or part.targets)
    return references
