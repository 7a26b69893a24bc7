"""Worker processes: the same answers as one process gives, and one sentence where one ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from dconv.build.job import Job
from dconv.build.jobs import Make, Read
from dconv.build.workers import Meanwhile, Task, WorkerError, Workers
from dconv.cli import main, making
from dconv.cli.console import Console
from dconv.model.refusal import Refusal

VERSIONS = ("1.0", "1.2", "2.0")


@dataclass(slots=True)
class Desk:
    """What a worker of these tests has: the names of what it did."""

    done: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Note:
    """Note a name; the answer is all that was noted there."""

    name: str
    lot: str = ""

    def run(self, desk: Desk, meanwhile: Meanwhile) -> tuple[str, ...]:
        desk.done.append(self.name)
        return tuple(desk.done)


@dataclass(frozen=True, slots=True)
class Wait:
    """Take so long that the other worker does something, too."""

    name: str
    lot: str

    def run(self, desk: Desk, meanwhile: Meanwhile) -> None:
        time.sleep(0.1)


@dataclass(frozen=True, slots=True)
class Refuse:
    """Refuse to do anything."""

    name: str = "refuse"
    lot: str = ""

    def run(self, desk: Desk, meanwhile: Meanwhile) -> None:
        raise Refusal("no, thanks")


@dataclass(frozen=True, slots=True)
class Die:
    """End the process."""

    name: str = "die"
    lot: str = ""

    def run(self, desk: Desk, meanwhile: Meanwhile) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


def ignore(task: Task[Desk]) -> None:
    """Nobody wants to know what is begun."""


@pytest.mark.parametrize("count", [1, 2, 5])
def test_every_task_is_done_once(count: int) -> None:
    with Workers(count, Desk) as workers:
        for number in range(9):
            workers.give(Note(str(number)))
        found = [workers.take(ignore)[0].name for _ in range(9)]
    assert sorted(found) == [str(number) for number in range(9)]


@pytest.mark.parametrize("count", [1, 3])
def test_what_each_shall_do_is_done_first(count: int) -> None:
    with Workers(count, Desk) as workers:
        workers.each(Note("first"))
        for number in range(6):
            workers.give(Note(str(number)))
        for _ in range(6):
            _, answer = workers.take(ignore)
            assert isinstance(answer, tuple)
            assert (answer[0], answer.count("first")) == ("first", 1)


def test_lots_stay_with_their_workers() -> None:
    with Workers(2, Desk) as workers:
        answers: dict[str, object] = {}
        for pair in (("a", "b"), ("c", "d"), ("d", "a"), ("c", "b")):  # one for each worker
            for lot in pair:
                workers.give(Note(lot, lot))
            for _ in pair:
                task, answers[task.lot] = workers.take(ignore)
    found = [answers[lot] for lot in "abcd"]
    assert all(isinstance(done, tuple) and done.count(lot) == 2 for lot, done in zip(
        "abcd", found, strict=True
    ))


def test_lots_are_given_anew_where_desks_are_cleared() -> None:
    """Else each worker would have had all of them in a preview, and take what others read."""
    with Workers(2, Desk) as workers:
        for lot in "abcd":  # all done by one
            workers.give(Note(lot, lot))
            workers.take(ignore)
        workers.each(Note("cleared"), clears=True)
        for lot in "abcd":
            workers.give(Wait(lot, lot))
        begun: list[str] = []
        for _ in "abcd":
            workers.take(lambda task: begun.append(task.lot))
        assert begun == [*"abcd"]


def test_a_worker_without_lots_takes_the_last_of_others() -> None:
    with Workers(2, Desk) as workers:
        for lot in "abc":  # all done by one
            workers.give(Note(lot, lot))
            workers.take(ignore)
        for lot in "abc":
            workers.give(Note(f"again {lot}", lot))
        begun: list[str] = []
        workers.begin(lambda task: begun.append(task.lot))
        assert begun == ["a", "c"]
        assert all(isinstance(workers.take(ignore)[1], tuple) for _ in range(3))


@pytest.mark.parametrize("count", [1, 2])
def test_a_refusal_is_that_of_the_task(count: int) -> None:
    with Workers(count, Desk) as workers, pytest.raises(Refusal, match=r"^no, thanks$"):
        workers.give(Refuse())
        workers.take(ignore)


def test_a_worker_that_is_killed_is_one_sentence() -> None:
    with Workers(2, Desk) as workers:
        workers.give(Die())
        with pytest.raises(WorkerError, match=r"ended by signal 9.*--jobs 1"):
            workers.take(ignore)
        workers.close()
        workers.give(Note("again"))
        assert workers.take(ignore)[1] == ("again",)


def test_workers_that_settle_go_on_with_other_work() -> None:
    with Workers(2, Desk) as workers:
        for number in range(9):
            workers.give(Note(str(number)))
        workers.begin(ignore)
        workers.settle()
        workers.give(Note("other"))
        task, _ = workers.take(ignore)
        assert task.name == "other"


@dataclass(frozen=True, slots=True)
class Count:
    """Tell numbers on the way to the last one, which is the answer."""

    name: str = "count"
    lot: str = ""

    def run(self, desk: Desk, meanwhile: Meanwhile) -> int:
        for number in range(3):
            meanwhile(number)
        return 3


@pytest.mark.parametrize("count", [1, 2])
def test_what_is_known_before_the_answer_comes_before_it(count: int) -> None:
    with Workers(count, Desk) as workers:
        for told in ([], [0, 1, 2]):
            workers.give(Count())
            heard: list[object] = []
            answer = workers.take(ignore, heard.append)[1] if told else workers.take(ignore)[1]
            assert (heard, answer) == (told, 3)


def test_workers_that_settle_hear_all_that_is_told_on_the_way() -> None:
    with Workers(2, Desk) as workers:
        workers.give(Count())
        workers.give(Count())
        workers.begin(ignore)
        workers.settle()
        workers.give(Note("other"))
        heard: list[object] = []
        assert workers.take(ignore, heard.append)[1] == ("other",)
        assert heard == []


# --- sites ----------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site of three releases with two documents each, which differ a little."""
    releases = ""
    for version in VERSIONS:
        folder = tmp_path / version
        folder.mkdir()
        words = f"It has {version} parts, see section 1.\n"
        news = f"2. New in {version}\n-------------\n\nA switch.\n"
        (folder / "lamp.txt").write_text(f"1. Lamps\n--------\n\n{words}\n{news}")
        (folder / "bulb.txt").write_text(f"1. Bulbs\n--------\n\n{words}See section 9.\n")
        releases += f'[[product.release]]\nversion = "{version}"\n'
        releases += f'source = {{ path = "{version}" }}\n'
    manuals = tmp_path / "manuals"
    manuals.mkdir()
    (manuals / "manual.toml").write_text(
        '[product]\nname = "tools"\ntitle = "Tools"\nrecognise = []\n'
        '[[document]]\nname = "lamp"\nfile = "lamp.txt"\ntitle = "Lamp"\n'
        '[[document]]\nname = "bulb"\nfile = "bulb.txt"\ntitle = "Bulb"\n'
        "[dialect]\n"
    )
    file = tmp_path / "site.toml"
    product = '[[product]]\nname = "tools"\nreleases = []\n'
    file.write_text(f'[site]\ntitle = "Tools"\n{product}{releases}')
    return file


