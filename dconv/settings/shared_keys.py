"""Keys that `manual.toml` and `site.toml` share: sources, names, addresses, dates, statuses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

from dconv.model.diagnostics import FATAL_RULES, RULE_NAMES
from dconv.model.lifecycle import LATEST, ReleaseStatus
from dconv.settings import types
from dconv.settings.toml import Table, suggestion

# "haproxy", "3.4", "peers-v2.0": a part of an address and of a path
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+~-]*")

# "https://www.example.org/{version}/{file}"
HTTP_URL = re.compile(r"https?://[^\s/]\S*")
# "https://www.example.org/", "mailto:docs@example.org"
LINK_URL = re.compile(r"(?:https?://[^\s/]|mailto:[^\s/?][^\s/?@]*@)\S*")
# a character that is not in a URI (RFC 3986): " ", "<", a letter with an accent
NOT_IN_URL = re.compile(r"[^A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]")
# "{version}": a name that a value replaces
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
STATUSES: tuple[ReleaseStatus, ...] = get_args(ReleaseStatus)
# "2026-06-03"
DATE = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
MIN_TEXT_LENGTH = 4  # characters of the text of an accepted finding
# rules about pages, whose findings have no line of a text
PAGE_RULES = frozenset({"dead-link", "duplicate-id", "other-version"})


def read_sources(table: Table, base: Path) -> tuple[types.SourceSetting, ...]:
    """The sources of the key `source`; their paths are relative to the folder `base`."""
    return tuple([_source(item, base) for item in table.tables("source")])


def _source(table: Table, base: Path) -> types.SourceSetting:
    source_keys = [key for key in ("path", "url", "repository", "package") if table.has(key)]
    if len(source_keys) != 1:
        table.expect_keys("path", "url", "repository", "revision", "package", "folder", "lines")
        conflict = ", not " + " and ".join(source_keys) if source_keys else ""
        raise table.error(
            f"must have exactly one of the keys 'path', 'url', 'repository', 'package'{conflict}"
        )
    match source_keys[0]:
        case "path":
            path = table.expect_keys("path", "lines").string("path")
            check_placeholders(table, "path", path, ("version",))
            return types.FolderSource(str(base / path), _line_url(table))
        case "url":
            url = table.expect_keys("url", "lines").string("url")
            if not HTTP_URL.fullmatch(url):
                raise table.error(f"has a 'url' without http:// or https:// in front: '{url}'")
            check_placeholders(table, "url", url, ("version", "file"))
            return types.UrlSource(url, _line_url(table))
        case "repository":
            table.expect_keys("repository", "revision", "folder", "lines")
            repository = table.string("repository")
            for key in ("repository", "revision"):
                check_placeholders(table, key, table.string(key), ("version",))
            if not is_remote(repository):
                repository = str(base / repository.removeprefix("file://"))
            folder = table.string("folder", "")
            return types.GitSource(repository, table.string("revision"), folder, _line_url(table))
        case _:
            package = table.expect_keys("package", "folder", "lines").string("package")
            name = package.partition("=")[0].partition("/")[0]
            folder = table.string("folder", f"/usr/share/doc/{name}")
            return types.DebianSource(package, folder, _line_url(table))


def _line_url(table: Table) -> str:
    """The address where readers see lines of a source's texts, or empty."""
    return read_address(table, "lines", HTTP_URL, ("version", "file", "first", "last"))


def read_address(
    table: Table, key: str, pattern: re.Pattern[str], placeholders: tuple[str, ...] = (),
    default: str | None = "",
) -> str:
    """The address at `key`, or `default`; raises `SettingsError` if `pattern` does not match it.

    `placeholders` are the names that may appear in braces.
    """
    address = table.string(key, default)
    if address and not pattern.fullmatch(address):
        raise table.error(f"has a '{key}' that is not an address: '{address}'; start it with https://")
    if invalid := NOT_IN_URL.search(PLACEHOLDER.sub("", address)):
        raise table.error(f"has '{invalid[0]}' in '{key}'; write such a character as %20")
    check_placeholders(table, key, address, placeholders)
    return address


def read_accepted_finding(table: Table) -> types.AcceptedFinding:
    """The finding that `table` accepts; its rule may not exist.  Raises `SettingsError`."""
    table.expect_keys("document", "rule", "text")
    text = table.string("text")
    if len(text.strip()) < MIN_TEXT_LENGTH:
        raise table.error(f"has '{text}' as text, which many lines contain; write more of the line")
    return types.AcceptedFinding(table.string("document"), table.string("rule"), text)


def read_accepted_findings(table: Table) -> tuple[types.AcceptedFinding, ...]:
    """The findings that a build of a site accepts: those of `[[accept]]` in `table`.

    Raises `SettingsError`, also for rules that nobody can accept.
    """
    accepted = tuple([read_accepted_finding(item) for item in table.tables("accept")])
    for item, finding in zip(table.tables("accept"), accepted, strict=True):
        rule = finding.rule
        if rule not in RULE_NAMES:
            raise item.error(f"accepts an unknown rule '{rule}'; {suggestion(rule, RULE_NAMES)}")
        if rule in FATAL_RULES:
            raise item.error(f"accepts '{rule}', a bug in dconv; remove this and report it")
        if rule in PAGE_RULES:
            raise item.error(f"accepts '{rule}', a mistake in the theme; correct the theme")
    return accepted


def check_placeholders(table: Table, key: str, text: str, placeholders: tuple[str, ...]) -> None:
    """Raise `SettingsError` where `text` has a name in braces that is not among `placeholders`."""
    for name in PLACEHOLDER.findall(text):
        if name not in placeholders:
            known = " and ".join([f"{{{placeholder}}}" for placeholder in placeholders])
            raise table.error(
                f"has a '{key}' with the unknown placeholder '{{{name}}}'; known: {known}"
            )


def is_remote(repository: str) -> bool:
    """Whether a git `repository` is an address rather than a path."""
    if "://" in repository:
        return not repository.startswith("file://")
    host, colon, _ = repository.partition(":")
    return bool(colon) and "/" not in host


def read_name(table: Table, key: str, default: str | None = None) -> str:
    """The text of `key` (or `default`), which becomes a part of addresses."""
    name = table.string(key, default)
    check_name(table, key, name)
    return name


def check_name(table: Table, key: str, name: str) -> None:
    """Raise `SettingsError` where `name` is not fit to be a part of an address."""
    if not NAME.fullmatch(name):
        raise table.error(
            f"'{key}' makes '{name}' a part of an address; use letters, digits and . _ + ~ - only"
        )


def check_version(table: Table, version: str) -> None:
    """Raise `SettingsError` where `version` is not fit to be a release in addresses."""
    check_name(table, "version", version)
    if version.casefold() == LATEST:
        raise table.error(f"names a release '{version}'; that is the address of the newest one")


def check_unique(table: Table, what: str, names: Iterable[str]) -> None:
    """Raise `SettingsError` where one of `names` comes twice; `what` says what they are."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise table.error(f"has the {what} '{name}' twice; remove or rename one")
        seen.add(name)


def read_date(table: Table) -> str:
    """The `date` of `table`, or empty; raises `SettingsError` if the value is not a date."""
    date = table.string("date", "")
    if date and not DATE.fullmatch(date):
        raise table.error(f"has a 'date' that is not a date: '{date}'; write it as 2026-06-03")
    return date

