"""Build a site: read all texts, then render them, in this process or by an executor.

    ReleaseTexts ─ read ─→ ReadResult … ─ site_versions ─→ ProductVersions
        ─ render ─→ ReleaseFiles …

The pages of a release link to the same entry in other releases, so all releases are read before
the first is rendered.  A job is for a release of a product that a manual.toml describes; of a
package of a shelf it is for some of its documents:

    ReleaseTexts … ─ read_batch ─→ ReadBatchResult … ─ ShelfIndex ─→ BatchView …
                   ─ render_batch ─→ BatchFiles

Jobs are values that can be pickled and hold all that they need, so any
`concurrent.futures.Executor` can run them, on other machines too.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import field, replace
from functools import partial
from itertools import chain

from dconv.build.cache import BuildCache
from dconv.build.fingerprint import fingerprint
from dconv.build.jobs import MIN_PARALLEL_SIZE, PickledOnce, Progress, Runner, TextsJob
from dconv.build.read import (
    ReleaseIndex,
    cached_manuals,
    index_release,
    linked_release,
    read_texts,
    site_versions,
)
from dconv.build.render import (
    ReleaseFiles,
    SiteContext,
    render_release,
    site_files,
)
from dconv.build.shelf import (
    BatchFiles,
    PackageFiles,
    RenderBatchJob,
    ShelfContext,
    batches,
    read_batch,
    render_batch,
    shelf_files,
)
from dconv.build.shelf_index import BatchIndex, DocumentIndex, ShelfIndex, assign_paths
from dconv.build.trees import NO_COMPRESSION, pack_trees, unpack_trees
from dconv.build.workers import in_background
from dconv.model.tree import Manual
from dconv.model.values import dataclass
from dconv.proof.linkcheck import EXTERNAL_LINKS, LinkCheck
from dconv.sources.texts import ReleaseTexts, sort_releases
from dconv.writers.history import histories
from dconv.writers.inventory import DocumentNames
from dconv.writers.legacy.redirects import redirects
from dconv.writers.pages.listings import ReleaseCard
from dconv.writers.pages.page import SiteInfo
from dconv.writers.search.shelf import SITE_KEY, BatchRecords
from dconv.writers.site_files import SiteFile
from dconv.writers.theme.theme import Theme

# --- jobs -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadJob(TextsJob):
    """Read the release `texts`; return their trees if `with_trees`.

    If `parallel`, the job may start a process that helps.
    """

    with_trees: bool = False
    parallel: bool = False


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The `index` of a release, and its unlinked `trees` as bytes, which may be empty."""

    index: ReleaseIndex
    trees: bytes = b""


@dataclass(frozen=True, slots=True)
class RenderJob(TextsJob):
    """Render the release `texts`; `previous` is the release before it if changes are shown.

    `trees` and `previous_trees` are those of `ReadResult`; if they are empty, the texts are read
    again.  If `parallel`, the job may start a process that helps.
    """

    previous: ReleaseTexts | None
    context: PickledOnce[SiteContext]
    trees: bytes
    previous_trees: bytes
    parallel: bool = False


def read(job: ReadJob) -> ReadResult:
    """Read the release, and index it for other releases."""
    if not job.with_trees:
        return ReadResult(index_release(job.texts, cached_manuals(job.texts, job.parallel)))
    manuals = read_texts(job.texts)
    return ReadResult(index_release(job.texts, manuals), pack_trees(manuals, NO_COMPRESSION))


def render(job: RenderJob) -> ReleaseFiles:
    """Render the release and prove its pages."""
    context, previous = job.context.value, None

    def manuals(texts: ReleaseTexts, trees: bytes) -> Sequence[Manual]:
        return unpack_trees(trees) if trees else cached_manuals(texts)

    own_manuals = manuals(job.texts, job.trees)
    if job.previous is not None:
        previous_manuals = manuals(job.previous, job.previous_trees)
        previous = linked_release(job.previous, previous_manuals, context.date)
    return render_release(job.texts, own_manuals, previous, context, job.parallel)


# --- the site -------------------------------------------------------------------------


def ignore(*_: object) -> None:
    """A callback that does nothing."""


