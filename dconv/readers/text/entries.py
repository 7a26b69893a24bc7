"""Cut the lines of a section at its signatures, where entries start."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dconv.model.dialect import DEFAULT_KIND, Dialect, EntryRule
from dconv.model.source import Line
from dconv.model.tree import Signature, Span
from dconv.model.values import dataclass
from dconv.readers.text import guessed_entries
from dconv.readers.text.filters.filtered import FilteredEntry
from dconv.readers.text.names import SignatureGroup
from dconv.readers.text.region import trimmed
from dconv.readers.text.signatures import RawSignature, read_group

# In a section that no dialect names, a signature must not look like prose:
# "tune.h2.size", "add-acl(<file>)", "user <name>"
NAME_SHAPE = re.compile(r"[a-z0-9@][A-Za-z0-9_.+-]*(?:[-_.][A-Za-z0-9]|\(| [<\[{])")
SETTING_RULE = EntryRule("setting", re.compile(""), "words")
NO_RULE = EntryRule(DEFAULT_KIND, re.compile(""))
BODY_COLUMNS = (2, 3, 4)  # columns where bodies are
# code that starts with a capital
REQUEST = ("GET ", "POST ", "HTTP/")


@dataclass(frozen=True, slots=True)
class SectionPart:
    """A stretch of a section: signatures with the lines below them, or lines alone.

    `first` to `last` are indexes of lines, the last excluded; those of the
    signatures are not among them.  `rest` is text beside the last signature,
    `dropped` are marks around it, each with the rule that drops it.
    """

    group: SignatureGroup | None
    first: int
    last: int
    rest: Line | None = None
    dropped: tuple[tuple[str, Line], ...] = ()


def cut_at_filtered_entries(
    lines: Sequence[Line], first: int, last: int, title: str, entries: Sequence[FilteredEntry]
) -> Iterator[SectionPart]:
    """The lines from `first` to `last` (indexes, the last excluded), cut at `entries`."""
    start = first
    for entry in entries:
        index = entry.signatures[0][0] - 1
        if not first <= index < last:
            continue
        if start < index:
            yield SectionPart(None, start, index)
        signatures: list[RawSignature] = []
        for number, name in entry.signatures:
            text, span = lines[number - 1].text, Span(number, number)
            signature = Signature(text, "", "", False, False, False, "", span)
            signatures.append(RawSignature(signature, (name,), ()))
        group = SignatureGroup(SETTING_RULE, tuple(signatures), title)
        yield SectionPart(group, entry.signatures[-1][0], entry.last)
        start = entry.last
    if start < last:
        yield SectionPart(None, start, last)


def cut_at_signatures(
    lines: Sequence[Line], first: int, last: int, title: str, dialect: Dialect
) -> Iterator[SectionPart]:
    """The lines from `first` to `last` (indexes, the last excluded), cut at signatures.

    The section's `title` decides the kind of its entries.
    """
    entry_rule = dialect.rule_for_names(title)
    if entry_rule or not (dialect.describes_signatures or dialect.is_prose(title)):
        yield from _cut_at_name_lines(lines, first, last, title, entry_rule)
        return
    start = first
    current: SignatureGroup | None = None
    for signature_group, index, end in _groups(lines, first, last, title, dialect):
        body_end = _introduction_start(lines, start, index) if current else index
        if current or start < index:
            yield SectionPart(current, start, body_end)
        if body_end < index:
            yield SectionPart(None, body_end, index)
        current, start = signature_group, end
    if current or start < last:
        yield SectionPart(current, start, last)


def _cut_at_name_lines(
    lines: Sequence[Line], first: int, last: int, title: str, entry_rule: EntryRule | None
) -> Iterator[SectionPart]:
    """The lines cut at signatures at any column, with text beside or below them."""
    start = first
    for candidate in guessed_entries.find_entries(lines, first, last, entry_rule):
        if start < candidate.first:
            yield SectionPart(None, start, candidate.first)
        signature_group = guessed_entries.signature_group(lines, candidate, title, entry_rule)
        yield SectionPart(
            signature_group, candidate.body, candidate.last, candidate.rest, candidate.dropped
        )
        start = candidate.last
    if start < last:
        yield SectionPart(None, start, last)


def _introduction_start(lines: Sequence[Line], first: int, last: int) -> int:
    """The index of the paragraph that introduces the signatures at `last`; `last` if none does.

    Such a paragraph at column 0 ends with a colon. It belongs to the section,
    not to the entry above it.
    """
    _, end = trimmed(lines, first, last)
    if end == first or lines[end - 1].text[-1] != ":":
        return last
    index = end
    while index > first and lines[index - 1].text:
        index -= 1
        if lines[index].indent:
            return last
    return index


def _groups(
    lines: Sequence[Line], first: int, last: int, title: str, dialect: Dialect
) -> list[tuple[SignatureGroup, int, int]]:
    """The groups of signatures with the indexes of their first line and after their last.

    In a section that the dialect does not know, one certain group confirms the others.
    """
    if not dialect.entry_rules or dialect.is_prose(title):
        return []
    groups: list[tuple[SignatureGroup, int, int]] = []
    certain = False
    index = first
    while index < last:
        signatures, end = _signatures(lines, index, first, last)
        if signatures:
            entry_rule = dialect.entry_rule(title, lines[index].text)
            if entry_rule is None:
                certain = certain or _is_certain(lines, signatures, end, last)
            groups.append((SignatureGroup(entry_rule or NO_RULE, signatures, title), index, end))
        index = end
    return [part for part in groups if certain or part[0].entry_rule is not NO_RULE]


def _signatures(
    lines: Sequence[Line], index: int, first: int, last: int
) -> tuple[tuple[RawSignature, ...], int]:
    """The signatures that start at `index`, if a run of text at column 0 starts with them."""
    line = lines[index]
    if line.indent or not line.text or line.text[0].isupper():
        return (), index + 1
    if index > first and lines[index - 1].text and lines[index - 1].indent == 0:
        return (), index + 1
    return read_group(lines, index, last) or ((), index + 1)


def _is_certain(
    lines: Sequence[Line], signatures: Sequence[RawSignature], end: int, last: int
) -> bool:
    """Whether `signatures` look like signatures, with prose below at the column of bodies."""
    if end >= last or not lines[end].text or lines[end].indent not in BODY_COLUMNS:
        return False
    if not all(NAME_SHAPE.match(signature.text) for signature in signatures):
        return False
    return lines[end].text[0].isupper() and not lines[end].text.startswith(REQUEST)
