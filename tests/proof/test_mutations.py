"""Nothing changes unseen: each change of a tree or of its pages breaks the proof.

The sweeps take every text of `tests/golden` and, in the slow tests, of `tests/spec`, and
change whatever shows words, one thing at a time; the proof must fail and name lines of
what was changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from format_examples import SPECS, content
from format_examples import product as spec_product
from release_pages import release_pages

from dconv.build.read import read_manual, release_document
from dconv.model.origin import Origin
from dconv.model.tree import Cell, Manual, plain_text
from dconv.proof.coverage import Proof, prove_tree, verify
from dconv.proof.leaves import leaves, shown_words
from dconv.sources.texts import SourceText
from dconv.writers.html.marks import with_marks
from dconv.writers.pages.page import Release, SiteInfo
from dconv.writers.theme import theme

HERE = Path(__file__).parents[1]
GOLDEN = sorted(path.stem for path in (HERE / "golden").glob("*.txt"))
SPEC_NAMES = [spec.name for spec in SPECS]
FILES = sorted({spec.path.name for spec in SPECS})
# a golden, or a file of examples
each_file = pytest.mark.parametrize(
    "file", [*GOLDEN, *(pytest.param(file, marks=pytest.mark.slow) for file in FILES)]
)
# fields that show words; those of other names (anchors, targets, kinds) are not text
TEXTS = frozenset(("text", "title", "number", "label", "marker", "separator"))
LISTS = frozenset((
    "content", "caption", "lines", "body", "items", "terms", "cells", "head", "rows",
    "signatures", "usages", "values", "sections", "summary", "preface",
))  # fmt: skip
REGION = re.compile(r"<!--text .*?<!--/text-->", re.DOTALL)
ELEMENT = re.compile(
    r"<(p|li|dt|dd|td|th|tr|pre|figcaption|aside|code|h\d)\b[^>]*>(?:(?!<\1\b).)*?</\1>", re.DOTALL
)
# words of ours, and tags
NO_TEXT = re.compile(r"<(\w+)\b[^>]*data-added[^>]*>.*?</\1>|<[^>]*>", re.DOTALL)
Mutation = tuple[str, Manual, tuple[int, int]]


def names(file: str) -> list[str]:
    """The names of the texts in a file."""
    return [file] if file in GOLDEN else [spec.name for spec in SPECS if spec.path.name == file]


@cache
def source(name: str) -> tuple[bytes, str]:
    """The bytes of a text of the fixtures, and the form it is to be read in."""
    if name in GOLDEN:
        return (HERE / "golden" / f"{name}.txt").read_bytes(), ""
    spec = SPECS[SPEC_NAMES.index(name)]
    return content(spec), spec.form


@cache
def manual_of(name: str) -> Manual:
    """The manual of a text."""
    data, form = source(name)
    return read_manual(data, "manual.txt", spec_product(form), "manual")


@cache
def default_theme() -> theme.Theme:
    """The default theme, loaded once."""
    return theme.load("default")


@cache
def pages_of(name: str) -> tuple[str, ...]:
    """The pages of a text, in order, as the proof gets them."""
    data, form = source(name)
    product = spec_product(form)
    setting = spec_product("").documents[0]
    text = SourceText(data, "manual.txt", product, setting, Origin("here"))
    release = Release("relay", "Relay", "2.1", (release_document(text, manual_of(name)),))
    pages = release_pages(release, SiteInfo("Manuals", "dconv"))
    return tuple(
        with_marks(default_theme().render(page)) for page in pages
        if page.kind in ("manual", "section")
    )


# --- trees ----------------------------------------------------------------------------


def mutations(manual: Manual) -> Iterator[Mutation]:
    """What was done, the changed manual, and the first and last line of what was changed."""
    all_lines = (1, len(manual.source.lines))
    yield from (
        (f"manual{what}", new, lines) for what, new, lines in _changes(manual, all_lines)
    )


def _changes(node: Any, lines: tuple[int, int]) -> Iterator[tuple[str, Any, tuple[int, int]]]:
    """Each change of `node`, which is on `lines`, or of one thing in it."""
    if span := getattr(node, "span", None):
        lines = (span.first, span.last)
    elif line := getattr(node, "line", 0):
        lines = (line, lines[1])
    for place in fields(node):
        value = getattr(node, place.name)
        inner: Iterator[tuple[str, Any, tuple[int, int]]] = iter(())
        if place.name in TEXTS and isinstance(value, str):
            inner = _letters(value, lines)
        elif place.name in LISTS and isinstance(value, tuple) and node_shows(node, place.name):
            inner = _tuples(value, lines)
        for what, new, where in inner:
            yield f".{place.name}{what}", replace(node, **{place.name: new}), where


def node_shows(node: Any, name: str) -> bool:
    """Whether a field is what pages show; a table shows cells, not its lines."""
    return name != "lines" or type(node).__name__ == "Preformatted"


def _letters(value: str, lines: tuple[int, int]) -> Iterator[tuple[str, str, tuple[int, int]]]:
    at = next((at for at, letter in enumerate(value) if letter.isalnum()), None)
    if at is not None:
        other = "Q" if value[at] != "Q" else "Z"
        yield " changed", value[:at] + other + value[at + 1 :], lines


def _tuples(
    value: tuple[Any, ...], lines: tuple[int, int]
) -> Iterator[tuple[str, tuple[Any, ...], tuple[int, int]]]:
    for at, item in enumerate(value):
        yield f"[{at}] dropped", value[:at] + value[at + 1 :], _lines(item, lines)
        yield f"[{at}] repeated", (*value[: at + 1], *value[at:]), _lines(item, lines)
        if at + 1 < len(value) and type(item).__name__ != "ContentsLine":  # shown by number
            swapped = (*value[:at], value[at + 1], item, *value[at + 2 :])
            both = (_lines(item, lines)[0], _lines(value[at + 1], lines)[1])
            yield f"[{at}] swapped", swapped, both
        if is_dataclass(item):
            for what, new, where in _changes(item, lines):
                yield f"[{at}]{what}", (*value[:at], new, *value[at + 1 :]), where
        elif isinstance(item, str):
            for what, text, where in _letters(item, lines):
                yield f"[{at}]{what}", (*value[:at], text, *value[at + 1 :]), where
        elif isinstance(item, tuple):  # a name and its state
            yield f"[{at}] moved", (*value[:at], (item[0], "moved"), *value[at + 1 :]), lines


def _lines(item: Any, lines: tuple[int, int]) -> tuple[int, int]:
    # a limit may be that of a neighbour
    if isinstance(item, Cell) and not plain_text(item.content):
        return lines[0] - 2, lines[1] + 2
    if span := getattr(item, "span", None):
        return span.first, span.last
    line = getattr(item, "line", 0)
    return (line, lines[1]) if line else lines


def names_lines(proof: Proof, manual: Manual, first: int, last: int) -> bool:
    """Whether `proof` names lines of the file that the lines `first` to `last` stand for."""
    # not always ascending: a setting stands before its comment
    origins = [manual.source.file_line_number(line) for line in range(first, last + 1)]
    return any(min(origins) <= line <= max(origins) for line in proof.lost_lines)


def said(manual: Manual) -> list[str]:
    """What a tree says, as pages show it."""
    return shown_words(leaves(manual))


def check_tree(name: str, what: str, broken: Manual, lines: tuple[int, int]) -> None:
    """The proof of `broken` names lines among `lines`, if it says something else at all."""
    if said(broken) == said(manual_of(name)):
        return
    proof = prove_tree(broken)
    assert proof.losses, f"{name}: {what}"
    assert names_lines(proof, broken, *lines), f"{name}: {what}: {proof.lost_lines}"


@each_file
def test_a_changed_tree_fails_the_proof(file: str) -> None:
    for name in names(file):
        assert prove_tree(manual_of(name)).losses == ()
        for what, broken, lines in mutations(manual_of(name)):
            check_tree(name, what, broken, lines)


# --- pages ----------------------------------------------------------------------------


def check_page(name: str, place: int, page: str, what: str) -> Proof:
    """The proof with the page at `place` changed to `page`, which must fail."""
    pages = [*pages_of(name)]
    pages[place] = page
    proof = verify(manual_of(name), "", pages)
    assert proof.losses, f"{name}: {what}"
    return proof


def regions(name: str) -> Iterator[tuple[int, str, int, int, int, int]]:
    """Each stretch of text: the page's place, the page, its offsets there, its lines."""
    for place, page in enumerate(pages_of(name)):
        for match in REGION.finditer(page):
            first, last = map(int, re.findall(r"\d+", match[0])[:2])
            yield place, page, match.start(), match.end(), first, last


