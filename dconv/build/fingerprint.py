"""Fingerprints of everything that goes into a site: equal ones mean equal output.

They are SHA-256 digests of values, of files, and of the program itself, so that a checkout in
which somebody works has a new one after each change.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, fields, is_dataclass
from functools import cache
from pathlib import Path, PurePath

from dconv.model.values import dataclass

# names of packages' metadata: jinja2-3.1.6.dist-info, docutils-0.19.egg-info
METADATA = ("*.dist-info", "*.egg-info")


def fingerprint(*values: object) -> str:
    """The fingerprint of `values`: frozen dataclasses, containers, texts, numbers, paths, patterns.

    Raises `TypeError` for values of other types.
    """
    return Fingerprints().of(*values)


@dataclass(slots=True)
class Fingerprints:
    """Fingerprints of many values that share dataclasses, each of which is read once.

    All texts of a product hold the same product, for example.
    """

    _cached: dict[int, tuple[object, bytes]] = field(default_factory=dict)

    def of(self, *values: object) -> str:
        """As `fingerprint`."""
        return self._digest(values).hex()

    def _digest(self, value: object) -> bytes:
        parts: list[bytes] = []
        self._add(value, parts.append)
        return hashlib.sha256(b"".join(parts)).digest()

    def _add(self, value: object, add: Callable[[bytes], None]) -> None:
        """Add bytes that no other value has: each part with its type and its length."""
        match value:
            case str():
                content = value.encode("utf-8", "surrogatepass")
                add(b"text %d:%b" % (len(content), content))
            case None | bool() | int() | float():
                add(f"number {value!r};".encode())
            case tuple() | list():
                add(b"list %d:" % len(value))
                for item in value:
                    self._add(item, add)
            case bytes():
                add(b"bytes %d:" % len(value))
                add(value)
            case Mapping():
                add(b"map %d:" % len(value))
                for item in value.items():
                    self._add(item, add)
            case frozenset() | set():
                add(b"set %d:" % len(value))
                for digest in sorted(map(self._digest, value)):
                    add(digest)
            case PurePath():
                add(b"path ")
                self._add(str(value), add)
            case re.Pattern():
                add(b"pattern ")
                self._add((value.pattern, value.flags), add)
            case _ if is_dataclass(value) and not isinstance(value, type):
                add(self._dataclass(value))
            case _:
                raise TypeError(f"a {type(value).__name__} has no fingerprint")

    def _dataclass(self, value: object) -> bytes:
        if id(value) not in self._cached:
            # other fields follow from these
            names = [field.name for field in fields(value) if field.init]  # type: ignore[arg-type]
            values = [getattr(value, name) for name in names]
            digest = self._digest((type(value).__qualname__, names, values))
            self._cached[id(value)] = value, digest
        return self._cached[id(value)][1]


def folders_fingerprint(folders: Iterable[Path], suffix: str = "") -> str:
    """The fingerprint of all files in `folders` whose names end with `suffix`.

    It also depends on where links lead, and on which files cannot be read.
    """
    return fingerprint([
        sorted(_files(str(folder), suffix, len(str(folder)))) for folder in folders
    ])


@cache
def program_fingerprint() -> str:
    """The fingerprint of this program: source, installed packages, Python, zlib.

    Computed once: a source file that changes later is not the code that runs.
    """
    installed = [
        sorted([path.name for pattern in METADATA for path in Path(folder).glob(pattern)])
        for folder in filter(None, sys.path)
    ]
    return fingerprint(source_fingerprint(), installed, sys.version, zlib.ZLIB_RUNTIME_VERSION)


def source_fingerprint() -> str:
    """The fingerprint of this program's own source."""
    return folders_fingerprint([Path(__file__).resolve().parent.parent], ".py")


def _files(folder: str, suffix: str, start: int) -> Iterator[tuple[str, bytes | None, str]]:
    """Path, content and link target of each file below `folder` whose name ends with `suffix`.

    Paths begin at their character `start`.  The content is None if the file cannot be read.
    """
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            is_link = entry.is_symlink()
            if entry.is_dir(follow_symlinks=False):
                yield from _files(entry.path, suffix, start)
            elif entry.name.endswith(suffix) and (is_link or entry.is_file()):
                target = os.readlink(entry.path) if is_link else ""
                yield entry.path[start:], _content(entry.path), target


def _content(path: str) -> bytes | None:
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError:
        return None
