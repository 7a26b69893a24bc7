"""The preview: a web server for this machine only, which rebuilds and reloads.

Nothing is watched but times of modification; nothing is served but the output's
folder.  The server puts one script into each page, which asks for the state of
the build and reloads, or shows why the last build failed.
"""

from __future__ import annotations

import html
import json
import os
import stat
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

from dconv.refusal import Refusal

ADDRESS = "127.0.0.1"
INTERVAL = 0.1  # seconds between two looks at the files, and without a change before we build
POLL = 0.1  # seconds after which the server notices that it shall stop
LONGEST_WAIT = 3.0  # seconds of saving without a pause after which we build all the same
SCRIPT_PATH = "/dconv-reload.js"
STATE_PATH = "/dconv-state.json"
INDEX = "index.html"
MISSING = "/404.html"
TAG = f'<script src="{SCRIPT_PATH}" defer></script>'.encode()

# Sets styles through the DOM, which the pages' content security policy allows.
SCRIPT = b"""\
"use strict";
(() => {
  let known = null;
  let bar = null;
  const show = (message) => {
    if (!message) { if (bar) { bar.remove(); bar = null; } return; }
    if (!bar) {
      bar = document.createElement("pre");
      bar.setAttribute("role", "alert");
      Object.assign(bar.style, {
        position: "fixed", inset: "auto 0 0 0", margin: "0", padding: "1rem", zIndex: "9999",
        background: "#7a0010", color: "#fff", whiteSpace: "pre-wrap", font: "14px/1.5 monospace",
      });
      document.body.append(bar);
    }
    bar.textContent = message;
  };
  const ask = async () => {
    try {
      const state = await (await fetch("/dconv-state.json", { cache: "no-store" })).json();
      if (known !== null && state.version !== known) { location.reload(); return; }
      known = state.version;
      show(state.error);
    } catch { /* the server is gone, or starts anew */ }
    setTimeout(ask, document.hidden ? 3000 : 500);
  };
  ask();
})();
"""


class ServeError(Refusal):
    """The preview cannot start; the message is one sentence for the user."""


@dataclass(slots=True)
class State:
    """The last build: `version` counts good ones, `error` is why the last one failed."""

    version: int = 0
    error: str = ""


class Preview(ThreadingHTTPServer):
    """Serves `folder` on the loopback address; port 0 takes a free one.

    `root` is the path of the site's public address: what is not there is looked for below.
    Raises `ServeError` where the port is taken.
    """

    daemon_threads = True

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.root = "/"
        self.state = State()
        try:
            super().__init__((ADDRESS, port), _Handler)
        except OSError as error:
            reason = f"cannot listen on port {port} ({error.strerror}); choose another --port"
            raise ServeError(reason) from error

    @property
    def url(self) -> str:
        """The address to open."""
        return f"http://{ADDRESS}:{self.server_port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle is no news."""


class _Handler(SimpleHTTPRequestHandler):
    """Answers with a file of the folder, the script, or the state."""

    server: Preview
    server_version = "dconv"
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, format: str, *args: object) -> None:
        """Only the command line prints."""

    def _answer(self, *, with_body: bool) -> None:
        status, kind, body = self._found()
        self.send_response(status)
        if status == HTTPStatus.MOVED_PERMANENTLY:
            self.send_header("Location", _slashed(self.path))
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def _found(self) -> tuple[HTTPStatus, str, bytes]:
        """Status, type and body of the answer."""
        if not self._is_for_us():
            return _message(HTTPStatus.FORBIDDEN, f"This is a preview: ask {self.server.url}")
        path = unquote(_parts(self.path)[0])
        state = self.server.state
        if path == SCRIPT_PATH:
            return HTTPStatus.OK, "text/javascript; charset=utf-8", SCRIPT
        if path == STATE_PATH:
            text = json.dumps({"version": state.version, "error": state.error})
            return HTTPStatus.OK, "application/json", text.encode()
        file = self._file(path) or self._file(self._below(path))
        if file is None:
            return self._missing(path)
        if file.is_dir():  # else the links of the page would lead to the folder above
            return _message(HTTPStatus.MOVED_PERMANENTLY, f"The page is {path}/")
        kind = self.guess_type(str(file))
        body = _content(file)
        if body is None:
            return self._missing(path)
        if kind != "text/html":
            return HTTPStatus.OK, f"{kind}; charset=utf-8" if "text/" in kind else kind, body
        return HTTPStatus.OK, "text/html; charset=utf-8", _injected(body)

    def _below(self, path: str) -> str:
        """The `path` without that of the site's public address, which links of 404.html have."""
        return f"/{path.removeprefix(self.server.root)}"

    def _missing(self, path: str) -> tuple[HTTPStatus, str, bytes]:
        """The site's own page for what is missing, or ours where there is none."""
        if self.server.state.version == 0:
            reason = self.server.state.error or "Building…"
            return _message(HTTPStatus.SERVICE_UNAVAILABLE, reason)
        file = self._file(MISSING)
        page = _content(file) if file else None
        if page is None:
            return _message(HTTPStatus.NOT_FOUND, f"There is no page {path}")
        return HTTPStatus.NOT_FOUND, "text/html; charset=utf-8", _injected(page)

    def _is_for_us(self) -> bool:
        """Refuse other hosts' names: pages elsewhere could read the preview through them."""
        port = self.server.server_port
        return self.headers.get("Host", "") in (f"{ADDRESS}:{port}", f"localhost:{port}")

    def _file(self, path: str) -> Path | None:
        """The file at `path` below the folder, a folder without its slash, or None."""
        if any(part.startswith(".") for part in path.split("/")) or "\0" in path:
            return None
        folder = Path(os.path.realpath(self.server.folder))
        try:
            file = Path(os.path.realpath(folder / path.lstrip("/")))
            is_home = file.is_dir() and (file / INDEX).is_file()
            if is_home and path.endswith("/"):
                file /= INDEX
            found = is_home or (file.is_file() and not path.endswith("/"))
        except OSError:  # of a name that is too long
            return None
        return file if found and file.is_relative_to(folder) else None


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


def _injected(page: bytes) -> bytes:
    """`page` with the script at the end of its head."""
    return page.replace(b"</head>", TAG + b"</head>", 1)


def _message(status: HTTPStatus, message: str) -> tuple[HTTPStatus, str, bytes]:
    page = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>dconv</title>'
        f"</head><body><h1>dconv</h1><pre>{html.escape(message)}</pre></body></html>\n"
    )
    return status, "text/html; charset=utf-8", _injected(page.encode())


# --- watching -------------------------------------------------------------------------


def times(paths: Iterable[Path]) -> dict[str, tuple[int, int]]:
    """Time of modification (nanoseconds) and size of every file at or below `paths`."""
    found: dict[str, tuple[int, int]] = {}
    waiting = [str(path) for path in paths]
    while waiting:
        path = waiting.pop()
        try:
            state = os.stat(path)
            if stat.S_ISDIR(state.st_mode):
                waiting += [os.path.join(path, name) for name in os.listdir(path)]
            found[path] = (state.st_mtime_ns, state.st_size)
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
            error = _built(build)
            if not error:
                preview.state.version += 1
            preview.state.error = error
            rest()
            _wait_for_change(before, paths, stop)
    finally:
        preview.shutdown()
        preview.server_close()
        thread.join()


def _wait_for_change(
    before: dict[str, tuple[int, int]], paths: Iterable[Path], stop: threading.Event
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
