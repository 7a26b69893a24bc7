"""A release split into pages: `Page` values that hold all that a theme shows.

    index.html                             all products and releases
    haproxy/3.4/index.html                 the documents of a release
    haproxy/3.4/configuration/index.html   the home of a document
    haproxy/3.4/configuration/4.2.html     a section
    haproxy/3.4/configuration/keywords.html  all names, see indexes.py
    haproxy/3.4/configuration.html         the whole document on one page
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from markupsafe import Markup

from dconv.model import tree
from dconv.model.anchors import slug
from dconv.model.lifecycle import date_in
from dconv.model.values import dataclass
from dconv.writers.html import document_start, flow
from dconv.writers.html.context import PageContext
from dconv.writers.html.marks import DATA_ADDED, mark_source
from dconv.writers.pages import footer, indexes, overview, sidebar, versions
from dconv.writers.pages.addresses import Addresses, further_anchors, image_address
from dconv.writers.pages.filenames import (
    ALL_NAMES,
    ALL_NAMES_TITLE,
    OFFLINE,
    OLD_ANCHORS,
    PREVIEWS,
    PROOF,
    section_files,
)
from dconv.writers.pages.indexes import Indexes
from dconv.writers.pages.listings import Link
from dconv.writers.pages.overview import canonical_address, release_name, root_of, site_link
from dconv.writers.pages.page import Page, Release, ReleaseDocument, SearchScope, SiteInfo
from dconv.writers.pages.single_page import single_page
from dconv.writers.pages.versions import ProductVersions
from dconv.writers.site_files import SectionFiles

# markup that rare-parts.css styles; few sections have it, so other pages do not load the file
RARE_PARTS = (
    "<table", "<img ", "<blockquote>", '<aside class="warning', 'class="literal', 'class="marked',
    'class="footnote"', 'class="name signatures"',
)  # fmt: skip
MATRIX_PART = "<caption "  # of a matrix, which matrix.js filters


def offline_pages(release: Release, site: SiteInfo) -> Iterator[tuple[ReleaseDocument, Page]]:
    """Each document of `release` on a page for readers who have no other page of the site."""
    addresses = Addresses()
    documents = tuple([replace(document, has_old_anchors=False) for document in release.documents])
    for release_document in documents:
        manual = release_document.manual
        path = f"{release.folder}/{manual.name}{OFFLINE}"
        addresses.add(manual.name, path, "", chain.from_iterable(release_document.anchors))
    for document in _documents(replace(release, documents=documents), addresses, site, None):
        page = _single_page(document)
        search = SearchScope("#-nav", ((release.folder, page.document),))
        yield (
            document.release_document,
            replace(
                page, path=f"{release.folder}/{document.name}{OFFLINE}", search=search,
                index=None, canonical="", markdown="",
                breadcrumbs=page.breadcrumbs if site.url else (), explain=(), previews="",
            ),
        )


def home_page(release: Release, site: SiteInfo, product_versions: ProductVersions | None) -> Page:
    """The home of `release`, with links to `product_versions`; without if these are None."""
    page = overview.release_home(release, site)
    return versions.with_versions(page, product_versions, release.version)


def pages_of_documents(
    release: Release, addresses: Addresses, site: SiteInfo, product_versions: ProductVersions | None
) -> Iterator[Page]:
    """The pages of each document of `release` in turn, with links to `product_versions`.

    Without these (None) they have no such links.  `release` may have some of its documents only;
    `addresses` are those of all.
    """
    for document in _documents(release, addresses, site, product_versions):
        for page in _pages(document):
            yield versions.with_versions(page, product_versions, release.version)


def _pages(document: _Document) -> Iterator[Page]:
    """The pages of `document` without their links to other releases."""
    yield _home(document)
    yield from (_section_page(document, index) for index in range(len(document.sections)))
    base_page = replace(document.base_page, tree=sidebar.tree(document.links, None))
    yield from indexes.index_pages(document.indexes, base_page, document.links)
    yield _single_page(document)


def release_section_files(release: Release) -> dict[str, list[str]]:
    """The files of the sections of each document of `release`, in source order."""
    files: dict[str, list[str]] = {}
    for document in release.documents:
        reserved_stems = indexes.planned_indexes(document.manual, document.names).stems()
        files[document.manual.name] = [
            file for _, file in section_files(document.manual, reserved_stems)
        ]
    return files


def release_addresses(release: Release, section_files: SectionFiles) -> Addresses:
    """Where every anchor of `release` lies; `section_files` are its `release_section_files`."""
    addresses = Addresses()
    for document in release.documents:
        name = document.manual.name
        files = ("index.html", *section_files[name])
        for file, anchors in zip(files, document.anchors, strict=True):
            page_anchor = "" if file == "index.html" else anchors[0]
            addresses.add(name, f"{release.folder}/{name}/{file}", page_anchor, anchors)
    return addresses


# --- documents ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _SectionFile:
    """A section with the `file` of its page; `ancestors` are the indexes of its ancestors."""

    section: tree.Section
    ancestors: tuple[int, ...]
    file: str


@dataclass(frozen=True, slots=True)
class _Document:
    """A document of a release, and what its pages share.

    `sections` are in source order; `links` point to them, relative to the document's folder;
    `base_page` is its home without a body.  `versions` are all releases of the product, None for a
    page that links to no other.
    """

    release_document: ReleaseDocument
    release: Release
    sections: tuple[_SectionFile, ...]
    indexes: Indexes
    links: tuple[Link, ...]
    base_page: Page
    addresses: Addresses
    versions: ProductVersions | None

    @property
    def name(self) -> str:
        """Its name in addresses."""
        return self.release_document.manual.name

    def context(self, file: str, aliases: Mapping[str, Sequence[str]]) -> PageContext:
        """The context of the page `file`; `aliases` are further ids of its places, by anchor."""
        path = f"{self.name}/{file}"
        return PageContext(
            self.addresses.from_page(f"{self.release.folder}/{path}"), aliases=aliases,
            availability=versions.availability(path, self.release.version, self.versions),
            image=image_address(self.release_document, ""),
        )


def _documents(
    release: Release, addresses: Addresses, site: SiteInfo, product_versions: ProductVersions | None
) -> Iterator[_Document]:
    """The documents of `release`; `addresses` are those of all its anchors."""
    for document in release.documents:
        document_indexes = indexes.planned_indexes(document.manual, document.names)
        files = _section_files(document.manual, document_indexes.stems())
        links = tuple([
            Link(
                file.section.title, file.file, file.section.number, len(file.ancestors),
                len(file.section.entries),
            )
            for file in files
        ])
        base_page = _base_page(document, document_indexes, release, site)
        yield _Document(
            document, release, files, document_indexes, links,
            replace(
                base_page, report_url=footer.report_url(document, base_page),
                line_url=footer.line_url(document),
            ), addresses,
            product_versions,
        )


def _section_files(manual: tree.Manual, reserved_stems: set[str]) -> tuple[_SectionFile, ...]:
    """The sections of `manual` in source order, with files that have none of `reserved_stems`."""
    result: list[_SectionFile] = []
    ancestors: list[int] = []
    files = [file for _, file in section_files(manual, reserved_stems)]
    for index, (section, depth) in enumerate(tree.sections_with_depth(manual)):
        del ancestors[depth:]
        result.append(_SectionFile(section, tuple(ancestors), files[index]))
        ancestors.append(index)
    return tuple(result)


def _base_page(
    document: ReleaseDocument, document_indexes: Indexes, release: Release, site: SiteInfo
) -> Page:
    """What the pages of one document share, as its home without a body."""
    name = release_name(release)
    path = f"{release.folder}/{document.manual.name}/index.html"
    index = Link(ALL_NAMES_TITLE, f"{ALL_NAMES}.html") if document_indexes.names else None
    return Page(
        kind="manual", path=path, root=root_of(path), title=f"{document.title} - {name}",
        heading=document.title, description=document.description or document.title,
        site=site, product=release.product_title, version=release.version,
        date=date_in(document.manual.header.date), document=document.title,
        home=Link(document.title, "index.html"),
        release=Link(name, "../index.html"),
        single_page=Link("All on one page", f"../{document.manual.name}.html"),
        breadcrumbs=(site_link(site, path), Link(name, "../index.html")),
        source=footer.source_link(document),
        canonical=canonical_address(site, path), index=index,
        markdown=f"../{document.manual.name}.md" if "markdown" in site.exports else "",
        search=SearchScope(
            index.href if index else "index.html",
            ((release.folder, name), *site.shelf_search[:1]),  # and the shelf
            document.manual.name,
        ),
        explain=overview.explain_link(release, "../../"), previews=f"../{PREVIEWS}",
    )


# --- pages of a document --------------------------------------------------------------


def _home(document: _Document) -> Page:
    release_document, links = document.release_document, document.links
    manual = release_document.manual
    context = document.context("index.html", {})
    contents = document_start.contents(manual, context)
    preface = document_start.preface(manual, context)
    if contents and preface:
        contents += f'<h2 id="-preface"{DATA_ADDED}>Preface</h2>\n'
    title_block = document_start.title_block(manual, release_document.title)
    navigation = indexes.home_navigation(document.indexes, links, document.base_page.single_page)
    return replace(
        document.base_page, title_block=Markup(title_block + navigation),
        body=Markup(contents + preface), indexes=indexes.links(document.indexes),
        origin=release_document.origin,
        proof=Link(release_document.proof, PROOF) if release_document.proof else None,
        tree=sidebar.tree(links, None), next=links[0] if links else None,
    )


def _section_page(document: _Document, index: int) -> Page:
    base_page, links, section_file = document.base_page, document.links, document.sections[index]
    section = section_file.section
    name = f"{section.number} {section.title}".strip()
    path = base_page.path.removesuffix("index.html") + section_file.file
    home = Link(base_page.document, "index.html")
    # the bare names of entries: `5.2.html#maxconn`; ids that begin with a dash are the theme's
    names = [(entry.anchor, slug(entry.name)) for entry in section.entries]
    further = further_anchors(
        document.release_document.manual, document.release_document.anchors[index + 1],
        [(anchor, name) for anchor, name in names if name[0] != "-"],
    )
    body = _section_body(section, document.context(section_file.file, further))
    children = _children(document, index)
    page = replace(base_page, path=path)
    return replace(
        page,
        markdown=base_page.markdown and f"{section_file.file.removesuffix('.html')}.md",
        kind="section", title=f"{name} - {base_page.title}", heading=name,
        old_anchors=OLD_ANCHORS if document.release_document.has_old_anchors else "",
        description=sidebar.description(section) or f"{name}, {base_page.title}",
        body=Markup(body),
        breadcrumbs=(
            *base_page.breadcrumbs, home, *(links[ancestor] for ancestor in section_file.ancestors)
        ),
        tree=sidebar.tree(links, index), children=children, on_page=sidebar.on_page(section),
        lines=footer.source_lines(document.release_document, section),
        entry_lines=footer.entry_lines(document.release_document, section),
        report_url=footer.report_url(document.release_document, page, section),
        matrix=MATRIX_PART in body,
        rare_parts=bool(children) or any(part in body for part in RARE_PARTS),
        previous=links[index - 1] if index else home,
        next=links[index + 1] if index + 1 < len(links) else None,
        canonical=canonical_address(base_page.site, path),
    )


def _section_body(section: tree.Section, context: PageContext) -> str:
    """The title and the own text of `section`, with an index of letters above its entries."""
    body = section.body
    entries = (index for index, block in enumerate(body) if isinstance(block, tree.Entry))
    first = next(entries, len(body))
    return mark_source(tree.text_span(section), "".join([
        flow.heading(section, 1, context), flow.blocks(body[:first], context),
        sidebar.letter_index(section), flow.blocks(body[first:], context),
    ]))


def _children(document: _Document, index: int) -> tuple[Link, ...]:
    """Links to the sub-sections of the section `index`, with the counts of entries below them."""
    files = document.sections
    return tuple([
        replace(link, count=link.count + sum(
            other.count for other, file in zip(document.links, files, strict=True)
            if child_index in file.ancestors
        ))
        for child_index, link in enumerate(document.links)
        if files[child_index].ancestors[-1:] == (index,)
    ]) if files[index].section.sections else ()


def _single_page(document: _Document) -> Page:
    """The document on one page."""
    release_document, base_page, name = document.release_document, document.base_page, document.name
    search = base_page.search
    home = Link(base_page.document, f"{name}/index.html")
    release_link = Link(release_name(document.release), "index.html")
    path = f"{base_page.path.removesuffix('/index.html')}.html"
    outline = [
        (section_file.section, len(section_file.ancestors)) for section_file in document.sections
    ]
    chapters = tuple(
        replace(link, href=f"#{section_file.section.anchor}")
        for link, section_file in zip(document.links, document.sections, strict=True)
        if not link.depth
    )
    return replace(
        base_page, kind="single-page", path=path, root=root_of(path),
        report_url=footer.report_url(release_document, replace(base_page, path=path)),
        title=f"{base_page.title} - all on one page",
        body=Markup(single_page(release_document, outline, path, document.addresses)),
        tree=chapters, home=home,
        old_anchors=f"{name}/{OLD_ANCHORS}" if release_document.has_old_anchors else "",
        release=release_link, single_page=None,
        breadcrumbs=(site_link(base_page.site, path), release_link, home),
        source=_link_from_parent(name, base_page.source), origin=release_document.origin,
        entry_lines=footer.entry_lines(release_document),
        markdown=base_page.markdown.removeprefix("../"),
        proof=Link(release_document.proof, f"{name}/{PROOF}") if release_document.proof else None,
        index=_link_from_parent(name, base_page.index),
        search=replace(search, href=f"{name}/{search.href}") if search else None,
        canonical=canonical_address(base_page.site, path),
        explain=overview.explain_link(document.release, "../"), previews=PREVIEWS,
    )


def _link_from_parent(folder: str, link: Link | None) -> Link | None:
    """`link` as seen from the folder above `folder`."""
    return replace(link, href=f"{folder}/{link.href}") if link else None
