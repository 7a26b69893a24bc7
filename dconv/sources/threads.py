"""Run tasks that wait for the network in threads, at the same time.

An interrupted command must not wait for them: it ends their programs, and daemon threads end with
the process; `concurrent.futures` would wait for a thread that waits for a server.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

from dconv.sources.programs import RUNNING_PROGRAMS, RunningPrograms

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")

THREADS = 8  # tasks that run at the same time
# seconds without a result before the next thread starts: tasks that find their texts on this disk
# take less, and several threads would only wait for each other
START_INTERVAL = 0.03
REPORT_INTERVAL = 1.0  # seconds between two reports
CLEANUP_TIMEOUT = 2.0  # seconds that interrupted tasks have to remove what they wrote


def run_in_threads(
    tasks: Mapping[Key, Callable[[], Result]],
    on_wait: Callable[[Mapping[Key, Result]], object],
) -> dict[Key, Result]:
    """The results of `tasks`, in their order; raises what the first of them to fail raises.

    `on_wait` is called with what is done, now and then while others run.
    """
    waiting = deque(tasks)
    finished: SimpleQueue[tuple[Key, Result] | BaseException] = SimpleQueue()
    programs = RunningPrograms()
    threads: list[threading.Thread] = []

    def work() -> None:
        RUNNING_PROGRAMS.set(programs)
        with suppress(IndexError):  # no task is left
            while True:
                key = waiting.popleft()
                try:
                    finished.put((key, tasks[key]()))
                except BaseException as error:  # the caller raises it
                    finished.put(error)

    def start_thread() -> None:
        threads.append(threading.Thread(target=work, daemon=True))
        threads[-1].start()

    results: dict[Key, Result] = {}
    try:
        while len(results) < len(tasks):
            if not threads:
                start_thread()
            on_wait(results)
            may_start = len(threads) < min(THREADS, len(tasks))
            try:
                result = finished.get(timeout=START_INTERVAL if may_start else REPORT_INTERVAL)
            except Empty:
                if may_start:
                    start_thread()
                continue
            if isinstance(result, BaseException):
                raise result
            results[result[0]] = result[1]
    except BaseException:
        waiting.clear()
        programs.end()
        for thread in threads:
            thread.join(CLEANUP_TIMEOUT / len(threads))
        raise
    for thread in threads:
        thread.join()
    return {key: results[key] for key in tasks}
