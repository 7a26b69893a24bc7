"""What a site says of its looks: logo, links, a line at the foot, colours."""

from __future__ import annotations

import re
from pathlib import Path

from dconv.settings.colors import COLOUR, Colour
from dconv.settings.parts import NO_URL
from dconv.settings.toml import Table
from dconv.settings.types import Logo, Look, SiteLink

# "https://www.example.org/", "mailto:docs@example.org"
ADDRESS = re.compile(r"(?:https?://[^\s/]|mailto:[^\s/?][^\s/?@]*@)\S*")
TOKEN = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*")
LARGEST_LOGO = 256 * 1024  # bytes: every page loads it

PNG = b"\x89PNG\r\n\x1a\n"
# 'viewBox="0 0 120 40"'
VIEW_BOX = re.compile(
    r"""<svg\b[^<>]*\bviewBox\s*=\s*["'][\s,]*[-\d.]+[\s,]+[-\d.]+[\s,]+
    ([\d.]{1,20})[\s,]+([\d.]{1,20})[\s,]*["']""",
    re.VERBOSE,
)


def read_look(table: Table, base: Path) -> Look:
    """The looks that the table `[site]` asks for; paths are relative to the folder `base`."""
    links = tuple([_link(item) for item in table.tables("links")])
    colours = table.table("colors")
    return Look(
        logo=_logo(table, base) if table.has("logo") else None,
        links=links,
        footer=table.text("footer", ""),
        colours=tuple([_colour(colours, token) for token in colours.values]),
    )


def _link(table: Table) -> SiteLink:
    table.known("title", "href")
    href = table.text("href")
    if not ADDRESS.fullmatch(href) or NO_URL.search(href):
        raise table.error(f"has a 'href' that is no address: '{href}'; start it with https://")
    return SiteLink(table.text("title"), href)


def _colour(table: Table, token: str) -> Colour:
    if not TOKEN.fullmatch(token):
        raise table.error(f"has an unfit token '{token}'; write it without dashes in front")
    if isinstance(table.values[token], dict):
        both = table.table(token).known("light", "dark")
        light, dark = both.text("light"), both.text("dark")
    else:
        light = dark = table.text(token)
    for value in (light, dark):
        if not COLOUR.fullmatch(value):
            raise table.error(f"has no colour at '{token}': '{value}'; write it as #0b57b0")
    return Colour(token, light, dark, table.file)


def _logo(table: Table, base: Path) -> Logo:
    path = base / table.text("logo")
    try:
        if path.exists() and not path.is_file() and not path.is_dir():  # a pipe, a device
            raise table.error(f"has a 'logo' that is no file: {path}")
        with path.open("rb") as stream:
            content = stream.read(LARGEST_LOGO + 1)
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        raise table.error(f"has a 'logo' that cannot be read ({reason}): {path}") from error
    if len(content) > LARGEST_LOGO:
        raise table.error(f"has a 'logo' of more than 256 kB: {path}; make it smaller")
    suffix, size = "", (0.0, 0.0)
    if content.startswith(PNG):
        suffix = ".png"
        size = (int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big"))
    elif match := VIEW_BOX.search(content.decode("utf-8", "replace")):
        suffix, size = ".svg", (_number(match[1]), _number(match[2]))
    if not all(size):
        raise table.error(f"has a 'logo' that is no PNG, and no SVG with a viewBox: {path}")
    return Logo(f"site-logo{suffix}", content, round(size[0]) or 1, round(size[1]) or 1)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
