"""Sites of many texts: a folder of them, many releases of a product, a shelf of manual pages."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator
from pathlib import Path

from budget import Budget
from processes import DCONV, Usage, run

SMALL_TEXT_LINES = 100
MAX_SMALL_TEXT = 0.25  # seconds for a text of 100 lines
TEXTS, MAX_TEXTS = 1000, 4.5  # in a folder, and seconds for them
RELEASES, MAX_RELEASES, MAX_RELEASES_SIZE = 800, 15.0, 60  # of one product; seconds, megabytes
# seconds for 2,000 manual pages, and megabytes of memory over all processes
PAGES, MAX_PAGES, MAX_PAGES_MEMORY = 2000, 50.0, 500
MIN_PAGES_PER_SECOND = 50
SECTION = """\
{number}. Of lamp {number}
--------------{underline}

lamp{number} <watts>
  Lights the room with the given number of <watts>. See section {before} for others.

"""
MANUAL = """\
[product]
name = "tools"
title = "Tools"
recognize = []
[[document]]
name = "lamp"
file = "lamp.txt"
title = "The lamp"
[dialect]
[[dialect.entry]]
kind = "keyword"
title = "^Of lamp"
"""
SITE = '[site]\ntitle = "Tools"\noutput = "public"\n[[product]]\nname = "tools"\nreleases = []\n'
RELEASE = '[[product.release]]\nversion = "{version}"\nsource = {{ path = "{version}" }}\n'


def small_text(runs: int, folder: Path) -> Iterator[Budget]:
    """A text of 100 lines by `dconv convert`, in the new `folder`."""
    folder.mkdir()
    file = folder / "lamps.txt"
    file.write_text("\n".join(_text(15).splitlines()[:SMALL_TEXT_LINES]) + "\n", "utf-8")
    usages = [
        _convert(file, folder / str(number), folder / f"cache-{number}")
        for number in range(runs + 2)
    ]
    name = f"a text of {SMALL_TEXT_LINES} lines, wall, least"
    yield Budget(name, MAX_SMALL_TEXT, min(usage.wall for usage in usages), "s")


def texts(folder: Path) -> Iterator[Budget]:
    """A folder of many texts, in the new `folder`."""
    source = folder / "texts"
    source.mkdir(parents=True)
    for number in range(TEXTS):
        (source / f"lamp{number}.txt").write_text(_text(4, number), "utf-8")
    usage = _convert(source, folder / "public", folder / "cache")
    yield Budget(f"a folder of {TEXTS:,} texts, wall", MAX_TEXTS, usage.wall, "s")
    yield Budget(f"a folder of {TEXTS:,} texts, CPU", None, usage.cpu, "s")


def releases(folder: Path) -> Iterator[Budget]:
    """Many releases of one product, in the new `folder`."""
    manuals = folder / "manuals"
    manuals.mkdir(parents=True)
    (manuals / "manual.toml").write_text(MANUAL, "utf-8")
    versions = [f"{number // 10}.{number % 10}" for number in range(RELEASES)]
    for number, version in enumerate(versions):
        (folder / version).mkdir()
        (folder / version / "lamp.txt").write_text(_text(2, number % 7), "utf-8")
    described = "".join([RELEASE.format(version=version) for version in versions])
    (folder / "site.toml").write_text(SITE + described, "utf-8")
    command = [*DCONV, "build", "--offline", "--site", str(folder / "site.toml")]
    usage = run([*command, "--manuals", str(manuals)], folder / "cache")
    yield Budget(f"{RELEASES} releases of a product, wall", MAX_RELEASES, usage.wall, "s")
    yield Budget(f"{RELEASES} releases of a product, CPU", None, usage.cpu, "s")
    size = sum(path.stat().st_size for path in (folder / "public").rglob("*") if path.is_file())
    yield Budget(f"{RELEASES} releases of a product, output", MAX_RELEASES_SIZE, size / 1e6, "MB")


def shelf(pages: Path, folder: Path) -> Iterator[Budget]:
    """Up to 2,000 of the manual pages in the folder `pages`, in the new `folder`."""
    source = folder / "man"
    files = [path for path in sorted(pages.glob("man[1578]/*")) if not path.is_symlink()]
    step = max(1, len(files) // PAGES)  # of all packages, not those of the first letters
    chosen = files[::step][:PAGES]
    for path in chosen:
        (source / path.parent.name).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, source / path.parent.name / path.name)
    usage = _convert(source, folder / "public", folder / "cache")
    count = len(chosen)
    limit = MAX_PAGES * count / PAGES
    yield Budget(f"a shelf of {count:,} manual pages, wall", limit, usage.wall, "s")
    yield Budget(f"a shelf of {count:,} manual pages, CPU", None, usage.cpu, "s")
    name = f"a shelf, seconds for {MIN_PAGES_PER_SECOND} pages"
    yield Budget(name, 1.0, usage.wall * MIN_PAGES_PER_SECOND / count, "s")
    measured = _convert(source, folder / "public", folder / "cache-memory", all_processes=True)
    name = f"a shelf of {count:,} manual pages, peak memory of all processes"
    yield Budget(name, MAX_PAGES_MEMORY, measured.memory / 1e6, "MB")
    _change(source / chosen[0].parent.name / chosen[0].name)
    again = _convert(source, folder / "public", folder / "cache-memory")
    yield Budget("a shelf, one page changed, CPU", None, again.cpu, "s")
    share = again.cpu / usage.cpu
    yield Budget("a shelf, one page changed, of a clean build", None, share, "times")


def _change(page: Path) -> None:
    """Add a sentence to the manual `page`."""
    content, sentence = page.read_bytes(), b"\nOne more sentence.\n"
    if page.suffix == ".gz":
        page.write_bytes(gzip.compress(gzip.decompress(content) + sentence))
    else:
        page.write_bytes(content + sentence)


def _text(sections: int, seed: int = 0) -> str:
    """A text of so many `sections`; texts of different seeds name different lamps."""
    return "".join([
        SECTION.format(
            number=number, underline="-" * 2 * len(str(number)), before=max(1, number - 1)
        ).replace(f"lamp{number} ", f"lamp{number}-{seed} ")
        for number in range(1, sections + 1)
    ])


def _convert(source: Path, output: Path, cache: Path, all_processes: bool = False) -> Usage:
    return run([*DCONV, "convert", str(source), "-o", str(output)], cache, all_processes)
