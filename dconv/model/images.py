"""The names of images: as texts write them, and as the files of a site."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote, urlsplit

# names of files that every server and file system takes: "img/rise-2.png"
PORTABLE_NAME = re.compile(r"[\w.@+~-][\w .@+~/-]*", re.ASCII)


def image_name(file: str) -> str:
    """The path of the image `file` below the folder of the text that names it.

    Empty for an address of the web, and for a path that leads out of the folder.
    """
    try:
        parts = urlsplit(file)
    except ValueError:
        return ""
    if parts.scheme or parts.netloc or not parts.path:
        return ""
    name = posixpath.normpath(unquote(parts.path))
    return name if PORTABLE_NAME.fullmatch(name) and not name.startswith("..") else ""
