"""Run the jobs of a build: by an executor, by worker processes, or in this process."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import ExitStack
from functools import lru_cache
from typing import Generic, Protocol, TypeAlias, TypeVar

from dconv.build.workers import WorkerError, worker_processes
from dconv.model.values import dataclass
from dconv.sources.texts import ReleaseTexts

T = TypeVar("T")
RunJob = TypeVar("RunJob", bound="Job")
Result = TypeVar("Result")
# what is done, the number of this step from 1, and how many there are
Progress: TypeAlias = Callable[[str, int, int], None]

PROGRESS_INTERVAL = 1.0  # seconds between two reports of progress while jobs run
MIN_PARALLEL_SIZE = 200_000  # bytes of text that one process renders faster than workers can start
MIN_JOB_SIZE = 10_000  # bytes of text that take as long as what each job does besides


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
    """Runs jobs by the `executor`, by up to `count` own worker processes, or in this process.

    Own worker processes end with the `stack`.
    """

    executor: Executor | None
    count: int
    on_progress: Progress
    stack: ExitStack
    workers: Sequence[Executor] = ()

    @property
    def in_this_process(self) -> bool:
        """Whether all jobs so far were run in this process."""
        return self.executor is None and not self.workers

    def run(
        self, function: Callable[[RunJob], Result], jobs: Mapping[int, RunJob],
        order: Sequence[int], step: str, chosen: dict[int, Executor] | None = None,
    ) -> Iterator[tuple[int, Result]]:
        """The number and the result of each job as it is done; jobs are started in `order`.

        If there are `chosen` workers for some numbers, other jobs wait until those are started;
        which worker has run each job is written there.
        """
        size = sum(max(job.size, MIN_JOB_SIZE) for job in jobs.values())
        if self.in_this_process and self.count > 1 and len(jobs) > 1 and size > MIN_PARALLEL_SIZE:
            self.workers = self.stack.enter_context(worker_processes(self.count))
        if not self.in_this_process:
            yield from self._submit(function, jobs, order, step, {} if chosen is None else chosen)
            return
        for done, number in enumerate(order):
            self.on_progress(f"{step} {jobs[number].name}", done + 1, len(jobs))
            yield number, function(jobs[number])

    def _submit(
        self, function: Callable[[RunJob], Result], jobs: Mapping[int, RunJob],
        order: Sequence[int], step: str, chosen: dict[int, Executor],
    ) -> Iterator[tuple[int, Result]]:
        waiting = [*order]
        # a worker has one job at a time
        free = [self.executor] * len(order) if self.executor else [*self.workers]
        running: dict[Future[Result], tuple[int, Executor]] = {}
        done = 0

        def start() -> None:
            while waiting and free:
                executor = free.pop(0)
                number = _next(waiting, executor, chosen)
                waiting.remove(number)
                chosen[number] = executor
                running[executor.submit(function, jobs[number])] = (number, executor)

        try:
            start()
            while running:
                numbers = [number for number, _ in running.values()]
                names = ", ".join(dict.fromkeys(jobs[number].name for number in numbers))
                self.on_progress(f"{step} {names}", done + 1, len(jobs))
                finished = wait(running, PROGRESS_INTERVAL, FIRST_COMPLETED).done
                for future in [future for future in running if future in finished]:
                    done += 1
                    number, executor = running.pop(future)
                    free.append(executor)
                    start()  # no worker waits while the result is used
                    yield number, future.result()
        except BrokenExecutor as error:
            raise WorkerError from error
        finally:
            for future in running:
                future.cancel()


def _next(waiting: Sequence[int], executor: Executor, chosen: Mapping[int, Executor]) -> int:
    """The first number that the `executor` is chosen for, or no other; else the last one."""
    for number in waiting:
        if chosen.get(number, executor) is executor:
            return number
    return waiting[-1]
