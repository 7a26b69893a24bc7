"""Names of entries that are misspelt in their headings, by lists and mentions of them.

Rules that compare names do not report what follows from such a name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from dconv.lint.listings import Listing, defined_names
from dconv.lint.spelling import (
    AFFIX_LENGTH,
    MAX_GROUP_SIZE,
    MAX_TYPOS,
    edit_distance,
    group_by_affixes,
    max_typos,
    with_same_affix,
)
from dconv.model import references
from dconv.model.tree import Entry, Manual, Reference, Section, Signature
from dconv.model.values import dataclass

NAME_LIKE = re.compile(r"(?=\w+?(?:[-. ]|_\w))\w++(?:[-. ]\w++)*+$|[a-z]\w{5,}$")
SEPARATOR = re.compile(r"[-_. ]")
MIN_SAME_FIRST_WORD = 5  # entries that begin with a word


@dataclass(frozen=True, slots=True)
class Misspelling:
    """A `signature` whose name should be `correction`, or, if that is empty, as `hint` says.

    It is not `is_certain` if only one mention differs from the heading: either may be wrong.
    """

    signature: Signature
    correction: str
    hint: str
    is_certain: bool = True


@dataclass(frozen=True, slots=True)
class _Text:
    """The text in which names are looked up; `signatures` are all signatures by name."""

    manual: Manual
    sections: Sequence[Section]
    signatures: Mapping[str, Signature]


def misspelt_headings(
    manual: Manual, sections: Sequence[Section], entries: Sequence[Entry],
    listings: Sequence[Listing],
) -> dict[str, Misspelling]:
    """The misspelt names of the `entries` of `manual`, by `sections`, `listings` and mentions."""
    signatures = {
        signature.name: signature for entry in reversed(entries)
        for signature in entry.signatures
    }
    text = _Text(manual, sections, signatures)
    misspellings: dict[str, Misspelling] = {}
    pairs = [pair for listing in listings for pair in _by_list(listing)]
    for name, correction in (*pairs, *_by_mention(text)):
        hint = f"the text mentions '{correction}', which has no entry"
        if correction in signatures:
            hint = f"the list of its section has '{correction}', which has no entry there"
        is_certain = (name, correction) in pairs or _count(text, correction) > 1
        misspellings.setdefault(name, Misspelling(signatures[name], correction, hint, is_certain))
    for name, correction in _by_negation(text, entries):
        hint = f"its other form is '{correction}'"
        misspellings.setdefault(name, Misspelling(signatures[name], correction, hint))
    for name, words in _by_first_word(text):
        hint = f"other names begin with {' or '.join(words)}"
        misspellings.setdefault(name, Misspelling(signatures[name], "", hint))
    return misspellings


def _by_list(listing: Listing) -> Iterator[tuple[str, str]]:
    """Names that a list lacks, each with a similar name of the list without an entry."""
    listed = {row.name for row in listing.names}
    defined = dict.fromkeys(name for name, _ in defined_names(listing.listed_section))
    without_entry = [name for name in listed if name not in defined]
    for name in defined:
        if without_entry and name not in listed:
            for correction in without_entry:
                if _is_similar(name, correction):
                    yield name, correction


def _by_mention(text: _Text) -> Iterator[tuple[str, str]]:
    """Names that only their heading has, each with a similar quoted name."""
    texts = (text.manual.preface, *(section.body for section in text.sections))
    signatures = text.signatures
    unresolved = {
        node.name for blocks in texts for node in references.inlines(blocks)
        if isinstance(node, Reference) and not node.targets and NAME_LIKE.match(node.name)
    }
    groups = group_by_affixes(unresolved)
    similar_names: dict[str, list[str]] = {}
    for name in signatures:
        if not NAME_LIKE.match(name):
            continue
        for other in with_same_affix(name, groups):
            is_similar = abs(len(name) - len(other)) <= MAX_TYPOS and _is_similar(name, other)
            if is_similar and other not in signatures:
                similar_names.setdefault(other, []).append(name)
    for other, names in similar_names.items():
        if len(names) == 1 and _count(text, names[0]) < 2:
            yield names[0], other


def _by_negation(text: _Text, entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """Names that are nearly that of the other form, with or without "no"."""
    for entry in entries:
        negated = [signature for signature in entry.signatures if signature.negated]
        others = [signature for signature in entry.signatures if not signature.negated]
        if min(len(negated), len(others)) > MAX_GROUP_SIZE:
            continue  # to compare all pairs takes too long
        for signature in entry.signatures:
            for other in others if signature.negated else negated:
                if not _is_similar(signature.name, other.name):
                    continue
                if _count(text, signature.name) < 2 <= _count(text, other.name):
                    yield signature.name, other.name


def _by_first_word(text: _Text) -> Iterator[tuple[str, list[str]]]:
    """Names whose first word is nearly that of many, each with those words in quotes."""
    counts = Counter(name.split()[0] for name in text.signatures if " " in name)
    common_words = [
        word for word, count in counts.items()
        if count >= MIN_SAME_FIRST_WORD and len(word) >= AFFIX_LENGTH
    ]
    for name in text.signatures:
        first, _, rest = name.partition(" ")
        if rest and counts[first] == 1 and len(first) >= AFFIX_LENGTH:
            words = [f"'{word}'" for word in sorted(common_words) if _is_similar(first, word)]
            if words and _count(text, first) < 2:
                yield name, words


def _is_similar(name: str, other: str) -> bool:
    """Whether names differ by one or two typos, or by the order of their words."""
    max_distance = max_typos(name)
    if 0 < edit_distance(name, other, max_distance) <= max_distance:
        return SEPARATOR.sub("", name) != SEPARATOR.sub("", other)
    return name != other and sorted(SEPARATOR.split(name)) == sorted(SEPARATOR.split(other))


def _count(text: _Text, name: str) -> int:
    """The number of lines that have `name`, at most two."""
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    lines = text.manual.source.lines
    matches = (line for line in lines if name in line.text and word.search(line.text))
    return sum(1 for _ in islice(matches, 2))
