"""The documents of a release as files of bare HTML, for readers that bring their own frame.

An e-reader and a documentation browser have contents, search and styles of their own.  So a
file has the text alone, as on the single page: links, tables and examples, no sidebar.

    split_by_length    as in a book: short sections together, long ones in several files
    split_by_section   a file for each section, as on the site
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from urllib.parse import quote

from dconv.model.anchors import FRAGMENT_CHARACTERS
from dconv.model.lifecycle import date_in
from dconv.model.tree import Block, Entry, Manual, Section, Target, anchors_of, sections_with_depth
from dconv.model.values import dataclass
from dconv.writers.html import document_start, flow, marks
from dconv.writers.html.context import PageContext
from dconv.writers.html.escape import attribute, one_line, text
from dconv.writers.pages.addresses import image_address, relative_path
from dconv.writers.pages.filenames import section_files
from dconv.writers.pages.names import DefinedName
from dconv.writers.pages.overview import canonical_address
from dconv.writers.pages.page import Release, ReleaseDocument, SiteInfo
from dconv.writers.pages.split import release_addresses, release_section_files

EARLIEST_DATE = "1980-01-01"  # the date of a text without one: ZIP archives know none before


@dataclass(frozen=True, slots=True)
class Part:
    """The `body` of `section`, or as much of it as a file has; `depth` counts from 0.

    `has_title` is false for the later files of a long section.
    """

    section: Section
    depth: int
    body: tuple[Block, ...]
    has_title: bool = True


@dataclass(frozen=True, slots=True)
class HtmlFile:
    """The `parts` of a document that are in the file at `path`."""

    path: str
    parts: tuple[Part, ...]


def split_by_section(manual: Manual, folder: str, suffix: str) -> tuple[HtmlFile, ...]:
    """A file in `folder` for each section of `manual`, named as the site's page is."""
    files = [file for _, file in section_files(manual, set())]
    return tuple([
        HtmlFile(
            f"{folder}{file.removesuffix('.html')}{suffix}", (Part(section, depth, section.body),)
        )
        for (section, depth), file in zip(sections_with_depth(manual), files, strict=True)
    ])


def split_by_length(
    manual: Manual, suffix: str, min_lines: int, max_lines: int
) -> tuple[HtmlFile, ...]:
    """Files of `manual`, each with the text of `min_lines` lines of the source, or more.

    A file begins with a chapter; once it has `max_lines`, the next section or entry begins another.
    """
    groups: list[list[Part]] = []
    length = 0
    for section, depth in sections_with_depth(manual):
        if not groups or length >= (max_lines if depth else min_lines):
            groups.append([])
            length = 0
        first, has_title = 0, True
        for index, block in enumerate(section.body):
            if length >= max_lines and isinstance(block, Entry):
                groups[-1].append(Part(section, depth, section.body[first:index], has_title))
                groups.append([])
                first, has_title, length = index, False, 0
            length += block.span.last - block.span.first + 1
        groups[-1].append(Part(section, depth, section.body[first:], has_title))
    width = len(str(len(groups)))
    return tuple([
        HtmlFile(f"chapter-{number:0{width}}{suffix}", tuple(parts))
        for number, parts in enumerate(groups, 1)
    ])


