"""The examples in `publishing/` for web servers: the real servers, asked as browsers ask."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path

import pytest
from programs import free_port, need, running

from dconv.cli import main
from dconv.sources.resources import resource_folder

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).resolve().parents[2] / "publishing"
MODULES = "/usr/lib/apache2/modules"
FOLDER = "/srv/docs"  # where the examples have the site
# the files of `redirects/` that administrators copy below /etc
COPIES = {
    "nginx.conf": "nginx", "apache.conf": "apache2", "caddy.conf": "caddy", "haproxy.map": "haproxy"
}
TEXT = """\
                        ------------------------
                          HAProxy
                          Configuration Manual
                        ------------------------
                             version 2.0

1. Words
--------

""" + "Each paragraph of this text is words, with “quotes” around some of them.\n" * 40
SITE = """\
[site]
title = "Manuals"
compress = true

[[product]]
name = "haproxy"

[[product.release]]
version = "2.0"
source = { path = "texts" }
"""
META = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
SHORT, LONG = "public, max-age=60", "public, max-age=31536000, immutable"
PAGES = ("/", "/index.html", "/haproxy/2.0/configuration/", "/haproxy/2.0/configuration/1.html",
         "/haproxy/2.0/configuration.html")
ABSENT = ("/none.html", "/haproxy/9.9/a/b/c/none.html", "/static/none.00000000.css", "/none/")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answers, its content decompressed."""

    status: int
    headers: HTTPMessage
    content: bytes

    @property
    def is_gzipped(self) -> bool:
        return self.headers.get_all("Content-Encoding") == ["gzip"]


def ask(port: int, path: str, **headers: str) -> Answer:
    """The answer of the server on `port` for `path`."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        connection.request("GET", path, headers=named)
        answer = connection.getresponse()
        content = answer.read()
        if answer.getheader("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        return Answer(answer.status, answer.msg, content)
    finally:
        connection.close()


@pytest.fixture(scope="module")
def site() -> Iterator[Path]:
    """A built site, with copies, that servers may read who run under another name."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "texts").mkdir()
        (folder / "texts/configuration.txt").write_text(TEXT)
        (folder / "site.toml").write_text(SITE)
        assert main(["build", "-q", "--strict", "--offline", "--site", f"{folder}/site.toml"]) == 0
        for file, server in COPIES.items():
            copy = folder / "etc" / server / "redirects" / file
            copy.parent.mkdir(parents=True)
            copy.write_bytes((folder / "public/redirects" / file).read_bytes())
        yield folder / "public"


def example(name: str, site: Path, *changes: tuple[str, str], redirects: bool = True) -> str:
    """The example `name` for the folder `site`, with `changes` (each must fit).

    Without `redirects` it finds none to include.
    """
    text = (EXAMPLES / name).read_text()
    etc = str(site.with_name("etc" if redirects else "none"))
    for before, after in ((FOLDER, str(site)), ("/etc", etc), *changes):
        assert before in text, before
        text = text.replace(before, after)
    return text


# --- what every server does ---------------------------------------------------------------


def file(site: Path, path: str) -> bytes:
    return (site / f"{path}{'index.html' if path.endswith('/') else ''}".lstrip("/")).read_bytes()


def check(port: int, site: Path) -> None:
    """The server on `port` shows `site` as the manual says."""
    for path in PAGES:
        _check_page(port, site, path)
    for path in sorted(path.relative_to(site).as_posix() for path in site.glob("static/*.*s")):
        _check_lasting(port, site, f"/{path}")
    for path in ABSENT:
        for accepted in ("gzip", "identity"):
            answer = ask(port, path, Accept_Encoding=accepted)
            assert (answer.status, answer.content) == (404, file(site, "404.html")), path
            assert answer.headers["Content-Type"].startswith("text/html"), path
            _check_headers(answer, site, SHORT)
    moved = ask(port, "/2.0/configuration.html?one")
    assert moved.status == 301
    assert moved.headers["Location"].endswith("/haproxy/2.0/configuration.html?one")
    _check_headers(moved, site, SHORT)


def _check_page(port: int, site: Path, path: str) -> None:
    for accepted in ("gzip, deflate, br", "identity", ""):
        answer = ask(port, path, Accept_Encoding=accepted)
        assert (answer.status, answer.content) == (200, file(site, path)), (path, accepted)
        assert answer.is_gzipped == ("gzip" in accepted), (path, accepted)
        kind, _, charset = answer.headers["Content-Type"].lower().partition("; charset=")
        assert (kind, charset or "utf-8") == ("text/html", "utf-8")  # pages say it themselves, too
        if answer.is_gzipped:
            assert "accept-encoding" in answer.headers["Vary"].lower()
        _check_headers(answer, site, SHORT)
    seen = ask(port, path, Accept_Encoding="gzip").headers
    condition = {"If_None_Match": seen["ETag"]} if seen["ETag"] else {
        "If_Modified_Since": seen["Last-Modified"]
    }
    again = ask(port, path, Accept_Encoding="gzip", **condition)
    assert (again.status, again.content) == (304, b""), path
    assert again.headers.get_all("Cache-Control") == [SHORT]


def _check_lasting(port: int, site: Path, path: str) -> None:
    """A file with a digest in its name may be kept."""
    answer = ask(port, path, Accept_Encoding="gzip")
    assert (answer.status, answer.content) == (200, file(site, path)), path
    assert answer.is_gzipped == (site / f"{path[1:]}.gz").exists(), path
    kind = "css" if path.endswith("css") else "javascript"
    assert answer.headers["Content-Type"].split(";")[0].endswith(f"/{kind}"), path
    _check_headers(answer, site, LONG)


