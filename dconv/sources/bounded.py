"""HTTP connections that end: no server holds us longer, or sends more, than is allowed.

`http.client` waits for each piece of an answer's head anew, and `urllib` reads to its end
what comes with a redirection: a server that sends a byte now and then, or for ever, would
hold us for ever.
"""

from __future__ import annotations

import http.client
import io
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import urlsplit

from dconv.sources.files import check_size
from dconv.sources.types import LIMIT

STEP = 10.0  # seconds to wait for a server's next sign of life
MOST = 2 * LIMIT  # bytes of an answer with its head and the marks between its parts


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one download may take: until when (by `time.monotonic`), and its name for messages."""

    deadline: float
    shown: str

    def wait(self) -> float:
        """How long to wait for the next sign of life; raises `TimeoutError` at the deadline."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return min(STEP, left)


class Reader(io.RawIOBase):
    """What `stream` reads of `connection`; raises `TimeoutError` and `SourceError` beyond."""

    def __init__(
        self, stream: io.RawIOBase, connection: socket.socket, allowance: Allowance
    ) -> None:
        super().__init__()
        self._stream, self._connection, self._allowance = stream, connection, allowance
        self._size = 0

    def readable(self) -> bool:
        """True: nothing else is done with it."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Fill the `buffer` with what is there, or with what comes in time."""
        self._connection.settimeout(self._allowance.wait())
        size = self._stream.readinto(buffer)
        self._size += size or 0
        check_size(self._size, self._allowance.shown, MOST)
        return size

    def close(self) -> None:
        """Close the stream below, too."""
        self._stream.close()
        super().close()


class Handlers(urllib.request.HTTPSHandler, urllib.request.HTTPHandler):
    """Opens http and https addresses within an allowance."""

    def __init__(self, allowance: Allowance, answers: ExitStack) -> None:
        super().__init__()
        self._allowance, self._answers = allowance, answers

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """The answer to `req` by http."""
        return self.do_open(self._within(http.client.HTTPConnection), req)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """The answer to `req` by https."""
        return self.do_open(self._within(http.client.HTTPSConnection), req)

    def _within(self, kind: Any) -> Any:
        """What makes connections of the `kind` that end in time."""
        allowance, answers = self._allowance, self._answers

        class Response(http.client.HTTPResponse):
            def __init__(self, sock: socket.socket, *more: Any, **named: Any) -> None:
                super().__init__(sock, *more, **named)
                stream = self.fp.detach()  # undocumented
                self.fp = io.BufferedReader(Reader(stream, sock, allowance))
                answers.callback(self.close)  # urllib leaves those of redirections open

        def connection(host: str, **named: Any) -> http.client.HTTPConnection:
            made: http.client.HTTPConnection = kind(host, **{**named, "timeout": allowance.wait()})
            made.response_class = Response
            return made

        return connection


class SafeRedirects(urllib.request.HTTPRedirectHandler):
    """Follows redirections to http and https only, and none from https to http."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str,
        headers: http.client.HTTPMessage, newurl: str,
    ) -> urllib.request.Request | None:  # fmt: skip
        """The request for `newurl`; raises `HTTPError` where that is not followed."""
        allowed = ("https",) if urlsplit(req.full_url).scheme == "https" else ("http", "https")
        if urlsplit(newurl).scheme not in allowed:
            raise urllib.error.HTTPError(req.full_url, code, msg, headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


@contextmanager
def opener(allowance: Allowance) -> Iterator[urllib.request.OpenerDirector]:
    """What opens http and https, and no other scheme (no file:, ftp:, data:).

    At the end all that was opened is closed.
    """
    made = urllib.request.OpenerDirector()
    with ExitStack() as answers:
        for handler in (
            urllib.request.ProxyHandler(),
            urllib.request.UnknownHandler(),
            Handlers(allowance, answers),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPErrorProcessor(),
            SafeRedirects(),
        ):
            made.add_handler(handler)
        yield made
