"""The search: words, names, texts, their order, and the files that they are read from."""

from __future__ import annotations

import json
import string
import subprocess
from dataclasses import replace
from functools import cache
from itertools import pairwise
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
    as_node,
    data,
    in_node,
    loaded,
    mutated,
    release,
    released,
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
from dconv.writers.search import (
    check,
    fields,
    files,
    lunr_index,
    matching,
    pack,
    postings,
    stream,
    text,
    words,
)
from dconv.writers.search.engine import Engine, search
from dconv.writers.search.matching import distances
from dconv.writers.theme.theme import load

LUNR = Path("/usr/share/nodejs/lunr")  # Debian's node-lunr


@cache
def asked() -> Engine:
    """The engine of the example of everything."""
    return loaded(written(release()))


def names(query: str, limit: int = 20) -> list[str]:
    """The names of what `query` finds."""
    return [hit.name for hit in search(asked(), query, limit)]


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


@given(st.lists(st.integers(0, 200_000)))
def test_numbers_come_back(numbers: list[int]) -> None:
    assert stream.decode(stream.encode(numbers)) == numbers


def slow_distance(one: str, other: str) -> int:
    """Optimal string alignment, by its definition."""

    @cache
    def at(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        found = min(
            at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (one[i - 1] != other[j - 1])
        )
        if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
            found = min(found, at(i - 2, j - 2) + 1)
        return found

    return at(len(one), len(other))


@given(st.text("abc", min_size=1, max_size=8), st.text("abc", max_size=9), st.integers(1, 3))
def test_distances(one: str, other: str, most: int) -> None:
    whole, beginning = distances(one, other, most)
    assert whole == min(slow_distance(one, other), most + 1)
    starts = [slow_distance(one, other[:end]) for end in range(len(other) + 1)]
    assert beginning == min(*starts, most + 1)


@given(st.lists(st.dictionaries(st.integers(0, 5000), st.sampled_from("aZ 9"), max_size=9)))
def test_postings_come_back(found: list[dict[int, str]]) -> None:
    given = [sorted(one.items()) for one in found]
    starts, rows, levels = postings.decode(postings.encode(given))
    assert [
        [*zip(rows[start:end], levels[start:end], strict=True)]
        for start, end in pairwise(starts)
    ] == given


@given(st.lists(st.tuples(
    st.lists(st.sampled_from(["add", "of", "zeal"]), min_size=1, max_size=4).map(" ".join),
    st.lists(st.integers(0, 5000), max_size=3),
)))
def test_phrases_come_back(phrases: list[tuple[str, list[int]]]) -> None:
    terms = ["add", "of", "other", "zeal"]
    assert postings.decode_phrases(postings.encode_phrases(phrases, terms), terms) == [
        (tuple(stems.split(" ")), tuple(rows)) for stems, rows in phrases
    ]


# --- names ----------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["limit rate", "limit-rate", "LIMIT_RATE", "limitrate"])
def test_separators_and_capitals_do_not_matter(query: str) -> None:
    assert names(query)[0] == "limit rate"


def test_the_bands() -> None:
    bands = {
        "option tidy": 0, "Option Tidy": 1, "option-tidy": 2, "tidy": 3, "lim rate": 4,
        "limit r": 5, "rate limit": 5, "rate lim": 7, "imitrat": 8, "limti rate": 9,
    }  # fmt: skip
    assert {query: search(asked(), query)[0].band for query in bands} == bands


@pytest.mark.parametrize("query", ["limt rate", "limti rate", "limit raet", "limmit rate", "hodl"])
def test_one_wrong_letter(query: str) -> None:
    assert names(query)[0] == ("hold" if query == "hodl" else "limit rate")


def test_a_mark_belongs_to_the_name() -> None:
    first = search(asked(), "-q")[0]
    assert (first.name, first.anchor) == ("-q", "command-line-option.-q")


def test_a_scope_is_no_part_of_the_name() -> None:
    kinds = {hit.kind for hit in search(asked(), "fetch letter") if hit.band < 6}
    assert kinds == {"fetch"}


def test_an_argument_is_found_below_its_owner() -> None:
    first = search(asked(), "never")[0]
    assert (first.name, first.kind, first.anchor) == ("hold never", "argument", "hold.never")


def test_a_number_is_its_section() -> None:
    first = search(asked(), "1.1")[0]
    assert (first.kind, first.path) == ("section", "manual/1.1.html")
    assert first.section_title == "Starting"


def test_syntax_of_other_engines_is_text() -> None:
    for query in ("+hold", "hold*", "hold~2", "name:hold", "(hold", "hold^5"):
        assert "hold" in names(query), query
    for query in ("", "   ", "\u00a0", "-", "~", ":", "*", "((("):
        assert names(query) == names(query)


# --- texts ----------------------------------------------------------------------------


def test_words_of_the_text() -> None:
    first = search(asked(), "letters kept in memory")[0]
    assert (first.name, first.why) == ("hold", "text")
    assert first.marks == ("letters", "kept", "in", "memory")


def test_a_misspelt_word_of_the_text_is_taken_for_another() -> None:
    first = search(asked(), "kept in memroy")[0]
    assert first.name == "hold"
    assert "memory" in first.marks


def test_a_phrase_leads_to_its_places() -> None:
    assert names("delay the post")[0] == "hold"
    assert names("how to retain the mail")[0] == "hold"
    assert names("begin the program")[0] == "Starting"


def test_what_equals_leads_whatever_is_loaded() -> None:
    made = written(release())
    alone = replace(asked(), texts=None, lines=())
    for name in asked().names.names:
        first, later = search(alone, name, 5)[0], search(asked(), name, 5)[0]
        assert (first.name, first.path, first.anchor) == (later.name, later.path, later.anchor)
    assert data(made, "names")["format"] == pack.FORMAT


def test_only_some_documents() -> None:
    assert names("hold")
    assert search(asked(), "hold", documents=("other",)) == []
    assert search(asked(), "hold", documents=("manual",))[0].name == "hold"


def test_no_more_than_wanted() -> None:
    assert len(names("l", 3)) == 3


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
    table = files.search_data(
        release(), {"manual": [f"{one.number}.html" for one in sections(document())]}
    ).table
    engine = loaded(made)
    for row, place in enumerate(table.rows):
        assert engine.names.names[row] == check.shown(place)
        assert engine.names.anchors[row] == place.anchor
        assert (engine.lines[row] or engine.lines[engine.names.owners[row]]) == place.line


def document() -> Manual:
    """The one manual of the release."""
    return release().documents[0].manual


def test_the_same_bytes_again() -> None:
    assert written(release()) == written(release())


def test_a_name_that_is_not_found_fails_the_build() -> None:
    found = files.search_data(release(), {
        "manual": [f"{one.number}.html" for one in sections(document())]
    })
    script = pack.script("relay/2.1", "names", found.names).decode()
    assert list(check.check(found.table, script)) == []
    findings = list(check.check(found.table, script.replace("limit rate", "limit rote")))
    assert [finding.rule for finding in findings] == [check.RULE]
    assert "'limit rate'" in findings[0].message
    assert diagnostics.failed(findings)


@given(st.lists(st.text("ab\u00e9\U0001f600\U0001f601", max_size=60)))
def test_texts_in_order_come_back(texts: list[str]) -> None:
    coded = stream.front_coded(sorted(texts))
    assert stream.restored(coded) == sorted(texts)
    assert stream.restored("") == []


@given(st.sets(st.integers(0, 5000)), st.integers(-5000, 5000))
def test_gaps_come_back(numbers: set[int], number: int) -> None:
    assert stream.sums(stream.gaps(sorted(numbers))) == sorted(numbers)
    assert stream.unfolded(stream.folded(number)) == number


def test_numbers_of_sections_come_back(tmp_path: Path) -> None:
    numbers = ["1", "1.1", "1.2", "1.2.1", "2", "4", "4.10", "4.11", "5", "", "A", "A.1", "1", "01"]
    text = "\n".join(f"{one}. Part\n-----\n\nText of {one}.\n" for one in numbers if one)
    product = replace(plain_product(), documents=load_product(ROOT / "tests/spec").documents)
    found = released(text.encode(), product, VOCABULARY)
    wanted = [one.number for one in sections(found.documents[0].manual)]
    made = written(found)
    engine = loaded(made)
    assert list(engine.names.section_numbers) == wanted
    assert set(wanted) > {"1", "1.2.1", "4.10"}
    for query, results in zip(wanted, in_node(tmp_path, made, wanted), strict=True):
        assert as_node("relay/2.1", search(engine, query), made) == results, query
    assert list(pack.shortened(numbers)) == [
        "1", "2", "2", "3", "1", "=4", "=4.10", "2", "1", "=", "=A", "2", "=1", "=01",
    ]


@pytest.mark.parametrize("text", [
    b"", b"x\n", b"1. A\n----\n\n\n", b"\xff\n", b"1. \xe2\x80\xa8\n--\n",
])
def test_any_text_has_a_search(text: bytes, tmp_path: Path) -> None:
    product = replace(plain_product(), documents=load_product(ROOT / "tests/spec").documents)
    made = written(released(text, product, VOCABULARY))
    engine = loaded(made)
    assert search(engine, "Manual")[0].name == "Manual"
    queries = ["Manual", "manul", "a", "zzzzz zzzz", "", "1", "\u2028"]
    for query, found in zip(queries, in_node(tmp_path, made, queries), strict=True):
        assert as_node("relay/2.1", search(engine, query), made) == found, query


def test_a_sentence_that_many_entries_begin_with_is_no_line() -> None:
    begin = "  Needs power from the mains."
    text = "2. Directives\n-------------\n\n" + "".join(
        f"light-{name} <number>\n{begin} Works at all hours. It is {name}.\n\n"
        for name in ("amber", "blue", "crimson", "dun", "ecru")
    ) + f"light-grey\n{begin}\n\n"
    made = written(released(text.encode(), load_product(ROOT / "tests/spec"), VOCABULARY))
    found = search(loaded(made), "light-", 6)
    assert {hit.name: hit.line for hit in found if hit.why == "name"} == {
        "light-amber": "It is amber.", "light-blue": "It is blue.", "light-dun": "It is dun.",
        "light-crimson": "It is crimson.", "light-ecru": "It is ecru.",
        "light-grey": "Needs power from the mains.",
    }


# --- the same in a browser's language --------------------------------------------------


def equal(made: dict[str, bytes], folder: Path, count: int, seed: int) -> None:
    """Ask both engines `count` queries."""
    engine = loaded(made)
    queries = mutated(engine.names.names, count, seed)
    name = "/".join(next(iter(made)).split("/")[:2])
    for query, found in zip(queries, in_node(folder, made, queries), strict=True):
        assert as_node(name, search(engine, query), made) == found, query


def test_both_engines_find_the_same(tmp_path: Path) -> None:
    equal(written(release()), tmp_path, 3000, 1)


def test_both_engines_find_the_same_in_real_manuals(tmp_path: Path, corpus: Path) -> None:
    equal(written(real(corpus)), tmp_path, 1000, 2)


@cache
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
    names = data(written(real(corpus)), "names")
    other = str(names["other"]).split("\n")
    assert not {"cli-command.show-info", "cli-command.show-stat"} & {*other}


def test_real_names_come_first(corpus: Path) -> None:
    engine = loaded(written(real(corpus)))
    for query in ("maxconn", "http-request set-header", "stick table", "timeuot client", "httplog"):
        first = search(engine, query)[0]
        wanted = {"http-request set-header": "set-header", "stick table": "stick-table",
                  "timeuot client": "timeout client", "httplog": "option httplog"}
        assert first.name == wanted.get(query, query)


# --- lunr -----------------------------------------------------------------------------


@given(st.lists(
    st.dictionaries(st.sampled_from(["name", "body", "code"]), st.lists(st.sampled_from("abcdef"))),
    min_size=1,
))
def test_words_weigh_as_lunr_says(documents: list[dict[str, list[str]]]) -> None:
    builder = Builder()
    builder.ref("id")
    builder.k1(text.SATURATION)
    builder.b(text.LENGTH)
    for part, weight in fields.WEIGHTS.items():
        builder.field(part, weight)
    for at, found in enumerate(documents):
        builder.add({"id": str(at), **{part: found.get(part, []) for part in fields.WEIGHTS}})
    index = builder.build()
    known = weights(index.field_vectors, index.inverted_index)
    own = lunr_index.build(documents)
    assert weights(own.field_vectors, own.inverted_index) == known
    assert text.impacts(documents) == {
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
    engine = asked()
    assert engine.texts is not None
    terms = [
        term for number, term in enumerate(engine.texts.terms) if engine.texts.frequency(number)
    ]
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
    inverted = dict(json.loads(made["relay/2.1/lunr.json"])["invertedIndex"])
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
        releases, Edition("Tests", "dconv"), load("default"), lambda _: None, lambda _: None
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


@pytest.mark.parametrize(("more", "message"), [
    (["--folder", "nowhere"], "there is no such folder"),
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


def test_letters_of_queries() -> None:
    assert matching.allowed(3) == 0
    assert [matching.allowed(length) for length in (4, 7, 8, 13, 14)] == [1, 1, 2, 2, 3]
    assert string.ascii_lowercase in "".join(stream.ALPHABET)
