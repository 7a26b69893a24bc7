"""Compressed copies of a site's texts, for servers that send them as they lie there.

The format is gzip's (RFC 1952).  A copy holds neither a name nor a time, so that the same
text has the same copy, which then keeps its own time of modification on the disk.
"""

from __future__ import annotations

import zlib
from collections.abc import Generator, Iterable

SUFFIX = ".gz"
# texts that browsers and other programs ask for; pictures and objects.inv are compressed
TEXTS = (".html", ".css", ".js", ".json", ".svg", ".txt", ".xml")
LEVEL = 9
# RFC 1952, 2.3: magic, deflate, no flags, no time, slowest, unknown system
HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"


def with_copies(
    files: Iterable[tuple[str, bytes]]
) -> Generator[tuple[str, bytes], None, None]:
    """`files` (path, content), each text followed by its copy where that is smaller."""
    for path, content in files:
        yield path, content
        if path.endswith(TEXTS):
            copy = gzipped(content)
            if len(copy) < len(content):
                yield f"{path}{SUFFIX}", copy


def gzipped(content: bytes) -> bytes:
    """`content` in gzip's format, the same bytes at any time."""
    deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = deflate.compress(content) + deflate.flush()
    size = len(content) & 0xFFFFFFFF
    return b"".join(
        (HEADER, body, zlib.crc32(content).to_bytes(4, "little"), size.to_bytes(4, "little"))
    )
