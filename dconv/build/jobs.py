"""Run the jobs of a build: by an executor, by worker processes, or in this process."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import ExitStack
from functools import lru_cache
from typing import Generic, Protocol, TypeAlias, TypeVar

from dconv.build.workers import WorkerError, worker_pool
from dconv.model.values import dataclass
from dconv.sources.texts import ReleaseTexts

T = TypeVar("T")
JobType = TypeVar("JobType", bound="Job")
Result = TypeVar("Result")
# what is done, the number of this step from 1, and how many there are
Progress: TypeAlias = Callable[[str, int, int], None]

PROGRESS_INTERVAL = 1.0  # seconds between two reports of progress while jobs run
MIN_PARALLEL_SIZE = 200_000  # bytes of text that one process renders faster than workers can start
MIN_JOB_SIZE = 10_000  # bytes; a job with less text takes as long, by its fixed costs


class Job(Protocol):
    """A unit of work: `name` is for messages, `size` the number of bytes of its texts."""

    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...


@dataclass(frozen=True, slots=True)
class TextsJob:
    """A job about the `texts` of a release, or about some texts of a package."""

    texts: ReleaseTexts

    @property
    def name(self) -> str:
        """That of the release or package."""
        return self.texts.name

    @property
    def size(self) -> int:
        """The number of bytes of the texts."""
        return self.texts.size


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


@dataclass(slots=True)
class Runner:
    """Runs jobs by the `executor`, else by own worker processes, else in this process.

    There are up to `worker_count` own worker processes; they end with the `stack`.
    """

    executor: Executor | None
    worker_count: int
    on_progress: Progress
    stack: ExitStack
    _limit: int | None = None  # jobs that the executor has at a time

    def run(
        self, function: Callable[[JobType], Result], jobs: Mapping[int, JobType], step: str
    ) -> Iterator[tuple[int, Result]]:
        """The number and the result of each job as it is done; the largest is started first.

        Otherwise a build may end with one process that is busy with a large job.
        """
        order = sorted(jobs, key=lambda number: -jobs[number].size)
        size = sum(max(job.size, MIN_JOB_SIZE) for job in jobs.values())
        if self.executor is None and min(self.worker_count, len(jobs)) > 1 and (
            size > MIN_PARALLEL_SIZE
        ):
            self.executor = self.stack.enter_context(worker_pool(self.worker_count))
            # a job in the pipe would block if a worker died: gh-94777, fixed in Python 3.11.5
            self._limit = self.worker_count
        if self.executor is not None:
            yield from self._submit(self.executor, function, jobs, order, step)
            return
        for done, number in enumerate(order):
            self.on_progress(f"{step} {jobs[number].name}", done + 1, len(jobs))
            yield number, function(jobs[number])

    def _submit(
        self, executor: Executor, function: Callable[[JobType], Result],
        jobs: Mapping[int, JobType], order: Iterable[int], step: str,
    ) -> Iterator[tuple[int, Result]]:
        waiting = deque(order)
        running: dict[Future[Result], int] = {}
        done = 0

        def start() -> None:
            while waiting and len(running) != self._limit:
                number = waiting.popleft()
                running[executor.submit(function, jobs[number])] = number

        try:
            start()
            while running:
                names = ", ".join(dict.fromkeys(jobs[number].name for number in running.values()))
                self.on_progress(f"{step} {names}", done + 1, len(jobs))
                finished = wait(running, PROGRESS_INTERVAL, FIRST_COMPLETED).done
                for future in [future for future in running if future in finished]:
                    done += 1
                    number = running.pop(future)
                    start()  # no worker waits while the result is used
                    yield number, future.result()
        except BrokenExecutor as error:
            raise WorkerError from error
        finally:
            for future in running:
                future.cancel()
