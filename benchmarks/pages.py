"""What pages cost a reader, against their budgets: `make bench-pages`.

    python benchmarks/pages.py SITE [PRODUCT/VERSION] [--runs 3]

Serves the built SITE from this machine compressed with gzip, and opens pages of the release (by
default the first with the largest page) in Chromium without a window, each time in a fresh context
of a browser that has finished its start.  Times are medians of the runs, at the processor's own
speed and slowed down four times; "deep link" is the time until the entry that the address names is
on the screen and moves no more than the pixel that rounding takes, "blocking" is counted as
Lighthouse does: what tasks after the first paint take over 50 ms each.  To see where an entry is, a
script looks after each frame, and may have the page laid out for it; so blocking is measured in
visits of its own, without it.  Memory is that of the page's process, its part of shared pages
included (PSS), in a window that no tool is attached to: those that watch a page keep a copy of it.
Exit status 1 where a budget is exceeded, 2 where there is no such release.  Needs playwright and
chromium.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from budget import TABLE_HEADER, Budget
from gzip_server import GzipServer, gzipped
from page_memory import CHROMIUM_FLAGS, count_renderers, memory
from playwright.sync_api import Browser, sync_playwright

START_TIME = 1.5  # seconds in which a browser that was started is busy with pages of its own
SETTLE_TIME = 700  # milliseconds after loading, in which late scripts would still move things
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 2e5, "uploadThroughput": 1e5}
SHEET = re.compile(r'<link rel="stylesheet" href="([^"]*)"')
SCRIPT = re.compile(r'<script src="([^"]*)"')
TAG = re.compile(r"<[a-z]\w*")
ENTRY = re.compile(r'<section id="([^"]*)" class="entry"')
METRICS_SCRIPT = """
window.seen = {lcp: 0, cls: 0, blocking: 0, top: null, still: 0};
const watch = (type, then) => new PerformanceObserver(
  (list) => list.getEntries().forEach(then)).observe({type, buffered: true});
