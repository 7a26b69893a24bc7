"""Texts that are made to be slow: twice the text is twice the work, and no more.

Work is counted (`benchmarks/steps.py`), never timed.  What happens inside of one call
(a regular expression, a copy) is not counted; for that, large texts must be done within
a generous time in a process of their own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest
from steps import counted

from dconv.build.read import published, read_manual, read_text
from dconv.build.render import ReleaseFiles, release_files
from dconv.build.schedule import build_site
from dconv.cli import main
from dconv.linking import link, symbols
from dconv.model import tree
from dconv.model.origin import Origin
from dconv.proof.coverage import prove_tree
from dconv.settings import Product, load_product
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.names import defined_names
from dconv.writers.pages.page import Edition, Release
from dconv.writers.theme import theme
from dconv.writers.theme.theme import Theme

Text: TypeAlias = Callable[[int], str]
Step: TypeAlias = Callable[[str], None]

HERE = Path(__file__).parent
PATHS = (HERE.parent, HERE.parent / "benchmarks")
SMALL = 80  # things in the smallest text
FACTOR = 4  # how much larger the large text is
SLACK = 1.3  # how much more than linear may the work be
ENTRY = "1. Directives\n-------------\n\nspeed <x>\n"
GRID = "+---+---+\n| a | b |\n+---+---+\n"
MATRIX = " keyword    one  two  three\n----------+----+----+------\n"


def stairs(line: str, step: int = 1) -> Text:
    """Lines each of which is deeper than the one above."""
    return lambda n: "".join(f"{' ' * (step * depth)}{line}\n" for depth in range(n))


def times(line: str, head: str = "") -> Text:
    """The same lines again and again, `$` being their number."""
    return lambda n: head + "".join(line.replace("$", str(number)) for number in range(n))


TEXTS: dict[str, Text] = {
    "a line of blanks before a bracket": lambda n: "1. A\n----\n\n  a" + " " * n + "[b\n",
    "a line of blanks before letters": lambda n: "a" + " " * n + "b" * n + ")\n",
    "a line of words": times("word "),
    "a line of one word": times("w"),
    "a line of quotes": times('"'),
    "a line of quoted words": times('"a" '),
    "a line of open brackets": times("<"),
    "a line of brackets and words": times("<a "),
    "a line of back quotes": times("`a "),
    "a line of apostrophes": times("'a "),
    "a line of colons": times("a : "),
    "a line of bars": times("| a "),
    "a line of dashes": times("-"),
    "a line of bullets": times("- "),
    "a line of signs": times("+-"),
    "a line of blanks and a word": lambda n: " " * n + "x\n",
    "a line with gaps": times("a   "),
    "a line of tabs": times("\ta"),
    "an address with many dots": lambda n: "http://a/" + "." * n + "\n",
    "an address with many brackets": lambda n: "http://a/" + ")" * n + "\n",
    "a signature of many words": lambda n: ENTRY + "a1 " * n + "\n  Text.\n",
    "a signature with open brackets": lambda n: ENTRY + "go " + "[ { " * n + "\n  Text.\n",
    "a signature that goes on": lambda n: ENTRY + "go [ a\n" + "    [ b\n" * n,
    "a signature with many flags": lambda n: ENTRY + "go" + " (deprecated)" * n + "\n  Text.\n",
    "a long number": lambda n: "1." * n + " Title\n----\n",
    "prose without a blank line": times("Some words of prose here,\n"),
    "blank lines": times("\n", "a\n"),
    "words and blank lines": times("a:\n\n\n\n\n\n\n\n"),
    "entries of one name": times("speed <x>\n  Text.\n\n", ENTRY),
    "entries of other names": times("speed-$ <x>\n  Text.\n\n", ENTRY),
    "one group of signatures": times("speed-$ a b\n", ENTRY),
    "one group with one prefix": times("speed a$\n", ENTRY + "\n"),
    "usages": times("  May be used in sections : a | b\n     yes | no\n", ENTRY),
    "broken usages": times("  May be used in sections : a | b\n     yes\n", ENTRY),
    "titles of one number": times("1. A\n----\n\n"),
    "titles of other numbers": times("$. A\n----\n\n"),
    "titles without number": times("Title\n=====\n\n"),
    "bare titles": times("1. Title\n\n"),
    "bare words": times("Title\n\n    Text.\n\n", "1. A\n\n2. B\n\n"),
    "roman titles": times("IV) Title\n\nText.\n\n"),
    "a summary": times("$. Title\n", "Summary\n-------\n\n"),
    "underlines": times("-----\n"),
    "headings": times("Head\n----\n\n", ENTRY),
    "leads": times("head:\n\n   This is prose, and it is long enough to be one.\n\n"),
    "definitions": times("<a$>  is a thing\n"),
    "definitions with colons": times("a$ : a thing\n"),
    "definitions with blank lines": times("a$ : a thing\n\n"),
    "no definitions": times("aa  b\n\nbbb  c\n\n"),
    "nearly definitions": times("<aa> is\n\n<b>  a\n\nx  y z\n\n"),
    "definitions that break": lambda n: "aa  b\n\n" * n + "aa  b\nword\n",
    "definitions that break in a run": lambda n: "aa  b\n" * n + "word\n",
    "definitions of two lengths": lambda n: "aa  b\n\n" * n + "aaa  b\n\n" * n,
    "definitions under a label": times("  a$  a thing\n", "Arguments :\n"),
    "terms alone": times("  a$\n", "Arguments :\n"),
    "quoted terms": times('"a$": a thing\n\n'),
    "quoted terms between bullets": times('"a": b\n- c\n'),
    "one quoted term at each column": stairs('"a": b'),
    "bullets": times("- item\n"),
    "bullets of two kinds": times("- item\n* item\n"),
    "bullets with blank lines": times("- item\n\n"),
    "bullets with gaps": times("- a  b\n- ccc  d\n- e\n"),
    "numbers": times("$. item\n"),
    "the number one": times("1. item\n"),
    "numbers in prose": times("text\n1. item\n"),
    "lists in lists": stairs("- item", 2),
    "numbers in numbers": stairs("1. item", 3),
    "definitions in definitions": stairs("<a>  b", 2),
    "labels in labels": stairs("Note:", 2),
    "arguments in arguments": stairs("Arguments :", 2),
    "examples in examples": stairs("Example :", 2),
    "a staircase": stairs("word"),
    "a staircase down": lambda n: "".join(f"{' ' * (n - row)}word\n" for row in range(n)),
    "two columns": times("a\n    b\n"),
    "two columns with colons": times("a:\n    b\n"),
    "two columns of prose": times("a:\n    This is prose, and it is long enough to be one:\n"),
    "four columns": times("a:\n  b:\n    c:\n  d\n"),
    "saw teeth": times("- a\n  - b\n    - c\n      d:\n          e\n"),
    "code and blank lines": times("a\n\n    b = 1\n\n"),
    "code": times("    b = 1\n\n", "a\n\n"),
    "drawings": times("+--+   |x\n\n"),
    "drawings at two columns": times("  +--+   |x\n\n    +--+   |x\n\n"),
    "drawings between bullets": times("+--+   |x\n- a\n"),
    "examples": times("Example :\n    a\n\n"),
    "examples without code": times("Example :\n\nx\n\n"),
    "examples at the column": times("Example :\nx\n"),
    "example labels": times("Example :\n"),
    "bare example labels": times("Example\n"),
    "an example of many blocks": times("    a\n\n", "Example :\n"),
    "an example with prose": times(
        "    a\n\n    Here is prose in the example, and it goes on.\n\n", "Example :\n"
    ),
    "captions": times("          a\n", "Example : a\n"),
    "see also": times("See also : \"a\"\n"),
    "a long see also": times("  \"a$\",\n", "See also :\n"),
    "notes": times("Note: a\n"),
    "notes alone": times("Note :\n"),
    "notes with lists": times("Note :\n- a\n"),
    "arguments": times("Arguments :\n- a\n"),
    "arguments of one line": times("Arguments : a\n"),
    "a grid": times("| a | b |\n+---+---+\n", GRID),
    "a grid without rules": times("| a | b |\n", GRID),
    "a grid that breaks": lambda n: GRID + "| a | b |\n" * n + "| a b |\n",
    "rules of grids": times("+---+---+\n"),
    "heads of grids": times(GRID),
    "bars": times("a | b\n", "a | b\n--+--\n"),
    "bars that break": lambda n: "a | b\n--+--\n" + "a | b\n" * n + "a b | c\n",
    "heads with bars": times("a | b\n--+--\n"),
    "a matrix": times("speed-$      X    -    X\n", MATRIX),
    "a matrix that breaks": lambda n: MATRIX + "a            X    -    X\n" * n + "a b c X d\n",
    "heads of a matrix": times(MATRIX),
    "heads without rows": times("Line   Contents\n"),
    "numbered rows": times("    $   text\n", "Code  When\n"),
    "rows of flags": times("   CC   Text.\n\n", "Flags  Reason\n\n"),
    "footers": times("/*\n * Local variables:\n */\n"),
    "a header": times("          Title\n"),
    "comments of pages": times("<!--text 1-2-->\n"),
    "back slashes": times("a \\\n"),
    "columns of a table": lambda n: (
        f"1. A\n----\n\n{'  '.join(['head'] * n)}\n{'+'.join(['-----'] * n)}\n"
        + f"{'  '.join(['cell'] * n)}\n" * 4 + " ".join(["cells"] * n) + "\n"
    ),
}

TEXTS.update({
    "entries of one letter": times("a\n  b\n", ENTRY),
    "unbalanced quotes": times('a "b c\n'),
    "unbalanced quotes of all kinds": times("a \"b 'c `d\n", ENTRY),
    "unbalanced brackets": times("  a <b [c {d (e\n", ENTRY),
    "brackets that close nothing": times("  a> b] c} d)\n", ENTRY),
    "dense bullets": times("- - * - a\n"),
    "dense bullets of all kinds": times("- a\n* b\n=> c\n1. d\n"),
    "a line of equals": times("="),
    "a title over a long rule": lambda n: "1. A\n" + "-" * n + "\n",
    "a title over long equals": lambda n: "A\n" + "=" * n + "\n\nText.\n",
    "long rules": lambda n: ("-" * n + "\n" + "=" * n + "\n") * 4,
    "a staircase of rules": lambda n: "".join("-" * row + "\n" for row in range(3, n)),
    "a number of many parts": lambda n: "1. A\n----\n\n" + ".".join(["1"] * n) + ". B\n----\n",
    "titles of growing depth": lambda n: "".join(
        f"{'.'.join(['1'] * depth)}. A\n---\n\n" for depth in range(1, n)
    ),
    "a grid of many columns": lambda n: "".join(
        row * n + row[0] + "\n" for row in ("+---", "| a ", "+---", "| b ", "+---")
    ),
    "a grid of many columns that breaks": lambda n: "".join(
        row * n + row[0] + "\n" for row in ("+---", "| a ", "+---")
    ) + "| b " * (n // 2) + "\n",
    "bars of many columns": lambda n: (
        " | ".join(["a"] * n) + "\n" + "-+-".join(["-"] * n) + "\n" + " | ".join(["b"] * n) + "\n"
    ),
    "a matrix of many columns": lambda n: (
        " keyword    " + "  one" * n + "\n" + "-" * 12 + "+----" * n + "\n"
        + "speed       " + "    X" * n + "\n"
    ),
    "usages of many columns": lambda n: (
        ENTRY + "  May be used in sections : " + " | ".join(["a"] * n) + "\n"
        + "     " + " | ".join(["yes"] * n) + "\n"
    ),
    "a matrix of quoted names": times('"speed-$"    X    -    X\n', MATRIX),
})

MILLION = 1_000_000  # characters of a long line
# what takes for ever where one call is quadratic inside, with the number of things
LARGE = {
    **{name: MILLION // len(text(1)) for name, text in TEXTS.items() if name.startswith("a line")},
    "an address with many dots": MILLION,
    "an address with many brackets": MILLION,
    "a signature of many words": MILLION // 3,
    "a signature with open brackets": MILLION // 4,
    "a signature that goes on": 20_000,
    "a signature with many flags": 20_000,
    "a long number": MILLION // 2,
    "prose without a blank line": 100_000,
    "blank lines": 100_000,
    "entries of one name": 10_000,
    "one group of signatures": 20_000,
    "titles of one number": 10_000,
    "bare titles": 10_000,
    "bare words": 10_000,
    "definitions": 20_000,
    "definitions under a label": 20_000,
    "no definitions": 5_000,
    "quoted terms": 20_000,
    "bullets": 20_000,
    "numbers": 900,
    "lists in lists": 2_000,
    "a staircase": 5_000,
    "two columns": 20_000,
    "drawings": 20_000,
    "a grid": 10_000,
    "bars": 10_000,
    "a matrix": 10_000,
    "columns of a table": 2_000,
    "entries of one letter": 100_000,
    "unbalanced quotes of all kinds": 20_000,
    "unbalanced brackets": 20_000,
    "dense bullets of all kinds": 5_000,
    "a title over a long rule": MILLION,
    "a title over long equals": MILLION,
    "a number of many parts": 5_000,
    "titles of growing depth": 700,
    "a grid of many columns": 2_000,
    "bars of many columns": 2_000,
    "a matrix of many columns": 2_000,
    "a header": 50_000,
}
LARGE_SITES = {
    "entries of one name": 10_000,
    "one group of signatures": 20_000,
    "placeholders of one entry": 10_000,
    "forms of one name": 10_000,
    "titles without number": 600,
    "titles of growing depth": 300,
    "a long see also": 5_000,
    "a long see also of one name": 5_000,
    "a long list in prose": 5_000,
}
LONGEST = 300  # seconds; all of it takes a quarter of that on a busy machine


@cache
def product() -> Product:
    """The product whose dialect the examples of the format use."""
    return load_product(HERE / "spec")


def convert(text: str) -> None:
    """Read a text and prove that nothing is lost."""
    prove_tree(read_manual(text.encode(), "manual.txt", product(), "manual"))


def work(text: str, step: Step = convert) -> int:
    """How much runs while `step` is done with `text`."""
    step("")
    return counted(lambda: step(text))


@pytest.mark.parametrize("name", TEXTS)
def test_work_grows_as_the_text_does(name: str) -> None:
    small, large = TEXTS[name](SMALL), TEXTS[name](SMALL * FACTOR)
    growth = max(FACTOR, len(large) / len(small))
    assert work(large) <= SLACK * growth * work(small)


@pytest.mark.slow
def test_large_texts_end() -> None:
    """All of `LARGE`, one after the other, in a process that may be killed."""
    program = "import test_pathological as tests; tests.convert_large()"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=HERE, timeout=LONGEST,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, PATHS))},
        capture_output=True, text=True, check=False,
    )
    assert done.returncode == 0, done.stderr


def test_titles_of_any_depth_are_linked() -> None:
    text = "".join(f"{'.'.join(['1'] * depth)}. A\n---\n\n" for depth in range(1, 1200))
    manual = read_manual(text.encode(), "manual.txt", product(), "manual")
    dialect = product().dialect
    linked = link.link(manual, symbols.collect([(manual, "manual.txt")], dialect), dialect)
    assert [section.anchor for section in tree.sections(linked)] == [
        section.anchor for section in tree.sections(manual)
    ]


def link_to_itself(text: str) -> None:
    """Read a text and link it."""
    manual = read_manual(text.encode(), "manual.txt", product(), "manual")
    dialect = product().dialect
    link.link(manual, symbols.collect([(manual, "manual.txt")], dialect), dialect)


LINKS: dict[str, Text] = {
    "entries of one name that name it": times('speed <x$>\n  See "speed".\n\n', ENTRY),
    "entries of one name that list it": times('speed <x$>\n  See also: "speed"\n\n', ENTRY),
    "entries of one name in examples": times(
        "speed <x$>\n  Example :\n    speed 5\n\n", ENTRY
    ),
    "terms of one name": times('speed <x$>\n  Arguments :\n    slow  is "speed slow"\n\n', ENTRY),
    "entries of two names": times('speed <x$>\n  See "pace".\n\npace <x$>\n  A.\n\n', ENTRY),
}


@pytest.mark.parametrize("name", LINKS)
def test_work_of_links_grows_as_the_text_does(name: str) -> None:
    small, large = LINKS[name](SMALL), LINKS[name](SMALL * FACTOR)
    growth = max(FACTOR, len(large) / len(small))
    assert work(large, link_to_itself) <= SLACK * growth * work(small, link_to_itself)


# rules that could make pages or their proof slow
PAGES = (
    "entries of one name", "entries of other names", "titles of other numbers", "headings",
    "definitions", "bullets", "a grid", "a matrix", "usages", "quoted terms", "a summary",
    "prose without a blank line",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_work_of_pages_grows_as_the_text_does(name: str) -> None:
    small, large = TEXTS[name](SMALL), TEXTS[name](SMALL * FACTOR)
    growth = max(FACTOR, len(large) / len(small))
    assert work(large, make) <= SLACK * growth * work(small, make)


def make(text: str) -> None:
    """Read a text, make its pages and prove them."""
    setting = product().documents[0]
    source = SourceText(text.encode(), "manual.txt", product(), setting, Origin("here"))
    manual = read_text(source)
    release = Release("relay", "Relay", "2.1", (published(source, manual),))
    release_files(release, Edition("Manuals", "dconv"), default_theme())


def whole(text: str) -> None:
    """Read a text and make the whole site of it, with its search and the check of its links."""
    setting = product().documents[0]
    source = SourceText(text.encode(), "manual.txt", product(), setting, Origin("here"))
    release = ReleaseTexts("relay", "Relay", "2.1", "", (source,))
    lost: list[str] = []

    def after(done: ReleaseFiles) -> None:
        lost.extend(str(loss) for proof in done.proofs for loss in proof.losses)

    edition = Edition("Manuals", "dconv")
    for _ in build_site([release], edition, default_theme(), on_release=after):
        pass
    assert not lost


FEW = 150  # things in the smaller text of a site: the menus of pages are as long as they can be
# what could make a whole site slow: what is alike, what refers to much, what is deep
SITES: dict[str, Text] = {
    **{name: TEXTS[name] for name in (
        "entries of one name", "entries of other names", "titles without number",
        "titles of growing depth", "dense bullets of all kinds",
        "unbalanced quotes of all kinds", "lists in lists", "a grid of many columns",
        "a matrix of quoted names", "one group of signatures", "definitions under a label",
    )},
    "placeholders of one entry": times("    <a$>  is <b$>\n", f"{ENTRY}\n  Arguments :\n"),
    "forms of one name": times("speed <a$>\n", ENTRY),
    "entries of one name that list it": LINKS["entries of one name that list it"],
    "a long see also": lambda n: (
        times("speed-$ <x>\n  Text.\n\n", ENTRY)(n)
        + "  See also : " + ", ".join(f'"speed-{at}"' for at in range(n)) + "\n"
    ),
    "a long see also of one name": lambda n: (
        f"{ENTRY}  Text.\n\n  See also : " + ", ".join(['"speed"'] * n) + "\n"
    ),
    "a long list in prose": lambda n: (
        times("speed-$ <x>\n  Text.\n\n", ENTRY)(n)
        + "  See " + ", ".join(f'"speed-{at}"' for at in range(n)) + " and others.\n"
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", SITES)
def test_work_of_sites_grows_as_the_text_does(name: str) -> None:
    small, large = SITES[name](FEW), SITES[name](2 * FEW)
    growth = max(2, len(large) / len(small))
    assert work(large, whole) <= SLACK * growth * work(small, whole)


@pytest.mark.parametrize("name", ["one group of signatures", "entries of other names"])
def test_work_of_names_grows_as_they_do(name: str) -> None:
    def names(count: int) -> int:
        manual = read_manual(TEXTS[name](count).encode(), "x", product(), "manual")
        return counted(lambda: defined_names(manual))

    names(1)
    assert names(SMALL * FACTOR) <= SLACK * FACTOR * names(SMALL)


# what the check compares with each other
CHECKED: dict[str, Text] = {
    "names that are nearly others": times('speed-$ <x>\n  See "spead-$".\n\n', ENTRY),
    "forms that are nearly others": times("speed-$ <x>\nno spead-$\n", ENTRY),
    "words that stand twice": times("Text of the the lamp.\n\n", ENTRY),
    "sections that are not there": times("see section 9.9 and ", "1. A\n----\n\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKED)
def test_a_large_check_ends(name: str, tmp_path: Path) -> None:
    words = ["--manuals", str(HERE / "spec"), "--dialect", "relay", "--format", "json"]
    (tmp_path / "manual.txt").write_text(CHECKED[name](6000))
    start = time.process_time()
    main(["check", *words, str(tmp_path / "manual.txt")])
    assert time.process_time() - start < 10


# what two texts say differently, `$` being one of the two
COMPARED: dict[str, Text] = {
    "a long sentence of a default": lambda n: f"{ENTRY}  It defaults to $ {'a ' * n}b.\n",
    "arguments": lambda n: f"{ENTRY}  Arguments :\n" + "".join(
        f"    <a$-{at}>  is a thing\n" for at in range(n)
    ),
    "a text of one word": lambda n: f"1. A\n----\n\n$ {'word ' * n}\n$\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPARED)
def test_a_large_comparison_ends(name: str, tmp_path: Path) -> None:
    for side in ("5", "6"):
        text = COMPARED[name](3000).replace("$", side)
        other = text.replace(" a a", " a b").replace(" word word", " word")
        (tmp_path / f"{side}.txt").write_text(text if side == "5" else other)
    words = ["--manuals", str(HERE / "spec"), "--dialect", "relay", "--format", "json"]
    start = time.process_time()
    assert main(["diff", *words, str(tmp_path / "5.txt"), str(tmp_path / "6.txt")]) == 1
    assert time.process_time() - start < 15


@cache
def default_theme() -> Theme:
    """The default theme, loaded once."""
    return theme.load("default")


def convert_large() -> None:
    """Convert all of `LARGE`; called in the process that may be killed."""
    for name, number in LARGE.items():
        convert(TEXTS[name](number))
    for name, number in LARGE_SITES.items():
        whole(SITES[name](number))
