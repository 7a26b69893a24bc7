"""The anchors that haproxy-dconv gives a manual, found as that program finds them.

This is a model of its parsers, written from how they behave and kept apart from the
program under test: it reads the raw text, line by line, and knows nothing of our
tree.  What each parser swallows (arguments, examples, tables, "See also") matters,
since a swallowed line defines no keyword.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

# "4.2. Keywords" over a line that begins with "-"
TITLE = re.compile(r"[0-9]")
SECTION_WORDS = re.compile(r"section ([0-9]+(.[0-9]+)*)")
NAME = re.compile(r"([a-z0-9\-+_.]*[a-z0-9\-+_)](?: [a-z0-9\-_]+)*)(\([^ ]*\))?")
PARAMETERS = re.compile(r" +(?:/?(?:&lt;|\[|\{).*|: [a-z0-9 +]+)?(?:\(deprecated\))?$")
MOST_WORDS = 4
ARGUMENTS = re.compile(r"Arguments? *:")
SEE_ALSO = re.compile(r"See also *:")
EXAMPLE = re.compile(r" *Examples? *:(.*)")
TABLE = re.compile(r" *(?:-+\+)+-+")
USAGE = ("May be used in sections", "Usable in:")
WITH_TABLES = "Configuration Manual"


@dataclass(frozen=True, slots=True)
class Anchor:
    """One anchor with the number of the line that it is for, 0 for the whole page."""

    name: str
    line: int


@dataclass(slots=True)
class _Section:
    number: str
    title: str
    line: int
    lines: list[tuple[int, str]]


class _Reader:
    """The lines of one section, with a place in them."""

    def __init__(self, lines: list[tuple[int, str]]) -> None:
        self.lines = lines
        self.at = 0

    def more(self, ahead: int = 0) -> bool:
        return self.at + ahead < len(self.lines)

    def line(self, ahead: int = 0) -> str:
        return self.lines[self.at + ahead][1] if self.more(ahead) else ""

    def skip_blank(self) -> int:
        start = self.at
        while self.more() and not self.line().strip():
            self.at += 1
        return self.at - start


def anchors(content: bytes) -> list[Anchor]:
    """All anchors of the page made from `content`, in the order of the page."""
    sections = _sections(content.decode("utf-8", "replace"))
    titles = _titles(sections)
    has_tables = _subtitle(sections[0]) == WITH_TABLES
    result = [Anchor("top", 0)]
    for section in sections:
        if section.title == "Summary":
            result += [Anchor("summary", section.line), Anchor("chapter-summary", section.line)]
        elif section.title:
            result += [
                Anchor(section.number, section.line),
                Anchor(f"chapter-{section.number}", section.line),
            ]
            for line, name in _keywords(section, has_tables):
                result += [Anchor(form, line) for form in _forms(name, section.number, titles)]
    return [*result, Anchor("bottom", 0)]


def _forms(name: str, number: str, titles: dict[str, str]) -> Iterator[str]:
    words = name.split(" ")
    top = number.split(".")[0]
    for length in range(1, len(words) + 1):
        part = " ".join(words[:length])
        yield from (part, f"{top}-{part}", f"{number}-{part}")
        yield from (f"{part} ({titles[top]})", f"{part} ({titles[number]})")


# --- sections -------------------------------------------------------------------------


def _sections(text: str) -> list[_Section]:
    lines = [line.replace("\t", " " * 8).rstrip() for line in text.splitlines()]
    result = [_Section("", "", 0, [])]
    at = 0
    while at < len(lines):
        line = lines[at]
        below = lines[at + 1] if at + 1 < len(lines) else ""
        if (line == "Summary" or TITLE.match(line)) and below.startswith("-"):
            number, title = _details(line)
            result.append(_Section(number, title, at + 1, []))
            at += 1
            while at + 1 < len(lines) and not lines[at + 1]:
                at += 1
        else:
            result[-1].lines.append((at + 1, line))
        at += 1
    return result


def _details(line: str) -> tuple[str, str]:
    number, _, title = line.rpartition(".")
    return number, title.strip()


def _titles(sections: list[_Section]) -> dict[str, str]:
    """The titles by number: as the summary has them, else as the sections have."""
    titles: dict[str, str] = {}
    for section in sections:
        if section.title == "Summary":
            for _, line in section.lines:
                number, title = _details(line)
                if number:
                    titles[number] = title
    for section in sections:
        if section.title and section.number:
            titles.setdefault(section.number, section.title)
    return titles


def _subtitle(preface: _Section) -> str:
    rows = [line.strip() for _, line in preface.lines]
    if not rows or not re.fullmatch("-+", rows[0]):
        return ""
    end = next((at for at in range(2, len(rows)) if re.fullmatch("-+", rows[at])), 2)
    return " ".join(rows[2:end]).strip() or rows[1].removeprefix("HAProxy ")


# --- what the parsers swallow ---------------------------------------------------------


def _keywords(section: _Section, has_tables: bool) -> Iterator[tuple[int, str]]:
    """The keywords of `section` with their lines."""
    text = html.escape("\n".join(line for _, line in section.lines).rstrip())
    shown = SECTION_WORDS.sub(r'<a href="#\1">section \1</a>', text).split("\n")
    reader = _Reader([(number, line) for (number, _), line in zip(section.lines, shown)])  # noqa: B905
    tables = has_tables and section.number != "4"
    swallow: list[Callable[[_Reader], bool]] = [_underline, _arguments, _see_also, _example]
    if tables:
        swallow.append(_table)
    while reader.more():
        if any(step(reader) for step in swallow):
            continue
        number, line = reader.lines[reader.at]
        name = _name(line)
        if name:
            yield number, name
            while reader.line(1).startswith("   "):
                reader.at += 1
        elif line.startswith("/*"):
            while reader.more() and not reader.line().endswith("*/"):
                reader.at += 1
        reader.at += 1


def _name(line: str) -> str:
    match = NAME.match(line)
    if match is None:
        return ""
    rest = line[match.end():]
    if (rest and not PARAMETERS.match(rest)) or match[1].count(" ") >= MOST_WORDS:
        return ""
    return match[1]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _underline(reader: _Reader) -> bool:
    line = reader.line()
    if not line or reader.line(1) != "-" * len(line):
        return False
    reader.at += 2
    reader.skip_blank()
    return True


def _arguments(reader: _Reader) -> bool:
    line = reader.line()
    if not ARGUMENTS.search(line):
        return False
    reader.at += 1
    reader.skip_blank()
    if re.sub(r".*Arguments? *:", "", line).strip() != "none":
        while reader.more() and _indent(reader.line()) > _indent(line):
            reader.at += 1
            reader.skip_blank()
    return True


def _see_also(reader: _Reader) -> bool:
    line = reader.line()
    if not SEE_ALSO.search(line):
        return False
    while reader.line(1) and _indent(reader.line(1)) >= _indent(line):
        reader.at += 1
    reader.at += 1
    return True


def _example(reader: _Reader) -> bool:
    line = reader.line()
    match = EXAMPLE.match(line)
    if match is None:
        return False
    said, indent = match[1].strip(), _indent(line)
    if said:
        column = len(line) - len(said)
        while reader.line(1) and _indent(reader.line(1)) == column:
            reader.at += 1
    reader.at += 1
    blank = reader.skip_blank()
    if _indent(reader.line()) > indent:
        while reader.more() and (not reader.line() or _indent(reader.line()) > indent):
            reader.at += 1
    elif _indent(reader.line()) == indent and not (blank and said):
        while reader.more() and _indent(reader.line()) >= indent:
            reader.at += 1
        reader.skip_blank()
    return True


def _table(reader: _Reader) -> bool:
    line = reader.line()
    if TABLE.match(reader.line(1)):
        rule = reader.line(1)
        ruled = "|" in line
        while reader.more():
            below = reader.line(1)
            if (ruled and reader.line() == rule and "|" not in below) or (not ruled and not below):
                break
            reader.at += 1
        reader.at += 1
        return True
    if any(word in line for word in USAGE):
        reader.at += 2
        return True
    return False
