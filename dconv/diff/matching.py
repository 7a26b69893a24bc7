"""Which entry of one state is which of the other: pairs, and what was merged or split.

What an entry is in another release, the site's pages know already (`dconv.writers.pages.moves`):
by kind and name, wherever it stands, else by the names of its rules.  Here both
directions are taken together: where two entries mean each other they are a pair, where
one side has several it is a merge or a split, and only what is nowhere is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from dconv.diff.matcher import matcher
from dconv.diff.passages import mentioned
from dconv.writers.pages import counterparts, moves
from dconv.writers.pages.catalogue import Catalogue, Place
from dconv.writers.pages.moves import Different, Documents

ENOUGH = 10  # words of a text that tell an entry which has another name now
MOST = 2000  # words of a text that is worth the time
SHARED = 0.6  # how many of its words the other must have to be looked at
SAME_TEXT = 0.75  # how much of the two texts is the same then

Key: TypeAlias = "tuple[str, str]"  # a document and the anchor of an entry


@dataclass(frozen=True, slots=True)
class Matched:
    """`pairs` from old to new; `merged` and `split` map the others to the one that they are
    a part of; `added` and `removed` are nowhere on the other side.
    """

    pairs: Mapping[Key, Key]
    merged: Mapping[Key, Key]
    split: Mapping[Key, Key]
    added: tuple[Key, ...]
    removed: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What a side has: its catalogues, and for the anchors of signatures their entries.

    `text` gives the words of an entry.
    """

    documents: Documents
    owners: Mapping[Key, Key]
    text: Callable[[Key], str]


def matched(ours: Known, theirs: Known) -> Matched:
    """The entries of the old side `ours` and of the new one `theirs`, matched."""
    old, new = ours.documents, theirs.documents
    different = counterparts.different((*old.values(), *new.values()))
    forth = _counterparts(ours, theirs, different)
    back = _counterparts(theirs, ours, different)
    pairs = dict(_namesakes(old, new))
    taken = frozenset(pairs.values())
    pairs.update({
        one: other for one, other in forth.items()
        if back.get(other) == one and one not in pairs and other not in taken
    })
    paired = frozenset(pairs.values())
    merged, removed = _rest(ours, theirs, forth, frozenset(pairs))
    split, added = _rest(theirs, ours, back, paired)
    _fullest(pairs, merged, ours)
    _unruled(removed, added, ours, theirs, merged)
    _renamed(removed, added, ours, theirs, pairs)
    # one that gathers what stood alone ("http-request") is not new, and the reverse
    _gather(added, removed, old, new, merged)
    _gather(removed, added, new, old, split)
    return Matched(
        pairs, merged, split,
        tuple([key for key in added if key not in merged.values()]),
        tuple([key for key in removed if key not in split.values()]),
    )


def _counterparts(here: Known, other: Known, different: Different) -> dict[Key, Key]:
    found: dict[Key, Key] = {}
    for document, catalogue in here.documents.items():
        for anchor in catalogue.known:
            place = moves.entry(anchor, document, here.documents, other.documents, different)
            if place:
                name = catalogue.known[anchor].names[0]
                target = place[1].anchor
                if (place[1].kind, name) not in catalogue.entries:
                    target = _own_name(name, place[1], other.documents[place[0]])
                found[document, anchor] = other.owners[place[0], target]
    return found


def _own_name(name: str, place: Place, other: Catalogue) -> str:
    """The anchor of `place`, or of the only entry of its kind with `name`, which is nearer."""
    same = [one for one in other.names.get(name, ()) if one.kind == place.kind]
    return same[0].anchor if len(same) == 1 else place.anchor


def _namesakes(old: Documents, new: Documents) -> Iterator[tuple[Key, Key]]:
    """Entries of one kind and name, which a document may have several of: those with one
    anchor first, the others in the order of the text.
    """
    for ours, theirs in _by_name(old, new):
        same = [key for key in ours if key in theirs]
        yield from zip(same, same, strict=True)
        left = [key for key in theirs if key not in same]
        yield from zip([key for key in ours if key not in same], left, strict=False)


def _by_name(old: Documents, new: Documents) -> Iterator[tuple[list[Key], list[Key]]]:
    """The entries of each kind and name: in each document, then in all, where one has them."""
    ours, theirs = _names(old), _names(new)
    for name, keys in ours.items():
        others = theirs.get(name, [])
        homes = dict.fromkeys(document for document, _ in keys)
        away = dict.fromkeys(document for document, _ in others)
        if len(homes) == len(away) == 1:
            yield keys, others
        else:
            for document in homes:
                yield (
                    [key for key in keys if key[0] == document],
                    [key for key in others if key[0] == document],
                )


