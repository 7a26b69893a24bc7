"""Build a site: read all releases, then render them, in this process or by an executor.

    ReleaseTexts ─ read ─→ ReleaseIndex … ─ site_versions ─→ Versions ─ render ─→ RenderResult …

The pages of a release link to the same entry in other releases, so all releases are read before
the first is rendered.  A job is for a release; if a site has only one, and many texts, a job is for
some of its documents:

    SourceText … ─ read_part ─→ Manual … ─ linked_release ─→ Release
    ReleaseDocument … ─ render_part ─→ DocumentFiles … ─ complete_release ─→ RenderResult

Jobs are values that can be pickled and hold all that they need, so any
`concurrent.futures.Executor` can run them, on other machines too.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from typing import Generic, Protocol, TypeAlias, TypeVar

from dconv.build.cache import BuildCache
from dconv.build.read import (
    ReleaseIndex,
    cached_manuals,
    index_release,
    linked_release,
    read_text,
    site_versions,
)
from dconv.build.render import (
    DocumentFiles,
    ReleaseFiles,
    RenderResult,
    SiteContext,
    complete_release,
    render_documents,
    render_release,
    site_files,
)
from dconv.build.workers import worker_pool
from dconv.model.diagnostics import UserError
from dconv.model.serialize import dumps
from dconv.model.tree import Manual
from dconv.proof.linkcheck import EXTERNAL_LINKS, LinkCheck
from dconv.sources.texts import ReleaseTexts, SourceText, sort_releases
from dconv.writers.legacy.old_pages import redirects
from dconv.writers.pages.addresses import Addresses
from dconv.writers.pages.listings import ReleaseCard
from dconv.writers.pages.page import Release, SiteInfo
from dconv.writers.pages.split import release_addresses, release_sections
from dconv.writers.theme.theme import Theme

T = TypeVar("T")
Job = TypeVar("Job", bound="_Job")
Result = TypeVar("Result")
# what is done, the number of this step from 1, and how many there are
Progress: TypeAlias = Callable[[str, int, int], None]

PROGRESS_INTERVAL = 1.0  # seconds between two reports of progress while jobs run
MIN_PARALLEL_SIZE = 200_000  # bytes of text that one process renders faster than workers can start
PART_SIZE = 100_000  # bytes of text that make a job of their own


class WorkerError(UserError):
    """A worker process ended before its job was done; the message is one sentence for the user."""


# --- jobs -----------------------------------------------------------------------------


class _Job(Protocol):
    """What a process runs: `name` is what progress shows, `size` the bytes of its texts."""

    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...


class PickledOnce(Generic[T]):
    """A `value` that many jobs hold: it is pickled once, and unpickled once by each process."""

    def __init__(self, value: T) -> None:
        self.value = value
        self._pickled = b""

    def __reduce__(self) -> tuple[Callable[[bytes], PickledOnce[T]], tuple[bytes]]:
        self._pickled = self._pickled or pickle.dumps(self.value, pickle.HIGHEST_PROTOCOL)
        return _unpickled, (self._pickled,)


@lru_cache(maxsize=1)
def _unpickled(pickled: bytes) -> PickledOnce[T]:
    return PickledOnce(pickle.loads(pickled))


@dataclass(frozen=True, slots=True)
class ReadJob:
    """Read the release `texts`."""

    texts: ReleaseTexts

    @property
    def name(self) -> str:
        """That of the release."""
        return self.texts.name

    @property
    def size(self) -> int:
        """That of its texts."""
        return _size(self.texts.texts)


@dataclass(frozen=True, slots=True)
class RenderJob:
    """Render the release `texts`; `older` is the release before it if changes are shown."""

    texts: ReleaseTexts
    older: ReleaseTexts | None
    context: PickledOnce[SiteContext]

    @property
    def name(self) -> str:
        """That of the release."""
        return self.texts.name

    @property
    def size(self) -> int:
        """That of its texts."""
        return _size(self.texts.texts)


@dataclass(frozen=True, slots=True)
class ReadPartJob:
    """Read `texts`, which are some of the release `name`."""

    name: str
    texts: tuple[SourceText, ...]

    @property
    def size(self) -> int:
        """That of the texts."""
        return _size(self.texts)


@dataclass(frozen=True, slots=True)
class RenderPartJob:
    """Render `part`, a release with some of its documents, whose texts have `size` bytes.

    `shared` are the addresses of all its documents, and what all pages share.
    """

    name: str
    size: int
    part: Release
    shared: PickledOnce[tuple[Addresses, SiteContext]]


def read(job: ReadJob) -> ReleaseIndex:
    """Read the release; return its index for other releases."""
    return index_release(job.texts, cached_manuals(job.texts))


def render(job: RenderJob) -> RenderResult:
    """Render the release and prove its pages."""
    context, older = job.context.value, None
    if job.older is not None:
        older = linked_release(job.older, cached_manuals(job.older), context.date)
    return render_release(job.texts, cached_manuals(job.texts), older, context)


def read_part(job: ReadPartJob) -> list[Manual]:
    """Read the texts, without linking them."""
    return [read_text(text) for text in job.texts]


def render_part(job: RenderPartJob) -> DocumentFiles:
    """Render the documents and prove their pages."""
    return render_documents(job.part, *job.shared.value)


# --- the site -------------------------------------------------------------------------


def ignore(*_: object) -> None:
    """A callback that does nothing."""


def build_site(
    releases: Iterable[ReleaseTexts],
    site: SiteInfo,
    theme: Theme,
    *,
    on_progress: Progress = ignore,
    on_release: Callable[[ReleaseFiles], None] = ignore,
    check: LinkCheck | None = None,
    executor: Executor | None = None,
    jobs: int = 1,
    cache: BuildCache | None = None,
) -> Iterator[tuple[str, bytes]]:
    """All files of a site: path below its root, and content.

    The `executor` runs the jobs; without one, up to `jobs` worker processes do if there is enough
    work for them, else this process.  `on_release` is called with each release in the order of the
    site, whatever the order of the files.  `check` collects the links of all pages. Raises
    `ThemeError` and `WorkerError`.
    """
    check = check or LinkCheck()
    texts = sort_releases(releases)
    if len(texts) == 1:
        cache = None  # its pages list all sections, so nearly all of them change with the text
    folders = tuple([f"{release.product_name}/{release.version}" for release in texts])
    for folder in folders:
        check.add_release(folder)
    release_cards: list[ReleaseCard] = []
    addresses: list[str] = []
    rendered: dict[int, RenderResult] = {}
    with ExitStack() as stack:
        parts = _parts(texts[0]) if len(texts) == 1 else []
        runner = _Runner(executor, min(jobs, len(parts or texts)), on_progress, stack)
        manuals = _read_parts(texts[0], parts, runner) if parts else []
        indexes = [index_release(texts[0], manuals)] if parts else _read_all(texts, cache, runner)
        date = site.date or max([index.newest_date for index in indexes], default="")
        versions = site_versions(texts, indexes, date)
        context = SiteContext(site, theme, versions, folders, date)
        results = (
            _render_parts(texts[0], parts, manuals, context, runner) if parts
            else _render_all(texts, indexes, context, cache, runner)
        )
        for number, result in results:
            yield from result.release.files
            rendered[number] = result.without_files()
            while len(release_cards) in rendered:  # in the order of the site
                result = rendered.pop(len(release_cards))
                check.add(result.links)
                on_release(result.release)
                release_cards.append(result.release.release_card)
                addresses.extend(result.release.addresses)
    on_progress("writing what all releases share", 0, 0)
    for path, content in site_files(
        site, theme, versions.values(), release_cards, addresses, redirects(texts, date)
    ):
        check.read(path, content)
        yield path, content
    yield EXTERNAL_LINKS, check.external_links()


def _read_all(
    releases: Sequence[ReleaseTexts], cache: BuildCache | None, runner: _Runner
) -> list[ReleaseIndex]:
    """The index of each release, from the `cache` or read now."""
    indexes: dict[int, ReleaseIndex] = {}
    jobs: dict[int, ReadJob] = {}
    for number, texts in enumerate(releases):
        index = cache.load_index(texts) if cache else None
        if index is None:
            jobs[number] = ReadJob(texts)
        else:
            indexes[number] = index
    # largest last: its trees are then still cached when it is rendered first
    order = sorted(jobs, key=lambda number: jobs[number].size)
    for number, index in runner.run(read, jobs, order, "reading"):
        indexes[number] = index
        if cache:
            cache.store_index(releases[number], index)
    return [indexes[number] for number in range(len(releases))]


def _render_all(
    releases: Sequence[ReleaseTexts],
    indexes: Sequence[ReleaseIndex],
    context: SiteContext,
    cache: BuildCache | None,
    runner: _Runner,
) -> Iterator[tuple[int, RenderResult]]:
    """The number and the result of each release, from the `cache` or rendered now."""
    pickled_context = PickledOnce(context)
    digests = [sha256(dumps(index)).hexdigest() for index in indexes] if cache else []
    keys: dict[int, str] = {}
    jobs: dict[int, RenderJob] = {}
    for number, texts in enumerate(releases):
        older = _release_before(number, releases, context)
        result = None
        if cache:
            product = [
                (other.version, other.status, digest)
                for other, digest in zip(releases, digests, strict=True)
                if other.product_name == texts.product_name
            ]
            inputs = (context.site, context.date, context.folders, product)
            keys[number] = cache.release_key([texts, *([older] if older else [])], inputs)
            result = cache.load_release(keys[number])
        if result is None:
            jobs[number] = RenderJob(texts, older, pickled_context)
        else:
            yield number, result
    # largest first: otherwise the build may end with one process busy with a large release
    order = sorted(jobs, key=lambda number: -jobs[number].size)
    for number, result in runner.run(render, jobs, order, "rendering"):
        if cache:
            cache.store_release(keys[number], result)
        yield number, result


def _release_before(
    number: int, releases: Sequence[ReleaseTexts], context: SiteContext
) -> ReleaseTexts | None:
    """The release that the page of changes of release `number` compares with."""
    versions = context.versions[releases[number].product_name]
    release = versions.release(releases[number].version)
    if context.site.changes and versions.before(release):
        return releases[number + 1]
    return None


# --- a release in parts ---------------------------------------------------------------


def _parts(texts: ReleaseTexts) -> list[tuple[SourceText, ...]]:
    """The texts of a release, cut into parts; none if that is no gain.

    They depend on the texts alone, so that a site is the same whatever runs the jobs.
    """
    sizes = [len(text.content) for text in texts.texts]
    if sum(sizes) <= MIN_PARALLEL_SIZE or 2 * max(sizes) > sum(sizes):
        return []
    parts: list[list[SourceText]] = [[]]
    for text in texts.texts:
        if _size(parts[-1]) >= PART_SIZE:
            parts.append([])
        parts[-1].append(text)
    return list(map(tuple, parts))


def _read_parts(
    texts: ReleaseTexts, parts: Sequence[tuple[SourceText, ...]], runner: _Runner
) -> list[Manual]:
    """The manuals of the release `texts`, which is cut into `parts`."""
    jobs = {number: ReadPartJob(texts.name, part) for number, part in enumerate(parts)}
    manuals = dict(runner.run(read_part, jobs, list(jobs), "reading"))
    return [manual for number in jobs for manual in manuals[number]]


def _render_parts(
    texts: ReleaseTexts, parts: Sequence[tuple[SourceText, ...]], manuals: Sequence[Manual],
    context: SiteContext, runner: _Runner,
) -> Iterator[tuple[int, RenderResult]]:
    """The number, 0, and the result of the release `texts`, of which `manuals` were read."""
    release = linked_release(texts, manuals, context.date)
    section_files = release_sections(release)
    shared = PickledOnce((release_addresses(release, section_files), context))
    jobs: dict[int, RenderPartJob] = {}
    documents = iter(release.documents)
    for number, part in enumerate(parts):
        part_of_release = replace(release, documents=tuple(islice(documents, len(part))))
        jobs[number] = RenderPartJob(texts.name, _size(part), part_of_release, shared)
    files = dict(runner.run(render_part, jobs, list(jobs), "rendering"))
    in_order = [files[number] for number in jobs]
    yield 0, complete_release(texts, release, section_files, in_order, context)


# --- running jobs ---------------------------------------------------------------------


@dataclass(slots=True)
class _Runner:
    """Runs jobs by the `executor`, by up to `count` own worker processes, or in this process.

    Own worker processes end with the `stack`.
    """

    executor: Executor | None
    count: int
    on_progress: Progress
    stack: ExitStack
    _limit: int | None = None  # jobs that the executor has at a time

    def run(
        self, function: Callable[[Job], Result], jobs: Mapping[int, Job], order: Sequence[int],
        step: str,
    ) -> Iterator[tuple[int, Result]]:
        """The number and the result of each job as it is done; jobs are started in `order`."""
        size = sum(job.size for job in jobs.values())
        if self.executor is None and len(jobs) > 1 and size > MIN_PARALLEL_SIZE:
            self._start_workers()
        if self.executor is not None:
            yield from self._submit(self.executor, function, jobs, order, step)
            return
        for done, number in enumerate(order):
            self.on_progress(f"{step} {jobs[number].name}", done + 1, len(jobs))
            yield number, function(jobs[number])

    def _start_workers(self) -> None:
        if self.count > 1:
            self.executor = self.stack.enter_context(worker_pool(self.count))
            # a job in the pipe would block if a worker died: gh-94777, fixed in Python 3.11.5
            self._limit = self.count

    def _submit(
        self, executor: Executor, function: Callable[[Job], Result], jobs: Mapping[int, Job],
        order: Iterable[int], step: str,
    ) -> Iterator[tuple[int, Result]]:
        waiting = deque(order)
        running: dict[Future[Result], int] = {}
        done = 0
        try:
            while waiting or running:
                while waiting and len(running) != self._limit:
                    number = waiting.popleft()
                    running[executor.submit(function, jobs[number])] = number
                names = ", ".join(dict.fromkeys(jobs[number].name for number in running.values()))
                self.on_progress(f"{step} {names}", done + 1, len(jobs))
                finished = wait(running, PROGRESS_INTERVAL, FIRST_COMPLETED).done
                for future in [future for future in running if future in finished]:
                    done += 1
                    yield running.pop(future), future.result()
        except BrokenExecutor as error:
            raise WorkerError(
                "a worker process ended before its job was done, perhaps for lack of memory; "
                "the old site is unchanged; --jobs 1 works without worker processes"
            ) from error
        finally:
            for future in running:
                future.cancel()


def _size(texts: Iterable[SourceText]) -> int:
    return sum(len(text.content) for text in texts)
