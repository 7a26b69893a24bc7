"""`site.toml`: what a site shows and how."""

from __future__ import annotations

import re
from pathlib import Path

from dconv.model.diagnostics import reason
from dconv.settings import types
from dconv.settings.colors import COLOR, TokenColors
from dconv.settings.manual import full_product
from dconv.settings.shared_keys import (
    HTTP_URL,
    LINK_URL,
    STATUSES,
    check_unique,
    check_version,
    read_accepted_findings,
    read_address,
    read_date,
    read_sources,
)
from dconv.settings.shelf import read_shelf
from dconv.settings.toml import SettingsError, Table, load, suggestion

# A SHA-256 checksum as `sha256sum` prints it: 64 hexadecimal digits
SHA256 = re.compile(r"[0-9a-fA-F]{64}")

TOKEN = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
MAX_LOGO_SIZE = 256 * 1024  # bytes: every page loads it

PNG = b"\x89PNG\r\n\x1a\n"
# 'viewBox="0 0 120 40"'
VIEW_BOX = re.compile(
    r"""<svg\b[^<>]*\bviewBox\s*=\s*["'][\s,]*[-\d.]+[\s,]+[-\d.]+[\s,]+
    (\d{0,9}\.?\d{1,9})[\s,]+(\d{0,9}\.?\d{1,9})[\s,]*["']""",
    re.VERBOSE,
)


def load_site(path: Path, products: tuple[types.ProductSummary, ...]) -> types.Site:
    """The site that the file `path` describes, of `products`; raises `SettingsError`."""
    file = load(path).expect_keys("site", "search", "product", "shelf")
    table = file.table("site").expect_keys(
        "title", "url", "output", "changes", "compress", "theme", "date", "logo", "links",
        "footer", "colors", "exports",
    )
    lunr = file.table("search").expect_keys("lunr").boolean("lunr")
    site_products = tuple([
        _site_product(item, products, path.parent) for item in file.tables("product")
    ])
    names = [item.product.name for item in site_products]
    check_unique(file, "product", names)
    shelves = tuple([read_shelf(item, path.parent, names) for item in file.tables("shelf")])
    if not site_products and not shelves:
        raise file.error(
            "shows no product; add [[product]] with name and releases, or [[shelf]] with packages"
        )
    exports = table.strings("exports")
    check_unique(table, "exports", exports)
    for name in exports:
        if name not in types.EXPORT_FORMATS:
            remedy = suggestion(name, types.EXPORT_FORMATS)
            raise table.error(f"exports an unknown format '{name}'; {remedy}")
    if exports and not site_products:
        raise table.error(
            "has 'exports', but only documents of products are exported, not the texts of a shelf;"
            " remove it, or add [[product]]"
        )
    theme = table.string("theme", "default")
    return types.Site(
        title=table.string("title"),
        url=read_address(table, "url", HTTP_URL),
        output=path.parent / table.string("output", "public"),
        theme=str(path.parent / theme) if "/" in theme else theme,
        products=site_products,
        date=read_date(table),
        lunr=lunr,
        changes=table.boolean("changes"),
        compress=table.boolean("compress"),
        theme_options=_theme_options(table, path.parent),
        shelves=shelves,
        exports=exports,
        available_products=products,
    )


def logo_and_theme(path: Path) -> tuple[Path, ...]:
    """The paths of the logo and the theme in the site.toml `path`, as far as it can be read."""
    try:
        table = load(path).table("site")
        logo, theme = table.string("logo", ""), table.string("theme", "")
    except SettingsError:
        return ()
    return tuple([path.parent / name for name in (logo, theme) if name])


