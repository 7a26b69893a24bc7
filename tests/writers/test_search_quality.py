"""How good the search is: queries of several groups, against the real manual.

`tests/writers/queries/*.toml` hold queries with the places that are right, best first, as
`kind/name` or `document#title of a section`.  A result is right if it is one of them;
one result stands for all kinds of a name, and for the arguments of an entry.

`natural.toml` and `tasks.toml` may be looked at to make the search better, `unseen.toml`,
which asks oddly, and `held.toml` not: they tell what strangers find.  The floors lie a
little below what was measured; raise them when the search has become better, and never
lower them for a change of the ranking.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest
from shipped_search import SearchResult, ask, rows, search_files_of

from dconv.build.read import read_release
from dconv.model.origin import Origin
from dconv.model.tree import TITLE_GAP
from dconv.settings.manual import load_product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.page import Release

FOLDER = Path(__file__).with_name("queries")
RELEASE = "3.4"
FEW = 5
# group, per cent of queries whose first result is right, and one of the first five
FLOORS = (
    ("exact", 99.5, 100.0),
    ("partial", 99.0, 99.5),
    ("misspelt", 99.0, 99.5),
    ("natural", 82.0, 94.0),
    ("unseen", 45.0, 75.0),
    ("tasks", 84.0, 95.0),
    ("held", 84.0, 96.0),
)
FEWEST = {
    "exact": 120, "partial": 100, "misspelt": 100, "natural": 120, "unseen": 50, "tasks": 80,
    "held": 80,
}  # fmt: skip
SHOWN = 12  # failures that a message tells


@dataclass(frozen=True, slots=True)
class Query:
    """A query and the places that are right."""

    query: str
    expect: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Where the first right result is, from 1, or 0; and what came back."""

    query: Query
    rank: int
    names: tuple[str, ...]


@lru_cache
def queries_of(group: str) -> tuple[Query, ...]:
    """The queries of `group`."""
    queries = tomllib.loads((FOLDER / f"{group}.toml").read_text(encoding="utf-8"))["queries"]
    return tuple(Query(query["query"], tuple(query["expect"])) for query in queries)


@lru_cache(maxsize=1)
def linked(folder: Path) -> Release:
    """The release in `folder`."""
    product = load_product(resource_folder("manuals") / "haproxy")
    texts = tuple(
        SourceText(
            path.read_bytes(), path.name, product, setting, Origin(setting.name)
        )
        for setting in product.documents
        if (path := folder / setting.file).is_file()
    )
    return read_release(
        ReleaseTexts("haproxy", "HAProxy", folder.name, "", texts), lambda _: None
    )


def places(result: SearchResult) -> Iterator[str]:
    """What queries may call the place of `result`, and those that it stands for."""
    for kind in (result.kind, *(kind for kind, _, _ in result.others)):
        yield f"{kind}/{result.name}".lower()
        yield f"{kind}/{result.name.removeprefix('%')}".lower()
    if result.kind == "section":
        yield f"{result.document}#{result.name}".lower()


def is_expected(result: SearchResult, expect: tuple[str, ...]) -> bool:
    """Whether `result` is one of the places `expect`, a form ("set server … state") or an argument.
    """
    here = set(places(result))
    for place in expect:
        name = place.partition("/")[2].lower()
        argument = bool(name) and result.name.lower().startswith(f"{name} ")
        is_form = place.lower() == f"{result.kind}/{result.name.partition(TITLE_GAP)[0]}".lower()
        if place.lower() in here or is_form or (result.kind == "argument" and argument):
            return True
    return False


@lru_cache(maxsize=1)
def all_answers(folder: Path) -> dict[str, tuple[Answer, ...]]:
    """The answers to the queries of all groups."""
    queries = [query.query for group in FEWEST for query in queries_of(group)]
    replies = iter(ask(search_files_of(linked(folder)), queries, FEW))
    return {
        group: tuple(answer(query, next(replies).results) for query in queries_of(group))
        for group in FEWEST
    }


def answer(query: Query, results: Sequence[SearchResult]) -> Answer:
    """The answer to `query`, which finds `results`."""
    ranks = (
        rank for rank, result in enumerate(results, 1) if is_expected(result, query.expect)
    )
    names = tuple(f"{result.kind}/{result.name}" for result in results)
    return Answer(query, next(ranks, 0), names)


def answers(folder: Path, group: str) -> tuple[Answer, ...]:
    """The answers to all queries of `group`."""
    return all_answers(folder)[group]