@each_file
def test_a_changed_element_fails_the_proof(file: str) -> None:
    """Elements that hold words, and all cells: dropped, repeated, and put after the next one."""
    for name in names(file):
        assert verify(manual_of(name), "", pages_of(name)).losses == ()
        for place, page, start, end, first, last in regions(name):
            elements = [match for match in ELEMENT.finditer(page, start, end) if shows(match)]
            for match in elements:
                at, to = match.span()
                for what, inner in (("dropped", ""), ("repeated", match[0] * 2)):
                    new = page[:at] + inner + page[to:]
                    proof = check_page(name, place, new, f"{match[0]} {what}")
                    assert names_lines(proof, manual_of(name), first, last)
            for element, other in pairwise(elements):
                if element[1] != other[1] or inside(element[0]) == inside(other[0]):
                    continue
                between = page[element.end() : other.start()]
                swapped = other[0] + between + element[0]
                new = page[: element.start()] + swapped + page[other.end() :]
                proof = check_page(name, place, new, f"{element[0]} and {other[0]} swapped")
                assert names_lines(proof, manual_of(name), first, last)


def shows(match: re.Match[str]) -> bool:
    """Whether an element of a page shows words of the source, or is a cell."""
    if "data-added" in match[0]:
        return False
    return match[1] in ("td", "th") or bool(inside(match[0]))


