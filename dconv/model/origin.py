"""Where a text comes from."""

from __future__ import annotations

from dconv.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document's text was fetched from; what is not known is empty.

    `text` says it to readers: the name of a file, a repository, a package.  `url` is an address.
    `date` (`2026-06-03`) is that of the download, or the one that the source states; `sha256` is
    the digest of the bytes, in hexadecimal.  `line_url` is an address with `{file}`, `{first}` and
    `{last}` that shows the lines from `{first}` to `{last}`.
    """

    text: str
    url: str = ""
    date: str = ""
    sha256: str = ""
    line_url: str = ""
