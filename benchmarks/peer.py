"""The program that dconv is measured against: haproxy-dconv, in a folder, at a commit."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

COMMIT = re.compile(r"at commit ([0-9a-f]{7,40})")  # in a README beside a folder that is no clone


@dataclass(frozen=True, slots=True)
class Peer:
    """A program: what rows call it, and its command, with {input} and {output}."""

    name: str
    command: str


def haproxy_dconv(folder: Path) -> Peer | None:
    """The haproxy-dconv in `folder`; None if there is none, or $PEER_PYTHON has no Mako."""
    python = os.environ.get("PEER_PYTHON", "python3")
    if not (folder / "dconv.py").is_file() or not _succeeds([python, "-c", "import mako"]):
        return None
    start = shlex.join(["sh", "-c", 'cd "$0" && exec "$@"', str(folder), python, "dconv.py"])
    return Peer(f"haproxy-dconv {_commit(folder)}", f"{start} -g . -o {{output}} {{input}}")


def _commit(folder: Path) -> str:
    if (folder / ".git").exists():
        command = ["git", "-C", str(folder), "rev-parse", "--short", "HEAD"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    readme = folder.parent / "README.md"
    stated = COMMIT.search(readme.read_text("utf-8")) if readme.is_file() else None
    return stated[1] if stated else "of an unknown commit"


def _succeeds(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
