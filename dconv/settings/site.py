"""`site.toml`: what a site shows and how."""

from __future__ import annotations

import re
from pathlib import Path

from dconv.model.diagnostics import FATAL, RULES
from dconv.settings.look import read_look
from dconv.settings.parts import ADDRESS, check_distinct, check_name, read_sources
from dconv.settings.releases import read_day, read_status
from dconv.settings.toml import SettingsError, Table, load, suggestion
from dconv.settings.types import Acceptance, Checksum, Product, Site, SiteProduct, SiteRelease

# A SHA-256 checksum as `sha256sum` prints it: 64 hexadecimal digits
SHA256 = re.compile(r"[0-9a-fA-F]{64}")

FEWEST = 4  # characters of words that tell a line from others
# rules about what is written, where no line of a text can be named
OF_PAGES = frozenset({
    "dead-link", "duplicate-id", "other-version", "theme-override", "theme-policy",
})


def load_site(path: Path, products: tuple[Product, ...]) -> Site:
    """The site that the file `path` describes, of `products`; raises `SettingsError`."""
    file = load(path).known("site", "search", "product")
    table = file.table("site").known(
        "title", "url", "output", "changes", "compress", "theme", "date", "logo", "links",
        "footer", "colors",
    )
    url = table.text("url", "")
    if url and not ADDRESS.fullmatch(url):
        raise table.error(f"has a 'url' that is not an address: '{url}'; start it with https://")
    lunr = file.table("search").known("lunr").truth("lunr")
    shown = tuple([_site_product(item, products, path.parent) for item in file.tables("product")])
    if not shown:
        raise file.error("shows no product; add [[product]] with name and releases")
    check_distinct(file, "product", [item.product.name for item in shown])
    theme = table.text("theme", "default")
    return Site(
        title=table.text("title"),
        url=url,
        output=path.parent / table.text("output", "public"),
        theme=str(path.parent / theme) if "/" in theme else theme,
        products=shown,
        date=read_day(table, "date"),
        lunr=lunr,
        changes=table.truth("changes"),
        compress=table.truth("compress"),
        look=read_look(table, path.parent),
    )


def named_files(path: Path) -> tuple[Path, ...]:
    """The logo and the theme that the file `path` names, as far as it can be read."""
    try:
        table = load(path).table("site")
        logo, theme = table.text("logo", ""), table.text("theme", "")
    except SettingsError:
        return ()
    return tuple([path.parent / name for name in (logo, theme) if name])


def _site_product(table: Table, products: tuple[Product, ...], base: Path) -> SiteProduct:
    table.known("name", "releases", "release", "accept")
    name = table.text("name")
    product = next((product for product in products if product.name == name), None)
    if product is None:
        names = tuple([product.name for product in products])
        raise table.error(
            f"names an unknown product '{name}'; {suggestion(name, names)}"
            " (--manuals names the folder of a manual.toml of your own)"
        )
    versions = table.texts("releases")
    accepted = tuple([_acceptance(item) for item in table.tables("accept")])
    described = [_release(item, base) for item in table.tables("release")]
    check_distinct(table, "release", versions)
    check_distinct(table, "release", [release.version for release in described])
    for version in versions:
        _check_version(table, version)
    by_version = {version: SiteRelease(version, ()) for version in versions}
    by_version.update({release.version: release for release in described})
    if not by_version:
        raise table.error("shows no release; add releases = [\"…\"]")
    return SiteProduct(product, tuple(by_version.values()), accepted)


def _acceptance(table: Table) -> Acceptance:
    table.known("document", "rule", "text")
    rule = table.text("rule")
    if rule not in RULES:
        raise table.error(f"accepts an unknown rule '{rule}'; {suggestion(rule, RULES)}")
    if rule in FATAL:
        raise table.error(f"accepts '{rule}', which fails every build; report it as a bug")
    if rule in OF_PAGES:
        raise table.error(f"accepts '{rule}', which no text causes; correct the theme")
    words = table.text("text")
    if len(words.strip()) < FEWEST:
        raise table.error(f"accepts '{words}', which is in many lines; write more words of it")
    return Acceptance(table.text("document"), rule, words)


def _release(table: Table, base: Path) -> SiteRelease:
    table.known("version", "status", "source", "sha256")
    pins = table.table("sha256")
    checksums = tuple([Checksum(file, pins.text(file).lower()) for file in pins.values])
    for checksum in checksums:
        if not SHA256.fullmatch(checksum.sha256):
            raise pins.error(f"has no SHA-256 at '{checksum.file}'; write its 64 hex digits")
    version = table.text("version")
    _check_version(table, version)
    return SiteRelease(version, read_sources(table, base), checksums, read_status(table))


def _check_version(table: Table, version: str) -> None:
    check_name(table, "version", version)
    if version.casefold() == "latest":
        raise table.error(f"names a release '{version}'; that is the address of the newest one")
