"""Addresses of sources: with the version filled in, and without passwords."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import quote

from dconv.settings import types as settings
from dconv.sources.types import SourceError

# "https://user:secret@host/": the part before the host
CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")

# "3.4", "2024-06": a version that can be part of an address
ADDRESS_PART = re.compile(r"[0-9A-Za-z][\w.+~-]*")


def with_version(source: settings.SourceSetting, version: str) -> settings.SourceSetting:
    """`source` with `version` in place of `{version}`.

    Raises `SourceError` if it needs a version with a number and `version` has none ("debian").
    """
    if needs_version(source) and not is_numbered(version):
        raise SourceError(f"{describe(source)} needs the number of a release, not '{version}'")
    line_url = source.line_url.replace("{version}", quote(version))
    match source:
        case settings.FolderSource(path):
            return replace(source, path=path.replace("{version}", version), line_url=line_url)
        case settings.UrlSource(url):
            return settings.UrlSource(url.replace("{version}", quote(version)), line_url)
        case settings.GitSource(repository, revision):
            return replace(
                source, line_url=line_url, repository=repository.replace("{version}", version),
                revision=revision.replace("{version}", version),
            )
        case settings.DebianSource() | settings.PackageSource() | settings.PythonSource():
            return replace(source, line_url=line_url)


def needs_version(source: settings.SourceSetting) -> bool:
    """Whether `source` contains `{version}`."""
    match source:
        case settings.FolderSource(text) | settings.UrlSource(text):
            return "{version}" in text
        case settings.GitSource(repository, revision):
            return "{version}" in repository + revision
        case settings.DebianSource() | settings.PackageSource() | settings.PythonSource():
            return False


def is_numbered(version: str) -> bool:
    """Whether `version` has a number ("3.4"), unlike "debian", and fits into an address."""
    return bool(ADDRESS_PART.fullmatch(version)) and any(map(str.isdigit, version))


def describe(source: settings.SourceSetting) -> str:
    """`source` in words for people, without passwords."""
    match source:
        case settings.FolderSource(path):
            return path
        case settings.UrlSource(url):
            return without_password(url.replace("{file}", ""))
        case settings.GitSource(repository, revision):
            return f"git {revision} of {without_password(repository)}"
        case settings.DebianSource(package) | settings.PackageSource(package):
            return f"Debian package {package}"
        case settings.PythonSource(package):
            return f"Python package {package}"


def without_password(address: str) -> str:
    """`address` without a user's name and password."""
    return CREDENTIALS.sub("", address)
