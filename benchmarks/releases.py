"""All releases as one site; and what it takes to make the site again."""

from __future__ import annotations

import re
import shutil
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path

from budget import Budget
from processes import DCONV, Usage, run

MAX_MEMORY_GROWTH = 1.25  # times the memory of three releases; others add texts and names
FEW_RELEASES = 3  # releases: enough to keep two processes busy
MAX_CPU = 17.0  # seconds for nine releases
MAX_UNCHANGED_BUILD = 0.3  # seconds for a site in which nothing changed
MAX_CHANGED_BUILD = 2.5  # seconds if one of nine releases has changed
NUMBER = re.compile(r"\d+")
SETTINGS = '[site]\ntitle = "Benchmark"\noutput = "public"\n[[product]]\nname = "haproxy"\n'
RELEASE = '[[product.release]]\nversion = "{version}"\nsource = {{ path = "{path}" }}\n'


def release_folders(corpus: Path) -> list[Path]:
    """The folders of HAProxy's releases in `corpus`, the newest first."""
    folders = [file.parent for file in corpus.glob("haproxy/*/configuration.txt")]
    return sorted(folders, key=lambda folder: _numbers(folder.name), reverse=True)


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a release, to sort by: 3.10 is newer than 3.4."""
    return tuple(int(number) for number in NUMBER.findall(version))


def measure(releases: Sequence[Path], runs: int, folder: Path) -> Iterator[Budget]:
    """The figures of sites of `releases`, the newest first, built in `folder`."""
    copies = [Path(shutil.copytree(path, folder / "texts" / path.name)) for path in releases]
    usages = [_clean_build(copies, folder / f"{number}-all") for number in range(runs)]
    wall = statistics.median(usage.wall for usage in usages)
    yield Budget(f"{len(copies)} releases, wall", None, wall, "s")
    yield Budget(f"{len(copies)} releases, CPU", MAX_CPU, min(usage.cpu for usage in usages), "s")
    peaks: dict[int, int] = {}
    few = min(FEW_RELEASES, len(copies))
    for count in sorted({1, few, len(copies)}):
        site = folder / f"memory-{count}"
        peaks[count] = _clean_build(copies[:count], site, all_processes=True).memory
        name = f"releases: {count}, peak memory of all processes"
        yield Budget(name, None, peaks[count] / 1e6, "MB")
    growth = peaks[len(copies)] / peaks[few]
    name = f"{len(copies)} releases against {few}, peak memory"
    yield Budget(name, MAX_MEMORY_GROWTH, growth, "times")
    yield from _rebuilds(copies, runs, folder / "again")


def _rebuilds(copies: Sequence[Path], runs: int, site: Path) -> Iterator[Budget]:
    """What a site takes that was built before."""
    first = _clean_build(copies, site)
    same = statistics.median(_build(site).wall for _ in range(runs + 1))
    yield Budget("the same again, wall", MAX_UNCHANGED_BUILD, same, "s")
    changed: list[float] = []
    manual = copies[0] / "configuration.txt"
    text = manual.read_text("utf-8", "replace")
    for number in range(runs):
        manual.write_text(_changed(text, number), "utf-8")
        changed.append(_build(site).wall)
    manual.write_text(text, "utf-8")
    yield Budget("one manual changed, wall", MAX_CHANGED_BUILD, statistics.median(changed), "s")
    yield Budget("one manual changed, of a clean build", None, changed[-1] / first.wall, "times")


def _changed(text: str, number: int) -> str:
    """`text` with another word in the middle, where prose is."""
    middle = text.find(" the ", len(text) // 2)
    return f"{text[:middle]} the {number}th{text[middle + 4 :]}" if middle > 0 else f"{text}\nNo.\n"


def _clean_build(releases: Sequence[Path], site: Path, all_processes: bool = False) -> Usage:
    """Build a site of `releases` in the new folder `site`."""
    site.mkdir()
    described = [RELEASE.format(version=path.name, path=path) for path in releases]
    (site / "site.toml").write_text(SETTINGS + "".join(described), "utf-8")
    return _build(site, all_processes)


def _build(site: Path, all_processes: bool = False) -> Usage:
    command = [*DCONV, "build", "--offline", "--site", str(site / "site.toml")]
    return run(command, site / "cache", all_processes)
