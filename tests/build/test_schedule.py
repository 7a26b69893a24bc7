"""A site is the same whatever executor builds it, and no worker process is left over."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dconv.build import schedule, shelf
from dconv.build.jobs import Runner
from dconv.build.schedule import ReadJob, RenderJob, build_site, ignore
from dconv.build.workers import WorkerError, in_background
from dconv.cli import main
from dconv.model.origin import Origin
from dconv.proof.linkcheck import LinkCheck, PageLinks
from dconv.settings.manual import default_product
from dconv.settings.types import DocumentSetting
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.page import SiteInfo
from dconv.writers.theme.theme import load
from dconv.writers.theme.theme_folder import ThemeError

VERSIONS = ("2.0", "1.2", "1.0")
SITE_INFO = SiteInfo("Tools", "dconv", changes=True)


def release(version: str) -> ReleaseTexts:
    """A release of two texts; the oldest is the largest."""
    texts = []
    for name in ("lamp", "bulb"):
        content = f"1. Of {name} {version}\n-----------\n\nSee section 1 and section {version}.\n\n"
        content += "A line of an old release.\n" * (10 - int(version[0]))
        setting = DocumentSetting(name, f"{name}.txt", name, "")
        path = f"{version}/{name}.txt"
        texts.append(
            SourceText(content.encode(), path, default_product(), setting, Origin("a folder"))
        )
    return ReleaseTexts("tools", "Tools", version, "", tuple(texts))


def build_files(
    executor: Executor | None = None, jobs: int = 1
) -> tuple[dict[str, bytes], list[str]]:
    """The files of the site, and all messages in order."""
    messages: list[str] = []
    check = LinkCheck()
    files = dict(build_site(
        map(release, VERSIONS), SITE_INFO, load("default"),
        on_release=lambda files: messages.extend(map(str, files.diagnostics)), check=check,
        executor=executor, jobs=jobs,
    ))
    return files, [*messages, *map(str, check.finish())]


def build_shelf(
    executor: Executor | None = None, jobs: int = 1
) -> tuple[dict[str, bytes], object]:
    """The files of a shelf of one package, and its findings in order."""
    found: list[object] = []
    check = LinkCheck()
    files = dict(build_site(
        [replace(release("1.0"), is_shelf=True)], SITE_INFO, load("default"), check=check,
        executor=executor, jobs=jobs, on_shelf=found.extend,
    ))
    return files, (found, check.finish(), check.summary())


class PicklingExecutor(Executor):
    """Runs jobs at once, and passes them and their results as bytes, as another machine would."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        job = pickle.loads(pickle.dumps((function, args, kwargs)))
        future.set_result(pickle.loads(pickle.dumps(job[0](*job[1], **job[2]))))
        return future


def test_any_executor_builds_the_same_site() -> None:
    files, messages = build_files()
    assert "tools/2.0/lamp/index.html" in files
    assert [message for message in messages if "no section 2.0" in message]
    with ThreadPoolExecutor(3) as threads:
        assert build_files(threads) == (files, messages)
    assert build_files(PicklingExecutor()) == (files, messages)


