"""How a manual is cut into pages: `Page` values that hold all that a theme shows.

    index.html                             all products and releases
    haproxy/3.4/index.html                 the documents of a release
    haproxy/3.4/configuration/index.html   the home of a document
    haproxy/3.4/configuration/4.2.html     a section
    haproxy/3.4/configuration/keywords.html  all names, see indexes.py
    haproxy/3.4/configuration.html         the whole document on one page
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from markupsafe import Markup

from dconv.model import anchors as naming
from dconv.model.tree import Entry, Section
from dconv.writers.html import flow as html
from dconv.writers.html import front
from dconv.writers.html.escape import attribute
from dconv.writers.legacy.old_anchors import old_anchors
from dconv.writers.pages import foot, indexes, overview, sidebar, versions
from dconv.writers.pages.addresses import IDENTITY, Places
from dconv.writers.pages.filenames import ALL, ALL_TITLE, section_files
from dconv.writers.pages.indexes import Indexes
from dconv.writers.pages.overview import canonical_address, release_name, root_of
from dconv.writers.pages.page import Edition, Link, Page, Published, Release, Search
from dconv.writers.pages.single_page import with_aliases
from dconv.writers.pages.strip import with_letters
from dconv.writers.pages.trimmed import trimmed
from dconv.writers.pages.versions import Versions

PROOF = "proof.json"  # beside a document's home: what became of its lines
OLD_ANCHORS = "old-anchors.js"  # the same: where old anchors lead to
DEEPEST = 6  # of headings in HTML
# '<section id="server-option.maxconn" class="entry">', then '<h2 …><a href="#server-option…"'
ENTRY = re.compile(r'<section id="([^"]*)" class="entry">\n<h2(?=[^>]*><a href="#\1")')


def release_pages(
    release: Release, edition: Edition, others: Versions | None = None
) -> Iterator[Page]:
    """All pages of `release`: its home, then those of each document in turn.

    `others` are all releases of the product, this one too, where there are more.
    """
    places = Places()
    cuts = [_cut(document, places) for document in release.documents]
    yield versions.fitted(overview.release_home(release, edition), others, release.version)
    for cut in cuts:
        for page in _manual_pages(cut, release, edition, places):
            yield versions.fitted(page, others, release.version)


def release_sections(release: Release) -> dict[str, list[str]]:
    """The files of the sections of each document of `release`, in source order."""
    found: dict[str, list[str]] = {}
    for document in release.documents:
        stems = indexes.plan(document.manual, document.names).stems()
        found[document.manual.name] = [file for _, file in section_files(document.manual, stems)]
    return found


# --- cutting a manual -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Piece:
    """A section with its place in the outline: `above` are its ancestors' indexes."""

    section: Section
    above: tuple[int, ...]
    file: str
    body: str


@dataclass(frozen=True, slots=True)
class _Cut:
    """A document as finished fragments, not yet localised."""

    document: Published
    cover: str
    front: str
    pieces: tuple[_Piece, ...]
    indexes: Indexes


def _cut(document: Published, places: Places) -> _Cut:
    """The fragments of `document`; their anchors are noted in `places`."""
    manual = document.manual
    cover = front.cover(manual, document.title)
    home = front.preface(manual) + front.contents(manual)
    places.add(manual.name, "index.html", "", [home])
    found = indexes.plan(manual, document.names)
    files = section_files(manual, found.stems())
    pieces: list[_Piece] = []
    stack: list[tuple[Section, tuple[int, ...]]]
    stack = [(section, ()) for section in reversed(manual.sections)]
    while stack:
        section, above = stack.pop()
        _, file = next(files)  # the same order
        body = html.blocks(section.body)
        places.add(manual.name, file, attribute(section.anchor), [body])
        below = (*above, len(pieces))
        pieces.append(_Piece(section, above, file, body))
        stack += [(child, below) for child in reversed(section.sections)]
    return _Cut(document, cover, home, tuple(pieces), found)


