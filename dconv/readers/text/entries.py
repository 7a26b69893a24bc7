"""Find the entries among the lines of a section, by their signatures."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from dconv.model.dialect import DEFAULT_KIND, Dialect, EntryRule
from dconv.model.source import Line
from dconv.model.tree import Signature, Span
from dconv.model.values import dataclass
from dconv.readers.text import guessed_entries
from dconv.readers.text.filters.filtered import FilteredEntry
from dconv.readers.text.names import SignatureGroup
from dconv.readers.text.region import trimmed_range
from dconv.readers.text.signatures import RawSignature, read_group

# In a section that no dialect names, a signature must not look like prose:
# "tune.h2.size", "add-acl(<file>)", "user <name>"
NAME_SHAPE = re.compile(r"[a-z0-9@][A-Za-z0-9_.+-]*(?:[-_.][A-Za-z0-9]|\(| [<\[{])")
SETTING_RULE = EntryRule("setting", title=re.compile(""))
NO_RULE = EntryRule(DEFAULT_KIND, title=re.compile(""))
BODY_COLUMNS = (2, 3, 4)  # columns where bodies are
# code that starts with a capital
REQUEST = ("GET ", "POST ", "HTTP/")


@dataclass(frozen=True, slots=True)
class EntryLines:
    """The lines of an entry: its signatures from `first` on, its text from `body_start` to `end`.

    All are indexes of lines; `end` is excluded.  `text_beside` is text beside the last signature,
    `dropped` are marks around it, each with what it is.
    """

    group: SignatureGroup
    first: int
    body_start: int
    end: int
    text_beside: Line | None = None
    dropped: tuple[tuple[str, Line], ...] = ()


def entries_of_filter(
    lines: Sequence[Line], first: int, end: int, title: str, entries: Sequence[FilteredEntry]
) -> Iterator[EntryLines]:
    """Those of `entries` that are on the lines from `first` to `end` (excluded)."""
    start, stop = (
        bisect_left(entries, index + 1, key=lambda entry: entry.signatures[0][0])
        for index in (first, end)
    )
    for entry in entries[start:stop]:
        signatures: list[RawSignature] = []
        for number, name in entry.signatures:
            signature = Signature(lines[number - 1].text, Span(number, number))
            signatures.append(RawSignature(signature, (name,), later_words=()))
        group = SignatureGroup(SETTING_RULE, tuple(signatures), title)
        yield EntryLines(
            group, entry.signatures[0][0] - 1, entry.signatures[-1][0], entry.last
        )


def find_entries(
    lines: Sequence[Line], first: int, stop: int, title: str, dialect: Dialect
) -> Iterator[EntryLines]:
    """The entries on the lines from `first` to `stop` (excluded).

    The section's `title` decides the kind of its entries.
    """
    entry_rule = dialect.name_layout_rule(title)
    if entry_rule or not (dialect.describes_signatures or dialect.is_prose(title)):
        for candidate in guessed_entries.find_entries(lines, first, stop, entry_rule):
            group = guessed_entries.signature_group(lines, candidate, title, entry_rule)
            yield EntryLines(
                group, candidate.first, candidate.body_start, candidate.end, candidate.text_beside,
                candidate.dropped,
            )
        return
    groups = _groups(lines, first, stop, title, dialect)
    for (group, start, body_start), following in zip_longest(groups, groups[1:]):
        end = _introduction_start(lines, body_start, following[1]) if following else stop
        yield EntryLines(group, start, body_start, end)


def _introduction_start(lines: Sequence[Line], first: int, stop: int) -> int:
    """The index of the paragraph that introduces the signatures at `stop`; `stop` if none does.

    Such a paragraph at column 0 ends with a colon. It belongs to the section,
    not to the entry above it.
    """
    _, end = trimmed_range(lines, first, stop)
    if end == first or lines[end - 1].text[-1] != ":":
        return stop
    index = end
    while index > first and lines[index - 1].text:
        index -= 1
        if lines[index].indent:
            return stop
    return index


def _groups(
    lines: Sequence[Line], first: int, stop: int, title: str, dialect: Dialect
) -> list[tuple[SignatureGroup, int, int]]:
    """The groups of signatures with the indexes of their first line and after their last.

    In a section that the dialect does not know, one certain group confirms the others.
    """
    if not dialect.entry_rules or dialect.is_prose(title):
        return []
    groups: list[tuple[SignatureGroup, int, int]] = []
    has_certain_group = False
    index = first
    while index < stop:
        signatures, end = _signatures(lines, index, first, stop)
        if signatures:
            entry_rule = dialect.entry_rule(title, lines[index].text)
            if entry_rule is None:
                has_certain_group |= _is_certain(lines, signatures, end, stop)
            groups.append((SignatureGroup(entry_rule or NO_RULE, signatures, title), index, end))
        index = end
    if has_certain_group:
        return groups
    return [group for group in groups if group[0].entry_rule is not NO_RULE]


def _signatures(
    lines: Sequence[Line], index: int, first: int, end: int
) -> tuple[tuple[RawSignature, ...], int]:
    """The signatures that start at `index`, if a run of text at column 0 starts with them."""
    line = lines[index]
    if line.indent or not line.text or line.text[0].isupper():
        return (), index + 1
    if index > first and lines[index - 1].text and lines[index - 1].indent == 0:
        return (), index + 1
    return read_group(lines, index, end) or ((), index + 1)


def _is_certain(
    lines: Sequence[Line], signatures: Sequence[RawSignature], end: int, stop: int
) -> bool:
    """Whether `signatures` look like signatures, with prose below at the column of bodies."""
    if end >= stop or not lines[end].text or lines[end].indent not in BODY_COLUMNS:
        return False
    if not all(NAME_SHAPE.match(signature.text) for signature in signatures):
        return False
    return lines[end].text[0].isupper() and not lines[end].text.startswith(REQUEST)
