"""Worker processes for the jobs of a build, as a `concurrent.futures.Executor`."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkContext

# those that end a command
END_SIGNALS = tuple(
    number for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if (number := getattr(signal, name, None)) is not None
)


@contextmanager
def worker_pool(count: int) -> Iterator[Executor]:
    """An executor of `count` worker processes, which end with the `with` block.

    The workers also end if this process is killed: each waits for the end of a pipe whose
    other end only this process has.
    """
    context = fork_context()  # faster than to spawn them
    forked = context is not None
    reader, writer = multiprocessing.Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        count, mp_context=context or multiprocessing.get_context("spawn"),
        initializer=_start_worker, initargs=(reader, writer if forked else None),
    )
    try:
        if forked:
            _fork_workers(pool)
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


def _fork_workers(pool: Executor) -> None:
    """Start all workers of `pool`, with signals blocked: they inherit the handlers of a command.

    The first job starts them.  Each unblocks the signals once it has set its own handlers.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS)
    try:
        pool.submit(os.getpid)
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
