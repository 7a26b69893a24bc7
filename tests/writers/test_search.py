"""The search: words, names, texts, their order, and the files that they are read from."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lunr.builder import Builder
from programs import need
from shipped_search import (
    ROOT,
    VOCABULARY,
    Answer,
    ask,
    data,
    evaluate,
    release,
    release_of,
    rows,
    search_files_of,
    varied_queries,
)

from dconv.build.read import read_release
from dconv.model import diagnostics
from dconv.model.origin import Origin
from dconv.model.tree import Manual, sections
from dconv.settings.manual import default_product, load_product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.page import Release
from dconv.writers.search import encoding, files, fulltext, index_data, lunr_index, tokenizer
from dconv.writers.search.records import SectionPage
from dconv.writers.site_files import Json

LUNR = Path("/usr/share/nodejs/lunr")  # Debian's node-lunr


def answers(*queries: str) -> dict[str, Answer]:
    """What the shipped engine answers in the example of everything."""
    return dict(zip(queries, ask(search_files_of(release()), queries), strict=True))


def first_names(*queries: str) -> dict[str, str]:
    """The name of the first result of each query, "" without any."""
    return {query: next(iter(answer.names), "") for query, answer in answers(*queries).items()}


# --- words ----------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "tokens"), [
    ("http-request set_Header", ["http", "request", "set", "header"]),
    ("tune.bufsize", ["tune", "bufsize"]),
    ("hdr(host)", ["hdr", "host"]),
    ("ÀÉ×Ж ΣΑΣ", ["àé", "ж", "σασ"]),
    ("a\u2192b\u3001c\U0001f600d", ["a", "b", "c", "d"]),
    ("- , %", []),
])
def test_tokens(text: str, tokens: list[str]) -> None:
    assert tokenizer.tokens(text) == tokens


@pytest.mark.parametrize(("word", "stem"), [
    ("retries", "retry"), ("retried", "retry"), ("caches", "cach"), ("cache", "cach"),
    ("balancing", "balanc"), ("balance", "balanc"), ("logging", "log"), ("polling", "poll"),
    ("connections", "connect"), ("connected", "connect"), ("compression", "compress"),
    ("https", "https"), ("status", "status"), ("process", "process"), ("string", "string"),
    ("safely", "saf"), ("safe", "saf"), ("h2", "h2"), ("ssl", "ssl"), ("base64", "base64"),
    ("éclairs", "éclairs"),
])
def test_stems(word: str, stem: str) -> None:
    assert tokenizer.stem(word) == stem


def test_queries_are_cut_to_the_same_words_and_stems(corpus: Path) -> None:
    path = min((corpus / "haproxy").glob("*/configuration.txt"))
    text = path.read_text("utf-8", "replace")[:400_000]
    odd = varied_queries(["http-request set_Header", "ÀÉ×Ж ΣΑΣ", "hdr(host)"], 200, 3)
    lines = [*text.split("\n"), *odd]
    cut = evaluate("search.tokens(value)", lines)
    assert cut == [tokenizer.tokens(line) for line in lines]
    vocabulary = sorted({word for line in lines for word in tokenizer.tokens(line)})
    stems = evaluate("search.stem(value)", vocabulary)
    assert dict(zip(vocabulary, stems, strict=True)) == {
        word: tokenizer.stem(word) for word in vocabulary
    }


def test_numbers_come_back() -> None:
    chance = random.Random(2)
    lists = [[chance.randrange(10 ** chance.randint(1, 6)) for _ in range(at)] for at in range(40)]
    assert evaluate("search.decode(value)", [*map(encoding.encode, lists)]) == lists


def slow_distance(word: str, other: str) -> int:
    """Optimal string alignment, by its definition."""

    @cache
    def at(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        least = min(
            at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (word[i - 1] != other[j - 1])
        )
        if i > 1 and j > 1 and word[i - 1] == other[j - 2] and word[i - 2] == other[j - 1]:
            least = min(least, at(i - 2, j - 2) + 1)
        return least

    return at(len(word), len(other))


def test_distances() -> None:
    chance = random.Random(1)
    pairs = [
        ("".join(chance.choices("abc", k=chance.randint(1, 8))),
         "".join(chance.choices("abc", k=chance.randint(0, 9))), chance.randint(1, 3))
        for _ in range(400)
    ]
    assert evaluate("search.distance(...value)", pairs) == [
        min(slow_distance(word, other), most + 1) for word, other, most in pairs
    ]


# --- names ----------------------------------------------------------------------------


def test_separators_and_capitals_do_not_matter() -> None:
    queries = ["limit rate", "limit-rate", "LIMIT_RATE", "limitrate"]
    assert first_names(*queries) == dict.fromkeys(queries, "limit rate")


def test_the_bands() -> None:
    bands = {
        "option tidy": 0, "Option Tidy": 1, "option-tidy": 2, "tidy": 3, "lim rate": 4,
        "limit r": 5, "rate limit": 5, "rate lim": 7, "imitrat": 8, "limti rate": 9,
    }  # fmt: skip
    assert {query: answer.results[0].band for query, answer in answers(*bands).items()} == bands


def test_wrong_letters() -> None:
    queries = ["limt rate", "limti rate", "limit raet", "limmit rate"]
    assert first_names("hodl", *queries) == {"hodl": "hold", **dict.fromkeys(queries, "limit rate")}


def test_kinds_and_places_of_names() -> None:
    replies = answers("-q", "fetch letter", "never", "1.1")
    first = {query: answer.results[0] for query, answer in replies.items()}
    assert (first["-q"].name, first["-q"].anchor) == ("-q", "command-line-option.-q")
    scoped = replies["fetch letter"].results
    assert {result.kind for result in scoped if result.band < 6} == {"fetch"}
    argument = first["never"]
    assert (argument.name, argument.kind, argument.anchor) == (
        "hold never", "argument", "hold.never"
    )
    number = first["1.1"]
    assert (number.kind, number.path) == ("section", "manual/1.1.html")
    assert number.section_title == "Starting"


def test_syntax_of_other_engines_is_text() -> None:
    for query, answer in answers(
        "+hold", "hold*", "hold~2", "name:hold", "(hold", "hold^5"
    ).items():
        assert "hold" in answer.names, query


def test_any_query_has_an_answer_the_same_each_time() -> None:
    queries = [
        "", "   ", "\u00a0", "-", "~", ":", "*", "(((", "\u2028", "\ud800", "x" * 9999,
        *varied_queries([row.name for row in rows(release())], 800, 1),
    ]
    first = ask(search_files_of(release()), queries)
    assert ask(search_files_of(release()), queries) == first
    assert not first[0].results
    assert all(len(answer.results) <= 20 for answer in first)


# --- texts ----------------------------------------------------------------------------


def test_words_of_the_text() -> None:
    replies = answers("letters kept in memory", "kept in memroy")
    first = replies["letters kept in memory"].results[0]
    assert (first.name, first.why) == ("hold", "text")
    assert first.marks == ("letters", "kept", "in", "memory")
    misspelt = replies["kept in memroy"].results[0]
    assert misspelt.name == "hold"
    assert "memory" in misspelt.marks


def test_a_phrase_leads_to_its_places() -> None:
    assert first_names("delay the post", "how to retain the mail", "begin the program") == {
        "delay the post": "hold", "how to retain the mail": "hold",
        "begin the program": "Starting",
    }


def test_what_equals_leads_whatever_is_loaded() -> None:
    search_files = search_files_of(release())
    bare = {
        path: index_data.script("relay/2.1", "text", without_texts(data(search_files, "text")))
        if path.endswith(files.TEXT_FILE) else content
        for path, content in search_files.items()
    }
    queries = [row.name for row in rows(release())]
    for alone, later in zip(ask(bare, queries), ask(search_files, queries), strict=True):
        first, second = alone.results[0], later.results[0]
        assert (first.name, first.path, first.anchor) == (second.name, second.path, second.anchor)
    assert data(search_files, "names")["format"] == index_data.FORMAT


def without_texts(text_data: Mapping[str, object]) -> dict[str, Json]:
    """The data of a release whose texts have no words."""
    values = text_data["values"]
    assert isinstance(values, list)
    return {
        **dict.fromkeys(
            ("terms", "rows", "frequencies", "places", "levels", "targets", "wordings"), ""
        ),
        "values": values, "synonyms": [], "stopwords": [], "texts": 0, "parts": [],
    }


def test_only_some_documents() -> None:
    search_files = search_files_of(release())
    assert not ask(search_files, ["hold"], documents=["other"])[0].results
    assert ask(search_files, ["hold"], documents=["manual"])[0].names[0] == "hold"
    assert len(ask(search_files, ["l"], 3)[0].results) == 3


# --- files ----------------------------------------------------------------------------


def test_each_file_is_one_call() -> None:
    search_files = search_files_of(release())
    assert [path.rpartition("/")[2] for path in search_files] == [
        files.NAMES_FILE, files.LINES_FILE, files.TEXT_FILE, files.PART.format(0),
    ]
    for path, content in search_files.items():
        name = path.rpartition("/search-")[2].removesuffix(".js")
        text = content.decode()
        assert text.startswith(f'dconvSearch.add("relay/2.1","{name}",{{')
        assert text.endswith("});\n")
        assert text.count("\n") == 1


def document() -> Manual:
    """The one manual of the release."""
    return release().documents[0].manual


def test_the_same_bytes_again() -> None:
    assert search_files_of(release()) == search_files_of(release())


def test_a_name_that_is_not_found_fails_the_build() -> None:
    pages = [
        SectionPage(0, section, f"{section.number}.html") for section in sections(document())
    ]
    table = files.search_data(release(), pages, 0).table
    assert list(files.check_names(table)) == []
    others = tuple([place for place in table.rows if place.name != "limit rate"])
    findings = list(files.check_names(replace(table, rows=others)))
    assert [finding.rule for finding in findings] == ["search-name"]
    assert "'limit rate'" in findings[0].message
    assert diagnostics.has_fatal(findings)


ALIKE = """\
1. C++
------

