"""The pages of a shelf: packages whose short documents are one page each.

    index.html                     the shelf: all packages in their groups
    man/mdadm.8.html               a manual page of the latest release of a package
    mdadm/index.html               the package: its documents, its releases
    mdadm/README.html              another short document of it
    bonding/bonding/index.html     the home of a long document; its sections are beside
    mdadm/4.1/mdadm.8.html         an older release, below its package and version
    names/m.html                   the names of all packages that begin with a letter

Of two manual pages of one name the second is in its package's folder: `busybox/ip.8.html`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from posixpath import basename, dirname

from markupsafe import Markup

from dconv.model.anchors import slug
from dconv.model.origin import Origin
from dconv.model.tree import (
    Entry,
    Manual,
    Section,
    anchors,
    anchors_of,
    entries,
    sections_with_depth,
)
from dconv.model.values import dataclass
from dconv.writers.html import document_start, flow
from dconv.writers.html.context import PageContext
from dconv.writers.html.marks import mark_source
from dconv.writers.pages import footer
from dconv.writers.pages.addresses import (
    Addresses,
    further_anchors,
    image_address,
    relative_path,
)
from dconv.writers.pages.filenames import ALL_NAMES_TITLE, PROOF, section_files
from dconv.writers.pages.indexes import planned_indexes
from dconv.writers.pages.listings import Link
from dconv.writers.pages.overview import canonical_address, root_of, site_link
from dconv.writers.pages.page import (
    Banner,
    Counterpart,
    Page,
    Release,
    ReleaseDocument,
    SearchScope,
    SiteInfo,
)
from dconv.writers.pages.single_page import TOP_LEVEL, section_texts
from dconv.writers.pages.split import pages_of_documents

MAX_SINGLE_LENGTH = 60_000  # characters of a text that is one page, if it is no manual page
ALL_PACKAGE_NAMES_FILE = "names/index.html"  # the names of all packages
# "mdadm(8)", "X509_new(3ssl)"
MANUAL_PAGE = re.compile(r"\S+\((\d)\w*\)$")
MAX_LISTED = 1000  # entries that are listed beside a document
MAX_SIBLINGS = 15  # documents of a package that each of their pages lists
# "telinit.8", "X509_new.3ssl"
PAGE_NAME = re.compile(r"(\S+)\.(\d\w*)$")
# anchors that are no ids of a theme's elements, as "-nav" is: "--grow", "-G"
NO_THEME_ID = re.compile(r"--|-\w$|[^-]")


# --- what pages are made from ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShelfDocument:
    """A document of a shelf as other pages know it.

    `name` is its name in addresses ("mdadm.8"), `title` what readers see ("mdadm(8)"), `path` that
    of its page, or of its home, below the site's root.  `other_names` are those of symbolic links
    to its file, and of files that only include it (`.so`).  `is_single` is true if it is one page;
    if not, `files` has for each anchor the name of its page in the folder of the home.  `date` is
    that of its text (`2026-11-23`), or empty.
    """

    package: str
    version: str
    name: str
    title: str
    description: str
    path: str
    other_names: tuple[str, ...] = ()
    is_single: bool = True
    files: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)
    entry_count: int = 0
    date: str = ""


@dataclass(frozen=True, slots=True)
class PackageRelease:
    """A release of a package; its home is `folder`/index.html below the site's root.

    `documents` are all, or those that the pages of one document list; `document_count` counts all.
    `group` is the title of the packages that it is with on the shelf ("Storage"), or empty.
    `description` is a phrase about the package, or empty; `origin` says where its texts come from.
    `is_ordered` is true if lists show the documents in their order.
    """

    name: str
    title: str
    version: str
    folder: str
    documents: tuple[ShelfDocument, ...]
    document_count: int
    group: str = ""
    is_latest: bool = True
    description: str = ""
    origin: Origin | None = None
    is_ordered: bool = False


@dataclass(frozen=True, slots=True)
class ShelfName:
    """A name that `document` defines, for the names from A to Z; `other_names` mean the same."""

    name: str
    kind: str
    document: ShelfDocument
    anchor: str
    summary: str
    deprecated: bool = False
    other_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShelfBatch:
    """Some documents of a package, linked, and what their pages must know of the rest of the site.

    `releases` are all of the package, newest first. `targets` maps `Target.document` to the
    document that is meant, of this package or another. `backlinks` maps the name of a document of
    this batch to those whose text names its page.
    """

    release: Release
    package: PackageRelease
    releases: tuple[PackageRelease, ...]
    targets: Mapping[str, ShelfDocument]
    backlinks: Mapping[str, tuple[ShelfDocument, ...]]


def is_single(manual: Manual, title: str) -> bool:
    """Whether `manual`, which readers call `title`, is one page: a manual page, or a short text."""
    if MANUAL_PAGE.fullmatch(title):
        return True
    return sum(len(line.text) for line in manual.source.lines) <= MAX_SINGLE_LENGTH


def anchor_files(document: ReleaseDocument) -> dict[str, str]:
    """For the anchors of a long document the name of the page that holds each."""
    manual = document.manual
    files = dict.fromkeys(anchors_of(manual.preface), "index.html")
    reserved_stems = planned_indexes(manual, document.names).stems()
    for section, file in section_files(manual, reserved_stems):
        for anchor in (section.anchor, *anchors_of(section.body)):
            files.setdefault(anchor, file)
    return files


# --- documents ------------------------------------------------------------------------


def batch_pages(batch: ShelfBatch, site: SiteInfo) -> Iterator[Page]:
    """The pages of the documents of `batch` in turn: one each, or those of a long document."""
    release = replace(batch.release, folder=batch.package.folder)
    documents = {document.name: document for document in batch.package.documents}
    addresses = _addresses(batch, release, documents)
    for release_document in release.documents:
        document = documents[release_document.manual.name]
        if document.is_single:
            page = _single_document(release_document, document, release, addresses, site)
            yield _with_navigation(page, document, batch)
        else:
            single_release = replace(release, documents=(release_document,))
            for page in pages_of_documents(single_release, addresses, site, None):
                yield _with_navigation(page, document, batch)


def _addresses(
    batch: ShelfBatch, release: Release, documents: Mapping[str, ShelfDocument]
) -> Addresses:
    """Where the places are that the texts of `batch` link to."""
    addresses = Addresses()
    names = [document.manual.name for document in release.documents]
    for name, document in {**{name: documents[name] for name in names}, **batch.targets}.items():
        if document.is_single:
            addresses.pages[name] = document.path
            continue
        folder = dirname(document.path)
        addresses.add(name, document.path, "", ())
        for anchor, file in document.files.items():
            addresses.add(name, f"{folder}/{file}", anchor, ())
    return addresses


def _single_document(
    release_document: ReleaseDocument, document: ShelfDocument, release: Release,
    addresses: Addresses, site: SiteInfo,
) -> Page:
    """The page of a document that is one page, without its links to other documents."""
    manual, path = release_document.manual, document.path
    folder = f"{release.folder}/{manual.name}"
    context = PageContext(
        addresses.from_page(path), level=TOP_LEVEL, aliases=_further_anchors(manual),
        image=image_address(release_document, f"{relative_path(folder, dirname(path))}/"),
    )
    contents = document_start.contents(manual, context) if manual.contents else ""
    outline = tuple(sections_with_depth(manual))
    title_block = document_start.title_block(manual, document.title)
    titled = _titled_section(manual, document.title)
    shown_outline = outline
    if titled:
        title_block = mark_source(titled.title_span, flow.heading(titled, TOP_LEVEL - 1, context))
        is_alone = len(manual.sections) == 1
        shown_outline = tuple([
            (section, depth - 1 if is_alone or section is titled else depth)
            for section, depth in outline
        ])
    name = f"{release.product_title} {release.version}".strip()
    page = Page(
        kind="document", path=path, root=root_of(path), title=f"{document.title} - {name}",
        heading=document.title, description=document.description or document.title, site=site,
        product=release.product_title, version=release.version, date=document.date,
        document=document.title,
        title_block=Markup(title_block),
        body=Markup(
            document_start.preface(manual, context) + contents
            + section_texts(shown_outline, context, titled)
        ),
        tree=tuple(_tree(outline, document.entry_count <= MAX_LISTED)),
        origin=release_document.origin,
        proof=Link(release_document.proof, PROOF) if release_document.proof else None,
        canonical=canonical_address(site, path),
        search=search_scope(path, site, manual.name),
    )
    return replace(
        page, report_url=footer.report_url(release_document, page),
        line_url=footer.line_url(release_document),
        entry_lines=footer.entry_lines(release_document),
    )


def _titled_section(manual: Manual, title: str) -> Section | None:
    """The section that `manual` starts with if it repeats the `title`, which is shown once then."""
    header, first = manual.header, next(iter(manual.sections), None)
    if first is None or first.number or manual.preface or header.span or header.description:
        return None
    return first if first.title.rstrip(" :") == title and not manual.contents else None


def search_scope(path: str, site: SiteInfo, document: str = "") -> SearchScope:
    """The search of the page `path` of a shelf, of the document of this name if it is of one."""
    return SearchScope(f"{root_of(path)}{ALL_PACKAGE_NAMES_FILE}", site.shelf_search, document)


def all_names(path: str) -> Link:
    """The link from the page `path` to the names of all packages."""
    return Link(ALL_NAMES_TITLE, f"{root_of(path)}{ALL_PACKAGE_NAMES_FILE}")


def _tree(outline: Iterable[tuple[Section, int]], has_entries: bool) -> Iterator[Link]:
    """Links to the sections of a page, and below each to its entries if `has_entries`."""
    for section, depth in outline:
        yield Link(section.title.rstrip(" :"), f"#{section.anchor}", section.number, depth)
        for block in section.body if has_entries else ():
            if isinstance(block, Entry):
                yield Link(", ".join(block.names), f"#{block.anchor}", "", depth + 1, is_entry=True)


def _further_anchors(manual: Manual) -> dict[str, list[str]]:
    """Further anchors of the places of `manual`, such as the names of its entries: `#--grow`."""
    names = [
        (entry.anchor, name) for _, entry in entries(manual)
        for name in map(slug, entry.names) if NO_THEME_ID.match(name)
    ]
    return further_anchors(manual, anchors(manual), names)


# --- links around the text ------------------------------------------------------------


def _with_navigation(page: Page, document: ShelfDocument, batch: ShelfBatch) -> Page:
    """`page` of `document` with its links to the package, to other releases and documents."""
    package, folder = batch.package, dirname(page.path)
    home = relative_path(f"{package.folder}/index.html", folder)
    package_link = Link(package.title, home)
    links = tuple(_counterpart(release, document, page.path, package) for release in batch.releases)
    latest = None if package.is_latest else next(
        (link for link, release in zip(links, batch.releases, strict=True) if release.is_latest),
        None,
    )
    return replace(
        page,
        package=package_link,
        breadcrumbs=(
            *(() if package.title == page.site.title else (site_link(page.site, page.path),)),
            package_link, *page.breadcrumbs[2:],
        ),
        versions=links if len(links) > 1 else (),
        all_versions=home,
        banner=Banner("older", package.version, "", latest) if latest else None,
        canonical=_canonical(page, latest) if latest else page.canonical,
        search=search_scope(page.path, page.site, document.name),
        index=page.index or all_names(page.path),
        markdown="",  # texts of a shelf are not exported
        proof=replace(page.proof, href=f"{page.root}{PROOF}") if page.proof else None,
        other_names=tuple(map(page_title, document.other_names)),
        siblings=_siblings(package, document, folder),
        more_siblings=(
            Link(f"All {package.document_count:,} documents", home)
            if package.document_count > MAX_SIBLINGS else None
        ),
        mentions=tuple(
            Link(other.title, relative_path(other.path, folder))
            for other in batch.backlinks.get(document.name, ())
        ),
    )


def page_title(name: str) -> str:
    """The manual page `name` as readers write it: "telinit(8)" for "telinit.8"."""
    return PAGE_NAME.sub(r"\1(\2)", name)


def _siblings(package: PackageRelease, document: ShelfDocument, folder: str) -> tuple[Link, ...]:
    """The documents of `package` as seen from `folder`, with `document` among them.

    Of many, only those of the same name, in other sections of the manual: printf(1), printf(3).
    """
    return tuple(
        Link(other.title, relative_path(other.path, folder), current=other is document)
        for other in package.documents
        if package.document_count <= MAX_SIBLINGS
        or title_without_section(other) == title_without_section(document)
    )


def title_without_section(document: ShelfDocument) -> str:
    """The title of `document` without the section of a manual page: "mdadm" of "mdadm(8)"."""
    return document.title.partition("(")[0]


def _counterpart(
    release: PackageRelease, document: ShelfDocument, path: str, package: PackageRelease
) -> Counterpart:
    """The page `path` of `document` in `release`, or the nearest."""
    other = next((other for other in release.documents if other.name == document.name), None)
    folder, is_current = dirname(path), release.version == package.version
    file, nearest = basename(path), ""
    if other is None:
        target, nearest = f"{release.folder}/index.html", "all documents"
    elif other.is_single and document.is_single:
        target = other.path
    elif not (other.is_single or document.is_single) and (
        path == document.path or file in other.files.values()
    ):
        target = f"{dirname(other.path)}/{file}"
    else:
        target, nearest = other.path, "contents"
    return Counterpart(
        release.version, relative_path(target, folder), "latest" if release.is_latest else "",
        not nearest, nearest, is_current,
    )


def _canonical(page: Page, latest: Counterpart) -> str:
    """The address of the page in the latest release if it is there, else its own."""
    if not latest.exact:
        return page.canonical
    target = relative_path(f"{dirname(page.path)}/{latest.href}", "")
    return canonical_address(page.site, target) or latest.href


def redirect_page(path: str, document: ShelfDocument, site: SiteInfo) -> Page:
    """The page at `path` that leads to `document`, which has this other name."""
    name = page_title(basename(path).removesuffix(".html"))
    href = relative_path(document.path, dirname(path))
    return Page(
        kind="latest", path=path, root=root_of(path), title=name, heading=name,
        description=f"{name} is on this page", site=site, next=Link(document.title, href),
        canonical=canonical_address(site, document.path) or href,
    )