def build_site(
    releases: Iterable[ReleaseTexts], site: SiteInfo, theme: Theme, *,
    on_progress: Progress = ignore, on_release: Callable[[ReleaseFiles], None] = ignore,
    on_shelf: Callable[[Sequence[PackageFiles]], None] = ignore, check: LinkCheck | None = None,
    executor: Executor | None = None, jobs: int = 1, cache: BuildCache | None = None,
) -> Iterator[SiteFile]:
    """All files of a site: path below its root, and content.

    The `executor` runs the jobs; without one, up to `jobs` worker processes do if there is enough
    work for them, else this process.  `on_release` is called with each release in the order of the
    site, whatever the order of the files, then `on_shelf` with all packages of the shelf, if there
    are any.  `check` collects the links of all pages. Raises `ThemeError` and `WorkerError`.
    """
    check = check or LinkCheck()
    all_releases = sort_releases(releases)
    product_releases = [release for release in all_releases if not release.is_shelf]
    shelf = _ShelfBuild.of([release for release in all_releases if release.is_shelf])
    # a single release is not cached: if it has not changed, there is no build at all
    release_cache = cache if len(all_releases) > 1 else None
    folders = tuple([f"{release.product_name}/{release.version}" for release in product_releases])
    for folder in folders:
        check.add_release(folder)
    release_cards: list[ReleaseCard] = []
    sitemap_entries: list[tuple[str, str]] = []
    rendered: dict[int, ReleaseFiles] = {}
    shared_files: list[Iterable[SiteFile]] = []
    with ExitStack() as stack:
        worker_count = min(jobs, len(product_releases) + len(shelf.batches))
        runner = Runner(executor, worker_count, on_progress, stack)
        read_results = _read_all(product_releases, release_cache, runner, parallel=jobs > 1)
        indexes = [result.index for result in read_results]
        _read_shelf(shelf, cache, runner)
        date = site.date or max([index.newest_date for index in indexes], default="")
        versions = site_versions(product_releases, indexes, date)
        if shelf.packages:
            latest = [
                (f"{name}/{product.latest.version}", f"{product.title} {product.latest.version}")
                for name, product in versions.items()
            ]
            site = replace(site, shelf_search=((SITE_KEY, site.title), *latest))
        context = SiteContext(site, theme, versions, folders, date)
        for number, result in _render_all(
            product_releases, read_results, context, release_cache, runner, parallel=jobs > 1
        ):
            yield from result.files
            rendered[number] = result.without_files()
            if not shared_files:  # now, since other processes are busy with further releases
                shared_files.append(list(histories(versions.values())))
            while len(release_cards) in rendered:  # in the order of the site
                result = rendered.pop(len(release_cards))
                check.add(result.links)
                on_release(result)
                release_cards.append(result.release_card)
                sitemap_entries.extend(result.sitemap_entries)
        index = shelf.index(date, [release.product_name for release in product_releases])
        finished: dict[int, BatchFiles] = {}
        for number, batch_files in _render_shelf(shelf, index, context, cache, runner):
            yield from batch_files.files
            finished[number] = batch_files.without_files()
            while len(shelf.results) in finished:
                check.add(finished[len(shelf.results)].links)
                shelf.add(finished.pop(len(shelf.results)))
    on_progress("writing what all releases share", 0, 0)
    if shelf.packages:
        packages = shelf.package_files()
        on_shelf(packages)
        sitemap_entries += [entry for result in shelf.results for entry in result.sitemap_entries]
        shared_files.append(shelf_files(index, packages, shelf.names, shelf.records(), site, theme))
    shared_files.append(site_files(
        site, theme, versions.values(), release_cards, sitemap_entries,
        redirects(product_releases, date), index.packages,
        {release.product_name: release.group for release in product_releases},
    ))
    for path, content in chain.from_iterable(shared_files):
        check.read(path, content)
        yield path, content
    yield EXTERNAL_LINKS, check.external_links()


def _read_all(
    releases: Sequence[ReleaseTexts], cache: BuildCache | None, runner: Runner, parallel: bool
) -> list[ReadResult]:
    """The index of each release, from the `cache`, or with its trees, read now.

    If `parallel`, the job of a large release may start another process where it is the only job.
    """
    results: dict[int, ReadResult] = {}
    jobs: dict[int, ReadJob] = {}
    for number, texts in enumerate(releases):
        index = cache.load_index(texts, ReleaseIndex) if cache else None
        if index is None:
            jobs[number] = ReadJob(texts)
        else:
            results[number] = ReadResult(index)
    if len(jobs) > 1:  # a single release is rendered by the process that has read it
        jobs = {number: replace(job, with_trees=True) for number, job in jobs.items()}
    elif parallel and runner.executor is None:
        jobs = {
            number: replace(job, parallel=job.size > MIN_PARALLEL_SIZE)
            for number, job in jobs.items()
        }
    for number, result in runner.run(read, jobs, "reading"):
        results[number] = result
        if cache:
            cache.store_index(releases[number], result.index)
    return [results[number] for number in range(len(releases))]


