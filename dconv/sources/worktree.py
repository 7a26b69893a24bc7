"""Texts of a git work tree as they were at a revision; only objects are read.

A text that was moved or renamed since is found by its content: among the texts of its name
or of its folder that are gone now, the one that has most lines in common with it, at least
half (as git(1) looks for renames).
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from dconv.sources.files import is_wanted, unpack
from dconv.sources.git import Repository, expect, problem, run_git
from dconv.sources.types import TIMEOUT, SourceError

# "HEAD~2", "v3.4.0^", "origin/main", "main@{1}": no option, no range
REVISION = re.compile(r"[\w@][\w./+~^@{}-]*")

# "100644 blob 3f2a9c1b…\tdoc/manual.txt"
BLOB = re.compile(r"100(?:644|755|664) blob ([0-9a-f]+)\t(.+)", re.DOTALL)

ALIKE = 0.5  # of the lines of two texts that are the same one


@dataclass(frozen=True, slots=True)
class Revision:
    """The files of a repository at a commit: path below its root, name of its object."""

    repository: Repository
    blobs: Mapping[str, str]

    def text(self, file: Path, content: bytes) -> bytes | None:
        """What the text `file`, whose content is `content`, was; nothing for a new one."""
        path = f"{self._path(file.parent)}/{file.name}".removeprefix("./")
        for own in (path, f"{path.removesuffix('.gz')}.gz", path.removesuffix(".gz")):
            if own in self.blobs:
                return self._content(own)
        place = PurePosixPath(path)
        texts = [self._content(other) for other in self._gone() if _may_be(place, other)]
        nearest = max(texts, key=lambda text: _alike(text, content), default=b"")
        return nearest if _alike(nearest, content) >= ALIKE else None

    def gone(self, folder: Path) -> dict[str, bytes]:
        """The texts of `folder` that are not there any more, by name."""
        below = PurePosixPath(self._path(folder))
        paths = [PurePosixPath(path) for path in self._gone()]
        return {
            path.name.removesuffix(".gz"): self._content(str(path))
            for path in paths if path.parent == below and is_wanted(path.name, ())
        }

    def _path(self, folder: Path) -> str:
        return folder.resolve().relative_to(self.repository.folder).as_posix()

    def _gone(self) -> Iterable[str]:
        return [path for path in self.blobs if not (self.repository.folder / path).exists()]

    def _content(self, path: str) -> bytes:
        blob = expect(self.repository, "cat-file", "blob", self.blobs[path]).output
        return unpack(blob, path)[0]


def read_revision(folder: Path, revision: str, timeout: float = TIMEOUT) -> Revision:
    """The `revision` of the work tree that `folder` is in; raises `SourceError`."""
    place = folder.resolve()
    root = next((one for one in (place, *place.parents) if (one / ".git").exists()), None)
    if root is None:
        raise SourceError(f"{folder}: this is in no git work tree")
    repository = Repository(root, str(folder), timeout)
    if not REVISION.fullmatch(revision) or ".." in revision:
        raise SourceError(f"'{revision}' is not the name of a git revision")
    found = run_git(repository, "rev-parse", "--quiet", "--verify", f"{revision}^{{commit}}")
    if found.status:
        told = problem(found) or f"there is no revision '{revision}'"
        raise SourceError(f"{folder}: {told}")
    commit = found.output.decode().strip()
    listed = expect(repository, "ls-tree", "-r", "-z", commit).output
    blobs: dict[str, str] = {}
    for row in os.fsdecode(listed).split("\0"):
        if entry := BLOB.fullmatch(row):
            blobs[entry[2]] = entry[1]
    return Revision(repository, blobs)


def _may_be(place: PurePosixPath, other: str) -> bool:
    """Whether the file at `place` may have been at `other` before."""
    before = PurePosixPath(other)
    return before.name == place.name or (
        before.parent == place.parent and is_wanted(before.name, ())
    )


def _alike(one: bytes, other: bytes) -> float:
    """The part of the lines that two texts have in common, of the longer one's."""
    first, second = Counter(one.splitlines()), Counter(other.splitlines())
    return (first & second).total() / max(1, first.total(), second.total())
