"""Lists of names: the rows of a matrix or a summary, the bullets of an index.

    keyword       defaults   frontend          * Tuning
    -------------+----------+---------           - maxconn
    acl               -          X               - spread-checks (deprecated)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from dconv.model.source import Line
from dconv.model.tree import Entry, List, Section, Table, walk
from dconv.model.values import dataclass

ListingKind = Literal["matrix", "summary", "index"]

# "[no] option tcplog (*)", "add(<value>)", "map_<match>(<file>)": the name without arguments
NAME = re.compile(r"(?P<no>\[no\] )?(?P<name>[^\s(<\[]+(?:(?<=_)<\w+>[^\s(<\[]*)*(?: [^\s(<\[]+)*)")
# "maxconn", "ssl-mode-async (deprecated)", "[no] option async": a name and nothing else
NAME_ONLY = re.compile(
    r"(?:\[no\] )?[a-z0-9][\w.+-]*(?: [a-z][\w.-]*)*(?: \([a-z]+\))?$", re.IGNORECASE
)
DEPRECATED = re.compile(r"\(deprecated\)", re.IGNORECASE)
MIN_INDEX_NAMES = 4  # names of an index


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
    """A list of names in `section`: of the entries of `listed_section`."""

    kind: ListingKind
    section: Section
    listed_section: Section
    names: tuple[ListedName, ...]


@dataclass(frozen=True, slots=True)
class _ListContext:
    """The section at `index` of `sections`, in which a list is.

    `sections_by_name` has for each name the sections that have an entry of it.
    """

    index: int
    sections: Sequence[Section]
    sections_by_name: Mapping[str, Sequence[int]]
    lines: Sequence[Line]

    def find_listed_section(self, names: Sequence[ListedName]) -> Section | None:
        """The section that has most of `names`, its own or one after it; or None."""
        counts = Counter(
            index for listed in names
            for index in set(self.sections_by_name.get(listed.name, ())) if index >= self.index
        )
        if not counts:
            return None
        index, count = max(counts.items(), key=lambda pair: (pair[1], -pair[0]))
        return self.sections[index] if count * 2 > len(names) else None


def listings(sections: Sequence[Section], lines: Sequence[Line]) -> Iterator[Listing]:
    """The lists of names among `sections`, all of a manual in source order."""
    sections_by_name: dict[str, list[int]] = {}
    for index, section in enumerate(sections):
        for name, _ in defined_names(section):
            sections_by_name.setdefault(name, []).append(index)
    for index, section in enumerate(sections):
        context = _ListContext(index, sections, sections_by_name, lines)
        for node in walk(section.body):
            match node:
                case Table(role="matrix" | "summary"):
                    yield from _table_listing(node, context)
                case List() if len(node.items) >= MIN_INDEX_NAMES:
                    yield from _bullet_listing(node, context)
                case _:
                    pass


def defined_names(section: Section) -> Iterator[tuple[str, Entry]]:
    """Every name that an entry of `section` defines."""
    for entry in section.entries:
        for name in entry.signature_names:
            yield name, entry


def deprecated_names(section: Section) -> frozenset[str]:
    """The names of entries in `section` that their signatures call deprecated."""
    signatures = (signature for entry in section.entries for signature in entry.signatures)
    return frozenset(signature.name for signature in signatures if signature.deprecated)


def section_label(section: Section) -> str:
    """`section` as messages name it."""
    return f"section {section.number}" if section.number else f"the section '{section.title}'"


def read_leading_name(text: str, line: Line) -> ListedName | None:
    """The name that `text` begins with: the first cell of a row, or a bullet's text."""
    match = NAME.match(text)
    if match is None:
        return None
    name = match["name"]
    column = line.column + max(0, line.text.find(name))
    deprecated = DEPRECATED.search(line.text) is not None
    return ListedName(name, line.number, column, deprecated, match["no"] is not None)


def _table_listing(table: Table, context: _ListContext) -> Iterator[Listing]:
    names: list[ListedName] = []
    for row in table.rows:
        listed = read_leading_name(row.cells[0].text, context.lines[row.span.first - 1])
        names += [listed] if listed else []
    if listed_section := context.find_listed_section(names):
        kind: ListingKind = "matrix" if table.role == "matrix" else "summary"
        yield Listing(kind, context.sections[context.index], listed_section, tuple(names))


def _bullet_listing(bullets: List, context: _ListContext) -> Iterator[Listing]:
    """The index that `bullets` are, where all are names and nothing else."""
    names: list[ListedName] = []
    for item in bullets.items:
        line = context.lines[item.span.first - 1]
        text = line.text.removeprefix(item.marker).strip()
        listed = read_leading_name(text, line) if NAME_ONLY.match(text) else None
        if listed is None or item.span.first != item.span.last:
            return
        names.append(listed)
    section = context.sections[context.index]
    listed_section = context.find_listed_section(names)
    if listed_section is None or not _is_below(listed_section, section):
        return
    defined = {name for name, _ in defined_names(listed_section)}
    if len(defined.intersection(listed.name for listed in names)) * 2 > len(defined):
        yield Listing("index", section, listed_section, tuple(names))  # meant to be complete


def _is_below(section: Section, other: Section) -> bool:
    return section is other or any(_is_below(section, inner) for inner in other.sections)
