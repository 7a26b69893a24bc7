"""The names of texts' files, which may be gzipped."""

from __future__ import annotations

from pathlib import PurePath


def file_name(path: str) -> str:
    """The name of the file at `path`, without its folders and `.gz`: "guide.txt"."""
    return PurePath(path).name.removesuffix(".gz")


def file_stem(path: str) -> str:
    """The same without its ending: "guide"."""
    return PurePath(file_name(path)).stem