def _check_headers(answer: Answer, site: Path, cache_control: str) -> None:
    """Each header is there once, and the policy is that of pages, and forbids frames."""
    meta = META.search(file(site, "404.html").decode())
    assert meta is not None
    policy = f"{meta[1]}; frame-ancestors 'none'".replace("&#39;", "'")
    assert answer.headers.get_all("Content-Security-Policy") == [policy]
    assert answer.headers.get_all("X-Content-Type-Options") == ["nosniff"]
    assert answer.headers.get_all("Cache-Control") == [cache_control]


def test_the_manual_shows_each_example_whole() -> None:
    manual = (resource_folder("manuals") / "dconv/manual.txt").read_text("utf-8")
    for name in ("Caddyfile", "apache.conf", "haproxy.cfg", "nginx.conf"):
        assert textwrap.indent((EXAMPLES / name).read_text("utf-8"), "    ") in manual, name


# --- the servers ------------------------------------------------------------------------------


@contextmanager
def nginx(text: str, port: int, folder: Path) -> Iterator[None]:
    """nginx with `text` in its block `http`, on `port`."""
    folder.mkdir(exist_ok=True)
    user = "user root;" if os.getuid() == 0 else ""
    (folder / "nginx.conf").write_text(f"""\
{user} daemon off; pid {folder}/pid; error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include /etc/nginx/mime.types;
{text}
}}
""")
    options = ["-p", f"{folder}", "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"]
    with running([need("nginx"), *options], port, folder / "log"):
        yield


def nginx_example(site: Path, port: int, redirects: bool = True) -> str:
    changes = ("listen 80;", f"listen 127.0.0.1:{port};")
    return example("nginx.conf", site, changes, redirects=redirects)


def test_nginx(site: Path, tmp_path: Path) -> None:
    port = free_port()
    with nginx(nginx_example(site, port), port, tmp_path):
        check(port, site)


def test_nginx_without_redirects(site: Path, tmp_path: Path) -> None:
    port = free_port()
    with nginx(nginx_example(site, port, redirects=False), port, tmp_path):
        assert ask(port, "/index.html").status == 200
        assert ask(port, "/2.0/configuration.html").status == 404


def test_apache(site: Path, tmp_path: Path) -> None:
    program = need("apache2")
    port = free_port()
    changes = ("<VirtualHost *:80>", f"<VirtualHost *:{port}>")
    text = example("apache.conf", site, changes)
    named = re.search(r"Modules: ([a-z_, ]+)\.", text)
    assert named is not None
    names = ["mpm_event", *named[1].split(", ")]
    loaded = "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in names)
    user = "User www-data\nGroup www-data\n" if os.getuid() == 0 else ""
    (tmp_path / "apache.conf").write_text(f"""\
{loaded}{user}ServerName localhost
Listen 127.0.0.1:{port}
PidFile {tmp_path}/pid
ErrorLog {tmp_path}/error.log
DefaultRuntimeDir {tmp_path}
TypesConfig /etc/mime.types
AddType application/x-gzip .gz .tgz
{text}""")
    words = [program, "-X", "-d", str(tmp_path), "-f", str(tmp_path / "apache.conf")]
    with running(words, port, tmp_path / "log"):
        check(port, site)


@pytest.mark.parametrize("redirects", [True, False])
def test_caddy(site: Path, tmp_path: Path, redirects: bool) -> None:
    program = need("caddy")
    port = free_port()
    changes = ("docs.example.org {", f"http://127.0.0.1:{port} {{")
    text = example("Caddyfile", site, changes, redirects=redirects)
    (tmp_path / "Caddyfile").write_text(f"{{\n\tadmin off\n}}\n{text}")
    words = [program, "run", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile")]
    with running(words, port, tmp_path / "log"):
        if redirects:
            check(port, site)
        else:
            assert ask(port, "/2.0/configuration.html").status == 404


@pytest.mark.parametrize("with_gzip", [False, True])
def test_haproxy(site: Path, tmp_path: Path, with_gzip: bool) -> None:
    """Before a server of mere files, and before one that packs and has headers of its own."""
    program = need("haproxy")
    port, backend_port = free_port(), free_port()
    text = example(
        "haproxy.cfg", site, ("bind :80", f"bind 127.0.0.1:{port}"),
        ("127.0.0.1:8080", f"127.0.0.1:{backend_port}"),
    )
    for line in (site / "redirects/haproxy.cfg").read_text().splitlines():
        assert line.startswith("#") or line.replace("/etc", str(site.with_name("etc"))) in text
    (tmp_path / "haproxy.cfg").write_text(f"""\
defaults
    timeout client 10s
    timeout server 10s
    timeout connect 10s

{text}""")
    words = [program, "-db", "-f", str(tmp_path / "haproxy.cfg")]
    check_only = [program, "-c", *words[2:]]
    tried = subprocess.run(check_only, capture_output=True, text=True, check=False)
    assert (tried.returncode, tried.stderr) == (0, ""), tried.stderr
    files = f"server {{ listen 127.0.0.1:{backend_port}; root {site}; }}"
    with running(words, port, tmp_path / "log"):
        settings = nginx_example(site, backend_port) if with_gzip else files
        with nginx(settings, backend_port, tmp_path / "nginx"):
            check(port, site)
        # the server of the files is gone, and what was asked for is shown out of the cache
        for path in PAGES:
            _check_page(port, site, path)
        assert ask(port, "/haproxy/2.0/configuration/keywords.html").status == 503
