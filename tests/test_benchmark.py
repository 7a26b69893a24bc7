"""`make bench`: the table, and which manual it is about."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
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


def test_the_table_is_about_the_newest_release(tmp_path: Path) -> None:
    for version in ("3.4", "3.10", "2.9"):
        folder = tmp_path / "haproxy" / version
        folder.mkdir(parents=True)
        (folder / "configuration.txt").write_text(MANUAL.format(version=version))
    environment = {**os.environ, "DCONV_CORPUS": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks/run.py"), "--runs", "1"],
        env=environment, capture_output=True, text=True, check=True,
    )
    first, _, *rows = done.stdout.splitlines()
    assert first.startswith("Measured: configuration.txt, HAProxy Configuration Manual 3.10; Pyth")
    found = dict(row.strip("| ").split(" | ") for row in rows if " | " in row)
    assert found["lines"] == "12"
    stages = [name.removeprefix("CPU: ") for name in found if name.startswith("CPU: ")]
    assert stages == [
        "parse: read", "parse: scan and nest", "proof", "link", "pages: html", "pages: theme",
        "parse, proof and pages, bound 1,000 ms", "total",
    ]
    assert all(re.fullmatch(r"[\d,]+ ms", found[f"CPU: {name}"]) for name in stages)
