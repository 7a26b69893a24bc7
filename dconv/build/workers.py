"""Tasks done by worker processes, or by this one: the same answers whoever does them.

Each worker has a desk, where tasks leave what later ones may use, and a pipe of its own
to this process.  What goes through a pipe is pickled by one side and read by the other;
nobody else can write to it.  A worker ends when the pipe does, so that none is left
over where this process is killed.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, SpawnContext
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from types import TracebackType
from typing import Generic, Protocol, TypeAlias, TypeVar

from dconv.model.refusal import Refusal

Desk = TypeVar("Desk")
DeskIn = TypeVar("DeskIn", contravariant=True)
Meanwhile: TypeAlias = Callable[[object], None]  # is told what a task knows before its answer
PATIENCE = 5.0  # seconds that a worker may take to end when it was told to


def unheard(known: object) -> None:
    """Where nobody wants to know anything before the answer."""


class WorkerError(Refusal):
    """A worker process has ended before its work; the message is one sentence for the user."""


class Task(Protocol[DeskIn]):
    """Something to do: its `name` for people.

    `lot` says what it reads and leaves on the desk, or is empty.
    """

    @property
    def lot(self) -> str: ...

    @property
    def name(self) -> str: ...

    def run(self, desk: DeskIn, meanwhile: Meanwhile) -> object:
        """Do it; the answer.  What is known before is told `meanwhile`."""


@dataclass(slots=True)
class _Worker(Generic[Desk]):
    """A process: the task that it does now, those that only it shall do, the lots it had."""

    process: BaseProcess
    pipe: Connection
    task: Task[Desk] | None = None
    own: deque[bytes] = field(default_factory=deque)
    lots: set[str] = field(default_factory=set)


class Workers(Generic[Desk]):
    """`count` workers, each with a desk that `desk` makes; 1 is this process itself.

    Tasks are given, and answers taken as they come.  Raises what a task raises, and
    `WorkerError`.
    """

    def __init__(self, count: int, desk: Callable[[], Desk]) -> None:
        self.count = count
        self._make = desk
        self._desk = desk() if count == 1 else None
        self._waiting: deque[Task[Desk]] = deque()
        self._workers: list[_Worker[Desk]] = []

    def __enter__(self) -> Workers[Desk]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start the processes that do not run yet."""
        while self._desk is None and len(self._workers) < self.count:
            context = _context()
            ours, theirs = context.Pipe()
            forked = context.get_start_method() == "fork"
            inherited = [*(one.pipe for one in self._workers), ours] if forked else []
            process = context.Process(
                target=_work, args=(theirs, inherited, self._make), daemon=True
            )
            process.start()
            theirs.close()
            self._workers.append(_Worker(process, ours))

    def each(self, task: Task[Desk], clears: bool = False) -> None:
        """Let every worker do `task`, before all that is given later; it has no answer.

        One that `clears` desks leaves nothing there of the lots that workers had.
        """
        if self._desk is not None:
            task.run(self._desk, unheard)
            return
        self.start()
        message = bytes(ForkingPickler.dumps(task))
        for worker in self._workers:
            worker.own.append(message)
            if clears:
                worker.lots.clear()

    def give(self, task: Task[Desk]) -> None:
        """Let a worker do `task`; those given first begin first, where it makes no difference."""
        self._waiting.append(task)

    def begin(self, begun: Callable[[Task[Desk]], None]) -> None:
        """Let idle processes begin what was given; `begun` is told of each task."""
        if self._desk is None:
            self.start()
            for worker in self._workers:
                if isinstance(worker.task, _Own) and worker.pipe.poll():
                    self._heard(worker)
                if worker.task is None:
                    self._occupy(worker, begun)

    def take(
        self, begun: Callable[[Task[Desk]], None], meanwhile: Meanwhile = unheard
    ) -> tuple[Task[Desk], object]:
        """The next task that is done, with its answer; one must have been given.

        `begun` is told of each that is begun by then, and `meanwhile` what tasks know before
        their answers.
        """
        if self._desk is not None:
            task = self._waiting.popleft()
            begun(task)
            return task, task.run(self._desk, meanwhile)
        while True:
            self.begin(begun)
            for pipe in wait([worker.pipe for worker in self._workers]):
                worker = next(one for one in self._workers if one.pipe is pipe)
                done = worker.task
                last, answer = self._heard(worker)
                if not last:
                    meanwhile(answer)
                    continue
                if done is not None and not isinstance(done, _Own):
                    self._occupy(worker, begun)
                    return done, answer

    def settle(self) -> None:
        """Forget what was given, wait for what was begun; nobody wants the answers any more."""
        self._waiting.clear()
        for worker in self._workers:
            worker.own.clear()
            if worker.task is not None:
                worker.task = None
                with contextlib.suppress(Exception):
                    while not self._heard(worker)[0]:
                        pass

    def close(self) -> None:
        """End the processes, whatever they do now; they start again where work is given."""
        self._waiting.clear()
        for worker in self._workers:
            worker.pipe.close()
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join(PATIENCE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.process.close()
        self._workers.clear()

    def _occupy(
        self, worker: _Worker[Desk], begun: Callable[[Task[Desk]], None]
    ) -> None:
        """Give an idle worker its next task: its own first, then one of a lot that it had.

        Of other workers' lots it takes the last, which is the least likely to be at hand there.
        """
        if worker.own:
            worker.task = _Own()
            self._send(worker, worker.own.popleft())
        elif self._waiting:
            others = [other for other in self._workers if other is not worker]
            mine = (task for task in self._waiting if task.lot in worker.lots)
            free = (
                task for task in self._waiting if not any(task.lot in one.lots for one in others)
            )
            task = next(mine, next(free, self._waiting[-1]))
            self._waiting.remove(task)
            worker.task = task
            if task.lot:
                worker.lots.add(task.lot)
            begun(task)
            self._send(worker, bytes(ForkingPickler.dumps(task)))

    def _send(self, worker: _Worker[Desk], message: bytes) -> None:
        try:
            worker.pipe.send_bytes(message)
        except OSError as error:
            raise self._ended(worker) from error

    def _heard(self, worker: _Worker[Desk]) -> tuple[bool, object]:
        """What a worker sends next, and whether it is the answer to its task."""
        try:
            kind, answer = worker.pipe.recv()
        except (EOFError, OSError) as error:
            raise self._ended(worker) from error
        if kind != "known":
            worker.task = None  # also where the answer is an error
        if kind == "failed":
            raise answer
        return kind == "done", answer

    def _ended(self, worker: _Worker[Desk]) -> WorkerError:
        worker.process.join(PATIENCE)
        code = worker.process.exitcode
        how = f"by signal {-code}" if code is not None and code < 0 else f"with status {code}"
        return WorkerError(
            f"a worker process has ended {how}, perhaps for want of memory: the old site stays "
            "as it was; --jobs 1 works without them"
        )


class _Own:
    """Stands for a task that has no answer."""

    lot = name = ""

    def run(self, desk: object, meanwhile: Meanwhile) -> object:
        """Nothing: the message of such a task is its own."""


def _context() -> ForkContext | SpawnContext:
    """How processes start: by fork, which is fast, where it is safe."""
    if sys.platform.startswith("linux") and threading.active_count() == 1:
        return multiprocessing.get_context("fork")
    return multiprocessing.get_context("spawn")


def _work(
    pipe: Connection, inherited: Sequence[Connection], make: Callable[[], Desk]
) -> None:
    """Do what comes through `pipe` until it ends.

    What a forked process has `inherited` are the other ends: it would keep them, and so
    its own pipe, open when the process is gone that gives the work.
    """
    for other in inherited:
        other.close()
    for name in ("SIGINT", "SIGHUP"):  # they are for the process that gives the work
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.disable()  # as there, see cli/commands.py
    desk = make()

    def meanwhile(known: object) -> None:
        pipe.send(("known", known))

    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            message = bytes(ForkingPickler.dumps(("done", task.run(desk, meanwhile))))
        except Exception as error:  # whatever it is, who gave the task must know it
            message = _told(error)
        del task
        try:
            pipe.send_bytes(message)
        except OSError:
            return
        del message


def _told(error: Exception) -> bytes:
    """`error` as an answer: itself where it can travel, else what is known of it."""
    told = traceback.format_exc()
    if not isinstance(error, Refusal):
        error.add_note(told)
    try:
        message = bytes(ForkingPickler.dumps(("failed", error)))
        ForkingPickler.loads(message)
    except Exception:  # some classes of errors cannot be made again from what they say
        return bytes(ForkingPickler.dumps(("failed", RuntimeError(told))))
    return message
