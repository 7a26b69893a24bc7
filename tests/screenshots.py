"""Screenshots of every kind of page, to be looked at after each change of a theme.

    python tests/screenshots.py [FOLDER]

Builds the site of `showcase`, shows each page in three widths, light and dark, with what
opens on it, prints some, and writes the screenshots with a sheet of all of them,
`index.html`, into FOLDER (build/screenshots), which is emptied first.  The two screenshots of
the README are written to docs/images.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

import pytest
import showcase
from chromium import Scheme, Tab, Tabs, chromium
from programs import need, served

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "build" / "screenshots"
README_IMAGES = ROOT / "docs" / "images"
README_SIZE = (1200, 760)
HEIGHT = 1300
WIDTHS = {"desktop": 1440, "tablet": 820, "phone": 390}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
PRINTED = ("single-page", "entries", "matrix")
SHEETS = 6  # of a printed page that are shown
ENTRIES = showcase.PAGES["entries"]


@dataclass(frozen=True, slots=True)
class View:
    """A page with what is open on it: `opened` is pressed and `typed`, where they are given."""

    name: str
    address: str
    opened: str = ""
    typed: str = ""


VIEWS = (
    *(View(name, path) for name, path in showcase.PAGES.items()),
    View("target", f"{ENTRIES}#timeout-letter"),
    View("deprecated", f"{ENTRIES}#dash"),
    View("search", f"{ENTRIES}?q=timeout"),
    View("search-text", f"{ENTRIES}?q=messengers+sleep"),
    View("search-nothing", f"{ENTRIES}?q=beaconqqqqqqq"),
    View("search-found", f"{ENTRIES}?mark=messengers+sleep#allot"),
    View("versions", ENTRIES, opened="header .versions summary"),
    View("menu", f"{ENTRIES}#-nav"),
    View("keys", ENTRIES, typed="?"),
)


def screenshots(folder: Path, tabs: Tabs, root: str) -> Iterator[Path]:
    """Take the screenshots of all views into `folder`."""
    for width_name, width in WIDTHS.items():
        for scheme in SCHEMES:
            touch = width_name == "phone"
            tab = tabs((width, HEIGHT), scheme=scheme, touch=touch, scale=2 if touch else 1)
            for view in VIEWS:
                show(tab, root, view)
                path = folder / f"{view.name}-{width_name}-{scheme}.png"
                tab.page.screenshot(path=path)
                yield path
            tab.page.context.close()


def readme_images(tabs: Tabs, root: str) -> None:
    """Take the screenshots of the README: one page, light and dark."""
    README_IMAGES.mkdir(exist_ok=True)
    for scheme in SCHEMES:
        tab = tabs(README_SIZE, scheme=scheme)
        tab.open(f"{root}/{ENTRIES}#timeout-letter")
        tab.page.screenshot(path=README_IMAGES / f"page-{scheme}.png")
        tab.page.context.close()


def show(tab: Tab, root: str, view: View) -> None:
    """Show the `view` in `tab`, with what is open on it."""
    tab.open(f"{root}/{view.address}")
    if view.opened:
        tab.page.locator(view.opened).first.click()
    if view.typed:
        tab.page.keyboard.type(view.typed)
    if "?q=" in view.address:
        tab.page.locator("dialog[open] [role=option]").first.wait_for()


def paper(folder: Path, tabs: Tabs, root: str) -> Iterator[Path]:
    """Print pages into `folder`, and make screenshots of the first sheets."""
    tab = tabs()
    for name in PRINTED:
        tab.open(f"{root}/{showcase.PAGES[name]}")
        pdf = folder / f"{name}.pdf"
        tab.page.pdf(path=pdf, prefer_css_page_size=True, format="A4")
        subprocess.run(
            [need("pdftoppm"), "-png", "-r", "60", "-l", str(SHEETS), str(pdf),
             str(folder / f"{name}-paper")],
            check=True,
        )
        yield from sorted(folder.glob(f"{name}-paper-*.png"))
    tab.page.context.close()


def contact_sheet(paths: list[Path]) -> str:
    """A page of all screenshots, those of a view in a row."""
    rows: dict[str, list[Path]] = {}
    for path in paths:
        view = path.stem.rpartition("-")[0].rpartition("-")[0] or path.stem
        rows.setdefault(f"{view} on paper" if "-paper-" in path.name else view, []).append(path)
    shown = "\n".join(
        f'<h2 id="{escape(name)}">{escape(name)}</h2>\n<p>' + " ".join(
            f'<a href="{path.name}"><img src="{path.name}" alt="{path.stem}" title="{path.stem}"'
            ' loading="lazy"></a>' for path in row
        ) + "</p>"
        for name, row in rows.items()
    )
    style = "body{font:1rem sans-serif;background:#888;margin:1rem}img{height:26rem}"
    head = '<!doctype html>\n<meta charset="utf-8">\n<title>Screenshots</title>'
    return f"{head}\n<style>{style}</style>\n{shown}\n"


def main(folder: Path) -> int:
    """Write all screenshots into `folder`, which is emptied; the number of complaints."""
    if folder.exists() and not (folder / "index.html").exists():
        raise SystemExit(f"{folder} is no folder of screenshots: name another one.")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as site, chromium() as browser:
        showcase.build(Path(site))
        tabs = Tabs(browser)
        with served(Path(site)) as root:
            readme_images(tabs, root)
            paths = [*screenshots(folder, tabs, root), *paper(folder, tabs, root)]
    (folder / "index.html").write_text(contact_sheet(paths), "utf-8")
    for complaint in tabs.complaints():
        print(complaint, file=sys.stderr)
    print(f"{len(paths)} screenshots: {(folder / 'index.html').resolve().as_uri()}")
    return 1 if tabs.complaints() else 0


if __name__ == "__main__":
    try:
        sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
    except (pytest.skip.Exception, pytest.fail.Exception) as reason:
        sys.exit(str(reason))
