"""Large texts of every construct are read, linked, made into pages and proved in time.

Work that grows faster than the text would take minutes here.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import TypeAlias

import pytest

from dconv.build.read import read_manual
from dconv.build.render import ReleaseFiles
from dconv.build.schedule import build_site
from dconv.cli import main
from dconv.linking import link, symbols
from dconv.model import tree
from dconv.model.dialect import Dialect
from dconv.model.origin import Origin
from dconv.proof.coverage import prove_tree
from dconv.readers import text as text_reader
from dconv.settings.manual import load_product
from dconv.settings.types import Product
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.page import SiteInfo
from dconv.writers.theme.theme import load

Text: TypeAlias = Callable[[int], str]

SPEC = Path(__file__).parents[1] / "spec"
MILLION = 1_000_000  # characters of a long line
ENTRY = "1. Directives\n-------------\n\nspeed <x>\n"
GRID = "+---+---+\n| a | b |\n+---+---+\n"
MATRIX = " keyword    one  two  three\n----------+----+----+------\n"


def stairs(line: str, step: int = 1) -> Text:
    """Lines each of which is deeper than the one above."""
    return lambda n: "".join(f"{' ' * (step * depth)}{line}\n" for depth in range(n))


def times(line: str, head: str = "") -> Text:
    """The same lines again and again, `$` being their number."""
    return lambda n: head + "".join(line.replace("$", str(number)) for number in range(n))


def depths(n: int) -> str:
    """Titles each of which is one level deeper."""
    return "".join(f"{'.'.join(['1'] * depth)}. A\n---\n\n" for depth in range(1, n))


# texts that could be read slowly, with the number of things in them
TEXTS: dict[str, tuple[Text, int]] = {
    **{
        f"a line of {unit!r}": (times(unit), MILLION // len(unit))
        for unit in ("w", '"', '"a" ', "<a ", "`a ", "a : ", "| a ", "-", "- ", "+-", "a   ", "\ta")
    },
    "a line of blanks before a bracket": (
        lambda n: "1. A\n----\n\n  a" + " " * n + "[b\n", MILLION
    ),
    "an address with many brackets": (lambda n: "http://a/" + ")" * n + "\n", MILLION),
    "a word with many parts": (lambda n: "Text.\n\n" + "a_" * n + "\n", MILLION // 2),
    "a signature of many words": (lambda n: ENTRY + "a1 " * n + "\n  Text.\n", MILLION // 3),
    "a signature with open brackets": (lambda n: ENTRY + "go " + "[ { " * n + "\n", MILLION // 4),
    "a signature that goes on": (lambda n: ENTRY + "go [ a\n" + "    [ b\n" * n, 20_000),
    "a long number": (lambda n: "1." * n + " Title\n----\n", MILLION // 2),
    "a long rule": (lambda n: "1. A\n" + "-" * n + "\n", MILLION),
    "prose": (times("Some words of prose here,\n"), 100_000),
    "blank lines": (times("\n", "a\n"), 100_000),
    "entries of one name": (times("speed <x>\n  Text.\n\n", ENTRY), 10_000),
    "one group of signatures": (times("speed-$ a b\n", ENTRY), 20_000),
    "titles of one number": (times("1. A\n----\n\n"), 10_000),
    "titles of growing depth": (depths, 700),
    "bare words": (times("Title\n\n    Text.\n\n", "1. A\n\n2. B\n\n"), 10_000),
    "definitions": (times("<a$>  is a thing\n"), 20_000),
    "definitions under a label": (times("  a$  a thing\n", "Arguments :\n"), 20_000),
    "quoted terms": (times('"a$": a thing\n\n'), 20_000),
    "bullets": (times("- item\n"), 20_000),
    "lists in lists": (stairs("- item", 2), 2_000),
    "a staircase": (stairs("word"), 5_000),
    "two columns": (times("a\n    b\n"), 20_000),
    "drawings": (times("+--+   |x\n\n"), 20_000),
    "a grid": (times("| a | b |\n+---+---+\n", GRID), 50_000),
    "bars": (times("a | b\n", "a | b\n--+--\n"), 10_000),
    "a matrix": (times("speed-$      X    -    X\n", MATRIX), 10_000),
    "a grid of many columns": (
        lambda n: "".join(
            row * n + row[0] + "\n" for row in ("+---", "| a ", "+---", "| b ", "+---")
        ),
        2_000,
    ),
    "unbalanced quotes": (times("a \"b 'c `d\n", ENTRY), 20_000),
    "unbalanced brackets": (times("  a <b [c {d (e\n", ENTRY), 20_000),
}
# likewise for texts without a dialect, each with its name
PLAIN_TEXTS: dict[str, tuple[Text, int]] = {
    "names.txt": (times("lamp_$ <x>\n    {code} = x;\n\n"), 5_000),
    "words.txt": (times("lamp$  12 = x; y\n\n"), 5_000),
    "tables.txt": (times("Name  Size  Text\n----  ----  ----\n\na     b     c\n"), 5_000),
    "settings.conf": (times("# oil$ = 2\n", "# The oil of the lamps.\n"), 10_000),
    "remarks.conf": (times("oil$ = 2   # how much\n           # more\n"), 5_000),
}
# texts of which a whole site could be made slowly: what is alike, refers to much, or is deep
SITES: dict[str, tuple[Text, int]] = {
    "entries of one name": (times("speed <x>\n  Text.\n\n", ENTRY), 10_000),
    "one group of signatures": (times("speed-$ a b\n", ENTRY), 20_000),
    "placeholders of one entry": (
        times("    <a$>  is <b$>\n", f"{ENTRY}\n  Arguments :\n"), 10_000
    ),
    "titles without number": (times("Title\n=====\n\n"), 600),
    "titles of growing depth": (depths, 300),
    "a long see also": (
        lambda n: times("speed-$ <x>\n  Text.\n\n", ENTRY)(n)
        + "  See also : " + ", ".join(f'"speed-{at}"' for at in range(n)) + "\n",
        5_000,
    ),
}
# what the check compares with each other
CHECKED: dict[str, Text] = {
    "names that are nearly others": times('speed-$ <x>\n  See "spead-$".\n\n', ENTRY),
    "words that stand twice": times("Text of the the lamp.\n\n", ENTRY),
    "sections that are not there": times("see section 9.9 and ", "1. A\n----\n\n"),
}


@contextmanager
def seconds(limit: int) -> Iterator[None]:
    """Fail what takes more than `limit` seconds of processor time, several times what it should."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"not done in {limit} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@cache
