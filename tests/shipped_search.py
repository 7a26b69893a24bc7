"""The search of a text, and of the example of the format, asked in node as it is shipped."""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from programs import need

from dconv.build.read import read_release
from dconv.cli.search import NODE_SCRIPT
from dconv.model.origin import Origin
from dconv.model.search_terms import Phrase, Vocabulary
from dconv.settings.manual import load_product
from dconv.settings.types import Product
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.page import Release
from dconv.writers.pages.split import release_section_files
from dconv.writers.search import files, index_data
from dconv.writers.search.records import section_pages
from dconv.writers.search.removed_names import RemovedName

HERE = Path(__file__).parent
ROOT = HERE.parent
SCRIPTS = ROOT / "themes/default/static"
LETTERS = "abcdefghijklmnopqrstuvwxyz-_. 0159%"
OTHERS = (
    "how", "to", "limit", "ssl", "header", "keep", "letters", "per", "ip", "é", "Ünicode", "Σ",
    "\U0001f600", "the", "server", "rate", "ΣΑΣ", "Ж", "\u00a0", "ſ", "İ", "x" * 130,
)  # fmt: skip
VOCABULARY = Vocabulary(
    priority=("directive", "fetch"),
    optional_prefixes=("option", "no", "log."),
    abbreviations={"address": ("addr",), "sender": ("snd",), "limit": ("lim",)},
    scopes={"server": ("server option",), "fetch": ("fetch",), "log format": ("log alias",)},
    stopwords=("how", "to", "the"),
    synonyms={"hold": ("retain", "defer"), "post": ("mail", "letters")},
    phrases=(
        Phrase(("delay the post", "retain mail"), ("directive/hold", "directive/nowhere")),
        Phrase(("begin the program",), ("manual#Starting",)),
    ),
    rule_sets={"HTTP Req": "http-request"},
)


@cache
def release() -> Release:
    """The release that has one document, the example of everything."""
    product = load_product(HERE / "spec")
    return release_of((HERE / "golden" / "everything.txt").read_bytes(), product, VOCABULARY)


def release_of(text: bytes, product: Product, vocabulary: Vocabulary) -> Release:
    """The release that has `text` as its only document."""
    source = SourceText(text, "manual.txt", product, product.documents[0], Origin("here"))
    texts = ReleaseTexts("relay", "Relay", "2.1", "", (source,))
    return replace(read_release(texts, lambda _: None), vocabulary=vocabulary)


def search_files_of(release: Release, lunr: bool = False) -> dict[str, bytes]:
    """The files of the search of `release`, with their paths; nothing is wrong with them."""
    output = files.search_files(release, release_section_files(release), lunr, None)
    assert output.diagnostics == ()
    return dict(output.files)


def data(files: Mapping[str, bytes], name: str) -> Mapping[str, object]:
    """The data `name` among `files`."""
    script = next(file.decode() for path, file in files.items() if path.endswith(f"-{name}.js"))
    content: dict[str, object] = json.loads(script[script.find("{") : script.rfind("}") + 1])
    return content


@dataclass(frozen=True, slots=True)
class Row:
    """A place that the search of a release has to find: a name and its address."""

    name: str
    kind: str
    document: str
    section: str
    path: str
    anchor: str
    line: str


def rows(release: Release) -> list[Row]:
    """All places of `release`, before they are written."""
    pages = section_pages(release.documents, release_section_files(release))
    table = files.search_data(release, pages, 0).table
    return [
        Row(
            index_data.display_name(place), place.kind,
            table.documents[place.document_index].manual.name,
            table.pages[place.section_index].section.number if place.section_index >= 0 else "",
            f"{table.documents[place.document_index].manual.name}/"
            + (table.pages[place.section_index].file if place.section_index >= 0 else "index.html"),
            place.anchor, place.line,
        )
        for place in table.rows
    ]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A result of the shipped engine; `others` are other places of its name: kind, path, anchor."""

    name: str
    qualifier: str
    kind: str
    document: str
    section: str
    section_title: str
    path: str
    anchor: str
    line: str
    band: int
    why: str
    marks: tuple[str, ...]
    sentence: str
    others: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the shipped engine answers to a query; `removed` are names with their ranks."""

    results: tuple[SearchResult, ...]
    removed: tuple[tuple[int, RemovedName], ...]

    @property
    def names(self) -> list[str]:
        """The names of the results."""
        return [result.name for result in self.results]


