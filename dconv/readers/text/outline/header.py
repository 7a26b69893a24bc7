"""The header: a centred block with title, version, date and author.

                        ----------------------
                             Some program
                          Reference Manual
                        ----------------------
                             version 1.2
                              2026/01/31
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from dconv.model.source import Line
from dconv.model.tree import Header, HeaderRow, Span
from dconv.readers.text.blocks import HeaderBlock

CENTRED = 8  # columns; nothing but a header starts that deep on the first lines
RIGHT = 70  # columns; text that ends there is set to the right, as authors are
# "-----------", "~~~~~~~", "+--------+"
RULE = re.compile(r"\+?([-=~*_])\1{3,}\+?$")
# "version 3.4", "Versions 1 & 2", "Version 1.2"
VERSION = re.compile(r"versions?\s+(\S.*)$", re.IGNORECASE)
# "2026/06/03", "( Last update: 2024-07-12 )", "Update: 2024-07-12"
DATE = re.compile(
    r"^(?:\([^()\d]*+|(?:last\s+)?update\s*:\s*)?(\d{4}[/-]\d\d[/-]\d\d)(?:\s*\))?$",
    re.IGNORECASE,
)
# "Author : Some One", "contact: some at example dot org"
PERSON = re.compile(r"(?:authors?|contact)\s*:\s*(\S.*)$", re.IGNORECASE)
# two columns on one line: "2026/04/27                    Some One"
GAP = re.compile(r"\s{8,}")


@dataclass(slots=True)
class _Fields:
    titles: list[str] = field(default_factory=list)
    version: str = ""
    date: str = ""
    authors: list[str] = field(default_factory=list)
    rules: int = 0


def find(lines: tuple[Line, ...]) -> HeaderBlock | None:
    """The header at the start of `lines`, or None."""
    first = 0
    while first < len(lines) and not lines[first].text:
        first += 1
    end = _end(lines, first)
    if end == first:
        return None
    fields = _Fields()
    for line in lines[first:end]:
        right = line.indent + len(line.text) >= RIGHT
        for part in GAP.split(line.text):
            _take(fields, part, right)
    title, *rest = fields.titles or [""]
    header = Header(
        title, " ".join(rest), fields.version, fields.date, ", ".join(fields.authors),
        Span(lines[first].number, lines[end - 1].number), tuple(_rows(lines[first:end])),
    )
    return HeaderBlock(header, Span(lines[first].number, lines[end - 1].number))


def _rows(lines: Iterable[Line]) -> Iterator[HeaderRow]:
    """The lines that say something, without rules and labels."""
    for line in lines:
        shown: list[str] = []
        for part in GAP.split(line.text):
            bare = _bare(part)
            if bare and not RULE.match(bare):
                match = VERSION.match(bare) or DATE.match(bare) or PERSON.match(bare)
                shown.append(match[1] if match else bare)
        if shown:
            yield HeaderRow(line.number, " ".join(" ".join(shown).split()))


def _end(lines: tuple[Line, ...], first: int) -> int:
    """The index after the header that starts at `first`; `first` where there is none."""
    at = end = first
    while at < len(lines):
        line = lines[at]
        if line.text and not _belongs(line):
            break
        at += 1
        if line.text:
            end = at
        elif at - end > 1:
            break
    return end


def _belongs(line: Line) -> bool:
    if line.indent >= CENTRED:
        return True
    parts = GAP.split(line.text)
    return len(parts) == 2 and DATE.match(parts[0]) is not None


def _bare(part: str) -> str:
    return part.strip("|").strip()


def _take(fields: _Fields, part: str, right: bool) -> None:
    bare = _bare(part)
    if not bare:
        return
    if RULE.match(bare):
        fields.rules += 1
    elif match := VERSION.match(bare):
        fields.version = match[1]
    elif match := DATE.match(bare):
        fields.date = match[1]
    elif match := PERSON.match(bare):
        fields.authors.append(match[1])
    elif fields.rules >= 2 or fields.version or (fields.date and right):
        fields.authors.append(bare)
    else:
        fields.titles.append(bare)
