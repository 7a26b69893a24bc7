"""The memory of the process of a page.

A page that Playwright controls keeps a copy of all that it loads: HAProxy's manual on one page
takes 13 MB more then.  So the page is opened without Playwright's knowledge.  Chromium also has
a process for its own menus, larger than most pages, which is not counted.  Memory that processes
share is divided among them (PSS), so results are lower while other browsers run.
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
STABLE_POLLS = 5  # measurements within one megabyte, after which the page counts as loaded
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
    """The megabytes of one run, in a browser context that Playwright does not control."""
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
        seconds = MAX_POLLS * POLL_INTERVAL
        raise TimeoutError(f"{address} is still loading after {seconds:g} seconds.")


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
