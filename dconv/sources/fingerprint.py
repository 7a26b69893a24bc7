"""Fingerprints of what goes into a site: equal ones mean that the same bytes come out.

They are SHA-256 digests of all that a value holds, of what files hold, and of the
program itself: so a checkout in which somebody works has another one at each change.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path, PurePath

# ends the names of what tells of packages: jinja2-3.1.6.dist-info, docutils-0.19.egg-info
INSTALLED = (".dist-info", ".egg-info")


def fingerprint(*values: object) -> str:
    """That of `values`: frozen dataclasses, containers, texts, numbers, paths, patterns.

    Raises `TypeError` for anything else: of that, nothing is known.
    """
    return Fingerprints().of(*values)


@dataclass(slots=True)
class Fingerprints:
    """Those of many values; what dataclasses it has read it remembers, and holds.

    A product stands in each of its texts, and in those of all releases.
    """

    _known: dict[int, tuple[object, bytes]] = field(default_factory=dict)

    def of(self, *values: object) -> str:
        """As `fingerprint`."""
        return self._digest(values).hex()

    def _digest(self, value: object) -> bytes:
        found = hashlib.sha256()
        for part in self._parts(value):
            found.update(part)
        return found.digest()

    def _parts(self, value: object) -> Iterator[bytes]:
        """`value` as bytes that no other value has: each with its kind and its length."""
        match value:
            case None | bool() | int() | float():
                yield f"number {value!r};".encode()
            case str():
                content = value.encode("utf-8", "surrogatepass")
                yield b"text %d:" % len(content)
                yield content
            case bytes():
                yield b"bytes %d:" % len(value)
                yield value
            case PurePath():
                yield b"path "
                yield from self._parts(str(value))
            case re.Pattern():
                yield b"pattern "
                yield from self._parts((value.pattern, value.flags))
            case tuple() | list():
                yield b"list %d:" % len(value)
                for item in value:
                    yield from self._parts(item)
            case frozenset() | set():
                yield b"set %d:" % len(value)
                yield from sorted(map(self._digest, value))
            case Mapping():
                yield b"map %d:" % len(value)
                for item in value.items():
                    yield from self._parts(item)
            case _ if is_dataclass(value) and not isinstance(value, type):
                yield self._dataclass(value)
            case _:
                raise TypeError(f"a {type(value).__name__} has no fingerprint")

    def _dataclass(self, value: object) -> bytes:
        if id(value) not in self._known:
            names = [one.name for one in fields(value)]  # type: ignore[arg-type]
            digest = self._digest(
                (type(value).__qualname__, [(name, getattr(value, name)) for name in names])
            )
            self._known[id(value)] = value, digest
        return self._known[id(value)][1]


def of_folders(folders: Iterable[Path], suffix: str = "") -> str:
    """That of all files in `folders` whose names end with `suffix`.

    A file that cannot be read counts as one that says so, a link also as where it leads.
    """
    return fingerprint([
        (path.relative_to(folder), _content(path), _lead(path))
        for folder in folders for path in sorted(folder.rglob(f"*{suffix}"))
        if path.is_file() or path.is_symlink()
    ])


def of_program() -> str:
    """That of this program: its source, the packages that are installed, Python, and zlib."""
    installed = [
        sorted([name for name in _names(folder) if name.endswith(INSTALLED)]) for folder in sys.path
    ]
    own = Path(__file__).resolve().parent.parent
    return fingerprint(of_folders([own], ".py"), installed, sys.version, zlib.ZLIB_RUNTIME_VERSION)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _lead(path: Path) -> str:
    """Where the link `path` leads, or empty."""
    try:
        return os.readlink(path)
    except OSError:
        return ""


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
