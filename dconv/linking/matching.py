"""Match all entries and sections of two releases, one to one.

`counterparts` finds the place of one thing in another release.  Here both directions are
taken together: two entries that are each other's counterpart are a pair, several with one
counterpart were merged or split, and only what has none was added or removed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias, TypeVar

from dconv.linking.counterparts import (
    ReleasePair,
    containing_entry,
    distinct_kinds,
    matching_entry,
    matching_sections,
)
from dconv.linking.outline import EntryRecord, Outline, Outlines
from dconv.linking.similarity import has_word, sequence_matcher
from dconv.model.values import dataclass

# an entry with another name is the same if it shares enough of its text
MIN_WORDS = 10  # of a text that identifies an entry
MAX_WORDS = 2000  # of a text that is worth the time
MIN_SHARED_WORDS = 0.6  # of its different words, before the texts are compared
MIN_SHARED_WORDS_IF_REPLACED = 0.4  # where another text replaced the one name by the other
MIN_SIMILARITY = 0.75  # of both texts
MIN_SIMILARITY_OF_SAME_ENDS = 0.6  # where names end alike: "tune.fe.max-idle" and "tune.max-idle"

# a word, or a quoted name of several
WORD_OR_QUOTED = re.compile(r"\(*(?:\"\w[^\"]{1,80}\"|'\w[^']{1,80}'|`\w[^`]{1,80}`)\S*|\S+")

EntryKey: TypeAlias = "tuple[str, str]"  # a document and the anchor of an entry
SectionKey: TypeAlias = "tuple[str, int]"  # a document and the index of a section
Key = TypeVar("Key", EntryKey, SectionKey)


# --- entries --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EntryMatches:
    """`pairs` from old to new entries.

    `merged` maps old entries, and `split` new ones, to the entry of the other side that
    describes them among others; `added` and `removed` have no place on the other side.  `renamed`
    maps old entries that are still there, but deprecated, to the `added` ones that replace them.
    """

    pairs: Mapping[EntryKey, EntryKey]
    merged: Mapping[EntryKey, EntryKey]
    split: Mapping[EntryKey, EntryKey]
    added: tuple[EntryKey, ...]
    removed: tuple[EntryKey, ...]
    renamed: Mapping[EntryKey, EntryKey] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EntryTexts:
    """The outlines of a release, and `text`, which returns the text of an entry on one line."""

    outlines: Outlines
    text: Callable[[EntryKey], str]

    def entry(self, key: EntryKey) -> EntryRecord:
        """The record of the entry `key`."""
        return self.outlines[key[0]].entries[key[1]]

    def entry_keys(self) -> Iterator[EntryKey]:
        """All entries, in source order."""
        for document, outline in self.outlines.items():
            for anchor in outline.entries:
                yield document, anchor


def match_entries(old: EntryTexts, new: EntryTexts) -> EntryMatches:
    """The entries of the releases `old` and `new`, matched."""
    pair = _pair(old.outlines, new.outlines)
    old_to_new, new_to_old = _entry_counterparts(pair), _entry_counterparts(pair.swapped())
    pairs = _mutual_pairs(old_to_new, new_to_old)
    merged, removed = _unpaired(old, new, pair, old_to_new, frozenset(pairs))
    split, added = _unpaired(new, old, pair.swapped(), new_to_old, frozenset(pairs.values()))
    _pair_longest(pairs, merged, old)
    _merge_rules(removed, added, old, new, merged)
    _add_pairs(_same_texts(removed, added, old, new), removed, added, pairs)
    # entries that are deprecated now, and the added ones that have their texts
    newly_deprecated = _newly_deprecated(pairs, old, new)
    renamed = dict(_same_texts(newly_deprecated, added, old, new))
    matched = {**pairs, **renamed}
    _add_pairs(_replaced_names(removed, added, old, new, matched), removed, added, pairs)
    deprecated = [key for key in _newly_deprecated(pairs, old, new) if key not in renamed]
    renamed.update(_replaced_names(deprecated, added, old, new, matched))
    # an entry that contains what had its own ("http-request") is not new, and vice versa
    _move_into_containers(added, removed, old, new, merged)
    _move_into_containers(removed, added, new, old, split)
    return EntryMatches(
        pairs, merged, split,
        tuple([key for key in added if key not in merged.values()]),
        tuple([key for key in removed if key not in split.values()]),
        renamed,
    )


def _pair(old: Outlines, new: Outlines) -> ReleasePair:
    return ReleasePair(old, new, distinct_kinds([*old.values(), *new.values()]))


def _entry_counterparts(pair: ReleasePair) -> dict[EntryKey, EntryKey]:
    """The counterpart of each entry here that has one."""
    return {
        (document, anchor): (place.document, place.entry.anchor)
        for document, outline in pair.current.items() for anchor in outline.entries
        if (place := matching_entry(document, anchor, pair))
    }


def _mutual_pairs(old_to_new: Mapping[Key, Key], new_to_old: Mapping[Key, Key]) -> dict[Key, Key]:
    """The pairs of those that are each other's counterpart."""
    return {old: new for old, new in old_to_new.items() if new_to_old.get(new) == old}