def _site_product(
    table: Table, products: tuple[types.ProductSummary, ...], base: Path
) -> types.SiteProduct:
    table.expect_keys("name", "releases", "release", "accept", "group")
    name = table.string("name")
    product = next((product for product in products if product.name == name), None)
    if product is None:
        names = tuple([product.name for product in products])
        raise table.error(
            f"is an unknown product; {suggestion(name, names)}"
            " (--manuals names the folder of a manual.toml of your own)"
        )
    if name.casefold() in types.SITE_FOLDERS:
        raise table.error(f"has the name '{name}' of a folder of every site; choose another")
    versions = table.strings("releases")
    accepted = read_accepted_findings(table)
    releases = [_release(item, base) for item in table.tables("release")]
    check_unique(table, "release", versions)
    check_unique(table, "release", [release.version for release in releases])
    for version in versions:
        check_version(table, version)
    by_version = {version: types.SiteRelease(version, ()) for version in versions}
    by_version.update({release.version: release for release in releases})
    if not by_version:
        raise table.error("shows no release; add releases = [\"…\"]")
    return types.SiteProduct(
        full_product(product), tuple(by_version.values()), accepted, table.string("group", "")
    )


def _release(table: Table, base: Path) -> types.SiteRelease:
    table.expect_keys("version", "status", "source", "sha256")
    digests = table.table("sha256")
    checksums = tuple([
        types.Checksum(file, digests.string(file).lower()) for file in digests.values
    ])
    for checksum in checksums:
        if not SHA256.fullmatch(checksum.sha256):
            raise digests.error(f"has no SHA-256 at '{checksum.file}'; write its 64 hex digits")
    version = table.string("version")
    check_version(table, version)
    return types.SiteRelease(
        version, read_sources(table, base), checksums, table.choice("status", STATUSES)
    )


def _theme_options(table: Table, base: Path) -> types.ThemeOptions:
    """The theme options in the table `[site]`; paths are relative to the folder `base`."""
    links = tuple([_link(item) for item in table.tables("links")])
    colors = table.table("colors")
    return types.ThemeOptions(
        logo=_logo(table, base) if table.has("logo") else None,
        links=links,
        footer=table.string("footer", ""),
        colors=tuple([_color(colors, token) for token in colors.values]),
    )


def _link(table: Table) -> types.SiteLink:
    table.expect_keys("title", "href")
    address = read_address(table, "href", LINK_URL, default=None)
    return types.SiteLink(table.string("title"), address)


def _color(table: Table, token: str) -> TokenColors:
    if not TOKEN.fullmatch(token):
        raise table.error(f"has an invalid token '{token}'; write it without dashes in front")
    if isinstance(table.values[token], dict):
        colors = table.table(token).expect_keys("light", "dark")
        light, dark = colors.string("light"), colors.string("dark")
    else:
        light = dark = table.string(token)
    for value in (light, dark):
        if not COLOR.fullmatch(value):
            raise table.error(f"has no colour at '{token}': '{value}'; write it as #0b57b0")
    return TokenColors(token, light, dark, table.file)


def _logo(table: Table, base: Path) -> types.Logo:
    path = base / table.string("logo")
    try:
        if path.exists() and not path.is_file() and not path.is_dir():  # a pipe, a device
            raise table.error(f"has a 'logo' that is not a file: {path}; name a PNG or SVG image")
        with path.open("rb") as stream:
            content = stream.read(MAX_LOGO_SIZE + 1)
    except OSError as error:
        raise table.error(
            f"has a 'logo' that cannot be read ({reason(error)}): {path}; check its name"
        ) from error
    if len(content) > MAX_LOGO_SIZE:
        raise table.error(f"has a 'logo' of more than 256 kB: {path}; make it smaller")
    suffix, size = "", (0.0, 0.0)
    if content.startswith(PNG):
        suffix = ".png"
        size = (int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big"))
    elif match := VIEW_BOX.search(content.decode("utf-8", "replace")):
        suffix, size = ".svg", (float(match[1]), float(match[2]))
    if not all(size):
        raise table.error(
            f"has a 'logo' that is neither PNG nor SVG with a viewBox: {path}; name another image"
        )
    return types.Logo(f"site-logo{suffix}", content, round(size[0]) or 1, round(size[1]) or 1)

