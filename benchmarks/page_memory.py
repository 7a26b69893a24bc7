"""The memory that a page costs: that of its process, in a window that no tool watches.

Tools that watch a page have a copy of all that it loads kept in its process: with
Playwright's own, HAProxy's manual on one page takes 13 MB more.  And a browser has more
processes for pages than the reader sees: Chromium keeps one for its own menus, larger
than most pages.  Neither is counted.  What processes share, as the program's file, is
counted in parts (PSS): on a machine where other browsers run these are smaller.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import statistics
import time
from pathlib import Path

from playwright.sync_api import CDPSession, Playwright

CHROMIUM_FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions",
)
POLL_INTERVAL = 0.5  # seconds between two measurements
STABLE_POLLS = 5  # equal measurements, within one megabyte, after which the page is at rest
MAX_POLLS = 120  # at most
BROWSER_MENUS = "--top-chrome-webui"  # the argument of processes for menus of the browser itself
PSS = re.compile(r"^Pss:\s+(\d+) kB", re.MULTILINE)


def memory(playwright: Playwright, address: str, runs: int) -> float:
    """The megabytes of the process of the page at `address`: the median of the runs."""
    return statistics.median(_page_memory(playwright, address) for _ in range(runs))


def count_renderers() -> int:
    """How many processes for pages there are on this machine."""
    count = 0
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            count += b"--type=renderer" in command.read_bytes()
    return count


def _page_memory(playwright: Playwright, address: str) -> float:
    """The page is in a context that Playwright does not know, and leaves alone."""
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium"), args=list(CHROMIUM_FLAGS)
    )
    with contextlib.closing(browser):
        session = browser.new_browser_cdp_session()
        context = session.send("Target.createBrowserContext")["browserContextId"]
        window = {"url": address, "browserContextId": context, "width": 1440, "height": 900}
        target = session.send("Target.createTarget", window)["targetId"]
        sizes: list[float] = []
        for _ in range(MAX_POLLS):
            time.sleep(POLL_INTERVAL)
            shown = session.send("Target.getTargetInfo", {"targetId": target})
            title = shown["targetInfo"]["title"]  # the address until the page has one
            sizes.append(_largest(session) if title and "127.0.0.1" not in title else 0)
            last = sizes[-STABLE_POLLS:]
            if len(last) == STABLE_POLLS and min(last) > 0 and max(last) - min(last) < 1:
                return last[-1]
        raise TimeoutError(f"{address} is not at rest after {MAX_POLLS * POLL_INTERVAL:g} seconds.")


def _largest(session: CDPSession) -> float:
    """The megabytes of the largest process for pages."""
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    return max(
        _process_memory(process["id"]) for process in processes if process["type"] == "renderer"
    )


def _process_memory(process: int) -> float:
    """The megabytes of a `process`, 0 where it shows menus of the browser."""
    folder = Path("/proc", str(process))
    if BROWSER_MENUS in folder.joinpath("cmdline").read_text("utf-8", "replace"):
        return 0
    match = PSS.search(folder.joinpath("smaps_rollup").read_text("ascii"))
    return int(match[1]) / 1024 if match else 0
