"""The program that dconv is measured against: haproxy-dconv, in a folder, at a commit."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

COMMIT = re.compile(r"at commit ([0-9a-f]{7,40})")  # in a README beside a folder that is no clone
SCRIPT = 'cd "$0" && mkdir -p "$2" && exec "$1" dconv.py -g . -o "$2" "$3"'
GIT = ("git", "-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost")


@dataclass(frozen=True, slots=True)
class Peer:
    """A program: what rows call it, and its command, with {input} and {output}."""

    name: str
    command: str


def haproxy_dconv(folder: Path, scratch: Path) -> Peer | None:
    """The haproxy-dconv in `folder`; None if there is none, or $PEER_PYTHON has no Mako.

    It wants to be in a repository with a tag of a release, so its files are copied into one,
    below `scratch`.
    """
    python = shutil.which(os.environ.get("PEER_PYTHON", "python3")) or ""
    has_mako = python and not subprocess.run(
        [python, "-c", "import mako"], capture_output=True, check=False
    ).returncode
    if not has_mako or not (folder / "dconv.py").is_file():
        return None
    copy = scratch / "haproxy-dconv"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git"), copy_function=shutil.copy)
    for path in (copy, *copy.rglob("*")):
        path.chmod(path.stat().st_mode | 0o200)  # its folder may be for reading only
    for words in (("init", "-q"), ("commit", "-qm", "Copy", "--allow-empty"), ("tag", "v0.0")):
        subprocess.run([*GIT, "-C", str(copy), *words], check=True)
    command = shlex.join(["sh", "-c", SCRIPT, str(copy), python])
    return Peer(f"haproxy-dconv {_commit(folder)}", f"{command} {{output}} {{input}}")


def _commit(folder: Path) -> str:
    if (folder / ".git").exists():
        command = [*GIT, "-C", str(folder), "rev-parse", "--short", "HEAD"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    readme = folder.parent / "README.md"
    stated = COMMIT.search(readme.read_text("utf-8")) if readme.is_file() else None
    return stated[1] if stated else "of an unknown commit"