def _names(documents: Documents) -> dict[tuple[str, str], list[Key]]:
    found: dict[tuple[str, str], list[Key]] = {}
    for document, catalogue in documents.items():
        for anchor, known in catalogue.known.items():
            found.setdefault((known.kind, known.names[0]), []).append((document, anchor))
    return found


def _rest(
    here: Known, other: Known, found: Mapping[Key, Key], paired: frozenset[Key]
) -> tuple[dict[Key, Key], list[Key]]:
    """The entries of `here` without a pair: parts of one of `other`, and those that are not."""
    parts: dict[Key, Key] = {}
    alone: list[Key] = []
    for document, catalogue in here.documents.items():
        for anchor in catalogue.known:
            key = (document, anchor)
            if key in paired:
                continue
            if one := found.get(key) or _around(key, here, other):
                parts[key] = one
            else:
                alone.append(key)
    return parts, alone


def _around(key: Key, here: Known, other: Known) -> Key | None:
    """The entry that speaks of `key` among other things, in the same document of `other`.

    It does where its text has the name, without the words that rules begin with: else
    the entry is new.
    """
    document, anchor = key
    if document not in other.documents:
        return None
    ours, theirs = here.documents[document], other.documents[document]
    place = counterparts.around(anchor, ours, theirs)
    if place is None:
        return None
    one = other.owners[document, place[1].anchor]
    names = (*ours.known[anchor].names, *[
        name.removeprefix(f"{place[0]} ") for name in ours.known[anchor].names
    ])
    text = other.text(one)
    return one if any(mentioned(name, text) for name in names) else None


def _fullest(pairs: dict[Key, Key], merged: dict[Key, Key], ours: Known) -> None:
    """Of several old entries that are one now, pair the one with the longest text.

    The others often only refer to it.
    """
    groups: dict[Key, list[Key]] = {}
    for one, other in (*pairs.items(), *merged.items()):
        groups.setdefault(other, []).append(one)
    for one, other in list(pairs.items()):
        alike = [key for key in groups[other] if _kind(key, ours) == _kind(one, ours)]
        best = max(alike, key=lambda key: len(ours.text(key)))
        if best != one and len(ours.text(best)) > 2 * len(ours.text(one)):
            del pairs[one], merged[best]
            pairs[best] = other
            merged[one] = other


def _renamed(
    removed: list[Key], added: list[Key], ours: Known, theirs: Known, pairs: dict[Key, Key]
) -> None:
    """Pair entries of one kind and document that have nearly the same text."""
    texts = {key: theirs.text(key).split() for key in added}
    for one in list(removed):
        words = ours.text(one).split()
        alike = {
            key: matcher(words, texts[key]).ratio()
            for key in added
            if key[0] == one[0] and _kind(key, theirs) == _kind(one, ours)
            and ENOUGH <= len(words) <= MOST and len(words) < 2 * len(texts[key]) < 4 * len(words)
            and len({*words} & {*texts[key]}) >= SHARED * len({*words})
        }
        best = max(alike, key=lambda key: alike[key], default=None)
        if best is not None and alike[best] >= SAME_TEXT:
            removed.remove(one)
            added.remove(best)
            pairs[one] = best


def _kind(key: Key, side: Known) -> str:
    return side.documents[key[0]].known[key[1]].kind


def _unruled(
    removed: list[Key], added: list[Key], ours: Known, theirs: Known, merged: dict[Key, Key]
) -> None:
    """Make rules that are gone ("http-request deny") parts of the entry that is new with what
    they did ("deny"), where it does not tell itself in which rules it may be used.
    """
    for one in list(removed):
        document, anchor = one
        if document not in theirs.documents:
            continue
        name = ours.documents[document].known[anchor].names[0]
        rules = theirs.documents[document].rules
        bare = {name.removeprefix(f"{rule} ") for rule in rules if name.startswith(f"{rule} ")}
        found = [
            key for key in (*added, *merged.values())
            if key[0] == document and theirs.documents[document].known[key[1]].names[0] in bare
            and len(theirs.documents[document].known[key[1]].names) == 1
        ]
        if found:
            removed.remove(one)
            merged[one] = found[0]


def _gather(
    alone: list[Key], gone: list[Key], here: Documents, other: Documents, parts: dict[Key, Key]
) -> None:
    """Make the entries `gone` from `here` whose names begin with one `alone` in `other` its
    parts; both are taken out of their lists.
    """
    for one in list(alone):
        document, anchor = one
        start = f"{other[document].known[anchor].names[0]} "
        found = [
            key for key in gone
            if key[0] == document and here[document].known[key[1]].names[0].startswith(start)
        ]
        for key in found:
            gone.remove(key)
            parts[key] = one
        if found:
            alone.remove(one)