@dataclass(slots=True)
class FileAddresses:
    """Addresses of anchors: `files` has the file of each document and anchor.

    `ids` maps, for each document, anchors to the ids that stand for them in its files.

    `external_address_of` returns the address of a target in no file, or an empty string.
    """

    external_address_of: Callable[[Target], str]
    files: dict[tuple[str, str], str] = field(default_factory=dict)
    ids: dict[str, Mapping[str, str]] = field(default_factory=dict)

    def add(
        self, manual: Manual, front_file: str, html_files: Iterable[HtmlFile],
        ids: Mapping[str, str],
    ) -> None:
        """Note the anchors of `manual`, whose title and preface are in `front_file`.

        `ids` are other names for anchors that the format refuses.
        """
        self.ids[manual.name] = ids
        self.files[manual.name, ""] = front_file
        for anchor in anchors_of(manual.preface):
            self.files.setdefault((manual.name, anchor), front_file)
        for html_file in html_files:
            for part in html_file.parts:
                if part.has_title:
                    self.files.setdefault((manual.name, part.section.anchor), html_file.path)
                for anchor in anchors_of(part.body):
                    self.files.setdefault((manual.name, anchor), html_file.path)

    def address(self, target: Target, file: str = "") -> str:
        """The address of `target` as seen from `file`; empty if it has none."""
        target_file = self.files.get((target.document, target.anchor))
        if target_file is None:
            return self.external_address_of(target)
        anchor = self.ids[target.document].get(target.anchor, target.anchor)
        folder = file.rpartition("/")[0]
        href = "" if target_file == file else quote(relative_path(target_file, folder))
        return f"{href}#{quote(anchor, safe=FRAGMENT_CHARACTERS)}" if anchor else href

    def address_of_name(self, document: str, name: DefinedName) -> str:
        """The address of `name` of `document`, or that of its section."""
        return self.address(Target(document, name.anchor or name.section.anchor))

    def context(
        self, document: ReleaseDocument, file: str, image: Callable[[str], str] | None = None
    ) -> PageContext:
        """What the HTML writer must know of `file` of `document`; `image` finds its images."""
        return PageContext(
            lambda target: self.address(target, file), single_page=True,
            renamed=self.ids[document.manual.name], image=image or image_address(document, ""),
        )


def body_html(
    html_file: HtmlFile, context: PageContext, html_before: Callable[[Block], str] | None = None
) -> str:
    """The HTML of `html_file`, whose first section has a heading of the first level.

    `html_before` returns what to write in front of a block.
    """
    out: list[str] = []
    for part in html_file.parts:
        level = max(1, part.depth - html_file.parts[0].depth + 1)
        body_context = replace(context, level=level + 1)
        if part.has_title:
            out.append(flow.heading(part.section, level, context))
        if html_before is None:
            out.append(flow.blocks(part.body, body_context))
            continue
        for block in part.body:
            out += [html_before(block), flow.blocks((block,), body_context)]
    return _without_marks("".join(out))


def front_html(document: ReleaseDocument, context: PageContext, with_contents: bool) -> str:
    """The title and the preface of `document`, and between them its contents if wanted."""
    manual = document.manual
    title = document_start.title_block(manual, document.title)
    contents = document_start.contents(manual, context) if with_contents else ""
    return _without_marks(title + contents + document_start.preface(manual, context))


def _without_marks(html: str) -> str:
    """`html` without the marks of the proof."""
    return marks.without_marks(html.encode()).decode()


def public_address(release: Release, site: SiteInfo) -> Callable[[Target], str]:
    """A function from a target in `release` to its public address, empty if the site has none."""
    resolve = release_addresses(release, release_section_files(release)).from_page("index.html")

    def address(target: Target) -> str:
        href = resolve(target)
        return canonical_address(site, href) if href else ""

    return address


def date_of(release: Release, documents: Sequence[ReleaseDocument], site: SiteInfo) -> str:
    """The date of `documents` of `release` (`2026-06-03`): the newest that they state.

    Else it is that of the release or of the site.
    """
    stated = [date_in(document.manual.header.date) for document in documents]
    return max(stated, default="") or release.date or site.date or EARLIEST_DATE


def section_title(section: Section) -> str:
    """The title of `section` on one line, with its number."""
    return one_line(f"{section.number} {section.title}")


def subsection_items(
    section: Section, document: str, addresses: FileAddresses, file: str
) -> list[str]:
    """A link from `file` to each section right below `section`, as an item of a list."""
    items: list[str] = []
    for child in section.sections:
        href = attribute(addresses.address(Target(document, child.anchor), file))
        items.append(f'<li><a href="{href}">{text(section_title(child))}</a></li>')
    return items


def document_items(release: Release, suffix: str) -> list[str]:
    """A link to each document of `release`, as an item of a list; `suffix` ends the addresses."""
    return [
        f'<li><a href="{quote(document.manual.name)}{suffix}">{text(document.title)}</a> '
        f"{text(document.description)}</li>"
        for document in release.documents
    ]

