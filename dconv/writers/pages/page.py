"""Pages as values: what they are made from, and everything that a theme shows."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from markupsafe import Markup

from dconv.model.dialect import Dialect
from dconv.model.origin import Origin
from dconv.model.references import image_names
from dconv.model.search_terms import Vocabulary
from dconv.model.tree import Manual, anchors_of, sections
from dconv.model.values import dataclass
from dconv.writers.pages.changes import Changes
from dconv.writers.pages.listings import (
    DocumentGroup,
    IndexRow,
    LetterGroup,
    Link,
    NamesPage,
    News,
    PackageCard,
    PackageGroup,
    ProductCard,
    ReleaseCard,
)
from dconv.writers.pages.names import DefinedName, defined_names

Kind = Literal[
    "site", "product", "release", "manual", "section", "single-page", "index", "latest", "missing",
    "changes", "document", "package", "names", "explain",
]
BannerKind = Literal["development", "unmaintained", "older", "newer"]


@dataclass(frozen=True, slots=True)
class ReleaseDocument:
    """One document of a release: the linked manual with its metadata.

    `proof` is the sentence that says how many lines are accounted for. `has_old_anchors` is true if
    the anchors of haproxy-dconv keep working. `report_url` is the address for reports of mistakes,
    with names in braces, or empty. `images` are those that the text names, with their names.
    `names` are those that the manual defines; `anchors` those of its preface, then of each section.
    """

    manual: Manual
    title: str
    description: str = ""
    origin: Origin | None = None
    proof: str = ""
    has_old_anchors: bool = False
    report_url: str = ""
    images: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)
    names: tuple[DefinedName, ...] = field(init=False, repr=False, compare=False)
    anchors: tuple[tuple[str, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", defined_names(self.manual))
        object.__setattr__(self, "anchors", (tuple(anchors_of(self.manual.preface)), *(
            (section.anchor, *anchors_of(section.body)) for section in sections(self.manual)
        )))

    @property
    def shown_images(self) -> dict[str, bytes]:
        """The images that the text shows, by name."""
        names = image_names(self.manual) if self.images else ()
        return {name: content for name, content in self.images if name in names}


@dataclass(frozen=True, slots=True)
class Release:
    """One release of a product with its documents; `status` is a word for readers.

    `date` is that of its first release, `end` when its maintenance ends; both may be empty.
    `vocabulary` is how the product's readers name things, `dialect` how its texts are read.
    `folder`, below the site's root, holds its pages.
    """

    product_name: str
    product_title: str
    version: str
    documents: tuple[ReleaseDocument, ...]
    status: str = ""
    date: str = ""
    end: str = ""
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    dialect: Dialect = field(default_factory=Dialect)
    folder: str = ""

    def __post_init__(self) -> None:
        if not self.folder:
            object.__setattr__(self, "folder", f"{self.product_name}/{self.version}")


@dataclass(frozen=True, slots=True)
class StaticImage:
    """An image among the theme's static files, with its size in pixels."""

    file: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class SiteInfo:
    """What all pages share; `url` is the site's public address, or empty.

    `date` decides which releases are maintained (`2026-11-21`); where it is empty, that of the
    newest text does.  `latest` is true if a product with only one release has addresses of the
    latest release, too.  `lunr` is true if the search index is written in Lunr.js's format, too.
    `changes` is true if each release has a page of what it changed; `exports` are the other formats
    of its documents.  `logo`, `links` and `footer` are what all pages show in their header and
    footer.  If packages are on a shelf, `shelf_search` is what the search of their pages covers
    (see `SearchScope`): `.`, which is the shelf, comes first.
    """

    title: str
    generator: str
    url: str = ""
    language: str = "en"
    date: str = ""
    latest: bool = False
    lunr: bool = False
    changes: bool = False
    exports: tuple[str, ...] = ()
    logo: StaticImage | None = None
    links: tuple[Link, ...] = ()
    footer: str = ""
    shelf_search: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A page in one release, as a link: `exact`, or the nearest one, whose title is `nearest`.

    `status` is the word for the release; `current` is true for the release of the page itself.
    """

    version: str
    href: str
    status: str
    exact: bool
    nearest: str
    current: bool = False


@dataclass(frozen=True, slots=True)
class Banner:
    """The notice above the text of a page that is not the latest release's.

    `kind` is `development`, `unmaintained` (since `end` if that is not empty),
    `older` or `newer` than the latest; `latest` is the page there.
    """

    kind: BannerKind
    version: str
    end: str
    latest: Counterpart


@dataclass(frozen=True, slots=True)
class SourceLines:
    """The lines of the source that a page shows; `href` points to them."""

    first: int
    last: int
    href: str


@dataclass(frozen=True, slots=True)
class SearchScope:
    """What the search of a page covers.

    `releases` are those searched: the folder below the site's root, and a title.  `document` is
    the name of the page's document, or empty.  `href` points to names from A to Z, for readers
    without scripts.
    """

    href: str
    releases: tuple[tuple[str, str], ...]
    document: str = ""


@dataclass(frozen=True, slots=True)
class Download:
    """A `document` of a release in the format `title`; `href` is its file, of `size` bytes."""

    document: str
    title: str
    href: str
    size: int


@dataclass(frozen=True, slots=True)
class ExplainedRelease:
    """A release whose data a page of explanations reads.

    `previous` is the release that its upgrade step starts from, or empty; `latest` marks the
    latest.
    """

    version: str
    status: str
    previous: str = ""
    latest: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One page, with everything that its template needs; themes/default/README.md explains it all.

    `path` is below the site's root, `root` the relative path back there (`../../` or empty); on
    the page for what is `missing`, the path of the root on its host.  `body` is finished HTML.
    `title` is the page's whole title, `heading` the short one.  Only the document's home and
    the whole document on one page have what depends on the whole text, `origin` and `proof`.
    `date` is the day that the text states (`2026-06-03`), or empty.  `old_anchors`, `previews`,
    `matrix` and `rare_parts` say which scripts and styles it loads that most pages do not need.
    """

    kind: Kind
    path: str
    root: str
    title: str
    heading: str
    description: str
    site: SiteInfo
    body: Markup = field(default_factory=Markup)
    product: str = ""
    version: str = ""
    date: str = ""
    document: str = ""
    home: Link | None = None
    release: Link | None = None
    single_page: Link | None = None
    breadcrumbs: tuple[Link, ...] = ()
    tree: tuple[Link, ...] = ()
    children: tuple[Link, ...] = ()
    on_page: tuple[Link, ...] = ()
    previous: Link | None = None
    next: Link | None = None
    source: Link | None = None
    origin: Origin | None = None
    lines: SourceLines | None = None
    line_url: str = ""
    entry_lines: str = ""
    report_url: str = ""
    proof: Link | None = None
    canonical: str = ""
    products: tuple[ProductCard, ...] = ()
    release_card: ReleaseCard | None = None
    index: Link | None = None
    indexes: tuple[Link, ...] = ()
    letters: tuple[LetterGroup[IndexRow], ...] = ()
    old_anchors: str = ""
    previews: str = ""
    matrix: bool = False
    rare_parts: bool = False
    versions: tuple[Counterpart, ...] = ()
    all_versions: str = ""
    banner: Banner | None = None
    title_block: Markup = field(default_factory=Markup)
    news: News | None = None
    search: SearchScope | None = None
    changes: Changes | None = None
    changes_link: Link | None = None
    markdown: str = ""
    feed: str = ""
    downloads: tuple[Download, ...] = ()
    package: Link | None = None
    other_names: tuple[str, ...] = ()
    siblings: tuple[Link, ...] = ()
    mentions: tuple[Link, ...] = ()
    more_siblings: Link | None = None
    document_groups: tuple[DocumentGroup, ...] = ()
    package_groups: tuple[PackageGroup, ...] = ()
    changed: tuple[PackageCard, ...] = ()
    names: NamesPage | None = None
    explain: tuple[Link, ...] = ()
    explain_releases: tuple[ExplainedRelease, ...] = ()
