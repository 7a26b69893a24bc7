"""What two entries that are the same say otherwise, but for the words of their texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from dconv.diff.passages import Passage, sentences
from dconv.diff.types import Aspect, Change
from dconv.linking.similarity import mentions, sequence_matcher
from dconv.model.tree import Definition, Entry, UsageKind, walk

USAGES: tuple[UsageKind, ...] = get_args(UsageKind)
ALLOWED = ("yes", "x")  # how the state of a place begins where an entry may be used
# "by default", "defaults to", "the default value since 3.3 is"
DEFAULT = re.compile(
    r"\bby default\b | \bdefaults?\ (?:values?\ |size\ )?(?:[\w.]+\ ){0,2}(?:is|are|to|of|:|=)",
    re.VERBOSE | re.IGNORECASE,
)
# what a default can be: "http", 'on', 16384, 10s, <empty>, or a word for yes and no
VALUE = re.compile(
    r"""["'`][^"'`]+["'`] | (?<![\w./-])\d[\w.]*\b | \b(?:on|off|yes|no|none|enabled|disabled|unset|
    unlimited|infinite|true|false|empty)\b""", re.VERBOSE | re.IGNORECASE,
)
# "(deprecated)", "[ EXPERIMENTAL ]"
FLAG = re.compile(r"[\[(] ?(?:deprecated|experimental) ?[\])]", re.IGNORECASE)
BRACKET = re.compile(r"(?:(?<!\s)\s+)?([\[\]{}()|])\s*")
CLOSE = 40  # characters between the word "default" and the value
NOT_TOLD = "not told"  # where a side says nothing of the places of an entry
SAME_SENTENCE = 0.6  # how much of two sentences is the same where but the value changed


@dataclass(frozen=True, slots=True)
class Text:
    """An entry with its text; what names of rules begin with is no part of its own name.

    `rules` are such words ("http-request"), empty where both sides name alike; `tail` is
    what ends each rule, and no entry for what rules do.
    """

    entry: Entry
    passages: Sequence[Passage]
    rules: Sequence[str] = ()
    tail: str = ""

    def bare(self, text: str) -> str:
        """`text`, a name or a signature, without the words of rules."""
        for rule in self.rules:
            if text.startswith(f"{rule} "):
                return text.removeprefix(f"{rule} ").removesuffix(self.tail)
        return text


def differences(old: Text, new: Text, scattered: bool = False) -> Iterator[Change]:
    """What `new` says otherwise than `old`.

    Terms are not compared where the entry is `scattered`: others were cut out of it, or
    became a part of it.
    """
    ours, theirs = old.entry, new.entry
    if old.bare(ours.name) not in [new.bare(one.name) for one in theirs.signatures]:
        yield Change("name", ours.name, theirs.name)
    if ours.kind != theirs.kind:
        yield Change("kind", ours.kind, theirs.kind)
    yield from _status("deprecated", ours.deprecated, theirs.deprecated)
    yield from _status("experimental", ours.experimental, theirs.experimental)
    yield from _signatures(old, new)
    yield from _types(ours, theirs)
    yield from _places(ours, theirs)
    yield from _defaults(old.passages, new.passages)
    if not scattered:
        yield from _arguments(old, new)


def _status(aspect: Aspect, old: bool, new: bool) -> Iterator[Change]:
    if old != new:
        yield Change(aspect, aspect if old else "", aspect if new else "")


# --- signatures -----------------------------------------------------------------------


def _signatures(old: Text, new: Text) -> Iterator[Change]:
    """Signatures that changed, came or went: those of one name belong together."""
    known = {_tight(old.bare(one.text)) for one in old.entry.signatures}
    kept = {_tight(new.bare(one.text)) for one in new.entry.signatures}
    ours = [one for one in old.entry.signatures if _tight(old.bare(one.text)) not in kept]
    theirs = [one for one in new.entry.signatures if _tight(new.bare(one.text)) not in known]
    alone = len(ours) == len(theirs) == 1
    for one in ours:
        like = [
            other for other in theirs
            if alone or (new.bare(other.name), other.negated) == (old.bare(one.name), one.negated)
        ]
        twin = max(like, key=lambda other: _alike(one.text, other.text), default=None)
        if twin is not None:
            theirs.remove(twin)
        change = Change("signature", old.bare(one.text), new.bare(twin.text) if twin else "")
        if not (twin and _told_already(change, old.entry, new.entry)):
            yield change
    for other in theirs:
        yield Change("signature", "", new.bare(other.text))


def _told_already(change: Change, old: Entry, new: Entry) -> bool:
    """Whether signatures differ by flags alone, and the status of the entry says the same."""
    status = (old.deprecated, old.experimental) != (new.deprecated, new.experimental)
    return status and FLAG.sub("", change.old).split() == FLAG.sub("", change.new).split()


def _tight(signature: str) -> str:
    """`signature` without the blanks around brackets, which mean nothing."""
    return BRACKET.sub(r"\1", signature)


def ending(old: Text, new: Text) -> str:
    """What stands behind the old signature that the new one has not: " [ if <condition> ]"."""
    if len(old.entry.signatures) != 1 or len(new.entry.signatures) != 1:
        return ""
    before, after = old.bare(old.entry.signatures[0].text), new.bare(new.entry.signatures[0].text)
    return before.removeprefix(after) if before.startswith(after) else ""


# --- places and types -----------------------------------------------------------------


def _types(old: Entry, new: Entry) -> Iterator[Change]:
    """Types that a table of all samples tells: where both sides have them."""
    ours, theirs = _columns(old), _columns(new)
    for column, value in ours.items():
        if column in theirs and theirs[column] != value:
            yield Change("type", f"{column}: {value}", f"{column}: {theirs[column]}")


def _columns(entry: Entry) -> dict[str, str]:
    return {fact.name: fact.values[0][0] for fact in entry.facts if fact.name not in USAGES}


def _places(old: Entry, new: Entry) -> Iterator[Change]:
    """Where an entry may be used, and where not any more."""
    ours, theirs = _uses(old), _uses(new)
    for kind in USAGES:
        if kind in ours and kind in theirs:
            gone = ", ".join([place for place in ours[kind] if place not in theirs[kind]])
            come = ", ".join([place for place in theirs[kind] if place not in ours[kind]])
        else:
            gone = ", ".join(ours[kind]) if kind in ours else NOT_TOLD
            come = ", ".join(theirs[kind]) if kind in theirs else NOT_TOLD
        if gone != come:
            yield Change(kind, gone, come)


def _uses(entry: Entry) -> Mapping[UsageKind, Mapping[str, str]]:
    """The places where `entry` may be used, by kind; its own word before that of a table."""
    told = [(usage.kind, usage.values) for usage in entry.usages]
    told += [
        (kind, fact.values) for fact in entry.facts for kind in USAGES
        if fact.name == kind and kind not in [usage.kind for usage in entry.usages]
    ]
    found: dict[UsageKind, dict[str, str]] = {}
    for kind, values in told:
        allowed = found.setdefault(kind, {})
        for place, state in values:
            if state.casefold().startswith(ALLOWED):
                shown = f"{place} (named)" if "(!)" in state else place
                allowed[place if kind == "default-server" else shown] = state
    return found


# --- defaults and arguments -----------------------------------------------------------


def _defaults(old: Sequence[Passage], new: Sequence[Passage]) -> Iterator[Change]:
    """Sentences that tell another default than before, or one where there was none."""
    ours, theirs = _told_defaults(old), _told_defaults(new)
    left = [one for one in theirs if one not in ours]
    for one in ours:
        if one in theirs:
            continue
        best = max(left, key=lambda other: _alike(one, other), default="")
        if best and _alike(one, best) >= SAME_SENTENCE:
            left.remove(best)
            if default(one) != default(best):
                yield Change("default", one, best)
    if not ours:
        for other in left:
            if _behind(other):
                yield Change("default", "", other)


def _told_defaults(text: Sequence[Passage]) -> list[str]:
    return [one for one in sentences(text) if default(one)]


def default(sentence: str) -> str:
    """The default that `sentence` tells, empty where it tells none.

    It is the first value close behind the word, else the last one close before it.
    """
    found = DEFAULT.search(sentence)
    if found is None:
        return ""
    before = VALUE.findall(sentence[max(0, found.start() - CLOSE) : found.start()])
    return _behind(sentence) or (str(before[-1]) if before else "")


def _behind(sentence: str) -> str:
    """The first value close behind the word "default"."""
    found = DEFAULT.search(sentence)
    value = VALUE.search(sentence[found.end() : found.end() + CLOSE]) if found else None
    return value[0] if value else ""


def _alike(one: str, other: str) -> float:
    return sequence_matcher(one.split(), other.split()).ratio()


def _arguments(old: Text, new: Text) -> Iterator[Change]:
    """Terms that the body defines: those that the other side does not even mention."""
    ours, theirs = _terms(old.entry), _terms(new.entry)
    before, after = _joined(old), _joined(new)
    for name in ours:
        if name not in theirs and not mentions(after, name):
            yield Change("argument", name, "")
    for name in theirs:
        if name not in ours and not mentions(before, name):
            yield Change("argument", "", name)


def _terms(entry: Entry) -> list[str]:
    return list(dict.fromkeys(
        term.name for node in walk(entry.body) if isinstance(node, Definition)
        for term in node.terms if term.name
    ))


def _joined(text: Text) -> str:
    signatures = [one.text for one in text.entry.signatures]
    return " ".join([*signatures, *[str(passage) for passage in text.passages]])
