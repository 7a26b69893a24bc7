"""An entry lacks the table of its neighbours that says where it may be used, or differs in it.

Where nine of ten entries of a section have a table of sections or of rule sets, or a line of
contexts, the others must have one too; deprecated entries need none, nor does the entry that
defines the contexts. Its columns must be those of the others. The rule reports words that are
similar to theirs as misspelt, and a line that begins like such a table and cannot be read as one.

Bad:
    option slow
      May be used in sections :   defaults | frontend | listen | backend
                                     yes   |    yes   |   yes

Good:
    option slow
      May be used in sections :   defaults | frontend | listen | backend
                                     yes   |    yes   |   yes  |   no
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from dconv.lint.context import Context
from dconv.lint.frequency import MIN_CASES, is_rare
from dconv.lint.rule import Finding, Rule, report, unknown_message
from dconv.lint.spelling import edit_distance
from dconv.model.tree import USAGE_KINDS, Definition, Entry, Usage, UsageKind, walk

# "May be used in sections :", "Usable in:", "Supported in default-server:", "May be used in: tcp"
BEGINNING = re.compile(r"(?:may be used|usable|supported) in\b[^.:|]{0,40}[:|]", re.IGNORECASE)
SEPARATOR = re.compile(r"[|,]")  # between the cells of a table, the names of a line
MIN_COMMON_WORD = 5  # a word that appears so often is not a typo
MAX_TYPOS = 2
SHORT_WORD = 6  # shorter words may have one typo
DESCRIPTIONS: Mapping[UsageKind, str] = {
    "sections": "table of sections", "contexts": "line of contexts",
    "rule sets": "table of rule sets", "default-server": "line about default-server",
}  # fmt: skip


def _find(context: Context) -> Iterator[Finding]:
    for section in context.sections:
        entries = section.entries
        for kind in USAGE_KINDS:
            yield from _missing(context, entries, kind)
            yield from _columns(entries, kind)
    counts = Counter(
        word for _, entry in context.entries for usage in entry.usages
        for pair in usage.values for word in pair
    )
    for _, entry in context.entries:
        yield from _typos(context, entry, counts)
        yield from _unreadable(context, entry)


def _usages(entry: Entry, kind: UsageKind) -> list[Usage]:
    return [usage for usage in entry.usages if usage.kind == kind]


def _missing(context: Context, entries: Sequence[Entry], kind: UsageKind) -> Iterator[Finding]:
    current = [entry for entry in entries if entry.usages or not entry.deprecated]
    without_usage = [entry for entry in current if not _usages(entry, kind)]
    if len(current) < MIN_CASES or not is_rare(len(without_usage), len(current)):
        return
    names = {
        name for entry in current for usage in _usages(entry, kind) for name, _ in usage.values
    }
    for entry in without_usage:
        terms = [
            term.name for node in walk(entry.body) if isinstance(node, Definition)
            for term in node.terms
        ]
        if len(names.intersection(terms)) > 1 or any(_unreadable(context, entry)):
            continue  # it defines the contexts, or `_unreadable` reports it
        signature = entry.signatures[0]
        message = f"'{signature.name}' has no {DESCRIPTIONS[kind]}, unlike its neighbours"
        yield report(signature, message)


def _columns(entries: Sequence[Entry], kind: UsageKind) -> Iterator[Finding]:
    """Tables whose columns differ from nearly all others, and second tables of an entry."""
    all_tables = [
        (usage, tuple(name for name, _ in usage.values))
        for entry in entries for usage in _usages(entry, kind)
    ]
    for entry in entries:
        for usage in _usages(entry, kind)[1:]:
            message = f"'{entry.name}' already has a {DESCRIPTIONS[kind]}"
            yield Finding(usage.span.first, 1, message, len(entry.name))
    if kind == "contexts" or len(all_tables) < MIN_CASES:
        return
    usual, count = Counter(names for _, names in all_tables).most_common(1)[0]
    for usage, names in all_tables:
        if names != usual and is_rare(len(all_tables) - count, len(all_tables)):
            expected = " | ".join(usual)
            yield Finding(usage.span.first, 1, f"the columns of other tables are '{expected}'")


def _typos(context: Context, entry: Entry, counts: Counter[str]) -> Iterator[Finding]:
    """Words that differ by a typo from words that many tables have."""
    for usage in entry.usages:
        for index, (name, state) in enumerate(usage.values):
            for row, word in enumerate((name, state)):  # names, and states below
                if counts[word] >= MIN_COMMON_WORD or len(word) < 2:
                    continue
                max_distance = MAX_TYPOS if len(word) >= SHORT_WORD else 1
                similar_words = [
                    other for other, count in counts.items()
                    if count >= MIN_COMMON_WORD * counts[word] and len(other) > MAX_TYPOS
                    and edit_distance(word, other, max_distance) <= max_distance
                ]
                if similar_words:
                    position = _position(context, usage, index, row)
                    message = unknown_message(word, similar_words[0])
                    yield Finding(*position, message, len(word.split()[-1]))


def _position(context: Context, usage: Usage, index: int, row: int) -> tuple[int, int]:
    """The line and column of the name (`row` 0) or the state (1) of the cell `index` of `usage`.

    For a rule set it is the place of the last word: of "TCP RqSes" the table may have "TCP" before
    another rule set of that group.
    """
    word = usage.values[index][row].split()[-1]
    line = context.lines[(usage.span.last if row else usage.span.first) - 1]
    cells = SEPARATOR.split(line.text)
    length_before = sum(len(cell) + 1 for cell in cells[:index])
    return line.number, line.column + length_before + max(0, cells[index].rfind(word))


def _unreadable(context: Context, entry: Entry) -> Iterator[Finding]:
    """Lines that begin like a table or line of usages but cannot be read as one."""
    read_lines = {line for usage in entry.usages for line in context.lines_of(usage.span)}
    lines = context.body_lines(entry)
    indent = next((line.indent for line in lines if line.text), 0)
    for line in lines:
        if line.indent == indent and BEGINNING.match(line.text) and line not in read_lines:
            yield report(line, "cannot read this table: its columns and the line below differ")


RULE = Rule("usage-table", "warning", __doc__, _find)