def ask(
    search_files: Mapping[str, bytes], queries: Sequence[str], limit: int = 20,
    documents: Sequence[str] = (),
) -> list[Answer]:
    """What the shipped engine answers to each of `queries`, all in one process of node."""
    with tempfile.TemporaryDirectory() as name:
        for path, file in search_files.items():
            place = Path(name, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file)
        release = Path(name, next(iter(search_files))).parent
        requests = [
            json.dumps({"query": query, "limit": limit, "documents": documents}) + "\n"
            for query in queries
        ]
        completed = subprocess.run(
            [need("node"), NODE_SCRIPT, SCRIPTS, release], input="".join(requests),
            capture_output=True, encoding="utf-8", check=True,
        )
    answers = [_answer(json.loads(line)) for line in completed.stdout.split("\n") if line]
    assert len(answers) == len(queries)
    return answers


def _answer(reply: Mapping[str, Sequence[Mapping[str, object]]]) -> Answer:
    assert "results" in reply, reply
    return Answer(
        tuple([_result(record) for record in reply["results"]]),
        tuple([
            (int(str(record["rank"])), RemovedName(
                *(str(record[key]) for key in ("name", "kind", "version", "address"))
            ))
            for record in reply["removed"]
        ]),
    )


def _result(record: Mapping[str, object]) -> SearchResult:
    def text(key: str) -> str:
        return str(record[key])

    marks, others = record["marks"], record["others"]
    assert isinstance(marks, list)
    assert isinstance(others, list)
    return SearchResult(
        text("name"), text("qualifier"), text("kind"), text("document"), text("section"),
        text("sectionTitle"),
        text("path"), text("anchor"), text("line"), int(text("band")), text("why"), tuple(marks),
        text("sentence"),
        tuple([(other["kind"], other["path"], other["anchor"]) for other in others]),
    )


def evaluate(expression: str, values: Sequence[object]) -> list[object]:
    """`expression`, JavaScript in which `search` is the shipped search, for each `value`."""
    script = f"""
      const fs = require("fs"), vm = require("vm");
      for (const name of ["engine", "marks", "fulltext"]) {{
        const file = process.argv[1] + "/search-" + name + ".js";
        vm.runInThisContext(fs.readFileSync(file, "utf8"));
      }}
      const search = globalThis.dconvSearch;
      const values = JSON.parse(fs.readFileSync(0, "utf8"));
      console.log(JSON.stringify(values.map((value) => ({expression}))));
    """
    completed = subprocess.run(
        [need("node"), "-e", script, str(SCRIPTS)], input=json.dumps(values),
        capture_output=True, encoding="utf-8", check=True,
    )
    results: list[object] = json.loads(completed.stdout)
    return results


def varied_queries(names: Sequence[str], count: int, seed: int) -> list[str]:
    """Queries made of `names`: whole, cut, in other order, misspelt, among other words."""
    chance = random.Random(seed)
    return [_varied(chance, chance.choice(names)).replace("\n", " ") for _ in range(count)]


def _varied(chance: random.Random, name: str) -> str:
    match chance.randrange(8):
        case 0:
            return name
        case 1:
            return name[: chance.randint(1, len(name))]
        case 2:
            return name.replace("-", chance.choice(" _.")).replace("_", chance.choice("- "))
        case 3:
            return " ".join(chance.choice(OTHERS) for _ in range(chance.randint(1, 4)))
        case 4:
            return f"{chance.choice(OTHERS)} {name}"
        case 5:
            words = name.replace("-", " ").split()
            chance.shuffle(words)
            return " ".join(words)
        case _:
            return _misspelt(chance, list(name))


def _misspelt(chance: random.Random, letters: list[str]) -> str:
    for _ in range(chance.randint(1, 2)):
        at = chance.randrange(len(letters) or 1)
        match chance.randrange(3):
            case 0:
                del letters[at : at + 1]
            case 1:
                letters.insert(at, chance.choice(LETTERS))
            case _:
                letters[at : at + 2] = letters[at : at + 2][::-1]
    return "".join(letters)
