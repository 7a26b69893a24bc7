"""Texts of a git work tree at an earlier revision.

A text that was moved or renamed is found by its content, as git(1) does it: among the removed texts
that have its name or were in its folder, it is the one with the most lines in common, at least
half of them.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from dconv.model.file_names import file_name
from dconv.model.values import dataclass
from dconv.sources.files import is_text_file, unpack
from dconv.sources.git import TREE_ENTRY, Repository, error_message, run_git, run_git_checked
from dconv.sources.types import SourceError

# "HEAD~2", "v3.4.0^", "origin/main", "main@{1}": no option, no range
REVISION = re.compile(r"[\w@][\w./+~^@{}-]*")

MIN_SIMILARITY = 0.5  # common lines of two texts that are the same text, as a share


@dataclass(frozen=True, slots=True)
class Revision:
    """The files of a repository at a commit: `blobs` maps paths below its root to objects."""

    repository: Repository
    blobs: Mapping[str, str]

    def text(self, file: Path, content: bytes) -> bytes | None:
        """The earlier content of the text `file`, which is now `content`; None for a new text."""
        folder = f"{self._path(file.parent)}/".removeprefix("./")
        path, text_path = f"{folder}{file.name}", f"{folder}{file_name(file.name)}"
        for candidate in (path, f"{text_path}.gz", text_path):
            if candidate in self.blobs:
                return self._content(candidate)
        texts = [
            self._content(str(other)) for other in map(PurePosixPath, self._removed())
            if other.name == file.name or (
                other.parent == PurePosixPath(path).parent and is_text_file(other.name, ())
            )
        ]
        nearest = max(texts, key=lambda text: _similarity(text, content), default=b"")
        return nearest if _similarity(nearest, content) >= MIN_SIMILARITY else None

    def removed(self, folder: Path) -> dict[str, bytes]:
        """The texts that were in `folder` and are not there now, by name."""
        git_folder = PurePosixPath(self._path(folder))
        paths = [PurePosixPath(path) for path in self._removed()]
        return {
            file_name(path.name): self._content(str(path))
            for path in paths if path.parent == git_folder and is_text_file(path.name, ())
        }

    def _path(self, folder: Path) -> str:
        return folder.resolve().relative_to(self.repository.folder).as_posix()

    def _removed(self) -> Iterable[str]:
        return [path for path in self.blobs if not (self.repository.folder / path).exists()]

    def _content(self, path: str) -> bytes:
        blob = run_git_checked(self.repository, "cat-file", "blob", self.blobs[path]).output
        return unpack(blob, path)[0]


def read_revision(folder: Path, revision: str) -> Revision:
    """The `revision` of the git work tree that contains `folder`; raises `SourceError`."""
    path = folder.resolve()
    parents = (path, *path.parents)
    root = next((parent for parent in parents if (parent / ".git").exists()), None)
    if root is None:
        raise SourceError(f"{folder}: not in a git work tree; name a file or folder of one")
    repository = Repository(root, str(folder))
    if not REVISION.fullmatch(revision) or ".." in revision:
        raise SourceError(
            f"'{revision}' is not the name of a git revision; write a commit, tag or branch"
        )
    parsed = run_git(repository, "rev-parse", "--quiet", "--verify", f"{revision}^{{commit}}")
    if parsed.status:
        reason = error_message(parsed) or (
            f"there is no revision '{revision}'; 'git log --oneline --all' lists them"
        )
        raise SourceError(f"{folder}: {reason}")
    commit = parsed.output.decode().strip()
    listed = run_git_checked(repository, "ls-tree", "-r", "-z", commit).output
    entries = map(TREE_ENTRY.fullmatch, os.fsdecode(listed).split("\0"))
    return Revision(repository, {entry[2]: entry[1] for entry in entries if entry})


def _similarity(text: bytes, other: bytes) -> float:
    """The common lines of two texts, as a share of the lines of the longer one."""
    first, second = Counter(text.splitlines()), Counter(other.splitlines())
    return (first & second).total() / max(1, first.total(), second.total())
