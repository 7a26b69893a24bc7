"""Speed, memory and growth of dconv as one Markdown table: `make bench`.

    python benchmarks/run.py [--against 'OTHER {input} {output}'] [--runs 5] [FILE]

FILE is by default the newest configuration manual of `$DCONV_CORPUS`, of
`../shared/corpus`, or else of what `dconv fetch` has put into the cache.  All
times are CPU seconds of one process, the least of several runs: other work on
the machine makes a run slower, never quicker.  `--against` runs another program
in turn with dconv and gives the medians of the ratios of each pair.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import shlex
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from dconv import lines, pipeline, theme
from dconv.nest import nest
from dconv.pages import release_pages
from dconv.pages.page import Edition, Origin, Release
from dconv.resources import resource_folder
from dconv.scan import scan
from dconv.settings import DebianSource, Product, load_product
from dconv.sources import SourceError, cache_folder, obtain
from dconv.tree import Manual
from dconv.verify import verify, whole_page

ROOT = Path(__file__).resolve().parent.parent
EDITION = Edition("Benchmark", pipeline.GENERATOR)
BOUND = 1.0  # CPU seconds that parsing, proof and pages of HAProxy's manual may take
NUMBER = re.compile(r"\d+")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Stages:
    """CPU seconds of each stage for one text; `name` is what its header says it is."""

    name: str
    lines: int
    read: float
    parse: float
    link: float
    pages: float
    render: float
    proof: float

    @property
    def bounded(self) -> float:
        """What `BOUND` is set for: parsing, proof and pages."""
        return self.read + self.parse + self.pages + self.render + self.proof

    @property
    def total(self) -> float:
        """All stages together."""
        return self.bounded + self.link


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process took: wall and CPU seconds, peak memory in bytes."""

    wall: float
    cpu: float
    memory: int


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; the exit status."""
    parser = argparse.ArgumentParser(description="Measure dconv.")
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--against", metavar="COMMAND", help="may hold {input} and {output}")
    parser.add_argument("--runs", type=int, default=5)
    chosen = parser.parse_args(words)
    product = load_product(resource_folder("manuals") / "haproxy")
    with tempfile.TemporaryDirectory(prefix="dconv-benchmark-") as folder:
        file = chosen.file or _manual(product, Path(folder))
        if file is None or not file.is_file():
            print("there is no manual to measure: set DCONV_CORPUS, or name a file")
            return 2
        for row in _rows(file, product, Path(folder), chosen.against, chosen.runs):
            print(row)
    return 0


def _manual(product: Product, folder: Path) -> Path | None:
    """The newest configuration manual there is."""
    places = [Path(os.environ.get("DCONV_CORPUS", ROOT.parent / "shared" / "corpus"))]
    for place in places:
        found = list(place.glob("haproxy/*/configuration.txt"))
        if found:
            return max(found, key=lambda path: _numbers(path.parent.name))
    try:
        source = DebianSource("haproxy", "/usr/share/doc/haproxy")
        fetched = obtain(source, "debian", product.documents, cache_folder(os.environ))
    except SourceError as error:
        print(error)
        return None
    file = folder / "configuration.txt"
    file.write_bytes(fetched.documents[0].content)
    return file


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a release, to sort by: 3.10 is newer than 3.4."""
    return tuple(int(number) for number in NUMBER.findall(version))


def _rows(
    file: Path, product: Product, folder: Path, against: str | None, runs: int
) -> Iterator[str]:
    content = file.read_bytes()
    best = _best(content, product, runs)
    yield f"Measured: {file.name}, {best.name}; Python {sys.version.split()[0]}"
    yield ""
    yield "| what | figure |"
    yield "|---|---|"
    yield f"| lines | {best.lines:,} |"
    yield f"| lines per second | {best.lines / best.total:,.0f} |"
    for name, seconds in (
        ("parse: read", best.read), ("parse: scan and nest", best.parse), ("proof", best.proof),
        ("link", best.link), ("pages: html", best.pages), ("pages: theme", best.render),
        (f"parse, proof and pages, bound {BOUND * 1000:,.0f} ms", best.bounded),
        ("total", best.total),
    ):  # fmt: skip
        yield f"| CPU: {name} | {seconds * 1000:,.0f} ms |"
    ours = [sys.executable, "-m", "dconv", "--quiet", "convert", str(file), "-o"]
    usage = _run([*ours, str(folder / "own")])
    yield f"| `dconv convert`, wall | {usage.wall * 1000:,.0f} ms |"
    yield f"| `dconv convert`, CPU | {usage.cpu * 1000:,.0f} ms |"
    yield f"| `dconv convert`, peak memory | {usage.memory / 1e6:,.0f} MB |"
    size = sum(path.stat().st_size for path in (folder / "own").rglob("*") if path.is_file())
    yield f"| output | {size / 1e6:,.1f} MB |"
    yield from _growth(content, product)
    if against:
        yield from _against(ours, against, file, folder, runs)


