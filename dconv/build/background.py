"""Run a function in a process of its own while this one continues."""

from __future__ import annotations

import gc
import os
import pickle
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar

from dconv.build.jobs import WorkerError
from dconv.build.workers import END_SIGNALS, fork_context

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
    signal.pthread_sigmask(signal.SIG_BLOCK, END_SIGNALS)
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, END_SIGNALS)
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