def newest(corpus: Path) -> Path:
    """The release that the queries were written for; skips the test without it."""
    folder = corpus / "haproxy" / RELEASE
    if not (folder / "configuration.txt").is_file():
        pytest.skip(f"this corpus has no {RELEASE}")
    return folder


@pytest.mark.parametrize("group", FEWEST)
def test_queries_are_well_formed(group: str) -> None:
    queries = queries_of(group)
    assert len(queries) >= FEWEST[group]
    assert len({query.query for query in queries}) == len(queries)
    assert [
        query for query in queries
        if not query.expect or len(set(query.expect)) != len(query.expect)
    ] == []


@lru_cache(maxsize=1)
def wordings() -> frozenset[str]:
    """What phrases.toml has word for word."""
    path = resource_folder("manuals") / "haproxy" / "phrases.toml"
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["phrase"]
    return frozenset(wording.lower() for row in rows for wording in row["queries"])


@pytest.mark.parametrize(("group", "most"), [
    ("natural", 0), ("unseen", 0), ("tasks", 12), ("held", 13),
])
def test_hardly_any_query_is_a_phrase(group: str, most: int) -> None:
    """What is held out of phrases.toml measures more than phrases.toml.

    What all admins say, such as "mutual tls", is in both without anyone's looking.
    """
    same = sorted({query.query.lower() for query in queries_of(group)} & wordings())
    assert len(same) <= most, same


@pytest.mark.parametrize(("group", "first", "few"), [("tasks", 84.0, 95.0), ("held", 82.0, 95.0)])
def test_tasks_that_no_phrase_says(corpus: Path, group: str, first: float, few: float) -> None:
    results = [
        answer for answer in answers(newest(corpus), group)
        if answer.query.query.lower() not in wordings()
    ]
    assert 100 * sum(answer.rank == 1 for answer in results) / len(results) >= first
    assert 100 * sum(answer.rank > 0 for answer in results) / len(results) >= few


@pytest.mark.parametrize(("group", "first", "few"), FLOORS)
def test_right_places_come_first(corpus: Path, group: str, first: float, few: float) -> None:
    results = answers(newest(corpus), group)
    firsts = 100 * sum(answer.rank == 1 for answer in results) / len(results)
    fews = 100 * sum(answer.rank > 0 for answer in results) / len(results)
    worst = sorted(
        (answer for answer in results if answer.rank != 1),
        key=lambda answer: (answer.rank > 0, answer.rank),
    )
    failures = [(answer.query.query, answer.rank, *answer.names) for answer in worst[:SHOWN]]
    assert firsts >= first, f"first: {firsts:.1f} % of {group}: {failures}"
    assert fews >= few, f"in five: {fews:.1f} % of {group}: {failures}"


# anchors of flags without their kind, the first results in order
STATES = {
    "sD--": ("sD", "first.s", "second.D", "last.--", "third.-", "last.-"),
    "cD--": ("cD", "first.c", "second.D"),
    "SH--": ("SH", "first.S", "second.H"),
    "sQ--": ("sQ", "first.s", "second.Q"),
    "IR--": ("first.I", "second.R", "last.--"),
    "CDNI": ("CD", "first.C", "second.D", "last.NI", "third.N", "last.I"),
    "sD": ("sD", "first.s", "second.D"),
    "SD": ("SD", "first.S", "second.D"),
    "NI": ("last.NI", "third.N", "last.I"),
}


def test_states_of_logs_are_explained(corpus: Path) -> None:
    replies = ask(search_files_of(linked(newest(corpus))), list(STATES))
    for (state, expected), reply in zip(STATES.items(), replies, strict=True):
        anchors = [result.anchor for result in reply.results[: len(expected)]]
        assert anchors == [f"termination-flag.{anchor}" for anchor in expected], state


def test_hardly_any_query_is_left_without_an_answer(corpus: Path) -> None:
    results = [answer for group in FEWEST for answer in answers(newest(corpus), group)]
    empty = [answer.query.query for answer in results if not answer.names]
    assert 200 * len(empty) <= len(results), empty


def test_queries_ask_for_what_is_there(corpus: Path) -> None:
    places = rows(linked(newest(corpus)))
    there = {f"{row.kind}/{row.name}".lower() for row in places}
    there |= {place.replace("/%", "/", 1) for place in there}
    there |= {place.partition(TITLE_GAP)[0] for place in there}
    there |= {f"{row.document}#{row.name}".lower() for row in places if row.kind == "section"}
    assert sorted({
        place for group in FEWEST for query in queries_of(group) for place in query.expect
        if place.lower() not in there
    }) == []
