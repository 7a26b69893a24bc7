"""The same bytes wherever, whenever and by whomever a site is built: in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from programs import need
from sample_site import ROOT, files, has_option, write_sample_site

pytestmark = pytest.mark.slow

JOBS = ("1", "3")  # where `dconv build` has the option
LOCALES = Path("/usr/share/i18n/locales/tr_TR")  # of Debian's package `locales`
# commands that write or print; what they print goes into the file named first
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("build.out", "build", "--offline", "--site", "site.toml", "--manuals", "manuals"),
    ("convert.out", "convert", "texts/3.4", "-o", "out/convert"),
    ("rst.out", "export", "--format", "rst", "texts/3.4", "-o", "out/rst"),
    ("odt.out", "export", "--format", "odt", "texts/3.4/management.txt", "-o", "out/odt"),
    ("latex.out", "export", "--format", "latex", "texts/3.4/management.txt", "-o", "out/latex"),
    ("epub.out", "export", "--format", "epub", "texts/3.4", "-o", "out/epub"),
    ("docset.out", "export", "--format", "docset", "texts/3.4", "-o", "out/docset"),
    ("devdocs.out", "export", "--format", "devdocs", "texts/3.4", "-o", "out/devdocs"),
    ("vim.out", "export", "--format", "vim", "texts/3.4", "-o", "out/vim"),
    ("info.out", "export", "--format", "info", "texts/3.4", "-o", "out/info"),
    ("diff.out", "diff", "texts/1.5", "texts/3.5", "--format", "html", "-o", "out/diff/index.html"),
    ("dump.out", "dump", "texts/3.4/management.txt", "--format", "json"),
    ("check.out", "check", "texts/3.4", "--format", "sarif"),
    ("baseline.out", "check", "texts/3.4", "--write-baseline", "out/known.toml"),
)


@dataclass(frozen=True, slots=True)
class Machine:
    """Where, when and by whom: a folder's name, an environment, words before the command."""

    folder: str
    environment: dict[str, str] = field(default_factory=dict)
    before: Sequence[str] = ()
    jobs: str = JOBS[0]
    elsewhere: bool = False  # whether folders are listed backwards, years later
    time: float = 1e9  # of modification of all that is read


def reference_machine(base: Path) -> Machine:
    """The machine that others are compared with."""
    return Machine("here", {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8"})


def different_machine(base: Path) -> Machine:
    """Everything is different, and it is in Turkey, where the lower case of I has no dot."""
    environment = {
        "PYTHONHASHSEED": "4242", "TZ": "Pacific/Kiritimati", "LC_ALL": "tr_TR.UTF-8",
        "PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-16", "COLUMNS": "40", "USER": "somebody",
        "LOGNAME": "somebody", "HOSTNAME": "elsewhere", "TERM": "dumb",
    }
    if LOCALES.exists():
        words = [need("localedef"), "-i", "tr_TR", "-f", "UTF-8", str(base / "tr_TR.UTF-8")]
        subprocess.run(words, check=True, capture_output=True)
        environment["LOCPATH"] = str(base)
    return Machine(
        "far away/Übersicht — 'x' & \"y\"/<b>", environment,
        ("sh", "-c", 'umask 077; exec "$@"', "sh"), JOBS[1], True, 1.5e9,
    )


def ascii_machine(base: Path) -> Machine:
    """A system that knows no characters but those of ASCII."""
    environment = {
        "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONHASHSEED": "77",
        "PYTHONIOENCODING": "ascii", "TZ": "America/St_Johns", "PYTHONOPTIMIZE": "1",
    }
    return Machine("o", environment, ("sh", "-c", 'umask 002; exec "$@"', "sh"), time=1.7e9)


def outputs(
    machine: Machine, base: Path, day: str = "", commands: Sequence[Sequence[str]] = COMMANDS
) -> dict[str, bytes]:
    """All that `commands` write and print on `machine`; `day` is SOURCE_DATE_EPOCH."""
    folder = base / machine.folder
    folder.mkdir(parents=True)
    write_sample_site(folder)
    for path in folder.rglob("*"):
        os.utime(path, (machine.time, machine.time))
    paths = [str(ROOT / "tests" / "other_machine")] * machine.elsewhere + [str(ROOT)]
    environment = {
        name: text for name, text in os.environ.items()
        if not name.startswith(("LC_", "LANG", "PYTHON"))
    } | {
        "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache"),
        "PYTHONPATH": os.pathsep.join(paths),
    } | machine.environment  # fmt: skip
    if day:
        environment["SOURCE_DATE_EPOCH"] = day
    (folder / "out").mkdir()
    for output, *words in commands:
        if has_option(words[0], "--jobs"):
            words += ["--jobs", machine.jobs]
        completed = subprocess.run(
            [*machine.before, sys.executable, "-m", "dconv", *words], cwd=folder, env=environment,
            capture_output=True, check=False,
        )
        assert completed.returncode in (0, 1), completed.stderr.decode()
        assert b"Traceback" not in completed.stderr
        name = os.fsencode(folder)
        printed = completed.stdout.partition(b"Built ")[0].replace(name, b"FOLDER")
        (folder / "out" / output).write_bytes(printed)
        (folder / "out" / f"{output}.err").write_bytes(completed.stderr.replace(name, b"FOLDER"))
    return files(folder / "out")


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the reference machine writes."""
    base = tmp_path_factory.mktemp("reference")
    return outputs(reference_machine(base), base)


@pytest.mark.parametrize("other", [different_machine, ascii_machine])
def test_every_machine_writes_the_same_bytes(
    other: Callable[[Path], Machine], reference: dict[str, bytes], tmp_path: Path
) -> None:
    found = outputs(other(tmp_path), tmp_path)
    assert sorted(found) == sorted(reference)
    assert [path for path, content in found.items() if content != reference[path]] == []


def test_all_kinds_of_files_are_compared(reference: dict[str, bytes]) -> None:
    kinds = {path.rpartition(".")[2] for path in reference}
    assert {
        "html", "css", "js", "json", "svg", "xml", "txt", "gz", "inv", "conf", "rst", "odt", "tex",
        "toml", "out",
    } <= kinds
    assert len(reference) > 550


def test_compressed_copies_contain_no_name_and_no_time(reference: dict[str, bytes]) -> None:
    copies = [content for path, content in reference.items() if path.endswith(".gz")]
    assert copies
    for content in copies:
        assert content[:4] == b"\x1f\x8b\x08\x00"  # no flags: neither a name nor a remark
        assert content[4:8] == bytes(4)  # no time


def test_the_date_is_source_date_epoch(reference: dict[str, bytes], tmp_path: Path) -> None:
    """With the same `SOURCE_DATE_EPOCH` the clock does not matter; with another the day does."""
    day = "2208988800"  # 2040-01-01
    first, second = (outputs(machine, tmp_path / name, day, COMMANDS[:1]) for name, machine in (
        ("a", reference_machine(tmp_path)), ("b", Machine("there", elsewhere=True)),
    ))  # fmt: skip
    assert [path for path, content in first.items() if content != second[path]] == []
    changed = [path for path, content in first.items() if content != reference[path]]
    assert "public/haproxy/index.html" in changed  # releases that are over by then
