"""The real manuals: numbers that may only improve, and the cases that are hard to read.

`corpus.toml` holds what is read of each document of each release.  Sections,
entries and signatures must be exactly those; items, tables, examples and lines
that are accounted for may not become fewer, findings not more.  The oldest and the
newest release are read in the quick tests, the others in the slow ones.
`pytest --update-goldens` records the numbers again: say in the commit why they moved.
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

from dconv.build.read import read_manual, release_document
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
    plain_text,
    sections,
    walk,
)
from dconv.proof.coverage import prove_tree
from dconv.settings.manual import load_product
from dconv.settings.types import DocumentSetting, Product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import SourceText
from dconv.writers.pages.page import Release, ReleaseDocument, SiteInfo
from dconv.writers.theme import theme

Node: TypeAlias = Block | Item | Definition
Numbers: TypeAlias = dict[str, int]
Record: TypeAlias = dict[str, int | Numbers]

RECORD = Path(__file__).with_name("corpus.toml")
RELEASES = ("1.5", "1.8", "2.0", "2.4", "2.6", "2.8", "3.0", "3.2", "3.4")
DOCUMENTS = ("configuration", "management", "intro", "SPOE", "lua", "peers", "proxy-protocol")
# what is in no release of a document's time
ABSENT = {"1.5": frozenset({"management", "intro", "SPOE", "lua", "peers"})}
# the oldest and the newest are for the quick tests
each_release = pytest.mark.parametrize("release", [
    release if release in (RELEASES[0], RELEASES[-1])
    else pytest.param(release, marks=pytest.mark.slow) for release in RELEASES
])
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


def documents(corpus: Path, release: str) -> list[Path]:
    """The documents of a release; skips where this corpus does not have them."""
    folder = corpus / "haproxy" / release
    names = (name for name in DOCUMENTS if name not in ABSENT.get(release, ()))
    paths = [folder / f"{name}.txt" for name in names if (folder / f"{name}.txt").is_file()]
    if not paths:
        pytest.skip(f"this corpus has no release {release}")
    return paths


def nodes(manual: Manual) -> Iterator[Node]:
    """Every node of the manual."""
    yield from walk(manual.preface)
    for section in sections(manual):
        yield from walk(section.body)


def record(manual: Manual) -> Record:
    """The numbers of one document."""
    groups = list(entries(manual))
    signatures = [signature for _, entry in groups for signature in entry.signatures]
    below = list(nodes(manual))
    return {
        "lines": len(manual.source.lines),
        "accounted": prove_tree(manual).accounted,
        "sections": sum(1 for _ in sections(manual)),
        "groups": len(groups),
        "signatures": len(signatures),
        "negated": sum(signature.negated for signature in signatures),
        "deprecated": sum(signature.deprecated for signature in signatures),
        "experimental": sum(signature.experimental for signature in signatures),
        "examples": sum(isinstance(node, Example) for node in below),
        "entries": count(entry.kind for _, entry in groups),
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
        for release in RELEASES:
            paths = documents(corpus, release)
            fresh[release] = {path.stem: record(read(path)) for path in paths}
        RECORD.write_text(toml(fresh), encoding="utf-8")
    return tomllib.loads(RECORD.read_text(encoding="utf-8"))


@each_release
def test_numbers_only_improve(
    corpus: Path, expected: dict[str, dict[str, Record]], release: str
) -> None:
    for path in documents(corpus, release):
        now, before = record(read(path)), expected[release][path.stem]
        assert {key: now[key] for key in EXACT} == {key: before[key] for key in EXACT}, path.name
        assert now["entries"] == before.get("entries", {}), path.name
        assert worse(now, before) == [], path.name
        assert [str(loss) for loss in prove_tree(read(path)).losses] == []
        counts = GRAMMAR.get((release, path.stem), {})
        assert {key: now[key] for key in counts} == counts, path.name


def worse(now: Record, before: Record) -> list[str]:
    """What became worse, in words."""
    out: list[str] = []
    for key in ("accounted", "examples", "items", "tables"):
        old, new = spread(key, before), spread(key, now)
        out += [f"{name}: {new.get(name, 0)} < {old[name]}" for name in old
                if new.get(name, 0) < old[name]]
    old, new = spread("diagnostics", before), spread("diagnostics", now)
    return out + [f"{name}: {new[name]} > {old.get(name, 0)}" for name in new
                  if new[name] > old.get(name, 0)]


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
# - 68 short tests: so many names are in the lists, 45 of them are registered as such;
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


def test_items_tables_and_usages_agree_with_independent_counts(corpus: Path) -> None:
    paths = {path.stem: path for path in documents(corpus, "3.4")}
    for name, items_of_kinds in ITEMS.items():
        assert record(read(paths[name]))["items"] == items_of_kinds
    manual = read(paths["configuration"])
    assert record(manual)["tables"] == TABLES
    assert count(usage.kind for _, entry in entries(manual) for usage in entry.usages) == USAGES


# --- the hard cases that need words; the others stand in test_places.py --------------------


def test_text_before_see_also_on_its_line_is_kept(corpus: Path) -> None:
    """Hard case 39: what is before "See also" is prose, and the words are there."""
    [path] = (path for path in documents(corpus, "3.4") if path.stem == "configuration")
    manual = read(path)
    for line, word in ((18551, "unchanged"), (27578, "0")):
        [node] = [
            node for node in nodes(manual)
            if isinstance(node, Paragraph | SeeAlso) and node.span.first <= line <= node.span.last
        ]
        assert re.search(rf"\b{word}\b.*See also", plain_text(node.content))


def test_the_last_row_of_a_summary_is_a_row(corpus: Path) -> None:
    """Hard case 39: nothing is drawn below it."""
    [path] = (path for path in documents(corpus, "3.4") if path.stem == "configuration")
    manual = read(path)
    [table] = [
        node for node in nodes(manual)
        if isinstance(node, Table) and node.span.first <= 21325 <= node.span.last
    ]
    assert table.rows[-1].span.first == 21325


# --- the pages ----------------------------------------------------------------------------


@each_release
def test_every_word_of_every_document_is_on_its_pages(corpus: Path, release: str) -> None:
    product = haproxy()
    paths = {path.name: path for path in documents(corpus, release)}
    settings = [setting for setting in product.documents if setting.file in paths]
    texts = tuple(document(paths[setting.file], setting) for setting in settings)
    corpus_release = Release("haproxy", "HAProxy", release, texts)
    files = release_files(corpus_release, SiteInfo("Manuals", "dconv"), theme.load("default"))
    assert [str(loss) for proof in files.proofs for loss in proof.losses] == []
    assert len(files.proofs) == len(settings)


def document(path: Path, setting: DocumentSetting) -> ReleaseDocument:
    """A document of the corpus, ready to be made into pages."""
    text = SourceText(b"", setting.file, haproxy(), setting, Origin("the corpus"))
    return release_document(text, read(path))
