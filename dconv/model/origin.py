"""Where a text comes from."""

from __future__ import annotations

from dconv.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document's text was fetched from: `text` for readers, and `url` if there is one.

    `date` is the date of the download, or the one that the source states; `sha256` is the digest
    of the bytes, in hexadecimal.  `line_url` is an address with `{file}`, `{first}` and `{last}`
    that shows some lines of the text, or empty.
    """

    text: str
    url: str = ""
    date: str = ""
    sha256: str = ""
    line_url: str = ""
