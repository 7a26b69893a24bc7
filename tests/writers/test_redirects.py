"""Redirects from the pages of haproxy-dconv: the real servers load them and redirect."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from programs import free_port, need, running, served, write_tree

from dconv.build.schedule import build_site
from dconv.model.lifecycle import ReleaseStatus
from dconv.model.origin import Origin
from dconv.settings.manual import load_product
from dconv.settings.types import DocumentSetting
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.legacy.redirects import redirect_files, redirects
from dconv.writers.pages.page import SiteInfo
from dconv.writers.theme.theme import load

pytestmark = pytest.mark.slow

MODULES = "/usr/lib/apache2/modules"
TEXT = b"1. First\n--------\n\nA word.\n"
LONG = "a-document-with-a-very-long-name-that-no-hash-holds"
# an old address, the new one
PAGES = (
    ("/2.0/configuration.html", "/haproxy/2.0/configuration.html"),
    ("/1.9/management.html", "/haproxy/1.9/management.html"),
    ("/1.9/snapshot/management.html", "/haproxy/1.9/management.html"),
    ("/configuration-1.9.html", "/haproxy/1.9/configuration.html"),
    ("/snapshot/configuration-1.9.html", "/haproxy/1.9/configuration.html"),
    ("/haproxy-dconv/2.0/configuration.html", "/haproxy/2.0/configuration.html"),
    ("/haproxy-dconv/configuration-2.0.html", "/haproxy/2.0/configuration.html"),
    ("/haproxy-dconv/snapshot/configuration-2.0.html", "/haproxy/2.0/configuration.html"),
    ("/dev/configuration.html", "/haproxy/2.0/configuration.html"),
    (f"/haproxy-dconv/snapshot/{LONG}-1.9.html", f"/haproxy/1.9/{LONG}.html"),
)
# releases that the table knows, but not the site: the nearest newer one, else the latest
ABSENT = (
    ("/1.8/configuration.html", "/haproxy/1.9/configuration.html"),
    ("/configuration-1.5.html", "/haproxy/1.9/configuration.html"),
    ("/3.0/configuration.html", "/haproxy/1.9/configuration.html"),
)
OTHERS = ("/2.0/peers.html", "/dev/management.html", "/0.1/configuration.html", "/no-1x9.html")


def texts(
    version: str, status: ReleaseStatus | Literal[""], *documents: str
) -> ReleaseTexts:
    product = load_product(resource_folder("manuals") / "haproxy")
    source_texts = tuple(
        SourceText(
            TEXT, f"{name}.txt", product, DocumentSetting(name, f"{name}.txt", name, ""),
            Origin("a text"),
        )
        for name in documents
    )
    return ReleaseTexts("haproxy", "HAProxy", version, status, source_texts)


@pytest.fixture(scope="module")
def site() -> Iterator[Path]:
    """A built site that servers may read who run under another name."""
    releases = (
        texts("2.0", "development", "configuration", "peers"),
        texts("1.9", "stable", "configuration", "management"),
    )
    files = dict(
        build_site(releases, SiteInfo("M", "dconv"), load("default"))
    )
    extra = [(f"/haproxy-dconv/snapshot/{LONG}-1.9.html", f"/haproxy/1.9/{LONG}.html")]
    for path, content in redirect_files(extra, ""):
        if path.endswith(".map"):
            files[path] += content
        elif path.endswith(".conf"):
            lines = content.decode().splitlines(keepends=True)
            row = next(line for line in lines if LONG in line).encode()
            end = b"}\n" if files[path].endswith(b"}\n") else b""
            files[path] = files[path].removesuffix(end) + row + end
    files[f"haproxy/1.9/{LONG}.html"] = files["haproxy/1.9/configuration.html"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        write_tree(files.items(), folder)
        yield folder


def status(port: int, path: str) -> tuple[int, str]:
    """The status of the answer for `path` and the path that it redirects to, or nothing."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        place = urlsplit(answer.getheader("Location", ""))
        return answer.status, f"{place.path}?{place.query}" if place.query else place.path
    finally:
        connection.close()


