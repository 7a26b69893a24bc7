"""The search of a shelf: all names of all packages, and the texts of each, as node runs it."""

from __future__ import annotations

import json
import pickle
import subprocess
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
from programs import need
from shipped_search import SCRIPTS

from dconv.build.read import read_release
from dconv.cli.search import ask_engine, find_releases, look_up
from dconv.model.origin import Origin
from dconv.model.search_terms import Phrase, Vocabulary
from dconv.settings.manual import default_product
from dconv.settings.types import DocumentSetting
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.page import Release
from dconv.writers.pages.shelf import PackageRelease, ShelfBatch, ShelfDocument, anchor_files
from dconv.writers.search import index_data, shelf
from dconv.writers.search.shelf import BatchRecords, batch_search_files, site_search_files

HEAD = '.TH {page} {section} 2026-11-23\n.SH NAME\n{page} \\- {about}\n.SH OPTIONS\n'
BENCHMARK = Path(__file__).parent.parent.parent / "benchmarks" / "search.mjs"


def page(name: str, about: str, *entries: tuple[str, str]) -> tuple[str, str]:
    """A manual page with entries, each its terms and a text: its name, and its source."""
    stem, _, section = name.rpartition(".")
    text = HEAD.format(page=stem.upper(), section=section, about=about)
    for terms, body in entries:
        bold = ", ".join([rf"\fB{term}\fR".replace("-", r"\-") for term in terms.split(", ")])
        text += f".TP\n{bold}\n{body}\n"
    return name, text + ".SH SEE ALSO\nNothing.\n"


PACKAGES: dict[str, tuple[tuple[str, str], ...]] = {
    "pantry": (
        page("pantry.8", "look after jars",
             ("-g, --grow", "Adds a shelf for further jars of plum jam."),
             ("-G", "Guesses the shelf."), ("--help", "Says all this.")),
        page("pantryd.8", "watch jars", ("--help", "Says what the watcher does."),
             ("-f", "Stays in front.")),
        page("pantryd_rules.5", "rules of the watcher", ("Door", "Which door is watched."),
             ("LockTime", "How long the door stays shut after a burglar has come.")),
    ),
    "oven-tools": (
        page("oven-bake.1", "bake bread", ("--heat", "Sets how hot the oven is."),
             ("--help", "Says how to bake."), ("Door", "Opens it.")),
        page("oven-9.0.8", "run ovens of 9.0", ("--resync", "Bakes again.")),
        page("oven.7", "all of oven", ("--heat", "oven\\-bake(1)")),
    ),
}


@dataclass(frozen=True, slots=True)
class Found:
    """A result of the whole site."""

    url: str
    name: str
    kind: str
    document: str


def read(package: str, pages: Sequence[tuple[str, str]], vocabulary: Vocabulary) -> Release:
    """The release of a package that has `pages`."""
    if any(text.startswith(".TH") for _, text in pages):
        need("mandoc")
    product = default_product()
    texts = tuple(
        SourceText(
            text.encode(), name, product, DocumentSetting(name, name, "", ""), Origin("here")
        )
        for name, text in pages
    )
    release = read_release(ReleaseTexts(package, package, "1.0", "", texts), lambda _: None)
    return replace(release, vocabulary=vocabulary)


def part(
    package: str, pages: Sequence[tuple[str, str]], vocabulary: Vocabulary = Vocabulary(),  # noqa: B008
    is_single: bool = True,
) -> ShelfBatch:
    """A package of one part."""
    release = read(package, pages, vocabulary)
    documents = tuple(
        ShelfDocument(
            package, "1.0", document.manual.name, document.title, document.description,
            f"man/{document.manual.name}.html" if is_single
            else f"{package}/{document.manual.name}/index.html",
            ("larder.8",) if document.manual.name == "pantry.8" else (), is_single,
            {} if is_single else anchor_files(document),
        )
        for document in release.documents
    )
    shelf_package = PackageRelease(package, package, "1.0", package, documents, len(documents))
    return ShelfBatch(release, shelf_package, (shelf_package,), {}, {})


TASKS = Vocabulary(phrases=(
    Phrase(("make room for preserves",), ("option/--grow",)),
    Phrase(("keep burglars out",), ("setting/LockTime",)),
))


@cache
def parts() -> tuple[shelf.BatchSearch, ...]:
    """The searches of all packages."""
    return tuple(
        batch_search_files(part(package, pages, TASKS if package == "pantry" else Vocabulary()))
        for package, pages in PACKAGES.items()
    )


