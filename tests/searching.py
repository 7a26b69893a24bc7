"""Searches that tests ask: of a text, of the example of the format, and in node."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

from programs import need

from dconv.build.read import read_release
from dconv.model.search_terms import Phrase, Vocabulary
from dconv.settings import Product, load_product
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages import release_sections
from dconv.writers.pages.page import Origin, Release
from dconv.writers.search import excerpt, files
from dconv.writers.search.data import Data, content
from dconv.writers.search.engine import Engine, Hit, engine

HERE = Path(__file__).parent
ROOT = HERE.parent
HARNESS = ROOT / "benchmarks" / "search.mjs"
SCRIPTS = ("search-engine.js", "search-marks.js", "search-reading.js")
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
    return released((HERE / "golden" / "everything.txt").read_bytes(), product, VOCABULARY)


def released(text: bytes, product: Product, vocabulary: Vocabulary) -> Release:
    """The release that has `text` as its only document."""
    source = SourceText(text, "manual.txt", product, product.documents[0], Origin("here"))
    texts = ReleaseTexts("relay", "Relay", "2.1", "", (source,))
    return replace(read_release(texts, lambda _: None), vocabulary=vocabulary)


def written(release: Release, lunr: bool = False) -> dict[str, bytes]:
    """The files of the search of `release`, with their paths; nothing is wrong with them."""
    made = files.search_files(release, release_sections(release), lunr)
    assert made.diagnostics == ()
    return dict(made.files)


def data(made: dict[str, bytes], tier: str) -> Data:
    """The content of the file of a tier."""
    return next(
        content(file.decode()) for path, file in made.items() if path.endswith(f"-{tier}.js")
    )


def loaded(made: dict[str, bytes]) -> Engine:
    """The engine of written files."""
    return engine(data(made, "names"), data(made, "text"), data(made, "lines"))


def mutated(names: Sequence[str], count: int, seed: int) -> list[str]:
    """Queries made of `names`: whole, cut, in other order, misspelt, among other words."""
    chance = random.Random(seed)
    return [_mutated(chance, chance.choice(names)).replace("\n", " ") for _ in range(count)]


def _mutated(chance: random.Random, name: str) -> str:
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


def in_node(
    folder: Path, made: dict[str, bytes], queries: Sequence[str], what: str = "results"
) -> list[object]:
    """`what` the shipped engine answers to each query, as JSON; `folder` is for files."""
    for path, file in made.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file)
    for script in SCRIPTS:
        (folder / script).write_bytes((ROOT / "themes/default/static" / script).read_bytes())
    name = "/".join(next(iter(made)).split("/")[:2])
    done = subprocess.run(
        [need("node"), str(HARNESS), str(folder), name, "--full"], text=True, encoding="utf-8",
        input="".join(f"{query}\n" for query in queries), capture_output=True, check=True,
    )
    return [json.loads(line)[what] for line in done.stdout.split("\n") if line]


@cache
def _content(file: bytes) -> Data:
    return content(file.decode())


def sentence(made: dict[str, bytes], hit: Hit) -> str:
    """What the text of `hit` says of the query; empty for a name."""
    if hit.why != "text":
        return ""
    folder = next(iter(made)).rpartition("/")[0]
    known = _content(made[f"{folder}/{files.PART.format(hit.part)}"]).get(str(hit.text))
    assert known is None or isinstance(known, list)
    return excerpt.sentence(known or [], excerpt.wanted(hit.marks, hit.weights))


def as_node(release: str, hits: Sequence[Hit], made: dict[str, bytes]) -> object:
    """`hits` as the shipped engine gives them, with the sentences in the files `made`."""
    found = []
    for hit in hits:
        record = asdict(hit)
        record["documentTitle"] = record.pop("document_title")
        record["sectionTitle"] = record.pop("section_title")
        record["sentence"] = sentence(made, hit)
        record["url"] = f"{release}/{hit.path}{'#' if hit.anchor else ''}{hit.anchor}"
        found.append(record)
    plain: object = json.loads(json.dumps(found))
    return plain