def shown(port: int, path: str) -> str:
    """What the server on `port` answers for `path`."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def check(port: int) -> None:
    """The server on `port` redirects each old page to a page that is there, and no other."""
    for old, new in (*PAGES, *ABSENT):
        assert status(port, old) == (301, new), old
        assert status(port, f"{old}?one") == (301, f"{new}?one"), old
        assert status(port, new) == (200, ""), new
    for other in OTHERS:
        assert status(port, other) == (404, ""), other
        assert "<h1>There is no such page</h1>" in shown(port, other)


def test_nginx(site: Path, tmp_path: Path) -> None:
    program = need("nginx")
    port = free_port()
    user = "user root;" if os.getuid() == 0 else ""
    (tmp_path / "nginx.conf").write_text(f"""\
{user} daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {tmp_path}/body; proxy_temp_path {tmp_path}/proxy;
    fastcgi_temp_path {tmp_path}/fastcgi; uwsgi_temp_path {tmp_path}/uwsgi;
    scgi_temp_path {tmp_path}/scgi;
    include {site}/redirects/nginx.conf;
    server {{
        listen 127.0.0.1:{port};
        root {site};
        error_page 404 /404.html;
        if ($old_page) {{ return 301 $old_page$is_args$args; }}
    }}
}}
""")
    options = ["-p", f"{tmp_path}", "-e", f"{tmp_path}/error.log", "-c", f"{tmp_path}/nginx.conf"]
    with running([program, *options], port, tmp_path / "log"):
        check(port)


def test_apache(site: Path, tmp_path: Path) -> None:
    program = need("apache2")
    port = free_port()
    names = ("mpm_event", "authz_core", "alias")
    loaded = "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in names)
    user = "User www-data\nGroup www-data\n" if os.getuid() == 0 else ""
    (tmp_path / "apache.conf").write_text(f"""\
{loaded}{user}ServerName localhost
Listen 127.0.0.1:{port}
PidFile {tmp_path}/pid
ErrorLog {tmp_path}/error.log
DefaultRuntimeDir {tmp_path}
<VirtualHost *:{port}>
DocumentRoot {site}
ErrorDocument 404 /404.html
Include {site}/redirects/apache.conf
</VirtualHost>
""")
    words = [program, "-X", "-d", str(tmp_path), "-f", str(tmp_path / "apache.conf")]
    with running(words, port, tmp_path / "log"):
        check(port)


def test_haproxy(site: Path, tmp_path: Path) -> None:
    program = need("haproxy")
    port = free_port()
    lines = (site / "redirects/haproxy.cfg").read_text()
    assert lines.count("/etc/haproxy/redirects/haproxy.map") == 1
    lines = lines.replace("/etc/haproxy/redirects/", f"{site}/redirects/")
    with served(site) as address:
        (tmp_path / "haproxy.cfg").write_text(f"""\
defaults
    mode http
    timeout client 10s
    timeout server 10s
    timeout connect 10s
frontend here
    bind 127.0.0.1:{port}
{lines}
    default_backend files
backend files
    http-response return status 404 content-type text/html file {site}/404.html if {{ status 404 }}
    server one {address.removeprefix("http://")}
""")
        words = [program, "-db", "-f", str(tmp_path / "haproxy.cfg")]
        subprocess.run([*words[:1], "-c", *words[2:]], check=True, capture_output=True)
        with running(words, port, tmp_path / "log"):
            check(port)


def test_caddy(site: Path, tmp_path: Path) -> None:
    program = need("caddy")
    port = free_port()
    (tmp_path / "Caddyfile").write_text(f"""\
{{
    admin off
}}
http://127.0.0.1:{port} {{
    root * {site}
    import {site}/redirects/caddy.conf
    file_server
    handle_errors {{
        rewrite * /404.html
        file_server
    }}
}}
""")
    words = [program, "run", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile")]
    with running(words, port, tmp_path / "log"):
        check(port)


# --- what is written ------------------------------------------------------------------


def test_a_site_below_a_folder_says_so() -> None:
    files = dict(redirect_files([("/1.0/a.html", "/x/1.0/a.html")], "/do cs;"))
    assert files["redirects/haproxy.map"] == b"/1.0/a.html /do%20cs%3B/x/1.0/a.html\n"
    assert b"    /1.0/a.html /do%20cs%3B/x/1.0/a.html;\n" in files["redirects/nginx.conf"]


def test_an_address_that_did_not_change_is_no_redirect() -> None:
    assert dict(redirect_files([("/x/1.0/a.html", "/x/1.0/a.html")], "")) == {}


def test_the_first_release_of_an_address_has_it() -> None:
    redirects = [("/dev/a.html", "/x/2.0/a.html"), ("/dev/a.html", "/x/1.0/a.html")]
    files = dict(redirect_files(redirects, ""))
    assert files["redirects/haproxy.map"] == b"/dev/a.html /x/2.0/a.html\n"


def test_a_site_without_old_pages_has_no_redirects() -> None:
    releases = (texts("2.0", "stable", "peers"),)
    theme = load("default")
    files = dict(build_site(releases, SiteInfo("M", "dconv"), theme))
    assert not [path for path in files if path.startswith("redirects/")]


def redirected(*releases: ReleaseTexts) -> dict[str, str]:
    """The redirects of the shortest old addresses, for a site of `releases`."""
    return {
        old: new for old, new in reversed([*redirects(releases, "2026-01-01")])
        if old.count("/") == 2 and "-" not in old
    }


def test_releases_that_are_not_shown() -> None:
    rules = redirected(
        texts("3.3-dev1", "", "configuration"),
        texts("3.0.5", "", "configuration", "management"),
        texts("2.4", "", "configuration"),
    )
    assert rules["/2.4/configuration.html"] == "/haproxy/2.4/configuration.html"
    assert rules["/2.2/configuration.html"] == "/haproxy/2.4/configuration.html"
    assert rules["/2.2/management.html"] == "/haproxy/3.0.5/management.html"
    assert rules["/2.8/configuration.html"] == "/haproxy/3.0.5/configuration.html"
    assert rules["/3.0/configuration.html"] == "/haproxy/3.0.5/configuration.html"
    assert rules["/3.2/configuration.html"] == "/haproxy/3.0.5/configuration.html"
    assert rules["/dev/configuration.html"] == "/haproxy/3.3-dev1/configuration.html"


def test_no_development_version_is_the_latest() -> None:
    rules = redirected(texts("3.0", "", "configuration"), texts("2.4", "", "configuration"))
    assert rules["/dev/configuration.html"] == "/haproxy/3.0/configuration.html"
    words = redirected(texts("debian", "", "configuration"))
    assert words["/2.2/configuration.html"] == "/haproxy/debian/configuration.html"
