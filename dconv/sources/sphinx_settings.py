"""A project of Sphinx: what its conf.py sets to literals, and its documents; it is not run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path, PurePath


def is_sphinx_project(folder: Path) -> bool:
    """Whether `folder` has the documents of a project of Sphinx."""
    return (folder / "conf.py").is_file()


def read_settings(folder: Path) -> Mapping[str, object]:
    """The settings of conf.py in `folder` whose values are literals, or the names of such."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about backslashes
            module = ast.parse((folder / "conf.py").read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    values: dict[str, object] = {}
    for statement in module.body:
        if not isinstance(statement, ast.Assign):
            continue
        try:
            value = ast.literal_eval(statement.value)
        except (ValueError, TypeError, RecursionError):  # it is a name, or computed
            value = values.get(getattr(statement.value, "id", ""))
        values |= {name.id: value for name in statement.targets if isinstance(name, ast.Name)}
    return values


def is_excluded(path: PurePath, conf: Mapping[str, object]) -> bool:
    """Whether the settings `conf` exclude the text at `path`, which is below the project."""
    patterns = conf.get("exclude_patterns")
    if path.suffix == ".txt" and ".txt" not in str(conf.get("source_suffix")):
        return True  # "requirements.txt"
    return isinstance(patterns, list | tuple) and any(
        matches(place.as_posix(), str(pattern))
        for pattern in patterns for place in (path, *path.parents[:-1])
    )


def matches(path: str, pattern: str) -> bool:
    """Whether `path` matches `pattern`, in which `*` is in one name, and `**` are any folders."""
    names = path.split("/")
    counts = {0}  # of names that match the parts of the pattern so far
    for part in pattern.split("/"):
        if part == "**":
            counts = {*range(min(counts, default=len(names) + 1), len(names) + 1)}
        else:
            counts = {
                count + 1 for count in counts
                if count < len(names) and fnmatchcase(names[count], part)
            }
    return len(names) in counts
