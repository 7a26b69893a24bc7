"""`site.toml` and `manual.toml` as frozen values, and whose a text is.

Every error names the file, the key and what to do.  Paths in a file are
relative to its folder.

`manual.toml` describes one product:

    [product]
    name = "haproxy"            # in addresses: letters, digits and . _ + -
    title = "HAProxy"           # what pages show
    recognise = ['HAProxy']     # patterns; a text that has one near its top is this product's

    [[document]]                # as many as there are, in the order of menus
    name = "configuration"      # in addresses; without it, the file's name without its ending
    file = "configuration.txt"
    title = "Configuration Manual"
    description = "Every keyword"           # one line for lists; may be absent

    [[source]]                  # tried in order; each is one of the four:
    path = "texts/{version}"                # a folder, or one file, gzipped or not
    [[source]]
    url = "https://www.example.org/{version}/{file}"
    [[source]]
    repository = "https://www.example.org/it.git"   # or a path
    revision = "v{version}.0"               # a tag or a branch
    folder = "doc"                          # where the files lie in it; may be absent
    [[source]]
    package = "haproxy"                     # Debian's; also "name=version" and "name/suite"
    folder = "/usr/share/doc/haproxy"       # may be absent: then that of the package

    [dialect]                   # or, without this line, in a file dialect.toml beside
    code = "haproxy"            # the language of examples; may be absent
    priority = ["directive"]    # kinds, the most likely meaning of a name first
    prose = ['^Introduction']   # titles of sections that never hold entries
    [[dialect.reference]]       # sections with these titles hold entries of the kind
    kind = "directive"
    title = '^Directives'
    names = "words"             # a name is all literal words, or only the "first"
    [[dialect.item]]            # items that are definitions of a kind of their own
    kind = "flag"
    term = '^(?P<name>-\\w)'    # its group "name" is the name
    title = '^Options'          # title, label and entry may be absent: then anywhere
    label = ''
    entry = ''

`site.toml` describes what a site shows:

    [site]
    title = "Manuals"
    url = "https://docs.example.org/"       # the public address; may be absent
    output = "public"           # the folder to write; "public" where absent
    theme = "default"           # a theme's name or folder; "default" where absent

    [[product]]
    name = "haproxy"            # of a manual.toml
    releases = ["3.4", "debian"]            # newest first

    [[product.release]]         # only for a release that needs more than its version
    version = "3.4"
    status = "long-term"        # or "development", "stable", "end of life"; may be absent
    source = { path = "local/3.4" }         # tried before the product's; or [[…source]]
    [product.release.sha256]    # texts that must be these; may be absent
    "configuration.txt" = "9f86…"
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from dconv.dialect import Dialect, ItemRule, Reference
from dconv.toml import SettingsError, Table, load, suggestion

__all__ = [
    "Checksum",
    "DebianSource",
    "DocumentSetting",
    "FolderSource",
    "GitSource",
    "Product",
    "ReleaseStatus",
    "SettingsError",
    "Site",
    "SiteProduct",
    "SiteRelease",
    "SourceSetting",
    "UrlSource",
    "load_product",
    "load_products",
    "load_site",
    "plain_product",
    "recognise",
]

HEAD = 40  # lines of a text that tell whose it is

# "haproxy", "3.4", "debian", "peers-v2.0": a part of an address and of a path
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+~-]*")

# "configuration.txt", "my manual.txt": a file's name without a folder
FILE = re.compile(r"[^/\\\x00-\x1f.][^/\\\x00-\x1f]*")

# "https://www.example.org/{version}/{file}"
ADDRESS = re.compile(r"https?://[^\s/]+\S*")

# A SHA-256 checksum as `sha256sum` prints it: 64 hexadecimal digits
SHA256 = re.compile(r"[0-9a-fA-F]{64}")

# Names of files that say nothing about whose text it is.
COMMON_NAMES = frozenset({"faq", "guide", "index", "intro", "manual", "notes", "readme"})


@dataclass(frozen=True, slots=True)
class DocumentSetting:
    """One document of a product.

    `name` is its name in addresses ("configuration"), `file` its file name
    ("configuration.txt"), `title` and `description` what lists of documents show.
    """

    name: str
    file: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class FolderSource:
    """Files of a folder, or one file, gzipped or not: `path` may hold `{version}`."""

    path: str


@dataclass(frozen=True, slots=True)
class UrlSource:
    """Files by HTTP; `url` may hold `{version}` and `{file}`, without `{file}` it is one file."""

    url: str


@dataclass(frozen=True, slots=True)
class GitSource:
    """Files of a tag or branch; `folder` is where they lie in the tree.

    `repository` is a path or an address; both it and `revision` may hold `{version}`.
    """

    repository: str
    revision: str
    folder: str


@dataclass(frozen=True, slots=True)
class DebianSource:
    """Files of a Debian package, below `folder`, gzipped or not."""

    package: str
    folder: str


SourceSetting: TypeAlias = FolderSource | UrlSource | GitSource | DebianSource

ReleaseStatus = Literal["development", "stable", "long-term", "end of life"]


@dataclass(frozen=True, slots=True)
class Product:
    """`manual.toml`: one product, its documents, where to get them, how to read them.

    `recognise` are patterns searched in the first 40 lines of a text: where one
    matches, the text is this product's.
    """

    name: str
    title: str
    folder: Path
    recognise: tuple[re.Pattern[str], ...]
    documents: tuple[DocumentSetting, ...]
    sources: tuple[SourceSetting, ...]
    dialect: Dialect


@dataclass(frozen=True, slots=True)
class Checksum:
    """What a file must be: its name and its SHA-256 in lower-case hexadecimal digits."""

    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class SiteRelease:
    """One release to show.

    `sources` are tried before those of the product; `checksums` pin files;
    `status` is None where nobody told.
    """

    version: str
    sources: tuple[SourceSetting, ...]
    checksums: tuple[Checksum, ...] = ()
    status: ReleaseStatus | None = None


@dataclass(frozen=True, slots=True)
class SiteProduct:
    """One product to show with its releases, newest first."""

    product: Product
    releases: tuple[SiteRelease, ...]


@dataclass(frozen=True, slots=True)
class Site:
    """`site.toml`: what a site shows and how.

    `output` is the folder to write; `url` the public address, or empty; `theme`
    the name of a theme or the path of its folder.
    """

    title: str
    url: str
    output: Path
    theme: str
    products: tuple[SiteProduct, ...]


# --- manual.toml ----------------------------------------------------------------------


def plain_product() -> Product:
    """The product of a text that nobody claims: no name to show, the plain dialect."""
    return Product("plain", "", Path("."), (), (), (), Dialect())


def load_products(folders: Iterable[Path]) -> tuple[Product, ...]:
    """The products of `folders`, each a product's own folder or a folder of such folders.

    A later product replaces an earlier one of the same name, so that a user's
    own folder after the built-in one wins.  Raises `SettingsError`.
    """
    products: dict[str, Product] = {}
    for folder in folders:
        if not folder.is_dir():
            raise SettingsError(f"{folder}: there is no such folder; create it or check its name")
        for file in _manual_files(folder):
            product = load_product(file.parent)
            products[product.name] = product
    return tuple(products.values())


def load_product(folder: Path) -> Product:
    """The product that `folder`/manual.toml describes; raises `SettingsError`."""
    file = load(folder / "manual.toml").known("product", "document", "source", "dialect")
    table = file.table("product").known("name", "title", "recognise")
    name = _name(table, "name")
    documents = tuple([_document(item) for item in file.tables("document")])
    _distinct(file, "document name", [document.name for document in documents])
    _distinct(file, "document file", [document.file for document in documents])
    return Product(
        name=name,
        title=table.text("title"),
        folder=folder,
        recognise=table.patterns("recognise"),
        documents=documents,
        sources=_sources(file, folder),
        dialect=_dialect(_dialect_table(file, folder), name),
    )


def _manual_files(folder: Path) -> list[Path]:
    own = folder / "manual.toml"
    return [own] if own.is_file() else sorted(folder.glob("*/manual.toml"))


def _document(table: Table) -> DocumentSetting:
    table.known("name", "file", "title", "description")
    file = table.text("file")
    if not FILE.fullmatch(file):
        raise table.error(f"has a 'file' that is not a file's name: '{file}'; write it bare")
    name = _name(table, "name") if table.has("name") else _name(table, "file", Path(file).stem)
    return DocumentSetting(name, file, table.text("title"), table.text("description", ""))


def _dialect_table(file: Table, folder: Path) -> Table:
    beside = folder / "dialect.toml"
    if not beside.is_file():
        return file.table("dialect")
    if file.has("dialect"):
        raise file.error("has a [dialect] and a dialect.toml beside it; keep one of them")
    return load(beside)


def _dialect(table: Table, name: str) -> Dialect:
    table.known("reference", "item", "prose", "priority", "code")
    return Dialect(
        name=name,
        references=tuple([_reference(item) for item in table.tables("reference")]),
        items=tuple([_item(item) for item in table.tables("item")]),
        prose=table.patterns("prose"),
        priority=table.texts("priority"),
        code=table.text("code", ""),
    )


def _reference(table: Table) -> Reference:
    table.known("kind", "title", "names")
    names = table.text("names", "words")
    if names not in ("words", "first"):
        raise table.error(f"has names = '{names}'; write \"words\" or \"first\"")
    return Reference(table.text("kind"), table.pattern("title"), names)


def _item(table: Table) -> ItemRule:
    table.known("kind", "term", "title", "label", "entry")
    term = table.pattern("term")
    if "name" not in term.groupindex:
        raise table.error("has a 'term' without the group 'name'; mark it with (?P<name>…)")
    title, label, entry = (table.pattern(key, "") for key in ("title", "label", "entry"))
    return ItemRule(table.text("kind"), term, title, label, entry)


# --- site.toml ------------------------------------------------------------------------


def load_site(path: Path, products: tuple[Product, ...]) -> Site:
    """The site that the file `path` describes, of `products`; raises `SettingsError`."""
    file = load(path).known("site", "product")
    table = file.table("site").known("title", "url", "output", "theme")
    url = table.text("url", "")
    if url and not ADDRESS.fullmatch(url):
        raise table.error(f"has a 'url' that is not an address: '{url}'; start it with https://")
    shown = tuple([_site_product(item, products, path.parent) for item in file.tables("product")])
    if not shown:
        raise file.error("shows no product; add [[product]] with name and releases")
    _distinct(file, "product", [item.product.name for item in shown])
    theme = table.text("theme", "default")
    return Site(
        title=table.text("title"),
        url=url,
        output=path.parent / table.text("output", "public"),
        theme=str(path.parent / theme) if "/" in theme else theme,
        products=shown,
    )


def _site_product(table: Table, products: tuple[Product, ...], base: Path) -> SiteProduct:
    table.known("name", "releases", "release")
    name = table.text("name")
    product = next((product for product in products if product.name == name), None)
    if product is None:
        names = tuple([product.name for product in products])
        raise table.error(f"names an unknown product '{name}'; {suggestion(name, names)}")
    versions = table.texts("releases")
    described = [_release(item, base) for item in table.tables("release")]
    _distinct(table, "release", versions)
    _distinct(table, "release", [release.version for release in described])
    for version in versions:
        _check_name(table, "releases", version)
    by_version = {version: SiteRelease(version, ()) for version in versions}
    by_version.update({release.version: release for release in described})
    if not by_version:
        raise table.error("shows no release; add releases = [\"…\"]")
    return SiteProduct(product, tuple(by_version.values()))


def _release(table: Table, base: Path) -> SiteRelease:
    table.known("version", "status", "source", "sha256")
    pins = table.table("sha256")
    checksums = tuple([Checksum(file, pins.text(file).lower()) for file in pins.values])
    for checksum in checksums:
        if not SHA256.fullmatch(checksum.sha256):
            raise pins.error(f"has no SHA-256 at '{checksum.file}'; write its 64 hex digits")
    return SiteRelease(_name(table, "version"), _sources(table, base), checksums, _status(table))


def _status(table: Table) -> ReleaseStatus | None:
    match table.text("status", ""):
        case "":
            return None
        case ("development" | "stable" | "long-term" | "end of life") as status:
            return status
        case other:
            known = ("development", "stable", "long-term", "end of life")
            raise table.error(f"has an unknown status '{other}'; {suggestion(other, known)}")


# --- sources and names ----------------------------------------------------------------


def _sources(table: Table, base: Path) -> tuple[SourceSetting, ...]:
    return tuple([_source(item, base) for item in table.tables("source")])


def _source(table: Table, base: Path) -> SourceSetting:
    chosen = [key for key in ("path", "url", "repository", "package") if table.has(key)]
    if len(chosen) != 1:
        table.known("path", "url", "repository", "revision", "package", "folder")
        raise table.error("must have one of the keys 'path', 'url', 'repository', 'package'")
    match chosen[0]:
        case "path":
            return FolderSource(str(base / table.known("path").text("path")))
        case "url":
            url = table.known("url").text("url")
            if not ADDRESS.fullmatch(url):
                raise table.error(f"has a 'url' without http:// or https:// in front: '{url}'")
            return UrlSource(url)
        case "repository":
            table.known("repository", "revision", "folder")
            repository = table.text("repository")
            if not is_remote(repository):
                repository = str(base / repository.removeprefix("file://"))
            return GitSource(repository, table.text("revision"), table.text("folder", ""))
        case _:
            package = table.known("package", "folder").text("package")
            name = package.partition("=")[0].partition("/")[0]
            return DebianSource(package, table.text("folder", f"/usr/share/doc/{name}"))


def is_remote(repository: str) -> bool:
    """Whether a git `repository` is an address rather than a path."""
    if "://" in repository:
        return not repository.startswith("file://")
    host, colon, _ = repository.partition(":")
    return bool(colon) and "/" not in host


def _name(table: Table, key: str, name: str | None = None) -> str:
    name = table.text(key) if name is None else name
    _check_name(table, key, name)
    return name


def _check_name(table: Table, key: str, name: str) -> None:
    if not NAME.fullmatch(name):
        raise table.error(
            f"'{key}' makes '{name}' a part of an address; use letters, digits and . _ + ~ - only"
        )


def _distinct(table: Table, what: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise table.error(f"has the {what} '{name}' twice; remove or rename one")
        seen.add(name)


# --- whose text is it? ----------------------------------------------------------------


def recognise(
    products: tuple[Product, ...], text_head: str, file_name: str
) -> tuple[Product, DocumentSetting] | None:
    """Whose text it is that starts with `text_head` and lies in a file `file_name`.

    The patterns of the products are searched in the first 40 lines; of several
    products that match, one that knows the file's name wins, then the longest
    match, then the later product.  Where none matches, the product that has a
    document of that file name (unless it is everybody's name, such as
    "manual.txt").  None where nobody claims the text.
    """
    head = "\n".join(text_head.split("\n", HEAD)[:HEAD])
    file = Path(file_name).name.removesuffix(".gz")
    best: tuple[Product, DocumentSetting] | None = None
    rank = (0, False)
    for product in products:
        known = any(document.file == file for document in product.documents)
        length = max([_longest(pattern, head) for pattern in product.recognise], default=0)
        by_name = known and Path(file).stem.lower() not in COMMON_NAMES
        claim = (2, length) if length and known else (1, length) if length else (0, by_name)
        if any(claim) and claim >= rank:
            best, rank = (product, _document_of(product, head, file)), claim
    return best


def _longest(pattern: re.Pattern[str], head: str) -> int:
    return max([len(match[0]) for match in pattern.finditer(head)], default=0)


def _document_of(product: Product, head: str, file: str) -> DocumentSetting:
    """The document of `product` by its file's name, else by its title in the text's head."""
    for document in product.documents:
        if document.file == file:
            return document
    for document in product.documents:
        if document.title.lower() in head.lower():
            return document
    return DocumentSetting(Path(file).stem or "manual", file, "", "")
