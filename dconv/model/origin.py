"""Where a text comes from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document's text was fetched: `text` for readers, and `url` if there is one.

    `date` is when, or the age that the source states; `sha256` the digest of the bytes, in
    hexadecimal.  `line_url` is an address with `{file}`, `{first}` and `{last}` that shows
    single lines, or empty.
    """

    text: str
    url: str = ""
    date: str = ""
    sha256: str = ""
    line_url: str = ""
