"""All releases of a site: read, set beside each other, made; by workers, as they have time.

The files come as they are done, what is told of a release in the order of releases.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256

from dconv.build.cache_api import Forgetful, Memory, Others
from dconv.build.jobs import (
    PARTS,
    Compare,
    Desk,
    Early,
    Files,
    Known,
    Made,
    Make,
    Noted,
    Part,
    Read,
    merged,
)
from dconv.build.read import site_versions
from dconv.build.render import ReleaseFiles, Show, other_files
from dconv.build.workers import Task, Workers
from dconv.model.serialize import read
from dconv.proof.linkcheck import EXTERNAL, LinkCheck
from dconv.sources.texts import ReleaseTexts, ordered
from dconv.writers.legacy.old_pages import moves
from dconv.writers.pages import Edition, Shelf, Versions
from dconv.writers.theme.theme import Theme


def build_site(
    releases: Iterable[ReleaseTexts],
    edition: Edition,
    theme: Theme,
    before: Callable[[str], None],
    after: Callable[[ReleaseFiles], None],
    check: LinkCheck | None = None,
    workers: Workers[Desk] | None = None,
    memory: Memory | None = None, show: Show | None = None,
) -> Iterator[tuple[str, bytes]]:
    """All files of a site, those of a release together; `check` has read them at the end.

    All texts are read first, for every page leads to the same in other releases.  Each of
    `workers`, who have a theme, makes a release at a time, without them this process does;
    `memory` has what need not be made.  `before` is told each step, `after` each release
    with its proofs, in order; `show` pages that are not proved yet, where one has changed.
    Raises `ThemeError`, and `WorkerError`.
    """
    texts = ordered(releases)
    check = check or LinkCheck()
    workers = workers or Workers(1, partial(Desk, theme))
    shelves: list[Shelf] = []
    addresses: list[str] = []

    def done(made: Made) -> None:
        check.add(made.links)
        after(made.release)
        shelves.append(made.release.shelf)
        addresses.extend(made.release.addresses)

    for folder in folders(texts):
        check.release(folder)
    assembly = Assembly(texts, edition, workers, before, memory or Forgetful(), show)
    assembly.read()
    yield from assembly.files(done)
    products, redirected = assembly.versions.values(), moves(texts, assembly.day)
    for path, content in other_files(edition, theme, products, shelves, addresses, redirected):
        check.read(path, content)
        yield path, content
    yield EXTERNAL, check.listed()


def folders(releases: Sequence[ReleaseTexts]) -> tuple[str, ...]:
    """The folder of each release in the site: `haproxy/3.4`."""
    return tuple([f"{texts.product_name}/{texts.version}" for texts in releases])


@dataclass(slots=True)
class Assembly:
    """The `releases` of a site, in order; `before` is told what a worker begins.

    What `memory` has is not made.  `show` is given the pages of a release that alone has
    changed before they are proved; where there are more workers than releases to read, two
    make its pages and its search then, as they do of the last where it alone is left over.
    `day` is the one that tables of releases are read on, and `versions` are all releases of
    each product, once they are read.
    """

    releases: Sequence[ReleaseTexts]
    edition: Edition
    workers: Workers[Desk]
    before: Callable[[str], None]
    memory: Memory
    show: Show | None = None
    day: str = field(default="", init=False)
    versions: dict[str, Versions] = field(default_factory=dict, init=False)
    _known: dict[int, Known] = field(default_factory=dict, init=False)
    _digests: dict[int, str] = field(default_factory=dict, init=False)
    _apart: frozenset[int] = field(default=frozenset(), init=False)
    _early: str = field(default="", init=False)
    _arrived: deque[Sequence[tuple[str, bytes]]] = field(default_factory=deque, init=False)
    _made: dict[int, dict[tuple[Part, ...], Made]] = field(default_factory=dict, init=False)

    def read(self) -> None:
        """Read all releases, and set those of a product beside each other."""
        texts: dict[int, bytes] = {}
        unknown: list[int] = []
        for at in self._largest_first():
            text = self.memory.known(self.releases[at]) if self._remembers() else None
            if text is not None:
                texts[at] = text
                continue
            unknown.append(at)
            self._read(at)
            if self.show is None:  # else it counts who reads what
                self.workers.begin(self._begun)
        if self.show is not None and len(unknown) == 1:
            self._early = self.releases[unknown[0]].name
        if self.show is not None and len(unknown) < self.workers.count:
            self._apart = frozenset(unknown)  # reading twice is worth it where somebody waits
        if self._alone():  # its search need not wait for what is known of others
            self.workers.give(self._make(0, ("search",)))
        self.workers.begin(self._begun)
        for at, text in texts.items():
            if (known := read(text, Known)) is not None:
                self._note(at, Noted(known, text))
            else:
                self._read(at)
        while len(self._known) < len(self.releases):
            self._take()
        found = [self._known[at] for at in range(len(self.releases))]
        self.day = self.edition.day or max([one.day for one in found], default="")
        documents = [one.documents for one in found]
        self.versions = site_versions(self.releases, documents, self.day)

    def files(self, after: Callable[[Made], None]) -> Iterator[tuple[str, bytes]]:
        """The files of all releases; `after` is given each release, without them, in order."""
        self.workers.each(Compare(self.versions, self._early))
        unknown: list[int] = []
        for at in sorted(self._largest_first(), key=lambda at: at not in self._apart):
            kept = self.memory.made(self._make(at), self._others(at)) if self._remembers() else None
            if kept is None and at in self._apart:  # somebody waits for it, and for no other
                self._give([at])
            elif kept is None:
                self._give(unknown[-1:])
                unknown.append(at)
            else:
                self.workers.begin(self._begun)
                yield from kept.release.files
                self._made[at] = {PARTS: replace(kept, release=replace(kept.release, files=()))}
        if self._remembers() and len(unknown) % self.workers.count == 1:
            self._apart |= {unknown[-1]}  # else the others would wait for who makes the last
        self._give(unknown[-1:])
        for at in range(len(self.releases)):
            while not self._whole(at):
                self._take()
                yield from self._written()
            parts = self._made.pop(at)
            made = merged([parts[part] for part in sorted(parts)])  # "pages" before "search"
            if self._remembers():
                self.memory.note_made(self._make(at), self._others(at), made)
            after(made)

    def _give(self, places: Iterable[int]) -> None:
        """Let the releases at `places` be made, by two where there is time."""
        for at in places:
            if at not in self._apart:
                self.workers.give(self._make(at))
                continue
            self.workers.give(self._make(at, ("pages",)))
            if not self._alone():
                self.workers.give(self._make(at, ("search",)))
        self.workers.begin(self._begun)

    def _alone(self) -> bool:
        """Whether the release has no others, and is made by two."""
        return len(self.releases) == 1 and bool(self._apart)

    def _remembers(self) -> bool:
        """Whether memory pays: of a single release, all is made anew where anything changes."""
        return len(self.releases) > 1

    def _written(self) -> Iterator[tuple[str, bytes]]:
        """The files that are made, which are needed no more."""
        while self._arrived:
            yield from self._arrived.popleft()

    def _whole(self, at: int) -> bool:
        """Whether all parts of a release are made."""
        return {part for parts in self._made.get(at, ()) for part in parts} == {*PARTS}

    def _largest_first(self) -> list[int]:
        """The places of the releases: a large one begun last would be waited for alone."""
        sizes = [sum(len(text.content) for text in one.texts) for one in self.releases]
        return sorted(range(len(sizes)), key=lambda at: -sizes[at])

    def _others(self, at: int) -> Others:
        """What the pages of a release depend on besides its texts."""
        product = self.releases[at].product_name
        return [
            (texts.version, texts.status, self._digests[place])
            for place, texts in enumerate(self.releases) if texts.product_name == product
        ]

    def _read(self, at: int) -> None:
        self.workers.give(Read(at, self.releases[at], wanted=self._remembers()))

    def _make(self, at: int, parts: tuple[Part, ...] = PARTS) -> Make:
        texts = self.releases[at]
        older = self._before(at) if "pages" in parts else None
        return Make(at, texts, self.edition, self.day, folders(self.releases), parts, older)

    def _before(self, at: int) -> ReleaseTexts | None:
        """The release that the page of what the one at `at` changed is about."""
        texts = self.releases[at]
        versions = self.versions[texts.product_name]
        wanted = self.edition.changes and versions.before(versions.volume(texts.version))
        return self.releases[at + 1] if wanted else None

    def _note(self, at: int, noted: Noted) -> None:
        self._known[at] = noted.known
        self._digests[at] = sha256(noted.text).hexdigest()

    def _take(self) -> None:
        """Wait for the next answer, and note it."""
        task, answer = self.workers.take(self._begun, self._told)
        match task, answer:
            case Read(), Noted():
                self._note(task.at, answer)
                if self._remembers():
                    self.memory.note_known(task.texts, answer.text)
            case Make(), Made():
                self._made.setdefault(task.at, {})[task.parts] = answer
            case _:
                raise TypeError(f"{task} has no such answer: {answer}")

    def _told(self, known: object) -> None:
        match known:
            case Files():
                self._arrived.append(known.files)
            case Early() if self.show is not None:
                self.show(known.files)

    def _begun(self, task: Task[Desk]) -> None:
        self.before(task.name)
