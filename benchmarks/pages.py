"""What pages cost a reader, against their budgets: `make bench-pages`.

    python benchmarks/pages.py SITE [PRODUCT/VERSION] [--runs 3]

Serves the built SITE from this machine as a good server does, packed with gzip, and opens pages of
the release (by default the first with the largest page) in Chromium without a window, each time in
a fresh context.  Times are medians of the runs, at the processor's own speed and slowed down four
times; "deep link" is the time until the entry that the address names is on the screen and moves no
more, "blocking" is counted as Lighthouse does: what tasks after the first paint take over 50 ms
each.  To see where an entry is, a script looks in each frame, and has the page laid out for it; so
blocking is measured in visits of its own, without it.  Memory is that of the page's process, its
part of shared pages included (PSS), in a window that no tool is attached to: those that watch a
page keep a copy of it.  Exit status 1 where a budget is exceeded, 2 where there is no such
release.  Needs playwright and chromium.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from budget import HEAD, Budget
from packed_server import PackedServer, packed
from page_memory import PARALLEL, memory, renderers
from playwright.sync_api import Browser, sync_playwright

SETTLED = 700  # milliseconds after loading, in which late scripts would still move things
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 2e5, "uploadThroughput": 1e5}
SHEET = re.compile(r'<link rel="stylesheet" href="([^"]*)"')
SCRIPT = re.compile(r'<script src="([^"]*)"')
TAG = re.compile(r"<[a-z]\w*")
ENTRY = re.compile(r'<section id="([^"]*)" class="entry"')
WATCH = """
window.seen = {lcp: 0, cls: 0, blocking: 0, top: null, still: 0};
const watch = (type, then) => new PerformanceObserver(
  (list) => list.getEntries().forEach(then)).observe({type, buffered: true});
let painted = Infinity;
const tasks = [];
watch("paint", (one) => { if (one.name === "first-contentful-paint") painted = one.startTime; });
watch("largest-contentful-paint", (one) => { seen.lcp = one.startTime; });
watch("layout-shift", (one) => { if (!one.hadRecentInput) seen.cls += one.value; });
watch("longtask", (one) => tasks.push([one.startTime, one.startTime + one.duration]));
const name = decodeURIComponent(location.hash.slice(1));
const place = () => {
  const target = name ? document.getElementById(name) : document.body;
  return target ? target.getBoundingClientRect().top : null;
};
window.report = () => ({...seen, top: place(), elements: document.querySelectorAll("*").length,
  wide: document.documentElement.scrollWidth - innerWidth,
  blocking: tasks.reduce((sum, [start, end]) => sum + Math.max(
    0, end - Math.max(start, painted) - 50), 0)});
