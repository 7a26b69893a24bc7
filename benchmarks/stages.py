"""Where the time goes: CPU seconds of each stage of one conversion, in this process.

The stages are called as `dconv.build.schedule` calls them, one after the other, without
worker processes and without caches.
"""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from dconv import GENERATOR
from dconv.build.output import write_site
from dconv.build.read import release_document
from dconv.linking.backlinks import with_backlinks
from dconv.linking.keyword_tables import merge_into_entries
from dconv.linking.link import link
from dconv.linking.symbols import collect_symbols
from dconv.model.origin import Origin
from dconv.model.source import read_source
from dconv.model.tree import Manual
from dconv.proof.coverage import check_single_page, verify
from dconv.proof.linkcheck import LinkCheck
from dconv.readers.text.filters.filtered import FilteredText
from dconv.readers.text.tree_builder import build_tree
from dconv.settings.types import Product
from dconv.sources.texts import SourceText
from dconv.writers.html import marks
from dconv.writers.inventory import release_inventory
from dconv.writers.legacy.forwarding import forwarding
from dconv.writers.pages.page import Page, Release, SiteInfo
from dconv.writers.pages.split import (
    home_page,
    pages_of_documents,
    release_addresses,
    release_section_files,
)
from dconv.writers.search.files import search_files
from dconv.writers.theme import theme, theme_folder
from dconv.writers.theme.theme import Theme

SITE_INFO = SiteInfo("Benchmark", GENERATOR)
BOUNDED = ("read", "build tree", "pages: html", "pages: theme", "proof")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Stages:
    """CPU seconds of each stage for one text; `name` is what its header says it is."""

    name: str
    lines: int
    seconds: dict[str, float]

    @property
    def total(self) -> float:
        """All stages together."""
        return sum(self.seconds.values())

    @property
    def bounded(self) -> float:
        """Parsing, pages and proof."""
        return sum(self.seconds[name] for name in BOUNDED)


class Clock:
    """Sums what the stages take."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def time(self, name: str, function: Callable[[], Result]) -> Result:
        """Call `function`, and count its time for the stage `name`."""
        gc.disable()  # as the program does, see cli/commands.py
        start = time.process_time()
        result = function()
        self.seconds[name] = self.seconds.get(name, 0) + time.process_time() - start
        gc.enable()
        return result


def best(content: bytes, product: Product, runs: int) -> Stages:
    """The quickest of several runs, by their totals: other work only makes runs slower."""
    site_theme = theme.load(theme_folder.DEFAULT_THEME)
    results = [stages(content, product, site_theme) for _ in range(max(1, runs) + 1)]
    return min(results[1:], key=lambda result: result.total)  # the first one compiles templates


def _pages(release: Release) -> Iterator[Page]:
    """The home of `release` and the pages of its documents."""
    yield home_page(release, SITE_INFO, None)
    addresses = release_addresses(release, release_section_files(release))
    yield from pages_of_documents(release, addresses, SITE_INFO, None)


def stages(content: bytes, product: Product, site_theme: Theme) -> Stages:
    """What each stage takes for `content`, a manual of `product`."""
    clock = Clock()
    release = _release(content, product, clock)
    manual = release.documents[0].manual
    pages = clock.time("pages: html", lambda: list(_pages(release)))
    rendered = clock.time(
        "pages: theme", lambda: [(page, site_theme.render(page)) for page in pages]
    )
    clock.time("proof", lambda: _proof(release, rendered))
    files = [(page.path, marks.without_marks(file)) for page, file in rendered]
    clock.time("link check", lambda: _check(files))
    sections = release_section_files(release)
    files += clock.time("search", lambda: search_files(release, sections, False, None).files)
    files += clock.time("lists for programs", lambda: _lists(release, site_theme))
    with tempfile.TemporaryDirectory(prefix="dconv-benchmark-") as folder:
        clock.time("writing", lambda: write_site(files, Path(folder, "public")))
    return Stages(_name(manual), len(manual.source.lines), clock.seconds)


def _release(content: bytes, product: Product, clock: Clock) -> Release:
    name = product.documents[0].name
    source = clock.time("read", lambda: read_source(content, f"{name}.txt"))
    filtered = FilteredText(source, product.dialect)
    manual = clock.time("build tree", lambda: build_tree(filtered, name))

    def link_manual() -> Manual:
        symbols = collect_symbols([(manual, f"{name}.txt")], product.dialect)
        return merge_into_entries(link(manual, symbols, product.dialect))

    manual = clock.time("link", link_manual)
    (manual,) = clock.time("backlinks", lambda: with_backlinks([manual]))
    setting = product.documents[0]
    text = SourceText(content, f"{name}.txt", product, setting, Origin(name))
    return Release(
        product.name, product.title, "0", (release_document(text, manual),),
        vocabulary=product.vocabulary,
    )


def _proof(release: Release, rendered: Sequence[tuple[Page, bytes]]) -> None:
    pages = [(page.kind, marks.with_marks(content)) for page, content in rendered]
    parts = [file for kind, file in pages if kind in ("manual", "section")]
    single_page = next(file for kind, file in pages if kind == "single-page")
    manual = release.documents[0].manual
    check_single_page(verify(manual, "0", parts), manual.source, single_page, parts)


def _check(files: Sequence[tuple[str, bytes]]) -> None:
    check = LinkCheck()
    for path, content in files:
        check.read(path, content)


def _lists(release: Release, site_theme: Theme) -> list[tuple[str, bytes]]:
    files = release_section_files(release)
    return [
        *release_inventory(release, files),
        *forwarding(release, files, site_theme.content("old-links.js"), None),
    ]


def _name(manual: Manual) -> str:
    """What the header of `manual` says: `HAProxy Configuration Manual 3.4`."""
    header = manual.header
    words = (header.title, header.subtitle, header.version or "of no release")
    return " ".join(word for word in words if word)
