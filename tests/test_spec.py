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
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from dconv import pipeline
from dconv.dump import tree
from dconv.emission import prove_tree
from dconv.settings import Product, load_product
from dconv.settings.manual import plain_product
from dconv.tree import Manual

FOLDER = Path(__file__).parent / "spec"
# "```", "````plain"
FENCE = re.compile(r"(?P<marks>`{3,})(?P<form>[a-z]*)$")


@dataclass(frozen=True, slots=True)
class Spec:
    """One example: the number of its fence in the file, how to read it, text and tree.

    `first` and `last` are the indexes of the tree's lines in the file, the last excluded.
    """

    path: Path
    line: int
    form: str
    text: str
    tree: str
    first: int
    last: int

    @property
    def name(self) -> str:
        """`lists.test:12`, the place to look at."""
        return f"{self.path.name}:{self.line}"


def read_specs(path: Path) -> Iterator[Spec]:
    """The examples of a file, in order; a fence that is not whole is an error."""
    lines = path.read_text(encoding="utf-8").split("\n")
    at = 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        if fence is None:
            at += 1
            continue
        end = lines.index(fence["marks"], at + 1)
        dot = lines.index(".", at + 1, end)
        text = "\n".join(lines[at + 1 : dot]) + "\n"
        shown = "".join(f"{line}\n" for line in lines[dot + 1 : end])
        yield Spec(path, at + 1, fence["form"], text, shown, dot + 1, end)
        at = end + 1


SPECS = [spec for path in sorted(FOLDER.glob("*.test")) for spec in read_specs(path)]


@cache
def product(form: str) -> Product:
    """The dialect that a fence asks for."""
    return plain_product() if form == "plain" else load_product(FOLDER)


def content(spec: Spec) -> bytes:
    """The bytes of an example."""
    if spec.form != "escaped":
        return spec.text.encode()
    return spec.text.encode("latin-1").decode("unicode_escape").encode("latin-1")


def read(spec: Spec) -> Manual:
    """The manual of an example."""
    return pipeline.read_manual(content(spec), "manual.txt", product(spec.form), "manual")


def shown(manual: Manual) -> str:
    """The tree of `manual` without its first line, two columns further left."""
    _, *rows = tree(manual).split("\n")
    return "\n".join(row.removeprefix("  ") for row in rows)


def rewrite(spec: Spec, found: str) -> None:
    """Put the tree `found` in the place of the example's; other examples may have moved."""
    place = [other.name for other in SPECS if other.path == spec.path].index(spec.name)
    now = list(read_specs(spec.path))[place]
    lines = spec.path.read_text(encoding="utf-8").split("\n")
    lines[now.first : now.last] = found.removesuffix("\n").split("\n") if found else []
    spec.path.write_text("\n".join(lines), encoding="utf-8")


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_example(spec: Spec, request: pytest.FixtureRequest) -> None:
    found = shown(read(spec))
    if request.config.getoption("--update-goldens", default=False):
        rewrite(spec, found)
        return
    assert found == spec.tree, f"read {spec.name}, or run pytest --update-goldens"


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
