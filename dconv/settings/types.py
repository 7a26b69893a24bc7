"""The values that settings are read into."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TypeAlias, TypeVar

from dconv.model import man_pages
from dconv.model.anchors import DEVICE, MAX_NAME_LENGTH
from dconv.model.diagnostics import Level
from dconv.model.dialect import Dialect
from dconv.model.file_names import file_name
from dconv.model.lifecycle import ReleaseRecord, ReleaseStatus
from dconv.model.search_terms import Vocabulary
from dconv.model.values import dataclass
from dconv.settings.colors import TokenColors

# characters of a name that become dashes in addresses: those between "my", "manual" and "2" in
# "my manual (2).txt"
NOT_IN_ADDRESS = re.compile(r"[^A-Za-z0-9._+~-]+")

# a README whose suffix is its topic, not its format: "README.Debian", "README.dns"
README_TOPIC = re.compile(r"README\.(?!(?:txt|text|rst|md|markdown|mkd|x?html?)$)", re.IGNORECASE)

# the sections of manual pages that are shown by default: not those for programmers
MAN_SECTIONS = ("1", "4", "5", "7", "8")

# the formats of `dconv export`; dconv/writers/downloads.py writes them
EXPORT_FORMATS = (
    "rst", "xml", "man", "odt", "latex", "markdown", "html5", "offline", "epub", "docset",
    "devdocs", "vim", "info", "pdf",
)

# names of files beside the documents of a release: its home, "a.html", "objects.inv"
RESERVED = re.compile(r"index|.*\.(?:html|js|json|inv|xml|gz)", re.IGNORECASE)

# the name of a keyword in `KeywordList.documented_as`
NAME_PLACEHOLDER = "{name}"

# folders below the site's root that no product may have: manual pages of all packages, their names,
# the theme's files, redirects; "search" and "images" are reserved
SITE_FOLDERS = frozenset({"man", "names", "static", "redirects", "search", "images"})


@dataclass(frozen=True, slots=True)
class DocumentSetting:
    """One document of a product.

    `name` is its name in addresses ("configuration"), `file` its file name
    ("configuration.txt"), `title` and `description` what lists of documents show.  `format` is
    that of the file ("rst"), or empty if it is detected.
    """

    name: str
    file: str
    title: str
    description: str
    format: str = ""


@dataclass(frozen=True, slots=True)
class FolderSource:
    """Files of a folder, or one file, gzipped or not: `path` may hold `{version}`.

    `line_url` is where readers see lines of them, in this and all sources: an address
    with `{version}`, `{file}`, `{first}` and `{last}`, or empty.  Of a folder with manual pages
    ("man8" in it), those of `sections` count.  `others` are folders that are read as well.
    """

    path: str
    line_url: str = field(default="", repr=False)  # no part of the cache key
    sections: tuple[str, ...] = field(default=MAN_SECTIONS, repr=False)
    others: tuple[Path, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class UrlSource:
    """Files by HTTP; `url` may hold `{version}` and `{file}`, without `{file}` it is one file."""

    url: str
    line_url: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class GitSource:
    """Files of a tag or branch; `folder` is where they lie in the tree.

    `repository` is a path or an address; both it and `revision` may hold `{version}`.  If there are
    `files`, paths in the tree, only these are read.
    """

    repository: str
    revision: str
    folder: str
    line_url: str = field(default="", repr=False)
    files: tuple[str, ...] = field(default=(), repr=False)  # the cache key has them separately


@dataclass(frozen=True, slots=True)
class DebianSource:
    """Files of a Debian package, below `folder`, gzipped or not."""

    package: str
    folder: str
    line_url: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class PackageSource:
    """The manual pages of a Debian package in `sections`, and its other manuals.

    `package` is its name, or name and version: "lvm2=2.03.16-2".  If there are `files`, paths
    below its folder in /usr/share/doc, only these are read.
    """

    package: str
    sections: tuple[str, ...] = MAN_SECTIONS
    line_url: str = field(default="", repr=False)
    files: tuple[str, ...] = field(default=(), repr=False)  # the cache key has them separately

    @property
    def name(self) -> str:
        """The name without a version."""
        return re.split("[=/]", self.package, maxsplit=1)[0]


@dataclass(frozen=True, slots=True)
class PythonSource:
    """The README of a Python package: "click" or "click==8.1.7"."""

    package: str
    line_url: str = field(default="", repr=False)

    @property
    def name(self) -> str:
        """The name without a version."""
        return self.package.partition("==")[0]


SourceSetting: TypeAlias = (
    FolderSource | UrlSource | GitSource | DebianSource | PackageSource | PythonSource
)


@dataclass(frozen=True, slots=True)
class OldLinks:
    """What haproxy-dconv published of a product, whose links go on working.

    `documents` are the names of the documents, `addresses` where they were: paths
    with `{version}` and `{document}`.  `development_name` is what it called the version
    that is being developed, or empty.
    """

    documents: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    development_name: str = ""


@dataclass(frozen=True, slots=True)
class AcceptedFinding:
    """A finding that is not reported: of `rule`, in `document`, on a line with `text`."""

    document: str
    rule: str
    text: str

    def __str__(self) -> str:
        """`configuration: [section-reference] 'see section 9.9'`."""
        return f"{self.document}: [{self.rule}] '{self.text}'"


@dataclass(frozen=True, slots=True)
class CheckSetting:
    """How the check treats texts of a product.

    enable, disable  rules that it turns on or off, by name
    levels           the levels of rules, where they are not the default
    accepted         findings that are not reported
    help_url         where rules are explained, with the placeholder `{rule}`, or empty
    """

    enable: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()
    levels: Mapping[str, Level] = field(default_factory=dict)
    accepted: tuple[AcceptedFinding, ...] = ()
    help_url: str = ""


@dataclass(frozen=True, slots=True)
class KeywordList:
    """One list of a program's output, and the entries of the manual that document it.

    title              the heading above the list
    section            the line in it below which the names are, or empty
    line               a line of the list: its group `name` is what is listed; where its group
                       `open` is not empty, any word may follow without a space
    documented_as      what the manual calls a name ("option {name}")
    kinds              the kinds of the entries that document the list
    mention_is_enough  whether a name counts as documented where any text has it
    complete           whether names that the list lacks are reported
    unlisted           documented names that the list is known to leave out
    undocumented       listed names that the manual leaves out on purpose
    """

    title: str
    section: str
    line: re.Pattern[str]
    documented_as: str
    kinds: tuple[str, ...]
    mention_is_enough: bool = False
    complete: bool = False
    unlisted: tuple[re.Pattern[str], ...] = ()
    undocumented: tuple[re.Pattern[str], ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """A program that can list its keywords: the command; its output's headings and comments."""

    command: str
    heading: re.Pattern[str]
    comment: re.Pattern[str]
    lists: tuple[KeywordList, ...]