# --- the pages of a manual ------------------------------------------------------------


def _manual_pages(
    cut: _Cut, release: Release, edition: Edition, places: Places
) -> Iterator[Page]:
    links = tuple(_link(piece) for piece in cut.pieces)
    frame = _frame(cut, release, edition)
    frame = replace(frame, report=foot.report(cut.document, frame))
    yield _home(cut, frame, links, places)
    for at in range(len(cut.pieces)):
        yield _section_page(cut, at, frame, links, places)
    framed = replace(frame, tree=sidebar.tree(links, None))
    yield from indexes.index_pages(cut.indexes, framed, links)
    yield _whole(cut, frame, links, places)


def _link(piece: _Piece) -> Link:
    section = piece.section
    return Link(
        section.title, piece.file, section.number, len(piece.above),
        front.entry_count(section.body),
    )


def _frame(cut: _Cut, release: Release, edition: Edition) -> Page:
    """What the pages of one manual share, as its home without a body."""
    document = cut.document
    name = release_name(release)
    folder = f"{release.product_name}/{release.version}"
    path = f"{folder}/{document.manual.name}/index.html"
    root = root_of(path)
    index = Link(ALL_TITLE, f"{ALL}.html") if cut.indexes.names else None
    return Page(
        kind="manual", path=path, root=root, title=f"{document.title} - {name}",
        heading=document.title, description=document.description or document.title,
        edition=edition, product=release.product_title, version=release.version,
        document=document.title, home=Link(document.title, "index.html"),
        release=Link(name, "../index.html"),
        whole=Link("All on one page", f"../{document.manual.name}.html"),
        breadcrumbs=(Link(edition.title, f"{root}index.html"), Link(name, "../index.html")),
        source=foot.source(document),
        canonical=canonical_address(edition, path),
        index=index,
        search=Search(
            index.href if index else "index.html", ((folder, name),), document.manual.name
        ),
    )


def _home(cut: _Cut, frame: Page, links: tuple[Link, ...], places: Places) -> Page:
    ways_in = indexes.doors(cut.indexes, links, frame.whole)
    document, manual = cut.document, cut.document.manual
    contents, preface = front.contents(manual), front.preface(manual)
    if contents and preface:
        contents += '<h2 id="-preface" data-added>Preface</h2>\n'
    below = places.in_page(contents + preface, manual.name, "index.html")
    return replace(
        frame,
        cover=Markup(cut.cover + ways_in),
        body=Markup(below),
        indexes=indexes.links(cut.indexes),
        origin=document.origin,
        proof=Link(document.proof, PROOF) if document.proof else None,
        tree=sidebar.tree(links, None),
        next=links[0] if links else None,
    )


def _section_page(
    cut: _Cut, at: int, frame: Page, links: tuple[Link, ...], places: Places
) -> Page:
    piece = cut.pieces[at]
    section = piece.section
    fragment = html.proven(front.text_span(section), html.heading(section, 1) + piece.body)
    body = places.in_page(fragment, cut.document.manual.name, piece.file)
    name = f"{section.number} {section.title}".strip()
    path = frame.path.removesuffix("index.html") + piece.file
    home = Link(frame.document, "index.html")
    page = replace(frame, path=path)
    return replace(
        page,
        kind="section", title=f"{name} - {frame.title}", heading=name,
        description=sidebar.description(section) or f"{name}, {frame.title}",
        body=Markup(with_letters(_with_bare_names(body, section), section)),
        breadcrumbs=(*frame.breadcrumbs, home, *(links[index] for index in piece.above)),
        tree=sidebar.tree(links, at),
        children=tuple(
            replace(link, count=_below(cut, links, child))
            for child, link in enumerate(links)
            if cut.pieces[child].above[-1:] == (at,)
        ) if section.sections else (),
        on_page=sidebar.on_page(section),
        lines=foot.source_lines(cut.document, section),
        report=foot.report(cut.document, page, section),
        matrix='<table class="matrix"' in piece.body,
        previous=links[at - 1] if at else home,
        next=links[at + 1] if at + 1 < len(links) else None,
        canonical=canonical_address(frame.edition, path),
    )


