"""Processes of a build: workers for its jobs, each as a `concurrent.futures.Executor`, and helpers.

A helper runs one function while the main process continues.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import ForkContext
from multiprocessing.process import BaseProcess
from typing import Any, ParamSpec, TypeVar

from dconv.model.diagnostics import UserError

P = ParamSpec("P")
T = TypeVar("T")

# those that end a command
END_SIGNALS = tuple(
    number for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if (number := getattr(signal, name, None)) is not None
)


class WorkerError(UserError):
    """A worker process ended before its job was done; the message is one sentence for the user."""

    def __init__(self) -> None:
        super().__init__(
            "a worker process ended before its job was done, perhaps for lack of memory; "
            "the old site is unchanged; --jobs 1 works without worker processes"
        )


@contextmanager
def worker_processes(count: int) -> Iterator[Sequence[Executor]]:
    """`count` executors, each of one process, which ends with the `with` block.

    Each runs one job at a time; `WorkerError` is raised if its process ends before the job is
    done.  The processes also end if this one is killed: each waits for the end of a pipe whose
    other end only this process has.
    """
    context = fork_context()  # faster than to spawn them
    reader, writer = multiprocessing.Pipe(duplex=False)
    # each forked process unblocks the signals once it has set its own actions
    with end_signals_blocked() if context else nullcontext():
        workers = [_started(context, reader, writer) for _ in range(count)]
    try:
        yield workers
    finally:
        writer.close()
        reader.close()
        for worker in workers:
            worker.end()


class _Worker(ThreadPoolExecutor):
    """A `process`, and the thread that sends it jobs and waits for their results."""

    def __init__(self, process: BaseProcess, connection: Connection) -> None:
        super().__init__(max_workers=1)
        self._process, self._connection = process, connection

    def submit(
        self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Run `function` in the process."""
        return super().submit(self._result, partial(function, *args, **kwargs))

    def _result(self, function: Callable[[], T]) -> T:
        content = pickle.dumps(function, pickle.HIGHEST_PROTOCOL)
        try:
            self._connection.send_bytes(content)
            answer = self._connection.recv_bytes()
        except (EOFError, OSError) as error:
            raise WorkerError from error
        return result_of(answer)  # type: ignore[no-any-return]

    def end(self) -> None:
        """End the process, whatever it is doing, and wait for it and for the thread."""
        self._process.terminate()
        self.shutdown(cancel_futures=True)
        self._connection.close()
        self._process.join()


def _started(context: ForkContext | None, reader: Connection, writer: Connection) -> _Worker:
    """A worker whose process is started; `reader` and `writer` are the pipe that ends it."""
    own_end, other_end = multiprocessing.Pipe()
    process = (context or multiprocessing.get_context("spawn")).Process(
        target=_run_jobs, args=(other_end, reader, writer if context else None), daemon=True
    )
    process.start()
    other_end.close()
    return _Worker(process, own_end)


def _run_jobs(connection: Connection, reader: Connection, writer: Connection | None) -> None:
    """Run each function that comes by `connection`, and send its result back."""
    _start_worker(reader, writer)
    with suppress(EOFError, OSError):
        while True:
            connection.send_bytes(answer_of(pickle.loads(connection.recv_bytes())))


def answer_of(function: Callable[[], object]) -> bytes:
    """The result of `function`, or the exception that it raises, as bytes for `result_of`."""
    try:
        answer: tuple[bool, object] = (True, function())
    except Exception as error:
        error.add_note(f"in a process of the build:\n{traceback.format_exc()}")
        answer = (False, error)
    return pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)


def result_of(answer: bytes) -> Any:
    """The result in the `answer` of another process; raises the exception if it is one."""
    is_result, value = pickle.loads(answer)
    if not is_result:
        raise value
    return value


@contextmanager
def end_signals_blocked() -> Iterator[None]:
    """Let the signals that end a command wait until the `with` block ends."""
    signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)


def fork_context() -> ForkContext | None:
    """What forks processes, or None where that is not safe: with other threads, not on Linux."""
    if sys.platform.startswith("linux") and threading.active_count() == 1:
        return multiprocessing.get_context("fork")
    return None


def _start_worker(reader: Connection, writer: Connection | None) -> None:
    """Prepare this process for jobs; it ends when the last `writer` of the pipe is closed.

    A forked process has a copy of the `writer`, which it closes.
    """
    if writer is not None:
        writer.close()
    for name in ("SIGINT", "SIGHUP"):  # a terminal sends them to all processes of the build
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if writer is not None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)
    gc.disable()  # trees have no cycles; collecting would cost a fifth of the time
    threading.Thread(target=_end_with_parent, args=(reader,), daemon=True).start()


def _end_with_parent(reader: Connection) -> None:
    """End this process when the pipe ends."""
    with suppress(EOFError, OSError):
        reader.recv_bytes()
    os._exit(1)


# --- helpers --------------------------------------------------------------------------


def in_background(function: Callable[[], T], enabled: bool = True) -> Callable[[], T]:
    """Start `function` in a forked process; return a function that waits for its result.

    The process has all that this one has, and only the result is sent.  If forking is not safe,
    or not `enabled`, the result is made when it is asked for.  An exception of `function` is
    raised there; `WorkerError` is raised if the process ended before it was done.
    """
    context = fork_context() if enabled else None
    if context is None:
        return function
    reader, writer = context.Pipe(duplex=False)
    process = context.Process(target=_send_result, args=(function, reader, writer), daemon=True)
    with end_signals_blocked():
        process.start()
    writer.close()

    def result() -> T:
        with reader:
            try:
                answer = reader.recv_bytes()
            except EOFError as error:
                raise WorkerError from error
        process.join()
        return result_of(answer)  # type: ignore[no-any-return]

    return result


def _send_result(function: Callable[[], T], reader: Connection, writer: Connection) -> None:
    """Send the result of `function`, or its exception; end when nobody is there to read it."""
    reader.close()
    for number in END_SIGNALS:  # a terminal sends them to all processes of the build
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)
    gc.disable()
    try:
        writer.send_bytes(answer_of(function))
    except BrokenPipeError:
        os._exit(1)
