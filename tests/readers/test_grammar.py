"""What holds for every manual of the format, and for real ones that somebody has slipped in.

Texts are built of all constructs (`grammar`), or are excerpts of the real manuals with a
few changes; each goes through the whole program: read, link, check, compare, export, pages
with their proof and links, search.  `fuzz.targets` holds the promises.

`HYPOTHESIS_PROFILE=thorough pytest tests/readers/test_grammar.py` looks longer.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import generated_manuals
import pytest
from fuzz import targets
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from shipped_search import ask

from dconv.model import tree
from dconv.model.tree import Manual
from dconv.readers import READERS
from dconv.settings.manual import load_product
from dconv.settings.types import Product
from dconv.sources.resources import resource_folder

pytestmark = pytest.mark.slow

SLOWEST = 5  # seconds of this process for a text of some kilobytes; a hundred times what is usual
TITLE = re.compile(r"\d+(?:\.\d+)*[.)]? +\S")
RULE = re.compile(r"-{3,}$")
LONGEST = 60  # lines of a stretch of a real manual
EXAMPLES = settings().max_examples
Promise = Callable[[bytes, targets.Dialect], object]

MANUALS = generated_manuals.manuals()
TEXTS = st.one_of(MANUALS, generated_manuals.changed(MANUALS))


@cache
def haproxy() -> Product:
    """The product whose texts the real ones are."""
    return load_product(resource_folder("manuals") / "haproxy")


@contextmanager
def in_time() -> Iterator[None]:
    """Fails where what is done takes longer than any small text may."""
    start = time.process_time()
    yield
    taken = time.process_time() - start
    assert taken < SLOWEST, f"{taken:.1f} seconds"


# --- the constructs -------------------------------------------------------------------

SECTION = "1. Directives\n-------------\n\nspeed <number>\n  Sets the speed.\n\n"


def nodes(manual: Manual) -> list[object]:
    """Every node of the bodies of `manual`."""
    return [
        node for section in tree.sections(manual) for node in tree.walk(section.body)
    ]


def has(kind: type, *drawn: str) -> Callable[[Manual], bool]:
    """Tells whether a manual has a node of a `kind`, of tables one that is `drawn` so."""
    return lambda manual: any(
        isinstance(node, kind) and (not isinstance(node, tree.Table) or node.kind in drawn)
        for node in nodes(manual)
    )


UNDERSTOOD: Mapping[str, Callable[[Manual], bool]] = {
    "arguments": has(tree.Labelled),
    "bare heads": has(tree.Table, "columns"),
    "bars": has(tree.Table, "pipes"),
    "code": has(tree.Preformatted),
    "definitions": has(tree.Definitions),
    "drawings": has(tree.Preformatted),
    "examples": has(tree.Example),
    "grids": has(tree.Table, "grid"),
    "headings": has(tree.Heading),
    "lists": has(tree.List),
    "matrices": has(tree.Table, "matrix"),
    "notes": has(tree.Labelled),
    "paragraphs": has(tree.Paragraph),
    "see also": has(tree.SeeAlso),
    "summaries of samples": has(tree.Table, "summary", "ruled"),
    "usages": lambda manual: any(entry.usages for _, entry in tree.entries(manual)),
}


@pytest.mark.parametrize("name", generated_manuals.CONSTRUCTS)
def test_the_strategies_build_what_they_say(name: str) -> None:
    def understood(lines: list[str]) -> bool:
        text = SECTION + "\n".join(generated_manuals.shifted(lines, 2)) + "\n"
        return UNDERSTOOD[name](targets.read(text.encode()))

    enough = settings(phases=[Phase.generate], max_examples=500)  # it need not be the smallest
    assert find(generated_manuals.CONSTRUCTS[name], understood, settings=enough)


# --- the promises ---------------------------------------------------------------------


def searched(content: bytes, dialect: targets.Dialect) -> None:
    """A site keeps its promises; the search leads each name to a place that exists."""
    files = targets.site(content, dialect)
    settings = dialect()
    manual = READERS["text"](content, "manual.txt", settings.dialect, settings.documents[0].name)
    names = sorted({entry.name for _, entry in tree.entries(manual)})
    prefix = f"{settings.name}/2.0/search"
    search_files = {path: file for path, file in files.items() if path.startswith(prefix)}
    for name, answer in zip(names, ask(search_files, names), strict=True):
        assert answer.results[0].name.lower() == name.lower(), name
        for result in answer.results:
            page = files[f"{settings.name}/2.0/{result.path}"].decode()
            assert not result.anchor or f'id="{result.anchor}"' in page, result


PROMISES: Mapping[str, tuple[Promise, int]] = {  # and what part of all examples each can afford
    "reading": (targets.reading, 2),
    "checking": (targets.checking, 3),
    "exporting": (targets.exporting, 4),
    "searched": (searched, 6),
}


def examples(part: int) -> settings:
    """The profile's number of examples, for what takes `part` times as long as others."""
    return settings(max_examples=EXAMPLES // part)


@pytest.mark.parametrize("name", PROMISES)
def test_manuals_of_the_format(name: str) -> None:
    promise, part = PROMISES[name]

    @examples(part)
    @given(TEXTS)
    def holds(text: str) -> None:
        with in_time():
            promise(text.encode("utf-8", "surrogatepass"), targets.product)

    holds()


@examples(4)
@given(MANUALS, st.data())
def test_manuals_of_the_format_and_what_becomes_of_them(text: str, data: st.DataObject) -> None:
    other = data.draw(generated_manuals.changed(st.just(text)))
    with in_time():
        targets.comparing(together(text, other), targets.product)


@examples(12)
@given(MANUALS, st.data())
def test_sites_of_a_manual_and_what_becomes_of_it(text: str, data: st.DataObject) -> None:
    other = data.draw(generated_manuals.changed(st.just(text)))
    with in_time():
        targets.site(together(text, other), targets.product)


def together(*texts: str) -> bytes:
    """Several texts as a target takes them."""
    return targets.BETWEEN.join(text.encode("utf-8", "surrogatepass") for text in texts)


# --- real texts -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def texts(corpus: Path) -> list[list[str]]:
    """The lines of each real manual."""
    files = sorted(corpus.glob("haproxy/*/*.txt"))
    return [file.read_text(encoding="latin-1").split("\n") for file in files]


def excerpts(texts: list[list[str]]) -> st.SearchStrategy[str]:
    """Excerpts of the real manuals, each below the title of its section."""
    def excerpt(lines: list[str], at: int, size: int) -> str:
        first = at % len(lines)
        above = next((
            row for row in range(first, 0, -1)
            if RULE.match(lines[row]) and TITLE.match(lines[row - 1])
        ), 0)  # fmt: skip
        title = [*lines[above - 1 : above + 1], ""] if above else []
        return "\n".join([*title, *lines[first : first + size], ""])

    return st.builds(
        excerpt, st.sampled_from(texts), st.integers(0, 40_000), st.integers(3, LONGEST)
    )


@pytest.mark.parametrize("name", PROMISES)
def test_real_manuals_with_slips(name: str, texts: list[list[str]]) -> None:
    promise, part = PROMISES[name]

    @examples(part)
    @given(generated_manuals.changed(excerpts(texts)))
    def holds(text: str) -> None:
        with in_time():
            promise(text.encode("utf-8", "surrogatepass"), haproxy)

    holds()


def test_real_manuals_before_and_after_slips(texts: list[list[str]]) -> None:
    @examples(4)
    @given(excerpts(texts), st.data())
    def holds(text: str, data: st.DataObject) -> None:
        other = data.draw(generated_manuals.changed(st.just(text)))
        with in_time():
            targets.comparing(together(text, other), haproxy)

    holds()
