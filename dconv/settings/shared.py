"""Keys that `manual.toml` and `site.toml` share: sources, names, addresses, days, statuses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from dconv.model.lifecycle import ReleaseStatus
from dconv.settings.toml import Table, suggestion
from dconv.settings.types import DebianSource, FolderSource, GitSource, SourceSetting, UrlSource

# "haproxy", "3.4", "peers-v2.0": a part of an address and of a path
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+~-]*")

# "https://www.example.org/{version}/{file}"
ADDRESS = re.compile(r"https?://[^\s/]\S*")
# "https://www.example.org/", "mailto:docs@example.org"
LINK = re.compile(r"(?:https?://[^\s/]|mailto:[^\s/?][^\s/?@]*@)\S*")
# a character that no URI holds (RFC 3986): " ", "<", a letter with an accent
NO_URL = re.compile(r"[^A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]")
# "{version}": a place that is filled in
PLACE = re.compile(r"\{([^{}]*)\}")
STATUSES = ("development", "stable", "long-term", "end of life")
# "2026-06-03"
DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")


def read_sources(table: Table, base: Path) -> tuple[SourceSetting, ...]:
    """The sources of the key `source`; their paths are relative to the folder `base`."""
    return tuple([_source(item, base) for item in table.tables("source")])


def _source(table: Table, base: Path) -> SourceSetting:
    chosen = [key for key in ("path", "url", "repository", "package") if table.has(key)]
    if len(chosen) != 1:
        table.expect_keys("path", "url", "repository", "revision", "package", "folder", "lines")
        both = ", not " + " and ".join(chosen) if chosen else ""
        raise table.error(
            f"must have exactly one of the keys 'path', 'url', 'repository', 'package'{both}"
        )
    match chosen[0]:
        case "path":
            path = table.expect_keys("path", "lines").text("path")
            check_places(table, "path", path, ("version",))
            return FolderSource(str(base / path), _lines(table))
        case "url":
            url = table.expect_keys("url", "lines").text("url")
            if not ADDRESS.fullmatch(url):
                raise table.error(f"has a 'url' without http:// or https:// in front: '{url}'")
            check_places(table, "url", url, ("version", "file"))
            return UrlSource(url, _lines(table))
        case "repository":
            table.expect_keys("repository", "revision", "folder", "lines")
            repository = table.text("repository")
            for key in ("repository", "revision"):
                check_places(table, key, table.text(key), ("version",))
            if not is_remote(repository):
                repository = str(base / repository.removeprefix("file://"))
            folder = table.text("folder", "")
            return GitSource(repository, table.text("revision"), folder, _lines(table))
        case _:
            package = table.expect_keys("package", "folder", "lines").text("package")
            name = package.partition("=")[0].partition("/")[0]
            folder = table.text("folder", f"/usr/share/doc/{name}")
            return DebianSource(package, folder, _lines(table))


def _lines(table: Table) -> str:
    """Where readers see lines of a source's texts, or nothing."""
    return read_address(table, "lines", ADDRESS, ("version", "file", "first", "last"))


def read_address(
    table: Table, key: str, form: re.Pattern[str], places: tuple[str, ...]
) -> str:
    """The address at `key`, or empty; raises `SettingsError` where it is not of the `form`.

    `places` are the names that may appear in braces in it.
    """
    address = table.text(key, "")
    if address and not form.fullmatch(address):
        raise table.error(f"has a '{key}' that is not an address: '{address}'; start it with https://")
    if unfit := NO_URL.search(PLACE.sub("", address)):
        raise table.error(f"has '{unfit[0]}' in '{key}'; write such a character as %20")
    check_places(table, key, address, places)
    return address


def check_places(table: Table, key: str, text: str, places: tuple[str, ...]) -> None:
    """Raise `SettingsError` where `text` has a name in braces that is not among `places`."""
    for name in PLACE.findall(text):
        if name not in places:
            known = " and ".join([f"{{{place}}}" for place in places])
            raise table.error(f"has a '{key}' with the unknown place '{{{name}}}'; known: {known}")


def is_remote(repository: str) -> bool:
    """Whether a git `repository` is an address rather than a path."""
    if "://" in repository:
        return not repository.startswith("file://")
    host, colon, _ = repository.partition(":")
    return bool(colon) and "/" not in host


def read_name(table: Table, key: str, default: str | None = None) -> str:
    """The text of `key` (or `default`), which becomes a part of addresses."""
    name = table.text(key, default)
    check_name(table, key, name)
    return name


def check_name(table: Table, key: str, name: str) -> None:
    """Raise `SettingsError` where `name` is not fit to be a part of an address."""
    if not NAME.fullmatch(name):
        raise table.error(
            f"'{key}' makes '{name}' a part of an address; use letters, digits and . _ + ~ - only"
        )


def check_distinct(table: Table, what: str, names: Iterable[str]) -> None:
    """Raise `SettingsError` where one of `names` comes twice; `what` says what they are."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise table.error(f"has the {what} '{name}' twice; remove or rename one")
        seen.add(name)


def read_day(table: Table, key: str) -> str:
    """The day of `key`, or empty; raises `SettingsError` where it is none."""
    day = table.text(key, "")
    if day and not DAY.fullmatch(day):
        raise table.error(f"has a '{key}' that is not a date: '{day}'; write it as 2026-06-03")
    return day


def read_status(table: Table) -> ReleaseStatus | None:
    """The status of a release, None if the key is absent."""
    match table.text("status", ""):
        case "":
            return None
        case ("development" | "stable" | "long-term" | "end of life") as status:
            return status
        case other:
            raise table.error(f"has an unknown status '{other}'; {suggestion(other, STATUSES)}")
