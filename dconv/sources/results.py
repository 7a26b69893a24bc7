"""Results of earlier builds, on this disk: checked when read, whole or absent.

A result is a file of JSON below two lines that tell its format, and the SHA-256
checksum of its name and the rest, so that reading one never runs anything.  It may be
deleted at any time; where the disk takes or gives none, builds do without.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from dconv.model.serialize import read, written
from dconv.sources.files import regular

T = TypeVar("T")

FORMAT = b"dconv result 1"
LIMIT = 128 * 1024 * 1024  # bytes of all results; the oldest make room
SUFFIX = ".result"


@dataclass(frozen=True, slots=True)
class Results:
    """Results by name (letters, digits and hyphens), in `folder`; none where that is None."""

    folder: Path | None

    def load(self, name: str, kind: type[T]) -> T | None:
        """The result `name`, a value of the type `kind`; None where none is whole."""
        return read(self.load_text(name), kind)

    def store(self, name: str, result: object) -> None:
        """Keep `result` under `name`, if the disk lets us."""
        if self.folder is not None:
            self.store_text(name, written(result))

    def load_text(self, name: str) -> bytes | None:
        """The JSON of the result `name`; None where none is whole."""
        if self.folder is None:
            return None
        path = self.folder / f"{name}{SUFFIX}"
        try:
            content = regular(path, LIMIT)
            with contextlib.suppress(OSError):
                os.utime(path)  # so the oldest is what nobody asked for the longest time
        except OSError:
            return None
        head, _, rest = content.partition(b"\n")
        checksum, _, text = rest.partition(b"\n")
        return text if head == FORMAT and checksum == _checksum(name, text) else None

    def store_text(self, name: str, text: bytes) -> None:
        """Keep the JSON `text` under `name`, if the disk lets us."""
        if self.folder is None:
            return
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, new = tempfile.mkstemp(SUFFIX, ".new-", self.folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(b"\n".join((FORMAT, _checksum(name, text), text)))
                os.replace(new, self.folder / f"{name}{SUFFIX}")
            finally:
                with contextlib.suppress(OSError):
                    os.unlink(new)
            self._make_room()

    def drop(self, name: str) -> None:
        """Delete the result `name`, if there is one."""
        if self.folder is not None:
            with contextlib.suppress(OSError):
                (self.folder / f"{name}{SUFFIX}").unlink()

    def _make_room(self) -> None:
        """Delete the oldest results where all together are too large."""
        assert self.folder is not None
        found = []
        for path in self.folder.glob(f"*{SUFFIX}"):
            with contextlib.suppress(OSError):
                state = path.stat()
                found.append((state.st_mtime_ns, state.st_size, path))
        left = LIMIT
        for _, size, path in sorted(found, reverse=True):
            left -= size
            if left < 0:
                with contextlib.suppress(OSError):
                    path.unlink()


def _checksum(name: str, text: bytes) -> bytes:
    return hashlib.sha256(b"%s\n%s" % (name.encode(), text)).hexdigest().encode()
