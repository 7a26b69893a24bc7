"""The preview: what it serves and to whom, and that it rebuilds."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from chromium import Tabs
from playwright.sync_api import expect
from programs import served

from dconv.build import preview as serve
from dconv.build.preview import SCRIPT_PATH, STATE_PATH, Preview, ServeError
from dconv.cli import arguments, inputs, main

TIMEOUT = 20.0  # seconds; enough for a busy machine


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "public"
    (folder / "kettle").mkdir(parents=True)
    (folder / "index.html").write_text("<html><head><title>x</title></head><p>home</p></html>")
    (folder / "kettle" / "index.html").write_text("<head></head>kettle")
    (folder / "style.css").write_text("p {}")
    (folder / ".dconv").write_text("marker")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "way-out.txt").symlink_to(tmp_path / "secret.txt")
    return folder


@contextmanager
def _running(
    folder: Path, build: Callable[[], str] = lambda: "", watched: tuple[Path, ...] = ()
) -> Iterator[Preview]:
    preview = Preview(folder, 0)
    stop = threading.Event()
    thread = threading.Thread(target=serve.run, args=(preview, lambda: watched, build, stop, bool))
    thread.start()
    try:
        yield preview
    finally:
        stop.set()
        thread.join(TIMEOUT)
    assert not thread.is_alive()


def _ask(
    preview: Preview, path: str, method: str = "GET", host: str | None = None
) -> tuple[HTTPResponse, str]:
    connection = HTTPConnection(serve.ADDRESS, preview.server_port, timeout=TIMEOUT)
    headers = {} if host is None else {"Host": host}
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    body = response.read().decode()
    connection.close()
    return response, body


def _until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not true():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def _state(preview: Preview) -> dict[str, object]:
    state: dict[str, object] = json.loads(_ask(preview, STATE_PATH)[1])
    return state


def test_serves_the_folder_with_the_script(folder: Path) -> None:
    with _running(folder) as preview:
        _until(lambda: preview.state.version == 1)
        response, body = _ask(preview, "/")
        assert response.status == 200
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"
        assert response.headers["Cache-Control"] == "no-store"
        assert f'<script src="{SCRIPT_PATH}" data-version="1" defer></script></head>' in body
        assert "kettle" in _ask(preview, "/kettle/?a=b#c")[1]
        assert _ask(preview, "/style.css")[1] == "p {}"
        response, body = _ask(preview, SCRIPT_PATH)
        assert response.headers["Content-Type"].startswith("text/javascript")
        assert STATE_PATH in body
        response, body = _ask(preview, "/", method="HEAD")
        assert (response.status, body) == (200, "")
        assert int(response.headers["Content-Length"]) > 50


def test_the_files_on_disk_stay_as_they_are(folder: Path) -> None:
    with _running(folder) as preview:
        _ask(preview, "/")
    assert "script" not in (folder / "index.html").read_text()


@pytest.mark.parametrize(
    "path",
    [
        "/none.html", "/.dconv", "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt",
        "/way-out.txt", "//etc/passwd", "/kettle/../../secret.txt", "/%00", "/style.css/x",
        "/style.css/", "//[", "/[x]:y",
    ],
)  # fmt: skip
def test_serves_no_file_outside_the_folder(folder: Path, path: str) -> None:
    with _running(folder) as preview:
        _until(lambda: preview.state.version == 1)
        response, body = _ask(preview, path)
        assert response.status == 404
        assert "secret" not in body.replace("secret.txt", "")


def test_shows_the_404_page_of_the_site(folder: Path) -> None:
    (folder / "404.html").write_text('<head></head><link href="/manuals/style.css">not here')
    with _running(folder) as preview:
        _until(lambda: preview.state.version == 1)
        preview.root = "/manuals/"
        for path in ("/none.html", "/kettle/none/none.html", "/.dconv", "/manuals/none.html"):
            response, body = _ask(preview, path)
            assert (response.status, response.headers["Content-Type"]) == (
                404, "text/html; charset=utf-8"
            )
            assert "not here" in body and SCRIPT_PATH in body
        assert _ask(preview, "/manuals/style.css")[1] == "p {}"
        assert _ask(preview, "/manuals/../secret.txt")[0].status == 404
        (folder / "404.html").unlink()
        (folder / "404.html").symlink_to(folder.parent / "secret.txt")
        assert "There is no page /none" in _ask(preview, "/none")[1]


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/kettle", "/kettle/"), ("/kettle?a=b", "/kettle/?a=b"), ("//kettle", "/kettle/"),
        ("/%6bettle", "/%6bettle/"), ("///kettle", "/kettle/"),
    ],
)
def test_a_folder_without_its_slash_is_redirected(folder: Path, path: str, location: str) -> None:
    with _running(folder) as preview:
        response, _ = _ask(preview, path)
        assert (response.status, response.headers["Location"]) == (301, location)
        assert "kettle" in _ask(preview, location)[1]
        response, body = _ask(preview, path, method="HEAD")
        assert (response.status, body) == (301, "")


def test_answers_only_to_names_of_this_machine(folder: Path) -> None:
    with _running(folder) as preview:
        assert preview.server_address[0] == "127.0.0.1"
        for host in ("evil.example", "127.0.0.1", f"evil.example:{preview.server_port}"):
            assert _ask(preview, "/", host=host)[0].status == 403
        assert _ask(preview, "/", host=f"localhost:{preview.server_port}")[0].status == 200
        assert _ask(preview, "/", method="POST")[0].status == 501


def test_browsers_leave_out_port_80(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with _running(folder) as preview:
        monkeypatch.setattr(serve, "HTTP_PORT", preview.server_port)
        assert _ask(preview, "/", host="127.0.0.1")[0].status == 200
        assert _ask(preview, "/", host="evil.example")[0].status == 403


def test_pages_of_other_servers_cannot_run_the_scripts(
    folder: Path, tmp_path: Path, open_tab: Tabs
) -> None:
    (folder / "names.js").write_text("window.read = true;")
    other = tmp_path / "other"
    other.mkdir()
    with _running(folder) as preview, served(other) as address:
        (other / "index.html").write_text(f'<script src="{preview.url}names.js"></script>')
        tab = open_tab()
        tab.page.goto(f"{address}/")
        assert tab.page.evaluate("window.read") is None
        assert any("ERR_BLOCKED_BY_RESPONSE" in complaint for complaint in tab.complaints)
        tab.complaints.clear()
        (folder / "index.html").write_text('<head></head><script src="names.js"></script>')
        tab.page.goto(preview.url)
        assert tab.page.evaluate("window.read") is True


def test_a_silent_connection_is_closed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve._Handler, "timeout", 0.1)
    with _running(folder) as preview:
        address = serve.ADDRESS, preview.server_port
        with socket.create_connection(address, timeout=TIMEOUT) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\n")
            assert connection.recv(1000) == b""


def test_a_taken_port_is_one_sentence(folder: Path) -> None:
    with _running(folder) as preview, pytest.raises(ServeError, match="choose another --port"):
        Preview(folder, preview.server_port)


def test_rebuilds_after_a_change_and_survives_errors(folder: Path, tmp_path: Path) -> None:
    manual = tmp_path / "manual.txt"
    manual.write_text("one")
    answers: list[str] = []

    def build() -> str:
        text = manual.read_text()
        answers.append(text)
        return f"<{text}> is bad" if text == "bad" else ""

    with _running(folder, build, (manual, tmp_path / "none")) as preview:
        _until(lambda: _state(preview) == {"version": 1, "error": "", "building": False})
        manual.write_text("bad")
        failed = {"version": 1, "error": "<bad> is bad", "building": False}
        _until(lambda: _state(preview) == failed)
        assert _ask(preview, "/")[0].status == 200
        manual.write_text("three")
        _until(lambda: _state(preview) == {"version": 2, "error": "", "building": False})
    assert answers == ["one", "bad", "three"]


@pytest.mark.parametrize(("raised", "message"), [
    (OSError(28, "No space left on device", "/x/y"), "/x/y: no space left on device"),
    (OSError("odd"), "the build: odd"),
    (RecursionError("too\ndeep"), "internal error, please report it: RecursionError: too deep"),
])  # fmt: skip
def test_survives_exceptions_of_a_build(
    raised: Exception, message: str, folder: Path, tmp_path: Path
) -> None:
    manual = tmp_path / "manual.txt"
    manual.write_text("bad")

    def build() -> str:
        if manual.read_text() == "bad":
            raise raised
        return ""

    with _running(folder, build, (manual,)) as preview:
        _until(lambda: _state(preview) == {"version": 0, "error": message, "building": False})
        manual.write_text("good")
        _until(lambda: _state(preview) == {"version": 1, "error": "", "building": False})


def test_watched_files_are_listed_once_for_each_build(folder: Path, tmp_path: Path) -> None:
    manual = tmp_path / "manual.txt"
    manual.write_text("one")
    requests: list[int] = []

    def watched() -> tuple[Path, ...]:
        requests.append(1)
        return (manual,)

    preview = Preview(folder, 0)
    stop = threading.Event()
    thread = threading.Thread(target=serve.run, args=(preview, watched, lambda: "", stop, bool))
    thread.start()
    time.sleep(4 * serve.WATCH_INTERVAL)
    assert len(requests) == 1
    manual.write_text("changed")
    _until(lambda: preview.state.version == 2)
    stop.set()
    thread.join(TIMEOUT)
    assert len(requests) == 2


def test_many_fast_saves_are_few_builds(folder: Path, tmp_path: Path) -> None:
    watched = tmp_path / "theme"
    watched.mkdir()
    builds: list[int] = []

    def build() -> str:
        builds.append(1)
        return ""

    with _running(folder, build, (watched,)) as preview:
        _until(lambda: preview.state.version == 1)
        for number in range(40):
            (watched / "style.css").write_text(str(number))
            time.sleep(0.01)
        _until(lambda: preview.state.version >= 2)
        time.sleep(3 * serve.WATCH_INTERVAL)
    assert len(builds) <= 4


def _manual(word: str) -> str:
    """A text of four sections."""
    sections = (f"{number}. Part {number}\n---------\n\nA {word}.\n" for number in range(1, 5))
    return "\n".join(sections)


def test_an_older_page_never_replaces_a_newer_one(tmp_path: Path) -> None:
    """The program itself, with a text that is saved again and again."""
    manual = tmp_path / "kettle.txt"
    manual.write_text(_manual("number 0 "))
    with socket.socket() as free:
        free.bind((serve.ADDRESS, 0))
        port = int(free.getsockname()[1])
    words = ["serve", str(manual), "--port", str(port), "--no-cache", "--quiet"]
    with subprocess.Popen([sys.executable, "-m", "dconv", *words]) as process:
        def ask(path: str) -> str:
            with urlopen(f"http://{serve.ADDRESS}:{port}{path}", timeout=TIMEOUT) as answer:
                return str(answer.read().decode())

        def state() -> dict[str, object]:
            try:
                found: dict[str, object] = json.loads(ask(STATE_PATH))
            except URLError:
                found = {"version": 0}
            return found

        def number() -> int:
            found = re.search(r"A number (\d+) ", ask("/manuals/kettle.html"))
            assert found
            return int(found[1])

        try:
            _until(lambda: state()["version"] == 1)
            seen = [number()]
            versions = [1]
            for save in range(1, 30):
                new = tmp_path / "new.txt"  # a build must not read half a text
                new.write_text(_manual(f"number {save} "))
                new.replace(manual)
                versions.append(int(str(state()["version"])))
                seen.append(number())
            _until(lambda: number() == 29 and not state()["building"])
            assert seen == sorted(seen) and versions == sorted(versions)
            assert state()["error"] == ""
        finally:
            process.terminate()


def test_the_script_in_a_page(folder: Path, open_tab: Tabs) -> None:
    with _running(folder) as preview:
        _until(lambda: preview.state.version == 1)
        tab = open_tab()
        tab.open(f"{preview.url}kettle/")
        body = tab.page.locator("body")
        preview.build_started()
        (folder / "kettle" / "index.html").write_text("<head></head><p>changed</p>")
        preview.build_finished("")
        expect(body).to_contain_text("changed")
        preview.build_started()
        preview.build_finished("the <disk> is full")
        expect(tab.page.get_by_role("alert")).to_have_text("the <disk> is full")
        expect(body).to_contain_text("changed")
        preview.build_started()
        preview.build_finished("")
        expect(tab.page.get_by_role("alert")).to_have_count(0)


# --- other ends -------------------------------------------------------------------------


def test_a_page_that_is_asked_for_while_the_first_build_runs(tmp_path: Path) -> None:
    finish = threading.Event()

    def build() -> str:
        finish.wait(TIMEOUT)
        return ""

    with _running(tmp_path / "none", build) as preview:
        response, body = _ask(preview, "/any.html")
        finish.set()
    assert response.status == 503
    assert "The site is being built." in body
    assert SCRIPT_PATH in body


def test_before_the_first_good_build(tmp_path: Path) -> None:
    with _running(tmp_path / "none", lambda: "the <theme> is wrong") as preview:
        _until(lambda: preview.state.error != "")
        response, body = _ask(preview, "/any.html")
        assert response.status == 503
        assert "the &lt;theme&gt; is wrong" in body
        assert SCRIPT_PATH in body


def test_a_folder_that_is_missing_for_a_moment(folder: Path) -> None:
    with _running(folder) as preview:
        _until(lambda: preview.state.version == 1)
        folder.rename(folder.with_name("old"))
        assert _ask(preview, "/")[0].status == 404
        shutil.copytree(folder.with_name("old"), folder, symlinks=True)
        assert _ask(preview, "/")[0].status == 200


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`dconv serve FILE` builds, serves the pages, and leaves by Ctrl-C."""
    manual = tmp_path / "kettle.txt"
    manual.write_text("1. Heating\n----------\n\nHeat the water.\n")
    pages: list[str] = []

    def run(
        preview: Preview, watched: Callable[[], Iterator[Path]], build: Callable[[], str],
        stop: threading.Event, rest: Callable[[], object],
    ) -> None:
        assert manual in list(watched())
        assert build() == ""
        pages.append((preview.folder / "manuals/kettle.html").read_text())
        (preview.folder / ".dconv").unlink()
        assert "holds files that dconv did not write" in build()
        manual.unlink()
        os.mkfifo(manual)  # nobody would ever write to it
        assert "it can be read only once" in build()
        assert not stop.is_set()
        preview.server_close()
        raise KeyboardInterrupt

    monkeypatch.setattr(serve, "run", run)
    assert main(["serve", str(manual), "--port", "0"]) == 130
    assert "Heat the water." in pages[0]
    out, err = capsys.readouterr()
    assert "preview: http://127.0.0.1:" in out
    assert "holds files that dconv did not write" in err


def test_a_preview_of_a_site_watches_all_that_its_settings_name(tmp_path: Path) -> None:
    site = tmp_path / "site.toml"
    chosen = arguments.parse(["serve", "--site", str(site)])
    settings = '[site]\ntitle = "Kettles"\nlogo = "kettle.svg"\ntheme = "./own"\n'
    site.write_text(settings)  # no such logo, and no product: what may fix it is watched
    names = {tmp_path / "kettle.svg", tmp_path / "own", site}
    assert names <= {*inputs.watched_paths(chosen)}
    (tmp_path / "kettle.svg").write_text('<svg viewBox="0 0 1 1"/>')
    site.write_text(
        f'{settings}[[product]]\nname = "haproxy"\n[[product.release]]\nversion = "1.0"\n'
        'source = {path = "texts/{version}"}\n'
    )
    assert {*names, tmp_path / "texts/1.0"} <= {*inputs.watched_paths(chosen)}
    site.write_text("[")
    assert site in {*inputs.watched_paths(chosen)}
    site.unlink()
    os.mkfifo(site)
    assert site in {*inputs.watched_paths(chosen)}
