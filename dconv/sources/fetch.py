"""Fetch the texts of one source, or of a release from the first source that has it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from dconv.model.values import dataclass
from dconv.settings import types as settings
from dconv.settings.shared_keys import is_remote
from dconv.sources import cache as text_cache
from dconv.sources.addresses import describe, is_numbered, needs_version, with_version
from dconv.sources.files import content_problem, read_path
from dconv.sources.git import read_git
from dconv.sources.network import Network, address_of
from dconv.sources.types import FetchedTexts, MissingError, SourceError, UnreachableError

if TYPE_CHECKING:
    from dconv.sources.debian import DownloadedPackage


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """The texts to get from one source, its version filled in."""

    source: settings.SourceSetting
    version: str
    documents: tuple[settings.DocumentSetting, ...]
    checksums: tuple[settings.Checksum, ...]

    @property
    def is_local(self) -> bool:
        """Whether the texts are on this disk, so that the cache needs no copy."""
        if isinstance(self.source, settings.GitSource):
            return not is_remote(self.source.repository)
        return isinstance(self.source, settings.FolderSource)

    def entry_folder(self, cache: Path) -> Path:
        return text_cache.entry_folder(cache, self.source, self.version, self.documents)


def network_for(releases: Iterable[tuple[settings.Product, settings.SiteRelease]]) -> Network:
    """The network with the hosts of all sources of `releases`."""
    addresses = [
        address_of(with_version(source, release.version))
        for product, release in releases for source in _sources(product, release)
    ]
    return Network(frozenset(address for address in addresses if address))


def fetch_release(
    product: settings.Product, release: settings.SiteRelease, cache: Path, offline: bool = False, *,
    refresh: bool = False, network: Network | None = None,
) -> FetchedTexts:
    """The texts of `release` from the first source that gives them.

    The sources of the release come before those of the product.  The notes of the result say
    which sources failed and why; its `unreachable` names the hosts that
    accepted no connection.  Raises `SourceError` if no source gives the texts, and
    `UnreachableError` if that is the fault of such hosts alone.
    """
    failures: list[SourceError] = []
    for source in _sources(product, release):
        try:
            fetched = fetch_texts(
                source, release.version, product.documents, cache, offline=offline,
                refresh=refresh, checksums=release.checksums, network=network,
            )  # fmt: skip
            _check_texts(fetched, product.documents)
        except SourceError as error:
            failures.append(error)
            continue
        notes = [
            f"{error}; using {fetched.origin}"
            for error in failures if not isinstance(error, UnreachableError)
        ]
        if fetched.outdated:
            notes.append(f"{fetched.outdated}; using the cached texts")
        return replace(
            fetched, notes=(*notes, *fetched.notes),
            unreachable=(*_unreachable(failures), *fetched.unreachable),
        )
    reasons = "; ".join(map(str, failures)) or "its manual.toml has no [[source]] for it"
    sentence = f"no source gives {product.title or product.name} {release.version}: {reasons}"
    if all(isinstance(error, UnreachableError | MissingError) for error in failures) and any(
        isinstance(error, UnreachableError) for error in failures
    ):
        raise UnreachableError(sentence, _unreachable(failures))
    raise SourceError(sentence)


def _sources(
    product: settings.Product, release: settings.SiteRelease
) -> list[settings.SourceSetting]:
    """The sources of `release` in order, without those that need a number it does not have."""
    return [
        source
        for source in dict.fromkeys((*release.sources, *product.sources))
        if is_numbered(release.version) or not needs_version(source)
    ]


def _unreachable(failures: Iterable[SourceError]) -> tuple[str, ...]:
    """The hosts that `failures` name, each once."""
    host_groups = [error.hosts for error in failures if isinstance(error, UnreachableError)]
    return tuple(dict.fromkeys(host for hosts in host_groups for host in hosts))


def _check_texts(fetched: FetchedTexts, documents: tuple[settings.DocumentSetting, ...]) -> None:
    """Raise `SourceError` if a listed document, or the only one, is empty or a web page.

    So a failed copy or a saved error page never replaces a release.
    """
    listed = {document.file for document in documents}
    problems = [
        f"{fetched.origin}: {document.file} is {problem}"
        for document in fetched.documents
        if (problem := content_problem(document.content, document.file))
        and (document.file in listed or len(fetched.documents) == 1)
    ]
    if problems:
        raise SourceError(problems[0])


def fetch_texts(
    source: settings.SourceSetting, version: str,
    documents: tuple[settings.DocumentSetting, ...], cache: Path, *,
    offline: bool = False, refresh: bool = False, checksums: tuple[settings.Checksum, ...] = (),
    network: Network | None = None,
) -> FetchedTexts:
    """The texts that `source` gives for `version`.

    Local texts are read where they are.  Texts from the network are kept in the folder `cache`
    and taken from there next time, unless `refresh` is set; `offline` forbids the network.
    `checksums` are those that files must have; `network` knows which hosts are down.
    Raises `SourceError`.
    """
    is_versioned = needs_version(source)
    request = FetchRequest(with_version(source, version), version, documents, checksums)
    network = network or Network()

    def fetch() -> FetchedTexts:
        address = address_of(request.source)
        if address is not None and network.is_down(address):
            host = address[0]
            raise UnreachableError(f"{describe(request.source)}: no answer from {host}", (host,))
        return _fetch(request, network)

    fetched = _through_cache(request, cache, offline, refresh, fetch)
    return replace(
        fetched, version=version if is_versioned else fetched.version,
        line_url=request.source.line_url, missing=_missing(request, fetched),
    )


def fetch_packages(
    sources: Sequence[settings.PackageSource], cache: Path, *,
    offline: bool = False, refresh: bool = False,
    on_done: Callable[[settings.PackageSource], object] = lambda source: None,
) -> dict[settings.PackageSource, FetchedTexts | SourceError]:
    """The texts of each of `sources`, or why it has none; all are downloaded together.

    The parameters are those of `fetch_texts`; `on_done` is called with each source.
    """
    from dconv.sources.debian import download_packages  # imports archives

    results: dict[settings.PackageSource, FetchedTexts | SourceError] = {}
    requests = {source: FetchRequest(source, "", (), ()) for source in sources}
    to_download = [
        source.package for source, request in requests.items()
        if not offline and (refresh or text_cache.load(request.entry_folder(cache)) is None)
    ]
    with tempfile.TemporaryDirectory(prefix="dconv-apt-") as folder:
        downloads = download_packages(to_download, Path(folder)) if to_download else {}
        for source, request in requests.items():
            fetch = partial(_read_download, source, downloads)
            try:
                results[source] = _through_cache(request, cache, offline, refresh, fetch)
            except SourceError as error:
                results[source] = error
            on_done(source)
    return results


def _through_cache(
    request: FetchRequest, cache: Path, offline: bool, refresh: bool,
    fetch: Callable[[], FetchedTexts],
) -> FetchedTexts:
    """The texts from this disk, from the cache, or by `fetch` from the network and then cached."""
    if request.is_local:
        return fetch()
    entry = request.entry_folder(cache)
    previous = text_cache.load(entry)
    if previous is not None and _mismatch(previous, request.checksums):
        previous = None  # its checksum was pinned later: the source may have the right text now
    if previous is not None and (offline or not refresh):
        return previous
    if offline:
        raise UnreachableError(
            f"{describe(request.source)}: not in the cache, and --offline forbids fetching"
        )
    try:
        fetched = fetch()
    except SourceError as error:
        if previous is None:
            raise
        return replace(previous, outdated=str(error))
    note = text_cache.store(entry, fetched)
    return replace(fetched, notes=(*fetched.notes, note)) if note else fetched


def _fetch(request: FetchRequest, network: Network) -> FetchedTexts:
    source = request.source
    match source:
        case settings.FolderSource():
            fetched = read_path(source, request.documents)
        case settings.UrlSource():
            from dconv.sources.web import read_url  # imports HTTP and mail

            fetched = read_url(source, request.documents)
        case settings.GitSource():
            fetched = read_git(source, request.documents)
        case settings.DebianSource():
            from dconv.sources.debian import read_debian  # imports archives

            fetched = read_debian(source, request.version, request.documents, network.candidates)
        case settings.PackageSource():
            from dconv.sources.debian import download_packages  # imports archives

            with tempfile.TemporaryDirectory(prefix="dconv-apt-") as folder:
                downloads = download_packages([source.package], Path(folder))
                fetched = _read_download(source, downloads)
        case settings.PythonSource():
            from dconv.sources.python import read_python_package  # imports archives

            fetched = read_python_package(source)
        case _:
            assert_never(source)
    mismatch = _mismatch(fetched, request.checksums)
    if mismatch:
        raise SourceError(f"{describe(source)}: {mismatch}")
    return fetched


def _read_download(
    source: settings.PackageSource, downloads: Mapping[str, DownloadedPackage | SourceError]
) -> FetchedTexts:
    from dconv.sources.debian import read_shelf_package  # imports archives

    download = downloads[source.package]
    if isinstance(download, SourceError):
        raise download
    return read_shelf_package(source, download)


def _mismatch(fetched: FetchedTexts, checksums: tuple[settings.Checksum, ...]) -> str:
    """Which file does not have its pinned checksum, in words, or an empty string."""
    actual = {document.file: document.sha256 for document in fetched.documents}
    for checksum in checksums:
        sha256 = actual.get(checksum.file)
        if sha256 is None:
            return f"there is no {checksum.file}; correct the name in 'sha256' of the release"
        if sha256 != checksum.sha256.lower():
            return (
                f"{checksum.file} has changed: its SHA-256 is {sha256}, not"
                f" {checksum.sha256.lower()}; if the new text is right, pin the new one"
            )
    return ""


def _missing(request: FetchRequest, fetched: FetchedTexts) -> tuple[str, ...]:
    """The listed files that a source of several files does not have."""
    source = request.source
    if isinstance(source, settings.UrlSource) and "{file}" not in source.url:
        return ()
    if isinstance(source, settings.FolderSource) and not Path(source.path).is_dir():
        return ()
    fetched_files = {document.file for document in fetched.documents}
    return tuple([
        document.file for document in request.documents if document.file not in fetched_files
    ])
