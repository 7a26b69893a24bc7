"""The format, by example: every fence of `tests/spec/*.test` is a text and its tree.

A fence opens with three back quotes or more and closes with as many:

    ```
    the text
    .
    its tree, as `dconv dump` prints it, without the line that names the document
    ```

The word after the opening quotes tells how to read the text: nothing means in the dialect of
`tests/spec/manual.toml`, `plain` without a dialect, `escaped` with backslash escapes for bytes
(`\\t`, `\\xe8`).  A second reader, `tests/expected_text`, agrees on every word and every mark of
an example.  `pytest --update-goldens` rewrites the trees.  The layout is that of djot.js's tests
(github.com/jgm/djot.js).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pytest
from example_files import Spec
from expected_text import BREAK, QUOTE, expect
from format_examples import FOLDER, SPECS, content, product

from dconv.build.read import read_manual
from dconv.model.tree import Manual
from dconv.model.wrapping import HYPHEN_BREAK
from dconv.proof import leaves
from dconv.proof.coverage import prove_tree
from dconv.writers.dump.text import tree_text

GOLDEN = sorted((FOLDER.parent / "golden").glob("*.txt"))


def read(spec: Spec) -> Manual:
    """The manual of an example."""
    return read_manual(content(spec), "manual.txt", product(spec.form), "manual")


def shown(manual: Manual) -> str:
    """The tree of `manual` without its first line, two columns further left."""
    _, *rows = tree_text(manual).split("\n")
    return "\n".join(row.removeprefix("  ") for row in rows)


def words(marked: Iterable[str]) -> str:
    """Words one below the other, with one border between blocks and without back quotes."""
    single: list[str] = []
    for word in marked:
        bare = word.replace(QUOTE, "")
        if (bare or word == "") and (word != BREAK or single[-1:] != [BREAK]):
            single.append(bare)
    return HYPHEN_BREAK.sub("", "\n".join(single)).strip(f"{BREAK}\n")


def check_words(manual: Manual) -> None:
    """Compare the words and the dropped marks of `manual` with those of the second reader."""
    expected = expect(manual)
    assert expected.problems == []
    texts = [leaf for leaf in leaves.leaves(manual) if not leaf.out_of_flow]
    data = [leaf for leaf in leaves.leaves(manual) if leaf.out_of_flow]
    data.sort(key=lambda leaf: leaf.first)
    assert words(leaves.shown_words(texts)) == words(chain.from_iterable(expected.words))
    assert words(leaves.shown_words(data)).replace(f"{BREAK}\n", "") == words(
        chain.from_iterable(expected.apart)
    ).replace(f"{BREAK}\n", "")
    marks: dict[str, set[int]] = {}
    for mark in manual.dropped:
        marks.setdefault(mark.kind, set()).add(mark.line)
    marks.pop("border of a table", None)
    dropped = {rule: set(lines) for rule, lines in expected.dropped.items()}
    quotes = "back quotes around code"  # the second reader asks for none, also where they stay
    assert marks.pop(quotes, set()) <= dropped.pop(quotes, set())
    assert marks == dropped


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_an_example_has_its_tree_and_loses_nothing(
    spec: Spec, request: pytest.FixtureRequest
) -> None:
    manual = read(spec)
    if request.config.getoption("--update-goldens", default=False):
        spec.rewrite(shown(manual))
        return
    assert shown(manual) == spec.result, f"read {spec.name}, or run pytest --update-goldens"
    assert b"".join(manual.source.raw) == content(spec)
    assert [str(loss) for loss in prove_tree(manual).losses] == []
    check_words(manual)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_second_reader_agrees_on_whole_manuals(path: Path) -> None:
    check_words(read_manual(path.read_bytes(), path.name, product(""), "manual"))


def test_there_are_examples_of_every_hard_case() -> None:
    """The forty cases that haproxy-dconv misread each are in the prose by number."""
    prose = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.test")))
    named = {int(number) for number in re.findall(r"\b[Hh]ard\s+case (\d+)\b", prose)}
    assert named == set(range(1, 41))
    assert len(SPECS) >= 200
