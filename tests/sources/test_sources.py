"""Fetching, against servers, repositories and packages made here: no network is needed."""

from __future__ import annotations

import gzip
import hashlib
import http.server
import io
import json
import os
import re
import shutil
import socket
import subprocess
import tarfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPMessage
from pathlib import Path

import pytest
from debian_packages import member, package, program

from dconv.settings.manual import default_product
from dconv.settings.types import (
    Checksum,
    DebianSource,
    DocumentSetting,
    FolderSource,
    GitSource,
    SiteRelease,
    SourceSetting,
    UrlSource,
)
from dconv.sources import git as git_source
from dconv.sources import network
from dconv.sources.cache import cache_folder
from dconv.sources.debian import unpack_program
from dconv.sources.fetch import fetch_release, fetch_texts, network_for
from dconv.sources.types import FetchedTexts, SourceError, UnreachableError
from dconv.sources.web import SafeRedirects

GUIDE = DocumentSetting("guide", "guide.txt", "Guide", "")
RULES = DocumentSetting("rules", "rules.txt", "Rules", "")
BOTH = (GUIDE, RULES)
TEXT = b"Kettle Guide\n\n1. Water\n--------\nFill it.\n"
SHA256 = hashlib.sha256(TEXT).hexdigest()
MEGABYTES = 1024 * 1024


def needs(program: str) -> None:
    """Skip the test where `program` is absent; on the build server that is a failure."""
    if shutil.which(program):
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"{program} is not installed")
    pytest.skip(f"{program} is not installed")


def refused(cache: Path, source: SourceSetting, version: str = "") -> str:
    """The sentence with which `source` is refused."""
    with pytest.raises(SourceError) as caught:
        fetch_texts(source, version, BOTH, cache)
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


# --- files and folders ----------------------------------------------------------------


def test_file(tmp_path: Path) -> None:
    file = tmp_path / "guide.txt"
    file.write_bytes(TEXT)
    fetched = fetch_texts(FolderSource(str(file)), "", BOTH, tmp_path)
    document = fetched.documents[0]
    assert (document.name, document.file, document.content) == ("guide", "guide.txt", TEXT)
    assert document.sha256 == SHA256
    assert (fetched.origin, fetched.version, fetched.date) == (str(file), "", "")
    assert fetched.notes == ()


def test_gzip_file_of_an_unknown_name(tmp_path: Path) -> None:
    file = tmp_path / "my manual.conf.gz"
    file.write_bytes(gzip.compress(TEXT[:20]) + gzip.compress(TEXT[20:]))
    document = fetch_texts(FolderSource(str(file)), "", BOTH, tmp_path).documents[0]
    assert (document.name, document.file, document.content) == ("my-manual", "my manual.conf", TEXT)


def test_folder(tmp_path: Path) -> None:
    texts = tmp_path / "1.0"
    (texts / "sub.txt").mkdir(parents=True)
    for name in ("rules.txt", "b b.txt", "b-b.txt", "page.html", ".hidden.txt"):
        (texts / name).write_bytes(name.encode())
    (texts / "guide.txt.gz").write_bytes(gzip.compress(TEXT))
    (texts / "rules.txt.gz").write_bytes(gzip.compress(b"older"))
    (texts / os.fsdecode(b"\xe9.txt")).write_bytes(b"odd name")
    fetched = fetch_texts(FolderSource(f"{tmp_path}/{{version}}"), "1.0", BOTH, tmp_path)
    assert [document.name for document in fetched.documents] == [
        "guide", "rules", "manual", "b-b", "b-b-2",
    ]  # fmt: skip
    assert fetched.documents[1].content == b"rules.txt"
    assert [document.file for document in fetched.documents][2:] == ["?.txt", "b b.txt", "b-b.txt"]
    assert (fetched.origin, fetched.version) == (str(texts), "1.0")


def test_listed_document_that_a_folder_lacks(tmp_path: Path) -> None:
    (tmp_path / "guide.txt").write_bytes(TEXT)
    fetched = fetch_texts(FolderSource(str(tmp_path)), "", BOTH, tmp_path)
    assert (fetched.notes, fetched.missing) == ((), ("rules.txt",))


