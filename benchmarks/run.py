"""Speed, memory and growth of dconv against their bounds, as tables: `make bench`.

    python benchmarks/run.py [--against 'OTHER {input} {output}'] [--runs 5] [--growth]
        [--only PART]... [FILE]

FILE is by default the newest configuration manual of `$DCONV_CORPUS`, of
`../shared/corpus`, or else of what `dconv fetch` has put into the cache.  The parts are

    manual    one manual by `dconv convert`, in pairs with the other program
    releases  all releases of the corpus by `dconv build`, and the same again
    serve     from the save of a text to the page that shows it, in Chromium
    stages    where the CPU time of one conversion goes
    growth    made texts of 10,000 to 100,000 lines, with `--growth` to 1,000,000, where
              steps are counted too: that takes a quarter of an hour

Commands are run from outside, as users run them, each time with an empty cache.  Ratios
are medians of pairs; CPU seconds of stages and of growth are the least of several runs:
other work on the machine makes a run slower, never quicker.  Exit status 1 where a bound
is not kept.
"""

from __future__ import annotations

import argparse
import os
import shlex
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import growth
import releases
import stages
from budget import HEAD, Budget
from processes import DCONV, ROOT, Usage, machine, run

from dconv.settings import DebianSource, Product, load_product
from dconv.sources import SourceError, cache_folder, obtain
from dconv.sources.resources import resource_folder

PARTS = ("manual", "releases", "serve", "stages", "growth")
# one manual: wall and CPU time of the other program's, bytes of memory
WALL, CPU, MEMORY = 1.0, 2.0, 300
BOUND = 1000  # CPU milliseconds that parsing, proof and pages of HAProxy's manual may take


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; the exit status."""
    chosen = _arguments(words)
    product = load_product(resource_folder("manuals") / "haproxy")
    with tempfile.TemporaryDirectory(prefix="dconv-benchmark-") as name:
        folder = Path(name)
        corpus = Path(os.environ.get("DCONV_CORPUS", ROOT.parent / "shared" / "corpus"))
        folders = releases.release_folders(corpus)
        newest = folders[0] / "configuration.txt" if folders else _debian(product, folder)
        file = chosen.file or newest
        if file is None or not file.is_file():
            print("there is no manual to measure: set DCONV_CORPUS, or name a file")
            return 2
        within = True
        for row in _rows(chosen, file, folders, product, folder):
            within = within and not (isinstance(row, Budget) and not row.within)
            print(row, flush=True)
        print(f"\nAt the end: {machine()}.")
    return 0 if within else 1


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure dconv.")
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--against", metavar="COMMAND", help="may hold {input} and {output}")
    parser.add_argument("--runs", type=int, default=5, help="of each figure")
    parser.add_argument("--growth", action="store_true", help="to 1,000,000 lines, with steps")
    parser.add_argument("--only", action="append", choices=PARTS, help="may be said again")
    parser.add_argument("--lines", type=int, nargs="+", help="of the texts for growth")
    chosen = parser.parse_args(words)
    chosen.runs = max(1, chosen.runs)
    return chosen


def _debian(product: Product, folder: Path) -> Path | None:
    """The configuration manual that Debian's package has."""
    try:
        source = DebianSource("haproxy", "/usr/share/doc/haproxy")
        fetched = obtain(source, "debian", product.documents, cache_folder(os.environ))
    except SourceError as error:
        print(error)
        return None
    file = folder / "configuration.txt"
    file.write_bytes(fetched.documents[0].content)
    return file


def _rows(
    chosen: argparse.Namespace, file: Path, corpus: Sequence[Path], product: Product, folder: Path
) -> Iterator[str | Budget]:
    """What is printed, row by row."""
    parts = chosen.only or PARTS
    content = file.read_bytes()
    once = stages.best(content, product, chosen.runs if "stages" in parts else 1)
    yield f"Measured: {file.name}, {once.name}, {once.lines:,} lines; {machine()}"
    if {"manual", "releases", "serve"} & set(parts):
        yield from ("", HEAD)
    if "manual" in parts:
        yield from _manual(file, chosen.against, chosen.runs, folder)
    if "releases" in parts and corpus:
        yield from releases.measured(corpus, max(1, chosen.runs // 2), folder)
    if "serve" in parts:
        yield from _seen(file, chosen.runs, folder)
    if "stages" in parts:
        yield from ("", *_stages(once))
    if "growth" in parts:
        lengths = chosen.lines or (growth.ALL_LENGTHS if chosen.growth else growth.LENGTHS)
        yield ""
        yield from growth.growth(lengths, chosen.growth, chosen.runs, folder)


def _manual(file: Path, against: str | None, runs: int, folder: Path) -> Iterator[Budget]:
    """`dconv convert`, in turn with the command `against`."""
    own: list[Usage] = []
    pairs: list[tuple[Usage, Usage]] = []
    for number in range(runs + 1):
        mine = run(_convert(file, folder / f"own-{number}"), folder / f"cache-{number}")
        own.append(mine)
        if against:
            output = str(folder / f"other-{number}")
            command = against.replace("{input}", str(file)).replace("{output}", output)
            pairs.append((mine, run(shlex.split(command), folder / "cache-other")))
    del own[0], pairs[:1]  # the first run reads all programs from the disk
    if pairs:
        walls = [mine.wall / other.wall for mine, other in pairs]
        cpus = [mine.cpu / other.cpu for mine, other in pairs]
        yield Budget("one manual, wall, of the other", WALL, statistics.median(walls), "times")
        yield Budget("one manual, CPU, of the other", CPU, statistics.median(cpus), "times")
    yield Budget("one manual, wall", None, statistics.median(usage.wall for usage in own), "s")
    yield Budget("one manual, CPU", None, statistics.median(usage.cpu for usage in own), "s")
    watched = run(_convert(file, folder / "watched"), folder / "cache-watched", watch=True)
    yield Budget("one manual, peak memory of all processes", MEMORY, watched.memory / 1e6, "MB")
    files = [path for path in (folder / "watched").rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    yield Budget("one manual, output", None, size / 1e6, "MB")


def _convert(file: Path, output: Path) -> list[str]:
    return [*DCONV, "convert", str(file), "-o", str(output)]


def _seen(file: Path, runs: int, folder: Path) -> Iterator[str | Budget]:
    try:
        import preview  # it needs Playwright, which is installed for tests
    except ImportError:
        yield "| `dconv serve`: needs playwright | | | | |"
        return
    yield from preview.seen(file, runs, folder)


def _stages(once: stages.Stages) -> Iterator[str | Budget]:
    yield "| stage | CPU | of all |"
    yield "| --- | ---: | ---: |"
    for name, seconds in once.seconds.items():
        yield f"| {name} | {seconds * 1000:,.0f} ms | {seconds / once.total:.0%} |"
    speed = f"{once.lines / once.total:,.0f} lines a second"
    yield f"| all stages, {speed} | {once.total * 1000:,.0f} ms | |"
    yield from ("", HEAD)
    yield Budget("CPU of parsing, pages and proof", BOUND, once.bounded * 1000, "ms")


if __name__ == "__main__":
    sys.exit(main())
