"""`make bench`: the tables, and what they are about."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import texts
from budget import Budget

from dconv.build.read import read_manual
from dconv.model import tree
from dconv.settings import load_product
from dconv.sources.resources import resource_folder

ROOT = Path(__file__).resolve().parents[2]
MANUAL = """\
                        -----------------------
                          HAProxy
                          Configuration Manual
                        -----------------------
                             version {version}


1. Ovens
--------

heat <degrees>
  Warms the oven up.
"""


ALL = ("--only", "manual", "--only", "releases", "--only", "stages", "--only", "growth")
COPY = f"{sys.executable} -c 'import shutil, sys; shutil.copy(*sys.argv[1:])' {{input}} {{output}}"


def measured(corpus: Path, *words: str) -> list[list[str]]:
    """What the benchmark prints about `corpus`: the first line, then the cells of all rows."""
    for version in ("3.4", "3.10", "2.9"):
        folder = corpus / "haproxy" / version
        folder.mkdir(parents=True)
        (folder / "configuration.txt").write_text(MANUAL.format(version=version))
    environment = {**os.environ, "DCONV_CORPUS": str(corpus), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks/run.py"), "--runs", "1", *words],
        env=environment, capture_output=True, text=True, check=False,
    )
    assert not done.stderr
    assert done.returncode in (0, 1)  # the bounds are for real manuals
    return [
        [cell.strip() for cell in row.strip("|").split("|")] for row in done.stdout.splitlines()
    ]


def test_every_figure_is_printed(tmp_path: Path) -> None:
    (first,), *rows = measured(tmp_path, *ALL, "--lines", "900", "400", "--against", COPY)
    assert first.startswith("Measured: configuration.txt, HAProxy Configuration Manual 3.10, 12 ")
    found = {row[0]: row for row in rows if len(row) == 5}
    for name, limit, unit in (
        ("one manual, wall, of the other", "1", "times"),
        ("one manual, CPU, of the other", "2", "times"),
        ("one manual, peak memory of all processes", "300", "MB"),
        ("3 releases, wall, of the sum of single ones", "0.55", "times"),
        ("releases: 1, peak memory of all processes", "", "MB"),
        ("releases: 3, peak memory of all processes", "", "MB"),
        ("3 releases against 3, peak memory", "1.25", "times"),
        ("the same again, wall", "0.3", "s"),
        ("one manual changed, wall", "", "s"),
        ("CPU of parsing, pages and proof", "1,000", "ms"),
        ("900 lines against 400: CPU of a line", "1.3", "times"),
    ):
        assert [found[name][1], found[name][3]] == [limit, unit]
        assert float(found[name][2]) >= 0
        assert found[name][4] in (("yes", "**no**") if limit else ("",))
    stages = [row[0] for row in rows if len(row) == 3 and row[2].endswith("%")]
    assert stages == [
        "read", "scan", "nest", "link", "backlinks", "pages: html", "pages: theme", "proof",
        "marks of the proof off", "link check", "search", "lists for programs", "writing",
    ]
    assert [row[0] for row in rows if len(row) == 7][-2:] == ["400", "900"]


def test_steps_are_counted_where_growth_is_asked_for(tmp_path: Path) -> None:
    rows = measured(tmp_path, "--only", "growth", "--growth", "--lines", "400", "900")
    steps = {row[0]: int(row[3].replace(",", "")) for row in rows if row[0] in ("400", "900")}
    assert steps["400"] < steps["900"] < 2.25 * steps["400"]
    assert any(row[0] == "900 lines against 400: steps of a line" for row in rows)


@pytest.mark.parametrize("lines", [10, 500, 2000])
def test_made_manuals_are_read_as_real_ones_are(lines: int) -> None:
    product = load_product(resource_folder("manuals") / "haproxy")
    text = texts.manual(lines)
    assert text.count("\n") == lines
    manual = read_manual(text.encode(), "made.txt", product, "configuration")
    assert not manual.diagnostics
    assert len(list(tree.entries(manual))) >= lines // 40
    assert manual.header.version == "0.1"


def test_bounds_are_told() -> None:
    assert str(Budget("a", 0.55, 0.5, "times")) == "| a | 0.55 | 0.50 | times | yes |"
    assert str(Budget("a", 300, 300.4, "MB")) == "| a | 300 | 300 | MB | **no** |"
    assert str(Budget("a", None, 2, "s")) == "| a | | 2.00 | s | |"
    assert Budget("a", None, 2, "s").kept
