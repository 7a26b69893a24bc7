"""The preview: a web server on this machine that rebuilds the site and reloads its pages.

The server serves the output folder and adds a script to each page.  The script asks for the
state of the build: it reloads the page after a build, and shows why a build failed.  A build
starts when the time or the size of a watched file changes.
"""

from __future__ import annotations

import html
import json
import mimetypes
import os
import stat
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TypeAlias
from urllib.parse import unquote

from dconv.model.diagnostics import UserError
from dconv.model.values import dataclass
from dconv.proof.linkcheck import MISSING_PAGE

ADDRESS = "127.0.0.1"
WATCH_INTERVAL = 0.05  # seconds between looks at the files; a build starts after one without change
CONNECTION_TIMEOUT = 60.0  # seconds after which a silent connection is closed
STOP_INTERVAL = 0.1  # seconds between two looks at whether the server has to stop
MAX_WAIT = 3.0  # seconds of continuous saving after which a build starts all the same
HTTP_PORT = 80  # the port that browsers leave out of the Host header
INDEX_PAGE = "index.html"
BUILDING = "The site is being built. This page shows it as soon as it is ready."
HTML = "text/html; charset=utf-8"
SCRIPT = Path(__file__).with_name("preview.js")
SCRIPT_PATH = "/dconv-reload.js"
STATE_PATH = "/dconv-state.json"

# modification and change times (nanoseconds) and size of a file; a program that copies a file may
# restore the modification time, but not the change time
FileTimes: TypeAlias = "tuple[int, int, int]"


class ServeError(UserError):
    """The preview cannot start; the message is one sentence for the user."""


@dataclass(slots=True)
class BuildState:
    """The last build: `version` counts successful builds, `error` says why the last one failed."""

    version: int = 0
    error: str = ""
    building: bool = False


class Preview(ThreadingHTTPServer):
    """Serves `folder` on the loopback address; port 0 takes a free one.

    `root` is the path of the site's public address ("/docs/"): links of the 404 page begin with it.
    Raises `ServeError` if the port is taken.
    """

    daemon_threads = True

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.root = "/"
        self.state = BuildState()
        try:
            super().__init__((ADDRESS, port), _Handler)
        except OSError as error:
            cause = (error.strerror or str(error)).lower()
            reason = f"cannot listen on port {port} ({cause}); choose another --port"
            raise ServeError(reason) from error

    @property
    def url(self) -> str:
        """The address to open."""
        return f"http://{ADDRESS}:{self.server_port}/"

    def build_started(self) -> None:
        """Note that a build has started."""
        self.state.building = True

    def build_finished(self, error: str) -> None:
        """Note that the build has replaced the folder, or failed with `error`."""
        self.state.error = error
        if not error:
            self.state.version += 1
        self.state.building = False

    def resolve(self, path: str) -> tuple[HTTPStatus, str, bytes]:
        """Status, content type and body for `path`, without the reload script."""
        for name in (path, f"/{path.removeprefix(self.root)}"):
            file = self._file(name)
            if file and file.is_dir():  # without the slash, the links of its page would fail
                return _message(HTTPStatus.MOVED_PERMANENTLY, f"The page is {path}/")
            body = _content(file) if file else None
            if body is not None:
                return HTTPStatus.OK, _content_type(str(file)), body
        return self._missing(path)

    def _missing(self, path: str) -> tuple[HTTPStatus, str, bytes]:
        """The 404 page of the site, or a plain one if it has none."""
        if self.state.version == 0:
            return _message(HTTPStatus.SERVICE_UNAVAILABLE, self.state.error or BUILDING)
        file = self._file(f"/{MISSING_PAGE}")
        page = _content(file) if file else None
        if page is None:
            return _message(HTTPStatus.NOT_FOUND, f"There is no page {path}")
        return HTTPStatus.NOT_FOUND, HTML, page

    def _file(self, path: str) -> Path | None:
        """The file at `path` in the folder, a folder with an index but no slash, or None."""
        if any(part.startswith(".") for part in path.split("/")) or "\0" in path:
            return None
        folder = Path(os.path.realpath(self.folder))
        try:
            file = Path(os.path.realpath(folder / path.lstrip("/")))
            has_index = file.is_dir() and (file / INDEX_PAGE).is_file()
            if has_index and path.endswith("/"):
                file /= INDEX_PAGE
            exists = has_index or (file.is_file() and not path.endswith("/"))
        except OSError:  # the name is too long
            return None
        return file if exists and file.is_relative_to(folder) else None

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore browsers that close a connection early."""


class _Handler(SimpleHTTPRequestHandler):
    """Answers with a file of the folder, the reload script, or the state."""

    server: Preview
    server_version = "dconv"
    protocol_version = "HTTP/1.1"
    timeout = CONNECTION_TIMEOUT

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing: only `dconv.cli` prints."""

    def _answer(self, *, with_body: bool) -> None:
        status, content_type, body = self._response()
        self.send_response(status)
        if status == HTTPStatus.MOVED_PERMANENTLY:
            self.send_header("Location", _with_slash(self.path))
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        # else pages of other servers could run the search scripts and read the texts
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def _response(self) -> tuple[HTTPStatus, str, bytes]:
        """Status, content type and body of the answer."""
        if not self._is_local():
            return _message(HTTPStatus.FORBIDDEN, f"This is a preview: open {self.server.url}")
        path = unquote(_path_and_query(self.path)[0])
        if path == SCRIPT_PATH:
            return HTTPStatus.OK, "text/javascript; charset=utf-8", SCRIPT.read_bytes()
        if path == STATE_PATH:
            return HTTPStatus.OK, "application/json", json.dumps(asdict(self.server.state)).encode()
        version = self.server.state.version  # read before the page, which may be newer: it reloads
        status, content_type, body = self.server.resolve(path)
        return status, content_type, _with_script(body, version) if content_type == HTML else body

    def _is_local(self) -> bool:
        """Whether the request names this machine: the name of another site may lead here, too."""
        port = self.server.server_port
        suffix = "" if port == HTTP_PORT else f":{port}"
        return self.headers.get("Host", "") in (f"{ADDRESS}{suffix}", f"localhost{suffix}")


