"""Where every anchor of a release lies, and the addresses of links to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from dconv.model.tree import Block, Definition, Entry, Heading, Table, Target, walk


@dataclass(slots=True)
class Addresses:
    """The file of every anchor, by document; filled before the first page is written.

    `files` maps a document to its anchors and their files; `whole` holds for each document
    the anchors that need no fragment, since a file has their section, and nothing else.
    """

    files: dict[str, dict[str, str]] = field(default_factory=dict)
    whole: dict[str, set[str]] = field(default_factory=dict)

    def add(self, document: str, file: str, own: str, anchors: Iterable[str]) -> None:
        """Note that `file` of `document` is that of the anchor `own` and holds `anchors`."""
        files = self.files.setdefault(document, {})
        for anchor in anchors:
            files.setdefault(anchor, file)
        files.setdefault(own, file)
        self.whole.setdefault(document, set()).add(own)

    def from_page(
        self, document: str, file: str, renamed: Mapping[str, str] = MappingProxyType({})
    ) -> Callable[[Target], str]:
        """What resolves targets for the page `file` of `document`.

        The page that holds all of the document has no `file`, and has the anchors `renamed`.
        """

        def resolve(target: Target) -> str:
            where = self.files.get(target.document, {}).get(target.anchor)
            if where is None:
                return ""
            if target.document == document and file in (where, ""):
                return f"#{renamed.get(target.anchor, target.anchor)}"
            up = "../" if file else ""
            folder = "" if target.document == document else f"{up}{target.document}/"
            fragment = "" if target.anchor in self.whole[target.document] else f"#{target.anchor}"
            return f"{folder}{where}{fragment}"

        return resolve


def anchors(blocks: tuple[Block, ...]) -> Iterator[str]:
    """The anchors that the HTML of `blocks` has, in source order."""
    for node in walk(blocks):
        match node:
            case Entry():
                yield node.anchor
                for signature in node.signatures:
                    if signature.anchor:
                        yield signature.anchor
            case Heading(anchor=anchor) if anchor:
                yield anchor
            case Definition():
                for term in node.terms:
                    if term.anchor:
                        yield term.anchor
            case Table():
                for row in node.rows:
                    if row.anchor:
                        yield row.anchor
            case _:
                pass
