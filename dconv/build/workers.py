"""Processes of a build: workers for its jobs, as a `concurrent.futures.Executor`, and helpers.

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
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkContext
from typing import TypeVar

from dconv.build.signals import END_SIGNALS, signals_blocked
from dconv.model.diagnostics import UserError


class WorkerError(UserError):
    """A worker process ended before its job was done; the message is one sentence for the user."""

    def __init__(self) -> None:
        super().__init__(
            "a worker process ended before its job was done, perhaps for lack of memory; "
            "the old site is unchanged; --jobs 1 works without worker processes"
        )


@contextmanager
def worker_pool(count: int) -> Iterator[Executor]:
    """An executor of `count` worker processes, which end with the `with` block.

    The workers also end if this process is killed: each waits for the end of a pipe whose
    other end only this process has.
    """
    context = fork_context()  # faster than to spawn them
    is_forked = context is not None
    reader, writer = multiprocessing.Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        count, mp_context=context or multiprocessing.get_context("spawn"),
        initializer=_start_worker, initargs=(reader, writer if is_forked else None),
    )
    try:
        if is_forked:
            # The first job forks all workers, which inherit the handlers of a command: each
            # unblocks the signals once it has set its own.
            with signals_blocked():
                pool.submit(os.getpid)
        yield pool
    except BaseException:
        # Stop the workers, whatever they are doing.  A worker may be half through the result that
        # a thread of the pool is reading, so that thread may never end: do not wait for it.
        writer.close()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    else:
        pool.shutdown()
        writer.close()
    finally:
        reader.close()


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


T = TypeVar("T")


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
    with signals_blocked():
        process.start()
    writer.close()

    def result() -> T:
        with reader:
            try:
                is_result, value = pickle.loads(reader.recv_bytes())
            except EOFError as error:
                raise WorkerError from error
        process.join()
        if not is_result:
            raise value
        return value  # type: ignore[no-any-return]

    return result


def _send_result(function: Callable[[], T], reader: Connection, writer: Connection) -> None:
    """Send the result of `function`, or its exception; end when nobody is there to read it."""
    reader.close()
    multiprocessing.current_process().daemon = False  # it may start such processes, too
    for number in END_SIGNALS:  # a terminal sends them to all processes of the build
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)
    gc.disable()
    try:
        answer: tuple[bool, object] = (True, function())
    except Exception as error:
        answer = (False, error)
    try:
        writer.send_bytes(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))
    except BrokenPipeError:
        os._exit(1)
