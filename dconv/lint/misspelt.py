"""Names of entries that are misspelt in their headings, by lists and mentions of them.

Rules that compare names do not report what follows from such a name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from dconv.lint.listings import Listing, names_of
from dconv.lint.spelling import (
    END,
    MAX_GROUP,
    MAX_TYPOS,
    by_ends,
    distance,
    max_typos,
    with_same_end,
)
from dconv.model import references
from dconv.model.tree import Entry, Manual, Reference, Section, Signature

SHAPED = re.compile(r"(?=\w+?(?:[-. ]|_\w))\w++(?:[-. ]\w++)*+$|[a-z]\w{5,}$")
PARTS = re.compile(r"[-_. ]")
MIN_FAMILY = 5  # entries that begin with a word
SIGNS = (False, True)  # whether forms are negated


@dataclass(frozen=True, slots=True)
class Misspelt:
    """A heading's `form` that should be `wanted`; if that is empty, like other names.

    It is not `certain` if only one mention differs from the heading: either may be wrong.
    """

    form: Signature
    wanted: str
    hint: str
    certain: bool = True


@dataclass(frozen=True, slots=True)
class _Text:
    """The text in which names are looked up; `forms` are all signatures by name."""

    manual: Manual
    sections: Sequence[Section]
    forms: Mapping[str, Signature]


def misspelt(
    manual: Manual, sections: Sequence[Section], entries: Sequence[Entry],
    listings: Sequence[Listing],
) -> dict[str, Misspelt]:
    """The misspelt names of the `entries` of `manual`, by `sections`, `listings` and mentions."""
    forms = {form.name: form for entry in reversed(entries) for form in entry.signatures}
    text = _Text(manual, sections, forms)
    headings: dict[str, Misspelt] = {}
    pairs = [pair for listing in listings for pair in _by_list(listing)]
    for name, wanted in (*pairs, *_by_mention(text)):
        hint = f"the text mentions '{wanted}', which has no entry"
        if wanted in forms:
            hint = f"the list of its section has '{wanted}', which has no entry there"
        certain = (name, wanted) in pairs or _count(text, wanted) > 1
        headings.setdefault(name, Misspelt(forms[name], wanted, hint, certain))
    for name, wanted in _by_negation(text, entries):
        hint = f"its other form is '{wanted}'"
        headings.setdefault(name, Misspelt(forms[name], wanted, hint))
    for name, words in _by_first_word(text):
        hint = f"other names begin with {' or '.join(words)}"
        headings.setdefault(name, Misspelt(forms[name], "", hint))
    return headings


def _by_list(listing: Listing) -> Iterator[tuple[str, str]]:
    """Names that a list lacks, each with a similar name of the list without an entry."""
    listed = {row.name for row in listing.names}
    own = dict.fromkeys(name for name, _ in names_of(listing.about))
    strange = [name for name in listed if name not in own]
    for name in own:
        if strange and name not in listed:
            for wanted in strange:
                if _near(name, wanted):
                    yield name, wanted


def _by_mention(text: _Text) -> Iterator[tuple[str, str]]:
    """Names that only their heading has, each with a similar quoted name."""
    texts = (text.manual.preface, *(section.body for section in text.sections))
    forms = text.forms
    wanted = {
        part.name for blocks in texts for part in references.inlines(blocks)
        if isinstance(part, Reference) and not part.targets and SHAPED.match(part.name)
    }
    ends = by_ends(wanted)
    near: dict[str, list[str]] = {}
    for name in forms:
        if not SHAPED.match(name):
            continue
        for other in with_same_end(name, ends):
            similar = abs(len(name) - len(other)) <= MAX_TYPOS and _near(name, other)
            if similar and other not in forms:
                near.setdefault(other, []).append(name)
    for other, names in near.items():
        if len(names) == 1 and _count(text, names[0]) < 2:
            yield names[0], other


def _by_negation(text: _Text, entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """Names that are nearly that of the other form, with or without "no"."""
    for entry in entries:
        forms = {
            negated: [form for form in entry.signatures if form.negated == negated]
            for negated in SIGNS
        }
        if min(map(len, forms.values())) > MAX_GROUP:
            continue
        for form in entry.signatures:
            for other in forms[not form.negated]:
                if not _near(form.name, other.name):
                    continue
                if _count(text, form.name) < 2 <= _count(text, other.name):
                    yield form.name, other.name


def _by_first_word(text: _Text) -> Iterator[tuple[str, list[str]]]:
    """Names whose first word is nearly that of many, each with those words in quotes."""
    firsts = Counter(name.split()[0] for name in text.forms if " " in name)
    usual = [word for word, count in firsts.items() if count >= MIN_FAMILY and len(word) >= END]
    for name in text.forms:
        first, _, rest = name.partition(" ")
        if rest and firsts[first] == 1 and len(first) >= END:
            words = [f"'{word}'" for word in sorted(usual) if _near(first, word)]
            if words and _count(text, first) < 2:
                yield name, words


def _near(name: str, other: str) -> bool:
    """Whether names differ by one or two typos, or by the order of their words."""
    most = max_typos(name)
    if 0 < distance(name, other, most) <= most:
        return PARTS.sub("", name) != PARTS.sub("", other)
    return name != other and sorted(PARTS.split(name)) == sorted(PARTS.split(other))


def _count(text: _Text, name: str) -> int:
    """The number of lines that have `name`, at most two."""
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    lines = text.manual.source.lines
    matches = (line for line in lines if name in line.text and word.search(line.text))
    return sum(1 for _ in islice(matches, 2))