def product() -> Product:
    """The product whose dialect the examples of the format use."""
    return load_product(SPEC)


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_a_large_text_is_read_in_time(name: str) -> None:
    text, number = TEXTS[name]
    with seconds(30):
        manual = read_manual(text(number).encode(), "manual.txt", product(), "manual")
        assert prove_tree(manual).losses == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAIN_TEXTS)
def test_a_large_text_without_a_dialect_is_read_in_time(name: str) -> None:
    text, number = PLAIN_TEXTS[name]
    with seconds(30):
        text_reader.read(text(number).encode(), name, Dialect(), "lamps")


@pytest.mark.slow
@pytest.mark.parametrize("name", SITES)
def test_the_site_of_a_large_text_is_made_in_time(name: str) -> None:
    text, number = SITES[name]
    content, setting = text(number).encode(), product().documents[0]
    source = SourceText(content, "manual.txt", product(), setting, Origin("here"))
    losses: list[str] = []

    def on_release(files: ReleaseFiles) -> None:
        losses.extend(str(loss) for proof in files.proofs for loss in proof.losses)

    release = ReleaseTexts("relay", "Relay", "2.1", "", (source,))
    with seconds(60):
        for _ in build_site(
            [release], SiteInfo("Manuals", "dconv"), load("default"), on_release=on_release
        ):
            pass
    assert losses == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKED)
def test_a_large_text_is_checked_in_time(name: str, tmp_path: Path) -> None:
    words = ["--manuals", str(SPEC), "--dialect", "relay", "--format", "json"]
    (tmp_path / "manual.txt").write_text(CHECKED[name](6000))
    with seconds(30):
        main(["check", *words, str(tmp_path / "manual.txt")])


@pytest.mark.slow
def test_large_texts_are_compared_in_time(tmp_path: Path) -> None:
    for side in ("5", "6"):
        (tmp_path / f"{side}.txt").write_text(
            f"{ENTRY}  It defaults to {side} {'a ' * 3000}b.\n\n  Arguments :\n"
            + "".join(f"    <a{side}-{at}>  is a thing\n" for at in range(3000))
        )
    words = ["--manuals", str(SPEC), "--dialect", "relay", "--format", "json"]
    with seconds(30):
        assert main(["diff", *words, str(tmp_path / "5.txt"), str(tmp_path / "6.txt")]) == 1


def test_titles_of_any_depth_are_linked() -> None:
    manual = read_manual(depths(1200).encode(), "manual.txt", product(), "manual")
    dialect = product().dialect
    linked = link.link(manual, symbols.collect_symbols([(manual, "manual.txt")], dialect), dialect)
    assert [section.anchor for section in tree.sections(linked)] == [
        section.anchor for section in tree.sections(manual)
    ]
