"""Run tasks that wait for the network in threads, at the same time.

An interrupted command must not wait for them: it ends their programs, and daemon threads end with
the process; `concurrent.futures` would wait for a thread that waits for a server.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping
from queue import Empty, SimpleQueue
from typing import TypeVar

from dconv.sources.programs import PROGRAMS, Programs

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")

THREADS = 8  # tasks that run at the same time
# seconds without a result before the next thread starts: tasks that find their texts on this disk
# take less, and several threads would only wait for each other
START_INTERVAL = 0.03
INTERVAL = 1.0  # seconds between two reports
CLEANUP_TIMEOUT = 2.0  # seconds that interrupted tasks have to remove what they wrote


def run_in_threads(
    tasks: Mapping[Key, Callable[[], Result]],
    on_wait: Callable[[Mapping[Key, Result]], object],
) -> dict[Key, Result]:
    """The results of `tasks`, in their order; raises what the first of them to fail raises.

    `on_wait` is called with what is done, now and then while others run.
    """
    waiting: SimpleQueue[Key] = SimpleQueue()
    finished: SimpleQueue[tuple[Key, Result] | BaseException] = SimpleQueue()
    programs = Programs()
    for key in tasks:
        waiting.put(key)

    def work() -> None:
        PROGRAMS.set(programs)
        while True:
            try:
                key = waiting.get_nowait()
            except Empty:
                return
            try:
                finished.put((key, tasks[key]()))
            except BaseException as error:  # the caller raises it
                finished.put(error)

    thread_count = min(THREADS, len(tasks))
    threads: list[threading.Thread] = []

    def start_thread() -> None:
        threads.append(threading.Thread(target=work, daemon=True))
        threads[-1].start()

    results: dict[Key, Result] = {}
    try:
        if tasks:
            start_thread()
        while len(results) < len(tasks):
            on_wait(results)
            may_start = len(threads) < thread_count
            try:
                result = finished.get(timeout=START_INTERVAL if may_start else INTERVAL)
            except Empty:
                if may_start:
                    start_thread()
                continue
            if isinstance(result, BaseException):
                raise result
            results[result[0]] = result[1]
    except BaseException:
        while not waiting.empty():
            waiting.get()
        programs.end()
        for thread in threads:
            thread.join(CLEANUP_TIMEOUT / len(threads))
        raise
    for thread in threads:
        thread.join()
    return {key: results[key] for key in tasks}
