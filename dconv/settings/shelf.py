"""`[[shelf]]` of `site.toml`: packages that no `manual.toml` describes, in groups."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from dconv.settings import types
from dconv.settings.shared_keys import (
    check_name,
    check_unique,
    check_version,
    is_remote,
    read_accepted_findings,
)
from dconv.settings.toml import Table

# "haproxy", "haproxy=2.6.12-1", "haproxy/bookworm-backports" (Debian Policy 5.6.1, 5.6.12)
PACKAGE = re.compile(r"[a-z0-9][a-z0-9+.-]+ (?: [=/] [A-Za-z0-9][A-Za-z0-9.+:~-]* )?", re.VERBOSE)
# "click", "ruamel.yaml", "click==8.1.7"
PYTHON_PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(?:==[A-Za-z0-9][A-Za-z0-9.+!_-]*)?")
SECTION = re.compile(r"[1-9]")
# "Documentation/networking/bonding.rst": a path in a tree
TREE_PATH = re.compile(r"(?!/)(?:(?!\.\.?/)[^/\\\x00-\x1f]+/)*(?!\.\.?$)[^/\\\x00-\x1f]+")
# "v6.1", "fio-3.33": a name in front of a number
BEFORE_NUMBER = re.compile(r"(?:[A-Za-z]+[-_])*[vV]?(?=\d)")

PACKAGE_REMEDY = "write the name of a Debian package: lvm2 or lvm2=2.03.16-2"
CONTENT_KEYS = ("packages", "host", "repository", "folder", "python")


def shelf_of_packages(title: str, packages: Collection[str]) -> types.Shelf:
    """The shelf of `packages`, as `PACKAGE` has them."""
    sources = [types.PackageSource(package) for package in dict.fromkeys(packages)]
    items = tuple([types.ShelfItem(source.name, "", source) for source in sources])
    return types.Shelf(title, items)


def read_shelf(table: Table, base: Path, products: Collection[str]) -> types.Shelf:
    """The shelf of `table`; paths are relative to the folder `base`.

    Raises `SettingsError`, also for a package with the name of one of the `products` of the site.
    """
    table.expect_keys("title", "sections", *CONTENT_KEYS, "revision", "files", "package", "accept")
    title = table.string("title", "")
    sections = _strings(table, "sections", SECTION, "write numbers from '1' to '9'")
    sections = sections or types.MAN_SECTIONS
    includes_installed = table.boolean("host")
    items = tuple(_items(table, base, sections))
    if not items and not includes_installed:
        raise table.error('has nothing to show; add packages = ["…"]')
    for item in items:
        if item.name in products:
            raise table.error(f"has '{item.name}', which [[product]] shows; remove one")
    return types.Shelf(title, items, sections, includes_installed, read_accepted_findings(table))


def _items(table: Table, base: Path, sections: tuple[str, ...]) -> Iterator[types.ShelfItem]:
    packages = _strings(table, "packages", PACKAGE, PACKAGE_REMEDY)
    files = () if table.has("repository") else _files(table)
    for package in packages:
        source = types.PackageSource(package, sections, files=files)
        yield types.ShelfItem(source.name, "", source)
    if table.has("repository"):
        yield _repository(table, base)
    else:
        for key in ("revision", "package"):
            if table.has(key):
                raise table.error(f"has '{key}' without 'repository'; add the address of one")
        if files and len(packages) != 1:
            raise table.error("has 'files' of no single package or repository; name one")
    if table.has("folder"):
        folder = base / table.string("folder")
        name = types.NOT_IN_ADDRESS.sub("-", folder.resolve().name).lstrip("._+~-")
        check_name(table, "folder", name)
        yield types.ShelfItem(name, "", types.FolderSource(str(folder), sections=sections))
    for package in _strings(
        table, "python", PYTHON_PACKAGE, "write the name of a Python package: click or click==8.1.7"
    ):
        python_source = types.PythonSource(package)
        yield types.ShelfItem(python_source.name, "", python_source)


def _repository(table: Table, base: Path) -> types.ShelfItem:
    repository, revision = table.string("repository"), table.string("revision")
    files = _files(table)
    if not files:
        raise table.error('has a repository without files; add files = ["…"]')
    substitute: types.PackageSource | None = None
    if table.has("package"):
        substitute = types.PackageSource(table.string("package"), files=files)
        if not PACKAGE.fullmatch(substitute.package):
            raise table.error(f"has '{substitute.package}' as 'package'; {PACKAGE_REMEDY}")
    name = re.split("[/:]", repository.rstrip("/").removesuffix(".git"))[-1]
    check_name(table, "repository", name)
    if not is_remote(repository):
        repository = str(base / repository.removeprefix("file://"))
    prefix = BEFORE_NUMBER.match(revision)
    version = types.NOT_IN_ADDRESS.sub("-", revision[prefix.end() if prefix else 0 :])
    check_version(table, version)
    source = types.GitSource(repository, revision, "", files=files)
    return types.ShelfItem(name, version, source, substitute)


def _files(table: Table) -> tuple[str, ...]:
    """The paths of the key `files`, in a tree or in the folder of a package."""
    remedy = "write paths from the top of the tree, or in the package's folder in /usr/share/doc"
    return _strings(table, "files", TREE_PATH, remedy)


def _strings(table: Table, key: str, pattern: re.Pattern[str], remedy: str) -> tuple[str, ...]:
    """The strings of the list `key`: all are different, and `pattern` matches each."""
    strings = table.strings(key)
    check_unique(table, f"'{key}' item", strings)
    for text in strings:
        if not pattern.fullmatch(text):
            raise table.error(f"has '{text}' in '{key}'; {remedy}")
    return strings
