"""The page for addresses that do not exist: at any depth, with and without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Protocol

import pytest
from bs4 import BeautifulSoup
from chromium import Tab, Tabs
from playwright.sync_api import Page
from programs import write_tree

from dconv.build.schedule import build_site
from dconv.model.origin import Origin
from dconv.proof.linkcheck import LinkCheck
from dconv.settings.manual import load_product
from dconv.settings.types import DocumentSetting
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.page import SiteInfo
from dconv.writers.theme.theme import load

TEXT = """\
                         ----------------------
                                HAProxy
                          Configuration Manual
                         ----------------------
                              version {version}
                              2026/06/03

1. Proxies
----------

1.1. Alphabetically sorted keywords reference
---------------------------------------------

kettle size <number>
  Sets the size of the kettle.

"""
GUIDE = DocumentSetting("configuration", "configuration.txt", "Configuration Manual", "")
BASE = "/docs/"


def build_files(url: str) -> dict[str, bytes]:
    product = load_product(resource_folder("manuals") / "haproxy")
    releases = [
        ReleaseTexts("haproxy", "HAProxy", version, "stable", (
            SourceText(
                TEXT.format(version=version).encode(), "configuration.txt", product, GUIDE,
                Origin("configuration.txt"),
            ),
        ))
        for version in ("3.4", "2.8")
    ]
    site = SiteInfo("Manuals", "dconv test", url)
    check = LinkCheck(url)
    files = build_site(
        releases, site, load("default"), check=check
    )
    contents = dict(files)
    assert check.finish() == ()
    return contents


@pytest.mark.parametrize(
    ("url", "root"),
    [("", "/"), ("https://docs.example.org", "/"), ("https://docs.example.org/a/b", "/a/b/")],
)
def test_all_addresses_begin_at_the_root_of_the_host(url: str, root: str) -> None:
    contents = build_files(url)
    page = BeautifulSoup(contents["404.html"], "html.parser")
    addresses = [str(tag.get("href") or tag.get("src")) for tag in page.select("[href], [src]")]
    assert addresses
    for address in addresses:
        if address.startswith("data:image/"):
            continue
        assert address.startswith(root) or address == "#-main", address
        assert address == "#-main" or address.removeprefix(root) in contents, address
    assert f"{root}haproxy/3.4/configuration/keywords.html" in addresses
    assert f"{root}haproxy/index.html" in addresses
    assert not page.select("link[rel=canonical]")
    assert b"404.html" not in contents.get("sitemap.xml", b"")


@pytest.mark.parametrize(
    ("link", "right"),
    [
        ('<a href="/base/b.html">', True), ('<a href="/base/">', True), ('<a href="#">', True),
        ('<a href="/b.html">', False), ('<a href="/base/gone.html">', False),
    ],
)
def test_the_link_check_follows_them(link: str, right: bool) -> None:
    check = LinkCheck("https://docs.example.org/base/")
    for path, content in {"404.html": link, "b.html": "", "index.html": ""}.items():
        check.read(path, content.encode())
    assert (check.finish() == ()) is right


# --- as a server shows it -------------------------------------------------------------


class _Handler(SimpleHTTPRequestHandler):
    """Serves a folder below `BASE`, and its page for what is missing."""

    def translate_path(self, path: str) -> str:
        file = Path(super().translate_path(f"/{path.removeprefix(BASE)}"))
        return str(file if path.startswith(BASE) else file / "nothing")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        body = Path(self.directory, "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("site")
    write_tree(build_files(f"https://docs.example.org{BASE}").items(), folder)
    handler = partial(_Handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}{BASE}"
        finally:
            server.shutdown()
            thread.join()


class Show(Protocol):
    """Shows what a server gives for an address."""

    def __call__(self, address: str, *, scripts: bool = True) -> Page: ...


@pytest.fixture
def shown(open_tab: Tabs) -> Iterator[Show]:
    """Shows an address; that it does not exist is not a complaint."""
    tabs: list[Tab] = []

    def show(address: str, *, scripts: bool = True) -> Page:
        tabs.append(open_tab(scripts=scripts))
        tabs[-1].open(address)
        return tabs[-1].page

    yield show
    for tab in tabs:
        tab.complaints[:] = [
            complaint for complaint in tab.complaints if "status of 404" not in complaint
        ]


def test_what_was_wanted_is_looked_for(shown: Show, address: str) -> None:
    page = shown(f"{address}haproxy/1.8/no/such/kettle%20size.html")
    assert page.inner_text("a.search span") == "kettle size"
    assert page.get_attribute("a.search", "aria-label") == "Search for kettle size"
    page.keyboard.press("/")
    assert page.input_value("dialog input") == "kettle size"
    page.wait_for_selector("[role=option]")
    assert "kettle size" in page.inner_text("[role=option]:first-of-type")
    page.goto(f"{address}elsewhere.html#1.1-kettle%20size")
    page.reload()
    assert page.inner_text("a.search span") == "kettle size"


@pytest.mark.parametrize(
    ("wanted", "offered"),
    [
        ("haproxy/2.6/configuration/1.1.html", "haproxy/3.4/configuration/1.1.html"),
        ("haproxy/2.6/configuration/9.9.html", "haproxy/3.4/configuration/index.html"),
        ("haproxy/3.4/configuration/9.9.html", "haproxy/3.4/configuration/index.html"),
        ("haproxy/3.4/no/such.html", "haproxy/3.4/index.html"),
        ("2.8/configuration/1.1.html", "haproxy/2.8/configuration/1.1.html"),
        ("2.6/configuration.html", "haproxy/3.4/configuration.html"),
    ],
)
def test_the_nearest_page_is_offered(shown: Show, address: str, wanted: str, offered: str) -> None:
    page = shown(f"{address}{wanted}#kettle-size")
    page.wait_for_selector(".nearest-page a:visible")
    assert page.get_attribute(".nearest-page a", "href") == f"{BASE}{offered}#kettle-size"


def test_nothing_is_offered_where_nothing_is_near(shown: Show, address: str) -> None:
    page = shown(f"{address}haproxy/2.6/nothing.html")
    page.wait_for_load_state("networkidle")
    assert not page.is_visible(".nearest-page a")
    assert page.inner_text("a.search span") == "nothing"


def test_it_is_complete_without_scripts(shown: Show, address: str) -> None:
    page = shown(f"{address}haproxy/2.6/configuration/1.1.html", scripts=False)
    assert not page.is_visible(".nearest-page")
    page.click("main a:has-text('Configuration Manual')")
    assert page.url == f"{address}haproxy/3.4/configuration/index.html"