About C++.

2. C
----

About C.

3. A/B
------

About A/B.

4. A B
------

About A B.

5. JSON+ output
---------------

More of it.

6. JSON output
--------------

Some of it.

7. Json output
--------------

In other letters.
"""


def test_the_exact_spelling_comes_first() -> None:
    product = load_product(ROOT / "tests/spec")
    alike = release_of(ALIKE.encode(), product, VOCABULARY)
    search_files = search_files_of(alike)  # which finds nothing wrong
    titles = [row.name for row in rows(alike) if row.kind == "section"]
    assert len(titles) == 7
    replies = dict(zip(titles, ask(search_files, titles), strict=True))
    assert {title: answer.names[0] for title, answer in replies.items()} == {
        title: title for title in titles
    }
    assert ask(search_files, ["json output"])[0].names[:3] == [
        "JSON output", "Json output", "JSON+ output"
    ]


def test_fewer_typos_come_before_fewer_separators() -> None:
    text = (
        b"1. max-rate-limit\n-----------------\n\nA limit.\n\n"
        b"2. maxratalamt\n--------------\n\nA city.\n"
    )
    limits = release_of(text, load_product(ROOT / "tests/spec"), VOCABULARY)
    (answer,) = ask(search_files_of(limits), ["maxratelimt"])
    assert answer.names == ["max-rate-limit", "maxratalamt"]


STATES = """\
1. Flags
--------

  - On the first place, who ended it :

        C : the client.

        S : the server.

        - : nobody.

  - On the second place, when it ended :

        D : on its way.

        R : at the door.

        - : never.

