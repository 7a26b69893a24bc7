"""The names of texts' files, which may be gzipped."""

from __future__ import annotations

from pathlib import PurePath


def file_name(path: str) -> str:
    """The name of the file at `path`, without its folders and `.gz`: "guide.txt"."""
    return PurePath(path).name.removesuffix(".gz")


def file_stem(path: str) -> str:
    """The name of the file at `path` without `.gz` and its suffix: "guide"."""
    return PurePath(file_name(path)).stem


def unique_name(name: str, used_names: set[str], *, ignore_case: bool = False) -> str:
    """`name`, or `name-2`, `name-3`… where that is used; adds the result to `used_names`.

    If `ignore_case`, `used_names` are in lower case (`str.casefold`).
    """
    unique, number = name, 2
    while (key := unique.casefold() if ignore_case else unique) in used_names:
        unique, number = f"{name}-{number}", number + 1
    used_names.add(key)
    return unique
