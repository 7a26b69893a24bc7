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
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import pytest

from dconv import pipeline, theme
from dconv.accounts import account
from dconv.pages.page import Edition, Origin, Published, Release
from dconv.resources import resource_folder
from dconv.settings import DocumentSetting, Product, load_product
from dconv.tree import (
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
from dconv.verify import emit

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
    return pipeline.read_manual(path.read_bytes(), path.name, product, path.stem)


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
    total = len(manual.source.lines)
    return {
        "lines": total,
        "accounted": total - len({problem.line for problem in account(manual).problems}),
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
    assert emit(manual) == b"".join(manual.source.raw)


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


# --- the forty hard cases, where they really stand ---------------------------------------


@dataclass(frozen=True, slots=True)
class Claim:
    """What starts on lines `first` to `last` of a document.

    `names` are those of all signatures there; `nodes` names node types with how
    many start there at least, 0 for none at all.
    """

    case: int
    first: int
    last: int
    nodes: str = ""
    names: str = ""
    document: str = "configuration"
    release: str = "3.4"


CLI = "management"
CLAIMS = (
    Claim(1, 2189, 2197, "Preformatted=1 Table=0", "cpu-map"),
    Claim(2, 3053, 3060, "", "master-worker"),
    Claim(2, 3061, 3091, "", "master-worker no-exit-on-failure|max-threads-per-group"),
    Claim(3, 3147, 3150, "", "ocsp-update.maxdelay|tune.ssl.ocsp-update.maxdelay"),
    Claim(3, 3151, 3155, "", "ocsp-update.mindelay|tune.ssl.ocsp-update.mindelay"),
    Claim(4, 3598, 3600, "", "ssl-load-extra-files"),
    Claim(5, 3608, 3664, "Definitions=1 Definition=7 Example=1"),
    Claim(6, 5651, 5659, "Table=1 Preformatted=0"),
    Claim(7, 5669, 5683, "Preformatted=1"),
    Claim(8, 5984, 5987, "List=1 Item=4", ""),
    Claim(9, 6060, 6070, "Preformatted=1 Table=0"),
    Claim(10, 6143, 6341, "Table=1 Paragraph=0 Preformatted=0"),
    Claim(11, 6411, 6412, "", "balance|balance"),
    Claim(12, 6682, 6715, "Example=2"),
    Claim(13, 7098, 7110, "", (
        "compression algo|compression algo-req|compression algo-res|compression type"
    )),
    Claim(13, 7183, 7230, "", (
        "compression minsize-req|compression minsize-res|compression offload|"
        "compression direction"
    )),
    Claim(14, 7497, 7497, "Labelled=1 Paragraph=1"),
    Claim(15, 8075, 8077, "Paragraph=1", "filter-sequence"),
    Claim(15, 11707, 11710, "Paragraph=1", "option socket-stats|option socket-stats"),
    Claim(15, 12180, 12182, "Paragraph=1", "option use-small-buffers"),
    Claim(16, 8500, 8504, "Paragraph=1", "http-check expect"),
    Claim(16, 8605, 8607, "Definition=1"),
    Claim(16, 8624, 8626, "Definition=1"),
    Claim(17, 9379, 9395, "Labelled=2", "log|log|log"),
    Claim(18, 9750, 9785, "Labelled=1 Definition=5", "mode"),
    Claim(19, 12302, 12316, "Example=1 Preformatted=1"),
    Claim(19, 14310, 14318, "Example=2"),
    Claim(20, 12431, 12459, "Example=5 Preformatted=5"),
    Claim(21, 12541, 12548, "Definition=1 Paragraph=1 Preformatted=0"),
    Claim(22, 13370, 13380, "Definitions=1"),
    Claim(23, 15240, 15256, "Preformatted=2 Example=1"),
    Claim(23, 15257, 15257, "SeeAlso=1"),
    Claim(24, 15515, 15530, "", "accept"),
    Claim(25, 15930, 15938, "", "|".join(["normalize-uri"] * 9)),
    Claim(25, 15977, 15979, "Example=1 Preformatted=1"),
    Claim(26, 16395, 16406, "List=0"),
    Claim(27, 16723, 16732, "Example=1"),
    Claim(27, 30894, 30896, "Paragraph=1"),
    Claim(28, 17489, 17551, "Preformatted=1 Heading=3"),
    Claim(28, 17594, 17600, "Example=1"),
    Claim(29, 18345, 18346, "Preformatted=1", ""),
    Claim(30, 19017, 19037, "Table=1", "inter|fastinter|downinter"),
    Claim(31, 19100, 19100, "SeeAlso=1"),
    Claim(32, 20794, 20824, "Table=1 Preformatted=0"),
    Claim(33, 22406, 22447, "Table=1", "map|map_<match_type>|map_<match_type>_<output_type>"),
    Claim(34, 23616, 23645, "Example=4"),
    Claim(34, 23620, 23622, "Paragraph=1"),
    Claim(35, 24371, 24433, "Example=7 Definitions=3 Labelled=3", "dump_all_vars"),
    Claim(36, 25215, 25265, "Preformatted=2 Example=1"),
    Claim(37, 27235, 27236, "Paragraph=1", "req.ssl_cipherlist"),
    Claim(38, 29361, 29551, "Table=1 Paragraph=0 Preformatted=0"),
    Claim(39, 584, 594, "Table=1", release="2.4"),
    Claim(39, 595, 707, "Preformatted=9 Paragraph=12 Table=0", release="2.4"),
    Claim(40, 1930, 1932, "Paragraph=1", "clear table", CLI),
    Claim(40, 3623, 3625, "Paragraph=1", "show stat", CLI),
    Claim(40, 4621, 4687, "", "@<[!]pid>|@@<[!]pid>", CLI),
    Claim(40, 1998, 2014, "", "commit acl|commit map", CLI),
    Claim(40, 128, 130, "Paragraph=1", "", CLI),
    Claim(40, 2609, 2609, "Paragraph=1", "", CLI),
    Claim(40, 3074, 3096, "Preformatted=1 Paragraph=1", "", CLI),
    Claim(40, 131, 200, "Definitions=1 Definition=11", "", CLI),
)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim.case}:{claim.first}")
def test_hard_case(corpus: Path, claim: Claim) -> None:
    manual = read(find(corpus, claim.release, claim.document))
    inside = range(claim.first, claim.last + 1)
    names = [
        signature.name
        for _, entry in entries(manual)
        for signature in entry.signatures
        if signature.span.first in inside
    ]
    assert names == (claim.names.split("|") if claim.names else [])
    found = Counter(type(node).__name__ for node in nodes(manual) if node.span.first in inside)
    for part in claim.nodes.split():
        kind, _, number = part.partition("=")
        if number == "0":
            assert found[kind] == 0, part
        else:
            assert found[kind] >= int(number), (part, found)


def test_every_hard_case_is_claimed() -> None:
    assert {claim.case for claim in CLAIMS} == set(range(1, 41))


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
    documents = tuple(published(folder, setting) for setting in settings)
    whole = Release("haproxy", "HAProxy", release, documents)
    done = pipeline.release_files(whole, Edition("Manuals", "dconv"), theme.load("default"))
    assert [str(loss) for proof in done.proofs for loss in proof.losses] == []
    assert len(done.proofs) == len(settings)


def published(folder: Path, setting: DocumentSetting) -> Published:
    """A document of the corpus, ready to be made into pages."""
    text = pipeline.SourceText(b"", setting.file, haproxy(), setting, Origin("the corpus"))
    return pipeline.published(text, read(folder / setting.file))
