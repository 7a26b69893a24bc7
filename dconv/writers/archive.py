"""Files as one archive, with the same bytes whenever and by whomever it is made."""

from __future__ import annotations

import io
import tarfile
import zlib
from collections.abc import Iterable

EARLIEST_ZIP_DATE = (1980, 1, 1, 0, 0, 0)  # the first date that a ZIP archive can hold
MODIFICATION_TIME = 315_532_800  # 1980-01-01, the time of all files


def tgz(files: Iterable[tuple[str, bytes]]) -> bytes:
    """`files` (path, content) as a tar archive, compressed as by gzip."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path, content in files:
            info = tarfile.TarInfo(path)
            info.size, info.mtime, info.mode = len(content), MODIFICATION_TIME, 0o644
            tar.addfile(info, io.BytesIO(content))
    return gzipped(archive.getvalue())


def gzipped(content: bytes) -> bytes:
    """`content` in gzip's format (RFC 1952), without a name and a time."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    return deflate.compress(content) + deflate.flush()
