"""The test of every build: each name leads to its place, first among those of its kind."""

from __future__ import annotations

from collections.abc import Iterator

from dconv.model.diagnostics import Diagnostic
from dconv.writers.search import data, index, matching, words
from dconv.writers.search.index import Names
from dconv.writers.search.pack import Table
from dconv.writers.search.places import Place

RULE = "search-name"  # of findings that fail every build


def check(table: Table, script: str) -> Iterator[Diagnostic]:
    """What of `table` is not found by its name in `script`, the written search-names.js."""
    names = index.read(data.content(script))
    wanted: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for place in table.rows:
        known = wanted.setdefault((place.kind, shown(place)), set())
        known.add((_path(table, place), place.anchor))
    for (kind, name), known in wanted.items():
        if _first(names, kind, name) not in {(name, *one) for one in known}:
            yield _finding(table, kind, name)


def shown(place: Place) -> str:
    """The name of `place` as results show it: on one line."""
    return " ".join(place.name.split())


def _first(names: Names, kind: str, name: str) -> tuple[str, str, str] | None:
    """The name, the path and the anchor of the first result of `kind` for the query `name`."""
    found = matching.exact(names, matching.read(names, name))
    for row in matching.ranked(names, found):
        if names.kinds[names.kind_of[row]] == kind:
            return names.names[row], names.path(row), names.anchors[row]
    return None


def _path(table: Table, place: Place) -> str:
    document = table.documents[place.document].manual.name
    file = table.spots[place.spot].file if place.spot >= 0 else "index.html"
    return f"{document}/{file}"


def _finding(table: Table, kind: str, name: str) -> Diagnostic:
    place = next(one for one in table.rows if one.kind == kind and shown(one) == name)
    manual = table.documents[place.document].manual
    line = table.spots[place.spot].section.title_span.first if place.spot >= 0 else 1
    message = f"the search does not find the {kind} {words.folded(name)!r} by its own name"
    return Diagnostic(manual.source.path, line, 1, "error", "search-name", message)
