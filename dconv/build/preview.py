"""The preview: a web server for this machine only, which rebuilds and reloads.

Nothing is watched but times and sizes of files; nothing is served but the output's
folder, and before it pages that are made but not yet proved and written.  The server
puts one script into each page, which asks for the state of the build and reloads, or
shows why the last build failed.
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
from dataclasses import asdict, dataclass
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal, TypeAlias
from urllib.parse import unquote

from dconv.build.overlay import INDEX, Overlay
from dconv.build.reloading import SCRIPT, SCRIPT_PATH, STATE_PATH, injected
from dconv.model.refusal import Refusal

ADDRESS = "127.0.0.1"
INTERVAL = 0.05  # seconds between two looks at the files, and without a change before we build
IDLE = 60.0  # seconds without a word after which a browser's connection is closed
POLL = 0.1  # seconds after which the server notices that it shall stop
LONGEST_WAIT = 3.0  # seconds of saving without a pause after which we build all the same
HTTP = 80  # the port that browsers do not tell
MISSING = "/404.html"
HTML = "text/html; charset=utf-8"


# times of a file's modification and of its last change of any kind (nanoseconds), and its size:
# programs that copy a file give it the first of these back
FileTimes: TypeAlias = "tuple[int, int, int]"


class ServeError(Refusal):
    """The preview cannot start; the message is one sentence for the user."""


@dataclass(slots=True)
class State:
    """The last build: `version` counts what there was to see, `error` is why it failed.

    `stage` is what goes on: nothing, a build that has nothing to show, or one whose pages
    are shown, but not proved yet.
    """

    version: int = 0
    error: str = ""
    stage: Literal["", "building", "checking"] = ""


class Preview(ThreadingHTTPServer):
    """Serves `folder` on the loopback address; port 0 takes a free one.

    `root` is the path of the site's public address: what is not there is looked for below.
    What is shown changes while `changing` is held, so that each answer is of one moment.
    Raises `ServeError` where the port is taken.
    """

    daemon_threads = True

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.root = "/"
        self.state = State()
        self.overlay = Overlay()
        self.changing = threading.Lock()
        try:
            super().__init__((ADDRESS, port), _Handler)
        except OSError as error:
            reason = f"cannot listen on port {port} ({error.strerror}); choose another --port"
            raise ServeError(reason) from error

    @property
    def url(self) -> str:
        """The address to open."""
        return f"http://{ADDRESS}:{self.server_port}/"

    def begun(self) -> None:
        """A build has begun."""
        self.state.stage = "building"

    def show(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Show `files` of the build that goes on, before it has proved and written them."""
        with self.changing:
            first = not self.overlay
            self.overlay.show(files)
            self.state.stage, self.state.error = "checking", ""
            self._tell(first)

    def ended(self, error: str) -> None:
        """The build has written the folder, or left it as it was where there is an `error`."""
        with self.changing:
            early = bool(self.overlay)
            self.overlay.drop()
            self.state.stage, self.state.error = "", error
            self._tell(not early and not error)
            self.overlay.forget()

    def _tell(self, new: bool) -> None:
        """Let pages be loaded anew where all is `new`, or what was given is not so any more."""
        if new or self.overlay.differs(lambda path: self.found(path)[2]):
            self.state.version += 1
            self.overlay.forget()

    def found(self, path: str) -> tuple[HTTPStatus, str, bytes]:
        """Status, type and body of what is shown at `path`, as it is: without our script."""
        for name in (path, f"/{path.removeprefix(self.root)}"):  # links of 404.html have the root
            if early := self.overlay.file(name):
                return HTTPStatus.OK, _kind(early[0]), early[1]
            file = self._file(name)
            if self.overlay.is_folder(name) or (file and file.is_dir()):
                # else the links of the page would lead to the folder above
                return _message(HTTPStatus.MOVED_PERMANENTLY, f"The page is {path}/")
            body = _content(file) if file else None
            if body is not None:
                return HTTPStatus.OK, _kind(str(file)), body
        return self._missing(path)

    def _missing(self, path: str) -> tuple[HTTPStatus, str, bytes]:
        """The site's own page for what is missing, or ours where there is none."""
        if self.state.version == 0:
            return _message(HTTPStatus.SERVICE_UNAVAILABLE, self.state.error or "Building…")
        file = self._file(MISSING)
        page = _content(file) if file else None
        if page is None:
            return _message(HTTPStatus.NOT_FOUND, f"There is no page {path}")
        return HTTPStatus.NOT_FOUND, HTML, page

    def _file(self, path: str) -> Path | None:
        """The file at `path` below the folder, a folder without its slash, or None."""
        if any(part.startswith(".") for part in path.split("/")) or "\0" in path:
            return None
        folder = Path(os.path.realpath(self.folder))
        try:
            file = Path(os.path.realpath(folder / path.lstrip("/")))
            is_home = file.is_dir() and (file / INDEX).is_file()
            if is_home and path.endswith("/"):
                file /= INDEX
            found = is_home or (file.is_file() and not path.endswith("/"))
        except OSError:  # of a name that is too long
            return None
        return file if found and file.is_relative_to(folder) else None

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle is no news."""


class _Handler(SimpleHTTPRequestHandler):
    """Answers with a file of the folder, the script, or the state."""

    server: Preview
    server_version = "dconv"
    protocol_version = "HTTP/1.1"
    timeout = IDLE

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, format: str, *args: object) -> None:
        """Only the command line prints."""

    def _answer(self, *, with_body: bool) -> None:
        status, kind, body = self._answered()
        self.send_response(status)
        if status == HTTPStatus.MOVED_PERMANENTLY:
            self.send_header("Location", _slashed(self.path))
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        # pages of other servers could run the scripts of the search, and so read the texts
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def _answered(self) -> tuple[HTTPStatus, str, bytes]:
        """Status, type and body of the answer."""
        if not self._is_for_us():
            return _message(HTTPStatus.FORBIDDEN, f"This is a preview: ask {self.server.url}")
        path = unquote(_parts(self.path)[0])
        state = self.server.state
        if path == SCRIPT_PATH:
            return HTTPStatus.OK, "text/javascript; charset=utf-8", SCRIPT
        if path == STATE_PATH:
            return HTTPStatus.OK, "application/json", json.dumps(asdict(state)).encode()
        with self.server.changing:
            version = state.version
            status, kind, body = self.server.found(path)
            self.server.overlay.note(path, body)
        return status, kind, injected(body, version) if kind == HTML else body

    def _is_for_us(self) -> bool:
        """Refuse other hosts' names: pages elsewhere could read the preview through them."""
        port = self.server.server_port
        shown = "" if port == HTTP else f":{port}"
        return self.headers.get("Host", "") in (f"{ADDRESS}{shown}", f"localhost{shown}")


