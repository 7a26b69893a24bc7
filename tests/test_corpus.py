"""The real manuals: numbers that may only improve, and the cases that are hard to read.

`corpus.toml` holds what is read of each document of each release.  Sections,
entries and signatures must be exactly those; items, tables, examples and lines
that are accounted for may not become fewer, findings not more.
`pytest --update-goldens` records them anew: say in the commit why they moved.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import pytest

from dconv.build.read import published, read_manual
from dconv.build.render import release_files
from dconv.model.origin import Origin
from dconv.model.tree import (
    Block,
    Definition,
    Example,
    Item,
    Manual,
    Paragraph,
    SeeAlso,
    Table,
    entries,
    plain,
    sections,
    walk,
)
from dconv.proof.coverage import prove_tree
from dconv.settings import DocumentSetting, Product, load_product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import SourceText
from dconv.writers.pages.page import Edition, Published, Release
from dconv.writers.theme import theme

Node: TypeAlias = Block | Item | Definition
Numbers: TypeAlias = dict[str, int]
Record: TypeAlias = dict[str, int | Numbers]

RECORD = Path(__file__).with_name("corpus.toml")
RELEASES = ("1.5", "1.8", "2.0", "2.4", "2.6", "2.8", "3.0", "3.2", "3.4")
DOCUMENTS = ("configuration", "management", "intro", "SPOE", "lua", "peers", "proxy-protocol")
# what is in no release of a document's time
ABSENT = {"1.5": frozenset({"management", "intro", "SPOE", "lua", "peers"})}
MANUALS = [
    (release, document)
    for release in RELEASES
    for document in DOCUMENTS
    if document not in ABSENT.get(release, ())
]
HEAD = """\
# What is read of HAProxy's manuals, by release and document; tests/test_corpus.py
# explains the numbers and fails where they become worse.  Written by
# `pytest tests/test_corpus.py --update-goldens`; never by hand.
"""
# these must be what they are; of the others, fewer are worse
EXACT = ("lines", "sections", "groups", "signatures", "negated", "deprecated", "experimental")


@lru_cache(maxsize=8)
def read(path: Path) -> Manual:
    """The manual of a file of the corpus."""
    product = haproxy()
    return read_manual(path.read_bytes(), path.name, product, path.stem)


@lru_cache(maxsize=1)
def haproxy() -> Product:
    """The product as it comes with the program."""
    return load_product(resource_folder("manuals") / "haproxy")


def find(corpus: Path, release: str, document: str) -> Path:
    """The path of a document; skips where this corpus does not have it."""
    path = corpus / "haproxy" / release / f"{document}.txt"
    if not path.is_file():
        pytest.skip(f"this corpus has no {document} of {release}")
    return path


def nodes(manual: Manual) -> Iterator[Node]:
    """Every node of the manual."""
    yield from walk(manual.preface)
    for section in sections(manual):
        yield from walk(section.body)


def record(manual: Manual) -> Record:
    """The numbers of one document."""
    found = list(entries(manual))
    signatures = [signature for _, entry in found for signature in entry.signatures]
    below = list(nodes(manual))
    return {
        "lines": len(manual.source.lines),
        "accounted": prove_tree(manual).accounted,
        "sections": sum(1 for _ in sections(manual)),
        "groups": len(found),
        "signatures": len(signatures),
        "negated": sum(signature.negated for signature in signatures),
        "deprecated": sum(signature.deprecated for signature in signatures),
        "experimental": sum(signature.experimental for signature in signatures),
        "examples": sum(isinstance(node, Example) for node in below),
        "entries": count(entry.kind for _, entry in found),
        "items": count(items(below)),
        "tables": count(node.kind for node in below if isinstance(node, Table)),
        "diagnostics": count(finding.rule for finding in manual.diagnostics),
    }


def count(words: Iterator[str]) -> Numbers:
    """How often each word comes, in alphabetical order."""
    return dict(sorted(Counter(words).items()))


def items(below: list[Node]) -> Iterator[str]:
    """The kinds of terms and rows that are definitions of a kind of their own."""
    for node in below:
        match node:
            case Definition():
                yield from (term.kind for term in node.terms if term.kind)
            case Table():
                yield from (row.kind for row in node.rows if row.kind)
            case _:
                pass


def toml(records: dict[str, dict[str, Record]]) -> str:
    """The records as TOML, in the order of releases."""
    out = [HEAD]
    for release, documents in records.items():
        for document, numbers in documents.items():
            out.append(f'["{release}".{document}]')
            for key, value in numbers.items():
                if isinstance(value, int):
                    out.append(f"{key} = {value}")
                elif value:
                    inner = ", ".join(f'"{name}" = {number}' for name, number in value.items())
                    out.append(f"{key} = {{ {inner} }}")
            out.append("")
    return "\n".join(out)


@pytest.fixture(scope="module")
def expected(
    corpus: Path, request: pytest.FixtureRequest
) -> dict[str, dict[str, Record]]:
    """The recorded numbers; with `--update-goldens`, those of now are recorded first."""
    if request.config.getoption("--update-goldens", default=False):
        fresh: dict[str, dict[str, Record]] = {}
        for release, document in MANUALS:
            path = corpus / "haproxy" / release / f"{document}.txt"
            fresh.setdefault(release, {})[document] = record(read(path))
        RECORD.write_text(toml(fresh), encoding="utf-8")
    return tomllib.loads(RECORD.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("release", "document"), MANUALS)
def test_numbers_only_improve(
    corpus: Path, expected: dict[str, dict[str, Record]], release: str, document: str
) -> None:
    manual = read(find(corpus, release, document))
    found, known = record(manual), expected[release][document]
    assert {key: found[key] for key in EXACT} == {key: known[key] for key in EXACT}
    assert found["entries"] == known.get("entries", {})
    assert worse(found, known) == []
    assert [str(loss) for loss in prove_tree(manual).losses] == []


def worse(found: Record, known: Record) -> list[str]:
    """What became worse, in words."""
    out: list[str] = []
    for key in ("accounted", "examples", "items", "tables"):
        was, now = spread(key, known), spread(key, found)
        out += [f"{name}: {now.get(name, 0)} < {was[name]}" for name in was
                if now.get(name, 0) < was[name]]
    was, now = spread("diagnostics", known), spread("diagnostics", found)
    return out + [f"{name}: {now[name]} > {was.get(name, 0)}" for name in now
                  if now[name] > was.get(name, 0)]


def spread(key: str, record: Record) -> Numbers:
    """A number or a table of numbers as a table, its keys for people."""
    value = record.get(key, {})
    if isinstance(value, int):
        return {key: value}
    return {f"{key}.{name}": number for name, number in value.items()}


# --- what was counted by hand and by other programs --------------------------------------

# Counted with the keywords that the built programs register and by reading, not by us.
GRAMMAR: dict[tuple[str, str], Numbers] = {
    ("1.5", "configuration"): {
        "signatures": 687, "groups": 534, "negated": 34, "deprecated": 36, "experimental": 0,
        "sections": 64,
    },
    ("2.0", "configuration"): {
        "signatures": 1061, "groups": 880, "negated": 37, "deprecated": 59, "experimental": 0,
        "sections": 78,
    },
    ("2.4", "configuration"): {
        "signatures": 1250, "groups": 1057, "negated": 41, "deprecated": 31, "experimental": 1,
        "sections": 95,
    },
    ("2.8", "configuration"): {
        "signatures": 1492, "groups": 1252, "negated": 42, "deprecated": 29, "experimental": 2,
        "sections": 98,
    },
    ("3.0", "configuration"): {
        "signatures": 1482, "groups": 1271, "negated": 42, "deprecated": 33, "experimental": 4,
        "sections": 105,
    },
    ("3.4", "configuration"): {
        "signatures": 1754, "groups": 1506, "negated": 45, "deprecated": 58, "experimental": 6,
        "sections": 112,
    },
    ("3.4", "management"): {
        "signatures": 171, "groups": 164, "negated": 0, "deprecated": 1, "experimental": 1,
        "sections": 20,
    },
    ("3.4", "intro"): {"sections": 36},
    ("3.4", "SPOE"): {"sections": 24},
}
# Things of a kind of their own in 3.4.  Where our number is not that of the grammar, each
# name was looked at:
# - 13 predicates, not 21: the other bullets of the section tell what conditions are made of;
# - 14 variables, not 17: so many have a description in the section about them;
# - 68 short tests: so many names stand in the lists, 45 of them are registered as such;
# - 46 options of the command line, not 45: "--" is one, too;
# - 114 fields, not 98: the numbers of the list go from 0 to 113.
ITEMS: dict[str, Numbers] = {
    "configuration": {
        "log-format alias": 65, "predefined ACL": 23, "address prefix": 24,
        "stick-table data type": 26, "condition predicate": 13, "environment variable": 14,
        "ACL derivative": 68, "ACL flag": 7, "termination flag": 71,
    },
    "management": {"command-line option": 46, "CSV field": 114},
}
TABLES: Numbers = {"matrix": 2, "summary": 7, "ruled": 1, "pipes": 4, "grid": 11, "columns": 9}
USAGES: Numbers = {"contexts": 316, "default-server": 5, "rule sets": 74, "sections": 194}


@pytest.mark.parametrize(("release", "document"), GRAMMAR)
def test_numbers_are_those_of_other_counts(corpus: Path, release: str, document: str) -> None:
    found = record(read(find(corpus, release, document)))
    known = GRAMMAR[release, document]
    assert {key: found[key] for key in known} == known


@pytest.mark.parametrize("document", ITEMS)
def test_items_are_those_of_other_counts(corpus: Path, document: str) -> None:
    assert record(read(find(corpus, "3.4", document)))["items"] == ITEMS[document]


def test_tables_and_usages_are_those_of_other_counts(corpus: Path) -> None:
    manual = read(find(corpus, "3.4", "configuration"))
    assert record(manual)["tables"] == TABLES
    assert count(usage.kind for _, entry in entries(manual) for usage in entry.usages) == USAGES


# --- the hard cases that need words; the others stand in test_places.py --------------------


@pytest.mark.parametrize(
    ("release", "first", "word"), [("2.8", 2989, "uploads"), ("3.4", 18551, "unchanged"),
                                   ("3.4", 27578, "0")]
)
def test_text_before_see_also_on_its_line_is_kept(
    corpus: Path, release: str, first: int, word: str
) -> None:
    """Hard case 39: what stands before "See also" is prose, and the words are there."""
    manual = read(find(corpus, release, "configuration"))
    [node] = [
        node for node in nodes(manual)
        if isinstance(node, Paragraph | SeeAlso) and node.span.first <= first <= node.span.last
    ]
    text = plain(node.content)
    assert re.search(rf"\b{word}\b.*See also", text)


def test_the_last_row_of_a_summary_is_a_row(corpus: Path) -> None:
    """Hard case 39: nothing is drawn below it."""
    manual = read(find(corpus, "3.4", "configuration"))
    [table] = [
        node for node in nodes(manual)
        if isinstance(node, Table) and node.span.first <= 21325 <= node.span.last
    ]
    assert table.rows[-1].span.first == 21325


# --- the pages ----------------------------------------------------------------------------


@pytest.mark.parametrize("release", RELEASES)
def test_every_word_of_every_document_is_on_its_pages(corpus: Path, release: str) -> None:
    product = haproxy()
    folder = corpus / "haproxy" / release
    settings = [setting for setting in product.documents if (folder / setting.file).is_file()]
    if not settings:
        pytest.skip(f"this corpus has no release {release}")
    documents = tuple(document(folder, setting) for setting in settings)
    whole = Release("haproxy", "HAProxy", release, documents)
    done = release_files(whole, Edition("Manuals", "dconv"), theme.load("default"))
    assert [str(loss) for proof in done.proofs for loss in proof.losses] == []
    assert len(done.proofs) == len(settings)


def document(folder: Path, setting: DocumentSetting) -> Published:
    """A document of the corpus, ready to be made into pages."""
    text = SourceText(b"", setting.file, haproxy(), setting, Origin("the corpus"))
    return published(text, read(folder / setting.file))
