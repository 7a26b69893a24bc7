"""A cluster builds the same site as one process, and what is wrong with it is one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster
from programs import free_port

from dconv.build import executors
from dconv.build.executors import ExecutorError, connect
from dconv.cli import main

TEXT = """\
                        Lamp {number}
                        Reference Manual

1. Light
--------

dim <percent>
  Makes the lamp {number} darker. See section 1.
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A scheduler and two workers, each a process of its own."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as running:
        yield running


def address_of(cluster: Any) -> str:
    return str(cluster.scheduler_address).replace("tcp://", "dask://")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def texts(folder: Path) -> list[str]:
    for version in ("1.0", "2.0"):
        (folder / version).mkdir(parents=True)
        (folder / version / "lamp.txt").write_text(
            TEXT.format(number=version) * 40, encoding="utf-8"
        )
    return [str(folder / version) for version in ("1.0", "2.0")]


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_a_cluster_builds_the_same_site(cluster: Any, tmp_path: Path) -> None:
    folders = texts(tmp_path / "texts")
    here, there = tmp_path / "here", tmp_path / "there"
    assert main(["convert", *folders, "-o", str(here), "--jobs", "1", "--no-cache", "-q"]) == 0
    assert main([
        "convert", *folders, "-o", str(there), "--executor", address_of(cluster), "--no-cache",
        "-q",
    ]) == 0
    assert files_of(there) == files_of(here)


def test_workers_of_another_version_are_refused(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect(address_of(cluster)) as executor:
        assert executor.submit(sum, [1, 2]).result() == 3
    monkeypatch.setattr("dconv.build.fingerprint.folders_fingerprint", lambda *_: "another")
    with pytest.raises(ExecutorError, match="another version"), connect(address_of(cluster)):
        pass


def test_problems_are_sentences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "CONNECT_TIMEOUT", 1)
    text = texts(tmp_path / "texts")[0]
    for address, sentence in (
        ("dusk://host:1", "is not the address of an executor; write dask://HOST:PORT"),
        (f"dask://127.0.0.1:{free_port()}", "no scheduler answers; check host and port"),
    ):
        output = tmp_path / "out"
        assert main(["convert", text, "-o", str(output), "--executor", address]) == 2
        assert sentence in capsys.readouterr().err
        assert not output.exists()


def test_a_scheduler_without_workers_is_refused() -> None:
    with (
        LocalCluster(n_workers=0, processes=True, dashboard_address=":0") as empty,
        pytest.raises(ExecutorError, match="no workers"),
        connect(address_of(empty)),
    ):
        pass
