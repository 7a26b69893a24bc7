"""The example of a Debian package: what it says of dconv is what dconv says."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import dconv

ROOT = Path(__file__).resolve().parents[2]
DEBIAN = ROOT / "publishing" / "debian"
NAMES = {"beautifulsoup4": "bs4", "markdown-it-py": "markdown-it"}  # as Debian shortens them


def test_each_library_is_there_when_the_package_is_built() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    control = (DEBIAN / "control").read_text("utf-8")
    for requirement in project["dependencies"]:
        match = re.match(r"[\w-]+", requirement)
        assert match is not None
        name = match[0].casefold()
        if name != "markupsafe":  # that comes with jinja2
            assert f"python3-{NAMES.get(name, name)}" in control, requirement


def test_versions_and_licence_are_those_of_the_program() -> None:
    version = dconv.__version__
    assert (DEBIAN / "changelog").read_text("utf-8").startswith(f"dconv ({version}-")
    assert f"dconv_{version}.orig.tar.gz" in (DEBIAN / "README.source").read_text("utf-8")
    stated = (DEBIAN / "copyright").read_text("utf-8").replace("\n .\n", "\n\n").split()
    licence = (ROOT / "LICENSE").read_text("utf-8").partition("\n\n")[2]
    assert " ".join(licence.partition("\n\n")[2].split()) in " ".join(stated)
    assert os.access(DEBIAN / "rules", os.X_OK)
