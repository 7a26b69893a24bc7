"""Functions that run in a process of their own.

Each test runs in a Python of its own: the runner of the tests has threads, so it must not fork.
"""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent


def _output(code: str) -> str:
    """What a new Python prints that runs `code` after the usual imports."""
    head = (
        "import os, signal, threading, time\n"
        "from dconv.build.workers import WorkerError, in_background\n"
    )
    return subprocess.run(
        [sys.executable, "-c", head + dedent(code)], check=True, stdout=subprocess.PIPE, text=True,
        timeout=60,
    ).stdout


def test_a_function_has_what_this_process_has_and_sends_its_result() -> None:
    assert _output("""
        value = ["kettle"]
        result = in_background(lambda: (os.getpid(), [*value, "lamp"]))
        value.append("changed later")
        process, words = result()
        print(process != os.getpid(), words)
    """) == "True ['kettle', 'lamp']\n"


def test_it_may_start_such_a_process() -> None:
    assert _output("""
        parent = in_background(lambda: (os.getpid(), in_background(os.getppid)()))()
        print(parent[0] == parent[1] != os.getpid())
    """) == "True\n"


def test_it_runs_here_if_it_is_not_to_run_beside() -> None:
    assert _output("print(in_background(os.getpid, enabled=False)() == os.getpid())") == "True\n"


def test_it_runs_here_if_there_are_other_threads() -> None:
    assert _output("""
        done = threading.Event()
        thread = threading.Thread(target=done.wait)
        thread.start()
        print(in_background(os.getpid)() == os.getpid())
        done.set()
    """) == "True\n"


def test_its_exception_is_raised_here() -> None:
    assert _output("""
        def fail():
            raise ValueError("no water")

        result = in_background(fail)
        try:
            result()
        except ValueError as error:
            print(error)
    """) == "no water\n"


def test_a_process_that_was_killed_is_told_in_a_sentence() -> None:
    message = _output("""
        parent = os.getpid()

        def be_killed():
            if os.getpid() != parent:
                os.kill(os.getpid(), signal.SIGKILL)
                time.sleep(60)

        try:
            in_background(be_killed)()
        except WorkerError as error:
            print(error)
    """)
    assert message.startswith("a worker process ended ")
    assert message.endswith("--jobs 1 works without worker processes\n")
