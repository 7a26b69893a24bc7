"""All releases of a site: read, set beside each other, made; by workers, as they have time.

The files come as they are done, what is told of a release in the order of releases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from dconv.pages import Edition, Versions
from dconv.tasks import PARTS, Compare, Desk, Known, Made, Make, Part, Read, merged
from dconv.texts import ReleaseTexts
from dconv.volumes import site_versions
from dconv.workers import Task, Workers


def folders(releases: Sequence[ReleaseTexts]) -> tuple[str, ...]:
    """The folder of each release in the site: `haproxy/3.4`."""
    return tuple([f"{texts.product_name}/{texts.version}" for texts in releases])


@dataclass(slots=True)
class Assembly:
    """The `releases` of a site, in order; `before` is told what a worker begins.

    Where there are more workers than releases, the pages and the search of a release
    are made by two.  `day` is the one that tables of releases are read on, and `versions`
    are all releases of each product, once they are read.
    """

    releases: Sequence[ReleaseTexts]
    edition: Edition
    workers: Workers[Desk]
    before: Callable[[str], None]
    day: str = field(default="", init=False)
    versions: dict[str, Versions] = field(default_factory=dict, init=False)
    _known: dict[int, Known] = field(default_factory=dict, init=False)
    _made: dict[int, dict[tuple[Part, ...], Made]] = field(default_factory=dict, init=False)

    def read(self) -> None:
        """Read all releases, and set those of a product beside each other."""
        for at in self._largest_first():
            self.workers.give(Read(at, self.releases[at]))
        if self._divided() and len(self.releases) == 1:  # the search need not wait for others
            for at in self._largest_first():
                self._give(at, ("search",))
        while len(self._known) < len(self.releases):
            self._take()
        known = [self._known[at] for at in range(len(self.releases))]
        self.day = self.edition.day or max([one.day for one in known], default="")
        catalogues = [one.catalogues for one in known]
        self.versions = site_versions(self.releases, catalogues, self.day)
        self.workers.each(Compare(self.versions))

    def files(self, after: Callable[[Made], None]) -> Iterator[tuple[str, bytes]]:
        """The files of all releases; `after` is given each release, without them, in order."""
        parts = 2 if self._divided() else 1
        for at in self._largest_first():
            self._give(at, ("pages",) if self._divided() else PARTS)
        if self._divided() and len(self.releases) > 1:
            for at in self._largest_first():
                self._give(at, ("search",))
        for at in range(len(self.releases)):
            while len(self._made.get(at, ())) < parts:
                self._take()
                yield from self._written()
            yield from self._written()
            found = self._made.pop(at)
            after(merged([found[part] for part in sorted(found)]))  # "pages" before "search"

    def _written(self) -> Iterator[tuple[str, bytes]]:
        """The files that are made, which are needed no more."""
        for found in self._made.values():
            for part, made in found.items():
                files = made.release.files
                found[part] = replace(made, release=replace(made.release, files=()))
                yield from files

    def _divided(self) -> bool:
        return len(self.releases) < self.workers.count

    def _largest_first(self) -> list[int]:
        """The places of the releases: a large one begun last would be waited for alone."""
        sizes = [sum(len(text.content) for text in one.texts) for one in self.releases]
        return sorted(range(len(sizes)), key=lambda at: -sizes[at])

    def _give(self, at: int, parts: tuple[Part, ...]) -> None:
        texts = self.releases[at]
        known = folders(self.releases)
        older = self._before(at) if "pages" in parts else None
        self.workers.give(Make(at, texts, self.edition, self.day, known, parts, older))

    def _before(self, at: int) -> ReleaseTexts | None:
        """The release that the page of what the one at `at` changed is about."""
        texts = self.releases[at]
        versions = self.versions[texts.product_name]
        wanted = self.edition.changes and versions.before(versions.volume(texts.version))
        return self.releases[at + 1] if wanted else None

    def _take(self) -> None:
        """Wait for the next answer, and note it."""
        task, answer = self.workers.take(self._begun)
        match task, answer:
            case Read(), Known():
                self._known[task.at] = answer
            case Make(), Made():
                self._made.setdefault(task.at, {})[task.parts] = answer
            case _:
                raise TypeError(f"{task} has no such answer: {answer}")

    def _begun(self, task: Task[Desk]) -> None:
        self.before(task.name)