def _unpaired(
    entry_texts: EntryTexts, other_texts: EntryTexts, pair: ReleasePair,
    counterparts: Mapping[EntryKey, EntryKey], paired: frozenset[EntryKey],
) -> tuple[dict[EntryKey, EntryKey], list[EntryKey]]:
    """The entries of `entry_texts` in no pair: parts of one of `other_texts`, and all the rest."""
    parts: dict[EntryKey, EntryKey] = {}
    remaining: list[EntryKey] = []
    for key in entry_texts.entry_keys():
        if key not in paired:
            if container := counterparts.get(key) or _containing(key, other_texts, pair):
                parts[key] = container
            else:
                remaining.append(key)
    return parts, remaining


def _containing(key: EntryKey, other: EntryTexts, pair: ReleasePair) -> EntryKey | None:
    """The entry of `other` that contains `key` by its name, and mentions it in its text."""
    match = containing_entry(*key, pair)
    if match is None:
        return None
    name_start, container = match
    container_key = (container.document, container.entry.anchor)
    names = pair.current[key[0]].entries[key[1]].names
    text = other.text(container_key)
    is_mentioned = any(has_word(text, name) for name in names) or any(
        has_word(text, name.removeprefix(f"{name_start} ")) for name in names
    )
    return container_key if is_mentioned else None


def _pair_longest(
    pairs: dict[EntryKey, EntryKey], merged: dict[EntryKey, EntryKey], old: EntryTexts
) -> None:
    """Of several old entries that were merged, pair the one with the longest text.

    The others often only refer to it.
    """
    groups: dict[EntryKey, list[EntryKey]] = {}
    for old_key, new_key in (*pairs.items(), *merged.items()):
        groups.setdefault(new_key, []).append(old_key)
    for old_key, new_key in list(pairs.items()):
        kind = old.entry(old_key).kind
        same_kind = [key for key in groups[new_key] if old.entry(key).kind == kind]
        longest = max(same_kind, key=lambda key: len(old.text(key)))
        if longest != old_key and len(old.text(longest)) > 2 * len(old.text(old_key)):
            del pairs[old_key], merged[longest]
            pairs[longest] = new_key
            merged[old_key] = new_key


def _merge_rules(
    removed: list[EntryKey], added: list[EntryKey], old: EntryTexts, new: EntryTexts,
    merged: dict[EntryKey, EntryKey],
) -> None:
    """Merge removed rules ("http-request deny") into the added entry of their action ("deny").

    Actions whose text states where they may be used were already matched by name.
    """
    for key in list(removed):
        document = key[0]
        if document not in new.outlines:
            continue
        name = old.entry(key).name
        actions = {
            name.removeprefix(f"{rule} ") for rule in new.outlines[document].rule_words
            if name.startswith(f"{rule} ")
        }
        matches = [
            other for other in (*added, *merged.values())
            if other[0] == document and new.entry(other).name in actions
            and len(new.entry(other).names) == 1
        ]
        if matches:
            removed.remove(key)
            merged[key] = matches[0]


