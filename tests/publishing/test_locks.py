"""The locks install on the oldest Python that `pyproject.toml` promises."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
LOCKS = ("requirements.lock", "requirements-test.lock")
VERSION = "import sys; print(*sys.version_info[:3])"
OFFLINE = re.compile("connection broken|Max retries|Temporary failure")


def version_of(python: str) -> tuple[int, ...]:
    """Major, minor and micro version of the interpreter `python`; empty if it does not run."""
    try:
        answer = subprocess.run([python, "-c", VERSION], check=False, capture_output=True)
    except OSError:
        return ()
    return tuple(map(int, answer.stdout.split()))


def oldest_python() -> str:
    """The interpreter of the oldest supported version among ours and the system's."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    floor = tuple(map(int, project["requires-python"].removeprefix(">=").split(".")))
    pythons = [(version_of(python), python) for python in (sys.executable, "/usr/bin/python3")]
    return min(python for python in pythons if python[0] >= floor)[1]


@pytest.mark.slow
@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_installs_on_the_oldest_python(lock: str, tmp_path: Path) -> None:
    subprocess.run([oldest_python(), "-m", "venv", tmp_path / "venv"], check=True)
    completed = subprocess.run(
        [
            tmp_path / "venv/bin/python", "-m", "pip", "install", "--quiet", "--dry-run",
            "--disable-pip-version-check", "--require-hashes", "-r", ROOT / lock,
        ],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    if completed.returncode and OFFLINE.search(completed.stderr) and os.environ.get("CI") != "true":
        pytest.skip("no package index answers")
    assert (completed.returncode, completed.stderr) == (0, "")


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_index_and_includes_the_build_backend(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    assert "\nhatchling==" in text