@dataclass(frozen=True, slots=True)
class ProductSummary:
    """The settings that recognize a product's texts, without all others, which take time to read.

    name        its name in addresses, the folder of its pages: "haproxy"
    title       its name for readers: "HAProxy"
    folder      the folder of its manual.toml
    recognize   patterns searched in the first 40 lines of a text: if one matches, the text
                is this product's
    documents   its documents, in the order of its home
    """

    name: str
    title: str
    folder: Path
    recognize: tuple[re.Pattern[str], ...]
    documents: tuple[DocumentSetting, ...]


AnyProduct = TypeVar("AnyProduct", bound=ProductSummary)


@dataclass(frozen=True, slots=True)
class Product(ProductSummary):
    """The settings of a product: its documents, their sources, how to read them.

    sources     where its texts are, tried in order
    dialect     how its texts are read
    old_links   what haproxy-dconv published of it
    releases    its table of releases
    vocabulary  the words of its search
    report_url  the address at which readers report mistakes, with placeholders, or empty
    check       how the check treats its texts
    program     how its program lists its keywords, or None
    """

    sources: tuple[SourceSetting, ...]
    dialect: Dialect
    old_links: OldLinks = OldLinks()
    releases: tuple[ReleaseRecord, ...] = ()
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    report_url: str = ""
    check: CheckSetting = CheckSetting()
    program: Program | None = None


@dataclass(frozen=True, slots=True)
class Checksum:
    """The name of a file and its SHA-256 in lower-case hexadecimal digits."""

    file: str
    sha256: str


