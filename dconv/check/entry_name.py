"""The name of an entry is misspelt in its heading: elsewhere the manual has it right.

Nothing leads to such an entry, neither the matrix nor a mention. It is told where a row of
the table that lists its section has nearly the same name and no entry; where quotes hold
nearly the same name, with hyphens, underscores, dots or several words, that nothing defines,
and the text has the name of the heading nowhere else; and where its first word, which the
text has nowhere else, is nearly that of many entries.

Bad:
    agent-sned <string>
      Sets what is sent; see "agent-send".

Good:
    agent-send <string>
      Sets what is sent; see "agent-send".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from dconv import references
from dconv.check.listings import Listing, names_of
from dconv.check.rule import Finding, Rule
from dconv.check.spelling import distance
from dconv.check.subject import Subject
from dconv.tree import Reference, Signature

SHAPED = re.compile(r"\w+(?:[-_. ]\w+)+$")
PARTS = re.compile(r"[-_. ]")
SLIPS = 2
SHORT = 8  # shorter names may have one slip
MANY = 5  # entries that begin with a word
END = 3  # signs that names must have in common at one end to be compared


def _find(subject: Subject) -> Iterator[Finding]:
    """A finding at each heading whose name is nearly another that has no entry."""
    forms = {
        form.name: form for _, entry in reversed(subject.entries) for form in entry.signatures
    }
    told: dict[str, str] = {}
    pairs = [pair for listing in subject.listings for pair in _by_list(listing, forms)]
    for name, wanted in (*pairs, *_by_mention(subject, forms)):
        told.setdefault(name, f"the text has '{wanted}', which no entry defines")
    for name, words in _by_first_word(subject, forms):
        told.setdefault(name, f"others begin with {' or '.join(words)}")
    for name, hint in told.items():
        message = f"'{name}' may be misspelt: {hint}"
        yield Finding(forms[name].span.first, 1, message, len(name))


def _by_list(listing: Listing, forms: Mapping[str, Signature]) -> Iterator[tuple[str, str]]:
    """Names that a list lacks, each with one that it has, and that has no entry."""
    listed = {row.name for row in listing.names}
    strange = [name for name in listed if name not in forms]
    for name in dict.fromkeys(name for name, _ in names_of(listing.about)):
        if strange and name not in listed:
            for wanted in strange:
                if _near(name, wanted):
                    yield name, wanted


def _by_mention(
    subject: Subject, forms: Mapping[str, Signature]
) -> Iterator[tuple[str, str]]:
    """Names that stand in their heading only, each with one that quotes hold."""
    texts = (subject.manual.preface, *(section.body for section in subject.sections))
    wanted = {
        part.name for blocks in texts for part in references.inlines(blocks)
        if isinstance(part, Reference) and not part.targets and SHAPED.match(part.name)
    }
    by_end: dict[str, list[str]] = {}
    for name in wanted:
        by_end.setdefault(name[:END], []).append(name)
        by_end.setdefault(name[-END:], []).append(name)
    near: dict[str, list[str]] = {}
    for name in forms:
        for other in {*by_end.get(name[:END], ()), *by_end.get(name[-END:], ())}:
            if other not in forms and _near(name, other):
                near.setdefault(other, []).append(name)
    for other, names in near.items():
        if len(names) == 1 and _count(subject, names[0]) < 2:
            yield names[0], other


def _by_first_word(
    subject: Subject, forms: Mapping[str, Signature]
) -> Iterator[tuple[str, list[str]]]:
    """Names whose first word is nearly that of many, each with those words in quotes."""
    firsts = Counter(name.split()[0] for name in forms if " " in name)
    usual = [word for word, count in firsts.items() if count >= MANY and len(word) >= END]
    for name in forms:
        first, _, rest = name.partition(" ")
        if rest and firsts[first] == 1 and len(first) >= END:
            words = [f"'{word}'" for word in sorted(usual) if _near(first, word)]
            if words and _count(subject, first) < 2:
                yield name, words


def _near(name: str, other: str) -> bool:
    """True for a slip or two, and for the same words in another order."""
    most = SLIPS if len(name) >= SHORT else 1
    if 0 < distance(name, other, most) <= most:
        return PARTS.sub("", name) != PARTS.sub("", other)
    return name != other and sorted(PARTS.split(name)) == sorted(PARTS.split(other))


def _count(subject: Subject, name: str) -> int:
    """How many lines of the text have `name`."""
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    return sum(
        name in line.text and word.search(line.text) is not None for line in subject.lines
    )


RULE = Rule("entry-name", "warning", __doc__, _find)
