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
from searching import (
    ROOT,
    VOCABULARY,
    Answer,
    ask,
    data,
    evaluate,
    mutated,
    release,
    released,
    table,
    written,
)

from dconv.build.read import read_release
from dconv.build.schedule import build_site
from dconv.cli import main
from dconv.model import diagnostics
from dconv.model.tree import Manual, sections
from dconv.settings import SettingsError, load_product, plain_product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages import Edition, Origin, Release
from dconv.writers.pages.filenames import RELEASES
from dconv.writers.search import encoding, files, lunr_index, names, pack, texts, words
from dconv.writers.theme.theme import load

LUNR = Path("/usr/share/nodejs/lunr")  # Debian's node-lunr


def answers(*queries: str) -> dict[str, Answer]:
    """What the shipped engine answers in the example of everything."""
    return dict(zip(queries, ask(written(release()), queries), strict=True))


def first_names(*queries: str) -> dict[str, str]:
    """The name of the first result of each query, "" without any."""
    return {query: next(iter(answer.names), "") for query, answer in answers(*queries).items()}


# --- words ----------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "found"), [
    ("http-request set_Header", ["http", "request", "set", "header"]),
    ("tune.bufsize", ["tune", "bufsize"]),
    ("hdr(host)", ["hdr", "host"]),
    ("ÀÉ×Ж ΣΑΣ", ["àé", "ж", "σασ"]),
    ("a\u2192b\u3001c\U0001f600d", ["a", "b", "c", "d"]),
    ("- , %", []),
])
def test_tokens(text: str, found: list[str]) -> None:
    assert words.tokens(text) == found


@pytest.mark.parametrize(("word", "stem"), [
    ("retries", "retry"), ("retried", "retry"), ("caches", "cach"), ("cache", "cach"),
    ("balancing", "balanc"), ("balance", "balanc"), ("logging", "log"), ("polling", "poll"),
    ("connections", "connect"), ("connected", "connect"), ("compression", "compress"),
    ("https", "https"), ("status", "status"), ("process", "process"), ("string", "string"),
    ("safely", "saf"), ("safe", "saf"), ("h2", "h2"), ("ssl", "ssl"), ("base64", "base64"),
    ("éclairs", "éclairs"),
])
def test_stems(word: str, stem: str) -> None:
    assert words.stem(word) == stem


def test_queries_are_cut_to_the_same_words_and_stems(corpus: Path) -> None:
    text = (corpus / "other" / "exim-spec.txt").read_text("utf-8", "replace")[:400_000]
    odd = mutated(["http-request set_Header", "ÀÉ×Ж ΣΑΣ", "hdr(host)"], 200, 3)
    lines = [*text.split("\n"), *odd]
    cut = evaluate("search.tokens(value)", lines)
    assert cut == [words.tokens(line) for line in lines]
    found = sorted({word for line in lines for word in words.tokens(line)})
    stems = evaluate("search.stem(value)", found)
    assert dict(zip(found, stems, strict=True)) == {word: words.stem(word) for word in found}


@given(st.lists(st.integers(0, 200_000)))
def test_numbers_come_back(numbers: list[int]) -> None:
    assert encoding.decode(encoding.encode(numbers)) == numbers


