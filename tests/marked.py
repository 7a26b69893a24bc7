"""HTML as the proof reads it: with marks, and links that show their target."""

from __future__ import annotations

import re

from dconv.writers.html.context import PageContext

CONTEXT = PageContext(lambda target: f"dconv:{target.document}#{target.anchor}", marks=True)
# the comments, and a tag with one or more of the attributes
MARKS = re.compile(r"<!--/?text\b[^>]*-->|<[a-z][^<>]*? data-(?:added|lines=|from=)[^<>]*>")
MARK = re.compile(r'("[^"]*")| data-(?:added|(?:lines|from)="[^"]*")(?=[ >])')


def without_marks(page: str) -> str:
    """`page` without the marks of the proof, all else as it stands."""

    def bare(match: re.Match[str]) -> str:
        tag = match[0]
        return "" if tag[1] == "!" else MARK.sub(lambda mark: mark[1] or "", tag)

    return MARKS.sub(bare, page)