@dataclass(frozen=True, slots=True)
class SiteRelease:
    """One release to show.

    `sources` are tried before those of the product; `checksums` pin files;
    `status` is None if it is that in the product's table of releases.
    """

    version: str
    sources: tuple[SourceSetting, ...]
    checksums: tuple[Checksum, ...] = ()
    status: ReleaseStatus | None = None


@dataclass(frozen=True, slots=True)
class SiteProduct:
    """One product to show with its releases, newest first, and accepted findings.

    `group` is the title that it is below on the home of a site with shelves, or empty.
    """

    product: Product
    releases: tuple[SiteRelease, ...]
    accepted: tuple[AcceptedFinding, ...] = ()
    group: str = ""


@dataclass(frozen=True, slots=True)
class ShelfItem:
    """A package of a shelf: its name in addresses, its version or empty, its source.

    `substitute` is a Debian package with the same files, for when the source has none.
    """

    name: str
    version: str
    source: SourceSetting
    substitute: PackageSource | None = None


@dataclass(frozen=True, slots=True)
class Shelf:
    """Packages below one heading, `title`, of the home of a site.

    `items` are single packages.  If `includes_installed`, all packages that are installed on this
    machine and have manual pages of `sections` belong to it, too.  `accepted` are findings in
    texts of any of them that are not reported.
    """

    title: str
    items: tuple[ShelfItem, ...]
    sections: tuple[str, ...] = MAN_SECTIONS
    includes_installed: bool = False
    accepted: tuple[AcceptedFinding, ...] = ()


@dataclass(frozen=True, slots=True)
class SiteLink:
    """A link to a place outside, which all pages of a site show."""

    title: str
    href: str


@dataclass(frozen=True, slots=True)
class Logo:
    """An image: the name of its file in `static/`, its bytes, and its size in pixels."""

    file: str
    content: bytes = field(repr=False)
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class ThemeOptions:
    """What a site adds to its theme: a logo, links, a footer, colours of tokens."""

    logo: Logo | None = None
    links: tuple[SiteLink, ...] = ()
    footer: str = ""
    colors: tuple[TokenColors, ...] = ()


@dataclass(frozen=True, slots=True)
class Site:
    """`site.toml`: what a site shows and how.

    url       the public address, or empty
    output    the folder to write
    theme     the name of a theme, or the path of its folder
    date      the date for which the statuses of releases hold, or empty
    lunr      whether to write an index in lunr's format
    theme_options  what it adds to the theme
    compress  whether to write compressed copies of texts
    changes   whether to write pages of what each release changed
    shelves   packages that no `manual.toml` describes, in groups
    exports   other formats of each document, for readers to download
    available_products  `products` and those not shown: one may describe the texts of a package
    """

    title: str
    url: str
    output: Path
    theme: str
    products: tuple[SiteProduct, ...]
    date: str = ""
    lunr: bool = False
    theme_options: ThemeOptions = ThemeOptions()
    compress: bool = False
    changes: bool = False
    shelves: tuple[Shelf, ...] = ()
    exports: tuple[str, ...] = ()
    available_products: tuple[ProductSummary, ...] = ()


def is_reserved(name: str) -> bool:
    """Whether a document of this `name` would appear where files of its release may."""
    return RESERVED.fullmatch(name) is not None


def unlisted_document(file: str) -> DocumentSetting:
    """The setting of a `file` that no `manual.toml` lists: named after it, without a title.

    A manual page keeps its section ("mdadm.8"), and a README what it is about ("README.Debian").
    The name is fit for an address: other characters than letters, digits and `. _ + ~ -` become
    dashes, and file systems allow its length.  What is beside the documents, and Windows' devices,
    get other names: "index" becomes "index-text", "con" becomes "con-text".
    """
    base_name = file_name(file)
    keeps_suffix = man_pages.PAGE_FILE.fullmatch(base_name) or README_TOPIC.match(base_name)
    stem = base_name if keeps_suffix else Path(base_name).stem
    name = NOT_IN_ADDRESS.sub("-", stem).lstrip("._+~-")[:MAX_NAME_LENGTH].rstrip(".-")
    if DEVICE.match(name):
        name = f"{name.replace('.', '-')}-text"
    elif is_reserved(name):
        name = f"{name}-text"
    return DocumentSetting(name or "manual", file, "", "")
