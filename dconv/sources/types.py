"""The values and errors of sources: fetched texts with their origin, or one sentence."""

from __future__ import annotations

from dconv.model.diagnostics import UserError
from dconv.model.values import dataclass

MAX_DOWNLOAD_SIZE = 64 * 1024 * 1024  # bytes, also of archives; the largest manual has two million
MAX_FILE_SIZE = 256 * 1024 * 1024  # bytes of a local file, and of a text after unpacking
TIMEOUT = 60.0  # seconds for one download or one program


class SourceError(UserError):
    """A source gives no text; the message is one sentence that says which source and why.

    The message may quote a server or a program, so line ends and control characters become blanks.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__("".join([c if c.isprintable() else " " for c in sentence]))


class MissingError(SourceError):
    """The source answers, and does not have the text or the release."""


class UnreachableError(SourceError):
    """The `hosts` of the source accept no connection, or the user forbids the network."""

    def __init__(self, sentence: str, hosts: tuple[str, ...] = ()) -> None:
        super().__init__(sentence)
        self.hosts = hosts


@dataclass(frozen=True, slots=True)
class File:
    """A file as a source holds it: its name and its bytes, gzipped or not.

    `name` has no folder, or is a path if the files come from several folders.  `other_names`
    are the names of links to it, and of files that only include it.
    """

    name: str
    content: bytes
    other_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FetchedDocument:
    """One text.

    `name` is its name in addresses ("configuration"), `file` its file name without `.gz`,
    `content` its bytes after unpacking, `sha256` their checksum in hexadecimal digits.  `url`
    is where readers find it on the web, or its repository; empty if unknown.  `other_names` are
    the names of links to it, and of files that only include it, without `.gz`; `images` are
    the names and contents of those that it shows (see `sources/images.py`), `sphinx_settings` those
    of the project of Sphinx that it is in.
    """

    name: str
    file: str
    content: bytes
    sha256: str
    url: str = ""
    other_names: tuple[str, ...] = ()
    images: tuple[tuple[str, bytes], ...] = ()
    sphinx_settings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FetchedTexts:
    """The texts of one release from one source.

    The listed documents come first, in the order of the product's list.  `origin` describes
    the source for people ("git tag v3.4.0 of https://…"); `date` is the source's date
    (`YYYY-MM-DD`) or empty; `version` is the release that the source names ("2.6") or empty,
    `full_version` the exact one ("2.6.12") or empty.  `notes` are sentences for the user, for
    example which sources failed.  `line_url` is the address of single lines, with `{file}`,
    `{first}` and `{last}`, or empty.  `unreachable` are the hosts of earlier sources that
    accepted no connection.  `missing` are the listed files that a source of several files does
    not have.  `unreadable` has a sentence for each file that was left out because
    it cannot be unpacked.  `outdated` says why the texts are those of the cache though newer ones
    were asked for, or is empty.
    `description` is a phrase about the package that the texts are of, or empty.
    """

    documents: tuple[FetchedDocument, ...]
    origin: str
    date: str = ""
    version: str = ""
    full_version: str = ""
    notes: tuple[str, ...] = ()
    line_url: str = ""
    unreachable: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    outdated: str = ""
    description: str = ""