@pytest.mark.parametrize(("jobs", "method"), [(2, "fork"), (5, "fork"), (2, "spawn")])
def test_worker_processes_build_the_same_site(
    jobs: int, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = build_files()
    monkeypatch.setattr("dconv.build.jobs.MIN_PARALLEL_SIZE", 0)
    if method == "spawn":
        monkeypatch.setattr("dconv.build.workers.fork_context", lambda: None)
    assert build_files(jobs=jobs) == expected
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize(("count", "in_parallel"), [(2, False), (40, True)])
def test_many_small_releases_are_worth_worker_processes(
    monkeypatch: pytest.MonkeyPatch, count: int, in_parallel: bool
) -> None:
    pool = ThreadPoolExecutor(2)
    started: list[int] = []

    def start(count: int) -> ThreadPoolExecutor:
        started.append(count)
        return pool

    monkeypatch.setattr("dconv.build.jobs.worker_pool", start)
    jobs = {number: ReadJob(release(f"1.{number}")) for number in range(count)}
    with ExitStack() as stack:
        results = dict(Runner(None, 2, ignore, stack).run(str, jobs, "reading"))
    assert len(results) == count
    assert started == ([2] if in_parallel else [])


def test_processes_that_help_with_the_only_release_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def build(jobs: int) -> tuple[dict[str, bytes], PageLinks]:
        check = LinkCheck()
        files = dict(build_site(
            [release("1.0")], SITE_INFO, load("default"), jobs=jobs, check=check
        ))
        return files, check.links()

    expected = build(1)
    monkeypatch.setattr("dconv.build.schedule.MIN_PARALLEL_SIZE", 0)
    started: list[bool] = []

    def note(function: Callable[[], Any], enabled: bool) -> Callable[[], Any]:
        started.append(enabled)
        return in_background(function, enabled)

    monkeypatch.setattr("dconv.build.render.in_background", note)
    assert build(2) == expected
    assert started == [True, True]


def test_a_package_is_the_same_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package of many texts is read and rendered a few documents at a time."""
    whole = build_shelf()[0]
    monkeypatch.setattr("dconv.build.jobs.MIN_PARALLEL_SIZE", 0)
    monkeypatch.setattr(shelf, "BATCH_SIZE", 1)
    expected = build_shelf()
    for path in ("tools/bulb.html", "tools/index.html", "names/index.html", "objects.inv"):
        assert expected[0][path] == whole[path]
    assert build_shelf(PicklingExecutor()) == expected
    assert build_shelf(jobs=2) == expected
    assert multiprocessing.active_children() == []


def test_the_largest_release_is_read_and_rendered_first() -> None:
    steps: list[tuple[str, int, int]] = []
    for _ in build_site(
        map(release, VERSIONS), SITE_INFO, load("default"),
        on_progress=lambda step, done, total: steps.append((step, done, total)),
    ):
        pass
    assert [step for step, _, _ in steps[:6]] == [
        f"{step} Tools {version}"
        for step in ("reading", "rendering") for version in ("1.2", "1.0", "2.0")
    ]


def wrong_template(job: RenderJob) -> None:
    raise ThemeError("there is no template")


def test_an_error_of_a_worker_is_the_error_of_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "render", wrong_template)
    monkeypatch.setattr("dconv.build.jobs.MIN_PARALLEL_SIZE", 0)
    for jobs in (1, 2):
        with pytest.raises(ThemeError, match="there is no template"):
            build_files(jobs=jobs)


def killed(job: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize(
    ("function", "build"),
    [
        ("read", build_files), ("render", build_files),
        ("read_batch", build_shelf), ("render_batch", build_shelf),
    ],
)
def test_a_killed_worker_is_one_sentence(
    function: str, build: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, function, killed)
    monkeypatch.setattr("dconv.build.jobs.MIN_PARALLEL_SIZE", 0)
    monkeypatch.setattr(shelf, "BATCH_SIZE", 1)
    with pytest.raises(WorkerError, match=r"^a worker process ended .*--jobs 1 works"):
        build(jobs=2)
    deadline = time.monotonic() + 20
    while multiprocessing.active_children():
        assert time.monotonic() < deadline, "workers outlive the build"
        time.sleep(0.05)


# --- commands -------------------------------------------------------------------------


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """A command that builds a site of two releases, one of which takes long."""
    releases = ""
    for version, length in (("1.0", 1), ("2.0", 60_000)):
        folder = tmp_path / version
        folder.mkdir()
        (folder / "lamp.txt").write_text("1. Lamps\n--------\n\n" + "Light.\n\n" * length)
        releases += f'[[product.release]]\nversion = "{version}"\n'
        releases += f'source = {{ path = "{version}" }}\n'
    (tmp_path / "manual.toml").write_text(
        '[product]\nname = "tools"\ntitle = "Tools"\nrecognize = []\n'
        '[[document]]\nname = "lamp"\nfile = "lamp.txt"\ntitle = "Lamp"\n[dialect]\n'
    )
    site = tmp_path / "site.toml"
    site.write_text(f'[site]\ntitle = "Tools"\n[[product]]\nname = "tools"\n{releases}')
    options = ["--manuals", str(tmp_path), "--jobs", "2", "--no-cache"]
    return ["build", "--site", str(site), *options]


@pytest.mark.parametrize("number", ["0", "-1", "many", "1000"])
def test_jobs_must_be_a_number(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--jobs", number]) == 2
    assert "1 to 256" in capsys.readouterr().err


def test_a_killed_worker_leaves_the_old_site(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "2.0" / "lamp.txt").write_text("1. Lamps\n--------\n\nLight.\n")
    assert main(words) == 0
    before = (tmp_path / "public" / "index.html").stat().st_ino
    capsys.readouterr()
    monkeypatch.setattr(schedule, "render", killed)
    monkeypatch.setattr("dconv.build.jobs.MIN_PARALLEL_SIZE", 0)
    assert main(words) == 2
    assert "dconv: a worker process ended before its job was done" in capsys.readouterr().err
    assert (tmp_path / "public" / "index.html").stat().st_ino == before
    assert [path.name for path in tmp_path.glob("public*")] == ["public"]


@pytest.fixture
def signals_end() -> Iterator[None]:
    """SIGHUP and SIGINT end new processes, even below nohup(1) or in the background of a script."""
    before = {
        number: signal.signal(number, action)
        for number, action in (
            (signal.SIGHUP, signal.SIG_DFL), (signal.SIGINT, signal.default_int_handler)
        )
    }
    yield
    for number, action in before.items():
        signal.signal(number, action)


def started(words: list[str]) -> tuple[subprocess.Popen[str], list[int]]:
    """A build that has two worker processes, and their numbers."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dconv", *words], stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )
    children: list[int] = []
    while len(children) < 2:
        assert process.poll() is None
        time.sleep(0.02)
        shown = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        children = [int(number) for number in shown.split()]
    time.sleep(0.3)
    return process, children


def ended(children: list[int]) -> bool:
    """Whether all `children` end soon."""
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{number}").exists() for number in children):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.slow
@pytest.mark.usefixtures("signals_end")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_no_worker_outlives_a_killed_build(
    words: list[str], tmp_path: Path, number: signal.Signals
) -> None:
    process, children = started(words)
    with process:
        process.send_signal(number)
        process.communicate(timeout=60)
    assert ended(children)
    if number != signal.SIGKILL:
        assert process.returncode == 128 + number
        assert list(tmp_path.glob("public*")) == []


@pytest.mark.slow
@pytest.mark.usefixtures("signals_end")
def test_ctrl_c_ends_all_processes_without_messages(words: list[str], tmp_path: Path) -> None:
    """A terminal sends the signal to all processes."""
    process, children = started(words)
    with process:
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert ended(children)
    assert process.returncode == 130
    assert [line for line in err.splitlines() if "fetching" not in line] == ["dconv: interrupted"]
    assert list(tmp_path.glob("public*")) == []
