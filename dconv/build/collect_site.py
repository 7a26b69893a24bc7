"""Collect the texts of releases from the sources that `site.toml` names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path

from dconv.build.collect import (
    UNVERSIONED,
    missing_program_message,
    readable_texts,
    stated_version,
    with_unique_names,
)
from dconv.build.titles import in_order_of_toctrees, with_titles
from dconv.model.file_names import file_stem
from dconv.model.origin import Origin
from dconv.model.values import dataclass
from dconv.readers import MAN
from dconv.readers.mandoc import MANDOC, is_installed
from dconv.settings.manual import default_product, full_product
from dconv.settings.toml import SettingsError
from dconv.settings.types import (
    NOT_IN_ADDRESS,
    AcceptedFinding,
    PackageSource,
    Product,
    Shelf,
    ShelfItem,
    Site,
    SiteRelease,
    SourceSetting,
    unlisted_document,
)
from dconv.sources.addresses import describe, is_numbered
from dconv.sources.cache import programs_folder
from dconv.sources.fetch import fetch_packages, fetch_release, fetch_texts, network_for
from dconv.sources.host import ROOT, read_host, read_installed
from dconv.sources.network import Network
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.sources.threads import run_in_threads
from dconv.sources.types import FetchedTexts, SourceError, UnreachableError

MAX_NAMES = 6  # unfinished downloads that the progress line names


@dataclass(frozen=True, slots=True)
class FetchedRelease:
    """The result of fetching the release `version` of a product, or of a package of a shelf.

    `texts` is None if no source has them (then it `is_missing`), or if another release of the
    site is the same, which `duplicate_note` says.  `problems` are sentences for the user.
    `missing_files` are listed files that the source at `origin` does not have.
    `unreachable` are hosts that accepted no connection; `is_unreachable` says that the release
    is missing because of them, or since the user forbids the network.

    Of a package, `source_problem` is why its own source does not give its texts, or empty, and
    `substitute` the place that gives them instead; `unread_pages` counts its manual pages that
    cannot be read.
    """

    product_name: str
    version: str
    name: str
    texts: ReleaseTexts | None
    origin: str
    problems: tuple[str, ...]
    duplicate_note: str = ""
    is_missing: bool = False
    missing_files: tuple[str, ...] = ()
    unreachable: tuple[str, ...] = ()
    is_unreachable: bool = False
    source_problem: str = ""
    substitute: str = ""
    unread_pages: int = 0


@dataclass(frozen=True, slots=True)
class _Request:
    """A release of the site, or an `item` of a shelf; `group` is the heading above it, or empty."""

    product: Product
    release: SiteRelease
    name: str
    accepted: tuple[AcceptedFinding, ...] = ()
    item: ShelfItem | None = None
    group: str = ""

    @property
    def product_name(self) -> str:
        """The name of the product or package in addresses."""
        return self.item.name if self.item else self.product.name


@dataclass(frozen=True, slots=True)
class _FetchResult:
    """The texts for a request, or why its source has none; `substitute` is what gave others."""

    texts: FetchedTexts | None
    error: SourceError | None = None
    substitute: str = ""


@dataclass(frozen=True, slots=True)
class _FetchOptions:
    """How to fetch: the folder of downloads, the state of the network, the root of the system."""

    cache: Path
    offline: bool
    refresh: bool
    network: Network
    root: Path

    def texts(self, item: ShelfItem, source: SourceSetting) -> FetchedTexts:
        """The texts of `item` from `source`; raises `SourceError`."""
        return fetch_texts(
            source, item.version, (), self.cache, offline=self.offline, refresh=self.refresh,
            network=self.network,
        )

    def release(self, product: Product, release: SiteRelease) -> FetchedTexts:
        """The texts of `release` of `product`; raises `SourceError`."""
        return fetch_release(
            product, release, self.cache, self.offline, refresh=self.refresh, network=self.network
        )


def fetch_releases(
    site: Site, cache: Path, *, offline: bool, refresh: bool, on_progress: Callable[[str], None],
    root: Path = ROOT,
) -> tuple[FetchedRelease, ...]:
    """Fetch the texts of every release and shelf of `site`, several at the same time.

    `cache` is the folder of downloads; `offline` does not access the network, `refresh` downloads
    again what is cached.  `on_progress` is called with what is waited for.  `root` is the folder
    of the system, whose packages have texts too.  The result is in the order of the site.
    """
    requests = [*_release_requests(site), *(
        _item_request(shelf, item, (item.source,), site)
        for shelf in site.shelves for item in shelf.items
    )]
    network = network_for((request.product, request.release) for request in requests)
    options = _FetchOptions(cache, offline, refresh, network, root)
    fetched = _fetch_all(requests, options, on_progress)
    for shelf in [shelf for shelf in site.shelves if shelf.includes_installed]:
        on_progress("the manual pages of this machine")
        for request, result in _installed_items(shelf, read_host(shelf.sections, root), site):
            requests.append(request)
            fetched.append(result)
    texts = [_texts(request, result) for request, result in zip(requests, fetched, strict=True)]
    problem = _fetch_man_reader(texts, cache, offline)
    known_releases: set[tuple[str, str]] = set()
    releases: list[FetchedRelease] = []
    for request, result, release_texts in zip(requests, fetched, texts, strict=True):
        release = _release(request, result, release_texts)
        if problem and any(text.format == MAN for text in release_texts):
            release, problem = replace(release, problems=(problem, *release.problems)), ""
        releases.append(_without_duplicate(release, known_releases))
    return tuple(releases)


def _release_requests(site: Site) -> Iterator[_Request]:
    for site_product in site.products:
        product = site_product.product
        for release in site_product.releases:
            name = f"{product.title} {release.version}"
            yield _Request(product, release, name, site_product.accepted, group=site_product.group)


def _item_request(
    shelf: Shelf, item: ShelfItem, sources: tuple[SourceSetting, ...], site: Site
) -> _Request:
    # the product whose manual.toml says how the texts of a package of this name are read
    products = (product for product in site.available_products if product.name == item.name)
    return _Request(
        full_product(next(products, default_product())), SiteRelease(item.version, sources),
        f"{item.name} {item.version}".rstrip(), shelf.accepted, item, shelf.title,
    )


def _installed_items(
    shelf: Shelf, packages: Iterable[tuple[str, FetchedTexts]], site: Site
) -> Iterator[tuple[_Request, _FetchResult]]:
    """The installed packages, but for the products that the site shows."""
    product_names = {site_product.product.name for site_product in site.products}
    for package, texts in packages:
        if package not in product_names:
            item = ShelfItem(package, texts.version, PackageSource(package))
            yield _item_request(shelf, item, (), site), _FetchResult(texts)


# --- fetching -------------------------------------------------------------------------


def _fetch_all(
    requests: Sequence[_Request], options: _FetchOptions, on_progress: Callable[[str], None]
) -> list[_FetchResult]:
    """What the source of each of `requests` gives, in their order."""
    packages = [
        index for index, request in enumerate(requests)
        if request.item and isinstance(request.item.source, PackageSource)
    ]
    finished: set[int] = set()
    tasks: dict[int, Callable[[], Mapping[int, _FetchResult]]] = {}
    for index, request in enumerate(requests):
        if index not in packages:
            tasks[index] = partial(_fetch_one, index, request, options)
    if packages:
        package_requests = {index: requests[index] for index in packages}
        tasks[packages[0]] = partial(
            _fetch_packages, package_requests, options, finished.add
        )

    def on_wait(results: Mapping[int, Mapping[int, _FetchResult]]) -> None:
        finished.update(*results.values())
        names = [
            request.name for index, request in enumerate(requests)
            if index not in finished
        ]
        ellipsis = ", …" if len(names) > MAX_NAMES else ""
        count = f"{len(finished) + 1} of {len(requests)}: " if len(requests) > 1 else ""
        if names:
            on_progress(f"{count}{', '.join(names[:MAX_NAMES])}{ellipsis}")

    fetched = {
        index: result
        for results in run_in_threads(tasks, on_wait).values() for index, result in results.items()
    }
    return [fetched[index] for index in range(len(requests))]


def _fetch_one(index: int, request: _Request, options: _FetchOptions) -> Mapping[int, _FetchResult]:
    """The texts of a release, or of an item of a shelf whose source is no Debian package."""
    try:
        if request.item:
            texts = options.texts(request.item, request.item.source)
        else:
            texts = options.release(request.product, request.release)
    except SourceError as error:
        return {index: _substitute_of_repository(request.item, error, options)}
    return {index: _FetchResult(texts)}


def _substitute_of_repository(
    item: ShelfItem | None, error: SourceError, options: _FetchOptions
) -> _FetchResult:
    """What replaces the repository of `item`: the same files of a Debian package."""
    if item is None or item.substitute is None:
        return _FetchResult(None, error)
    try:
        texts = options.texts(item, item.substitute)
    except SourceError:
        return _FetchResult(None, error)
    return _FetchResult(texts, error, texts.origin)


def _fetch_packages(
    requests: Mapping[int, _Request], options: _FetchOptions, on_done: Callable[[int], None]
) -> Mapping[int, _FetchResult]:
    """The texts of Debian packages, or of what replaces them."""
    sources: dict[int, PackageSource] = {}
    for index, request in requests.items():
        if request.item and isinstance(request.item.source, PackageSource):
            sources[index] = request.item.source

    def on_source(source: PackageSource) -> None:
        for index, other in sources.items():
            if other == source:
                on_done(index)

    results = fetch_packages(
        tuple(dict.fromkeys(sources.values())), options.cache, offline=options.offline,
        refresh=options.refresh, on_done=on_source,
    )
    fetched: dict[int, _FetchResult] = {}
    for index, source in sources.items():
        result = results[source]
        if isinstance(result, SourceError):
            product = requests[index].product
            fetched[index] = _substitute_of_package(source, product, result, options)
        else:
            fetched[index] = _FetchResult(result)
    return fetched


def _substitute_of_package(
    source: PackageSource, product: Product, error: SourceError, options: _FetchOptions
) -> _FetchResult:
    """What replaces the package of `source`: a source of its product, or what is installed."""
    if product.sources:
        try:
            texts = options.release(product, SiteRelease("", ()))
        except SourceError:
            pass
        else:
            return _FetchResult(texts, error, texts.origin)
    try:
        texts = read_installed(source, options.root)
    except SourceError:
        return _FetchResult(None, error)
    return _FetchResult(texts, error, "this machine")


# --- releases -------------------------------------------------------------------------


def _texts(request: _Request, fetched: _FetchResult) -> tuple[SourceText, ...]:
    """The texts of `fetched`, with their settings."""
    if fetched.texts is None:
        return ()
    settings = {document.file: document for document in request.product.documents}
    folder = Path(fetched.texts.origin)
    is_local = folder.exists()
    if folder.is_file():
        folder = folder.parent
    version = request.release.version or fetched.texts.version or UNVERSIONED
    texts: list[SourceText] = []
    for document in fetched.texts.documents:
        setting = settings.get(document.file, unlisted_document(document.file))
        setting = replace(setting, name=document.name)
        base = folder if is_local else Path(request.product_name, version)
        origin = Origin(
            document.file if is_local else fetched.texts.origin, document.url, fetched.texts.date,
            document.sha256, fetched.texts.line_url,
        )
        texts.append(SourceText(
            document.content, str(base / document.file), request.product, setting, origin,
            document.other_names, document.images, sphinx_settings=document.sphinx_settings,
        ))
    return tuple(texts)


def _fetch_man_reader(texts: Iterable[Iterable[SourceText]], cache: Path, offline: bool) -> str:
    """Fetch the program that reads manual pages if it is needed; why that fails, or empty."""
    if offline or is_installed():
        return ""
    if any(text.format == MAN for release_texts in texts for text in release_texts):
        try:
            from dconv.sources.debian import unpack_program  # is slow to import

            unpack_program(MANDOC, f"usr/bin/{MANDOC}", programs_folder(cache))
        except SourceError as error:
            return str(error)
    return ""


def _release(
    request: _Request, fetched: _FetchResult, texts: Sequence[SourceText]
) -> FetchedRelease:
    """The release of the `texts` that were `fetched`."""
    product, name = request.product, request.name
    result = FetchedRelease(request.product_name, request.release.version, name, None, "", ())
    if request.item and fetched.error:
        reason = str(fetched.error).removeprefix(f"{describe(request.item.source)}: ")
        result = replace(result, source_problem=reason, substitute=fetched.substitute)
    if fetched.texts is None:
        hosts = fetched.error.hosts if isinstance(fetched.error, UnreachableError) else ()
        return replace(
            result, problems=(str(fetched.error),), is_missing=True, unreachable=hosts,
            is_unreachable=isinstance(fetched.error, UnreachableError),
        )
    listed = {document.file for document in product.documents}
    problems = [*fetched.texts.notes, *fetched.texts.unreadable]
    readable, refused, unread_pages = readable_texts(texts)
    for text, refusal in refused:
        if text.document.file in listed or len(texts) == 1:
            sentence = f"no source gives {name}: {refusal}"
            return replace(result, problems=(sentence,), is_missing=True)
        problems.append(f"{refusal}; {name} is built without it")
    if request.item:
        result = replace(result, unread_pages=len(unread_pages))
        if fetched.texts.outdated:
            reason = fetched.texts.outdated.removeprefix(f"{describe(request.item.source)}: ")
            result = replace(result, source_problem=reason, substitute="the cache")
    elif unread_pages:
        problems.append(f"{name}: {missing_program_message(len(unread_pages))}")
    if not readable:
        return replace(result, problems=tuple(problems), is_missing=True)
    named = with_unique_names(readable)
    ordered = in_order_of_toctrees(named) if not product.documents else ()
    release_texts = with_titles(ordered or named)
    version = _site_version(fetched.texts, request.release, release_texts)
    title = product.title or (request.item.name if request.item else "")
    return replace(
        result, origin=fetched.texts.origin, problems=tuple(problems),
        unreachable=fetched.texts.unreachable, missing_files=fetched.texts.missing,
        name=f"{title} {version}" if request.item else name,
        texts=ReleaseTexts(
            request.product_name, title, version, request.release.status or "", release_texts,
            request.accepted, is_shelf=request.item is not None and not product.documents,
            is_ordered=bool(ordered), group=request.group,
            description=fetched.texts.description,
        ),
    )


def _site_version(fetched: FetchedTexts, release: SiteRelease, texts: Sequence[SourceText]) -> str:
    """The number of `release`, which the site may call "stable"."""
    if is_numbered(release.version):
        return release.version
    version = fetched.version or stated_version(texts) or release.version or UNVERSIONED
    return NOT_IN_ADDRESS.sub("-", version)


def _without_duplicate(
    result: FetchedRelease, known_releases: set[tuple[str, str]]
) -> FetchedRelease:
    """`result` without texts if its product and version are among those of earlier releases."""
    if result.texts is None:
        return result
    key = (result.texts.product_name, result.texts.version)
    if key not in known_releases:
        known_releases.add(key)
        return result
    note = f"{result.name} is {result.texts.version}, which the site already has"
    return replace(result, texts=None, duplicate_note=note)


def unread_man_pages_message(releases: Iterable[FetchedRelease]) -> str:
    """The sentence about all manual pages of shelves that cannot be read, or empty."""
    count = sum(release.unread_pages for release in releases)
    return missing_program_message(count) if count else ""


def missing_documents(site: Site, releases: Sequence[FetchedRelease]) -> Iterator[str]:
    """Sentences about listed documents that `releases` of `site` do not have.

    A document that no release has gets one sentence, unless a release is missing.  Raises
    `SettingsError` if a text that is not listed is named much like that document: its address and
    its entries would be wrong.  Products that come with dconv list what only other releases have.
    """
    for site_product in site.products:
        product = site_product.product
        fetched = [release for release in releases if release.product_name == product.name]
        files = {
            text.document.file
            for release in fetched if release.texts for text in release.texts.texts
        }
        in_no_release: list[str] = []
        if files and not any(release.is_missing for release in fetched):
            in_no_release = [item.file for item in product.documents if item.file not in files]
        if in_no_release and resource_folder("manuals") not in product.folder.parents:
            _check_names(product, in_no_release, files)
        if in_no_release:
            yield (
                f"no release of {product.title} has {', '.join(in_no_release)}; check the file"
                f" names and sources in {product.folder / 'manual.toml'}"
            )
        for release in fetched:
            missing = [file for file in release.missing_files if file not in in_no_release]
            if release.texts and missing:
                yield f"{release.name}: there is no {', '.join(missing)} in {release.origin}"


def _check_names(product: Product, missing: Sequence[str], files: set[str]) -> None:
    """Raise `SettingsError` if a `missing` file is named much like an unlisted one of `files`."""
    unlisted = {file_stem(file): file for file in files - {item.file for item in product.documents}}
    for file in missing:
        if not (matches := get_close_matches(file_stem(file), unlisted, n=1)):
            continue
        settings = product.folder / "manual.toml"
        lines = settings.read_text(encoding="utf-8").splitlines()
        number = next((number for number, line in enumerate(lines, 1) if file in line), 1)
        raise SettingsError(
            f"{settings}:{number}: [[document]] '{file}' is in no release of {product.title};"
            f" did you mean '{unlisted[matches[0]]}'?"
        )
