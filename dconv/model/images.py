"""The names of images: as texts write them, and as the files of a site."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote, urlsplit

# names of files that every server and file system takes: "img/rise-2.png"
PORTABLE_NAME = re.compile(r"[\w.@+~-][\w .@+~/-]*", re.ASCII)
# what leads out of the folder of a text: "../../" of "../../img/rise.png"
ABOVE = re.compile(r"^(?:(?:\.\./)+|/+)")


def image_path(file: str) -> str:
    """The path of the image `file` from the folder of the text that names it.

    Empty for an address of the web, and where no system takes the name.  A path that starts with a
    slash is from the folder of all texts.
    """
    try:
        parts = urlsplit(file)
    except ValueError:
        return ""
    if parts.scheme or parts.netloc or not parts.path:
        return ""
    path = posixpath.normpath(unquote(parts.path))
    name = ABOVE.sub("", path)
    return path if PORTABLE_NAME.fullmatch(name) and not name.startswith("..") else ""


def image_name(file: str) -> str:
    """The name of the image `file` in a site: its path, without ".."; or empty as that."""
    return ABOVE.sub(lambda above: f"_{above[0].count('..')}/", image_path(file))
