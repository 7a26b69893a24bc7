"""Read regular files only: neither pipes, devices nor huge files."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from dconv.sources.types import MAX_FILE_SIZE


def read_regular_file(path: Path, limit: int = MAX_FILE_SIZE) -> bytes:
    """The content of the regular file `path`; raises `OSError` for a larger one and for others.

    Reading a pipe or a device might never end.
    """
    state = path.stat()
    if not stat.S_ISREG(state.st_mode) or state.st_size > limit:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return path.read_bytes()
