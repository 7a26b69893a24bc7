"""dconv as users have it: the wheel, in an empty environment, far from this folder.

`make test-installed` builds the wheel twice, from this folder and from the sdist, which
must give the same bytes; looks whether all is in it; and installs it on each Python that
can be had, with the lowest versions that `pyproject.toml` allows and with the newest.
There each command is run on our own manual, from a folder without this one.  Prints a
line for each, and ends with 1 where one fails.
"""

from __future__ import annotations

import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from sample_site import files

ROOT = Path(__file__).resolve().parent.parent
FLOOR = re.compile(r"(?P<name>[\w.-]+)>=(?P<version>[\w.]+)")
VERSION = "import sys; print('.'.join(map(str, sys.version_info[:3])))"
# the folders of the wheel's data, and where they lie here
DATA = {"dconv/data/themes": "themes", "dconv/data/manuals": "manuals", "dconv": "dconv"}
DOCUTILS = ("xml", "man", "odt", "latex", "html5")  # formats that its writers write
NOT_PACKED = ("__pycache__", ".pyc")


class Failure(Exception):
    """What a user would find broken; the message is for who repairs it."""


@dataclass(frozen=True, slots=True)
class Environment:
    """A Python, and the versions of libraries: "lowest" or "newest"."""

    python: Path
    version: str
    libraries: str


def main() -> int:
    """Build, install, run; the exit status."""
    with tempfile.TemporaryDirectory(prefix="dconv-installed-") as name:
        base = Path(name)
        wheel = build_wheel(base)
        all_environments = list(environments())
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            reports = list(pool.map(
                lambda environment: check_environment(environment, wheel, base), all_environments
            ))
        failed = sum(bool(sentence) for sentence in reports)
        unlike = [] if failed else unequal_outputs(all_environments, base)
    for sentence in (*reports, *unlike):
        if sentence:
            report(sentence)
    failed += bool(unlike)
    report(f"{len(all_environments) + 1 - failed} passed, {failed} failed")
    return bool(failed)


def report(sentence: str) -> None:
    """Print at once, whole, from any thread."""
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


# --- the wheel ------------------------------------------------------------------------


def build_wheel(base: Path) -> Path:
    """The wheel, built from here and from the sdist, with all in it; raises `Failure`."""
    run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", base / "sdist"], ROOT)
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", base / "direct"], ROOT)
    (sdist,) = (base / "sdist").iterdir()
    (base / "unpacked").mkdir()
    run(["tar", "-xzf", sdist, "-C", base / "unpacked"], ROOT)
    (source,) = (base / "unpacked").iterdir()
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", base / "wheel"], source)
    (direct,), (wheel,) = (base / "direct").iterdir(), (base / "wheel").iterdir()
    if not filecmp.cmp(direct, wheel, shallow=False):
        raise Failure("the sdist builds another wheel than this folder does")
    missing = sorted(expected_files() - set(zipfile.ZipFile(wheel).namelist()))
    if missing:
        raise Failure(f"the wheel lacks {', '.join(missing)}")
    report(f"{wheel.name}: {wheel.stat().st_size:,} bytes, the same from the sdist")
    return wheel


def expected_files() -> set[str]:
    """What the wheel must hold: the program, themes, what is known of manuals, the licence."""
    names = {
        f"{target}/{path.relative_to(ROOT / folder).as_posix()}"
        for target, folder in DATA.items() for path in (ROOT / folder).rglob("*")
        if path.is_file() and not any(part in str(path) for part in NOT_PACKED)
    }
    version = re.search(r'__version__ = "(.+)"', (ROOT / "dconv/__init__.py").read_text())
    assert version is not None
    return names | {f"dconv-{version[1]}.dist-info/licenses/LICENSE"}


# --- environments ---------------------------------------------------------------------


def environments() -> Iterator[Environment]:
    """Each Python of this machine that is new enough, one of each minor version, twice."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        oldest = tomllib.load(file)["project"]["requires-python"].removeprefix(">=")
    least = tuple(map(int, oldest.split(".")))
    versions: set[tuple[int, ...]] = set()
    for python in pythons():
        completed = subprocess.run(
            [python, "-c", f"import ensurepip, venv\n{VERSION}"],
            capture_output=True, text=True, check=False,
        )
        minor = tuple(map(int, completed.stdout.strip().split(".")[:2])) if completed.stdout else ()
        if minor >= least and minor not in versions:
            versions.add(minor)
            for libraries in ("lowest", "newest"):
                yield Environment(python, completed.stdout.strip(), libraries)


def pythons() -> Iterator[Path]:
    """Where a Python may be: the one that runs this, those of PATH, of pyenv and of uv."""
    yield Path(sys.base_prefix, "bin", "python3")
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        yield from sorted(Path(folder).glob("python3.[0-9]*[0-9]"))
    home = Path.home()
    pyenv = Path(os.environ.get("PYENV_ROOT", home / ".pyenv"))
    yield from sorted(pyenv.glob("versions/3.*/bin/python3"))
    yield from sorted(home.glob(".local/share/uv/python/cpython-3.*/bin/python3"))


def lowest_requirements() -> list[str]:
    """The libraries that dconv needs, each with the lowest version that it allows."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        needed = tomllib.load(file)["project"]["dependencies"]
    floors = [FLOOR.match(requirement) for requirement in needed]
    return [f"{floor['name']}=={floor['version']}" for floor in floors if floor is not None]