def _add_pairs(
    renamed: Iterable[tuple[EntryKey, EntryKey]], removed: list[EntryKey], added: list[EntryKey],
    pairs: dict[EntryKey, EntryKey],
) -> None:
    """Move each of `renamed` from `removed` and `added` to `pairs`; no new entry gets two."""
    for key, other in renamed:
        if other in added:
            removed.remove(key)
            added.remove(other)
            pairs[key] = other


def _newly_deprecated(
    pairs: Mapping[EntryKey, EntryKey], old: EntryTexts, new: EntryTexts
) -> list[EntryKey]:
    return [
        key for key, other in pairs.items()
        if new.entry(other).deprecated and not old.entry(key).deprecated
    ]


def _replaced_names(
    keys: Sequence[EntryKey], added: Sequence[EntryKey], old: EntryTexts, new: EntryTexts,
    matched: Mapping[EntryKey, EntryKey],
) -> list[tuple[EntryKey, EntryKey]]:
    """The old `keys` whose name another text replaced by that of one of `added`.

    Both are of one kind and document and share words.  The texts of the pairs `matched`
    are compared; the new entries of these replace nothing else.  What the new text of a key itself
    names counts more than what other texts do.
    """
    taken = set(matched.values())
    sources = {name: key for key in keys for name in old.entry(key).names}
    targets = {name: key for key in added if key not in taken for name in new.entry(key).names}
    replaced: dict[EntryKey, Counter[EntryKey]] = {}
    for old_key, new_key in matched.items() if sources and targets else ():
        old_text = old.text(old_key)
        if not any(f"{mark}{name}{mark}" in old_text for name in sources for mark in "\"'`"):
            continue
        old_words = WORD_OR_QUOTED.findall(old_text)
        new_words = WORD_OR_QUOTED.findall(new.text(new_key))
        for tag, old_start, old_end, new_start, new_end in sequence_matcher(
            old_words, new_words
        ).get_opcodes():
            before = {
                key for word in old_words[old_start:old_end]
                if (key := sources.get(_unquoted(word)))
            }
            after = {
                key for word in new_words[new_start:new_end]
                if (key := targets.get(_unquoted(word)))
            }
            if tag == "replace" and len(before) == len(after) == 1:
                replaced.setdefault(before.pop(), Counter()).update(after)
    for key in keys:
        words = WORD_OR_QUOTED.findall(new.text(matched[key])) if key in matched else []
        if own := [targets[name] for word in words if (name := _unquoted(word)) in targets]:
            replaced[key] = Counter(own)
    return [
        (key, other) for key, counts in replaced.items() for other, _ in counts.most_common(1)
        if other[0] == key[0] and new.entry(other).kind == old.entry(key).kind
        and _shared_words(old.text(key).split(), new.text(other).split())
        >= MIN_SHARED_WORDS_IF_REPLACED
    ]


def _unquoted(word: str) -> str:
    """`word` without the quotation marks and the punctuation around it."""
    return word.strip("\"'`.,;:()")


def _shared_words(words: Sequence[str], others: Sequence[str]) -> float:
    """The share of the different words of `words` that are among `others` too."""
    return len({*words} & {*others}) / len({*words}) if words else 0.0


