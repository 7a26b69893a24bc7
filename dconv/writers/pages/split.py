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
from dataclasses import dataclass, replace

from markupsafe import Markup

from dconv.model import anchors as naming
from dconv.model.tree import Entry, Manual, Section, Table, walk
from dconv.writers.html import flow, front
from dconv.writers.html.context import PageContext
from dconv.writers.html.marks import ADDED, source_text
from dconv.writers.pages import footer, indexes, overview, sidebar, versions
from dconv.writers.pages.addresses import Addresses, anchors
from dconv.writers.pages.filenames import ALL, ALL_TITLE, OLD_ANCHORS, PROOF, section_files
from dconv.writers.pages.indexes import Indexes
from dconv.writers.pages.listings import Link
from dconv.writers.pages.overview import canonical_address, release_name, root_of
from dconv.writers.pages.page import Page, Release, ReleaseDocument, Search, SiteInfo
from dconv.writers.pages.single_page import single_page
from dconv.writers.pages.versions import Versions


def release_pages(
    release: Release, site: SiteInfo, others: Versions | None = None
) -> Iterator[Page]:
    """All pages of `release`: its home, then those of each document in turn.

    Their HTML has the marks of the proof (see `dconv.writers.html.marks`).
    `others` are all releases of the product, this one too, where there are more.
    """
    for page in _pages(release, site, others):
        yield versions.with_versions(page, others, release.version)


def _pages(release: Release, site: SiteInfo, others: Versions | None) -> Iterator[Page]:
    """The pages of `release` without their links to `others`."""
    yield overview.release_home(release, site)
    for document in _documents(release, site, others):
        yield _home(document)
        yield from (_section_page(document, at) for at in range(len(document.sections)))
        frame = replace(document.frame, tree=sidebar.tree(document.links, None))
        yield from indexes.index_pages(document.indexes, frame, document.links)
        yield _single_page(document)


def release_sections(release: Release) -> dict[str, list[str]]:
    """The files of the sections of each document of `release`, in source order."""
    files: dict[str, list[str]] = {}
    for document in release.documents:
        stems = indexes.plan(document.manual, document.names).stems()
        files[document.manual.name] = [file for _, file in section_files(document.manual, stems)]
    return files


# --- documents ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _SectionFile:
    """A section with the `file` of its page; `above` are the indexes of its ancestors."""

    section: Section
    above: tuple[int, ...]
    file: str


@dataclass(frozen=True, slots=True)
class _Document:
    """A document of a release, and what its pages share.

    `sections` are in source order; `links` point to them, relative to the document's folder;
    `frame` is its home without a body.  `others` are all releases of the product.
    """

    published: ReleaseDocument
    release: Release
    sections: tuple[_SectionFile, ...]
    indexes: Indexes
    links: tuple[Link, ...]
    frame: Page
    addresses: Addresses
    others: Versions | None

    @property
    def name(self) -> str:
        """Its name in addresses."""
        return self.published.manual.name

    def context(self, file: str, aliases: Mapping[str, Sequence[str]]) -> PageContext:
        """What the HTML writer must know of the page `file`, whose places have `aliases`, too."""
        path = f"{self.name}/{file}"
        return PageContext(
            self.addresses.from_page(self.name, file), aliases=aliases,
            availability=versions.availability(path, self.release.version, self.others),
        )


def _documents(
    release: Release, site: SiteInfo, others: Versions | None
) -> Iterator[_Document]:
    """The documents of `release`, which know the addresses of all."""
    addresses = Addresses()
    outlines: list[tuple[ReleaseDocument, Indexes, tuple[_SectionFile, ...]]] = []
    for published in release.documents:
        plan = indexes.plan(published.manual, published.names)
        placed_sections = _section_files(published.manual, plan.stems())
        outlines.append((published, plan, placed_sections))
        name = published.manual.name
        addresses.add(name, "index.html", "", anchors(published.manual.preface))
        for placed in placed_sections:
            addresses.add(name, placed.file, placed.section.anchor, anchors(placed.section.body))
    for published, plan, placed_sections in outlines:
        frame = _frame(published, plan, release, site)
        yield _Document(
            published, release, placed_sections, plan, tuple(map(_link, placed_sections)),
            replace(frame, report=footer.report(published, frame)), addresses, others,
        )


def _section_files(manual: Manual, stems: set[str]) -> tuple[_SectionFile, ...]:
    """The sections of `manual` in source order, with files that none of `stems` has."""
    files = section_files(manual, stems)
    placed_sections: list[_SectionFile] = []
    stack: list[tuple[Section, tuple[int, ...]]]
    stack = [(section, ()) for section in reversed(manual.sections)]
    while stack:
        section, above = stack.pop()
        _, file = next(files)  # the same order
        below = (*above, len(placed_sections))
        placed_sections.append(_SectionFile(section, above, file))
        stack += [(child, below) for child in reversed(section.sections)]
    return tuple(placed_sections)


def _link(placed: _SectionFile) -> Link:
    section = placed.section
    return Link(
        section.title, placed.file, section.number, len(placed.above),
        front.entry_count(section.body),
    )


def _frame(published: ReleaseDocument, plan: Indexes, release: Release, site: SiteInfo) -> Page:
    """What the pages of one document share, as its home without a body."""
    name = release_name(release)
    folder = f"{release.product_name}/{release.version}"
    path = f"{folder}/{published.manual.name}/index.html"
    root = root_of(path)
    index = Link(ALL_TITLE, f"{ALL}.html") if plan.names else None
    return Page(
        kind="manual", path=path, root=root, title=f"{published.title} - {name}",
        heading=published.title, description=published.description or published.title,
        site=site, product=release.product_title, version=release.version,
        document=published.title, home=Link(published.title, "index.html"),
        release=Link(name, "../index.html"),
        whole=Link("All on one page", f"../{published.manual.name}.html"),
        breadcrumbs=(Link(site.title, f"{root}index.html"), Link(name, "../index.html")),
        source=footer.source(published),
        canonical=canonical_address(site, path),
        index=index,
        search=Search(
            index.href if index else "index.html", ((folder, name),), published.manual.name
        ),
    )


