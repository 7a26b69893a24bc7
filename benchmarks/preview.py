"""The time from saving a text until `dconv serve` and a page in Chromium show the change."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import socket
import statistics
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from budget import Budget
from playwright.sync_api import Page, sync_playwright
from processes import DCONV, environment

MAX_DELAY = 3.0  # seconds until the server gives the changed page
POLL_INTERVAL = 0.01  # seconds between two looks at the state of the preview
LETTERS = "abcdefghij"  # one of them is added to a word
TIMEOUT = 60_000  # milliseconds for any wait
SECTION = re.compile(r"/\d+(?:\.\d+)*\.html$")
WORD = re.compile(r"\b[a-z]{6,}\b")


def measure(file: Path, runs: int, folder: Path) -> Iterator[Budget]:
    """How long a change of `file` takes until a page shows it."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return
    copy = folder / "configuration.txt"
    shutil.copyfile(file, copy)
    text = copy.read_text("utf-8", "replace")
    with _server(copy, folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        word = _open_section(page, address, text)
        served = [
            _seconds_until_served(address, page.url, copy, text, word, number)
            for number in range(runs)
        ]
        times: list[float] = []
        for number in range(runs, 2 * runs):
            times.append(_seconds_until_shown(page, copy, text, word, number))
            _wait_until_idle(address)
        browser.close()
    served_after = statistics.median(served)
    yield Budget("`dconv serve`, a change is served after", MAX_DELAY, served_after, "s")
    seen_after = statistics.median(times)
    yield Budget("`dconv serve`, a change is seen in Chromium after", None, seen_after, "s")


@contextmanager
def _server(file: Path, folder: Path) -> Iterator[str]:
    """`dconv serve` for `file`: its address, once it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [*DCONV, "serve", str(file), "--port", str(port)], env=dict(environment(folder / "cache")),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_until_built(address)
        yield address
    finally:
        server.terminate()
        server.wait()


def _wait_until_built(address: str) -> None:
    """Wait for the first build of the preview at `address`."""
    deadline = time.monotonic() + TIMEOUT / 1000
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            state = _state(address)
            if state["version"] and not state["building"]:
                return
        time.sleep(0.05)
    raise SystemExit("dconv serve does not answer")


def _open_section(page: Page, address: str, text: str) -> str:
    """Open a page of a section; returns a word of its prose that is only once in `text`."""
    page.goto(address, timeout=TIMEOUT)
    page.goto(next(link for link in _links(page) if link.endswith("/configuration/index.html")))
    for section in [link for link in _links(page) if SECTION.search(link)]:
        page.goto(section)
        prose = " ".join(page.locator("main > p").all_inner_texts())
        for word in map(str, WORD.findall(prose)):
            if text.count(word) == 1:
                return word
    raise SystemExit("no word of these pages is only once in the manual")


def _links(page: Page) -> list[str]:
    links: list[str] = page.eval_on_selector_all("a[href]", "links => links.map(link => link.href)")
    return links


def _state(address: str) -> dict[str, object]:
    with urlopen(f"{address}/dconv-state.json") as answer:
        state: dict[str, object] = json.load(answer)
    return state


def _wait_until_idle(address: str) -> None:
    """Wait until no build is running."""
    while _state(address)["building"]:
        time.sleep(POLL_INTERVAL)


def _seconds_until_served(
    address: str, page: str, file: Path, text: str, word: str, number: int
) -> float:
    """How long it takes until `page` has the new `word`."""
    _wait_until_idle(address)
    before = _state(address)["version"]
    new_word = f"{word}{LETTERS[number % len(LETTERS)]}"
    start = time.perf_counter()
    file.write_text(text.replace(word, new_word), "utf-8")
    while _state(address)["version"] == before:
        time.sleep(POLL_INTERVAL)
    with urlopen(page) as answer:
        if new_word not in answer.read().decode():
            raise SystemExit(f"{page} has no '{new_word}' though its version is new")
    return time.perf_counter() - start


def _seconds_until_shown(page: Page, file: Path, text: str, word: str, number: int) -> float:
    """How long it takes until `page` shows that `word` became another one."""
    new_word = f"{word}{LETTERS[number % len(LETTERS)]}"
    start = time.perf_counter()
    file.write_text(text.replace(word, new_word), "utf-8")
    page.wait_for_function(
        "word => document.querySelector('main')?.textContent.includes(word)", arg=new_word,
        timeout=TIMEOUT,
    )
    return time.perf_counter() - start