def _same_texts(
    keys: Sequence[EntryKey], added: Sequence[EntryKey], old: EntryTexts, new: EntryTexts
) -> list[tuple[EntryKey, EntryKey]]:
    """The old `keys` for which one of `added`, of their kind and document, has nearly their text.

    The texts may differ more if the names have the same last part, and that has several words.
    The document may be another if the new name begins with the old one.
    """
    texts = {key: new.text(key).split() for key in added} if keys else {}
    same: list[tuple[EntryKey, EntryKey]] = []
    for key in keys:
        beginning = f"{old.entry(key).name} "
        words = old.text(key).split()
        if not MIN_WORDS <= len(words) <= MAX_WORDS:
            continue
        ratios = {
            other: sequence_matcher(words, texts[other]).ratio()
            for other in added
            if new.entry(other).kind == old.entry(key).kind
            and (other[0] == key[0] or new.entry(other).name.startswith(beginning))
            and len(words) < 2 * len(texts[other]) < 4 * len(words)
            and _shared_words(words, texts[other]) >= MIN_SHARED_WORDS
        }
        best = max(ratios, key=lambda other: ratios[other], default=None)
        if best is None:
            continue
        end = old.entry(key).name.rpartition(".")[2]
        is_same_end = "-" in end and new.entry(best).name.endswith(f".{end}")
        if ratios[best] >= (MIN_SIMILARITY_OF_SAME_ENDS if is_same_end else MIN_SIMILARITY):
            same.append((key, best))
    return same


def _move_into_containers(
    containers: list[EntryKey], remaining: list[EntryKey], release: EntryTexts, other: EntryTexts,
    parts: dict[EntryKey, EntryKey],
) -> None:
    """Make entries of `remaining`, in `release`, parts of the container that begins their name.

    Both are removed from their lists.
    """
    for container in list(containers):
        start = f"{other.entry(container).name} "
        inside = [
            key for key in remaining
            if key[0] == container[0] and release.entry(key).name.startswith(start)
        ]
        for key in inside:
            remaining.remove(key)
            parts[key] = container
        if inside:
            containers.remove(container)


# --- sections -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SectionMatches:
    """`pairs` from old to new sections; the other side has none for `added` and `removed`."""

    pairs: Mapping[SectionKey, SectionKey]
    added: tuple[SectionKey, ...]
    removed: tuple[SectionKey, ...]


def match_sections(old: Outlines, new: Outlines) -> SectionMatches:
    """The sections of the releases `old` and `new`, matched.

    If several sections have one counterpart, the first mutual match is its pair.
    """
    pair = _pair(old, new)
    old_to_new, new_to_old = _section_counterparts(pair), _section_counterparts(pair.swapped())
    pairs = _mutual_pairs(old_to_new, new_to_old)
    paired = set(pairs.values())
    for old_key, new_key in old_to_new.items():
        if old_key not in pairs and new_key not in paired and new_key not in new_to_old:
            pairs[old_key] = new_key
            paired.add(new_key)
    pairs.update([*_retitled(old, new, pairs)])
    paired = set(pairs.values())
    return SectionMatches(
        pairs,
        tuple([key for key in _section_keys(new) if key not in paired]),
        tuple([key for key in _section_keys(old) if key not in pairs]),
    )


def _section_counterparts(pair: ReleasePair) -> dict[SectionKey, SectionKey]:
    return {
        (document, index): (match.document, match.section_index)
        for document in pair.current
        for index, match in enumerate(matching_sections(document, pair)) if match.exact
    }


def _retitled(
    old: Outlines, new: Outlines, pairs: Mapping[SectionKey, SectionKey]
) -> Iterator[tuple[SectionKey, SectionKey]]:
    """Sections with one number and other titles, most of whose sub-sections are the same."""
    paired = set(pairs.values())
    for document, index in _section_keys(old):
        number = old[document].sections[index].number
        subsections = _subsections(old[document], index)
        if (document, index) in pairs or not (number and subsections) or document not in new:
            continue
        for new_index, record in enumerate(new[document].sections):
            if (document, new_index) in paired or record.number != number:
                continue
            candidates = {(document, child) for child in _subsections(new[document], new_index)}
            same = [child for child in subsections if pairs.get((document, child)) in candidates]
            if 2 * len(same) > len(subsections):
                yield (document, index), (document, new_index)


def _subsections(outline: Outline, index: int) -> list[int]:
    """The sub-sections of the section `index`."""
    records = enumerate(outline.sections)
    return [child for child, record in records if record.parent_index == index]


def _section_keys(outlines: Outlines) -> list[SectionKey]:
    return [
        (document, index) for document, outline in outlines.items()
        for index in range(len(outline.sections))
    ]
