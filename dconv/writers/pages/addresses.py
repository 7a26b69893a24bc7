"""Where every anchor of a release lies, and relative addresses to it.

`html` writes a link as `<a href="dconv:DOCUMENT#ANCHOR"`; here it becomes the
address of the file that holds the anchor, as seen from the page with the link.
An anchor that no page has makes an `<a>` without an address, never a dead link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

# '<a href="dconv:configuration#timeout-client"'
LINK = re.compile(r'<a href="dconv:([^"#]*)#([^"]*)"')
# '<dt id="balance.leastconn"'
IDENTITY = re.compile(r'<\w+ id="([^"]*)"')


@dataclass(slots=True)
class Places:
    """The file of every anchor, by document; filled while a release is cut into pages.

    Anchors are kept as they are written in attributes (escaped).  `files` maps
    a document to its anchors, `own` holds for each document those anchors that
    need no fragment since a file is theirs.
    """

    files: dict[str, dict[str, str]] = field(default_factory=dict)
    own: dict[str, set[str]] = field(default_factory=dict)

    def add(self, document: str, file: str, own: str, fragments: Iterable[str]) -> None:
        """Note that `file` of `document` holds the anchor `own` and those in `fragments`."""
        files = self.files.setdefault(document, {})
        for fragment in fragments:
            for anchor in IDENTITY.findall(fragment):
                files.setdefault(anchor, file)
        files.setdefault(own, file)
        self.own.setdefault(document, set()).add(own)

    def in_page(self, body: str, document: str, file: str) -> str:
        """`body` of the page `file` of `document` with relative addresses."""

        def link(match: re.Match[str]) -> str:
            other, anchor = match[1], match[2]
            target = self.files.get(other, {}).get(anchor)
            if target is None:
                return "<a"
            if target == file and other == document:
                return f'<a href="#{anchor}"'
            folder = "" if other == document else f"../{other}/"
            fragment = "" if anchor in self.own[other] else f"#{anchor}"
            return f'<a href="{folder}{target}{fragment}"'

        return LINK.sub(link, body)

    def in_whole(self, body: str, document: str) -> str:
        """`body` of the edition of `document` on one page with relative addresses."""

        def link(match: re.Match[str]) -> str:
            other, anchor = match[1], match[2]
            target = self.files.get(other, {}).get(anchor)
            if target is None:
                return "<a"
            if other == document:
                return f'<a href="#{anchor}"'
            fragment = "" if anchor in self.own[other] else f"#{anchor}"
            return f'<a href="{other}/{target}{fragment}"'

        return LINK.sub(link, body)