def _slashed(address: str) -> str:
    """The `address` (of a request) with a slash behind its path.

    Of slashes in front one is left: browsers take `//host/` for another host.
    """
    path, query = _parts(address)
    return f"/{path.lstrip('/')}/{query}"


def _parts(address: str) -> tuple[str, str]:
    """The path of a request's `address`, and its query with the mark in front, or nothing."""
    path, mark, query = address.partition("#")[0].partition("?")
    return path, mark + query


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:  # a build has just put another folder in its place
        return None


def _kind(name: str) -> str:
    """The type of the file `name`."""
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


def times(paths: Iterable[Path]) -> dict[str, FileTimes]:
    """Those of every file at or below `paths`."""
    found: dict[str, FileTimes] = {}
    waiting = [str(path) for path in paths]
    while waiting:
        path = waiting.pop()
        try:
            state = os.stat(path)
            if stat.S_ISDIR(state.st_mode):
                waiting += [os.path.join(path, name) for name in os.listdir(path)]
            found[path] = (state.st_mtime_ns, state.st_ctime_ns, state.st_size)
        except OSError:  # an editor replaces a file by renaming; a folder may vanish
            continue
    return found


def _built(build: Callable[[], str]) -> str:
    """What `build` says, or what it raises: a preview outlives it, and the next save mends it."""
    try:
        return build()
    except OSError as error:  # a full disk, a file that went away
        return f"{error.filename or 'the build'}: {(error.strerror or str(error)).lower()}"
    except Exception as error:  # a mistake of ours
        words = " ".join(str(error).split())
        return f"the program fails, which is a bug: {type(error).__name__}: {words}"


def run(
    preview: Preview,
    watched: Callable[[], Iterable[Path]],
    build: Callable[[], str],
    stop: threading.Event,
    rest: Callable[[], object] = bool,
) -> None:
    """Serve `preview` until `stop`; `build` when a file of `watched` has changed, then `rest`.

    `watched` is asked before each build.  `build` gives back an empty text, or what
    went wrong: that, or what it raises, is shown on the pages of the last good build.
    """
    thread = threading.Thread(target=preview.serve_forever, args=(POLL,), daemon=True)
    thread.start()
    try:
        while not stop.is_set():
            paths = tuple(watched())  # they can change only where one of them does
            before = times(paths)
            preview.begun()
            preview.ended(_built(build))
            rest()
            _wait_for_change(before, paths, stop)
    finally:
        preview.shutdown()
        preview.server_close()
        thread.join()


def _wait_for_change(
    before: dict[str, FileTimes], paths: Iterable[Path], stop: threading.Event
) -> None:
    """Come back when files at `paths` are not as `before` and no editor is still writing."""
    now = times(paths)
    while now == before and not stop.wait(INTERVAL):
        now = times(paths)
    deadline = time.monotonic() + LONGEST_WAIT
    while not stop.wait(INTERVAL) and time.monotonic() < deadline:
        again = times(paths)
        if again == now:
            return
        now = again
