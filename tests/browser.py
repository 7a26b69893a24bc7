"""A real browser for tests: Debian's Chromium without a window, driven by Selenium.

The fixtures `browser` and `browser_without_scripts` of conftest.py are one browser each
for all tests of a run; pages of the second run no scripts, while the tests' own do.
Each test starts on a blank page.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from programs import PATIENCE, need, wait_for
from selenium import webdriver

WIDTH, HEIGHT = 1280, 900
STILL = 12  # looks that find a thing at the same place: it moves no more


class Browser:
    """Chromium: `driver` is Selenium's, for what is not here."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def cleared(self) -> Browser:
        """The browser itself, on a blank page and with no messages."""
        self.driver.get("about:blank")
        self.messages()
        return self

    def open(self, address: str) -> None:
        """Load `address` anew, also where it differs from the last one by its fragment only."""
        self.driver.get("about:blank")
        self.driver.get(address)

    @property
    def address(self) -> str:
        """The address of the page that is shown."""
        return self.driver.current_url

    def top(self, selector: str) -> float:
        """How many pixels below the window's top the element is, once it stands still."""
        script = (
            "const found = document.querySelector(arguments[0]);"
            "return found ? found.getBoundingClientRect().top : null"
        )
        seen: list[float | None] = []

        def still() -> bool:
            seen.append(self.driver.execute_script(script, selector))
            return len(seen) >= STILL and {*seen[-STILL:]} == {seen[-1]} != {None}

        wait_for(still, f"{selector} on {self.address}")
        assert seen[-1] is not None
        return seen[-1]

    def messages(self) -> list[str]:
        """What the browser complained of since it was asked last: errors, blocked files."""
        log = self.driver.execute("getLog", {"type": "browser"})["value"]
        found = [str(one["message"]) for one in log]
        return [one for one in found if "favicon.ico" not in one]


@contextmanager
def chromium(profile: Path, *, scripts: bool) -> Iterator[Browser]:
    """A browser with its own empty `profile`, in which pages may run scripts or not."""
    options = webdriver.ChromeOptions()
    options.binary_location = need("chromium")
    for argument in (
        "--headless=new", f"--user-data-dir={profile}", f"--window-size={WIDTH},{HEIGHT}",
        "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run", "--disable-extensions",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ):  # fmt: skip
        options.add_argument(argument)
    if os.getuid() == 0:
        options.add_argument("--no-sandbox")
    if not scripts:
        blocked = {"profile.managed_default_content_settings.javascript": 2}
        options.add_experimental_option("prefs", blocked)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(need("chromedriver"))
    driver = webdriver.Chrome(options, service)
    driver.set_page_load_timeout(PATIENCE)
    driver.set_script_timeout(PATIENCE)
    try:
        yield Browser(driver)
    finally:
        driver.quit()