def write(folder: Path, searches: Sequence[shelf.BatchSearch]) -> Path:
    """Write the search of a shelf, and the scripts, to `folder`."""
    places = [search.records for search in searches]
    written = [search.file for search in searches]
    for path, content in (*written, *site_search_files(places)):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    for name in ("engine", "marks", "fulltext"):
        script = f"search-{name}.js"
        (folder / script).write_bytes((SCRIPTS / script).read_bytes())
    return folder


@pytest.fixture(params=["one file", "by letters"])
def site(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site with a shelf, whose names are in one file or in several."""
    if request.param == "by letters":
        monkeypatch.setattr(shelf, "MAX_NAMES", 3)
    return write(tmp_path, parts())


def ask(folder: Path, *queries: str) -> list[list[Found]]:
    """What the search of the whole site answers."""
    completed = subprocess.run(
        [need("node"), BENCHMARK, folder], input="".join(f"{query}\n" for query in queries),
        capture_output=True, encoding="utf-8", check=True,
    )
    answers = [json.loads(line)["results"] for line in completed.stdout.splitlines()]
    assert len(answers) == len(queries)
    return [
        [Found(row["url"], row["name"], row["kind"], row["document"]) for row in answer]
        for answer in answers
    ]


def firsts(folder: Path, *queries: str) -> dict[str, str]:
    """The address of the first result of each query."""
    return {
        query: answer[0].url if answer else ""
        for query, answer in zip(queries, ask(folder, *queries), strict=True)
    }


GROW = "man/pantry.8.html#option.--grow"


def test_a_page_and_a_name_find_the_place(site: Path) -> None:
    wanted = {
        "--grow": GROW, "-g": GROW, "pantry --grow": GROW, "pantry grow": GROW,
        "pantry.8 --grow": GROW, "pantry(8) -g": GROW, "PANTRY(8) --grow": GROW,
        "larder --grow": GROW, "--grow pantry": GROW, "pantyr --grow": GROW, "pantry gorw": GROW,
        "-G": "man/pantry.8.html#option.-G", "pantry -G": "man/pantry.8.html#option.-G",
        "oven-bake --help": "man/oven-bake.1.html#option.--help",
        "oven bake --help": "man/oven-bake.1.html#option.--help",
        "oven-9.0 --resync": "man/oven-9.0.8.html#option.--resync",
        "oven-9.0 --rseync": "man/oven-9.0.8.html#option.--resync",
        "pantryd --help": "man/pantryd.8.html#option.--help",
        "pantry -gh": GROW,  # options of one letter
    }
    assert firsts(site, *wanted) == wanted


def test_pages_that_begin_with_the_word_come_after_the_page(site: Path) -> None:
    wanted = {
        "pantryd door": "man/pantryd_rules.5.html#setting.Door",
        "pantryd -f": "man/pantryd.8.html#option.-f",
        "oven-tools door": "man/oven-bake.1.html#setting.Door",
        "pantry door": "man/pantryd_rules.5.html#setting.Door",
    }
    found = firsts(site, *wanted)
    assert {query: url.partition("#")[0] for query, url in found.items()} == {
        query: url.partition("#")[0] for query, url in wanted.items()
    }


def test_pages_are_found_by_all_their_names(site: Path) -> None:
    names = ("pantry", "pantry.8", "pantry(8)", "larder", "larder(8)", "oven bake", "oven-bake")
    for name, answer in zip(names, ask(site, *names), strict=True):
        assert (answer[0].name, answer[0].kind) == ("", "document"), name
        assert answer[0].document == ("oven-bake.1" if "oven" in name else "pantry.8"), name


def test_headings_of_all_pages_are_no_names(site: Path) -> None:
    names = "".join(path.read_text("utf-8") for path in site.glob("search-names*.js"))
    assert "PTIONS" not in names and "EE ALSO" not in names


def test_lists_of_all_names_come_last(site: Path) -> None:
    urls = [found.url.partition("#")[0] for found in ask(site, "--heat")[0]]
    assert urls[:2] == ["man/oven-bake.1.html", "man/oven.7.html"]


def test_texts_and_phrases_are_found_from_the_whole_site(site: Path) -> None:
    wanted = {
        "make room for preserves": GROW,
        "keep burglars out": "man/pantryd_rules.5.html#setting.LockTime",
        "pantry plum jam": GROW,
        "bake bread": "man/oven-bake.1.html",
    }
    assert firsts(site, *wanted) == wanted


def test_each_result_is_shown_once(site: Path) -> None:
    for answer in ask(site, "help", "pantry", "pantry grow", "door"):
        urls = [found.url for found in answer]
        assert len(set(urls)) == len(urls)


def test_places_can_be_pickled_and_have_no_lines() -> None:
    places: BatchRecords = parts()[0].records
    assert pickle.loads(pickle.dumps(places)) == places
    assert {place.line for place in places.records} == {""}
    assert [search.diagnostics for search in parts()] == [(), ()]


def test_a_name_that_is_not_found_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    sort = index_data.sort_records
    monkeypatch.setattr(index_data, "sort_records", lambda records, vocabulary: sort(
        [record for record in records if record.name != "Door"], vocabulary
    ))
    search = batch_search_files(part("pantry", PACKAGES["pantry"]))
    assert [finding.rule for finding in search.diagnostics] == ["search-name"]


LONG = """\
Jars
====

Shapes of jars
--------------

All of glass.

Lids of jars
------------

tight
    It closes well.
"""


def test_sections_of_long_documents_are_found(tmp_path: Path) -> None:
    guide = batch_search_files(part("jars", (("guide.rst", LONG),), is_single=False))
    folder = write(tmp_path, [guide])
    first = ask(folder, "lids of jars")[0][0]
    assert (first.name, first.kind, first.document) == ("Lids of jars", "section", "guide.rst")
    assert first.url.startswith("jars/guide.rst/")
    assert ask(folder, "guide")[0][0].url == "jars/guide.rst/index.html"


def test_texts_before_and_without_sections_are_found(tmp_path: Path) -> None:
    jars = part("jars", (
        ("NOTES.md", "Marmalade keeps in the dark.\n\nBring sugar.\n"),
        ("LIDS.md", "# Lids\n\nQuince needs none.\n\n## Wax\n\nSeals lids.\n"),
    ))
    folder = write(tmp_path, [batch_search_files(jars)])
    assert firsts(folder, "bring sugar", "quince", "wax lids") == {
        "bring sugar": "man/NOTES.md.html", "quince": "man/LIDS.md.html",
        "wax lids": "man/LIDS.md.html#Wax",
    }


def test_a_word_of_one_package_is_not_misspelt_in_another(tmp_path: Path) -> None:
    one = part("one", (page("sort.8", "lids", ("--run", "Clack, clack go lids.")),))
    two = part("two", (
        page("store.8", "lids", ("--keep", "Waits until the clock of the hall strikes, and then"
                                           " lays the lids down side by side in a drawer.")),
    ))
    folder = write(tmp_path, [batch_search_files(one), batch_search_files(two)])
    answer = ask(folder, "clock lids")[0]
    assert answer[0].url.startswith("man/store.8.html")


def test_a_word_of_all_texts_of_a_small_package_is_found(tmp_path: Path) -> None:
    entries = [(f"--{name}", "Marzipan of the house.") for name in ("roll", "cut", "glaze")]
    sweets = part("sweets", (page("form.8", "sweets", *entries),))
    folder = write(tmp_path, [batch_search_files(sweets)])
    assert [found.url for found in ask(folder, "form marzipan")[0] if "option" in found.url]


def test_all_texts_of_a_few_packages_are_searched(tmp_path: Path) -> None:
    sweets = part("sweets", (page("form.8", "sweets", ("--roll", "Marzipan of the house.")),))
    salts = part("salts", (page("mine.8", "salts", ("--dig", "Brine of the hill.")),))
    folder = write(tmp_path, [batch_search_files(sweets), batch_search_files(salts)])
    assert firsts(folder, "brine") == {"brine": "man/mine.8.html#option.--dig"}


def test_words_of_one_of_many_texts_are_found(tmp_path: Path) -> None:
    topics = ("salts", "sweets", "oils", "herbs", "nuts", "roots", "seeds")
    searches = [
        batch_search_files(part(topic, (page(
            f"{topic}-box.8", topic, ("--open", f"Opens the lid, as {topic} do."),
            ("--shut", "Brine of the hill turns sour." if topic == "roots" else "Shuts it."),
        ),)))
        for topic in topics
    ]
    folder = write(tmp_path, searches)
    roots, seeds = "man/roots-box.8.html#option.--shut", "man/seeds-box.8.html#option.--open"
    wanted = {"brine": roots, "sour hill": roots, "seeds lid": seeds}
    assert firsts(folder, *wanted) == wanted


def test_a_page_of_a_large_package_is_searched_if_it_is_named(tmp_path: Path) -> None:
    boxes = part("boxes", [
        page(f"{name}.8", f"a box of {name}", ("--open", f"Opens the lid, number {number}."))
        for number, name in enumerate(("salt", "sugar", "oil", "herb", "nut", "root", "seed"))
    ])
    batches = [
        batch_search_files(replace(boxes, release=replace(boxes.release, documents=(document,))), n)
        for n, document in enumerate(boxes.release.documents, 1)
    ]
    folder = write(tmp_path, batches)
    wanted = {
        f"lid of {name}": f"man/{name}.8.html#option.--open" for name in ("salt", "root", "seed")
    }
    assert firsts(folder, *wanted) == wanted


def test_the_topic_of_a_page_counts_for_its_options(tmp_path: Path) -> None:
    """What only the page or package says, its options need not say again."""
    jam = part("jam-tools", (
        page("jam-lids.8", "change lids of jars", ("-u", "Sets another colour."),
             ("-n", "Sets how many there are.")),
    ))
    lamps = part("lamps", (
        page("lampd.8", "watch lamps", ("--colour", "Changes the colour of a lamp, and of jars."),
             ("--glow", "The colour of a jam is none of a lamp.")),
    ))
    folder = write(tmp_path, [batch_search_files(jam), batch_search_files(lamps)])
    wanted = {
        "colour of lids": "man/jam-lids.8.html#option.-u",
        "another colour for jam": "man/jam-lids.8.html#option.-u",
        "glow of lamp colour": "man/lampd.8.html#option.--glow",
    }
    assert firsts(folder, *wanted) == wanted


def test_words_that_readers_type_for_others_are_found(tmp_path: Path) -> None:
    tool = part("store", (
        page("store.8", "look after a file system", ("--wider", "Extends it."),
             ("--less", "Reduces it."), ("--gone", "Removes it.")),
    ), Vocabulary(phrases=(Phrase(("room in the file system",), ("option/--less",)),)))
    folder = write(tmp_path, [batch_search_files(tool)])
    wanted = {
        "enlarge store": "man/store.8.html#option.--wider",
        "wipe store": "man/store.8.html#option.--gone",
        "room in filesystem": "man/store.8.html#option.--less",
    }
    assert firsts(folder, *wanted) == wanted


def test_an_entry_comes_before_a_value_of_its_name(tmp_path: Path) -> None:
    text = """\
.TH KILN 1
.SH NAME
kiln \\- bake
.SH OPTIONS
.TP
.BI fire \\fR=\\fPstr "\\fR,\\fP heat" \\fR=\\fPstr
How it burns:
.RS
.TP
.B heat
With flames.
.TP
.B cold
Without.
.RE
"""
    folder = write(tmp_path, [batch_search_files(part("kiln", (("kiln.1", text),)))])
    assert firsts(folder, "heat") == {"heat": "man/kiln.1.html#setting.fire"}


def test_the_command_searches_a_shelf(site: Path) -> None:
    releases = find_releases(site)
    assert [release.is_shelf for release in releases] == [True]
    first = ask_engine(releases, "pantry grow", 3)["results"][0]
    assert (first["path"], first["anchor"], first["package"]) == (
        "man/pantry.8.html", "option.--grow", "pantry"
    )
    assert first["line"] == "Adds a shelf for further jars of plum jam."
    some = ask_engine(find_releases(site, "oven-tools"), "--help", 20, "oven-tools")["results"]
    assert {result["package"] for result in some} == {"oven-tools"}


def test_names_of_a_shelf_are_looked_up_without_node(site: Path) -> None:
    record = {
        "name": "--grow", "kind": "option", "package": "pantry", "document": "pantry.8",
        "section": "", "anchor": "option.--grow", "url": GROW, "summary": "Adds a shelf.",
        "deprecated": False,
    }
    (site / "keywords.json").write_text(json.dumps({"keywords": [record]}))
    (site / "objects.inv").write_bytes(b"1\n2\n3\n4\n" + zlib.compress(
        b"pantry.8 std:label 1 man/pantry.8.html pantry(8)\n"
    ))
    results = look_up(find_releases(site), "grow", 5)["results"]
    assert [(result["path"], result["anchor"]) for result in results] == [
        ("man/pantry.8.html", "option.--grow")
    ]
    assert look_up(find_releases(site), "pantry", 5)["results"][0]["document"] == "pantry.8"
