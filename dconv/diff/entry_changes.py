"""The changes from an entry to its counterpart, except those of the words in their texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from dconv.diff.types import Field, FieldChange
from dconv.linking.entry_metadata import Default, defaults, flag_defaults, usages_by_kind
from dconv.linking.keyword_tables import NAMED_ONLY
from dconv.linking.passages import Passage
from dconv.linking.similarity import has_word, sequence_matcher
from dconv.model.tree import USAGE_KINDS, Definition, Entry, UsageKind, allows, walk
from dconv.model.values import dataclass

# "(deprecated)", "[ EXPERIMENTAL ]"
FLAG = re.compile(r"[\[(] ?(?:deprecated|experimental) ?[\])]", re.IGNORECASE)
BRACKET = re.compile(r"(?:(?<!\s)\s+)?([\[\]{}()|])\s*")
NOT_STATED = "not stated"  # in place of the usages of an entry that has none


@dataclass(frozen=True, slots=True)
class EntryText:
    """An entry with the passages of its text.

    If one side has a rule ("http-request deny") where the other has its action ("deny"),
    `rule_words` are those before the action, and `rule_suffix` is what only the rule's signature
    has at its end (" [ if <condition> ]").
    `other_terms` gives what the sections define to which the text refers.
    """

    entry: Entry
    passages: Sequence[Passage]
    rule_words: Sequence[str] = ()
    rule_suffix: str = ""
    other_terms: Callable[[], frozenset[str]] = frozenset

    def without_rule(self, text: str) -> str:
        """`text`, a name or a signature, without the words of rules."""
        for words in self.rule_words:
            if text.startswith(f"{words} "):
                return text.removeprefix(f"{words} ").removesuffix(self.rule_suffix)
        return text


def entry_changes(old: EntryText, new: EntryText, merged_or_split: bool) -> Iterator[FieldChange]:
    """The changes from `old` to `new`.

    Arguments are not compared if the entry was `merged_or_split`: others were split off or
    merged into it.
    """
    old_entry, new_entry = old.entry, new.entry
    new_names = [new.without_rule(signature.name) for signature in new_entry.signatures]
    if old.without_rule(old_entry.name) not in new_names:
        yield FieldChange("name", old_entry.name, new_entry.name)
    if old_entry.kind != new_entry.kind:
        yield FieldChange("kind", old_entry.kind, new_entry.kind)
    yield from _status("deprecated", old_entry.deprecated, new_entry.deprecated)
    yield from _status("experimental", old_entry.experimental, new_entry.experimental)
    yield from _signatures(old, new)
    yield from _types(old_entry, new_entry)
    yield from _usages(old_entry, new_entry)
    yield from _defaults(old_entry, new_entry)
    if not merged_or_split:
        yield from _arguments(old, new)


def _status(field: Field, old: bool, new: bool) -> Iterator[FieldChange]:
    if old != new:
        yield FieldChange(field, field if old else "", field if new else "")


def _signatures(old: EntryText, new: EntryText) -> Iterator[FieldChange]:
    """Signatures that changed, were added or removed: those of one name belong together."""
    old_texts = {_compact(old.without_rule(signature.text)) for signature in old.entry.signatures}
    new_texts = {_compact(new.without_rule(signature.text)) for signature in new.entry.signatures}
    removed = [
        signature for signature in old.entry.signatures
        if _compact(old.without_rule(signature.text)) not in new_texts
    ]
    added = [
        signature for signature in new.entry.signatures
        if _compact(new.without_rule(signature.text)) not in old_texts
    ]
    is_only_one = len(removed) == len(added) == 1
    for signature in removed:
        name = (old.without_rule(signature.name), signature.negated)
        candidates = [
            other for other in added
            if is_only_one or (new.without_rule(other.name), other.negated) == name
        ]
        counterpart = max(
            candidates, default=None,
            key=lambda other: sequence_matcher(signature.text.split(), other.text.split()).ratio(),
        )
        if counterpart is not None:
            added.remove(counterpart)
        change = FieldChange(
            "signature", old.without_rule(signature.text),
            new.without_rule(counterpart.text) if counterpart else "",
        )
        if not (counterpart and _is_status(change, old.entry, new.entry)):
            yield change
    for other in added:
        yield FieldChange("signature", "", new.without_rule(other.text))


def _is_status(change: FieldChange, old: Entry, new: Entry) -> bool:
    """Whether signatures differ by a flag alone, which the status of the entry has too."""
    has_new_status = (old.deprecated, old.experimental) != (new.deprecated, new.experimental)
    return has_new_status and FLAG.sub("", change.old).split() == FLAG.sub("", change.new).split()


def _compact(signature: str) -> str:
    """`signature` without the spaces around brackets, which mean nothing."""
    return BRACKET.sub(r"\1", signature)


def removed_suffix(old: EntryText, new: EntryText) -> str:
    """What the old signature has after the new one: " [ if <condition> ]", or empty."""
    if len(old.entry.signatures) != 1 or len(new.entry.signatures) != 1:
        return ""
    old_text = old.without_rule(old.entry.signatures[0].text)
    new_text = new.without_rule(new.entry.signatures[0].text)
    return old_text.removeprefix(new_text) if old_text.startswith(new_text) else ""


def _types(old: Entry, new: Entry) -> Iterator[FieldChange]:
    """Types from a table of all samples, if both sides have them."""
    old_types, new_types = _types_by_column(old), _types_by_column(new)
    for column, value in old_types.items():
        if column in new_types and new_types[column] != value:
            yield FieldChange("type", f"{column}: {value}", f"{column}: {new_types[column]}")


def _types_by_column(entry: Entry) -> dict[str, str]:
    return {
        table.name: table.values[0][0]
        for table in entry.from_tables if table.name not in USAGE_KINDS
    }


def _usages(old: Entry, new: Entry) -> Iterator[FieldChange]:
    """Where an entry may be used now, and where no longer."""
    old_usages, new_usages = _allowed_usages(old), _allowed_usages(new)
    for kind in USAGE_KINDS:
        if kind in old_usages and kind in new_usages:
            old_names, new_names = old_usages[kind], new_usages[kind]
            removed = ", ".join([name for name in old_names if name not in new_names])
            added = ", ".join([name for name in new_names if name not in old_names])
        else:
            removed = ", ".join(old_usages[kind]) if kind in old_usages else NOT_STATED
            added = ", ".join(new_usages[kind]) if kind in new_usages else NOT_STATED
        if removed != added:
            yield FieldChange(kind, removed, added)


def _allowed_usages(entry: Entry) -> Mapping[UsageKind, Mapping[str, str]]:
    """By kind of usage the names of sections, contexts … where `entry` may be used, with states."""
    allowed_usages: dict[UsageKind, dict[str, str]] = {}
    for kind, values in usages_by_kind(entry):
        allowed = allowed_usages.setdefault(kind, {})
        for name, state in values:
            if allows(state):
                is_named = NAMED_ONLY in state and kind != "default-server"
                allowed[f"{name} (named)" if is_named else name] = state
    return allowed_usages


def _defaults(old: Entry, new: Entry) -> Iterator[FieldChange]:
    """The sentences of another default than before, of the entry or of one of its arguments.

    A default that only one side states has not changed.
    """
    old_defaults, new_defaults = defaults(old), defaults(new)
    has_changed = False
    for subject in dict.fromkeys(default.subject for default in old_defaults):
        before = {item.key: item for item in old_defaults if item.subject == subject}
        after = {item.key: item for item in new_defaults if item.subject == subject}
        removed = [item for key, item in before.items() if key not in after]
        added = [item for key, item in after.items() if key not in before]
        if removed and added:
            yield FieldChange("default", _default_text(removed[0]), _default_text(added[0]))
            has_changed = True
    if not has_changed and (sentences := flag_defaults(old, new)):
        yield FieldChange("default", *sentences)


def _default_text(default: Default) -> str:
    """The sentence of `default`, with its value where the sentence leaves it out."""
    value, sentence = default.value, default.sentence
    return sentence if value in sentence else f"{value}: {sentence}"


def _arguments(old: EntryText, new: EntryText) -> Iterator[FieldChange]:
    """Terms that the body defines, and that the other side does not even mention.

    A term that a section defines now to which the text refers has only moved.
    """
    old_names, new_names = _terms(old.entry), _terms(new.entry)
    old_text, new_text = _whole_text(old), _whole_text(new)
    for name in old_names:
        if name not in new_names and not _is_mentioned(name, new, new_text):
            yield FieldChange("argument", name, "")
    for name in new_names:
        if name not in old_names and not _is_mentioned(name, old, old_text):
            yield FieldChange("argument", "", name)


def _is_mentioned(name: str, side: EntryText, text: str) -> bool:
    return has_word(text, name) or name.strip("[]") in side.other_terms()


def _terms(entry: Entry) -> list[str]:
    return list(dict.fromkeys(
        term.name for node in walk(entry.body) if isinstance(node, Definition)
        for term in node.terms if term.name
    ))


def _whole_text(text: EntryText) -> str:
    signatures = [signature.text for signature in text.entry.signatures]
    return " ".join([*signatures, *[str(passage) for passage in text.passages]])