def _render_all(
    releases: Sequence[ReleaseTexts], read_results: Sequence[ReadResult], context: SiteContext,
    cache: BuildCache | None, runner: Runner, parallel: bool,
) -> Iterator[tuple[int, ReleaseFiles]]:
    """The number and the result of each release, from the `cache` or rendered now.

    If `parallel`, the job of a large release may start other processes where it is the only job,
    and runs while the others are loaded from the cache: several jobs keep all processors busy.
    """
    pickled_context = PickledOnce(context)
    indexes = [result.index for result in read_results]
    products = _product_digests(releases, indexes) if cache else {}
    site_digest = fingerprint(context.site, context.date, context.folders) if cache else ""
    keys: dict[int, str] = {}
    jobs: dict[int, RenderJob] = {}
    cached: list[int] = []
    for number, texts in enumerate(releases):
        previous = _previous_release(number, releases, context)
        jobs[number] = RenderJob(
            texts, previous, pickled_context, read_results[number].trees,
            read_results[number + 1].trees if previous else b"",
        )
        if cache:
            inputs = (site_digest, products[texts.product_name])
            keys[number] = cache.result_key([texts, *([previous] if previous else [])], inputs)
            if cache.results.has(keys[number]):
                cached.append(number)
    results: Iterator[tuple[int, ReleaseFiles]] = iter(())
    changed = [number for number in jobs if number not in cached]
    if parallel and len(changed) == 1 and runner.executor is None:
        job = jobs.pop(changed[0])
        job = replace(job, parallel=job.size > MIN_PARALLEL_SIZE)
        runner.on_progress(f"rendering {job.name}", 1, 1)
        result_of = in_background(partial(render, job), job.parallel and len(releases) > 1)
        results = ((number, result_of()) for number in changed)
    for number in cached:
        result = cache.load_result(keys[number], ReleaseFiles) if cache else None
        if result is not None:
            del jobs[number]
            yield number, result
    for number, result in chain(results, runner.run(render, jobs, "rendering")):
        if cache:
            cache.store_result(keys[number], result)
        yield number, result


def _product_digests(
    releases: Sequence[ReleaseTexts], indexes: Sequence[ReleaseIndex]
) -> dict[str, str]:
    """For each product, by name, a digest of what pages of a release show of its other releases."""
    versions_by_name: dict[str, list[tuple[str, str, str]]] = {}
    for texts, index in zip(releases, indexes, strict=True):
        versions = versions_by_name.setdefault(texts.product_name, [])
        versions.append((texts.version, texts.status, fingerprint(index)))
    return {name: fingerprint(versions) for name, versions in versions_by_name.items()}


def _previous_release(
    number: int, releases: Sequence[ReleaseTexts], context: SiteContext
) -> ReleaseTexts | None:
    """The release that the page of changes of release `number` compares with."""
    versions = context.versions[releases[number].product_name]
    release = versions.release(releases[number].version)
    if context.site.changes and versions.previous(release):
        return releases[number + 1]
    return None


# --- a shelf --------------------------------------------------------------------------


@dataclass(slots=True)
class _Batch:
    """Some texts of a package, with their index and their trees, if read.

    `package_index` is that in the shelf; `number` counts the batches of the package from 1.
    """

    package_index: int
    number: int
    texts: ReleaseTexts
    index: BatchIndex = field(default_factory=lambda: BatchIndex(()))
    trees: bytes = b""


