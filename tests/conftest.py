"""Fixtures for all tests: the real manuals, a browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import showcase
from chromium import DESKTOP, Tab, Tabs, chromium
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser as Chromium
from programs import served

from dconv.settings.manual import load_product
from dconv.settings.types import DebianSource
from dconv.sources.cache import cache_folder
from dconv.sources.fetch import fetch_texts
from dconv.sources.resources import resource_folder
from dconv.sources.types import FetchedTexts, SourceError

ROOT = Path(__file__).resolve().parent.parent
REASON = "the real manuals are not here: set DCONV_CORPUS to a folder with haproxy/<version>/*.txt"


def pytest_configure() -> None:
    """Hypothesis without deadlines and without a database; `HYPOTHESIS_PROFILE` chooses.

    `quick` finds the same examples each time, `thorough` looks for others for minutes.
    """
    quiet = list(HealthCheck)
    settings.register_profile(
        "quick", max_examples=60, deadline=None, database=None, derandomize=True,
        suppress_health_check=quiet,
    )
    settings.register_profile(
        "thorough", max_examples=5000, deadline=None, database=None, suppress_health_check=quiet
    )
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --update-goldens` writes what is found as what is expected; read the diff."""
    parser.addoption(
        "--update-goldens", action="store_true", help="rewrite the expected parts of tests"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Refuse to rewrite expectations in several processes, which would write the same files."""
    if config.getoption("--update-goldens") and config.getoption("numprocesses", default=None):
        raise pytest.UsageError("--update-goldens rewrites files that tests share: leave out -n")


@pytest.fixture
def work_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, outside of any clone, with a cache of its own."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that drive a browser, by the fixtures that they use."""
    browsers = {"_chromium", "firefox_browser"}
    for item in items:
        if isinstance(item, pytest.Function) and browsers & {*item.fixturenames}:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `haproxy/<version>/*.txt`, for reading only.

    It is `$DCONV_CORPUS`, else `../shared/corpus`, else what Debian's package has.
    Without any of them the test is skipped, but where CI is set it fails.
    """
    for folder in _known():
        if (folder / "haproxy").is_dir():
            return folder
    try:
        product = load_product(resource_folder("manuals") / "haproxy")
        source = DebianSource("haproxy", "/usr/share/doc/haproxy")
        fetched = fetch_texts(source, "debian", product.documents, cache_folder(os.environ))
    except SourceError as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{REASON} ({error})")
        pytest.skip(f"{REASON} ({error})")
    return _unpacked(fetched, tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="session")
def site_of_all_kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site that has every kind of page; see `showcase`."""
    return showcase.build(tmp_path_factory.mktemp("showcase"))


@pytest.fixture(scope="session")
def server_of_all_kinds(site_of_all_kinds: Path) -> Iterator[str]:
    """The address of a server of the same site."""
    with served(site_of_all_kinds) as address:
        yield address


@pytest.fixture(scope="session")
def _chromium() -> Iterator[Chromium]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def open_tab(_chromium: Chromium) -> Iterator[Tabs]:
    """Opens tabs of Chromium.

    At the end the test fails where a tab has complaints that it has not cleared: of errors
    in scripts, of what the policy of a page refuses, of other hosts.  Without Chromium the test is
    skipped, but where CI is set it fails.
    """
    tabs = Tabs(_chromium)
    yield tabs
    tabs.close()
    assert tabs.complaints() == []


@pytest.fixture(scope="session")
def _long_open(_chromium: Chromium) -> Iterator[Tab]:
    tabs = Tabs(_chromium)
    yield tabs()
    tabs.close()


@pytest.fixture
def tab(_long_open: Tab) -> Iterator[Tab]:
    """A tab for tests that store nothing: the same for all of them, which takes less time.

    At the end the test fails where it has complaints.
    """
    _long_open.resize(DESKTOP)
    _long_open.page.emulate_media(color_scheme="light")
    yield _long_open
    complaints = [*_long_open.complaints]
    _long_open.complaints.clear()
    _long_open.requested.clear()
    assert complaints == []


def _known() -> Iterator[Path]:
    if chosen := os.environ.get("DCONV_CORPUS"):
        yield Path(chosen)
    yield ROOT.parent / "shared" / "corpus"


def _unpacked(fetched: FetchedTexts, folder: Path) -> Path:
    release = folder / "haproxy" / (fetched.version or "debian")
    release.mkdir(parents=True)
    for document in fetched.documents:
        (release / document.file).write_bytes(document.content)
    return folder
