"""Where every anchor of a release lies, and the addresses of links to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import quote

from dconv.model.pictures import picture_name
from dconv.model.tree import Manual, Target
from dconv.writers.pages.filenames import IMAGES
from dconv.writers.pages.page import ReleaseDocument


@dataclass(slots=True)
class Addresses:
    """The file of every anchor, by document; filled before the first page is written.

    `files` maps a document to its anchors and their files; `page_anchors` holds for each document
    the anchors that need no fragment, since a file has their section, and nothing else.
    """

    files: dict[str, dict[str, str]] = field(default_factory=dict)
    page_anchors: dict[str, set[str]] = field(default_factory=dict)

    def add(self, document: str, file: str, page_anchor: str, anchors: Iterable[str]) -> None:
        """Note that `file` of `document` is the page of `page_anchor` and holds `anchors`."""
        files = self.files.setdefault(document, {})
        for anchor in anchors:
            files.setdefault(anchor, file)
        files.setdefault(page_anchor, file)
        self.page_anchors.setdefault(document, set()).add(page_anchor)

    def from_page(
        self, document: str, file: str, renamed: Mapping[str, str] = MappingProxyType({})
    ) -> Callable[[Target], str]:
        """What resolves targets for the page `file` of `document`.

        The page that holds all of the document has no `file`, and has the anchors `renamed`.
        """

        def resolve(target: Target) -> str:
            file_of_target = self.files.get(target.document, {}).get(target.anchor)
            if file_of_target is None:
                return ""
            if target.document == document and file in (file_of_target, ""):
                return f"#{renamed.get(target.anchor, target.anchor)}"
            parent = "../" if file else ""
            folder = "" if target.document == document else f"{parent}{target.document}/"
            has_page = target.anchor in self.page_anchors[target.document]
            fragment = "" if has_page else f"#{target.anchor}"
            return f"{folder}{file_of_target}{fragment}"

        return resolve


def picture_address(document: ReleaseDocument, folder: str = "") -> Callable[[str], str]:
    """What returns the address of a picture of `document` by the name that the text has for it.

    It is relative to the document's folder, which `folder` leads to; empty for others.
    """
    names = {name for name, _ in document.pictures}

    def address(file: str) -> str:
        name = picture_name(file)
        return quote(f"{folder}{IMAGES}/{name}") if name in names else ""

    return address


def aliases(manual: Manual) -> dict[str, list[str]]:
    """For the anchors of `manual` the further anchors of their places."""
    aliases_by_anchor: dict[str, list[str]] = {}
    for alias, anchor in manual.aliases:
        aliases_by_anchor.setdefault(anchor, []).append(alias)
    return aliases_by_anchor
