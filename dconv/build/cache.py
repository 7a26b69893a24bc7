"""The build cache: results of earlier builds on this disk, and the files of the old site.

A result names the files of a release and their digests; the files themselves are copied from
the old site if they are still as they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from dconv.build.fingerprint import Fingerprints, fingerprint, program_fingerprint
from dconv.build.output import read_file
from dconv.build.read import ReleaseIndex
from dconv.build.render import RenderedFiles
from dconv.build.results import ResultStore
from dconv.build.shelf_index import BatchIndex
from dconv.model.values import dataclass
from dconv.sources.texts import ReleaseTexts
from dconv.writers.site_files import SiteFile

Index = TypeVar("Index", ReleaseIndex, BatchIndex)
Result = TypeVar("Result", bound=RenderedFiles)


@dataclass(frozen=True, slots=True)
class BuildCache:
    """The cached `results` of the site in `output`.

    `theme_fingerprint` is that of the theme and its options, `program` that of dconv itself.
    """

    results: ResultStore
    output: Path
    theme_fingerprint: str
    program: str = field(default_factory=program_fingerprint)
    _stored: list[str] = field(default_factory=list)
    _fingerprints: Fingerprints = field(default_factory=Fingerprints)

    def discard(self) -> None:
        """Delete the results that this build has stored."""
        for key in self._stored:
            self.results.delete(key)

    def load_index(self, texts: ReleaseTexts, kind: type[Index]) -> Index | None:
        """The index of a release, or of a batch of a shelf, if it is cached."""
        return self.results.load(self._index_key(texts), kind)

    def store_index(self, texts: ReleaseTexts, index: ReleaseIndex | BatchIndex) -> None:
        """Cache the index of a release, or of a batch of a shelf."""
        self._store(self._index_key(texts), index)

    def result_key(self, texts: Sequence[ReleaseTexts], inputs: object) -> str:
        """The key of the result that `texts` and the other `inputs` lead to."""
        digests = [self._fingerprints.of(release_texts) for release_texts in texts]
        return f"release-{fingerprint(self.program, self.theme_fingerprint, digests, inputs)}"

    def load_result(self, key: str, kind: type[Result]) -> Result | None:
        """The result with `key`, if the old site still has its files."""
        result = self.results.load(key, kind)
        files = self._old_files(result.digests) if result else None
        return replace(result, files=files) if result and files is not None else None

    def store_result(self, key: str, result: RenderedFiles) -> None:
        """Cache the `result` under `key`, without its files."""
        self._store(key, result.without_files())

    def _old_files(self, digests: Iterable[tuple[str, str]]) -> tuple[SiteFile, ...] | None:
        """The files of the old site that have the `digests`, or None if it has others."""
        files: list[SiteFile] = []
        for path, digest in digests:
            content = read_file(self.output, path)
            if content is None or sha256(content).hexdigest() != digest:
                return None
            files.append((path, content))
        return tuple(files)

    def _store(self, key: str, value: object) -> None:
        self._stored.append(key)
        self.results.store(key, value)

    def _index_key(self, texts: ReleaseTexts) -> str:
        return f"index-{self._fingerprints.of(self.program, texts)}"
