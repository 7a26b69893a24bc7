"""`manual.toml`: a product, its documents, its releases and where its texts are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from dconv.model.diagnostics import LEVELS
from dconv.model.dialect import Dialect
from dconv.model.lifecycle import PERIOD, ReleaseRecord, last_day
from dconv.model.search_terms import Vocabulary
from dconv.model.source import FORMATS
from dconv.settings import types
from dconv.settings.dialect import read_dialect
from dconv.settings.program import read_program
from dconv.settings.search import read_vocabulary
from dconv.settings.shared_keys import (
    HTTP_URL,
    LINK_URL,
    STATUSES,
    check_unique,
    read_accepted_finding,
    read_address,
    read_date,
    read_name,
    read_sources,
)
from dconv.settings.toml import SettingsError, Table, load, suggestion

# "configuration.txt", "my manual.txt": a file's name without a folder
FILE = re.compile(r"[^/\\\x00-\x1f.][^/\\\x00-\x1f]*")
REPORT_PLACEHOLDERS = ("place", "version", "file", "section", "line", "address")
# "/{version}/{document}.html": a path without spaces and without other braces
OLD_ADDRESS = re.compile(
    r"/(?=\S*\{version\})(?=\S*\{document\})(?:[A-Za-z0-9._+~/-]|\{version\}|\{document\})+"
)


@cache
def default_product() -> types.Product:
    """The product of a text that no `manual.toml` recognizes: no title, the plain dialect."""
    return types.Product("plain", "", Path("."), (), (), (), Dialect())


def load_products(
    folders: Iterable[Path], *, with_vocabulary: bool = True
) -> tuple[types.Product, ...]:
    """The products of `folders`, each a product's own folder or a folder of such folders.

    A later product replaces an earlier one of the same name, so that a user's
    own folder after the built-in one wins.  Raises `SettingsError`.
    """
    return merge_products([
        load_product(folder, with_vocabulary=with_vocabulary)
        for folder in _product_folders(folders)
    ])


def load_summaries(folders: Iterable[Path]) -> tuple[types.ProductSummary, ...]:
    """As `load_products`, but what is not needed to recognize texts is neither read nor checked."""
    summaries = [
        _summary(load(folder / "manual.toml"), folder) for folder in _product_folders(folders)
    ]
    return merge_products(summaries)


def merge_products(products: Iterable[types.AnyProduct]) -> tuple[types.AnyProduct, ...]:
    """Of `products` the last of each name, in the order of the first."""
    return tuple({product.name: product for product in products}.values())


def _product_folders(folders: Iterable[Path]) -> Iterator[Path]:
    """The folders of products in `folders`, each a product's own or one of such folders."""
    for folder in folders:
        if folder.is_file():
            raise SettingsError(f"{folder}: this is a file; name its folder, {folder.parent}")
        if not folder.is_dir():
            raise SettingsError(f"{folder}: no such folder; create it or check its name")
        manual_file = folder / "manual.toml"
        files = [manual_file] if manual_file.is_file() else sorted(folder.glob("*/manual.toml"))
        if not files:
            raise SettingsError(f"{folder}: there is no manual.toml, nor in a folder below")
        for file in files:
            yield file.parent


def _summary(file: Table, folder: Path) -> types.ProductSummary:
    """What the manual.toml `file` of `folder` says about recognizing texts."""
    file.expect_keys("product", "document", "source", "dialect", "old_links", "release", "check")
    table = file.table("product").expect_keys("name", "title", "recognize", "report")
    documents = tuple([_document(item) for item in file.tables("document")])
    check_unique(file, "document name", [document.name for document in documents])
    check_unique(file, "document file", [document.file for document in documents])
    return types.ProductSummary(
        read_name(table, "name"), table.string("title"), folder, table.patterns("recognize"),
        documents,
    )