"""
LOOK = """
(function look() {
  const top = place();
  if (top !== seen.top) { seen.top = top; seen.still = performance.now(); }
  requestAnimationFrame(look);
})();
"""


@dataclass(frozen=True, slots=True)
class Load:
    """One visit: milliseconds, shifts of the layout, elements, files, bytes sent."""

    deep: float
    lcp: float
    blocking: float
    shift: float
    elements: int
    requests: int
    sent: int
    shown: bool


@dataclass(frozen=True, slots=True)
class Places:
    """The pages of a release that are measured, below the site, with an anchor each."""

    largest: str
    whole: str
    matrices: tuple[str, ...]
    sections: tuple[str, ...]
    anchor: str


def main(arguments: Sequence[str]) -> int:
    """Print the table; 1 where a budget is exceeded, 2 where there is no such release."""
    chosen = _arguments(arguments)
    folder = _release(chosen.site, chosen.release)
    if folder is None:
        release = chosen.release or "a release"
        print(f"{chosen.site}: there is no {release}; build the site first.", file=sys.stderr)
        return 2
    places = _places(chosen.site, folder)
    before = os.getloadavg()
    budgets = [*_files(chosen.site, places), *_visits(chosen.site, places, chosen.runs)]
    print(f"{folder.relative_to(chosen.site)}: largest page {places.largest}#{places.anchor}\n")
    print(HEAD)
    print("\n".join(map(str, budgets)))
    load = ", ".join(f"{average:.1f}" for average in (before[0], os.getloadavg()[0]))
    print(f"\nMedians of {chosen.runs}; load of the machine before and after: {load}.")
    if others := renderers():
        print(f"{others} processes of other pages took a part of the memory that is shared.")
    return 0 if all(budget.within for budget in budgets) else 1


def _arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("site", type=Path)
    parser.add_argument("release", nargs="?", default="", help="such as haproxy/3.4")
    parser.add_argument("--runs", type=int, default=3, help="visits of each kind")
    return parser.parse_args(arguments)


def _release(site: Path, name: str) -> Path | None:
    """The folder of the release `name`, or of that with the largest page."""
    if name:
        return site / name if (site / name / "index.html").is_file() else None
    pages = sorted(site.glob("*/*/*/*.html"), key=lambda path: -path.stat().st_size)
    return pages[0].parents[1] if pages else None


def _places(site: Path, folder: Path) -> Places:
    pages = [
        path for path in folder.glob("*/*.html")
        if '<body class="section' in path.read_text("utf-8")
    ]
    pages.sort(key=lambda path: (-path.stat().st_size, path))
    largest = pages[0].read_text("utf-8")
    entries = ENTRY.findall(largest)
    matrices = [path for path in pages if '<table class="matrix"' in path.read_text("utf-8")]

    def below(path: Path) -> str:
        return path.relative_to(site).as_posix()

    return Places(
        below(pages[0]), f"{below(pages[0].parent)}.html", tuple(map(below, matrices)),
        tuple(map(below, pages)), entries[len(entries) * 9 // 10] if entries else "",
    )


# --- files ----------------------------------------------------------------------------


def _files(site: Path, places: Places) -> Iterator[Budget]:
    """The figures that files alone give."""
    page = site / places.largest
    text = page.read_text("utf-8")
    for name, pattern, raw, sent in (("CSS", SHEET, 25, 7), ("JavaScript", SCRIPT, 12, 5)):
        loaded = [(page.parent / address).read_bytes() for address in pattern.findall(text)]
        yield Budget(f"{name} of a page", raw, sum(map(len, loaded)) / 1e3, "kB")
        yield Budget(f"{name} of a page, packed", sent, sum(map(_packed, loaded)) / 1e3, "kB")
    sizes = [_packed((site / path).read_bytes()) / 1e3 for path in places.sections]
    counts = [len(TAG.findall((site / path).read_text("utf-8"))) for path in places.sections]
    whole = _packed((site / places.whole).read_bytes())
    yield Budget("one page, packed", 560, whole / 1e3, "kB")
    yield Budget("median section, packed", 8, statistics.median(sizes), "kB")
    yield Budget("median section, elements", 1500, statistics.median(counts), "")


def _packed(content: bytes) -> int:
    return len(packed(content))


# --- visits ---------------------------------------------------------------------------


def _visits(site: Path, places: Places, runs: int) -> Iterator[Budget]:
    """What a browser tells."""
    with PackedServer(site) as server, sync_playwright() as playwright:
        def visits(
            address: str, slow: int = 1, network: bool = False, look: bool = False
        ) -> list[Load]:
            loads = []
            for _ in range(runs):
                browser = playwright.chromium.launch(
                    executable_path=shutil.which("chromium"), args=list(PARALLEL)
                )
                with contextlib.closing(browser):
                    loads.append(_visit(browser, server, address, slow, network, look))
            return loads

        deep = f"{places.largest}#{places.anchor}"
        whole = f"{places.whole}?one#{places.anchor}"
        seen = {
            (name, slow, look): visits(address, slow, look=look)
            for name, address in (("largest page", deep), ("one page", whole))
            for slow in (1, 4) for look in (False, True)
        }  # fmt: skip
        yield from _page("largest page", seen["largest page", 1, False], 13_000, 150)
        megabytes = memory(playwright, f"{server.address}/{deep}", runs)
        yield Budget("largest page, memory", 75, megabytes, "MB")
        yield from _times("largest page", seen, (400, 1000, 100))
        slowest = _median(visits(deep, 4, network=True), "lcp")
        yield Budget("largest page, LCP, slow 4G and 4x", 1800, slowest, "ms")
        yield from _page("one page", seen["one page", 1, False], 52_000, 0)
        megabytes = memory(playwright, f"{server.address}/{whole}", runs)
        yield Budget("one page, memory", 100, megabytes, "MB")
        yield from _times("one page", seen, (800, 2000, 500))
        others = [(path, visits(path, 4)) for path in places.sections[1:4]]
        worst = max((_median(loads, "blocking") for _, loads in others), default=0)
        yield Budget("next largest sections, blocking, 4x", 100, worst, "ms")
        for path in places.matrices:
            name = f"matrix {Path(path).stem}"
            yield Budget(f"{name}, all packed", 20, _median(visits(path), "sent") / 1e3, "kB")
        groups = [*seen.values(), *(loads for _, loads in others)]
        every = [load for loads in groups for load in loads]
        yield Budget("greatest shift of the layout", 0.01, max(load.shift for load in every), "")
        yield Budget("links that missed their entry", 0, sum(not load.shown for load in every), "")


def _page(
    name: str, loads: Sequence[Load], elements: int, kilobytes: int
) -> Iterator[Budget]:
    yield Budget(f"{name}, elements", elements, _median(loads, "elements"), "")
    if kilobytes:
        yield Budget(f"{name}, all packed", kilobytes, _median(loads, "sent") / 1e3, "kB")
    yield Budget(f"{name}, requests", 6, _median(loads, "requests"), "")


def _times(
    name: str, seen: Mapping[tuple[str, int, bool], Sequence[Load]], limits: tuple[int, int, int]
) -> Iterator[Budget]:
    yield Budget(f"{name}, deep link", limits[0], _median(seen[name, 1, True], "deep"), "ms")
    yield Budget(f"{name}, deep link, 4x", limits[1], _median(seen[name, 4, True], "deep"), "ms")
    yield Budget(
        f"{name}, blocking, 4x", limits[2], _median(seen[name, 4, False], "blocking"), "ms"
    )


def _median(loads: Sequence[Load], figure: str) -> float:
    return statistics.median(float(getattr(load, figure)) for load in loads)


def _visit(
    browser: Browser, server: PackedServer, address: str, slow: int, network: bool, look: bool
) -> Load:
    """One visit of `address` with nothing in the cache; with `look` its place is watched."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.add_init_script(WATCH + LOOK if look else WATCH)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Emulation.setCPUThrottlingRate", {"rate": slow})
    if network:
        session.send("Network.emulateNetworkConditions", SLOW_4G)
    server.sent.clear()
    page.goto(f"{server.address}/{address}", wait_until="load", timeout=120_000)
    page.wait_for_timeout(SETTLED * slow)
    report = page.evaluate("report()")
    files = list(server.sent)
    context.close()
    return Load(
        report["still"], report["lcp"], report["blocking"], report["cls"], report["elements"],
        len(files), sum(files), report["top"] is not None and -50 < report["top"] < 900,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
