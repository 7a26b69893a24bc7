"""A static server on this machine that sends files with gzip, and counts their bytes."""

from __future__ import annotations

import gzip
import threading
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType

COMPRESSION_LEVEL = 6  # the usual level of web servers
GZIPPED_SUFFIXES = (".html", ".css", ".js", ".svg", ".xml", ".json")


def gzipped(content: bytes) -> bytes:
    """`content` as a server sends it."""
    return gzip.compress(content, COMPRESSION_LEVEL, mtime=0)


@cache
def _file(path: Path) -> bytes:
    return gzipped(path.read_bytes())


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments: object, sent: list[int], directory: str) -> None:
        self.sent = sent
        super().__init__(*arguments, directory=directory)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if not path.is_file() or path.suffix not in GZIPPED_SUFFIXES:
            self.send_error(404)
            return
        content = _file(path)
        self.sent.append(len(content))
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class GzipServer:
    """Serves `site` at `address`; `sent` has the compressed size of each file that it sent."""

    def __init__(self, site: Path) -> None:
        self.sent: list[int] = []
        handler = partial(_Handler, sent=self.sent, directory=str(site.resolve()))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)

    @property
    def address(self) -> str:
        """Without a slash at its end."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> GzipServer:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