def _with_script(page: bytes, version: int) -> bytes:
    """`page` with the reload script, which gets the `version` of the page."""
    tag = f'<script src="{SCRIPT_PATH}" data-version="{version}" defer></script>'
    return page.replace(b"</head>", f"{tag}</head>".encode(), 1)


def _with_slash(address: str) -> str:
    """The `address` of a request with a slash after its path.

    Only one leading slash stays: browsers take `//host/` for another host.
    """
    path, query = _path_and_query(address)
    return f"/{path.lstrip('/')}/{query}"


def _path_and_query(address: str) -> tuple[str, str]:
    """The path and the query (with its "?", or empty) of a request's `address`."""
    path, question_mark, query = address.partition("#")[0].partition("?")
    return path, question_mark + query


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:  # a build is just replacing the folder
        return None


def _content_type(name: str) -> str:
    """The content type of the file `name`."""
    kind = SimpleHTTPRequestHandler.extensions_map.get(Path(name).suffix.lower())
    kind = kind or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def _message(status: HTTPStatus, message: str) -> tuple[HTTPStatus, str, bytes]:
    page = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>dconv</title>'
        f"</head><body><h1>dconv</h1><pre>{html.escape(message)}</pre></body></html>\n"
    )
    return status, HTML, page.encode()


# --- watching -------------------------------------------------------------------------


def file_times(paths: Iterable[Path]) -> dict[str, FileTimes]:
    """The times and size of each file at or below `paths`."""
    times: dict[str, FileTimes] = {}
    queue = [str(path) for path in paths]
    while queue:
        path = queue.pop()
        try:
            state = os.stat(path)
            if stat.S_ISDIR(state.st_mode):
                queue += [os.path.join(path, name) for name in os.listdir(path)]
            times[path] = (state.st_mtime_ns, state.st_ctime_ns, state.st_size)
        except OSError:  # an editor replaces a file by renaming; a folder may vanish
            continue
    return times


def run(
    preview: Preview, watched: Callable[[], Iterable[Path]], build: Callable[[], str],
    stop: threading.Event, after_build: Callable[[], object],
) -> None:
    """Serve `preview` until `stop`; call `build` and `after_build` when a `watched` file changes.

    `watched` is called before each build.  `build` returns an empty string or an error message; an
    error, returned or raised, is shown on the pages of the last good build.
    """
    thread = threading.Thread(target=preview.serve_forever, args=(STOP_INTERVAL,), daemon=True)
    thread.start()
    try:
        while not stop.is_set():
            paths = tuple(watched())  # they change only when one of the files does
            before = file_times(paths)
            preview.build_started()
            preview.build_finished(_error_of(build))
            after_build()
            _wait_for_change(before, paths, stop)
    finally:
        preview.shutdown()
        preview.server_close()
        thread.join()


def _error_of(build: Callable[[], str]) -> str:
    """The error message that `build` returns or raises; the next save may correct it."""
    try:
        return build()
    except OSError as error:  # a full disk, a deleted file
        return f"{error.filename or 'the build'}: {(error.strerror or str(error)).lower()}"
    except Exception as error:  # a bug
        words = " ".join(str(error).split())
        return f"internal error, please report it: {type(error).__name__}: {words}"


def _wait_for_change(
    before: dict[str, FileTimes], paths: Iterable[Path], stop: threading.Event
) -> None:
    """Return when files at `paths` differ from `before` and nothing is being written."""
    times = file_times(paths)
    while times == before and not stop.wait(WATCH_INTERVAL):
        times = file_times(paths)
    deadline = time.monotonic() + MAX_WAIT
    while not stop.wait(WATCH_INTERVAL) and time.monotonic() < deadline:
        newer_times = file_times(paths)
        if newer_times == times:
            return
        times = newer_times
