"""The reader of the text format and a second one agree on every word and every mark."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pytest
from expected_text import BREAK, QUOTE, account
from fences import Spec
from specs import SPECS, content, product

from dconv.build.read import read_manual
from dconv.model.source import BROKEN
from dconv.model.tree import Manual
from dconv.proof.leaves import leaves, shown
from dconv.settings import load_product

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.txt"))


def words(marked: Iterable[str]) -> str:
    """Words one below the other, with one border between blocks and without back quotes."""
    single: list[str] = []
    for word in marked:
        bare = word.replace(QUOTE, "")
        if (bare or word == "") and (word != BREAK or single[-1:] != [BREAK]):
            single.append(bare)
    return BROKEN.sub("", "\n".join(single)).strip(f"{BREAK}\n")


def check(manual: Manual) -> None:
    """Compare the words and the dropped marks of `manual` with those of the second reader."""
    expected = account(manual)
    assert expected.problems == []
    texts = [leaf for leaf in leaves(manual) if not leaf.apart]
    data = sorted((leaf for leaf in leaves(manual) if leaf.apart), key=lambda leaf: leaf.first)
    assert words(shown(texts)) == words(chain.from_iterable(expected.words))
    assert words(shown(data)).replace(f"{BREAK}\n", "") == words(
        chain.from_iterable(expected.apart)
    ).replace(f"{BREAK}\n", "")
    marks: dict[str, set[int]] = {}
    for mark in manual.dropped:
        marks.setdefault(mark.rule, set()).add(mark.line)
    marks.pop("border of a table", None)
    dropped = {rule: set(lines) for rule, lines in expected.dropped.items()}
    quotes = "back quotes around code"  # the second reader asks for none, also where they stay
    assert marks.pop(quotes, set()) <= dropped.pop(quotes, set())
    assert marks == dropped


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_examples(spec: Spec) -> None:
    check(read_manual(content(spec), "manual.txt", product(spec.form), "manual"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_goldens(path: Path) -> None:
    check(read_manual(path.read_bytes(), path.name, load_product(path.parents[1] / "spec"), "m"))
