"""The files of the build cache: results of earlier builds.

A result is a file of two lines, its format and the SHA-256 checksum of its name and content,
and then a compressed pickle, of which only our dataclasses are read: a pickle of anything else
could run code.  It may be deleted at any time.  If the disk cannot be read or written, builds work
without results.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import tempfile
import zlib
from contextlib import suppress
from dataclasses import is_dataclass
from pathlib import Path
from typing import TypeVar

from dconv.model.values import dataclass
from dconv.sources.regular_file import read_regular_file

T = TypeVar("T")

FORMAT = b"dconv result 3"
COMPRESSION = 1  # the fastest: a sixth of the bytes
MAX_SIZE = 128 * 1024 * 1024  # bytes of all results; the least recently used are deleted
SUFFIX = ".result"


@dataclass(frozen=True, slots=True)
class ResultStore:
    """The results in `folder`, by name (letters, digits and hyphens)."""

    folder: Path

    def load(self, name: str, kind: type[T]) -> T | None:
        """The result `name`, a value of the type `kind`; None if it is missing or damaged."""
        path = self._path(name)
        try:
            content = read_regular_file(path, MAX_SIZE)
        except OSError:
            return None
        with suppress(OSError):
            os.utime(path)  # it was used
        format_line, _, checked = content.partition(b"\n")
        checksum, _, compressed = checked.partition(b"\n")
        if format_line != FORMAT or checksum != _checksum(name, compressed):
            return None
        try:
            value = _Unpickler(io.BytesIO(zlib.decompress(compressed))).load()
        except Exception:  # of another version, or not ours: it may fail in any way
            return None
        return value if isinstance(value, kind) else None

    def has(self, name: str) -> bool:
        """Whether there is a file for the result `name`, which may be damaged."""
        return self._path(name).is_file()

    def store(self, name: str, result: object) -> None:
        """Store `result` under `name`, unless the disk refuses."""
        compressed = zlib.compress(pickle.dumps(result, pickle.HIGHEST_PROTOCOL), COMPRESSION)
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, new_path = tempfile.mkstemp(SUFFIX, ".new-", self.folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(b"\n".join((FORMAT, _checksum(name, compressed), compressed)))
                os.replace(new_path, self._path(name))
            finally:
                with suppress(OSError):
                    os.unlink(new_path)

    def delete(self, name: str) -> None:
        """Delete the result `name`, if there is one."""
        with suppress(OSError):
            self._path(name).unlink()

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{SUFFIX}"

    def limit_size(self) -> None:
        """Delete the least recently used results if all together are too large."""
        files = []
        for path in self.folder.glob(f"*{SUFFIX}"):
            with suppress(OSError):
                state = path.stat()
                files.append((state.st_mtime_ns, state.st_size, path))
        total = 0
        for _, size, path in sorted(files, reverse=True):
            total += size
            if total > MAX_SIZE:
                with suppress(OSError):
                    path.unlink()


class _Unpickler(pickle.Unpickler):
    """Reads a pickle of dataclasses of this program; raises `UnpicklingError` for others."""

    def find_class(self, module: str, name: str) -> type:
        if module.startswith("dconv."):
            kind: object = super().find_class(module, name)
            if isinstance(kind, type) and is_dataclass(kind):
                return kind
        raise pickle.UnpicklingError(f"{module}.{name} is no value of a result")


def _checksum(name: str, compressed: bytes) -> bytes:
    return hashlib.sha256(b"%s\n%s" % (name.encode(), compressed)).hexdigest().encode()
