"""What earlier builds left for the next: results on this disk, and the files of the old site.

A result tells which files came of a release, with their digests; the files
themselves are taken from the site that is there, where they are as they were.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from dconv.build import output as site
from dconv.build.cache_api import Others
from dconv.build.jobs import Made, Make
from dconv.sources.fingerprint import Fingerprints, fingerprint
from dconv.sources.results import Results
from dconv.sources.texts import ReleaseTexts

NOTHING = ReleaseTexts("", "", "", "", ())  # where the names of texts stand beside


@dataclass(frozen=True, slots=True)
class Kept:
    """The `results`, and the site in `output`.

    `program` stands for the program, `look` for the theme and what a site adds to it.
    """

    results: Results
    output: Path
    program: str
    look: str
    _noted: list[str] = field(default_factory=list)
    _fingerprints: Fingerprints = field(default_factory=Fingerprints)

    def forget(self) -> None:
        """Drop what this build has noted: what it was made of is not what it was at first."""
        for name in self._noted:
            self.results.drop(name)

    def known(self, texts: ReleaseTexts) -> bytes | None:
        """What was known of a release."""
        if self.results.folder is None:
            return None
        return self.results.load_text(self._known(texts))

    def note_known(self, texts: ReleaseTexts, text: bytes) -> None:
        """Keep what is known of a release."""
        if self.results.folder is None:
            return
        name = self._known(texts)
        self._noted.append(name)
        self.results.store_text(name, text)

    def made(self, make: Make, others: Others) -> Made | None:
        """What came of the task `make`, where the old site still has all its files."""
        if self.results.folder is None:
            return None
        made = self.results.load(self._made(make, others), Made)
        if made is None:
            return None
        files: list[tuple[str, bytes]] = []
        for path, digest in made.digests:
            content = site.content(self.output, path)
            if content is None or sha256(content).hexdigest() != digest:
                return None
            files.append((path, content))
        return replace(made, release=replace(made.release, files=tuple(files)))

    def note_made(self, make: Make, others: Others, made: Made) -> None:
        """Keep what came of the task `make`."""
        if self.results.folder is None:
            return
        name = self._made(make, others)
        self._noted.append(name)
        self.results.store(name, replace(made, release=replace(made.release, files=())))

    def _known(self, texts: ReleaseTexts) -> str:
        """The name of what is known of a release."""
        return f"known-{self._fingerprints.of(self.program, texts)}"

    def _made(self, make: Make, others: Others) -> str:
        texts = [self._known(one) for one in (make.texts, make.older) if one is not None]
        rest = replace(make, texts=NOTHING, older=None)
        return f"made-{fingerprint(self.program, self.look, rest, texts, others)}"
