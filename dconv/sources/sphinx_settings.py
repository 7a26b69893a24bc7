"""A project of Sphinx: what its conf.py sets to literals, and its documents; it is not run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

# what texts and pages show of the settings
SHOWN_SETTINGS = ("project", "version", "release", "rst_prolog", "rst_epilog")


def is_sphinx_project(folder: Path) -> bool:
    """Whether `folder` has the documents of a project of Sphinx."""
    return (folder / "conf.py").is_file()


def read_settings(folder: Path) -> Mapping[str, object]:
    """The settings of conf.py in `folder` whose values are literals, or the names of such."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about backslashes
            module = ast.parse((folder / "conf.py").read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return {}
    values: dict[str, object] = {}
    for statement in module.body:
        if not isinstance(statement, ast.Assign):
            continue
        value: object = None
        if isinstance(statement.value, ast.Name):
            value = values.get(statement.value.id)
        else:
            with suppress(ValueError, TypeError, RecursionError):  # it is computed
                value = ast.literal_eval(statement.value)
        for target in statement.targets:
            if isinstance(target, ast.Name):
                values[target.id] = value
    return values


def is_excluded(path: str, conf: Mapping[str, object]) -> bool:
    """Whether the settings `conf` exclude the text at `path`, which is below the project."""
    patterns = conf.get("exclude_patterns")
    if path.endswith(".txt") and ".txt" not in str(conf.get("source_suffix")):
        return True  # "requirements.txt"
    return isinstance(patterns, list | tuple) and any(
        matches(place, str(pattern))
        for pattern in patterns for place in (path, *map(str, PurePosixPath(path).parents))
    )


def matches(path: str, pattern: str) -> bool:
    """Whether `path` matches `pattern`, in which `*` is in one name, and `**` are any folders."""
    return _matches(path.split("/"), pattern.split("/"))


def _matches(names: Sequence[str], patterns: Sequence[str]) -> bool:
    if not patterns:
        return not names
    if patterns[0] == "**":
        return any(_matches(names[start:], patterns[1:]) for start in range(len(names) + 1))
    return bool(names) and fnmatchcase(names[0], patterns[0]) and _matches(names[1:], patterns[1:])
