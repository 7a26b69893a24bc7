"""A small site with every kind of page and everything that a manual may hold.

The texts beside are our own, in the format of HAProxy's manuals, and speak of lanterns
that do not exist: three releases of them, one in development and one whose life is over.
The example of the format, `golden/everything.txt`, is a second product; two manual pages in two
releases are a package of a shelf.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from programs import write_tree

from dconv.build.schedule import build_site
from dconv.model.lifecycle import ReleaseStatus
from dconv.model.origin import Origin
from dconv.settings.manual import default_product, load_product
from dconv.settings.types import DocumentSetting, Product
from dconv.sources.resources import resource_folder
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.page import SiteInfo
from dconv.writers.theme.theme import load

TEXTS = Path(__file__).parent / "texts"
TESTS = TEXTS.parent.parent
SITE_INFO = SiteInfo(
    "Manuals of lanterns", "dconv test", "https://docs.example.org/", date="2026-11-21",
    latest=True, changes=True,
)
LATEST = "haproxy/3.4/configuration"
# pages worth a look, of every kind, with names for screenshots
PAGES = {
    "site": "index.html",
    "missing": "404.html",
    "product": "haproxy/index.html",
    "release": "haproxy/3.4/index.html",
    "changes": "haproxy/3.4/changes.html",
    "explain": "haproxy/explain.html",
    "manual": f"{LATEST}/index.html",
    "section": f"{LATEST}/1.html",
    "drawings": f"{LATEST}/1.1.html",
    "tables": f"{LATEST}/1.2.html",
    "matrix": f"{LATEST}/3.1.html",
    "entries": f"{LATEST}/3.2.html",
    "rules-matrix": f"{LATEST}/3.3.html",
    "rules": f"{LATEST}/3.4.html",
    "fetches": f"{LATEST}/4.2.html",
    "logs": f"{LATEST}/5.html",
    "commands": "haproxy/3.4/management/2.html",
    "index": f"{LATEST}/keywords.html",
    "index-of-kind": f"{LATEST}/index-proxy-keyword.html",
    "single-page": f"{LATEST}.html",
    "over": "haproxy/1.5/configuration/2.1.html",
    "development": "haproxy/3.5/configuration/4.html",
    "notes": "relay/2.1/manual/2.2.html",
    "definitions": "relay/2.1/manual/1.1.html",
    "document": "man/lamp.8.html",
    "older-document": "lamp/1/lamp.8.html",
    "package": "lamp/index.html",
    "names": "names/index.html",
}
# one page of each kind and the parts that only some have, for the quick tests
QUICK = (
    "site", "missing", "product", "release", "changes", "manual", "entries", "matrix", "tables",
    "index", "index-of-kind", "single-page", "document", "package", "names", "explain",
)
KIND = re.compile(r'<body class="([a-z-]+)')


def build(folder: Path) -> Path:
    """Write the site into `folder`, which is given back."""
    releases = [
        _lanterns("3.5", "development"), _lanterns("3.4"),
        _lanterns("1.5", without=("beacon", "escort", "ink", "option bell", "seal")), _relay(),
        _lamps("2"), _lamps("1"),
    ]
    write_tree(build_site(releases, SITE_INFO, load("default")), folder)
    return folder


def kind(file: Path) -> str:
    """The kind of page that the `file` is; empty if it only redirects."""
    match = KIND.search(file.read_text("utf-8"))
    return match[1] if match else ""


def _lanterns(
    version: str, status: ReleaseStatus | Literal[""] = "", without: tuple[str, ...] = ()
) -> ReleaseTexts:
    product = load_product(resource_folder("manuals") / "haproxy")
    names = ("configuration", "management")
    texts = {name: _text(f"{name}.txt", version, without) for name in names}
    return _release(product, version, texts, status)


def _relay() -> ReleaseTexts:
    product = load_product(TESTS / "spec")
    everything = (TESTS / "golden" / "everything.txt").read_text("utf-8")
    return _release(product, "2.1", {"manual": everything})


def _lamps(version: str) -> ReleaseTexts:
    product = default_product()
    texts = tuple(
        SourceText(
            _text(name, version).encode(), name, product, DocumentSetting(name, name, "", ""),
            Origin(f"lamp_{version}.deb", "https://www.example.org/lamp", "2026-02-03"),
            ("candle.8",) if name == "lamp.8" else (),
        )
        for name in ("lamp.8", "lamp.conf.5") if version == "2" or name == "lamp.8"
    )
    return ReleaseTexts("lamp", "lamp", version, "", texts, is_shelf=True, group="Light")


def _text(name: str, version: str, without: tuple[str, ...] = ()) -> str:
    """The text `name` beside, as it was before the entries `without` came."""
    text = (TEXTS / name).read_text("utf-8").replace("@VERSION@", version)
    for keyword in without:
        # "beacon <name>", "no beacon", its body
        lines = rf"^{keyword}\b.*\n(?:no .*\n)?(?: .*\n|\n)*"
        text = re.sub(lines, "", text, flags=re.MULTILINE)
    return text


def _release(
    product: Product, version: str, texts: dict[str, str], status: ReleaseStatus | Literal[""] = ""
) -> ReleaseTexts:
    read = tuple(
        SourceText(
            texts[document.name].encode(), document.file, product, document,
            Origin(f"lanterns-{version}.tar.gz", "https://www.example.org/lanterns", "2026-06-03"),
        )
        for document in product.documents if document.name in texts
    )
    return ReleaseTexts(product.name, product.title, version, status, read)