# --- pages of a document --------------------------------------------------------------


def _home(document: _Document) -> Page:
    published, manual, links = document.published, document.published.manual, document.links
    context = document.context("index.html", {})
    contents, preface = front.contents(manual, context), front.preface(manual, context)
    if contents and preface:
        contents += f'<h2 id="-preface"{ADDED}>Preface</h2>\n'
    cover = front.cover(manual, published.title)
    ways_in = indexes.entry_points(document.indexes, links, document.frame.whole)
    return replace(
        document.frame,
        cover=Markup(cover + ways_in),
        body=Markup(contents + preface),
        indexes=indexes.links(document.indexes),
        origin=published.origin,
        proof=Link(published.proof, PROOF) if published.proof else None,
        tree=sidebar.tree(links, None),
        next=links[0] if links else None,
    )


def _section_page(document: _Document, at: int) -> Page:
    frame, links, placed = document.frame, document.links, document.sections[at]
    section = placed.section
    name = f"{section.number} {section.title}".strip()
    path = frame.path.removesuffix("index.html") + placed.file
    home = Link(frame.document, "index.html")
    page = replace(frame, path=path)
    return replace(
        page,
        kind="section", title=f"{name} - {frame.title}", heading=name,
        description=sidebar.description(section) or f"{name}, {frame.title}",
        body=Markup(_section_body(section, document.context(placed.file, _short_names(section)))),
        breadcrumbs=(*frame.breadcrumbs, home, *(links[index] for index in placed.above)),
        tree=sidebar.tree(links, at),
        children=_children(document, at),
        on_page=sidebar.on_page(section),
        lines=footer.source_lines(document.published, section),
        report=footer.report(document.published, page, section),
        matrix=any(
            isinstance(node, Table) and node.kind == "matrix" for node in walk(section.body)
        ),
        previous=links[at - 1] if at else home,
        next=links[at + 1] if at + 1 < len(links) else None,
        canonical=canonical_address(frame.site, path),
    )


def _section_body(section: Section, context: PageContext) -> str:
    """The title and the own text of `section`, with an index of letters above its entries."""
    body = section.body
    first = next((at for at, block in enumerate(body) if isinstance(block, Entry)), len(body))
    return source_text(front.text_span(section), "".join([
        flow.heading(section, 1, context),
        flow.blocks(body[:first], context),
        sidebar.letter_index(section),
        flow.blocks(body[first:], context),
    ]))


def _short_names(section: Section) -> dict[str, tuple[str]]:
    """For the anchors of entries one more, the bare name: `5.2.html#maxconn`.

    A page of entries has each name once, as a rule; where not, anchors alone count.
    """
    taken = {section.anchor, *anchors(section.body)}
    names: dict[str, tuple[str]] = {}
    for block in section.body:
        if isinstance(block, Entry):
            name = naming.slug(block.name)
            if name not in taken and name[0] != "-":
                taken.add(name)
                names[block.anchor] = (name,)
    return names


def _children(document: _Document, at: int) -> tuple[Link, ...]:
    """Links to the sub-sections of the section `at`, each with the entries below it."""
    return tuple(
        replace(link, count=_entries_below(document, child))
        for child, link in enumerate(document.links)
        if document.sections[child].above[-1:] == (at,)
    ) if document.sections[at].section.sections else ()


def _entries_below(document: _Document, at: int) -> int:
    """How many entries the section `at` has, with those of its sub-sections."""
    return document.links[at].count + sum(
        link.count for link, placed in zip(document.links, document.sections, strict=True)
        if at in placed.above
    )


def _single_page(document: _Document) -> Page:
    """The document on one page."""
    published, frame, name = document.published, document.frame, document.name
    path = f"{frame.path.removesuffix('/index.html')}.html"
    outline = [(placed.section, len(placed.above)) for placed in document.sections]
    tree = tuple(
        replace(link, href=f"#{placed.section.anchor}")
        for link, placed in zip(document.links, document.sections, strict=True) if not link.depth
    )
    return replace(
        frame,
        kind="whole", path=path, root=root_of(path),
        report=footer.report(published, replace(frame, path=path)),
        title=f"{frame.title} - all on one page",
        body=Markup(single_page(published, outline, document.addresses)),
        tree=tree, old_anchors=f"{name}/{OLD_ANCHORS}" if published.old_anchors else "",
        home=Link(frame.document, f"{name}/index.html"),
        release=Link(_release_title(frame), "index.html"), whole=None,
        breadcrumbs=(
            Link(frame.site.title, f"{root_of(path)}index.html"),
            Link(_release_title(frame), "index.html"),
            Link(frame.document, f"{name}/index.html"),
        ),
        source=replace(frame.source, href=f"{name}/{frame.source.href}") if frame.source else None,
        origin=published.origin,
        proof=Link(published.proof, f"{name}/{PROOF}") if published.proof else None,
        index=replace(frame.index, href=f"{name}/{frame.index.href}") if frame.index else None,
        search=replace(frame.search, href=f"{name}/{frame.search.href}") if frame.search else None,
        canonical=canonical_address(frame.site, path),
    )


def _release_title(frame: Page) -> str:
    return frame.release.title if frame.release else frame.version
