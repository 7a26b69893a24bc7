"""What fetching gives: texts with the story of where they are from, or one sentence."""

from __future__ import annotations

from dataclasses import dataclass

from dconv.model.refusal import Refusal

LIMIT = 64 * 1024 * 1024  # bytes of a download or of an archive; the largest manual has two million
LARGEST_FILE = 256 * 1024 * 1024  # bytes of a local file, and of a text when it is unpacked
PATIENCE = 60.0  # seconds for one download or one program


class SourceError(Refusal):
    """A source gives no text; the message is one sentence that says which and why.

    What a server or a program says may be part of it, so line ends and control
    characters, which could steer a terminal, become blanks.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__("".join([c if c.isprintable() else " " for c in sentence]))


@dataclass(frozen=True, slots=True)
class File:
    """A file as a source holds it: its bare name and its bytes, gzipped or not."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class FetchedDocument:
    """One text.

    `name` is its name in addresses ("configuration"), `file` its file name
    without `.gz`; `content` the bytes, never gzipped; `sha256` theirs in
    hexadecimal digits.  `url` is where on the web a reader finds it, or the
    repository that has it; empty where nobody knows.
    """

    name: str
    file: str
    content: bytes
    sha256: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """The texts of one release from one source.

    The listed documents come first, in the order of the product's list.
    `origin` tells people where they are from ("git tag v3.4.0 of https://…");
    `date` is the source's (`YYYY-MM-DD`) or empty; `version` is the release that
    the source knows them to be ("2.6") or empty, `full_version` the exact one
    ("2.6.12") or empty.  `notes` are sentences for the user: what is missing,
    what could not be asked again.  `lines` is where readers see single lines: an
    address with `{file}`, `{first}` and `{last}`, or empty.
    """

    documents: tuple[FetchedDocument, ...]
    origin: str
    date: str = ""
    version: str = ""
    full_version: str = ""
    notes: tuple[str, ...] = ()
    lines: str = ""
