"""Run tasks that wait for the network in threads, at the same time.

An interrupted command must not wait for them: it ends their programs, and the process exits without
its threads.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import TypeVar

from dconv.sources.programs import RUNNING_PROGRAMS, RunningPrograms

Key = TypeVar("Key", bound=Hashable)
Result = TypeVar("Result")

THREADS = 8  # tasks that run at the same time
REPORT_INTERVAL = 1.0  # seconds between two reports
CLEANUP_TIMEOUT = 2.0  # seconds that interrupted tasks have to remove what they wrote


def run_in_threads(
    tasks: Mapping[Key, Callable[[], Result]],
    on_wait: Callable[[Mapping[Key, Result]], object],
) -> dict[Key, Result]:
    """The results of `tasks`, in their order; raises what the first of them to fail raises.

    `on_wait` is called with what is done, now and then while others run.
    """
    programs = RunningPrograms()
    threads = ThreadPoolExecutor(THREADS, initializer=RUNNING_PROGRAMS.set, initargs=(programs,))
    keys = {threads.submit(task): key for key, task in tasks.items()}
    results: dict[Key, Result] = {}
    running = {*keys}
    try:
        while running:
            on_wait(results)
            done, running = wait(running, REPORT_INTERVAL, FIRST_COMPLETED)
            results.update({keys[future]: future.result() for future in done})
    except BaseException:
        threads.shutdown(wait=False, cancel_futures=True)
        programs.end()
        wait(running, CLEANUP_TIMEOUT)
        raise
    threads.shutdown()
    return {key: results[key] for key in tasks}
