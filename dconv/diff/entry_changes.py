"""The changes from an entry to its pair, except the words of their texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dconv.diff.passages import Passage, sentences
from dconv.diff.types import Aspect, Change
from dconv.linking.similarity import mentions, sequence_matcher
from dconv.model.tree import USAGES, Definition, Entry, UsageKind, allows, walk

# "by default", "defaults to", "the default value since 3.3 is"
DEFAULT = re.compile(
    r"\bby default\b | \bdefaults?\ (?:values?\ |size\ )?(?:[\w.]+\ ){0,2}(?:is|are|to|of|:|=)",
    re.VERBOSE | re.IGNORECASE,
)
# the value of a default: "http", 'on', 16384, 10s, a word for yes and no
VALUE = re.compile(
    r"""["'`][^"'`]+["'`] | (?<![\w./-])\d[\w.]*\b | \b(?:on|off|yes|no|none|enabled|disabled|unset|
    unlimited|infinite|true|false|empty)\b""", re.VERBOSE | re.IGNORECASE,
)
# "(deprecated)", "[ EXPERIMENTAL ]"
FLAG = re.compile(r"[\[(] ?(?:deprecated|experimental) ?[\])]", re.IGNORECASE)
BRACKET = re.compile(r"(?:(?<!\s)\s+)?([\[\]{}()|])\s*")
MAX_DISTANCE = 40  # characters between the word "default" and the value
NOT_STATED = "not told"  # a side that does not say where an entry may be used
SAME_SENTENCE = 0.6  # how much two sentences share if only the value differs


@dataclass(frozen=True, slots=True)
class EntryText:
    """An entry with the passages of its text.

    `rules` are words in front of names that do not count ("http-request"), none if both
    sides name entries alike; `rule_tail` is what ends each rule, and no action.
    """

    entry: Entry
    passages: Sequence[Passage]
    rules: Sequence[str] = ()
    rule_tail: str = ""

    def bare(self, text: str) -> str:
        """`text`, a name or a signature, without the words of rules."""
        for rule in self.rules:
            if text.startswith(f"{rule} "):
                return text.removeprefix(f"{rule} ").removesuffix(self.rule_tail)
        return text


def entry_changes(old: EntryText, new: EntryText, regrouped: bool = False) -> Iterator[Change]:
    """The changes from `old` to `new`.

    Arguments are not compared if the entry was `regrouped`: others were split off or
    merged into it.
    """
    ours, theirs = old.entry, new.entry
    if old.bare(ours.name) not in [new.bare(signature.name) for signature in theirs.signatures]:
        yield Change("name", ours.name, theirs.name)
    if ours.kind != theirs.kind:
        yield Change("kind", ours.kind, theirs.kind)
    yield from _status("deprecated", ours.deprecated, theirs.deprecated)
    yield from _status("experimental", ours.experimental, theirs.experimental)
    yield from _signatures(old, new)
    yield from _types(ours, theirs)
    yield from _places(ours, theirs)
    yield from _defaults(old.passages, new.passages)
    if not regrouped:
        yield from _arguments(old, new)


def _status(aspect: Aspect, old: bool, new: bool) -> Iterator[Change]:
    if old != new:
        yield Change(aspect, aspect if old else "", aspect if new else "")


# --- signatures -----------------------------------------------------------------------


def _signatures(old: EntryText, new: EntryText) -> Iterator[Change]:
    """Signatures that changed, were added or removed: those of one name belong together."""
    before = {_compact(old.bare(signature.text)) for signature in old.entry.signatures}
    after = {_compact(new.bare(signature.text)) for signature in new.entry.signatures}
    ours = [
        signature for signature in old.entry.signatures
        if _compact(old.bare(signature.text)) not in after
    ]
    theirs = [
        signature for signature in new.entry.signatures
        if _compact(new.bare(signature.text)) not in before
    ]
    alone = len(ours) == len(theirs) == 1
    for signature in ours:
        name = (old.bare(signature.name), signature.negated)
        namesakes = [
            other for other in theirs if alone or (new.bare(other.name), other.negated) == name
        ]
        twin = max(
            namesakes, key=lambda other: _ratio(signature.text, other.text), default=None
        )
        if twin is not None:
            theirs.remove(twin)
        change = Change(
            "signature", old.bare(signature.text), new.bare(twin.text) if twin else ""
        )
        if not (twin and _is_status(change, old.entry, new.entry)):
            yield change
    for other in theirs:
        yield Change("signature", "", new.bare(other.text))


def _is_status(change: Change, old: Entry, new: Entry) -> bool:
    """Whether signatures differ by a flag alone, which the status of the entry has too."""
    status = (old.deprecated, old.experimental) != (new.deprecated, new.experimental)
    return status and FLAG.sub("", change.old).split() == FLAG.sub("", change.new).split()


def _compact(signature: str) -> str:
    """`signature` without the spaces around brackets, which mean nothing."""
    return BRACKET.sub(r"\1", signature)


def lost_tail(old: EntryText, new: EntryText) -> str:
    """What the old signature has after the new one: " [ if <condition> ]", or empty."""
    if len(old.entry.signatures) != 1 or len(new.entry.signatures) != 1:
        return ""
    before, after = old.bare(old.entry.signatures[0].text), new.bare(new.entry.signatures[0].text)
    return before.removeprefix(after) if before.startswith(after) else ""


# --- places and types -----------------------------------------------------------------


def _types(old: Entry, new: Entry) -> Iterator[Change]:
    """Types from a table of all samples, if both sides have them."""
    ours, theirs = _columns(old), _columns(new)
    for column, value in ours.items():
        if column in theirs and theirs[column] != value:
            yield Change("type", f"{column}: {value}", f"{column}: {theirs[column]}")


def _columns(entry: Entry) -> dict[str, str]:
    return {fact.name: fact.values[0][0] for fact in entry.facts if fact.name not in USAGES}


def _places(old: Entry, new: Entry) -> Iterator[Change]:
    """Where an entry may be used now, and where no longer."""
    ours, theirs = _uses(old), _uses(new)
    for kind in USAGES:
        if kind in ours and kind in theirs:
            removed = ", ".join([place for place in ours[kind] if place not in theirs[kind]])
            added = ", ".join([place for place in theirs[kind] if place not in ours[kind]])
        else:
            removed = ", ".join(ours[kind]) if kind in ours else NOT_STATED
            added = ", ".join(theirs[kind]) if kind in theirs else NOT_STATED
        if removed != added:
            yield Change(kind, removed, added)


def _uses(entry: Entry) -> Mapping[UsageKind, Mapping[str, str]]:
    """The places where `entry` may be used, by kind; its own word counts before a table's."""
    usages = [(usage.kind, usage.values) for usage in entry.usages]
    own = [kind for kind, _ in usages]
    usages += [
        (kind, fact.values) for fact in entry.facts for kind in USAGES
        if fact.name == kind and kind not in own
    ]
    uses: dict[UsageKind, dict[str, str]] = {}
    for kind, values in usages:
        allowed = uses.setdefault(kind, {})
        for place, state in values:
            if allows(state):
                shown = f"{place} (named)" if "(!)" in state else place
                allowed[place if kind == "default-server" else shown] = state
    return uses


# --- defaults and arguments -----------------------------------------------------------


def _defaults(old: Sequence[Passage], new: Sequence[Passage]) -> Iterator[Change]:
    """Sentences with another default than before, or with one if there was none."""
    ours, theirs = _with_default(old), _with_default(new)
    left = [sentence for sentence in theirs if sentence not in ours]
    for sentence in ours:
        if sentence in theirs:
            continue
        best = max(left, key=lambda other: _ratio(sentence, other), default="")
        if best and _ratio(sentence, best) >= SAME_SENTENCE:
            left.remove(best)
            if default(sentence) != default(best):
                yield Change("default", sentence, best)
    if not ours:
        for sentence in left:
            if _value_after(sentence):
                yield Change("default", "", sentence)


def _with_default(text: Sequence[Passage]) -> list[str]:
    return [sentence for sentence in sentences(text) if default(sentence)]


def default(sentence: str) -> str:
    """The default that `sentence` states, empty if none.

    It is the first value near after the word, else the last one near before it.
    """
    word = DEFAULT.search(sentence)
    if word is None:
        return ""
    before = VALUE.findall(sentence[max(0, word.start() - MAX_DISTANCE) : word.start()])
    return _value_after(sentence) or (str(before[-1]) if before else "")


def _value_after(sentence: str) -> str:
    """The first value near after the word "default"."""
    word = DEFAULT.search(sentence)
    value = VALUE.search(sentence[word.end() : word.end() + MAX_DISTANCE]) if word else None
    return value[0] if value else ""


def _ratio(text: str, other: str) -> float:
    return sequence_matcher(text.split(), other.split()).ratio()


def _arguments(old: EntryText, new: EntryText) -> Iterator[Change]:
    """Terms that the body defines, and that the other side does not even mention."""
    ours, theirs = _terms(old.entry), _terms(new.entry)
    before, after = _whole_text(old), _whole_text(new)
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


def _whole_text(text: EntryText) -> str:
    signatures = [signature.text for signature in text.entry.signatures]
    return " ".join([*signatures, *[str(passage) for passage in text.passages]])