Many come together.

  Flags   Meaning

     SD   The server took it back.

     SR   The server took too long.
"""


def test_states_are_explained_letter_by_letter() -> None:
    product = load_product(ROOT / "tests/spec")
    vocabulary = replace(VOCABULARY, states={"flag": ("first", "second")})
    states = search_files_of(release_of(STATES.encode(), product, vocabulary))

    def anchors(query: str) -> list[str]:
        return [result.anchor for result in ask(states, [query])[0].results]

    assert anchors("SD") == ["flag.SD", "flag.first.S", "flag.second.D"]
    assert anchors("C-") == ["flag.first.C", "flag.second.-"]
    assert anchors("-") == ["flag.first.-", "flag.second.-"]
    assert anchors("sD") == ["flag.SD"]  # the nearest name
    assert anchors("DS") != ["flag.second.D", "flag.first.S"]
    [first, *_] = ask(states, ["-"])[0].results
    assert (first.qualifier, first.others) == ("first", ())


@pytest.mark.parametrize("source", [
    "everything",
    pytest.param("haproxy", marks=pytest.mark.slow),
    pytest.param("fio-HOWTO-3.33.rst", marks=pytest.mark.slow),
])
def test_each_name_finds_its_place_first_of_its_kind(source: str, corpus: Path) -> None:
    searched = (
        release() if source == "everything" else real(corpus) if source == "haproxy"
        else other(corpus / "other" / source)
    )
    places = rows(searched)
    addresses: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for row in places:
        key = (row.kind, tokenizer.fold(row.name))
        addresses.setdefault(key, set()).add((row.path, row.anchor))
    some = places[:: max(1, len(places) // 500)]
    answers = ask(search_files_of(searched), [row.name for row in some], 60)
    for row, answer in zip(some, answers, strict=True):
        first, address = next(
            (result, (path, anchor)) for result in answer.results
            for kind, path, anchor in ((result.kind, result.path, result.anchor), *result.others)
            if kind == row.kind
        )
        assert first.name.lower() == row.name.lower(), (row, first)
        assert address in addresses[row.kind, tokenizer.fold(row.name)], (row, first)
        if address == (row.path, row.anchor) == (first.path, first.anchor):
            assert first.section == row.section, (row, first)
            assert not row.line or first.line == row.line, (row, first)
        if row.kind == "section":
            assert first.name == row.name


def other(file: Path) -> Release:
    """The release that has a text of another product."""
    product = replace(default_product(), documents=load_product(ROOT / "tests/spec").documents)
    return release_of(file.read_bytes(), product, VOCABULARY)


def test_texts_in_order_come_back() -> None:
    chance = random.Random(3)
    lists = [
        sorted("".join(chance.choices("ab\u00e9\U0001f600\U0001f601", k=chance.randint(0, 60)))
               for _ in range(at))
        for at in range(40)
    ]
    coded = [*map(encoding.encode_front_coded, lists)]
    assert evaluate("search.decodeFrontCoded(value)", coded) == lists


def test_gaps_come_back() -> None:
    chance = random.Random(4)
    lists = [sorted(chance.sample(range(5000), at)) for at in range(40)]
    assert evaluate("search.fromGaps(value)", [*map(encoding.gaps, lists)]) == lists


def test_numbers_of_sections_come_back() -> None:
    numbers = ["1", "1.1", "1.2", "1.2.1", "2", "4", "4.10", "4.11", "5", "", "A", "A.1", "1", "01"]
    text = "\n".join(
        f"{number}. Part\n-----\n\nText of {number}.\n" for number in numbers if number
    )
    numbered = release_of(text.encode(), load_product(ROOT / "tests/spec"), VOCABULARY)
    wanted = [section.number for section in sections(numbered.documents[0].manual)]
    search_files = search_files_of(numbered)
    assert [row.section for row in rows(numbered) if row.kind == "section"] == wanted
    assert set(wanted) > {"1", "1.2.1", "4.10"}
    queries = [number for number in wanted if number]
    for number, answer in zip(queries, ask(search_files, queries), strict=True):
        assert answer.results[0].section == number
    assert list(index_data.shorten_numbers(numbers)) == [
        "1", "2", "2", "3", "1", "=4", "=4.10", "2", "1", "=", "=A", "2", "=1", "=01",
    ]


@pytest.mark.parametrize("text", [
    b"", b"x\n", b"1. A\n----\n\n\n", b"\xff\n", b"1. \xe2\x80\xa8\n--\n",
])
def test_any_text_has_a_search(text: bytes) -> None:
    product = replace(default_product(), documents=load_product(ROOT / "tests/spec").documents)
    search_files = search_files_of(release_of(text, product, VOCABULARY))
    queries = ["Manual", "manul", "a", "zzzzz zzzz", "", "1", "\u2028"]
    assert ask(search_files, queries)[0].names[0] == "Manual"


def test_a_sentence_that_many_entries_begin_with_is_no_line() -> None:
    begin = "  Needs power from the mains."
    text = "2. Directives\n-------------\n\n" + "".join(
        f"light-{name} <number>\n{begin} Works at all hours. It is {name}.\n\n"
        for name in ("amber", "blue", "crimson", "dun", "ecru")
    ) + f"light-grey\n{begin}\n\n"
    lights = release_of(text.encode(), load_product(ROOT / "tests/spec"), VOCABULARY)
    search_files = search_files_of(lights)
    results = ask(search_files, ["light-"], 6)[0].results
    assert {result.name: result.line for result in results if result.why == "name"} == {
        "light-amber": "It is amber.", "light-blue": "It is blue.", "light-dun": "It is dun.",
        "light-crimson": "It is crimson.", "light-ecru": "It is ecru.",
        "light-grey": "Needs power from the mains.",
    }


@cache
def real_files(corpus: Path) -> dict[str, bytes]:
    """The files of the search of the newest release of HAProxy that is here."""
    return search_files_of(real(corpus))


def real(corpus: Path) -> Release:
    """The newest release of HAProxy that is here."""
    product = load_product(resource_folder("manuals") / "haproxy")
    folder = max(
        (corpus / "haproxy").iterdir(),
        key=lambda path: [int(part) for part in path.name.split(".") if part.isdecimal()],
    )
    texts = tuple(
        SourceText(
            (folder / document.file).read_bytes(), document.file, product, document,
            Origin("here"),
        )
        for document in product.documents if (folder / document.file).is_file()
    )
    release_texts = ReleaseTexts("haproxy", "HAProxy", folder.name, "", texts)
    return read_release(release_texts, lambda _: None)


def test_anchors_that_follow_from_names_are_not_written(corpus: Path) -> None:
    names = data(real_files(corpus), "names")
    other = str(names["other"]).split("\n")
    assert not {"cli-command.show-info", "cli-command.show-stat"} & {*other}


def test_real_names_come_first(corpus: Path) -> None:
    names_of = {
        "maxconn": "maxconn", "http-request set-header": "set-header",
        "stick table": "stick-table", "timeuot client": "timeout client",
        "httplog": "option httplog",
    }
    replies = zip(names_of, ask(real_files(corpus), list(names_of)), strict=True)
    # the actions of old releases have longer names
    found = {query: answer.names[0].removeprefix("http-request ") for query, answer in replies}
    assert found == names_of


# --- lunr -----------------------------------------------------------------------------


@given(st.lists(
    st.dictionaries(st.sampled_from(["name", "body", "code"]), st.lists(st.sampled_from("abcdef"))),
    min_size=1,
))
def test_words_weigh_as_lunr_says(documents: list[dict[str, list[str]]]) -> None:
    builder = Builder()
    builder.ref("id")
    builder.k1(fulltext.SATURATION)
    builder.b(fulltext.LENGTH_FACTOR)
    for part, weight in fulltext.FIELD_WEIGHTS.items():
        builder.field(part, weight)
    for at, stems in enumerate(documents):
        texts = {part: stems.get(part, []) for part in fulltext.FIELD_WEIGHTS}
        builder.add({"id": str(at), **texts})
    index = builder.build()
    expected = weights(index.field_vectors, index.inverted_index)
    built_index = lunr_index.build(documents)
    assert weights(built_index.field_vectors, built_index.inverted_index) == expected
    assert fulltext.word_weights(documents) == {
        word: {at: round(weight * fulltext.WEIGHT_UNITS) for at, weight in sums.items()}
        for word, sums in summed(expected).items()
    }


def weights(vectors: dict[str, Any], inverted: dict[str, Any]) -> dict[str, dict[str, float]]:
    """What each word weighs in each field of each document."""
    terms = {posting["_index"]: word for word, posting in inverted.items()}
    return {
        reference: {
            terms[vector.elements[at]]: vector.elements[at + 1]
            for at in range(0, len(vector.elements), 2)
        }
        for reference, vector in vectors.items()
    }


def summed(by_field: dict[str, dict[str, float]]) -> dict[str, dict[int, float]]:
    """What each word weighs at each document, of its fields."""
    sums: dict[str, dict[int, float]] = {}
    for reference, words_of in by_field.items():
        at = int(reference.partition("/")[2])
        for word, weight in words_of.items():
            word_sums = sums.setdefault(word, {})
            word_sums[at] = word_sums.get(at, 0.0) + weight
    return sums


def test_lunr_loads_the_index(tmp_path: Path) -> None:
    if not LUNR.is_dir():
        need("node-lunr, Debian's package of lunr.js")
    search_files = search_files_of(release(), lunr=True)
    (tmp_path / "lunr.json").write_bytes(search_files["relay/2.1/lunr.json"])
    inverted = dict(json.loads(search_files["relay/2.1/lunr.json"])["invertedIndex"])
    terms = sorted(inverted)
    script = f"""
      const lunr = require({json.dumps(str(LUNR))});
      const index = lunr.Index.load(JSON.parse(require("fs").readFileSync("lunr.json")));
      const ask = (term) => index.query((query) => query.term(term, {{usePipeline: false}}));
      const terms = JSON.parse(require("fs").readFileSync(0));
      console.log(JSON.stringify(terms.map((term) => ask(term).map((hit) => hit.ref).sort())));
    """
    completed = subprocess.run(
        [need("node"), "--no-deprecation", "-e", script], input=json.dumps(terms), text=True,
        capture_output=True, check=True, cwd=tmp_path,
    )
    for term, documents in zip(terms, json.loads(completed.stdout), strict=True):
        lists = [refs for part, refs in inverted[term].items() if part != "_index"]
        assert documents == sorted({ref for refs in lists for ref in refs}), term
