"""A small site as a user lays it out: settings, texts of several releases, a logo, a theme.

Tests run the program on it in processes of their own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
SITE = """\
[site]
title = "Manuals of lanterns – Laternenbücher"
url = "https://docs.example.org/"
output = "out/public"
compress = true
theme = "paper"
logo = "logo.svg"
footer = "By those who light them"

[search]
lunr = true

[[product]]
name = "haproxy"
releases = [{releases}]

[[product]]
name = "relay"
releases = ["2.1"]
"""
RELEASE = """
[[product.release]]
version = "{version}"
source = {{ path = "texts/{version}" }}
"""
LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8"/></svg>\n'


def write_sample_site(folder: Path, versions: Sequence[str] = ("3.5", "3.4", "1.5")) -> Path:
    """Write the site's input into `folder`; the path of its `site.toml`."""
    texts = folder / "texts"
    for version in versions:
        (texts / version).mkdir(parents=True)
        for name in ("configuration.txt", "management.txt"):
            text = (TESTS / "showcase" / "texts" / name).read_text("utf-8")
            (texts / version / name).write_text(text.replace("@VERSION@", version), "utf-8")
    relay = folder / "manuals" / "relay"
    relay.mkdir(parents=True)
    shutil.copy(TESTS / "spec" / "manual.toml", relay)
    shutil.copy(TESTS / "golden" / "everything.txt", relay / "manual.txt")
    (folder / "paper" / "static").mkdir(parents=True)
    (folder / "paper" / "theme.toml").write_text('title = "Paper"\n')
    (folder / "paper" / "static" / "paper.txt").write_text("paper\n")
    (folder / "logo.svg").write_text(LOGO)
    parts = SITE.partition('\n[[product]]\nname = "relay"')
    quoted = ", ".join(f'"{version}"' for version in versions)
    releases = "".join(RELEASE.format(version=version) for version in versions)
    site = folder / "site.toml"
    site.write_text(
        "".join((parts[0].format(releases=quoted), releases, *parts[1:])), "utf-8"
    )
    return site


def dconv(
    words: Sequence[str | Path], environment: Mapping[str, str] | None = None,
    before: Sequence[str] = (), cwd: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """The end of `dconv WORDS` as a process; `before` are words before the interpreter's."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), **(environment or {})}
    return subprocess.run(
        [*before, sys.executable, "-m", "dconv", *map(str, words)], env=variables, cwd=cwd,
        capture_output=True, text=True, encoding="utf-8", check=False,
    )


@cache
def has_option(command: str, option: str) -> bool:
    """Whether `dconv COMMAND` lists `option` in its help."""
    return option in dconv([command, "--help"]).stdout.replace("=", " ").split()


def files(folder: Path) -> dict[str, bytes]:
    """All files below `folder` and their content."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*") if path.is_file()
    }
