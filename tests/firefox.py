"""A second real browser: Firefox without a window, driven by Marionette, its own protocol.

https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html: a message is its
length in bytes, a colon, and JSON: `[0, number, command, parameters]` to the browser and
`[1, number, error, result]` back.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from programs import free_port, need

TIMEOUT = 60.0  # seconds that it gets to start on a busy machine


@dataclass
class Firefox:
    """The browser at the other end of `connection`."""

    connection: socket.socket

    def __post_init__(self) -> None:
        self._numbers = count(1)
        self._received()  # its greeting

    def open(self, address: str) -> None:
        """Load `address`, and wait until that is done."""
        self.ask("WebDriver:Navigate", url=address)

    def evaluate(self, script: str, *arguments: object) -> object:
        """What the `script` returns in the page."""
        answer = self.ask("WebDriver:ExecuteScript", script=script, args=list(arguments))
        return answer["value"]

    def ask(self, command: str, **parameters: object) -> dict[str, object]:
        """The result of a command."""
        message = json.dumps([0, next(self._numbers), command, parameters]).encode()
        self.connection.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._received()
        assert error is None, error
        return result if isinstance(result, dict) else {}

    def _received(self) -> list[object]:
        length = b""
        while not length.endswith(b":"):
            length += self._bytes(1)
        answer = json.loads(self._bytes(int(length[:-1])))
        return answer if isinstance(answer, list) else []

    def _bytes(self, number: int) -> bytes:
        content = b""
        while len(content) < number:
            part = self.connection.recv(number - len(content))
            assert part, "Firefox has ended"
            content += part
        return content


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """Firefox with a new profile in `folder`, without extensions or addresses to ask."""
    program = need("firefox-esr")
    port = free_port()
    wishes = {
        "marionette.port": port, "network.proxy.type": 1, "network.proxy.http": "127.0.0.1",
        "network.proxy.http_port": 9, "network.proxy.ssl": "127.0.0.1",
        "network.proxy.ssl_port": 9, "browser.shell.checkDefaultBrowser": False,
        "toolkit.telemetry.reportingpolicy.firstRun": False,
    }
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(to)});\n" for name, to in wishes.items()]
    (folder / "user.js").write_text("".join(lines))
    process = subprocess.Popen(
        [program, "--headless", "--marionette", "--no-remote", "--profile", str(folder)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"},
    )
    try:
        with closing(_connected(port)) as connection:
            browser = Firefox(connection)
            browser.ask("WebDriver:NewSession", capabilities={})
            yield browser
    finally:
        process.terminate()
        process.wait()


def _connected(port: int) -> socket.socket:
    """The connection to what will listen on `port` in a while."""
    deadline = time.monotonic() + TIMEOUT
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), TIMEOUT)
        except ConnectionRefusedError:
            assert time.monotonic() < deadline, "Firefox does not listen"
            time.sleep(0.1)
