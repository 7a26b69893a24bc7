"""The format, by example: every fence of `tests/spec/*.test` is a text and its tree.

A fence opens with three back quotes or more and closes with as many:

    ```
    the text
    .
    its tree, as `dconv dump` prints it, without the line that names the document
    ```

The word behind the opening quotes tells how to read the text: nothing means in
the dialect of `tests/spec/manual.toml`, `plain` without a dialect, `escaped` with
backslash escapes for bytes (`\\t`, `\\xe8`).  `pytest --update-goldens` rewrites
the trees.  The layout is that of djot.js's tests (github.com/jgm/djot.js).
"""

from __future__ import annotations

import re

import pytest
from fences import Spec
from specs import FOLDER, SPECS, content, product

from dconv.build.read import read_manual
from dconv.model.tree import Manual
from dconv.proof.coverage import prove_tree
from dconv.writers.dump import tree


def read(spec: Spec) -> Manual:
    """The manual of an example."""
    return read_manual(content(spec), "manual.txt", product(spec.form), "manual")


def shown(manual: Manual) -> str:
    """The tree of `manual` without its first line, two columns further left."""
    _, *rows = tree(manual).split("\n")
    return "\n".join(row.removeprefix("  ") for row in rows)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_example(spec: Spec, request: pytest.FixtureRequest) -> None:
    found = shown(read(spec))
    if request.config.getoption("--update-goldens", default=False):
        spec.rewrite(found)
        return
    assert found == spec.result, f"read {spec.name}, or run pytest --update-goldens"


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_example_loses_nothing(spec: Spec) -> None:
    manual = read(spec)
    assert b"".join(manual.source.raw) == content(spec)
    assert [str(loss) for loss in prove_tree(manual).losses] == []


def test_there_are_examples_of_every_hard_case() -> None:
    """The forty cases that broke the incumbent each stand in the prose by number."""
    prose = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.test")))
    named = {int(number) for number in re.findall(r"\b[Hh]ard\s+case (\d+)\b", prose)}
    assert named == set(range(1, 41))
    assert len(SPECS) >= 200
