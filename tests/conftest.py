"""Fixtures for all tests: the real manuals."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from dconv.resources import resource_folder
from dconv.settings import DebianSource, load_product
from dconv.sources import Fetched, SourceError, cache_folder, obtain

ROOT = Path(__file__).resolve().parent.parent
REASON = "the real manuals are not here: set DCONV_CORPUS to a folder with haproxy/<version>/*.txt"


def pytest_configure() -> None:
    """Hypothesis without deadlines and without a database; `HYPOTHESIS_PROFILE` chooses.

    `quick` finds the same examples each time, `thorough` looks for others for minutes.
    """
    quiet = list(HealthCheck)
    settings.register_profile(
        "quick", max_examples=120, deadline=None, database=None, derandomize=True,
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
        fetched = obtain(source, "debian", product.documents, cache_folder(os.environ))
    except SourceError as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{REASON} ({error})")
        pytest.skip(f"{REASON} ({error})")
    return _unpacked(fetched, tmp_path_factory.mktemp("corpus"))


def _known() -> Iterator[Path]:
    if chosen := os.environ.get("DCONV_CORPUS"):
        yield Path(chosen)
    yield ROOT.parent / "shared" / "corpus"


def _unpacked(fetched: Fetched, folder: Path) -> Path:
    release = folder / "haproxy" / (fetched.version or "debian")
    release.mkdir(parents=True)
    for document in fetched.documents:
        (release / document.file).write_bytes(document.content)
    return folder