def test_files_that_fail(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert refused(cache, FolderSource("/no/where")) == "/no/where: no such file or folder"
    assert "no such file" in refused(cache, FolderSource("/dev/zero"))
    assert "no such file" in refused(cache, FolderSource("a\0b"))
    assert "there is no text" in refused(cache, FolderSource(str(tmp_path)))
    assert "needs the number of a release, not 'debian'" in refused(
        cache, FolderSource("/{version}"), "debian"
    )
    assert "needs the number" in refused(cache, FolderSource("/{version}"), "../1")
    large = tmp_path / "large"
    large.mkdir()
    with (large / "guide.txt").open("wb") as stream:
        stream.truncate(256 * MEGABYTES + 1)
    assert "is larger than 256 MB" in refused(cache, FolderSource(str(large)))


@pytest.mark.parametrize("damaged", [
    gzip.compress(TEXT)[:-9], gzip.compress(TEXT)[:-8] + b"\0" * 8,
], ids=["cut", "checksum"])  # the bytes hold the time
def test_damaged_gzip(damaged: bytes, tmp_path: Path) -> None:
    (tmp_path / "guide.txt.gz").write_bytes(damaged)
    sentence = refused(tmp_path / "cache", FolderSource(str(tmp_path)))
    assert "guide.txt.gz is not a complete gzip file" in sentence


def test_a_text_that_is_named_as_gzip(tmp_path: Path) -> None:
    (tmp_path / "guide.txt.gz").write_bytes(b"not gz")
    sentence = refused(tmp_path / "cache", FolderSource(str(tmp_path)))
    assert "guide.txt.gz is not a gzip file" in sentence


@pytest.mark.parametrize(("behind", "left_out"), [
    (b"rubbish", 7), (b"\0\0\0", 0)
])  # fmt: skip
def test_bytes_after_a_gzip_file(behind: bytes, left_out: int, tmp_path: Path) -> None:
    (tmp_path / "guide.txt.gz").write_bytes(gzip.compress(TEXT) * 2 + behind)
    (tmp_path / "rules.txt").write_bytes(TEXT)
    fetched = fetch_texts(FolderSource(str(tmp_path)), "", BOTH, tmp_path)
    assert fetched.documents[0].content == TEXT * 2
    message = f"{tmp_path}: guide.txt.gz: {left_out:,} bytes after the gzipped text are ignored"
    assert fetched.notes == ((message,) if left_out else ())


def test_an_unpacked_text_may_be_as_large_as_a_plain_one(tmp_path: Path) -> None:
    guide = tmp_path / "guide.txt.gz"
    guide.write_bytes(gzip.compress(bytes(65 * MEGABYTES), 1))
    fetched = fetch_texts(FolderSource(str(guide)), "", BOTH, tmp_path)
    assert len(fetched.documents[0].content) == 65 * MEGABYTES
    guide.write_bytes(gzip.compress(bytes(64 * MEGABYTES), 1) * 4 + gzip.compress(b"x"))
    assert "guide.txt.gz is larger than 256 MB" in refused(
        tmp_path / "cache", FolderSource(str(guide))
    )


def test_file_that_cannot_be_read(tmp_path: Path) -> None:
    # A process may open its memory as a file, and not read at address 0, whoever runs it.
    memory = FolderSource("/proc/self/mem")
    assert refused(tmp_path, memory) == "/proc/self/mem: cannot be read (input/output error)"


# --- the web --------------------------------------------------------------------------


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers by the first part of the path: `/short/guide.txt` is a short answer."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.close_connection = True
        kind = self.path.split("/")[1]
        answer = getattr(self, f"answer_{kind}", None)
        if answer is None:
            self.send_error(404)
        else:
            answer()

    def head(self, status: int, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def answer_good(self) -> None:
        self.head(200, Content_Length=str(len(TEXT)), Last_Modified="Fri, 05 Jan 2024 10:00:00 GMT")
        self.wfile.write(TEXT)

    def answer_only(self) -> None:
        if "guide" in self.path:
            self.answer_good()
        else:
            self.send_error(410)

    def answer_packed(self) -> None:
        self.head(200, Last_Modified="yesterday")
        self.wfile.write(gzip.compress(TEXT))

    def answer_short(self) -> None:
        self.head(200, Content_Length=str(len(TEXT) + 1))
        self.wfile.write(TEXT)

    def answer_chunks(self) -> None:
        self.head(200, Transfer_Encoding="chunked")
        self.wfile.write(b"20\r\nnot so many")

    def answer_claim(self) -> None:
        self.head(200, Content_Length=str(65 * MEGABYTES))

    def answer_flood(self) -> None:
        self.head(200)
        for _ in range(66):
            self.wfile.write(bytes(MEGABYTES))

    def answer_slow(self) -> None:
        self.head(200, Content_Length="1000")
        for _ in range(1000):
            self.wfile.write(b".")
            time.sleep(0.05)

    def answer_silent(self) -> None:
        time.sleep(2)

    def answer_moved(self) -> None:
        self.head(302, Location="/good/guide.txt", Content_Length="0")

    def answer_file(self) -> None:
        self.head(302, Location="file:///etc/passwd", Content_Length="0")

    def answer_ftp(self) -> None:
        self.head(302, Location="ftp://127.0.0.1/guide.txt", Content_Length="0")

    def answer_circle(self) -> None:
        self.head(302, Location="/circle/guide.txt", Content_Length="0")

    def answer_broken(self) -> None:
        self.send_error(500, "Kettle\x1b[2Jis dry")

    def answer_page(self) -> None:
        self.head(200)
        self.wfile.write(b"\n<!DOCTYPE html>\n<title>Log in, please</title>")

    def answer_marked(self) -> None:
        self.head(200)
        self.wfile.write(b"\xef\xbb\xbf<!-- moved -->\n<HTML><title>Log in, please</title>")

    def answer_wrapped(self) -> None:
        self.head(200, Content_Encoding="gzip")
        self.wfile.write(gzip.compress(b"<!doctype html><title>Log in, please</title>"))

    def answer_brotli(self) -> None:
        self.head(200, Content_Encoding="br", Content_Length="4")
        self.wfile.write(b"\x0b\x02\x80\x03")

    def answer_part(self) -> None:
        self.head(206, Content_Length="4", Content_Range=f"bytes 0-3/{len(TEXT)}")
        self.wfile.write(TEXT[:4])

    def answer_blank(self) -> None:
        self.head(200, Content_Length="2")
        self.wfile.write(b"\n\n")

    def answer_none(self) -> None:
        self.head(204)

    def answer_rubbish(self) -> None:
        self.wfile.write(b"220 this is no HTTP\r\n")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class Server(http.server.ThreadingHTTPServer):
    """A server on the loopback interface that does not mind clients who leave."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def web() -> Iterator[str]:
    """The address of a server that answers well and badly."""
    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_url(web: str, tmp_path: Path) -> None:
    fetched = fetch_texts(UrlSource(f"{web}/good/{{version}}/{{file}}"), "1.0", BOTH, tmp_path)
    assert [document.file for document in fetched.documents] == ["guide.txt", "rules.txt"]
    assert fetched.documents[0].content == TEXT
    assert (fetched.origin, fetched.version) == (f"{web}/good/1.0/", "1.0")
    assert (fetched.date, fetched.notes) == ("2024-01-05", ())
    addresses = [f"{web}/good/1.0/guide.txt", f"{web}/good/1.0/rules.txt"]
    assert [document.url for document in fetched.documents] == addresses
    again = fetch_texts(UrlSource(f"{web}/good/1.0/{{file}}"), "1.0", BOTH, tmp_path, offline=True)
    assert [document.url for document in again.documents] == addresses


def test_url_of_one_file(web: str, tmp_path: Path) -> None:
    fetched = fetch_texts(UrlSource(f"{web}/packed/a b.txt.gz?x=é"), "", BOTH, tmp_path)
    assert [(text.name, text.content) for text in fetched.documents] == [("a-b", TEXT)]
    assert (fetched.date, fetched.notes) == ("", ())
    assert fetched.documents[0].url == f"{web}/packed/a%20b.txt.gz?x=%C3%A9"


def test_redirection(web: str, tmp_path: Path) -> None:
    fetched = fetch_texts(UrlSource(f"{web}/moved/guide.txt"), "", BOTH, tmp_path)
    assert fetched.documents[0].content == TEXT


@pytest.mark.parametrize(("start", "end", "followed"), [
    ("http", "http", True), ("http", "https", True), ("https", "https", True),
    ("https", "http", False), ("http", "file", False), ("https", "ftp", False),
    ("http", "data", False),
])  # fmt: skip
def test_redirections_that_are_followed(start: str, end: str, followed: bool) -> None:
    request = urllib.request.Request(f"{start}://kettle.example/guide.txt")
    arguments = (request, io.BytesIO(), 302, "Found", HTTPMessage(), f"{end}://kettle.example/x")
    if followed:
        assert SafeRedirects().redirect_request(*arguments) is not None
        return
    with pytest.raises(urllib.error.HTTPError) as caught:
        SafeRedirects().redirect_request(*arguments)
    caught.value.close()


def test_url_without_one_of_the_documents(web: str, tmp_path: Path) -> None:
    fetched = fetch_texts(UrlSource(f"{web}/only/{{file}}"), "", BOTH, tmp_path)
    assert [document.name for document in fetched.documents] == ["guide"]
    assert fetched.missing == ("rules.txt",)


@pytest.mark.parametrize(("kind", "why"), [
    ("nothing", "the server has no such file (status 404)"),
    ("short", f"the download was interrupted ({len(TEXT)} of {len(TEXT) + 1} bytes)"),
    ("chunks", "the download was interrupted"),
    ("claim", "is larger than 64 MB: too large"),
    ("flood", "is larger than 64 MB: too large"),
    ("slow", "the server takes too long; try again later"),
    ("silent", "the server takes too long; try again later"),
    ("file", "the server redirects in circles or to no safe address"),
    ("ftp", "the server redirects in circles or to no safe address"),
    ("circle", "the server redirects in circles or to no safe address"),
    ("broken", "the server answers with status 500 Kettle [2Jis dry"),
    ("page", "the server sends a web page, not a text"),
    ("marked", "the server sends a web page, not a text"),
    ("wrapped", "the server sends a web page, not a text"),
    ("brotli", "the server sends the unknown encoding 'br'"),
    ("part", "the server answers with status 206"),
    ("blank", "the server sends an empty text"),
    ("none", "the server answers with status 204"),
    ("rubbish", "the host 127.0.0.1 does not answer in HTTP"),
])  # fmt: skip
def test_url_that_fails(
    kind: str, why: str, web: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    if kind in ("slow", "silent"):
        monkeypatch.setattr("dconv.sources.web.TIMEOUT", 0.4)
        monkeypatch.setattr("dconv.sources.web.READ_TIMEOUT", 0.4)
    sentence = refused(cache, UrlSource(f"{web}/{kind}/{{file}}"))
    assert sentence.startswith(f"{web}/{kind}/guide.txt")
    assert why in sentence
    assert not cache.exists()  # nothing, and no half of a file, is left


def test_invalid_addresses_are_not_requested(tmp_path: Path) -> None:
    secret = refused(tmp_path, UrlSource("https://me:secret@kettle.example/guide.txt"))
    assert secret.endswith("dconv does not use addresses with a password; remove it")
    assert "secret" not in secret
    assert "not an http or https address" in refused(tmp_path, UrlSource("file:///etc/passwd"))
    assert "not an address" in refused(tmp_path, UrlSource("http://[::1/guide.txt"))
    assert "the connection failed" in refused(tmp_path, UrlSource("http://é..x/guide.txt"))


def test_http_server_at_an_https_address(web: str, tmp_path: Path) -> None:
    source = UrlSource(f"{web}/good/guide.txt".replace("http:", "https:"))
    assert "/good/guide.txt: the connection failed (" in refused(tmp_path, source)


def test_no_network(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    sentence = refused(tmp_path, UrlSource(f"http://127.0.0.1:{port}/guide.txt"))
    assert sentence.endswith("the host 127.0.0.1 refuses the connection")
    # RFC 6761, section 6.4: the domain "invalid" has no hosts
    sentence = refused(tmp_path, UrlSource("http://kettle.invalid/guide.txt"))
    assert sentence.endswith("the host kettle.invalid is not found; check the network")


def test_hosts_are_tried_once_and_together(
    web: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    connect = socket.create_connection

    def create_connection(
        address: tuple[str, int], timeout: float, source_address: tuple[str, int] | None = None
    ) -> socket.socket:
        tried.append(address[0])
        if address[0] == "silent.example":
            time.sleep(1.5 * timeout)
        if address[0] != "127.0.0.1":
            raise OSError
        return connect(address, timeout)

    monkeypatch.setattr(socket, "create_connection", create_connection)
    monkeypatch.setattr(network, "CONNECT_TIMEOUT", 0.2)
    sources = (
        UrlSource("http://silent.example/{version}/{file}"),
        GitSource("https://down.example/{version}.git", "master", ""),
        UrlSource("http://down.example/{version}/{file}"),
        UrlSource(f"{web}/good/{{version}}/{{file}}"),
    )
    product = replace(default_product(), documents=BOTH, sources=sources)
    releases = [SiteRelease(version, ()) for version in ("1.0", "2.0")]
    learnt = network_for((product, release) for release in releases)
    started = time.monotonic()
    for release in releases:
        fetched = fetch_release(product, release, tmp_path, network=learnt)
        assert (fetched.origin, fetched.notes) == (f"{web}/good/{release.version}/", ())
        assert fetched.unreachable == ("silent.example", "down.example")
    assert time.monotonic() - started < 2
    assert {host: tried.count(host) for host in tried if host != "127.0.0.1"} == {
        "silent.example": 1, "down.example": 2  # at two ports
    }
    none = replace(product, sources=sources[:3])
    with pytest.raises(UnreachableError, match=r"no answer from silent\.example"):
        fetch_release(none, SiteRelease("3.0", ()), tmp_path, network=learnt)


# --- the cache ------------------------------------------------------------------------


def test_cache_folder() -> None:
    assert cache_folder({"XDG_CACHE_HOME": "/x", "HOME": "/h"}) == Path("/x/dconv")
    assert cache_folder({"XDG_CACHE_HOME": "x", "HOME": "/h"}) == Path("/h/.cache/dconv")
    assert cache_folder({"HOME": "/h"}) == Path("/h/.cache/dconv")
    assert cache_folder({}) == Path.home() / ".cache/dconv"


@pytest.fixture
def cached_texts(web: str, tmp_path: Path) -> tuple[Path, UrlSource, FetchedTexts]:
    """A cache with one entry, its source, and what was fetched."""
    source = UrlSource(f"{web}/good/{{file}}")
    cache = tmp_path / "cache"
    return cache, source, fetch_texts(source, "1.0", BOTH, cache)


def test_offline(cached_texts: tuple[Path, UrlSource, FetchedTexts]) -> None:
    cache, source, fetched = cached_texts
    assert fetch_texts(source, "1.0", BOTH, cache, offline=True) == fetched
    entry = next(cache.iterdir())
    assert [path.name for path in cache.iterdir()] == [entry.name]
    assert sorted(path.name for path in entry.iterdir()) == ["files", "origin.json"]
    record = json.loads((entry / "origin.json").read_text())
    assert record["origin"] == fetched.origin
    assert record["files"][0]["sha256"] == SHA256
    with pytest.raises(SourceError, match="not in the cache, and --offline forbids fetching"):
        fetch_texts(source, "2.0", BOTH, cache, offline=True)
    shutil.rmtree(cache)
    with pytest.raises(SourceError, match="not in the cache"):
        fetch_texts(source, "1.0", BOTH, cache, offline=True)


def test_cache_wins_until_refreshed(web: str, tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "guide.txt").write_bytes(b"first")
    handler = http.server.SimpleHTTPRequestHandler

    class Quiet(handler):  # type: ignore[misc, valid-type]  # a class made for one test
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments, directory=str(texts))

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with Server(("127.0.0.1", 0), Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        source = UrlSource(f"http://127.0.0.1:{server.server_address[1]}/{{file}}")
        cache = tmp_path / "cache"
        fetch_texts(source, "", (GUIDE,), cache)
        (texts / "guide.txt").write_bytes(b"second")
        assert fetch_texts(source, "", (GUIDE,), cache).documents[0].content == b"first"
        fresh = fetch_texts(source, "", (GUIDE,), cache, refresh=True)
        assert fresh.documents[0].content == b"second"
        server.shutdown()
        thread.join()
    late = fetch_texts(source, "", (GUIDE,), cache, refresh=True)
    assert late.documents == fresh.documents
    assert late.outdated.endswith("refuses the connection")
    assert len(list(cache.iterdir())) == 1


DAMAGES: dict[str, Callable[[Path], object]] = {
    "text changed": lambda entry: (entry / "files/1").write_bytes(b"other"),
    "text gone": lambda entry: (entry / "files/1").unlink(),
    "record gone": lambda entry: (entry / "origin.json").unlink(),
    "record empty": lambda entry: (entry / "origin.json").write_text(""),
    "record not text": lambda entry: (entry / "origin.json").write_bytes(b"\xff\xfe\xff"),
    "record a list": lambda entry: (entry / "origin.json").write_text("[]"),
    "other format": lambda entry: (entry / "origin.json").write_text('{"format": 0}'),
    "no files": lambda entry: (entry / "origin.json").write_text('{"format": 1, "files": []}'),
    "odd files": lambda entry: (entry / "origin.json").write_text('{"format": 1, "files": [3]}'),
    "path": lambda entry: _edit(entry, '"stored": "1"', '"stored": "../../x"'),
    "other date": lambda entry: _edit(entry, '"date": "', '"date": "9'),
    "other release": lambda entry: _edit(entry, '"version": "', '"version": "1'),
    "a pipe": lambda entry: _pipe(entry / "origin.json"),
    "a text that is a pipe": lambda entry: _pipe(entry / "files/1"),
    "no origin": lambda entry: _edit(entry, '"origin"', '"place"'),
    "deep": lambda entry: (entry / "origin.json").write_text("[" * 100_000),
    "a file": lambda entry: (entry.rename(entry.parent / "old"), entry.write_text("")),
}


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _edit(entry: Path, old: str, new: str) -> None:
    text = (entry / "origin.json").read_text()
    assert old in text
    (entry / "origin.json").write_text(text.replace(old, new))


@pytest.mark.parametrize("case", DAMAGES)
def test_damaged_cache(case: str, cached_texts: tuple[Path, UrlSource, FetchedTexts]) -> None:
    cache, source, fetched = cached_texts
    DAMAGES[case](next(cache.iterdir()))
    with pytest.raises(SourceError, match="not in the cache"):
        fetch_texts(source, "1.0", BOTH, cache, offline=True)
    assert fetch_texts(source, "1.0", BOTH, cache) == fetched
    assert fetch_texts(source, "1.0", BOTH, cache, offline=True) == fetched
    assert not list(cache.glob(".*"))  # nothing half-written is left


def test_cache_that_cannot_be_written(web: str, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.write_text("a file")
    fetched = fetch_texts(UrlSource(f"{web}/good/{{file}}"), "", BOTH, cache)
    assert fetched.documents[0].content == TEXT
    assert fetched.notes == (f"cannot write the cache {cache} (file exists)",)


def test_concurrent_writes_to_the_cache(cached_texts: tuple[Path, UrlSource, FetchedTexts]) -> None:
    cache, source, fetched = cached_texts
    results: list[FetchedTexts] = []

    def fetch() -> None:
        results.append(fetch_texts(source, "1.0", BOTH, cache, refresh=True))

    threads = [threading.Thread(target=fetch) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.documents for result in results] == [fetched.documents] * 12
    assert fetch_texts(source, "1.0", BOTH, cache, offline=True) == fetched
    assert len(list(cache.iterdir())) == 1


def test_pinned_checksums(web: str, tmp_path: Path) -> None:
    source = UrlSource(f"{web}/good/{{file}}")

    def pinned(sha256: str, file: str = "guide.txt", offline: bool = False) -> FetchedTexts:
        pins = (Checksum(file, sha256),)
        return fetch_texts(source, "", BOTH, tmp_path, checksums=pins, offline=offline)

    with pytest.raises(SourceError, match=f"guide.txt has changed: its SHA-256 is {SHA256}"):
        pinned("0" * 64)
    assert pinned(SHA256.upper()).documents[0].content == TEXT
    with pytest.raises(SourceError, match="not in the cache"):
        pinned("0" * 64, offline=True)
    with pytest.raises(SourceError, match=r"there is no x\.txt; correct the name"):
        pinned(SHA256, "x.txt")
    with pytest.raises(SourceError, match="has changed"):
        fetch_texts(FolderSource(__file__), "", BOTH, tmp_path,
               checksums=(Checksum("test_sources.py", "0" * 64),))  # fmt: skip


# --- git ------------------------------------------------------------------------------


def git(folder: Path, *arguments: str) -> str:
    environment = {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_AUTHOR_DATE": "2024-02-29T12:00:00+0000",
        "GIT_COMMITTER_DATE": "2024-02-29T12:00:00+0000",
    }
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@kettle.example", *arguments]
    completed = subprocess.run(
        command, cwd=folder, env=environment, check=True, capture_output=True
    )
    return completed.stdout.decode().strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a tag v1.0 and a newer branch main, filters and hooks that fail."""
    needs("git")
    folder = tmp_path / "kettle"
    (folder / "doc").mkdir(parents=True)
    git(tmp_path, "init", "--quiet", "--initial-branch=main", "kettle")
    (folder / "doc" / "guide.txt").write_bytes(TEXT)
    (folder / "doc" / "image.png").write_bytes(b"\x89PNG")
    (folder / "doc" / "link.txt").symlink_to("/etc/passwd")
    (folder / ".gitattributes").write_text("*.txt filter=evil export-subst ident\n")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=one")
    git(folder, "tag", "v1.0")
    (folder / "doc" / "rules.txt").write_bytes(b"newer")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=two")
    git(folder, "config", "filter.evil.smudge", f"touch {tmp_path}/ran; cat")
    git(folder, "config", "core.fsmonitor", f"touch {tmp_path}/ran")
    return folder


def test_git_tag(repository: Path, tmp_path: Path) -> None:
    source = GitSource(str(repository), "v{version}", "/doc/")
    fetched = fetch_texts(source, "1.0", BOTH, tmp_path / "cache")
    assert [(text.name, text.content) for text in fetched.documents] == [("guide", TEXT)]
    assert fetched.origin == f"git tag v1.0 of {repository}"
    assert (fetched.version, fetched.full_version, fetched.date) == ("1.0", "1.0", "2024-02-29")
    assert not (tmp_path / "ran").exists()
    assert not (tmp_path / "cache").exists()


def test_git_branch_and_commit(repository: Path, tmp_path: Path) -> None:
    head = git(repository, "rev-parse", "HEAD")
    fetched = fetch_texts(GitSource(str(repository), "main", "doc"), "", BOTH, tmp_path)
    assert [document.name for document in fetched.documents] == ["guide", "rules"]
    assert fetched.origin == f"git branch main ({head[:12]}) of {repository}"
    assert fetched.version == ""
    fetched = fetch_texts(GitSource(str(repository), head, "doc"), "", BOTH, tmp_path)
    assert fetched.origin == f"git commit {head} of {repository}"
    assert "there is no text" in refused(tmp_path, GitSource(str(repository), "main", ""))


def test_git_inside_a_hook(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", "/no/where")
    assert fetch_texts(GitSource(str(repository), "main", "doc"), "", BOTH, tmp_path).documents


def test_git_that_fails(repository: Path, tmp_path: Path) -> None:
    place = str(repository)
    for source, why in {
        GitSource(place, "v9", "doc"): f"{place}: there is no tag or branch 'v9'",
        GitSource(place, "main", "docs"): f"{place}: main has no folder 'docs'",
        GitSource(place, "main", "../doc"): f"{place}: main has no folder '../doc'",
        GitSource(place, "--output=x", "doc"): "'--output=x' is not the name of a git tag",
        GitSource(place, "v1..v2", "doc"): "'v1..v2' is not the name of a git tag or branch",
        GitSource(place + "/doc", "main", ""): "not a git repository",
        GitSource("/no/where", "main", ""): "/no/where: no such folder",
        GitSource("--upload-pack=x", "main", ""): "--upload-pack=x: no such folder",
        GitSource("ext::sh -c x", "main", ""): "not an address to fetch from",
        GitSource("ext://x", "main", ""): "ext://x: not an address to fetch from",
        GitSource("ssh://-oProxyCommand=x/y", "main", ""): "not an address to fetch from",
        GitSource("https://me:secret@kettle.invalid/x", "main", ""):
            "https://kettle.invalid/x: the host is not found; check the network",
    }.items():  # fmt: skip
        assert why in refused(tmp_path, source)


def test_git_tree_with_a_file_too_large(repository: Path, tmp_path: Path) -> None:
    with (repository / "doc" / "rules.txt").open("wb") as stream:
        stream.truncate(65 * MEGABYTES)
    git(repository, "config", "--unset", "core.fsmonitor")
    git(repository, "config", "--unset", "filter.evil.smudge")
    git(repository, "commit", "--quiet", "--all", "--message=three")
    assert "rules.txt is larger than 64 MB" in refused(
        tmp_path, GitSource(str(repository), "main", "doc")
    )


@contextmanager
def daemon(base: Path) -> Iterator[str]:
    """The address of a git server on the loopback interface for repositories in `base`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    core = Path(git(base, "--exec-path"))
    if not (core / "git-daemon").exists():
        needs("git-daemon")
    command = [str(core / "git-daemon"), "--reuseaddr", "--export-all", "--listen=127.0.0.1",
               f"--port={port}", f"--base-path={base}", str(base)]  # fmt: skip
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": str(base / "gitconfig")}
    (base / "gitconfig").write_text("[safe]\n\tdirectory = *\n")
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        for _ in range(100):
            with socket.socket() as probe:
                if not probe.connect_ex(("127.0.0.1", port)):
                    break
            time.sleep(0.05)
        try:
            yield f"git://127.0.0.1:{port}"
        finally:
            process.terminate()


def test_git_over_https_gives_its_address(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetched(into: git_source.Repository, source: GitSource) -> tuple[str, str]:
        subprocess.run(["git", "clone", "--quiet", "--bare", repository, into.folder], check=True)
        return source.revision, "tag"

    monkeypatch.setattr(git_source, "_fetch_commit", fetched)
    for address, url in (
        ("https://git.example.org/kettle.git", "https://git.example.org/kettle.git"),
        ("ssh://git.example.org/kettle.git", ""),
    ):
        texts = fetch_texts(GitSource(address, "v1.0", "doc"), "", BOTH, tmp_path / "cache")
        assert [document.url for document in texts.documents] == [url]


def test_git_remote(repository: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    tag = GitSource("", "v{version}", "doc")
    with daemon(tmp_path) as address:
        tag = replace(tag, repository=f"{address}/kettle")
        fetched = fetch_texts(tag, "1.0", BOTH, cache)
        assert [(text.name, text.content) for text in fetched.documents] == [("guide", TEXT)]
        assert fetched.origin == f"git tag v1.0 of {address}/kettle"
        assert (fetched.version, fetched.date) == ("1.0", "2024-02-29")
        branch = fetch_texts(replace(tag, revision="main"), "", BOTH, cache)
        assert branch.origin.startswith("git branch main (")
        head = fetch_texts(replace(tag, revision="HEAD"), "", BOTH, cache)
        assert head.origin == f"git commit HEAD of {address}/kettle"
        assert "there is no tag or branch 'v2.0'" in refused(cache, tag, "2.0")
        missing = replace(tag, repository=f"{address}/toaster")
        assert f"{address}/toaster: " in refused(cache, missing, "1.0")
    assert fetch_texts(tag, "1.0", BOTH, cache) == fetched
    assert "git cannot fetch it" in refused(cache, tag, "3.0")
    with pytest.raises(SourceError, match=r"git v3\.0 of git://.*/kettle: not in the cache"):
        fetch_texts(tag, "3.0", BOTH, cache, offline=True)


@pytest.mark.parametrize("is_partial", [True, False])
def test_git_files_are_fetched_alone(
    is_partial: bool, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched_blobs: list[str] = []

    def run_git(repository: git_source.Repository, *arguments: str) -> object:
        if arguments[0] == "fetch" and "--no-write-fetch-head" in arguments:
            fetched_blobs.extend(arguments[arguments.index("--") + 2 :])
        return run(repository, *arguments)

    run = git_source.run_git
    monkeypatch.setattr(git_source, "run_git", run_git)
    if is_partial:
        for key in ("allowFilter", "allowAnySHA1InWant"):
            git(repository, "config", f"uploadpack.{key}", "true")
    with daemon(tmp_path) as address:
        source = GitSource(f"{address}/kettle", "v1.0", "", files=("doc/guide.txt",))
        (guide,) = fetch_texts(source, "1.0", (), tmp_path / "cache").documents
        assert (guide.name, guide.file, guide.content) == ("guide", "doc/guide.txt", TEXT)
        assert len(fetched_blobs) == is_partial
        missing = replace(source, files=("doc/guide.txt", "doc/lid.txt"))
        assert refused(tmp_path / "cache", missing) == f"{address}/kettle: v1.0 has no doc/lid.txt"
    assert fetch_texts(source, "1.0", (), tmp_path / "cache").documents == (guide,)
    local = replace(source, repository=str(repository))
    assert fetch_texts(local, "1.0", (), tmp_path / "cache").documents == (guide,)


# --- programs -------------------------------------------------------------------------


def test_programs_that_are_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    sources: tuple[tuple[str, SourceSetting], ...] = (
        ("git", GitSource(str(tmp_path), "main", "")),
        ("apt-get", DebianSource("kettle", "/usr/share/doc/kettle")),
    )
    for name, source in sources:
        sentence = refused(tmp_path, source)
        assert sentence == f"the program {name} is not installed; install it"


def test_programs_that_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr("dconv.sources.programs.TIMEOUT", 0.5)
    program(tmp_path, "git", "sleep 30 & echo $! > child; wait")
    started = time.monotonic()
    sentence = refused(tmp_path, GitSource(str(tmp_path), "main", ""))
    assert sentence == "git takes more than 0.5 seconds"
    assert time.monotonic() - started < 10
    child = Path("/proc") / (tmp_path / "child").read_text().strip()
    for _ in range(100):
        if not child.exists() or "Z" in (child / "stat").read_text().rpartition(")")[2][:3]:
            break
        time.sleep(0.02)
    else:
        pytest.fail("the child of the program still runs")


# --- files of several names -------------------------------------------------------------


def test_a_page_has_the_names_of_its_links_and_of_pages_that_include_it(tmp_path: Path) -> None:
    folder, other = tmp_path / "man8", tmp_path / "man5"
    folder.mkdir()
    other.mkdir()
    page = b".TH KETTLE 8\n.SH NAME\nkettle \\- boil\n"
    (folder / "kettle.8.gz").write_bytes(gzip.compress(page))
    (folder / "lid.8").write_bytes(b'.\\" a comment\n.so man8/kettle.8\n')
    (other / "pot.5").write_bytes(b".so man8/lid.8\n")
    (folder / "steam.8.gz").symlink_to("kettle.8.gz")
    (tmp_path.parent / "secret.8").write_bytes(b".TH SECRET 8\n")
    (folder / "outside.8").write_bytes(b".so ../secret.8\n")
    documents = fetch_texts(FolderSource(str(folder)), "", (), tmp_path).documents
    assert [(page.name, page.content[:9], page.other_names) for page in documents] == [
        ("kettle.8", b".TH KETTL", ("lid.8", "steam.8")), ("outside.8", b".so ../se", ()),
    ]
    (single,) = fetch_texts(FolderSource(str(other / "pot.5")), "", (), tmp_path).documents
    assert (single.name, single.content, single.other_names) == ("kettle.8", page, ("pot.5",))


def test_a_tree_of_manual_pages(tmp_path: Path) -> None:
    page = b".TH KETTLE 8\n.SH NAME\nkettle \\- boil\n"
    for path in ("man8/kettle.8", "man5/pot.5", "man3/cup.3", "man8/x.conf", "de/man8/kettle.8"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(page)
    (tmp_path / "man1").mkdir()
    (tmp_path / "man1/boil.1").symlink_to("../man8/kettle.8")
    (tmp_path / "guide.txt").write_bytes(TEXT)
    (tmp_path / "kettle.conf").write_bytes(TEXT)
    fetched = fetch_texts(FolderSource(str(tmp_path)), "", (), tmp_path)
    assert [(text.name, text.file, text.other_names) for text in fetched.documents] == [
        ("guide", "guide.txt", ()), ("pot.5", "man5/pot.5", ()),
        ("kettle.8", "man8/kettle.8", ("boil.1",)),
    ]
    assert fetched.notes == (
        f"{tmp_path}: translations and man3 are left out; name a folder of pages to read it",
        f"{tmp_path}: left out kettle.conf; name a configuration file to read it",
    )
    named = fetch_texts(FolderSource(str(tmp_path / "man3")), "", (), tmp_path)
    assert ([text.file for text in named.documents], named.notes) == (["cup.3"], ())
    asked = fetch_texts(FolderSource(str(tmp_path), sections=("3",)), "", (), tmp_path)
    assert [text.name for text in asked.documents] == ["guide", "cup.3"]


def test_configuration_files_of_a_folder_are_left_out_and_named(tmp_path: Path) -> None:
    for name in ("guide.txt", "kettle.conf", "pot.conf"):
        (tmp_path / name).write_bytes(TEXT)
    fetched = fetch_texts(FolderSource(str(tmp_path)), "", (), tmp_path)
    assert [text.file for text in fetched.documents] == ["guide.txt"]
    assert fetched.notes == (
        f"{tmp_path}: left out kettle.conf, pot.conf; name a configuration file to read it",
    )


def test_manual_pages_are_found_anywhere_below_a_folder(tmp_path: Path) -> None:
    page = b".TH KETTLE 8\n.SH NAME\nkettle \\- boils\n"
    for path in ("kettle/usr/share/man/man8/kettle.8", "kettle/usr/share/man/de/man8/kettle.8",
                 "cup/man5/cup.5", ".cache/man8/old.8"):  # fmt: skip
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(page)
    fetched = fetch_texts(FolderSource(str(tmp_path)), "", (), tmp_path)
    assert [text.file for text in fetched.documents] == [
        "cup/man5/cup.5", "kettle/usr/share/man/man8/kettle.8",
    ]  # fmt: skip
    german = fetch_texts(FolderSource(str(tmp_path / "kettle/usr/share/man/de")), "", (), tmp_path)
    assert [text.file for text in german.documents] == ["man8/kettle.8"]


# --- Debian ---------------------------------------------------------------------------


FOLDER = "./usr/share/doc/kettle"
KETTLE = DebianSource("kettle", "/usr/share/doc/kettle/")
NAMED = "echo \"'http://deb.example/k.deb' kettle_1%3a1.2.3-4+b1_all.deb 99 SHA256:00\""


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs with an apt-get of ours, which has one package."""
    needs("dpkg-deb")
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    archive = package(tmp_path, [
        (member(FOLDER, tarfile.DIRTYPE), b""),
        (member(f"{FOLDER}/guide.txt.gz"), gzip.compress(TEXT)),
        (member(f"{FOLDER}/notes.txt"), b"small"),
        (member(f"{FOLDER}/changelog.gz"), b"not a text"),
        (member(f"{FOLDER}/sub/other.txt"), b"below"),
        (member(f"{FOLDER}/link.txt", tarfile.SYMTYPE, "/etc/passwd"), b""),
        (member(f"{FOLDER}/hard.txt", tarfile.LNKTYPE, "../../../etc/passwd"), b""),
        (member(f"{FOLDER}/pipe.txt", tarfile.FIFOTYPE), b""),
        (member("../../evil.txt"), b"outside"),
        (member(f"{FOLDER}/../../../../../evil.txt"), b"outside"),
        (member("/usr/share/doc/kettle/rules.txt"), b"absolute"),
    ])  # fmt: skip
    program(folder, "apt-get", f"""
case "$*" in *--print-uris*) {NAMED};; *) cp {archive} .;; esac
""")
    return folder


def test_debian(apt: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    fetched = fetch_texts(KETTLE, "1.2", BOTH, cache)
    assert [(text.name, text.content) for text in fetched.documents] == [
        ("guide", TEXT), ("rules", b"absolute"), ("notes", b"small"),
    ]  # fmt: skip
    assert fetched.origin == "Debian package kettle 1:1.2.3-4+b1"
    assert (fetched.version, fetched.full_version) == ("1.2", "1.2.3")
    assert fetched.date == "2024-02-29"
    assert not list(tmp_path.rglob("evil.txt"))
    assert fetch_texts(KETTLE, "debian", BOTH, cache).version == "1.2"
    assert fetch_texts(KETTLE, "", BOTH, cache).version == "1.2"
    program(apt, "apt-get", "exit 1")
    assert fetch_texts(KETTLE, "1.2", BOTH, cache, offline=True) == fetched


def test_a_program_of_a_package_is_unpacked_without_installing_it(
    apt: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "cache" / "programs"
    program = unpack_program("kettle", "usr/share/doc/kettle/notes.txt", folder)
    assert program == folder / "notes.txt"
    assert program.read_bytes() == b"small"
    assert os.access(program, os.X_OK)
    with pytest.raises(SourceError, match=r"Debian package kettle: there is no usr/bin/kettle"):
        unpack_program("kettle", "usr/bin/kettle", folder)


def test_debian_with_another_release(apt: Path, tmp_path: Path) -> None:
    for version in ("1.1", "1", "1.2.3"):
        source = KETTLE if version == "1.1" else replace(KETTLE, package=f"kettle={version}")
        if version == "1.1":
            assert refused(tmp_path, source, version) == (
                "Debian package kettle is 1:1.2.3-4+b1, not release 1.1"
            )
        else:
            assert fetch_texts(source, version, BOTH, tmp_path).full_version == "1.2.3"


@pytest.mark.parametrize(("script", "why"), [
    ("echo 'E: Unable to locate package kettle' >&2; exit 100",
     "Debian package kettle: Unable to locate package kettle; 'apt-get update' may help"),
    ("exit 0", "Debian package kettle: apt-get names no file; 'apt-get update' may help"),
    (f"{NAMED}; [ $# = 10 ] || {{ echo 'E: Failed to fetch k.deb  No network.' >&2; exit 100; }}",
     "Debian package kettle: the download failed (No network)"),
    (f"{NAMED}; [ $# = 10 ] || exit 3", "the download failed (apt-get failed with status 3)"),
    (NAMED, "Debian package kettle: apt-get downloads no package file"),
    (f"{NAMED}; echo rubbish > k.deb", "the package file is damaged (dpkg-deb: error:"),
    (NAMED.replace(" 99 ", " 99999999 "), "Debian package kettle is larger than 64 MB"),
])  # fmt: skip
def test_debian_that_fails(script: str, why: str, apt: Path, tmp_path: Path) -> None:
    program(apt, "apt-get", script)
    assert why in refused(tmp_path, KETTLE)


def test_debian_packages_without_texts(apt: Path, tmp_path: Path) -> None:
    assert "kettle 1:1.2.3-4+b1: there is no text in /x" in refused(
        tmp_path, replace(KETTLE, folder="/x")
    )
    assert refused(tmp_path, DebianSource("-oX=y", "/x")) == (
        "'-oX=y' is not the name of a Debian package; write it as lvm2"
    )


def test_debian_with_a_damaged_archive(apt: Path, tmp_path: Path) -> None:
    program(apt, "dpkg-deb", "echo no tar archive")
    assert "the package file is damaged (" in refused(tmp_path, KETTLE)


# --- a release ------------------------------------------------------------------------


def test_release_from_the_first_source_that_has_it(web: str, tmp_path: Path) -> None:
    good = UrlSource(f"{web}/good/{{version}}/{{file}}")
    bad = UrlSource(f"{web}/broken/{{version}}/{{file}}")
    product = replace(
        default_product(), title="Kettle", documents=BOTH, sources=(bad, FolderSource("/x"), good)
    )
    fetched = fetch_release(product, SiteRelease("1.0", ()), tmp_path)
    assert fetched.origin == f"{web}/good/1.0/"
    using = f"using {web}/good/1.0/"
    assert fetched.notes == (
        f"{web}/broken/1.0/guide.txt: the server answers with status 500 Kettle [2Jis dry; {using}",
        f"/x: no such file or folder; {using}",
    )
    (tmp_path / "guide.txt").write_bytes(TEXT)
    own = SiteRelease("1.0", (FolderSource(str(tmp_path)),))
    fetched = fetch_release(product, own, tmp_path / "cache")
    assert fetched.origin == str(tmp_path)
    assert (fetched.notes, fetched.missing) == ((), ("rules.txt",))


@pytest.mark.parametrize(
    ("content", "flaw"),
    [
        (b"", "an empty text"),
        (b" \n\t\n", "an empty text"),
        (b"<!DOCTYPE html>\n<title>502 Bad Gateway</title>\n", "a web page, not a text"),
    ],
)
def test_an_empty_text_or_web_page_does_not_replace_a_release(
    content: bytes, flaw: str, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        for document in BOTH:
            (tmp_path / name / document.file).write_bytes(TEXT)
    (tmp_path / "first" / "rules.txt").write_bytes(content)
    first, second = (FolderSource(str(tmp_path / name)) for name in ("first", "second"))
    product = replace(default_product(), documents=BOTH, sources=(first,))
    message = f"{tmp_path}/first: rules.txt is {flaw}"
    with pytest.raises(SourceError, match=f"no source gives plain 1\\.0: {re.escape(message)}$"):
        fetch_release(product, SiteRelease("1.0", ()), tmp_path)
    both = replace(product, sources=(first, second))
    fetched = fetch_release(both, SiteRelease("1.0", ()), tmp_path)
    assert (fetched.origin, fetched.notes) == (
        str(tmp_path / "second"), (f"{message}; using {tmp_path}/second",)
    )


def test_an_empty_unlisted_text_is_ignored(tmp_path: Path) -> None:
    for document in BOTH:
        (tmp_path / document.file).write_bytes(TEXT)
    (tmp_path / "notes.txt").write_bytes(b"")
    product = replace(default_product(), documents=BOTH, sources=(FolderSource(str(tmp_path)),))
    fetched = fetch_release(product, SiteRelease("1.0", ()), tmp_path)
    assert (len(fetched.documents), fetched.notes) == (3, ())
    for document in BOTH:
        (tmp_path / document.file).unlink()
    with pytest.raises(SourceError, match=r"notes\.txt is an empty text$"):
        fetch_release(product, SiteRelease("1.0", ()), tmp_path)


def test_release_that_no_source_has(web: str, tmp_path: Path) -> None:
    urls = UrlSource(f"{web}/nothing/{{version}}/{{file}}")
    product = replace(default_product(), documents=BOTH, sources=(urls,))
    with pytest.raises(SourceError, match=r"no source gives plain 1\.0: .* no such file"):
        fetch_release(product, SiteRelease("1.0", (urls,)), tmp_path)
    with pytest.raises(SourceError, match="not in the cache, and --offline forbids fetching"):
        fetch_release(product, SiteRelease("1.0", ()), tmp_path, True)
    with pytest.raises(SourceError, match=r"has no \[\[source"):
        fetch_release(product, SiteRelease("debian", ()), tmp_path)