def load_product(folder: Path, *, with_vocabulary: bool = True) -> types.Product:
    """The product that `folder`/manual.toml describes; raises `SettingsError`.

    Its vocabulary, which only a search needs, takes most of the time.
    """
    file = load(folder / "manual.toml")
    summary = _summary(file, folder)
    dialect = read_dialect(file, folder, summary.name)
    vocabulary = (
        read_vocabulary(folder, dialect.rule_sets) if with_vocabulary
        else Vocabulary(rule_sets=dialect.rule_sets)
    )
    releases = tuple([_release(item) for item in file.tables("release")])
    check_unique(file, "release", [record.version for record in releases])
    return types.Product(
        name=summary.name,
        title=summary.title,
        folder=folder,
        recognize=summary.recognize,
        documents=summary.documents,
        sources=read_sources(file, folder),
        dialect=dialect,
        old_links=_old_links(
            file.table("old_links"), [document.name for document in summary.documents]
        ),
        releases=releases,
        vocabulary=vocabulary,
        report_url=read_address(file.table("product"), "report", LINK_URL, REPORT_PLACEHOLDERS),
        check=_check(file.table("check")),
        program=read_program(folder),
    )


def full_product(
    product: types.ProductSummary, load: Callable[[Path], types.Product] = load_product
) -> types.Product:
    """All settings of `product`: itself, or what `load` reads from the folder of a summary.

    Raises `SettingsError` if these cannot be used.
    """
    return product if isinstance(product, types.Product) else load(product.folder)


def _document(table: Table) -> types.DocumentSetting:
    table.expect_keys("name", "file", "title", "description", "format")
    file = table.string("file")
    if not FILE.fullmatch(file):
        raise table.error(f"has a 'file' that is not a file name: '{file}'; leave the folder out")
    name = read_name(table, "name", types.unlisted_document(file).name)
    if types.is_reserved(name):
        raise table.error(f"'name' makes '{name}' an address, which is reserved; choose another")
    return types.DocumentSetting(
        name, file, table.string("title", ""), table.string("description", ""),
        table.choice("format", FORMATS) or "",
    )


def _check(table: Table) -> types.CheckSetting:
    table.expect_keys("enable", "disable", "levels", "accept", "help")
    levels = table.table("levels")
    for rule in levels.values:
        if levels.string(rule) not in LEVELS:
            raise levels.error(f"gives '{rule}' no level; write {', '.join(LEVELS)}")
    accepted = tuple([read_accepted_finding(item) for item in table.tables("accept")])
    return types.CheckSetting(
        table.strings("enable"), table.strings("disable"),
        {rule: level for rule in levels.values for level in LEVELS if levels.values[rule] == level},
        accepted, read_address(table, "help", HTTP_URL, ("rule",)),
    )


def _old_links(table: Table, documents: list[str]) -> types.OldLinks:
    table.expect_keys("documents", "addresses", "development")
    names = table.strings("documents")
    for name in names:
        if name not in documents:
            remedy = suggestion(name, tuple(documents))
            raise table.error(f"has an unknown document '{name}' in 'documents'; {remedy}")
    addresses = table.strings("addresses")
    for address in addresses:
        if not OLD_ADDRESS.fullmatch(address):
            raise table.error(
                f"has an address '{address}'; write a path with {{version}} and {{document}}"
            )
    return types.OldLinks(
        names, addresses, read_name(table, "development") if table.has("development") else ""
    )


def _release(table: Table) -> ReleaseRecord:
    table.expect_keys("version", "status", "date", "end")
    end = table.string("end", "")
    if end and not PERIOD.fullmatch(end):
        raise table.error(
            f"has an 'end' that is not a date: '{end}'; write 2031, 2031-Q2, 2031-06 or 2031-06-30"
        )
    status = table.choice("status", STATUSES) or "stable"
    date = read_date(table)
    if end and last_day(end) < date:
        raise table.error(f"ends before it began: 'end' is {end}, 'date' {date}; correct one")
    return ReleaseRecord(read_name(table, "version"), status, date, end)