def _below(cut: _Cut, links: tuple[Link, ...], at: int) -> int:
    """How many entries the section `at` has, with those of its sub-sections."""
    return links[at].count + sum(
        link.count for link, piece in zip(links, cut.pieces, strict=True) if at in piece.above
    )


def _with_bare_names(body: str, section: Section) -> str:
    """`body`, where entries are found by their bare names, too: `5.2.html#maxconn`.

    One page of entries has each name once, as a rule; where not, anchors alone count.
    """
    known = set(IDENTITY.findall(body))
    wanted: dict[str, str] = {}
    for block in section.body:
        if isinstance(block, Entry):
            bare = attribute(naming.slug(block.name))
            if bare not in known and bare[0] != "-":
                known.add(bare)
                wanted[attribute(block.anchor)] = bare

    def named(match: re.Match[str]) -> str:
        other = wanted.get(match[1])
        return f'{match[0]} id="{other}"' if other else match[0]

    return ENTRY.sub(named, body) if wanted else body


def _whole_body(cut: _Cut, places: Places) -> str:
    """The same fragments as of the pages, headings put under the manual's title."""
    parts = [cut.cover, cut.front]
    parts += [
        html.proven(
            front.text_span(piece.section),
            html.heading(piece.section, min(DEEPEST, 2 + len(piece.above)))
            + _lowered(piece.body, 1 + len(piece.above)),
        )
        for piece in cut.pieces
    ]
    body = places.in_whole("".join(parts), cut.document.manual.name)
    if cut.document.old_anchors:
        body = with_aliases(body, old_anchors(cut.document.manual).table())
    return trimmed(body)


def _whole(cut: _Cut, frame: Page, links: tuple[Link, ...], places: Places) -> Page:
    """The manual on one page."""
    name, known = cut.document.manual.name, cut.document.old_anchors
    path = f"{frame.path.removesuffix('/index.html')}.html"
    body = _whole_body(cut, places)
    tree = tuple(
        replace(link, href=f"#{piece.section.anchor}")
        for link, piece in zip(links, cut.pieces, strict=True) if not link.depth
    )
    return replace(
        frame,
        kind="whole", path=path, root=root_of(path),
        report=foot.report(cut.document, replace(frame, path=path)),
        title=f"{frame.title} - all on one page",
        body=Markup(body), tree=tree, old_anchors=f"{name}/{OLD_ANCHORS}" if known else "",
        home=Link(frame.document, f"{name}/index.html"),
        release=Link(_release_title(frame), "index.html"), whole=None,
        breadcrumbs=(
            Link(frame.edition.title, f"{root_of(path)}index.html"),
            Link(_release_title(frame), "index.html"),
            Link(frame.document, f"{name}/index.html"),
        ),
        source=replace(frame.source, href=f"{name}/{frame.source.href}") if frame.source else None,
        origin=cut.document.origin,
        proof=Link(cut.document.proof, f"{name}/{PROOF}") if cut.document.proof else None,
        index=replace(frame.index, href=f"{name}/{frame.index.href}") if frame.index else None,
        search=replace(frame.search, href=f"{name}/{frame.search.href}") if frame.search else None,
        canonical=canonical_address(frame.edition, path),
    )


def _release_title(frame: Page) -> str:
    return frame.release.title if frame.release else frame.version


def _lowered(body: str, by: int) -> str:
    """`body` with its headings, which are `h2` and `h3`, lowered by `by` levels."""
    for level in (3, 2):
        name = f"h{min(DEEPEST, level + by)}"
        body = body.replace(f"<h{level}", f"<{name}").replace(f"</h{level}>", f"</{name}>")
    return body
