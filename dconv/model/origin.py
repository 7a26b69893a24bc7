"""Where a text is from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document's text was fetched: `text` for readers, `url` or empty.

    `date` is when, or what the source says of its age; `sha256` the digest of
    the bytes, in hexadecimal.  `lines` is an address with `{file}`, `{first}` and
    `{last}` where readers see single lines, or empty.
    """

    text: str
    url: str = ""
    date: str = ""
    sha256: str = ""
    lines: str = ""