def _growth(content: bytes, product: Product) -> Iterator[str]:
    """CPU for the text once, twice and four times in a row: 2 and 4 are linear."""
    once, twice, four = (_best(content * times, product, 2).total for times in (1, 2, 4))
    yield f"| growth: twice the lines | {twice / once:.2f} times the CPU |"
    yield f"| growth: four times the lines | {four / once:.2f} times the CPU |"


def _against(
    ours: list[str], against: str, file: Path, folder: Path, runs: int
) -> Iterator[str]:
    walls: list[float] = []
    cpus: list[float] = []
    memories: list[float] = []
    for number in range(runs):
        mine = _run([*ours, str(folder / f"own-{number}")])
        output = folder / f"other-{number}"
        command = against.replace("{input}", str(file)).replace("{output}", str(output))
        other = _run(shlex.split(command))
        walls.append(mine.wall / other.wall)
        cpus.append(mine.cpu / other.cpu)
        memories.append(mine.memory / other.memory)
    yield f"| against the other: wall | {statistics.median(walls):.2f} |"
    yield f"| against the other: CPU | {statistics.median(cpus):.2f} |"
    yield f"| against the other: memory | {statistics.median(memories):.2f} |"


def _best(content: bytes, product: Product, runs: int) -> Stages:
    """The quickest of several runs, by their totals."""
    found = [_stages(content, product) for _ in range(max(1, runs))]
    return min(found, key=lambda stages: stages.total)


def _stages(content: bytes, product: Product) -> Stages:
    name = "configuration"
    source, read = _timed(lambda: lines.read(content, f"{name}.txt"))
    manual, parse = _timed(lambda: nest(scan(source), source, product.dialect, name))
    text = pipeline.SourceText(content, f"{name}.txt", product, product.documents[0], Origin(name))
    (linked,), link = _timed(lambda: pipeline.link_texts([text], [manual]))
    release = Release(product.name, product.title, "0", (pipeline.published(text, linked),))
    pages, made = _timed(lambda: list(release_pages(release, EDITION)))
    look = theme.load(theme.DEFAULT)
    look.render(pages[0])  # templates are compiled once, whatever the manual's size
    files, rendered = _timed(lambda: [(page, look.render(page).decode()) for page in pages])
    parts = [file for page, file in files if page.kind in ("manual", "section")]
    whole = next(file for page, file in files if page.kind == "whole")
    _, proved = _timed(lambda: whole_page(verify(linked, "0", parts), "", whole, parts))
    return Stages(_name(manual), len(source.lines), read, parse, link, made, rendered, proved)


def _name(manual: Manual) -> str:
    """What the header of `manual` says: `HAProxy Configuration Manual 3.4`."""
    header = manual.header
    words = (header.title, header.subtitle, header.version or "of no release")
    return " ".join(word for word in words if word)


def _timed(work: Callable[[], Result]) -> tuple[Result, float]:
    gc.disable()  # as the program does, see cli/commands.py
    start = time.process_time()
    result = work()
    taken = time.process_time() - start
    gc.enable()
    return result, taken


def _run(command: Sequence[str]) -> Usage:
    """Run `command` to its end; raises `SystemExit` where it fails."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    start = time.perf_counter()
    child = os.posix_spawnp(command[0], list(command), environment, file_actions=quiet)
    _, status, usage = os.wait4(child, 0)
    wall = time.perf_counter() - start
    if status:
        raise SystemExit(f"{shlex.join(command)}: failed with status {status >> 8}")
    unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss
    return Usage(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)


if __name__ == "__main__":
    sys.exit(main())
