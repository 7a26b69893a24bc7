"""Whole small manuals: one text, and beside it what is made of it.

`tests/golden/<case>.txt` is the text; `.tree` is the tree, `.json` what `dconv
dump --format json` prints, `.html` the text of all pages, as the proof reads it.
`pytest --update-goldens` rewrites them; the review reads the difference.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from release_pages import release_pages

from dconv.build.read import read_manual, read_text, release_document
from dconv.build.render import ReleaseFiles, release_files
from dconv.model.origin import Origin
from dconv.settings.manual import load_product
from dconv.settings.types import Product
from dconv.sources.texts import SourceText
from dconv.writers.dump.data import json_text
from dconv.writers.dump.text import tree_text
from dconv.writers.html.marks import with_marks
from dconv.writers.pages.page import Release, SiteInfo
from dconv.writers.theme import theme

HERE = Path(__file__).parent
CASES = sorted(path.stem for path in (HERE / "golden").glob("*.txt"))
SITE_INFO = SiteInfo("Manuals", "dconv")
REGION = re.compile(r"<!--text .*?<!--/text-->", re.DOTALL)
# what must never be in a page that an evil text made
INJECTED_MARKUP = re.compile(
    r"<script>alert|onerror=alert\(1\)>|<svg|<i>first|<\?php|href=\"javascript:"
)


@cache
def product() -> Product:
    """The product whose dialect the examples of the format use."""
    return load_product(HERE / "spec")


@cache
def outputs(case: str) -> dict[str, str]:
    """What is made of a text, by the ending of its file."""
    content = (HERE / "golden" / f"{case}.txt").read_bytes()
    manual = read_manual(content, f"{case}.txt", product(), "manual")
    result = render_case(case)
    losses = [str(loss) for proof in result.proofs for loss in proof.losses]
    assert losses == []
    default_theme = theme.load("default")
    pages = [
        f"<!-- {page.path} -->\n"
        + "\n".join(REGION.findall(with_marks(default_theme.render(page))))
        for page in release_pages(release(case), SITE_INFO) if page.kind in ("manual", "section")
    ]
    return {"tree": tree_text(manual), "json": json_text([manual]), "html": "\n".join(pages) + "\n"}


def release(case: str) -> Release:
    """The release that has one text."""
    content = (HERE / "golden" / f"{case}.txt").read_bytes()
    text = SourceText(
        content, f"{case}.txt", product(), product().documents[0], Origin("here")
    )
    manual = read_text(text)
    return Release("relay", "Relay", "2.1", (release_document(text, manual),))


def render_case(case: str) -> ReleaseFiles:
    """The release that has one text, as files."""
    return release_files(release(case), SITE_INFO, theme.load("default"))


@pytest.mark.parametrize("ending", ["tree", "json", "html"])
@pytest.mark.parametrize("case", CASES)
def test_golden(case: str, ending: str, request: pytest.FixtureRequest) -> None:
    path = HERE / "golden" / f"{case}.{ending}"
    output = outputs(case)[ending]
    if request.config.getoption("--update-goldens", default=False):
        path.write_text(output, encoding="utf-8")
    assert output == path.read_text(encoding="utf-8"), "read it, then pytest --update-goldens"


@pytest.mark.parametrize("case", CASES)
def test_no_markup_of_the_text_gets_into_a_page(case: str) -> None:
    for path, content in render_case(case).files:
        if path.endswith(".html"):
            assert INJECTED_MARKUP.search(content.decode()) is None, path