def slow_distance(one: str, other: str) -> int:
    """Optimal string alignment, by its definition."""

    @cache
    def at(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        least = min(
            at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (one[i - 1] != other[j - 1])
        )
        if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
            least = min(least, at(i - 2, j - 2) + 1)
        return least

    return at(len(one), len(other))


def test_distances() -> None:
    chance = random.Random(1)
    pairs = [
        ("".join(chance.choices("abc", k=chance.randint(1, 8))),
         "".join(chance.choices("abc", k=chance.randint(0, 9))), chance.randint(1, 3))
        for _ in range(400)
    ]
    assert evaluate("search.distance(...value)", pairs) == [
        min(slow_distance(one, other), most + 1) for one, other, most in pairs
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
    assert {query: answer.hits[0].band for query, answer in answers(*bands).items()} == bands


def test_wrong_letters() -> None:
    queries = ["limt rate", "limti rate", "limit raet", "limmit rate"]
    assert first_names("hodl", *queries) == {"hodl": "hold", **dict.fromkeys(queries, "limit rate")}


def test_kinds_and_places_of_names() -> None:
    found = answers("-q", "fetch letter", "never", "1.1")
    first = {query: answer.hits[0] for query, answer in found.items()}
    assert (first["-q"].name, first["-q"].anchor) == ("-q", "command-line-option.-q")
    assert {hit.kind for hit in found["fetch letter"].hits if hit.band < 6} == {"fetch"}  # a scope
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
        *mutated([row.name for row in table(written(release())).rows], 800, 1),
    ]
    first = ask(written(release()), queries)
    assert ask(written(release()), queries) == first
    assert not first[0].hits
    assert all(len(answer.hits) <= 20 for answer in first)


# --- texts ----------------------------------------------------------------------------


def test_words_of_the_text() -> None:
    found = answers("letters kept in memory", "kept in memroy")
    first = found["letters kept in memory"].hits[0]
    assert (first.name, first.why) == ("hold", "text")
    assert first.marks == ("letters", "kept", "in", "memory")
    misspelt = found["kept in memroy"].hits[0]
    assert misspelt.name == "hold"
    assert "memory" in misspelt.marks


def test_a_phrase_leads_to_its_places() -> None:
    assert first_names("delay the post", "how to retain the mail", "begin the program") == {
        "delay the post": "hold", "how to retain the mail": "hold",
        "begin the program": "Starting",
    }


def test_what_equals_leads_whatever_is_loaded() -> None:
    made = written(release())
    bare = {
        path: pack.script("relay/2.1", "text", without_texts(data(made, "text")))
        if path.endswith(files.TEXT) else content
        for path, content in made.items()
    }
    queries = [row.name for row in table(made).rows]
    for alone, later in zip(ask(bare, queries), ask(made, queries), strict=True):
        first, second = alone.hits[0], later.hits[0]
        assert (first.name, first.path, first.anchor) == (second.name, second.path, second.anchor)
    assert data(made, "names")["format"] == pack.FORMAT


def without_texts(tier: Mapping[str, object]) -> dict[str, pack.Json]:
    """The data of a release whose texts have no words."""
    values = tier["values"]
    assert isinstance(values, list)
    return {
        **dict.fromkeys(
            ("terms", "rows", "frequencies", "places", "levels", "targets", "wordings"), ""
        ),
        "values": values, "synonyms": [], "noise": [], "texts": 0, "parts": [],
    }


def test_only_some_documents() -> None:
    made = written(release())
    assert not ask(made, ["hold"], documents=["other"])[0].hits
    assert ask(made, ["hold"], documents=["manual"])[0].names[0] == "hold"
    assert len(ask(made, ["l"], 3)[0].hits) == 3


# --- files ----------------------------------------------------------------------------


def test_each_file_is_one_call() -> None:
    made = written(release())
    assert [path.rpartition("/")[2] for path in made] == [
        files.NAMES, files.LINES, files.TEXT, files.PART.format(0),
    ]
    for path, content in made.items():
        tier = path.rpartition("/search-")[2].removesuffix(".js")
        text = content.decode()
        assert text.startswith(f'dconvSearch.add("relay/2.1","{tier}",{{')
        assert text.endswith("});\n")
        assert text.count("\n") == 1


def test_every_place_comes_back_as_it_was() -> None:
    made = written(release())
    places = files.search_data(
        release(), {"manual": [f"{section.number}.html" for section in sections(document())]}
    ).table.rows
    rows, lines = table(made).rows, str(data(made, "lines")["lines"]).split("\n")
    for number, (row, place) in enumerate(zip(rows, places, strict=True)):
        assert (row.name, row.anchor) == (pack.shown(place), place.anchor)
        assert (lines[number] or lines[row.owner]) == place.line


def document() -> Manual:
    """The one manual of the release."""
    return release().documents[0].manual


def test_the_same_bytes_again() -> None:
    assert written(release()) == written(release())


def test_a_name_that_is_not_found_fails_the_build() -> None:
    found = files.search_data(release(), {
        "manual": [f"{section.number}.html" for section in sections(document())]
    })
    script = pack.script("relay/2.1", "names", found.names).decode()
    assert list(names.check(found.table, script)) == []
    findings = list(names.check(found.table, script.replace("limit rate", "limit rote")))
    assert [finding.rule for finding in findings] == ["search-name"]
    assert "'limit rate'" in findings[0].message
    assert diagnostics.failed(findings)


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
    made = written(released(ALIKE.encode(), product, VOCABULARY))  # which finds nothing wrong
    titles = [row.name for row in table(made).rows if row.kind == "section"]
    assert len(titles) == 7
    found = dict(zip(titles, ask(made, titles), strict=True))
    assert {title: answer.names[0] for title, answer in found.items()} == {
        title: title for title in titles
    }
    assert all(table(made).rows[table(made).lookup(title)[0]].name == title for title in titles)
    assert ask(made, ["json output"])[0].names[:3] == [
        "JSON output", "Json output", "JSON+ output"
    ]


@pytest.mark.parametrize("source", ["everything", "haproxy", "fio-HOWTO-3.33.rst"])
def test_each_name_finds_its_place_first_of_its_kind(source: str, corpus: Path) -> None:
    made = (
        written(release()) if source == "everything" else real_files(corpus)
        if source == "haproxy" else written(other(corpus / "other" / source))
    )
    rows = table(made).rows
    rows = rows[:: max(1, len(rows) // 200)]
    for row, answer in zip(rows, ask(made, [row.name for row in rows], 60), strict=True):
        first = next((hit for hit in answer.hits if row.kind in (hit.kind, *hit.others)), None)
        assert first is not None, row
        assert first.name.lower() == row.name.lower(), (row, first)
        if row.kind == "section":
            assert first.name == row.name


def other(file: Path) -> Release:
    """The release that has a text of another product."""
    product = replace(plain_product(), documents=load_product(ROOT / "tests/spec").documents)
    return released(file.read_bytes(), product, VOCABULARY)


@given(st.lists(st.text("ab\u00e9\U0001f600\U0001f601", max_size=60)))
def test_texts_in_order_come_back(lines: list[str]) -> None:
    coded = encoding.front_coded(sorted(lines))
    assert encoding.restored(coded) == sorted(lines)
    assert encoding.restored("") == []


@given(st.sets(st.integers(0, 5000)), st.integers(-5000, 5000))
def test_gaps_come_back(numbers: set[int], number: int) -> None:
    assert encoding.sums(encoding.gaps(sorted(numbers))) == sorted(numbers)
    assert encoding.unfolded(encoding.folded(number)) == number


def test_numbers_of_sections_come_back() -> None:
    numbers = ["1", "1.1", "1.2", "1.2.1", "2", "4", "4.10", "4.11", "5", "", "A", "A.1", "1", "01"]
    text = "\n".join(f"{one}. Part\n-----\n\nText of {one}.\n" for one in numbers if one)
    found = released(text.encode(), load_product(ROOT / "tests/spec"), VOCABULARY)
    wanted = [section.number for section in sections(found.documents[0].manual)]
    made = written(found)
    assert [row.section for row in table(made).rows if row.kind == "section"] == wanted
    assert set(wanted) > {"1", "1.2.1", "4.10"}
    asked = [number for number in wanted if number]
    for number, answer in zip(asked, ask(made, asked), strict=True):
        assert answer.hits[0].section == number
    assert list(pack.shortened(numbers)) == [
        "1", "2", "2", "3", "1", "=4", "=4.10", "2", "1", "=", "=A", "2", "=1", "=01",
    ]


@pytest.mark.parametrize("text", [
    b"", b"x\n", b"1. A\n----\n\n\n", b"\xff\n", b"1. \xe2\x80\xa8\n--\n",
])
def test_any_text_has_a_search(text: bytes) -> None:
    product = replace(plain_product(), documents=load_product(ROOT / "tests/spec").documents)
    made = written(released(text, product, VOCABULARY))
    queries = ["Manual", "manul", "a", "zzzzz zzzz", "", "1", "\u2028"]
    assert ask(made, queries)[0].names[0] == "Manual"


def test_a_sentence_that_many_entries_begin_with_is_no_line() -> None:
    begin = "  Needs power from the mains."
    text = "2. Directives\n-------------\n\n" + "".join(
        f"light-{name} <number>\n{begin} Works at all hours. It is {name}.\n\n"
        for name in ("amber", "blue", "crimson", "dun", "ecru")
    ) + f"light-grey\n{begin}\n\n"
    made = written(released(text.encode(), load_product(ROOT / "tests/spec"), VOCABULARY))
    found = ask(made, ["light-"], 6)[0].hits
    assert {hit.name: hit.line for hit in found if hit.why == "name"} == {
        "light-amber": "It is amber.", "light-blue": "It is blue.", "light-dun": "It is dun.",
        "light-crimson": "It is crimson.", "light-ecru": "It is ecru.",
        "light-grey": "Needs power from the mains.",
    }


@cache
def real_files(corpus: Path) -> dict[str, bytes]:
    """The files of the search of the newest release of HAProxy that is here."""
    return written(real(corpus))


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
    found = ReleaseTexts("haproxy", "HAProxy", folder.name, "", texts)
    return read_release(found, lambda _: None)


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
    found = zip(names_of, ask(real_files(corpus), list(names_of)), strict=True)
    assert {query: answer.names[0] for query, answer in found} == names_of


# --- lunr -----------------------------------------------------------------------------


@given(st.lists(
    st.dictionaries(st.sampled_from(["name", "body", "code"]), st.lists(st.sampled_from("abcdef"))),
    min_size=1,
))
def test_words_weigh_as_lunr_says(documents: list[dict[str, list[str]]]) -> None:
    builder = Builder()
    builder.ref("id")
    builder.k1(texts.SATURATION)
    builder.b(texts.LENGTH)
    for part, weight in texts.WEIGHTS.items():
        builder.field(part, weight)
    for at, found in enumerate(documents):
        builder.add({"id": str(at), **{part: found.get(part, []) for part in texts.WEIGHTS}})
    index = builder.build()
    known = weights(index.field_vectors, index.inverted_index)
    own = lunr_index.build(documents)
    assert weights(own.field_vectors, own.inverted_index) == known
    assert texts.impacts(documents) == {
        word: pytest.approx(found) for word, found in summed(known).items()
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


def summed(known: dict[str, dict[str, float]]) -> dict[str, dict[int, float]]:
    """What each word weighs at each document, of its fields."""
    found: dict[str, dict[int, float]] = {}
    for reference, words_of in known.items():
        at = int(reference.partition("/")[2])
        for word, weight in words_of.items():
            own = found.setdefault(word, {})
            own[at] = own.get(at, 0.0) + weight
    return found


def test_lunr_loads_the_index(tmp_path: Path) -> None:
    if not LUNR.is_dir():
        need("node-lunr, Debian's package of lunr.js")
    made = written(release(), lunr=True)
    (tmp_path / "lunr.json").write_bytes(made["relay/2.1/lunr.json"])
    inverted = dict(json.loads(made["relay/2.1/lunr.json"])["invertedIndex"])
    terms = sorted(inverted)
    script = f"""
      const lunr = require({json.dumps(str(LUNR))});
      const index = lunr.Index.load(JSON.parse(require("fs").readFileSync("lunr.json")));
      const ask = (term) => index.query((query) => query.term(term, {{usePipeline: false}}));
      const terms = JSON.parse(require("fs").readFileSync(0));
      console.log(JSON.stringify(terms.map((term) => ask(term).map((found) => found.ref).sort())));
    """
    done = subprocess.run(
        [need("node"), "--no-deprecation", "-e", script], input=json.dumps(terms), text=True,
        capture_output=True, check=True, cwd=tmp_path,
    )
    for term, found in zip(terms, json.loads(done.stdout), strict=True):
        own = {ref for part, refs in inverted[term].items() if part != "_index" for ref in refs}
        assert found == sorted(own), term


# --- settings and the command ----------------------------------------------------------


def test_a_vocabulary_is_read() -> None:
    found = load_product(resource_folder("manuals") / "haproxy").vocabulary
    assert "proxy keyword" in found.priority
    assert "srv" in found.abbreviations["server"]
    assert found.scopes["bind"] == ("bind option",)
    assert found.rule_sets["HTTP Req"] == "http-request"


@pytest.mark.parametrize(("file", "text", "message"), [
    ("search.toml", "kind = []", "unknown key 'kind'"),
    ("search.toml", "[abbreviations]\na = ['x']\nb = ['x']", "has 'x' for both 'a' and 'b'"),
    ("search.toml", "[synonyms]\nkeep = ['hold', 'put off']", "has 'put off' for 'keep'"),
    ("search.toml", "[synonyms]\n'put off' = ['keep']", "has 'put off' for 'put off'; write"),
    ("phrases.toml", "[[phrase]]\nqueries = ['a']", "needs 'queries'"),
    ("phrases.toml", "[[phrase]]\nqueries = ['a']\ntargets = ['b']", "has a target 'b'"),
])
def test_a_wrong_vocabulary(file: str, text: str, message: str, tmp_path: Path) -> None:
    manual = (ROOT / "tests" / "spec" / "manual.toml").read_text()
    (tmp_path / "manual.toml").write_text(manual)
    (tmp_path / file).write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_product(tmp_path)
    assert message in str(caught.value)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A built site of two products."""
    for name in ("relay", "other"):
        text = tmp_path / f"{name}.txt"
        text.write_bytes((ROOT / "tests" / "golden" / "everything.txt").read_bytes())
    words = ["--quiet", "--manuals", str(ROOT / "tests" / "spec"), "--dialect", "relay"]
    for version in ("2.1", "2.10"):
        main([
            "convert", str(tmp_path / "relay.txt"), "-o", str(tmp_path / version),
            "--release", version, *words,
        ])
    (tmp_path / "2.1" / "relay" / RELEASES).unlink()  # knows of the one release only
    (tmp_path / "2.1" / "relay" / "2.10").symlink_to(tmp_path / "2.10" / "relay" / "2.10")
    return tmp_path / "2.1"


def test_the_command_finds(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["search", "limit", "rate", "--folder", str(site), "--limit", "1"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "limit rate: directive, relay/2.10 manual 2.2"
    assert told[-1].endswith("/relay/2.10/manual/2.2.html#limit-rate")
    assert main(["search", "hold", "--folder", str(site), "--release", "2.1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["query"] == "hold"
    assert found["results"][0]["url"] == "relay/2.1/manual/2.2.html#hold"


def test_the_command_finds_nothing(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "qqqqqqqqqqqq", "--folder", str(site)]) == 1
    assert "nothing is found for 'qqqqqqqqqqqq'" in capsys.readouterr().err


def test_the_command_finds_what_is_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "tests" / "golden" / "everything.txt").read_text("utf-8")
    for version, said in (("2.1", text), ("2.2", text.replace("limit rate", "limit speed"))):
        (tmp_path / version).mkdir()
        (tmp_path / version / "relay.txt").write_text(said, "utf-8")
    (tmp_path / "site.toml").write_text(
        '[site]\ntitle = "Relays"\n[[product]]\nname = "relay"\nreleases = []\n' + "".join(
            f'[[product.release]]\nversion = "{version}"\nsource = {{ path = "{version}" }}\n'
            for version in ("2.1", "2.2")
        )
    )
    place = ["--manuals", str(ROOT / "tests" / "spec")]
    assert main(["--quiet", "build", "--site", str(tmp_path / "site.toml"), *place]) == 0
    asked = ["search", "limit", "rate", "--folder", str(tmp_path / "public"), "--limit", "1"]
    capsys.readouterr()
    assert main(asked) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "limit rate: directive, not in relay/2.2, last in 2.1"
    assert told[1].endswith("/public/relay/2.1/relay/2.2.html#limit-rate")
    assert main([*asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["gone"] == [{
        "url": "relay/2.1/relay/2.2.html#limit-rate", "name": "limit rate",
        "kind": "directive", "product": "relay", "version": "2.1",
    }]


def test_a_development_release_is_searched_where_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    product = load_product(ROOT / "tests" / "spec")
    text = (ROOT / "tests" / "golden" / "everything.txt").read_bytes()
    source = SourceText(text, "a.txt", product, product.documents[0], Origin("here"))
    releases = [
        ReleaseTexts("relay", "Relay", version, "", (source,))
        for version in ("2.1", "2.0", "3.0-dev2")
    ]
    for path, content in build_site(
        releases, Edition("Tests", "dconv"), load("default")
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    listed = json.loads((tmp_path / "relay" / RELEASES).read_text())
    assert listed["latest"] == "2.1"
    assert [one["version"] for one in listed["releases"]] == ["3.0-dev2", "2.1", "2.0"]
    assert listed["releases"][0]["status"] == "development"

    def asked(*more: str) -> str:
        assert main(["search", "hold", "--limit", "1", "--folder", str(tmp_path), *more]) == 0
        return capsys.readouterr().out.splitlines()[-1].rpartition("/relay/")[2]

    assert asked() == "2.1/manual/2.2.html#hold"
    assert asked("--release", "3.0-dev2") == "3.0-dev2/manual/2.2.html#hold"
    (tmp_path / "relay" / RELEASES).write_text("{ no list")
    assert asked().startswith("3.0-dev2/")


def test_the_command_shows_the_sentence(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    arguments = ["search", "letters", "kept", "in", "memory", "--folder", str(site), "--limit", "1"]
    assert main(arguments) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[1].strip().startswith("the letters are kept in memory, so that they are lost")
    (site / "relay" / "2.10" / files.PART.format(0)).write_text("{")
    assert main(arguments) == 2
    assert "damaged" in capsys.readouterr().err


@pytest.mark.parametrize("node", ["", "exit 3", "echo nothing"])
def test_names_are_found_without_node(
    node: str, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "bin").mkdir()
    if node:
        program = tmp_path / "bin" / "node"
        program.write_text(f"#!/bin/sh\n{node}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    def told(*query: str) -> tuple[list[str], str]:
        capsys.readouterr()
        main(["search", *query, "--folder", str(site)])
        printed = capsys.readouterr()
        return [line for line in printed.out.splitlines() if line[0] != " "], printed.err

    lines, err = told("Limit-Rate")
    assert lines[0] == "limit rate: directive, relay/2.10 manual 2.2"
    assert ("could not run the search" if node else "node was not found") in err
    assert "only names and their beginnings were searched" in err
    assert told("limit r")[0][0] == lines[0]
    assert [line.partition(":")[0] for line in told("never")[0]] == ["hold never"]
    assert told("letters kept in memory")[0] == []
    assert "nothing is found" in told("letters kept in memory")[1]


def test_a_site_of_another_format_is_refused(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    file = site / "relay" / "2.10" / files.NAMES
    file.write_text(file.read_text().replace(f'"format":{pack.FORMAT}', '"format":99'))
    assert main(["search", "hold", "--folder", str(site)]) == 2
    assert "build the site again" in capsys.readouterr().err


@pytest.mark.parametrize(("more", "message"), [
    (["--folder", "nowhere"], "no such folder"),
    (["--folder", "."], "no site with a search"),
    (["--limit", "0"], "not a number of results"),
])
def test_misuse(
    more: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["search", "x", *more]) == 2
    assert message in capsys.readouterr().err


def test_a_damaged_site(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "x", "--folder", str(site), "--release", "9"]) == 2
    assert "there is no such release" in capsys.readouterr().err
    file = site / "relay" / "2.1" / files.TEXT
    file.write_text("nothing")
    assert main(["search", "x", "--folder", str(site), "--release", "2.1"]) == 2
    assert "damaged" in capsys.readouterr().err
    file.unlink()
    assert main(["search", "x", "--folder", str(site), "--release", "2.1"]) == 2
    assert "no such file" in capsys.readouterr().err
