"""The architecture: a package imports only those on a lower level, and only `cli` prints."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "dconv"
LEVELS = (
    {"cli", "sphinx"}, {"build"}, {"diff"}, {"writers"}, {"sources", "lint", "proof"},
    {"settings", "readers", "linking"}, {"model"},
)  # fmt: skip
BELOW = {
    package: set(chain(*LEVELS[at + 1 :]))
    for at, level in enumerate(LEVELS) for package in sorted(level)
}


def _imported(path: Path) -> Iterator[str]:
    """The packages of dconv that the module at `path` imports, wherever it does."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module.startswith("dconv"):
                inner = module.removeprefix("dconv").lstrip(".")
                yield from [inner.split(".")[0]] if inner else [alias.name for alias in names]
            case ast.Import(names=names):
                modules = [alias.name.split(".") for alias in names]
                yield from (parts[1] for parts in modules if parts[0] == "dconv" and len(parts) > 1)


@pytest.mark.parametrize("package", BELOW)
def test_a_package_imports_only_those_below(package: str) -> None:
    for path in (PACKAGE / package).rglob("*.py"):
        wrong = {name for name in _imported(path) if name in BELOW} - BELOW[package] - {package}
        assert not wrong, f"{path.relative_to(PACKAGE)} must not import {sorted(wrong)}"


def test_every_package_has_a_level() -> None:
    assert {path.parent.name for path in PACKAGE.glob("*/__init__.py")} == {*BELOW}
