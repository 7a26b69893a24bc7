"""The hard places of the real manuals, where they really are.

`places.toml` tells for stretches of lines what must be read there: sections, entries and
signatures exactly, of other nodes those that count.  A row `placeholder` gives the anchor that one
of a signature points to, a row `link` the places that a reference means. It was made by reading
the manuals, and holds numbers, kinds and names of theirs, no sentences.  The smallest examples of
the same cases are in `tests/spec`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest

from dconv.build.read import read_manual
from dconv.linking.link import link
from dconv.linking.symbols import collect_symbols
from dconv.model.placeholders import PLACEHOLDER, placeholder_anchors
from dconv.model.references import Mention, mentions
from dconv.model.tree import (
    Block,
    Definition,
    Entry,
    Item,
    Labelled,
    List,
    Manual,
    Section,
    Signature,
    Span,
    Table,
    entries,
    sections,
    walk,
)
from dconv.settings.manual import load_product
from dconv.sources.resources import resource_folder

# rows of these words must be exactly those that are found
EXACT = ("section", "entry", "signature")


@dataclass(frozen=True, slots=True)
class Place:
    """What is on lines `first` to `last` of a document: `rows` as `described` makes them.

    A row `no table` says that no table starts there.
    """

    about: str
    release: str
    document: str
    first: int
    last: int
    rows: tuple[str, ...]

    @property
    def name(self) -> str:
        """`3.4-configuration-2189`, for the test's name."""
        return f"{self.release}-{self.document}-{self.first}"


def places() -> Iterator[Place]:
    """The places of `places.toml`."""
    text = Path(__file__).with_name("places.toml").read_text(encoding="utf-8")
    for row in tomllib.loads(text)["place"]:
        release, document, lines = row["where"].split()
        first, _, last = lines.partition("-")
        rows = tuple(line.strip() for line in row["rows"].strip().split("\n"))
        yield Place(row["about"], release, document, int(first), int(last or first), rows)


PLACES = tuple(places())


@lru_cache(maxsize=2)
def linked(folder: Path) -> dict[str, Manual]:
    """The documents of a release in `folder`, by name."""
    product = load_product(resource_folder("manuals") / "haproxy")
    manuals = [
        (read_manual(path.read_bytes(), path.name, product, path.stem), path.name)
        for path in sorted(folder.glob("*.txt"))
    ]
    symbols = collect_symbols(manuals, product.dialect)
    return {manual.name: link(manual, symbols, product.dialect) for manual, _ in manuals}


@lru_cache(maxsize=8)
def described(path: Path) -> dict[str, int]:
    """What is read of the file `path`: a row for each node, with its first line."""
    return dict(_rows(linked(path.parent)[path.stem]))


def _rows(manual: Manual) -> Iterator[tuple[str, int]]:
    for section in sections(manual):
        yield _section(section), section.title_span.first
        for node in walk(section.body):
            yield _row(node), node.span.first
    for node in walk(manual.preface):
        yield _row(node), node.span.first
    for _, entry in entries(manual):
        for signature in entry.signatures:
            yield _signature(signature), signature.span.first
        for usage in entry.usages:
            yield f"usage {_lines(usage.span)} {usage.kind}", usage.span.first
        yield from _placeholders(entry)
    for mention in mentions(manual):
        yield _link(mention), mention.line
    for line in manual.contents:
        yield f"summary {line.line} {line.number}", line.line


def _placeholders(entry: Entry) -> Iterator[tuple[str, int]]:
    definitions = placeholder_anchors(entry).signatures
    for signature, anchors in zip(entry.signatures, definitions, strict=True):
        line = signature.span.first
        for name, anchor in zip(PLACEHOLDER.findall(signature.text), anchors, strict=True):
            yield f"placeholder {line} {name} {anchor or 'nowhere'}", line


def _link(mention: Mention) -> str:
    places = [f"{target.document}#{target.anchor}" for target in mention.targets]
    return f"link {mention.line} {mention.text}: {' '.join(places) or mention.url or 'nowhere'}"


def _section(section: Section) -> str:
    return f"section {_lines(section.span)} {section.number}".rstrip()


def _signature(signature: Signature) -> str:
    states = (("no", signature.negated), ("deprecated", signature.deprecated),
             ("experimental", signature.experimental))
    flags = "".join(f" ({word})" for word, holds in states if holds)
    return f"signature {_lines(signature.span)} {signature.name}{flags}"


def _row(node: Block | Item | Definition) -> str:
    match node:
        case Entry():
            details = f"{node.kind}: {node.name}"
        case Definition():
            details = " | ".join(term.name for term in node.terms if term.name)
        case Table():
            details = f"{node.kind} {node.columns}x{len(node.rows)}"
        case Labelled():
            details = node.kind
        case List():
            details = f"of {len(node.items)}"
        case _:
            details = ""
    return f"{type(node).__name__.lower()} {_lines(node.span)} {details}".rstrip()


def _lines(span: Span) -> str:
    return str(span.first) if span.first == span.last else f"{span.first}-{span.last}"


@pytest.mark.parametrize("release", [
    release if release == "3.4" else pytest.param(release, marks=pytest.mark.slow)
    for release in sorted({place.release for place in PLACES})
])
def test_hard_places_are_read_as_described(corpus: Path, release: str) -> None:
    folder = corpus / "haproxy" / release
    if not folder.is_dir():
        pytest.skip(f"this corpus has no release {release}")
    for place in PLACES:
        if place.release == release:
            check(place, described(folder / f"{place.document}.txt"))


def check(place: Place, lines_of_rows: dict[str, int]) -> None:
    """Compare the rows of `place` with what is read on its lines."""
    inside = [row for row, line in lines_of_rows.items() if place.first <= line <= place.last]
    expected = [row for row in place.rows if not row.startswith("no ")]
    message = f"{place.name}, {place.about}: {inside}"
    assert [row for row in expected if row not in inside] == [], message
    assert [row for row in inside if row.startswith(EXACT) and row not in expected] == [], message
    for row in place.rows:
        if row.startswith("no "):
            assert [other for other in inside if other.split()[0] == row[3:]] == [], message


def test_places_stand_for_every_hard_case() -> None:
    """The forty cases that haproxy-dconv misread are each asked for by number."""
    cases = [re.match(r"case (\d+): ", place.about) for place in PLACES]
    assert {int(case[1]) for case in cases if case} == set(range(1, 41))
    assert len({place.name for place in PLACES}) == len(PLACES)
