"""The search in a browser: how long a key takes, how soon it is ready, what it loads.

    python benchmarks/search_browser.py SITE [PRODUCT/VERSION] [--queries FILE] [--slow N]

Opens the list of names of the release (by default the first that has one) from the disk in
Chromium without a window, and types each query (a line of FILE; else every so many names of the
release) letter by letter.  A key is timed inside of a frame: "script" until the results are in the
page, "to paint" until the frame is painted, without the wait for the screen.  "First result" is
the time from the key that opens the search, with nothing loaded, until the results of a name are
shown. `--slow 4` makes the processor so many times slower.
Exit status 1 where that takes longer than its bound, 2 where there is no such release.
Needs playwright and chromium.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from budget import TABLE_HEADER, Budget
from playwright.sync_api import Page, sync_playwright

MAX_READY = {1: 60, 4: 250}  # milliseconds to the first result, by `--slow`
MAX_NAMES = 60  # how many names of the release are typed without `--queries`
OPENINGS = 7  # of which the median is printed
SCRIPTS = ("search.js", "search-panel.js", "search.css", "search-engine.js")
DATA_FILES = ("search-names.js", "search-lines.js", "search-text.js")
LOADED_FIRST = (*SCRIPTS, DATA_FILES[0])  # what the first result needs
LOADED_LATER = ("search-marks.js", "search-fulltext.js")
LOADED = (*LOADED_FIRST, *DATA_FILES[1:], *LOADED_LATER)  # and all results but their sentences
PARTS = "search-part-*.js"  # of the sentences: of these, those of results that are seen
TYPE_SCRIPT = """(text) => new Promise((resolve) => {
const box = document.querySelector("dialog input"), times = [];
const channel = new MessageChannel();
let typed = 0;
channel.port1.onmessage = function (message) {
  times[times.length - 1].push(performance.now() - message.data);
  if (typed < text.length) requestAnimationFrame(key); else resolve(times);
};
function key() {
  box.value = text.slice(0, ++typed);
  const start = performance.now();
  box.dispatchEvent(new InputEvent("input", {bubbles: true}));
  times.push([performance.now() - start]);
  channel.port2.postMessage(start);
}
requestAnimationFrame(key);
})"""
OPEN_SCRIPT = """(query) => new Promise((resolve) => {
const start = performance.now();
document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "/", bubbles: true}));
const box = document.querySelector("dialog input");
box.value = query;
new MutationObserver(function (_, observer) {
  if (!document.querySelector("dialog [role=option]")) return;
  observer.disconnect();
  const channel = new MessageChannel();
  channel.port1.onmessage = () => resolve(performance.now() - start);
  requestAnimationFrame(() => channel.port2.postMessage(0));
}).observe(document.querySelector("dialog"), {childList: true, subtree: true});
})"""
TIMEOUT = 120_000  # milliseconds that a page gets where the processor is slow


def main(arguments: Sequence[str]) -> int:
    """Print the tables; the exit status."""
    options = _arguments(arguments)
    pattern = f"{options.release or '*/*'}/*/keywords.html"
    pages = sorted(options.site.glob(pattern))
    if not pages:
        print(f"{options.site}: no release with names; build the site first.", file=sys.stderr)
        return 2
    folder = pages[0].parent.parent
    names = _names(folder)
    queries = names[:: max(1, len(names) // MAX_NAMES)]
    if options.queries:
        queries = options.queries.read_text("utf-8").splitlines()
    program = shutil.which("chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--disable-gpu"])
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        tab.set_default_timeout(TIMEOUT)
        session = tab.context.new_cdp_session(tab)
        session.send("Emulation.setCPUThrottlingRate", {"rate": options.slow})
        page = pages[0].resolve().as_uri()
        ready = [_ready(tab, page, names[0]) for _ in range(OPENINGS)]
        _times(tab, queries[:5])  # warms the compiler, as a reader's first words do
        session.send("HeapProfiler.collectGarbage")
        heap = session.send("Runtime.getHeapUsage")["usedSize"] / 1e6
        times = _times(tab, queries)
        browser.close()
    _report(times, len(queries), heap)
    _payloads(options.site, folder)
    limit = MAX_READY.get(int(options.slow))
    first_result = Budget(f"first result, {options.slow:g}x", limit, statistics.median(ready), "ms")
    print(f"\n{TABLE_HEADER}\n{first_result}")
    return 0 if first_result.within else 1


def _arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("site", type=Path)
    parser.add_argument("release", nargs="?", help="such as haproxy/3.4")
    parser.add_argument("--queries", type=Path, help="a file with a query on each line")
    parser.add_argument("--slow", type=float, default=1, help="slow the processor down so much")
    return parser.parse_args(arguments)


def _names(folder: Path) -> list[str]:
    """The names of the release, as its documents list them."""
    names: dict[str, None] = {}
    for path in sorted(folder.glob("*/keywords.json")):
        data = json.loads(path.read_text("utf-8"))
        names.update((entry["name"], None) for entry in data["keywords"])
    return [name for name in names if name]


def _ready(tab: Page, page: str, name: str) -> float:
    """Milliseconds from the key that opens the search until the results of `name` are shown."""
    tab.goto("about:blank")
    tab.goto(page)
    return float(tab.evaluate(OPEN_SCRIPT, name))


def _times(tab: Page, queries: Sequence[str]) -> list[tuple[float, float]]:
    """Milliseconds of script and to paint, of each key."""
    times: list[tuple[float, float]] = []
    for query in queries:
        keys: list[tuple[float, float]] = tab.evaluate(TYPE_SCRIPT, query) if query else []
        times += [(float(script), float(paint)) for script, paint in keys]
    return times


def _report(times: Sequence[tuple[float, float]], queries: int, heap: float) -> None:
    print(f"{queries} queries, {len(times)} keys; milliseconds\n")
    print("| | p50 | p95 | most |\n| --- | ---: | ---: | ---: |")
    for title, column in (("script", 0), ("to paint", 1)):
        values = sorted(time[column] for time in times)
        p95 = values[min(len(values) - 1, int(len(values) * 0.95))]
        print(f"| {title} | {statistics.median(values):.1f} | {p95:.1f} | {values[-1]:.1f} |")
    print(f"\nheap with all data: {heap:.1f} MB\n")


def _payloads(site: Path, folder: Path) -> None:
    """The sizes of what is loaded, on the disk and gzipped."""
    print("| file | bytes | gzip |\n| --- | ---: | ---: |")
    sums = {"first result": (0, 0), "all": (0, 0)}
    for name in LOADED:
        stem, _, ending = name.rpartition(".")
        paths = [folder / name] if name in DATA_FILES else sorted(
            (site / "static").glob(f"{stem}.????????.{ending}")
        )
        content = paths[0].read_bytes()
        size = (len(content), len(gzip.compress(content, 9)))
        print(f"| {name} | {size[0]:,} | {size[1]:,} |")
        for title in sums if name in LOADED_FIRST else ("all",):
            sums[title] = (sums[title][0] + size[0], sums[title][1] + size[1])
    for title, (raw, gzipped) in sums.items():
        print(f"| {title} | {raw:,} | {gzipped:,} |")
    parts = [path.read_bytes() for path in sorted(folder.glob(PARTS))]
    sizes = sorted(len(gzip.compress(part, 9)) for part in parts)
    raw = sum(map(len, parts))
    print(f"\n{len(parts)} parts of the sentences, {raw:,} bytes; gzip: median "
          f"{statistics.median(sizes):,.0f}, largest {sizes[-1]:,}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
