"""Where every anchor of a release lies, and the addresses of links to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from posixpath import dirname, relpath
from types import MappingProxyType
from urllib.parse import quote

from dconv.model.images import image_name
from dconv.model.tree import Manual, Target
from dconv.model.values import dataclass
from dconv.writers.pages.filenames import IMAGES
from dconv.writers.pages.page import ReleaseDocument


@dataclass(slots=True)
class Addresses:
    """The page of every anchor, by document; filled before the first page is written.

    All paths are below the site's root.  `pages` has the page of each document that is on one;
    for any other, `pages_by_anchor` has the page of each anchor, and `page_anchors` the anchors
    that need no fragment, since a page has their section, and nothing else.
    """

    pages_by_anchor: dict[str, dict[str, str]] = field(default_factory=dict)
    page_anchors: dict[str, set[str]] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)

    def add(self, document: str, path: str, page_anchor: str, anchors: Iterable[str]) -> None:
        """Note that `path` is the page of `page_anchor` of `document` and holds `anchors`."""
        pages = self.pages_by_anchor.setdefault(document, {})
        for anchor in anchors:
            pages.setdefault(anchor, path)
        pages.setdefault(page_anchor, path)
        self.page_anchors.setdefault(document, set()).add(page_anchor)

    def from_page(
        self, path: str, whole_document: str = "",
        renamed: Mapping[str, str] = MappingProxyType({}),
    ) -> Callable[[Target], str]:
        """A function that resolves targets for the page `path`, relative to it.

        It may hold all of the `whole_document`, with the anchors `renamed`.
        """
        folder = dirname(path)
        relative_paths: dict[str, str] = {}

        def resolve(target: Target) -> str:
            document, anchor = target.document, target.anchor
            page = self.pages.get(document) or self.pages_by_anchor.get(document, {}).get(anchor)
            if page is None:
                return ""
            if page == path or document == whole_document:
                return f"#{renamed.get(anchor, anchor)}"
            if page not in relative_paths:
                relative_paths[page] = relative_path(page, folder)
            if not anchor or anchor in self.page_anchors.get(document, ()):
                return relative_paths[page]
            return f"{relative_paths[page]}#{anchor}"

        return resolve


def relative_path(path: str, folder: str) -> str:
    """The relative path from `folder` to `path`; both are below the site's root, which is ""."""
    return relpath(f"/{path}", f"/{folder}")


def image_address(document: ReleaseDocument, folder: str) -> Callable[[str], str]:
    """A function from an image's name in the text of `document` to the image's address.

    `folder` is the relative path from the page to the document's folder, empty or with a slash at
    its end.  The address of a file that is not one of its images is empty.
    """
    names = {name for name, _ in document.images}

    def address(file: str) -> str:
        name = image_name(file)
        return quote(f"{folder}{IMAGES}/{name}") if name in names else ""

    return address


def image_files(documents: Iterable[ReleaseDocument]) -> Iterator[tuple[str, bytes]]:
    """The images that `documents` show, each once, with paths below the folder of their release."""
    for document in documents:
        for name, content in document.shown_images.items():
            yield f"{document.manual.name}/{IMAGES}/{name}", content


def further_anchors(
    manual: Manual, anchors_of_page: Iterable[str] = (), names: Iterable[tuple[str, str]] = ()
) -> dict[str, list[str]]:
    """Further anchors, by the anchor in `manual` that has the same place: `names` and aliases.

    `names` are anchors of entries, each with a name; the first entry of a name gets it, unless it
    is one of `anchors_of_page` or of the aliases.
    """
    used_anchors = {*anchors_of_page, *(alias for alias, _ in manual.aliases)}
    further: dict[str, list[str]] = {}
    for anchor, name in names:
        if name not in used_anchors:
            used_anchors.add(name)
            further.setdefault(anchor, []).append(name)
    for alias, anchor in manual.aliases:
        further.setdefault(anchor, []).append(alias)
    return further
