"""Speed, memory and growth of dconv against their bounds, as tables: `make bench`.

    python benchmarks/run.py [--peer FOLDER] [--against 'OTHER {input} {output}'] [--runs 5]
        [--growth] [--pages FOLDER] [--only PART]... [FILE]

The other program is haproxy-dconv in FOLDER, by default `../shared/peer/haproxy-dconv`, if there
is one and $PEER_PYTHON (python3) has Mako, or else the command of `--against`.  FILE is by
default the newest configuration manual of `$DCONV_CORPUS`, of `../shared/corpus`, or else of what
`dconv fetch` has put into the cache.  The parts are

    manual    one manual by `dconv convert`, in pairs with the other program; a small text
    releases  all releases of the corpus by `dconv build`, and the same again
    serve     from the save of a text to the page that shows it, in Chromium
    many      a folder of 1,000 texts, and 800 releases of a product
    shelf     2,000 manual pages of the folder of `--pages`, by default those of `make corpus`
    stages    where the CPU time of one conversion goes
    growth    generated texts of 10,000 to 100,000 lines, with `--growth` to 1,000,000, where
              operations are counted too: that takes a quarter of an hour

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
import many_texts
import releases
import stages
from budget import TABLE_HEADER, Budget
from peer import Peer, haproxy_dconv
from processes import DCONV, ROOT, Usage, machine, run

from dconv.settings.manual import load_product
from dconv.settings.types import DebianSource, Product
from dconv.sources.cache import cache_folder
from dconv.sources.fetch import fetch_texts
from dconv.sources.resources import resource_folder
from dconv.sources.types import SourceError

PARTS = ("manual", "releases", "serve", "many", "shelf", "stages", "growth")
# one manual: seconds, of the other program's, and megabytes of memory
MAX_WALL, MAX_WALL_RATIO, MAX_MEMORY = 2.0, 2.3, 300
MAX_STAGES_CPU = 1000  # CPU milliseconds that parsing, proof and pages of HAProxy's manual may take


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; the exit status."""
    options = _arguments(arguments)
    product = load_product(resource_folder("manuals") / "haproxy")
    with tempfile.TemporaryDirectory(prefix="dconv-benchmark-") as name:
        folder = Path(name)
        corpus = Path(os.environ.get("DCONV_CORPUS", ROOT.parent / "shared" / "corpus"))
        folders = releases.release_folders(corpus)
        newest = folders[0] / "configuration.txt" if folders else _debian(product, folder)
        file = options.file or newest
        if file is None or not file.is_file():
            print("there is no manual to measure: set DCONV_CORPUS, or name a file")
            return 2
        within = True
        for row in _rows(options, file, folders, product, folder):
            within = within and not (isinstance(row, Budget) and not row.within)
            print(row, flush=True)
        print(f"\nAt the end: {machine()}.")
    return 0 if within else 1


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure dconv.")
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--peer", type=Path, default=ROOT.parent / "shared/peer/haproxy-dconv")
    parser.add_argument("--against", metavar="COMMAND", help="may hold {input} and {output}")
    parser.add_argument("--pages", type=Path, default=ROOT / "build/corpus/usr/share/man")
    parser.add_argument("--runs", type=int, default=5, help="of each figure")
    parser.add_argument(
        "--growth", action="store_true", help="to 1,000,000 lines, counting operations"
    )
    parser.add_argument("--only", action="append", choices=PARTS, help="repeatable")
    parser.add_argument("--lines", type=int, nargs="+", help="of the texts for growth")
    options = parser.parse_args(arguments)
    options.runs = max(1, options.runs)
    return options


def _debian(product: Product, folder: Path) -> Path | None:
    """The configuration manual that Debian's package has."""
    try:
        source = DebianSource("haproxy", "/usr/share/doc/haproxy")
        fetched = fetch_texts(source, "debian", product.documents, cache_folder(os.environ))
    except SourceError as error:
        print(error)
        return None
    file = folder / "configuration.txt"
    file.write_bytes(fetched.documents[0].content)
    return file


