"""Functions that run in a process of their own."""

from __future__ import annotations

import os
import signal
import time

import pytest

from dconv.build.background import in_background
from dconv.build.jobs import WorkerError


def test_a_function_has_what_this_process_has_and_sends_its_result() -> None:
    value = ["kettle"]
    result = in_background(lambda: (os.getpid(), [*value, "lamp"]))
    value.append("changed later")
    process, words = result()
    assert process != os.getpid()
    assert words == ["kettle", "lamp"]


def test_it_runs_here_if_it_is_not_to_run_beside() -> None:
    assert in_background(os.getpid, enabled=False)() == os.getpid()


def test_its_exception_is_raised_here() -> None:
    def fail() -> None:
        raise ValueError("no water")

    result = in_background(fail)
    with pytest.raises(ValueError, match="no water"):
        result()


def test_a_process_that_was_killed_is_told_in_a_sentence() -> None:
    def be_killed() -> None:
        os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(60)

    result = in_background(be_killed)
    with pytest.raises(WorkerError, match=r"^a worker process ended .*--jobs 1 works"):
        result()
