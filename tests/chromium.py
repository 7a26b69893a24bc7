"""A real browser for tests: Debian's Chromium without a window, driven by Playwright.

One browser serves all tests of a run.  Each test opens tabs, in a context of their own
each, so that nothing one test stores is there for the next; what a tab complains of is
kept, and the fixture `open_tab` of conftest.py looks at it at the end.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    WebError,
    sync_playwright,
)
from programs import need, wait_for

DESKTOP = (1440, 900)
PHONE = (390, 844)
TIMEOUT = 30_000  # milliseconds that a page gets on a busy machine
HERE = ("", "127.0.0.1")  # hosts that pages may ask
COMPLAINTS = ("error", "warning", "assert")
STABLE_POLLS = 8  # looks that find a thing at the same place: it moves no more

Scheme = Literal["light", "dark"]


@dataclass  # no slots: Playwright leaves notes on who listens
class Tab:
    """A page that is shown; `complaints` are of its scripts, its policy, and other hosts.

    `requested` are the addresses that were loaded since it was opened.
    """

    page: Page
    complaints: list[str] = field(default_factory=list)
    requested: list[str] = field(default_factory=list)

    def open(self, address: str) -> None:
        """Load `address` again, also where it differs from the last one by its fragment only."""
        self.page.goto("about:blank")
        self.page.goto(address)

    def arrives(self, address: str) -> None:
        """Wait until the page at `address` is shown; the test fails where it never is."""
        self.page.wait_for_url(lambda url: url == address, timeout=TIMEOUT)

    def resize(self, size: tuple[int, int]) -> None:
        """Give the window another size."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})

    @property
    def address(self) -> str:
        """The address of the page that is shown, by now."""
        self.page.wait_for_timeout(1)  # without asking, Playwright hears of no other page
        return self.page.url

    def top(self, selector: str) -> float:
        """How many pixels below the window's top the element is, once it is still."""
        tops = self.tops(
            "(selector) => [...document.querySelectorAll(selector)].slice(0, 1)", selector
        )
        return tops[0]

    def tops(self, script: str, *arguments: str) -> list[float]:
        """The same of all elements that the `script` gives for its arguments; there are some."""
        measured = f"(given) => ({script})(...given).map((one) => one.getBoundingClientRect().top)"
        seen: list[list[float]] = []

        def still() -> bool:
            seen.append(self.page.evaluate(measured, [*arguments]))
            return bool(seen[-1]) and seen[-STABLE_POLLS:] == [seen[-1]] * STABLE_POLLS

        wait_for(still, f"{arguments} on {self.address}")
        return seen[-1]

    def box(self, selector: str) -> dict[str, float]:
        """`x`, `y`, `width` and `height` of the first element that is shown."""
        box = self.page.locator(selector).first.bounding_box()
        assert box is not None, f"{selector} is not shown on {self.address}"
        return dict(box)  # type: ignore[arg-type]  # its values are numbers

    def overflow(self) -> int:
        """How many pixels the page is wider than its window."""
        return int(self.page.evaluate(
            "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
            " - document.documentElement.clientWidth"
        ))

    def _on_console(self, message: ConsoleMessage) -> None:
        if "link rel=expect" in message.text:
            return  # the address names what the page does not have
        if message.type in COMPLAINTS and "favicon.ico" not in message.location.get("url", ""):
            self.complaints.append(f"{message.type}: {message.text} ({message.location['url']})")

    def _on_error(self, error: WebError) -> None:
        self.complaints.append(f"exception: {error.error}")

    def _on_request(self, request: Request) -> None:
        self.requested.append(request.url)
        if urlsplit(request.url).hostname not in (None, *HERE):
            self.complaints.append(f"another host: {request.url}")

    def listening(self, context: BrowserContext) -> Tab:
        """The tab itself, which hears of everything in its `context` from now on."""
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("request", self._on_request)
        return self


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser, for as many tabs as are wanted."""
    program = need("chromium")
    arguments = ["--disable-dev-shm-usage", "--disable-gpu"]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=program, args=arguments, chromium_sandbox=os.getuid() != 0
        )
        try:
            yield browser
        finally:
            browser.close()


@dataclass(slots=True)
class Tabs:
    """Opens tabs: a call is given what the reader has and wishes, and gives a `Tab`."""

    browser: Browser
    opened: list[Tab] = field(default_factory=list)

    def __call__(
        self,
        size: tuple[int, int] = DESKTOP,
        *,
        scheme: Scheme = "light",
        scripts: bool = True,
        touch: bool = False,
        forced_colours: bool = False,
        scale: float = 1,
    ) -> Tab:
        """A tab whose window has `size`, in a context of its own.

        `scale` is how many of the screen's dots one pixel is wide.
        """
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme,
            java_script_enabled=scripts, has_touch=touch, is_mobile=touch,
            device_scale_factor=scale, forced_colors="active" if forced_colours else "none",
        )
        context.set_default_timeout(TIMEOUT)
        self.opened.append(Tab(context.new_page()).listening(context))
        return self.opened[-1]

    def complaints(self) -> list[str]:
        """What all tabs have complained of."""
        return [complaint for tab in self.opened for complaint in tab.complaints]

    def close(self) -> None:
        """Close all tabs."""
        for tab in self.opened:
            tab.page.context.close()
