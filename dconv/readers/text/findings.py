"""Diagnostics about the sections and entries of a document.

A text may hold entries that no dialect recognizes: signatures are in it, and no section has any.

    level-table <name> [ from <low> ]          May be used in sections :   defaults | gate
      Name the table of levels.                                               no    | yes
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from dconv.model.diagnostics import Diagnostic
from dconv.model.source import Line
from dconv.readers.text import guess
from dconv.readers.text.outline import Title

# "no mode <name> [ from <low> ] (deprecated)": words and at least one argument, nothing else
SIGNATURE = re.compile(
    r"[a-z][\w.-]{0,60}(?: [a-z][\w.-]{0,60}){0,3}"
    r"(?: (?:<[^<>]+>|\[[^\[\]]+\]|\{[^{}|]*+\|[^{}]*+\}))+(?: +\([a-z]+\))?$"
)
USAGE = re.compile(r"May be used in\b[^.:|]{0,40}:")
MIN_PLACES = 3  # lines that look like entries; fewer may be chance


def repeated_numbers(sections: Iterable[tuple[Title, str]], path: str) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each section whose number was used before, with its anchor.

    Titles with different underlines may repeat a number: the parts of a chapter may start with 1.
    """
    seen: dict[str, str] = {}
    for title, anchor in sections:
        if title.number and seen.get(title.number) == title.underline:
            message = f"section number {title.number} is used twice; its anchor is {anchor}"
            line, column = title.span.first, title.indent + 1
            yield Diagnostic(path, line, column, "warning", "section-number", message)
        seen.setdefault(title.number, title.underline)


def unknown_kinds(titles: Iterable[Title], path: str) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each of `titles`: the dialect has no kind for its entries."""
    for title in titles:
        name = f'{title.number} "{title.title}"'.lstrip()
        message = f"the dialect has no kind for the entries of section {name}; 'keyword' is used"
        line, column = title.span.first, title.indent + 1
        yield Diagnostic(path, line, column, "warning", "entry-kind", message)


def missing_entries(lines: Sequence[Line], path: str) -> Iterator[Diagnostic]:
    """Yield a note at the first of the `lines` that look like entries, in a text without any."""
    signature_lines = [
        index for index, line in enumerate(lines)
        if USAGE.match(line.text)
        or (line.indent == 0 and SIGNATURE.match(line.text) and _has_text(lines, index + 1))
    ]
    name_lines = guess.possible_names(lines)
    if max(len(signature_lines), len(name_lines)) >= MIN_PLACES:
        entries = sorted({_entry(lines, index) for index in signature_lines} or set(name_lines))
        first = lines[entries[0]]
        description = "1 place looks like an entry" if len(entries) == 1 else (
            f"{len(entries):,} places look like entries"
        )
        message = (
            f"{description}, and no section holds any: name the sections of entries in a "
            "manual.toml (section 3.3 of dconv's manual)"
        )
        yield Diagnostic(
            path, first.number, first.column, "note", "no-entries", message, len(first.text)
        )


def _entry(lines: Sequence[Line], index: int) -> int:
    """The index of the first line of the entry that line `index` is in."""
    while index and (lines[index].indent or lines[index - 1].text):
        index -= 1
    return index


def _has_text(lines: Sequence[Line], index: int) -> bool:
    """Whether deeper text is directly at the index `index`, or below one more signature."""
    below = next((line for line in lines[index : index + 2] if line.indent or not line.text), None)
    return below is not None and bool(below.text)
