"""The table of names, read back from `search-names.js`, and look-ups in it.

A look-up folds names as `search-engine.js` does: capitals and separators make no
difference, and the exact spelling comes first.  Ranking is left to that engine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from dconv.model.diagnostics import Diagnostic
from dconv.writers.search import encoding, pack, words
from dconv.writers.search.pack import Table
from dconv.writers.search.places import ARGUMENT, DOCUMENT, SECTION, Place

Data: TypeAlias = "Mapping[str, object]"


class DataError(Exception):
    """A data file of the search is damaged, or of another edition of the program."""


@dataclass(frozen=True, slots=True)
class Row:
    """One name and its place.

    `path` is its page below the folder of the release, `section` the number of its
    section; `owner` is the row of the entry that it belongs to, or its own.
    """

    name: str
    kind: str
    document: str
    section: str
    path: str
    anchor: str
    owner: int
    deprecated: bool


@dataclass(frozen=True, slots=True)
class Names:
    """The rows of a release, and the numbers of those with a name, by its folded form."""

    rows: tuple[Row, ...]
    optional_prefixes: tuple[str, ...]
    folded: Mapping[str, Sequence[int]] = field(repr=False)

    def lookup(self, text: str) -> list[int]:
        """The rows whose name is `text`: in this spelling, in other letters, with other separators.

        A section's title comes after names that are spelt as closely.
        """
        def closeness(row: int) -> tuple[int, bool]:
            name = self.rows[row].name
            spelling = 0 if name == text else 1 if words.lower(name) == words.lower(text) else 2
            return spelling, self.rows[row].kind == SECTION

        text = words.collapse_blanks(text)
        return sorted(self.folded.get(fold(text), ()), key=closeness)

    def starting(self, text: str) -> list[int]:
        """The rows whose name begins with `text`, also behind an optional prefix or its owner.

        Shorter names come first; names that equal `text` are not among them.
        """
        start = "".join(words.tokens(text))
        rows = {
            number: len(form) for number, row in enumerate(self.rows) if start
            for form in self.forms(row.name, self.rows[row.owner].name) if form.startswith(start)
        }
        for number in self.lookup(text):
            rows.pop(number, None)
        return sorted(rows, key=rows.__getitem__)

    def forms(self, name: str, owner: str = "") -> Iterator[str]:
        """The folded forms of `name`: itself, without its optional prefix, without its owner."""
        yield fold(name)
        small = words.lower(name)
        for prefix in self.optional_prefixes:
            start = f"{prefix} " if words.tokens(prefix[-1]) else prefix
            if small.startswith(start) and len(small) > len(start):
                yield fold(small.removeprefix(start))
                break
        if name.startswith(f"{owner} "):
            yield fold(name.removeprefix(f"{owner} "))


def fold(name: str) -> str:
    """The letters and digits of `name` in small letters; a name that has none stays as it is."""
    return "".join(words.tokens(name)) or words.lower(name)


# --- the build's check ----------------------------------------------------------------


def check(table: Table, script: str) -> Iterator[Diagnostic]:
    """Report each name of `table` that does not find its place first in its kind.

    `script` is the written search-names.js.  Places whose folded names are equal stand for
    each other.
    """
    names = read(content(script))
    places: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for place in table.rows:
        address = (_path(table, place), place.anchor)
        places.setdefault((place.kind, fold(pack.display_name(place))), set()).add(address)
    for kind, name in dict.fromkeys((place.kind, pack.display_name(place)) for place in table.rows):
        rows = (names.rows[row] for row in names.lookup(name))
        first = next((row for row in rows if row.kind == kind), None)
        if first is None or (first.path, first.anchor) not in places[kind, fold(name)]:
            yield _finding(table, kind, name)


def _path(table: Table, place: Place) -> str:
    document = table.documents[place.document].manual.name
    file = table.pages[place.section].file if place.section >= 0 else "index.html"
    return f"{document}/{file}"


def _finding(table: Table, kind: str, name: str) -> Diagnostic:
    place = next(row for row in table.rows if row.kind == kind and pack.display_name(row) == name)
    manual = table.documents[place.document].manual
    line = table.pages[place.section].section.title_span.first if place.section >= 0 else 1
    message = f"the search does not find the {kind} {words.collapse_blanks(name)!r} by its own name"
    return Diagnostic(manual.source.path, line, 1, "error", "search-name", message)


# --- reading --------------------------------------------------------------------------


def content(script: str) -> Data:
    """The data in a file that `pack.script` wrote; raises `DataError`."""
    start, end = script.find("{"), script.rfind("}")
    try:
        data: object = json.loads(script[start : end + 1])
    except ValueError as error:
        raise DataError("this is no data of a search") from error
    if not isinstance(data, dict):
        raise DataError("this is no data of a search")
    return data


def read(data: Data) -> Names:
    """The names in `data`, the content of search-names.js; raises `DataError`."""
    try:
        return _read(data)
    except (KeyError, IndexError, ValueError, StopIteration) as error:
        raise DataError("the table of names is damaged") from error


def _read(data: Data) -> Names:
    if data.get("format") != pack.FORMAT:
        raise DataError("the table of names has another format")
    kinds = _texts(data["kinds"])
    kind_of = [kind for kind, count in zip(kinds, _numbers(data["counts"]), strict=True)
               for _ in range(count)]
    owners = _owners(str(data["owners"]), kind_of)
    written = encoding.decode_front_coded(str(data["names"]))
    names = [
        written[owner] + name if name.startswith(" ") else name
        for name, owner in zip(written, owners, strict=True)
    ]
    documents = [str(_list(document)[0]) for document in _list(data["documents"])]
    section_of = _section_of(str(data["spots"]), kind_of, owners)
    anchors = _anchors(data, names, kind_of, owners)
    deprecated = frozenset(encoding.sums(encoding.decode(str(data["deprecated"]))))
    sections = _sections(_mapping(data["sections"]), documents)
    homes = iter(documents)
    rows: list[Row] = []
    for row, name in enumerate(names):
        document, number, file = (
            sections[section_of[row]] if section_of[row] >= 0 else (next(homes), "", "index.html")
        )
        rows.append(Row(
            name, kind_of[row], document, number, f"{document}/{file}", anchors[row], owners[row],
            row in deprecated,
        ))
    folded: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        folded.setdefault(fold(name), []).append(row)
    return Names(tuple(rows), tuple(_texts(data["heads"])), folded)


def _sections(data: Data, documents: Sequence[str]) -> list[tuple[str, str, str]]:
    """The document, the number and the file of each section."""
    document_of = [
        document for document, count in zip(documents, _numbers(data["documents"]), strict=True)
        for _ in range(count)
    ]
    files = _mapping(data["files"])
    numbers: list[str] = []
    parts: list[str] = []
    for coded in str(data["numbers"]).split("\n") if document_of else ():
        is_whole = coded.startswith("=")
        parts = coded[1:].split(".") if is_whole else pack.next_number(parts, int(coded))
        numbers.append(".".join(parts))
    return [
        (document, number, str(files.get(str(at), f"{number}.html")))
        for at, (document, number) in enumerate(zip(document_of, numbers, strict=True))
    ]


def _owners(coded: str, kind_of: Sequence[str]) -> list[int]:
    """The owner of each row: arguments come by theirs, other rows are near to their own."""
    owners: list[int] = []
    before = 0
    for row, number in enumerate(map(encoding.unzigzag, encoding.decode(coded))):
        if kind_of[row] == ARGUMENT:
            before += number
        owners.append(before if kind_of[row] == ARGUMENT else row + number)
    return owners


def _section_of(coded: str, kind_of: Sequence[str], owners: Sequence[int]) -> list[int]:
    """The section of each row, -1 for documents; arguments are where their owners are."""
    steps = iter(map(encoding.unzigzag, encoding.decode(coded)))
    moves = [0 if kind == DOCUMENT else next(steps) for kind in kind_of]
    sections = [-1] * len(moves)
    before = 0
    for row, move in enumerate(moves):
        if kind_of[row] not in (ARGUMENT, DOCUMENT):
            before += move
            sections[row] = before
    for row, move in enumerate(moves):
        if kind_of[row] == ARGUMENT:
            sections[row] = move + (sections[owners[row]] if owners[row] != row else 0)
    return sections


def _anchors(
    data: Data, names: Sequence[str], kind_of: Sequence[str], owners: Sequence[int]
) -> list[str]:
    others = iter(str(data["other"]).split("\n"))
    ways = str(data["anchors"])
    anchors: list[str] = []
    for row, way in enumerate(ways):
        name, kind = names[row].replace(" ", "-"), pack.slug(kind_of[row])
        match way:
            case pack.SLUG:
                anchors.append(name)
            case pack.QUALIFIED:
                anchors.append(f"{kind}.{name}")
            case pack.BARE:
                anchors.append(f"{kind}.{name[1:]}")
            case pack.OTHER:
                anchors.append(next(others))
            case _:
                anchors.append("")
    for row, way in enumerate(ways):
        if way == pack.BELOW:  # only now the anchors of all owners are there
            owner = owners[row]
            rest = names[row].removeprefix(f"{names[owner]} ").replace(" ", "-")
            anchors[row] = f"{anchors[owner]}.{rest}"
    return anchors


def _list(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise DataError("a list is missing")
    return value


def _mapping(value: object) -> Data:
    if not isinstance(value, dict):
        raise DataError("an object is missing")
    return value


def _texts(value: object) -> list[str]:
    return [str(text) for text in _list(value)]


def _numbers(value: object) -> list[int]:
    return [number for number in _list(value) if isinstance(number, int)]
