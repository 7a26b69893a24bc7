"""Manual pages of this machine, by the packages that they belong to.

dpkg's lists say which package has a file (dpkg(1), FILES); no program is run.
"""

from __future__ import annotations

import contextlib
import os
import posixpath
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

from dconv.model.diagnostics import reason
from dconv.model.values import dataclass
from dconv.settings.types import PackageSource
from dconv.sources.addresses import describe
from dconv.sources.files import check_size, utc_date
from dconv.sources.package_files import MAN_PAGE, MAX_LINKS, is_manual_file, package_texts
from dconv.sources.types import MAX_FILE_SIZE, FetchedTexts, SourceError

ROOT = Path("/")
PACKAGE_LISTS_FOLDER = "var/lib/dpkg/info"
STATUS_FILE = "var/lib/dpkg/status"
LOCAL_PACKAGE = "local"  # the package of pages that no package has
MAN_FOLDERS = ("/usr/share/man", "/usr/local/share/man")
# a paragraph of dpkg's status: the package, its version and description, if it is installed
INSTALLED = re.compile(
    r"^Package: (?P<name>\S+)\n(?:(?!\n).*\n)*?Status: \S+ \S+ installed\n"
    r"(?:(?!\n).*\n)*?Version: (?P<version>\S+)$"
    r"(?:\n(?:(?!\n).*\n)*?Description: (?P<description>.*)$)?",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class InstalledPackage:
    """The version of an installed package, and the first line of its description."""

    version: str
    description: str


def read_host(sections: Collection[str], root: Path) -> Iterator[tuple[str, FetchedTexts]]:
    """Each installed package that has manual pages in `sections`, by name, with these pages.

    Those that no package has follow as the package "local".  Files that cannot be read are left
    out.  `root` is the folder of the system.
    """
    installed = installed_packages(root)
    paths_by_package: dict[str, list[str]] = {}
    owners: dict[str, str] = {}
    lists = _lists(root)
    for package in sorted(installed):
        for path in _listed(lists.get(package), _in_sections(sections)):
            owners.setdefault(path, package)
            paths_by_package.setdefault(package, []).append(path)
    for path in _existing_paths(root, _in_sections(sections)):
        if path not in owners:
            owner = owners.get(_target(path, root), LOCAL_PACKAGE)
            paths_by_package.setdefault(owner, []).append(path)
    for package in (*sorted(paths_by_package.keys() - {LOCAL_PACKAGE}), LOCAL_PACKAGE):
        try:
            installed_package = installed.get(package, InstalledPackage("", ""))
            paths = paths_by_package.get(package, [])
            yield package, _read(PackageSource(package), installed_package, paths, root)
        except SourceError:
            continue


def read_installed(source: PackageSource, root: Path) -> FetchedTexts:
    """The manual pages and other manuals of a package that is installed.

    Raises `SourceError` if it is not installed, not in the version of `source`, or has none.
    """
    package = source.name
    installed = installed_packages(root).get(package)
    if installed is None or source.package not in (package, f"{package}={installed.version}"):
        raise SourceError(f"{describe(source)}: it is not installed; install it")
    file = _lists(root).get(package)
    paths = list(_listed(
        file, lambda path: is_manual_file(path, package, source.sections, source.files)
    ))
    return _read(source, installed, paths, root)


def installed_packages(root: Path) -> dict[str, InstalledPackage]:
    """The installed packages by their names, none where dpkg is not used."""
    try:
        status = (root / STATUS_FILE).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    matches = map(INSTALLED.search, status.split("\n\n"))
    return {
        match["name"]: InstalledPackage(match["version"], (match["description"] or "").strip())
        for match in matches if match
    }


def _in_sections(sections: Collection[str]) -> Callable[[str], bool]:
    def is_in_sections(path: str) -> bool:
        page = MAN_PAGE.fullmatch(path)
        return page is not None and page["section"] in sections

    return is_in_sections


def _lists(root: Path) -> dict[str, Path]:
    """dpkg's list of files of each package, by its name, without an architecture."""
    return {
        path.name.removesuffix(".list").partition(":")[0]: path
        for path in sorted((root / PACKAGE_LISTS_FOLDER).glob("*.list"))
    }


def _listed(file: Path | None, is_wanted: Callable[[str], bool]) -> Iterator[str]:
    """The wanted paths that dpkg's list `file` has."""
    if file is not None:
        with contextlib.suppress(OSError):
            text = file.read_text(encoding="utf-8", errors="surrogateescape")
            yield from filter(is_wanted, text.split("\n"))


def _existing_paths(root: Path, is_wanted: Callable[[str], bool]) -> Iterator[str]:
    """The wanted paths below the folders of manual pages."""
    for man_folder in MAN_FOLDERS:
        for folder in sorted((root / man_folder[1:]).glob("man[0-9]*")):
            for name in sorted(os.listdir(folder)) if folder.is_dir() else ():
                path = f"{man_folder}/{folder.name}/{name}"
                if is_wanted(path):
                    yield path


def _target(path: str, root: Path) -> str:
    """What the path leads to below `root`, by symbolic links."""
    for _ in range(MAX_LINKS):
        try:
            link = os.readlink(root / path[1:])
        except OSError:  # not a link
            return path
        path = posixpath.normpath(posixpath.join(posixpath.dirname(path), link))
    return path


def _read(
    source: PackageSource, installed: InstalledPackage, paths: list[str], root: Path
) -> FetchedTexts:
    """The texts at `paths` of a package; raises `SourceError` if there is none."""
    package, version = source.name, installed.version
    contents: dict[str, bytes] = {}
    links: dict[str, str] = {}
    latest_time = 0.0
    for path in paths:
        target = _target(path, root)
        if target != path:
            links[path] = target
            continue
        file = root / path[1:]
        try:
            if not file.is_file():
                continue
            check_size(file.stat().st_size, str(file), MAX_FILE_SIZE)
            contents[path] = file.read_bytes()
            latest_time = max(latest_time, file.stat().st_mtime)
        except OSError as error:
            raise SourceError(f"{file}: cannot be read ({reason(error)})") from error
    name = f"package {package} {version} of this machine" if version else str(MAN_FOLDERS[1])
    date = utc_date(latest_time) if latest_time else ""
    texts = package_texts(contents, links, source, name, version, date)
    return replace(texts, description=installed.description)