def built(site: Path, jobs: int) -> dict[str, bytes]:
    """The files of the site, built by so many processes."""
    assert main(_words(site, jobs)) == 0
    return _files(site)


def _words(site: Path, jobs: int) -> list[str]:
    manuals = str(site.parent / "manuals")
    return ["build", "--site", str(site), "--manuals", manuals, "--jobs", str(jobs), "--no-cache"]


def _files(site: Path) -> dict[str, bytes]:
    public = site.parent / "public"
    return {
        path.relative_to(public).as_posix(): path.read_bytes()
        for path in public.rglob("*") if path.is_file()
    }


@pytest.mark.parametrize("jobs", [2, 5])
def test_the_site_is_the_same_whoever_makes_it(
    site: Path, jobs: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = built(site, 1)
    told = capsys.readouterr()
    monkeypatch.setattr(making, "SMALL", 0)
    assert built(site, jobs) == alone
    again = capsys.readouterr()
    assert again.err == told.err
    assert again.out.splitlines()[:-1] == told.out.splitlines()[:-1]


def test_two_make_the_release_that_is_left_over(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three releases and two workers the smallest; of as many as there are workers, none."""
    file = site.parent / "2.0" / "lamp.txt"
    file.write_text(file.read_text().removesuffix("\nA switch.\n"))
    monkeypatch.setattr(making, "SMALL", 0)
    steps: list[str] = []
    monkeypatch.setattr(Console, "progress", lambda console, name: steps.append(name))
    for jobs, apart in ((2, ["Tools 2.0: making its search"]), (3, [])):
        steps.clear()
        built(site, jobs)
        assert [step for step in steps if step.endswith("search")] == apart
        assert len([step for step in steps if step.endswith("pages")]) == len(VERSIONS)


@pytest.mark.parametrize("words", ["0", "-1", "many", "1000"])
def test_jobs_that_are_no_number(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "--jobs", words]) == 2
    assert "is not a number of jobs, 1 to 256" in capsys.readouterr().err


def test_processes_that_start_anew_make_the_same_site(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = built(site, 1)
    monkeypatch.setattr(making, "SMALL", 0)
    monkeypatch.setattr(
        "dconv.build.workers._context", lambda: multiprocessing.get_context("spawn")
    )
    assert built(site, 2) == alone


@pytest.mark.parametrize("task", [Read, Make])
def test_a_killed_worker_leaves_the_old_site(
    site: Path, task: type, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = built(site, 1)
    (site.parent / "2.0" / "lamp.txt").write_text("1. Other\n--------\n\nOther.\n")

    def die(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(task, "run", die)  # which only forked processes know
    monkeypatch.setattr("dconv.build.workers._context", lambda: multiprocessing.get_context("fork"))
    monkeypatch.setattr(making, "SMALL", 0)
    capsys.readouterr()
    assert main(_words(site, 2)) == 2
    assert "dconv: a worker process has ended by signal 9" in capsys.readouterr().err
    assert _files(site) == before
    assert [path.name for path in site.parent.glob("public*")] == ["public"]
    monkeypatch.undo()
    assert built(site, 1) != before


class Odd(Exception):
    """An error that cannot be made again from what it says."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one + other)


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer with what cannot travel, or raise it."""

    name: str = "answer"
    lot: str = ""
    raised: bool = False

    def run(self, desk: Desk, meanwhile: Meanwhile) -> object:
        if self.raised:
            raise Odd("of two ", "parts")
        return lambda: None


@pytest.mark.parametrize(("raised", "told"), [(False, "pickle"), (True, "of two parts")])
def test_what_cannot_travel_is_told(raised: bool, told: str) -> None:
    with Workers(2, Desk) as workers:
        workers.give(Answer(raised=raised))
        with pytest.raises((RuntimeError, AttributeError), match=told):
            workers.take(lambda task: None)
        workers.settle()
        workers.give(Note("after"))
        assert workers.take(lambda task: None)[1] == ("after",)


def test_work_goes_on_after_a_refusal() -> None:
    with Workers(2, Desk) as workers:
        workers.give(Refuse())
        with pytest.raises(Refusal):
            workers.take(lambda task: None)
        workers.settle()
        workers.give(Note("after"))
        assert workers.take(lambda task: None)[1] == ("after",)


def test_a_dead_worker_is_replaced_for_the_next_job(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "SMALL", -1)
    job = Job((), "Lamps", "default", site.parent / "public")
    with Workers(2, Desk) as staff:
        with pytest.raises(WorkerError), making._working(job, staff) as who:  # type: ignore[arg-type]
            who.give(Die())  # type: ignore[arg-type]
            who.take(lambda task: None)
        with making._working(job, staff) as who:  # type: ignore[arg-type]
            who.give(Note("after"))  # type: ignore[arg-type]
            assert who.take(lambda task: None)[1] == ("after",)


@pytest.fixture
def hangups_end() -> Iterator[None]:
    """Whoever is begun is ended by SIGHUP, also where we are not (nohup(1))."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hangups_end")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_no_worker_outlives_a_killed_build(site: Path, number: signal.Signals) -> None:
    long = "1. Lamps\n--------\n\n" + "Long.\n\n" * 60_000
    (site.parent / "2.0" / "lamp.txt").write_text(long)
    with subprocess.Popen(
        [sys.executable, "-m", "dconv", *_words(site, 2)], stderr=subprocess.PIPE, text=True,
    ) as process:
        children: list[int] = []
        while len(children) < 2:
            assert process.poll() is None
            time.sleep(0.02)
            told = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
            children = [int(one) for one in told.split()]
        process.send_signal(number)
        process.communicate(timeout=60)  # ends only when nobody holds the pipe any more
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{one}").exists() for one in children):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    if number != signal.SIGKILL:
        assert process.returncode == 128 + number
        assert [path.name for path in site.parent.glob("public*")] == []


def test_ctrl_c_ends_the_workers(site: Path) -> None:
    """The signal goes to all processes, as from a terminal."""
    (site.parent / "2.0" / "lamp.txt").write_text("1. Lamps\n--------\n\n" + "Long.\n\n" * 60_000)
    with subprocess.Popen(
        [sys.executable, "-m", "dconv", *_words(site, 2)], stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as process:
        while not list(site.parent.glob("public.dconv-new*")):  # it has begun
            assert process.poll() is None
            time.sleep(0.02)
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err.splitlines()[-1]) == (130, "dconv: interrupted")
    assert [path.name for path in site.parent.glob("public*")] == []
