"""Programs of the system that tests run: where they are, and what to do without them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

ADMINISTRATORS = ("/usr/local/sbin", "/usr/sbin", "/sbin")  # where PATH may not lead
TIMEOUT = 20.0  # seconds that a program gets to start


def need(program: str) -> str:
    """The path of `program`; without it the test is skipped, but where CI is set it fails."""
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), *ADMINISTRATORS))
    file = shutil.which(program, path=path)
    if file is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"the program {program} is not here")
        pytest.skip(f"the program {program} is not here")
    return file


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(ready: Callable[[], bool], what: str) -> None:
    """Wait until `ready`, but not forever."""
    deadline = time.monotonic() + TIMEOUT
    while not ready():
        assert time.monotonic() < deadline, f"waited in vain: {what}"
        time.sleep(0.02)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of browsers that leave before they have all."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def write_tree(files: Iterable[tuple[str, bytes]], folder: Path) -> None:
    """Write `files`, paths below `folder` and contents."""
    for path, content in files:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address, without a slash at its end, of a web server of the files of `folder`."""
    with _Server(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def running(words: list[str], port: int, log: Path) -> Iterator[None]:
    """The server of the command line `words` while it runs on `port`."""
    home = {**os.environ, "XDG_DATA_HOME": str(log.parent), "XDG_CONFIG_HOME": str(log.parent)}
    with (
        log.open("wb") as output,
        subprocess.Popen(words, stdout=output, stderr=output, env=home) as process,
    ):

        def ready() -> bool:
            assert process.poll() is None, log.read_text()
            with socket.socket() as asking:
                return asking.connect_ex(("127.0.0.1", port)) == 0

        try:
            wait_for(ready, words[0])
            yield
        finally:
            process.terminate()