def check_environment(environment: Environment, wheel: Path, base: Path) -> str:
    """Install and use dconv in `environment`; what went wrong, or empty."""
    start = time.monotonic()
    place = folder(environment, base)
    what = f"Python {environment.version}, {environment.libraries}"
    try:
        run([environment.python, "-m", "venv", place / "venv"], base)
        pins = lowest_requirements() if environment.libraries == "lowest" else []
        pip = (place / "venv/bin/python", "-m", "pip", "--disable-pip-version-check")
        run([*pip, "install", "-q", "--upgrade", wheel, *pins], base)
        run([*pip, "check"], base)
        versions = run([*pip, "freeze", "--exclude", "dconv"], base).split()
        check_commands(place)
    except Failure as failure:
        return f"{what}: {failure}"
    report(f"{what}: good, {time.monotonic() - start:.0f} s ({', '.join(versions)})")
    return ""


def folder(environment: Environment, base: Path) -> Path:
    """Where `environment` and what it makes lie."""
    return base / f"{environment.version}-{environment.libraries}"


def run(words: Sequence[str | Path], cwd: Path, expected: Sequence[int] = (0,)) -> str:
    """What a command prints, which knows nothing of this folder; raises `Failure`."""
    environment = {
        name: text for name, text in os.environ.items()
        if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    }
    if not {"pip", "venv", "hatchling"} & set(map(str, words)):
        environment |= {"PYTHONWARNINGS": "error", "XDG_CACHE_HOME": str(cwd / "cache")}
    completed = subprocess.run(
        [*map(str, words)], cwd=cwd, env=environment, capture_output=True, text=True,
        encoding="utf-8", check=False,
    )
    if completed.returncode not in expected or "Traceback" in completed.stderr:
        output = f"{completed.stdout}{completed.stderr}"
        raise Failure(f"{' '.join(map(str, words))}: {completed.returncode}\n{output}")
    return completed.stdout


# --- what users do --------------------------------------------------------------------


def check_commands(place: Path) -> None:
    """Run the commands of the environment in `place` on a manual of ours; raises `Failure`."""
    work = place / "work"
    work.mkdir()
    dconv = place / "venv/bin/dconv"
    python = place / "venv/bin/python"
    package_file = run([python, "-c", "import dconv; print(dconv.__file__)"], work)
    if not Path(package_file.strip()).is_relative_to(place / "venv"):
        raise Failure(f"dconv is imported from {package_file}")
    for file in (ROOT / "manuals/dconv").iterdir():
        shutil.copy(file, work)
    expect("dconv ", run([dconv, "--version"], work))
    for theme in ("default", "example"):
        words = ["manual.txt", "--verbose", "-o", f"out/{theme}", "--theme", theme]
        output = run([dconv, "convert", *words], work)
        expect("0 dead", output)
        expect("accounted for", output)
    expect("convert", run([dconv, "search", "dconv convert", "--folder", "out/default"], work))
    run([dconv, "check", "manual.txt"], work, (0, 1))
    text = (work / "manual.txt").read_text("utf-8")
    (work / "changed.txt").write_text(text.replace("web server", "server of files"), "utf-8")
    words = ["diff", "manual.txt", "changed.txt", "--format", "html", "-o", "out/diff/index.html"]
    run([dconv, *words], work, (1,))
    for form in ("rst", *DOCUTILS):
        run([dconv, "export", "manual.txt", "--format", form, "-o", f"out/{form}"], work)
    tree = run([dconv, "dump", "manual.txt", "--format", "json"], work)
    (work / "out/dump.json").write_text(tree, "utf-8")
    (work / "haproxy.cfg").write_text("global\n    maxconn 10\n")
    python = place / "venv/bin/python"
    expect("maxconn", run([python, "-m", "pygments", "-l", "haproxy", "haproxy.cfg"], work))


def expect(words: str, output: str) -> None:
    """Raise `Failure` where `words` are not in what was `output`."""
    if words not in output:
        raise Failure(f"expected {words!r} in:\n{output}")


def unequal_outputs(all_environments: Sequence[Environment], base: Path) -> list[str]:
    """Sentences about environments that make other bytes than the first one.

    What docutils writes depends on its version, all else on none.
    """
    first: dict[str, tuple[Environment, bytes]] = {}
    differences: list[str] = []
    for environment in all_environments:
        names: list[str] = []
        for path, content in files(folder(environment, base) / "work/out").items():
            of_docutils = path.startswith(tuple(f"{form}/" for form in DOCUTILS))
            key = f"{environment.libraries}/{path}" if of_docutils else path
            if first.setdefault(key, (environment, content))[1] != content:
                names.append(path)
        if names:
            which = f"{len(names)} other files than the first, such as {names[0]}"
            name = f"Python {environment.version}, {environment.libraries}"
            differences.append(f"{name}, makes {which}")
    return differences


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        report(f"{failure}\n0 passed, 1 failed")
        sys.exit(1)
