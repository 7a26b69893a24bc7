"""Fewer requests: sheets, or scripts, that every page loads, joined; small pictures in pages.

Joined, they do what they did one after the other, but for this: a script that the
browser cannot read, or that fails, takes those behind it along.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from urllib.parse import quote

# what only counts at the start of a sheet
FIRST = re.compile(rb"@(?:charset|import|namespace)\b")
# what may hold braces that open and close nothing: 'content: "{"', "/* { */"
QUOTED = re.compile(rb"""/\*.*?\*/|"[^"\n]*"|'[^'\n]*'""", re.DOTALL)

EMBEDDED = 1000  # bytes of a picture that is worth no request
PICTURES = ((".svg", "image/svg+xml"), (".png", "image/png"), (".ico", "image/x-icon"))


def sheets(files: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
    """The sheets `files` in as few as may be: of how many each is made, and its content.

    A sheet that imports others starts anew, and so does what follows one whose braces
    do not match, for it would be swallowed.
    """
    group: list[bytes] = []
    for content in files:
        if group and (FIRST.search(content) or not _closed(group[-1])):
            yield len(group), b"\n".join(group)
            group = []
        group.append(content)
    if group:
        yield len(group), b"\n".join(group)


def _closed(sheet: bytes) -> bool:
    plain = QUOTED.sub(b"", sheet)
    return plain.count(b"{") == plain.count(b"}") and b"/*" not in plain


def script(files: Sequence[bytes]) -> bytes:
    """The classic scripts `files` as one.

    The semicolons end what the script before left open, and keep its "use strict"
    from the others.
    """
    return b"".join(b";%b\n" % content for content in files)


def embedded(name: str, content: bytes) -> str:
    """The picture `content` as an address that holds it (RFC 2397), or empty where it is large."""
    kind = dict(PICTURES).get(PurePosixPath(name).suffix)
    if kind is None or len(content) > EMBEDDED:
        return ""
    return f"data:{kind},{quote(content, safe=' =:/')}"