def inside(element: str) -> list[str]:
    """The words of an element."""
    return re.sub(r"<[^>]*>", " ", element).split()


WORD_CHANGES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("dropped", lambda word: ""),
    ("repeated", lambda word: f"{word} {word}"),
    ("changed", lambda word: f"{word}s"),
    ("hidden", lambda word: f"<span data-added>{word}</span>"),
    ("divided", lambda word: f"{word[:1]} {word[1:]}"),
    ("set apart", lambda word: f"</p><p>{word}"),
)


@each_file
def test_a_changed_word_fails_the_proof(file: str) -> None:
    """Words that appear once in the source: the proof names their line and no other."""
    for name in names(file):
        once = unique(manual_of(name))
        for place, page, start, end, _, _ in regions(name):
            bare = NO_TEXT.sub(lambda found: " " * (len(found[0]) - 1) + ">", page)
            for word, number in once.items():
                match = re.compile(rf"(?<=[\s>]){word}(?=[\s<])").search(bare, start, end)
                if match is None:
                    continue
                for what, change in WORD_CHANGES:
                    new = page[: match.start()] + change(word) + page[match.end() :]
                    if what == "set apart" and starts_block(page, match.start()):
                        continue
                    proof = check_page(name, place, new, f"{word} {what}")
                    # a new limit is between a word and the one before, maybe of the line above
                    numbers = (number, number - 1) if what == "set apart" else (number,)
                    named = {(manual_of(name).source.file_line_number(line),) for line in numbers}
                    assert proof.lost_lines in named, f"{name}: {word} {what}"


# what no reader sees, or sees as something else: the start tag, and what is written for it
TAG_CHANGES: tuple[tuple[str, str], ...] = (
    (r"<(p|pre|dt|dd|dl|li|ul|ol|td|th|tr|table|figure|aside|section|code|var)\b(?![^>]*data-added)",
     r"\g<0> hidden"),
    (r"<(p|li|dl|td|code)\b(?![^>]*data-added)", r'\g<0> style="display:none"'),
    (r"<(p|dt|td)>", r'<\1 class="hidden">'),
    (r"<p>", r"<template><p>"),
    (r"<p>", r'<script type="text/plain"><p>'),
    (r"<p>", r"<!-- <p>"),
    (r"<(td|th)\b", r'\g<0> rowspan="2"'),
    (r"<ul>((?:(?!<[uo]l).)*?)</ul>", r"<ol>\1</ol>"),
    (r"<ol>((?:(?!<[uo]l).)*?)</ol>", r"<ul>\1</ul>"),
    (r"<th\b([^>]*>[^<]*)</th>", r"<td\1</td>"),
    (r"<th scope=\"col\">([^<]+)</th>", r"<td>\1</td>"),
    (r"<td>([^<]*)</td>", r"<th>\1</th>"),
    (r"<dt>(.*?)</dt>", r"<dd>\1</dd>"),
    (r"<dl>((?:(?!<dl).)*?)</dl>", r"<div>\1</div>"),
)


@each_file
def test_a_changed_tag_fails_the_proof(file: str) -> None:
    """The first tag of each kind in each stretch of text; the proof names lines of the stretch."""
    for name in names(file):
        for place, page, start, end, first, last in regions(name):
            for pattern, change in TAG_CHANGES:
                match = re.compile(pattern, re.DOTALL).search(page, start, end)
                if match is None:
                    continue
                new = page[: match.start()] + match.expand(change) + page[match.end() :]
                proof = check_page(name, place, new, f"{match[0]}: {change}")
                assert names_lines(proof, manual_of(name), first, last), f"{name}: {change}"


def unique(manual: Manual) -> dict[str, int]:
    """Longer words of letters that appear once in the text, with their lines."""
    starts: dict[str, list[int]] = {}
    for line in manual.source.lines:
        for word in re.findall(r"[A-Za-z]{3,}", line.text):
            starts.setdefault(word, []).append(line.number)
    return {word: numbers[0] for word, numbers in starts.items() if len(numbers) == 1}


def starts_block(page: str, at: int) -> bool:
    """Whether the text at `at` is first in its block already, or in code."""
    if re.search(r"<(?:p|figcaption)\b[^>]*><b>[^<]*</b>\s*$", page[max(at - 400, 0) : at]):
        return True  # after a label
    if re.search(r'<span class="(?:yes|no|stated)[^"]*">$', page[max(at - 40, 0) : at]):
        return True  # a chip
    before = re.sub(r"</?(?:a|code|var|span|b|i|em)\b[^>]*>", "", page[max(at - 400, 0) : at])
    return before.rstrip().endswith(">") or page.rfind("<pre", 0, at) > page.rfind("</pre", 0, at)