let painted = Infinity;
const tasks = [];
watch("paint", (entry) => {
  if (entry.name === "first-contentful-paint") painted = entry.startTime;
});
watch("largest-contentful-paint", (entry) => { seen.lcp = entry.startTime; });
watch("layout-shift", (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
watch("longtask", (entry) => tasks.push([entry.startTime, entry.startTime + entry.duration]));
const name = decodeURIComponent(location.hash.slice(1));
const targetTop = () => {
  const target = name ? document.getElementById(name) : document.body;
  return target ? target.getBoundingClientRect().top : null;
};
window.report = () => ({...seen, top: targetTop(), elements: document.querySelectorAll("*").length,
  still: Math.max(seen.still, painted), // the first frame is made before it is on the screen
  wide: document.documentElement.scrollWidth - innerWidth,
  blocking: tasks.reduce((sum, [start, end]) => sum + Math.max(
    0, end - Math.max(start, painted) - 50), 0)});
"""
POSITION_SCRIPT = """
function look() {
  const top = targetTop();
  if (top === null || Math.abs(top - (seen.top ?? Infinity)) <= 1) return; // scrolling rounds
  seen.top = top;
  seen.still = performance.now();
}
(function trackPosition() { // such a task comes after the frame, before all other tasks that wait
  scheduler.postTask(look, {priority: "user-blocking"});
  requestAnimationFrame(trackPosition);
})();
"""


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit: milliseconds, shifts of the layout, elements, files, bytes sent."""

    deep_link: float
    lcp: float
    blocking: float
    layout_shift: float
    elements: int
    requests: int
    sent: int
    is_entry_shown: bool


@dataclass(frozen=True, slots=True)
class MeasuredPages:
    """The pages of a release that are measured, below the site, with an anchor each."""

    largest: str
    single_page: str
    matrices: tuple[str, ...]
    sections: tuple[str, ...]
    anchor: str


def main(arguments: Sequence[str]) -> int:
    """Print the table; 1 where a budget is exceeded, 2 where there is no such release."""
    options = _arguments(arguments)
    folder = _release(options.site, options.release)
    if folder is None:
        release = options.release or "a release"
        print(f"{options.site}: there is no {release}; build the site first.", file=sys.stderr)
        return 2
    places = _places(options.site, folder)
    load_before = os.getloadavg()
    budgets = [*_file_budgets(options.site, places)]
    budgets += _visit_budgets(options.site, places, options.runs)
    print(f"{folder.relative_to(options.site)}: largest page {places.largest}#{places.anchor}\n")
    print(TABLE_HEADER)
    print("\n".join(map(str, budgets)))
    load = ", ".join(f"{average:.1f}" for average in (load_before[0], os.getloadavg()[0]))
    print(f"\nMedians of {options.runs}; load of the machine before and after: {load}.")
    if other_renderers := count_renderers():
        print(f"{other_renderers} processes of other pages took a part of the shared memory.")
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


def _places(site: Path, folder: Path) -> MeasuredPages:
    pages = [
        path for path in folder.glob("*/*.html")
        if '<body class="section' in path.read_text("utf-8")
    ]
    pages.sort(key=lambda path: (-path.stat().st_size, path))
    largest = pages[0].read_text("utf-8")
    entries = ENTRY.findall(largest)
    matrices = [path for path in pages if '<table class="matrix"' in path.read_text("utf-8")]

    def relative(path: Path) -> str:
        return path.relative_to(site).as_posix()

    return MeasuredPages(
        relative(pages[0]), f"{relative(pages[0].parent)}.html", tuple(map(relative, matrices)),
        tuple(map(relative, pages)), entries[len(entries) * 9 // 10] if entries else "",
    )


# --- files ----------------------------------------------------------------------------


def _file_budgets(site: Path, places: MeasuredPages) -> Iterator[Budget]:
    """The figures that files alone give."""
    page = site / places.largest
    text = page.read_text("utf-8")
    for name, pattern, raw, sent in (("CSS", SHEET, 25, 7), ("JavaScript", SCRIPT, 12.5, 5)):
        loaded = [(page.parent / address).read_bytes() for address in pattern.findall(text)]
        yield Budget(f"{name} of a page", raw, sum(map(len, loaded)) / 1e3, "kB")
        yield Budget(
            f"{name} of a page, gzipped", sent, sum(map(_gzipped_size, loaded)) / 1e3, "kB"
        )
    sizes = [_gzipped_size((site / path).read_bytes()) / 1e3 for path in places.sections]
    counts = [len(TAG.findall((site / path).read_text("utf-8"))) for path in places.sections]
    single_page = _gzipped_size((site / places.single_page).read_bytes())
    yield Budget("one-page edition, gzipped", 560, single_page / 1e3, "kB")
    yield Budget("median section, gzipped", 8, statistics.median(sizes), "kB")
    yield Budget("median section, elements", 1500, statistics.median(counts), "")


def _gzipped_size(content: bytes) -> int:
    return len(gzipped(content))


# --- visits ---------------------------------------------------------------------------


def _visit_budgets(site: Path, places: MeasuredPages, runs: int) -> Iterator[Budget]:
    """What a browser tells."""
    with GzipServer(site) as server, sync_playwright() as playwright:
        def visit_repeatedly(
            address: str, slowdown: int = 1, network: bool = False, track: bool = False
        ) -> list[Visit]:
            visits = []
            for _ in range(runs):
                browser = playwright.chromium.launch(
                    executable_path=shutil.which("chromium"), args=list(CHROMIUM_FLAGS)
                )
                with contextlib.closing(browser):
                    time.sleep(START_TIME)
                    visits.append(_visit(browser, server, address, slowdown, network, track))
            return visits

        deep_link = f"{places.largest}#{places.anchor}"
        single_page = f"{places.single_page}?one#{places.anchor}"
        measured = {
            (name, slowdown, track): visit_repeatedly(address, slowdown, track=track)
            for name, address in (("largest page", deep_link), ("one-page edition", single_page))
            for slowdown in (1, 4) for track in (False, True)
        }  # fmt: skip
        yield from _size_budgets("largest page", measured["largest page", 1, False], 13_000, 4, 150)
        megabytes = memory(playwright, f"{server.address}/{deep_link}", runs)
        yield Budget("largest page, memory", 75, megabytes, "MB")
        yield from _time_budgets("largest page", measured, (200, 500, 100))
        slowest = _median(visit_repeatedly(deep_link, 4, network=True), "lcp")
        yield Budget("largest page, LCP, slow 4G and 4x", 1800, slowest, "ms")
        visits = measured["one-page edition", 1, False]
        yield from _size_budgets("one-page edition", visits, 52_000, 7, 0)
        megabytes = memory(playwright, f"{server.address}/{single_page}", runs)
        yield Budget("one-page edition, memory", 100, megabytes, "MB")
        yield from _time_budgets("one-page edition", measured, (800, 1000, 500))
        others = [(path, visit_repeatedly(path, 4)) for path in places.sections[1:4]]
        worst = max((_median(visits, "blocking") for _, visits in others), default=0)
        yield Budget("next largest sections, blocking, 4x", 100, worst, "ms")
        for path in places.matrices:
            name = f"matrix {Path(path).stem}"
            kilobytes = _median(visit_repeatedly(path), "sent") / 1e3
            yield Budget(f"{name}, all gzipped", 20, kilobytes, "kB")
        groups = [*measured.values(), *(visits for _, visits in others)]
        all_visits = [visit for visits in groups for visit in visits]
        shift = max(visit.layout_shift for visit in all_visits)
        yield Budget("greatest shift of the layout", 0.01, shift, "")
        misses = sum(not visit.is_entry_shown for visit in all_visits)
        yield Budget("links that missed their entry", 0, misses, "")


def _size_budgets(
    name: str, visits: Sequence[Visit], elements: int, requests: int, kilobytes: int
) -> Iterator[Budget]:
    yield Budget(f"{name}, elements", elements, _median(visits, "elements"), "")
    if kilobytes:
        yield Budget(f"{name}, all gzipped", kilobytes, _median(visits, "sent") / 1e3, "kB")
    yield Budget(f"{name}, requests", requests, _median(visits, "requests"), "")


def _time_budgets(
    name: str, measured: Mapping[tuple[str, int, bool], Sequence[Visit]],
    limits: tuple[int, int, int],
) -> Iterator[Budget]:
    for title, limit, slowdown in (("deep link", limits[0], 1), ("deep link, 4x", limits[1], 4)):
        milliseconds = _median(measured[name, slowdown, True], "deep_link")
        yield Budget(f"{name}, {title}", limit, milliseconds, "ms")
    yield Budget(
        f"{name}, blocking, 4x", limits[2], _median(measured[name, 4, False], "blocking"), "ms"
    )


def _median(visits: Sequence[Visit], figure: str) -> float:
    return statistics.median(float(getattr(visit, figure)) for visit in visits)


def _visit(
    browser: Browser, server: GzipServer, address: str, slowdown: int, network: bool, track: bool
) -> Visit:
    """Visit `address` with an empty cache; with `track` record where its entry is."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.add_init_script(METRICS_SCRIPT + POSITION_SCRIPT if track else METRICS_SCRIPT)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    if network:
        session.send("Network.emulateNetworkConditions", SLOW_4G)
    server.sent.clear()
    page.goto(f"{server.address}/{address}", wait_until="load", timeout=120_000)
    page.wait_for_timeout(SETTLE_TIME * slowdown)
    report = page.evaluate("report()")
    files = list(server.sent)
    context.close()
    return Visit(
        report["still"], report["lcp"], report["blocking"], report["cls"], report["elements"],
        len(files), sum(files), report["top"] is not None and -50 < report["top"] < 900,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