@dataclass(slots=True)
class _ShelfBuild:
    """The packages of a shelf and their batches, with what is known of them so far."""

    packages: Sequence[ReleaseTexts]
    batches: Sequence[_Batch]
    results: list[BatchFiles] = field(default_factory=list)
    _names: list[bytes] = field(default_factory=list)
    _records: list[bytes] = field(default_factory=list)

    @staticmethod
    def of(packages: Sequence[ReleaseTexts]) -> _ShelfBuild:
        """The shelf of `packages`, before any of their texts is read."""
        return _ShelfBuild(packages, [
            _Batch(package, number, batch)
            for package, texts in enumerate(packages)
            for number, batch in enumerate(batches(texts), 1)
        ])

    def index(self, date: str, reserved_folders: Collection[str]) -> ShelfIndex:
        """The index of all packages, whose batches are read.

        The latest release of each is the newest that is no development version on `date`.
        """
        documents: list[list[DocumentIndex]] = [[] for _ in self.packages]
        for batch in self.batches:
            documents[batch.package_index] += batch.index.documents
        latest: dict[str, ReleaseTexts] = {}
        for texts in self.packages:
            newest = latest.setdefault(texts.product_name, texts)
            if not newest.lifetime(date).released and texts.lifetime(date).released:
                latest[texts.product_name] = texts
        releases = [
            (texts, indexes, latest[texts.product_name] is texts)
            for texts, indexes in zip(self.packages, documents, strict=True)
        ]
        return ShelfIndex(assign_paths(releases, reserved_folders), documents)

    def add(self, result: BatchFiles) -> None:
        """Keep the `result` of the next batch, with names and records compressed."""
        self._names.append(zlib.compress(pickle.dumps(result.names), 1))
        if result.records:
            self._records.append(zlib.compress(pickle.dumps(result.records), 1))
        self.results.append(result.summary())

    def package_files(self) -> list[PackageFiles]:
        """What was rendered of each package, once all its batches are."""
        rendered: list[list[BatchFiles]] = [[] for _ in self.packages]
        for batch, result in zip(self.batches, self.results, strict=True):
            rendered[batch.package_index].append(result)
        return [
            PackageFiles(
                tuple([proof for result in results for proof in result.proofs]),
                tuple([counts for result in results for counts in result.references]),
                tuple([finding for result in results for finding in result.diagnostics]),
                tuple([accepted for result in results for accepted in result.accepted]), texts,
            )
            for texts, results in zip(self.packages, rendered, strict=True)
        ]

    def names(self) -> Iterator[DocumentNames]:
        """The names of all documents, a batch at a time."""
        for content in self._names:
            yield from pickle.loads(zlib.decompress(content))

    def records(self) -> Iterator[BatchRecords]:
        """The records of each batch, for the search."""
        for content in self._records:
            yield pickle.loads(zlib.decompress(content))


def _read_shelf(shelf: _ShelfBuild, cache: BuildCache | None, runner: Runner) -> None:
    """Fill in the index of each batch, from the `cache` or read now."""
    jobs: dict[int, TextsJob] = {}
    for number, batch in enumerate(shelf.batches):
        index = cache.load_index(batch.texts, BatchIndex) if cache else None
        if index is None:
            jobs[number] = TextsJob(batch.texts)
        else:
            batch.index = index
    for number, result in runner.run(read_batch, jobs, "reading"):
        batch = shelf.batches[number]
        batch.index, batch.trees = result.index, result.trees
        if cache:
            cache.store_index(batch.texts, result.index)


def _render_shelf(
    shelf: _ShelfBuild, index: ShelfIndex, context: SiteContext, cache: BuildCache | None,
    runner: Runner,
) -> Iterator[tuple[int, BatchFiles]]:
    """The number and the result of each batch, from the `cache` or rendered now."""
    pickled_context = PickledOnce(ShelfContext(context.site, context.theme))
    keys: dict[int, str] = {}
    jobs: dict[int, RenderBatchJob] = {}
    for number, batch in enumerate(shelf.batches):
        names = [document.name for document in batch.index.documents]
        view = index.view(batch.package_index, names)
        result = None
        if cache:
            keys[number] = cache.result_key([batch.texts], (context.site, batch.number, view))
            result = cache.load_result(keys[number], BatchFiles)
        if result is None:
            texts = batch.texts
            size = texts.size
            if batch.trees:  # the bytes of the texts are of no use then
                texts = replace(texts, texts=tuple(
                    [replace(text, content=b"") for text in texts.texts]
                ))
            jobs[number] = RenderBatchJob(
                texts, batch.number, size, batch.trees, view, pickled_context
            )
            batch.trees = b""
        else:
            yield number, result
    for number, result in runner.run(render_batch, jobs, "rendering"):
        if cache:
            cache.store_result(keys[number], result)
        yield number, result
