"""Lists of names: the rows of a matrix or a summary, the bullets of an index.

    keyword       defaults   frontend          * Tuning
    -------------+----------+---------           - maxconn
    acl               -          X               - spread-checks (deprecated)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from dconv.model.source import Line
from dconv.model.tree import Cell, Entry, List, Section, Table, plain_text, walk

ListingKind = Literal["matrix", "summary", "index"]

# "[no] option tcplog (*)", "add(<value>)", "set-tos (deprecated)": the name, and what is not
NAME = re.compile(r"(?P<no>\[no\] )?(?P<name>[^\s(<\[]+(?: [^\s(<\[]+)*)")
# "maxconn", "ssl-mode-async (deprecated)", "[no] option async": a name and nothing else
BULLET = re.compile(
    r"(?:\[no\] )?[a-z0-9][\w.+-]*(?: [a-z][\w.-]*)*(?: \([a-z]+\))?$", re.IGNORECASE
)
DEPRECATED = re.compile(r"\(deprecated\)", re.IGNORECASE)
MIN_NAMES = 4  # names of an index


@dataclass(frozen=True, slots=True)
class ListedName:
    """A name of a list with its place; `negated` is true if "[no]" precedes it."""

    name: str
    line: int
    column: int
    deprecated: bool
    negated: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of names in `section`; it is about the entries of the section `about`."""

    kind: ListingKind
    section: Section
    about: Section
    names: tuple[ListedName, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """The section at `at` of `sections`; `homes` are the sections with entries of a name."""

    at: int
    sections: Sequence[Section]
    homes: Mapping[str, Sequence[int]]
    lines: Sequence[Line]

    def described(self, names: Sequence[ListedName]) -> Section | None:
        """The section that has most of `names`, its own or one after it; or None."""
        counts = Counter(
            at for listed in names for at in set(self.homes.get(listed.name, ())) if at >= self.at
        )
        if not counts:
            return None
        at, count = max(counts.items(), key=lambda pair: (pair[1], -pair[0]))
        return self.sections[at] if count * 2 > len(names) else None


def listings(sections: Sequence[Section], lines: Sequence[Line]) -> Iterator[Listing]:
    """The lists of names among `sections`, all of a manual in source order."""
    homes: dict[str, list[int]] = {}
    for at, section in enumerate(sections):
        for name, _ in names_of(section):
            homes.setdefault(name, []).append(at)
    for at, section in enumerate(sections):
        place = _Place(at, sections, homes, lines)
        for node in walk(section.body):
            match node:
                case Table(kind="matrix" | "summary"):
                    yield from _of_table(node, place)
                case List() if len(node.items) >= MIN_NAMES:
                    yield from _of_bullets(node, place)
                case _:
                    pass


def names_of(section: Section) -> Iterator[tuple[str, Entry]]:
    """Every name that an entry of `section` defines."""
    for entry in section.body:
        if isinstance(entry, Entry):
            for signature in entry.signatures:
                yield signature.name, entry


def deprecated_names(section: Section) -> frozenset[str]:
    """The names of entries in `section` that their signatures call deprecated."""
    return frozenset(
        form.name
        for entry in section.body if isinstance(entry, Entry) for form in entry.signatures
        if form.deprecated
    )


def words(cell: Cell) -> str:
    """The words of a cell of a table."""
    return " ".join(plain_text(cell.content).split())


def section_label(section: Section) -> str:
    """`section` as messages name it."""
    return f"section {section.number}" if section.number else f"the section '{section.title}'"


def leading_name(text: str, line: Line) -> ListedName | None:
    """The name that `text` begins with: the first cell of a row, or a bullet's text."""
    match = NAME.match(text)
    if match is None:
        return None
    name = match["name"]
    column = line.column + max(0, line.text.find(name))
    deprecated = DEPRECATED.search(line.text) is not None
    return ListedName(name, line.number, column, deprecated, match["no"] is not None)


def _of_table(table: Table, place: _Place) -> Iterator[Listing]:
    names: list[ListedName] = []
    for row in table.rows:
        listed = leading_name(words(row.cells[0]), place.lines[row.span.first - 1])
        names += [listed] if listed else []
    about = place.described(names)
    if about is not None:
        kind: ListingKind = "matrix" if table.kind == "matrix" else "summary"
        yield Listing(kind, place.sections[place.at], about, tuple(names))


def _of_bullets(bullets: List, place: _Place) -> Iterator[Listing]:
    """The index that `bullets` are, where all are names and nothing else."""
    names: list[ListedName] = []
    for item in bullets.items:
        line = place.lines[item.span.first - 1]
        text = line.text.removeprefix(item.marker).strip()
        listed = leading_name(text, line) if BULLET.match(text) else None
        if listed is None or item.span.first != item.span.last:
            return
        names.append(listed)
    section = place.sections[place.at]
    about = place.described(names)
    if about is not None and _covers(names, about) and _is_below(about, section):
        yield Listing("index", section, about, tuple(names))


def _covers(names: Sequence[ListedName], about: Section) -> bool:
    """True if `names` are at least half of those in `about`: not some of them on purpose."""
    own = {name for name, _ in names_of(about)}
    return len(own.intersection(listed.name for listed in names)) * 2 > len(own)


def _is_below(section: Section, other: Section) -> bool:
    return section is other or any(_is_below(section, inner) for inner in other.sections)
