"""`make bench-check`: defects are put into a manual, and counted where they are found."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MANUAL = """\
                        -----------------------
                          HAProxy
                          Configuration Manual
                        -----------------------
                             version 9.9


1. Ovens
--------

It warms up, and that is all of it. There is nothing more to say of ovens, nor of what
they are made of, in the whole text.

2. Kettles
----------

They boil, as "section 1" does not.
"""


def run(folder: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks/check_recall.py"), *words, str(folder)],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )
    return done.stdout


def test_defects_are_found(tmp_path: Path) -> None:
    (tmp_path / "configuration.txt").write_text(MANUAL)
    found = run(tmp_path, "--only", "dot_dropped", "--count", "3").splitlines()
    assert found[2] == "| numbers of sections | 9 | dot dropped | 2 | 2 | 0 |"
    assert found[-3:] == ["found: 100.0%", "", "found by default: 0.0%"]


def test_what_is_missed_is_shown(tmp_path: Path) -> None:
    (tmp_path / "configuration.txt").write_text(MANUAL)
    found = run(tmp_path, "--only", "word_doubled_over", "--misses")
    assert "missed" not in found
    assert "| doubled words | 12 | word doubled over | 1 | 1 | 1 |" in found