def _rows(
    options: argparse.Namespace, file: Path, corpus: Sequence[Path], product: Product, folder: Path
) -> Iterator[str | Budget]:
    """What is printed, row by row."""
    parts = options.only or PARTS
    content = file.read_bytes()
    result = stages.best(content, product, options.runs if "stages" in parts else 1)
    yield f"Measured: {file.name}, {result.name}, {result.lines:,} lines; {machine()}"
    if {"manual", "releases", "serve", "many", "shelf"} & set(parts):
        yield from ("", TABLE_HEADER)
    if "manual" in parts:
        peer = haproxy_dconv(options.peer, folder)
        if options.against:
            peer = Peer("the other", options.against)
        yield from _manual(file, peer, options.runs, folder)
        yield from many_texts.small_text(options.runs, folder / "small")
    if "releases" in parts and corpus:
        yield from releases.measure(corpus, max(1, options.runs // 2), folder)
    if "serve" in parts:
        yield from _preview(file, options.runs, folder)
    if "many" in parts:
        yield from many_texts.texts(folder / "texts-of-a-folder")
        yield from many_texts.releases(folder / "releases-of-a-product")
    if "shelf" in parts and options.pages.is_dir():
        yield from many_texts.shelf(options.pages, folder / "shelf")
    if "stages" in parts:
        yield from ("", *_stages(result))
    if "growth" in parts:
        lengths = options.lines or (growth.ALL_LENGTHS if options.growth else growth.LENGTHS)
        yield ""
        yield from growth.growth(lengths, options.growth, options.runs, folder)


def _manual(
    file: Path, peer: Peer | None, runs: int, folder: Path
) -> Iterator[Budget]:
    """`dconv convert`, in turn with the `peer`."""
    usages: list[Usage] = []
    pairs: list[tuple[Usage, Usage]] = []
    for number in range(runs + 1):
        own_usage = run(_convert(file, folder / f"own-{number}"), folder / f"cache-{number}")
        usages.append(own_usage)
        if peer:
            other_output = str(folder / f"other-{number}")
            command = peer.command.replace("{input}", str(file)).replace("{output}", other_output)
            pairs.append((own_usage, run(shlex.split(command), folder / "cache-other")))
            if not Path(other_output).exists():
                raise SystemExit(f"{peer.name} wrote nothing")
    del usages[0], pairs[:1]  # the first run reads all programs from the disk
    if peer:
        walls = [own_usage.wall / other.wall for own_usage, other in pairs]
        cpus = [own_usage.cpu / other.cpu for own_usage, other in pairs]
        wall, cpu = statistics.median(walls), statistics.median(cpus)
        yield Budget(f"one manual, wall, of {peer.name}", MAX_WALL_RATIO, wall, "times")
        yield Budget(f"one manual, CPU, of {peer.name}", None, cpu, "times")
    own_wall = statistics.median(usage.wall for usage in usages)
    yield Budget("one manual, wall", MAX_WALL, own_wall, "s")
    yield Budget("one manual, CPU", None, statistics.median(usage.cpu for usage in usages), "s")
    output = folder / "all-processes"
    total_usage = run(_convert(file, output), folder / "cache-all", all_processes=True)
    megabytes = total_usage.memory / 1e6
    yield Budget("one manual, peak memory of all processes", MAX_MEMORY, megabytes, "MB")
    files = [path for path in output.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    yield Budget("one manual, output", None, size / 1e6, "MB")


def _convert(file: Path, output: Path) -> list[str]:
    return [*DCONV, "convert", str(file), "-o", str(output)]


def _preview(file: Path, runs: int, folder: Path) -> Iterator[str | Budget]:
    try:
        import preview  # it needs Playwright, which is installed for tests
    except ImportError:
        yield "| `dconv serve`: needs playwright | | | | |"
        return
    yield from preview.measure(file, runs, folder)


def _stages(result: stages.Stages) -> Iterator[str | Budget]:
    yield "| stage | CPU | of all |"
    yield "| --- | ---: | ---: |"
    for name, seconds in result.seconds.items():
        yield f"| {name} | {seconds * 1000:,.0f} ms | {seconds / result.total:.0%} |"
    speed = f"{result.lines / result.total:,.0f} lines a second"
    yield f"| all stages, {speed} | {result.total * 1000:,.0f} ms | |"
    yield from ("", TABLE_HEADER)
    yield Budget("CPU of parsing, pages and proof", MAX_STAGES_CPU, result.bounded * 1000, "ms")


if __name__ == "__main__":
    sys.exit(main())
