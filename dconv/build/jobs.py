"""What workers do for a site: read releases, and make their files.

    Prepare   how pages look, for every worker
    Read      a release's texts → what other releases must know of it
    Compare   what was read of all releases, for every worker
    Make      a release's texts → its files, or one part of them

A release is read twice where the worker that makes its files has not read it, or had no
more room for it: so memory grows with the number of releases by little more than their texts.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Literal

from dconv.build.acceptance import divide
from dconv.build.read import (
    linked_release,
    newest_day,
    other_release,
    read_texts,
    release_documents,
)
from dconv.build.render import ReleaseFiles, release_files, search_part
from dconv.build.workers import Meanwhile
from dconv.model import source as lines
from dconv.model.serialize import written
from dconv.model.tree import Manual
from dconv.proof.linkcheck import Gleaned, LinkCheck, TagReader
from dconv.sources.texts import ReleaseTexts
from dconv.writers.pages import Edition, Release, Versions
from dconv.writers.pages.documents import DocumentPages
from dconv.writers.theme.theme import Theme

Part = Literal["pages", "search"]
PARTS: tuple[Part, ...] = ("pages", "search")
KEPT = 6_000_000  # bytes of texts whose trees a worker keeps: three large releases, 30 MB
BUNDLE = 1_000_000  # bytes of files that are told at once


@dataclass(slots=True)
class Desk:
    """What a worker has at hand: how pages look, all releases, what it read first.

    `reader` knows the tags of the release `linked`, as others have other ones; `used` is
    true once something was made; pages of the release `early` are wanted before their proof.
    """

    theme: Theme | None = None
    versions: Mapping[str, Versions] = field(default_factory=dict)
    reader: TagReader = field(default_factory=TagReader)
    used: bool = False
    linked: str = ""
    early: str = ""
    _read: dict[tuple[str, str], list[Manual]] = field(default_factory=dict)
    _room: int = field(default_factory=lambda: KEPT)

    def read(self, texts: ReleaseTexts) -> list[Manual]:
        """The trees of `texts`, read now or before for this site."""
        trees = self._read.get((texts.product_name, texts.version))
        if trees is not None:
            return [
                replace(tree, source=lines.read(text.content, text.path))
                for tree, text in zip(trees, texts.texts, strict=True)
            ]
        manuals = read_texts(texts)
        if _size(texts) <= self._room or not self._read:  # a site of one is read once
            self._room -= _size(texts)
            trees = [_without_lines(manual) for manual in manuals]
            self._read[texts.product_name, texts.version] = trees
        return manuals

    def forget(self, texts: ReleaseTexts) -> None:
        """Drop the trees of `texts`: they are not needed any more."""
        if self._read.pop((texts.product_name, texts.version), None) is not None:
            self._room += _size(texts)

    def clear(self) -> None:
        """Forget the last site."""
        self.theme, self.versions = None, {}
        self._read, self._room = {}, KEPT


def _size(texts: ReleaseTexts) -> int:
    return sum(len(text.content) for text in texts.texts)


def _without_lines(manual: Manual) -> Manual:
    """`manual` without the lines of its text, which take as much memory and are soon read again."""
    return replace(manual, source=replace(manual.source, raw=(), lines=()))


@dataclass(frozen=True, slots=True)
class Prepare:
    """Begin a site whose pages look like the theme that `load` gives."""

    load: Callable[[], Theme]
    lot: str = ""
    name: str = ""

    def run(self, desk: Desk, meanwhile: Meanwhile) -> None:
        """Load the theme, and forget the releases of the last site."""
        desk.clear()
        desk.theme = self.load()


@dataclass(frozen=True, slots=True)
class Compare:
    """Let pages know all releases of each product; of the release `early` they are wanted early.

    That is the name of one, or empty.
    """

    versions: Mapping[str, Versions]
    early: str = ""
    lot: str = ""
    name: str = ""

    def run(self, desk: Desk, meanwhile: Meanwhile) -> None:
        """Lay them on the desk."""
        desk.versions, desk.early = self.versions, self.early


@dataclass(frozen=True, slots=True)
class Early:
    """Pages that are not proved yet, as they will be published if nothing is wrong."""

    files: Sequence[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class Files:
    """Some of the files of a release, as they will be published."""

    files: Sequence[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class Known:
    """What other releases must know of one: its documents, and the day of its newest text."""

    documents: Mapping[str, DocumentPages]
    day: str


@dataclass(frozen=True, slots=True)
class Noted:
    """What is known of a release, also as a text to be kept."""

    known: Known
    text: bytes


@dataclass(frozen=True, slots=True)
class Read:
    """Read the release `texts`, whose place among all is `at`; the answer is a `Noted`.

    Its text is empty where nobody wants it.
    """

    at: int
    texts: ReleaseTexts
    wanted: bool = False

    @property
    def lot(self) -> str:
        """The release."""
        return self.texts.name

    @property
    def name(self) -> str:
        """What is done, for people."""
        return f"{self.texts.name}: reading"

    def run(self, desk: Desk, meanwhile: Meanwhile) -> Noted:
        """Read it, or take what was read before."""
        manuals = desk.read(self.texts)
        known = Known(release_documents(self.texts, manuals), newest_day([manuals]))
        return Noted(known, written(known) if self.wanted else b"")


@dataclass(frozen=True, slots=True)
class Made:
    """What came of a release, or of a part of it, and the links in its files.

    `digests` are the files' paths with the SHA-256 digests of what they hold; the files
    themselves are told before.
    """

    release: ReleaseFiles
    links: Gleaned
    digests: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Make:
    """Make the `parts` of the release `texts`; the answer is a `Made`.

    `folders` are those of all releases of the site; `older` is the release before, where a
    page tells what changed since.
    """

    at: int
    texts: ReleaseTexts
    edition: Edition
    day: str
    folders: tuple[str, ...]
    parts: tuple[Part, ...] = PARTS
    older: ReleaseTexts | None = None

    @property
    def lot(self) -> str:
        """The release."""
        return self.texts.name

    @property
    def name(self) -> str:
        """What is done, for people."""
        what = "search" if self.parts == ("search",) else "pages"
        return f"{self.texts.name}: making its {what}"

    def run(self, desk: Desk, meanwhile: Meanwhile) -> Made:
        """Link what was read, render it, prove it, look for its links.

        The files are told `meanwhile`, as `Files`; pages that are wanted early also as `Early`.
        """
        assert desk.theme is not None, "nothing was prepared"
        read = desk.read(self.texts)
        desk.forget(self.texts)
        release = linked_release(self.texts, read, self.day)
        del read
        manuals = [document.manual for document in release.documents]
        versions = desk.versions.get(self.texts.product_name)
        if "pages" in self.parts:
            made = release_files(
                release, self.edition, desk.theme, versions, "search" in self.parts,
                self._older(desk),
                (lambda pages: meanwhile(Early(pages))) if desk.early == self.lot else None,
            )
            odd = other_release(self.texts, manuals)
            made = replace(made, diagnostics=(*odd, *made.diagnostics))
        else:
            made = search_part(release, self.edition, versions)
        left, accepted = divide(made.diagnostics, manuals, self.texts.accepted)
        del release, manuals  # before the links are read, which takes memory too
        if desk.used:  # Beautiful Soup left cycles behind: 12 MB for a large release
            gc.collect(0)  # what is young: what came before is still needed
        desk.used = True
        made = replace(made, diagnostics=left, accepted=accepted)
        digests = [(path, sha256(content).hexdigest()) for path, content in made.files]
        links = self._links(made.files, desk)
        for some in _bundles(made.files):
            meanwhile(Files(some))
        return Made(replace(made, files=()), links, tuple(digests))

    def _older(self, desk: Desk) -> Release | None:
        if self.older is None:
            return None
        return linked_release(self.older, desk.read(self.older), self.day)

    def _links(self, files: Iterable[tuple[str, bytes]], desk: Desk) -> Gleaned:
        """The links in `files`."""
        if desk.linked != self.lot:
            desk.reader.forget()
        desk.linked = self.lot
        check = LinkCheck(self.edition.url, reader=desk.reader)
        for folder in self.folders:
            check.release(folder)
        for path, content in files:
            check.read(path, content)
        return check.gleaned()


def _bundles(files: Iterable[tuple[str, bytes]]) -> Iterator[list[tuple[str, bytes]]]:
    """`files` in order, some at a time: what goes through a pipe is in memory several times."""
    bundle: list[tuple[str, bytes]] = []
    size = 0
    for path, content in files:
        bundle.append((path, content))
        size += len(content)
        if size >= BUNDLE:
            yield bundle
            bundle, size = [], 0
    if bundle:
        yield bundle


def merged(parts: Sequence[Made]) -> Made:
    """The parts of one release as one; none has files."""
    first = parts[0]
    for other in parts[1:]:
        check = LinkCheck()
        check.add(first.links)
        check.add(other.links)
        ours, theirs = first.release, other.release
        first = Made(
            replace(
                ours,
                diagnostics=(*ours.diagnostics, *theirs.diagnostics),
                accepted=(*ours.accepted, *theirs.accepted),
            ),
            check.gleaned(),
            (*first.digests, *other.digests),
        )
    return first
