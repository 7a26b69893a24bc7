"""Obtaining: one source or all of a release, through the cache or past it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import assert_never

from dconv.settings import (
    Checksum,
    DebianSource,
    DocumentSetting,
    FolderSource,
    GitSource,
    Product,
    SiteRelease,
    SourceSetting,
    UrlSource,
)
from dconv.settings.shared import is_remote
from dconv.sources import cache as cached
from dconv.sources.addresses import describe, fill, is_numbered, needs_version
from dconv.sources.files import flaw, read_path
from dconv.sources.git import read_git
from dconv.sources.types import PATIENCE, Fetched, SourceError


@dataclass(frozen=True, slots=True)
class Request:
    """What is wanted: of one source (its version filled in), which texts, for how long."""

    source: SourceSetting
    version: str
    documents: tuple[DocumentSetting, ...]
    checksums: tuple[Checksum, ...]
    patience: float

    @property
    def is_local(self) -> bool:
        """Whether the texts lie on this disk, so that no copy of them is kept."""
        if isinstance(self.source, GitSource):
            return not is_remote(self.source.repository)
        return isinstance(self.source, FolderSource)

    @property
    def place(self) -> str:
        """The source in words for people."""
        return describe(self.source)


def obtain_release(
    product: Product,
    release: SiteRelease,
    cache: Path,
    offline: bool = False,
    *,
    refresh: bool = False,
    patience: float = PATIENCE,
) -> tuple[Fetched, list[str]]:
    """The texts of `release`, of the first source that gives them.

    The release's sources are tried before those of the product; one that needs
    a number is left out for a release without one ("debian").  The list holds
    sentences for the user: what failed and why, what is missing.  Raises
    `SourceError` where no source gives the texts.
    """
    sources = [
        source
        for source in dict.fromkeys((*release.sources, *product.sources))
        if is_numbered(release.version) or not needs_version(source)
    ]
    failures: list[str] = []
    for source in sources:
        try:
            fetched = obtain(
                source, release.version, product.documents, cache, offline=offline,
                refresh=refresh, checksums=release.checksums, patience=patience,
            )  # fmt: skip
            _check_texts(fetched, product.documents)
        except SourceError as error:
            failures.append(str(error))
            continue
        return fetched, [*failures, *fetched.notes]
    reasons = "; ".join(failures) or "no source is known; add [[source]] to its manual.toml"
    name = f"{product.title or product.name} {release.version}"
    raise SourceError(f"no source gives {name}: {reasons}")


def _check_texts(fetched: Fetched, documents: tuple[DocumentSetting, ...]) -> None:
    """Raise `SourceError` where a listed document, or all there is, is no text of a manual.

    So a copy that failed, or an error's page that was saved, takes no release's place.
    """
    listed = {document.file for document in documents}
    flaws = [
        f"{fetched.origin}: {document.file} is {found}"
        for document in fetched.documents if (found := flaw(document.content))
        and (document.file in listed or len(fetched.documents) == 1)
    ]
    if flaws:
        raise SourceError(flaws[0])


def obtain(
    source: SourceSetting,
    version: str,
    documents: tuple[DocumentSetting, ...],
    cache: Path,
    *,
    offline: bool = False,
    refresh: bool = False,
    checksums: tuple[Checksum, ...] = (),
    patience: float = PATIENCE,
) -> Fetched:
    """The texts that `source` gives for `version`.

    What lies on this disk is read there.  What comes over the network is kept in
    the folder `cache` and taken from it next time, unless `refresh` asks again;
    `offline` asks nobody.  `checksums` are what files must be; `patience` is in
    seconds for one download or one program.  Raises `SourceError`.
    """
    numbered = needs_version(source)
    request = Request(fill(source, version), version, documents, checksums, patience)
    fetched = _asked_or_remembered(request, cache, offline, refresh)
    return replace(
        fetched,
        version=version if numbered else fetched.version,
        lines=request.source.lines,
        notes=(*fetched.notes, *_missing(request, fetched)),
    )


def _asked_or_remembered(
    request: Request, cache: Path, offline: bool, refresh: bool
) -> Fetched:
    """From this disk, from the cache, or fetched into it; where that fails, what it has."""
    if request.is_local:
        return _ask(request)
    entry = cached.entry_folder(cache, request.source, request.version, request.documents)
    known = cached.load(entry)
    if known is not None and _mismatch(known, request.checksums):
        known = None  # pinned since it was fetched: the source may have the right text now
    if known is not None and (offline or not refresh):
        return known
    if offline:
        raise SourceError(f"{request.place}: not in the cache, and offline nobody is asked")
    try:
        fetched = _ask(request)
    except SourceError as error:
        if known is None:
            raise
        return replace(known, notes=(f"{error}; what the cache has of it is shown",))
    note = cached.store(entry, fetched)
    return replace(fetched, notes=(*fetched.notes, note)) if note else fetched


def _ask(request: Request) -> Fetched:
    source = request.source
    match source:
        case FolderSource():
            fetched = read_path(source, request.documents)
        case UrlSource():
            from dconv.sources.web import read_url  # HTTP and mail: what reads files needs neither

            fetched = read_url(source, request.documents, request.patience)
        case GitSource():
            fetched = read_git(source, request.documents, request.patience)
        case DebianSource():
            from dconv.sources.debian import read_debian  # archives

            fetched = read_debian(source, request.version, request.documents, request.patience)
        case _:
            assert_never(source)
    mismatch = _mismatch(fetched, request.checksums)
    if mismatch:
        raise SourceError(f"{request.place}: {mismatch}")
    return fetched


def _mismatch(fetched: Fetched, checksums: tuple[Checksum, ...]) -> str:
    """What is not as pinned, or an empty text."""
    found = {document.file: document.sha256 for document in fetched.documents}
    for checksum in checksums:
        sha256 = found.get(checksum.file)
        if sha256 is None:
            return f"there is no {checksum.file}, whose checksum is pinned"
        if sha256 != checksum.sha256.lower():
            return (
                f"{checksum.file} has changed: its SHA-256 is {sha256},"
                f" and {checksum.sha256.lower()} is pinned"
            )
    return ""


def _missing(request: Request, fetched: Fetched) -> tuple[str, ...]:
    """A sentence about listed documents that a source of many files does not have."""
    source = request.source
    if isinstance(source, UrlSource) and "{file}" not in source.url:
        return ()
    if isinstance(source, FolderSource) and not Path(source.path).is_dir():
        return ()
    found = {document.file for document in fetched.documents}
    files = [document.file for document in request.documents if document.file not in found]
    return (f"{request.place}: there is no {', '.join(files)}",) if files else ()
