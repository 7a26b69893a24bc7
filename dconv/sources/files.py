"""Texts from files and folders; what is gzipped is unpacked."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from dconv.settings import DocumentSetting, FolderSource
from dconv.settings.types import unlisted_document
from dconv.sources.types import LARGEST_FILE, LIMIT, Fetched, FetchedDocument, File, SourceError

STANDARD_INPUT = Path("-")
GZIP = b"\x1f\x8b"  # how a gzip file, and each of its members, starts (RFC 1952, section 2.3.1)
GZIP_WINDOW = 31  # tells zlib to expect gzip's header, and to check its sums
HEAD = 1024  # bytes that tell a page
# how pages begin: "\ufeff<!DOCTYPE html>", "<!-- moved --><html>"
PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?+(?:\s++|<!--.*?-->|<\?[^>]*+>)*+<(?:!doctype\s+html|html|head)\b",
    re.IGNORECASE | re.DOTALL,
)
PIECE = 16 * 1024  # bytes given to zlib at a time, which makes a thousand times as many at most


def read_path(source: FolderSource, documents: tuple[DocumentSetting, ...]) -> Fetched:
    """The texts at the path of `source`: one file, or those of a folder.

    Raises `SourceError` where there is none or one cannot be read.
    """
    path = Path(source.path)
    if not path.is_file() and not path.is_dir():
        raise SourceError(f"{source.path}: there is no such file or folder")
    try:
        files = [_file(path)] if path.is_file() else _files(path, documents)
    except OSError as error:
        name = error.filename or source.path
        raise SourceError(f"{name}: it cannot be read ({error.strerror})") from error
    found, notes = unpack_all(files, documents, source.path)
    return Fetched(found, source.path, notes=notes)


def is_stream(path: Path) -> bool:
    """Whether `path` can be read but once, from its start: `-`, a pipe, a device."""
    return path == STANDARD_INPUT or (path.exists() and not path.is_file() and not path.is_dir())


def read_stream(path: Path) -> Fetched:
    """The text that comes from `path`, `-` being the standard input.

    Its document has no file's name, and so it is called "manual".  Raises
    `SourceError`.
    """
    place = "<stdin>" if path == STANDARD_INPUT else str(path)
    try:
        content = _all_of(path)
    except OSError as error:
        raise SourceError(f"{place}: it cannot be read ({error.strerror})") from error
    check_size(len(content), place, LARGEST_FILE)
    found, notes = unpack_all([File("", content)], (), place)
    return Fetched(found, place, notes=notes)


def _all_of(path: Path) -> bytes:
    """All bytes of a stream, or more than are allowed."""
    if path != STANDARD_INPUT:
        with path.open("rb") as stream:
            return _limited(stream)
    if sys.stdin is None:  # closed by who started us
        raise OSError(errno.EBADF, "it is closed")
    return _limited(sys.stdin.buffer)


def _limited(stream: BinaryIO) -> bytes:
    return stream.read(LARGEST_FILE + 1)


def regular(path: Path, limit: int = LARGEST_FILE) -> bytes:
    """What the regular file `path` holds; raises `OSError` where it is none, or is too large.

    Others (pipes, devices) may have no end, or never begin.
    """
    state = path.stat()
    if not stat.S_ISREG(state.st_mode) or state.st_size > limit:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return path.read_bytes()


def flaw(content: bytes) -> str:
    """What `content` is that nobody wrote as a manual: "an empty text", or nothing."""
    if not content.strip():
        return "an empty text"
    return "a web page in the place of a text" if PAGE.match(content[:HEAD]) else ""


def is_wanted(file: str, documents: tuple[DocumentSetting, ...]) -> bool:
    """Whether `file` of a folder is a text: a listed one, or `*.txt`, gzipped or not."""
    bare = file.removesuffix(".gz")
    if any(document.file == bare for document in documents):
        return True
    return bare.endswith(".txt") and not bare.startswith(".")


def unpack_all(
    files: Iterable[File], documents: tuple[DocumentSetting, ...], place: str
) -> tuple[tuple[FetchedDocument, ...], tuple[str, ...]]:
    """`files` as documents: unpacked, named, the listed ones first; and notes for the user.

    A file that no setting lists is named after itself.  Of a plain file and its
    gzipped twin the plain one counts.  Raises `SourceError` where there is none.
    """
    contents: dict[str, bytes] = {}
    notes: list[str] = []
    for file in sorted(files, key=lambda file: (file.name.endswith(".gz"), file.name)):
        bare = file.name.removesuffix(".gz")
        if bare not in contents:
            name = _fit(file.name)
            what = place if place.endswith(file.name) else f"{place}: {name}"
            content, after = unpack(file.content, what)
            contents[bare] = content
            if after:
                notes.append(f"{what}: {after:,} bytes behind the gzipped text are left out")
    if not contents:
        raise SourceError(f"{place}: there is no text (no listed document, no *.txt)")
    listed = [document for document in documents if document.file in contents]
    known = {document.file for document in listed}
    named = [(document.name, document.file) for document in listed]
    others = sorted(contents.keys() - known, key=lambda file: (_fit(file), file))
    named += [(unlisted_document(_fit(file)).name, file) for file in others]
    names: set[str] = set()
    found = [
        _document(_unique(name, names), _fit(file), contents[file]) for name, file in named
    ]
    return tuple(found), tuple(notes)


def _fit(name: str) -> str:
    """The `name` of a file as messages and pages can show it."""
    return "".join([one if one.isprintable() else "?" for one in name])


def unpack(content: bytes, what: str) -> tuple[bytes, int]:
    """`content` unpacked where it is gzipped, and how many bytes behind that are none of it.

    Several gzip members are one text, zeros behind them are padding (as for
    gzip(1)).  `what` is for messages: the name of the file, which may end in `.gz`
    only where it is gzipped.  Raises `SourceError`.
    """
    if not content.startswith(GZIP):
        if what.endswith(".gz"):
            raise SourceError(f"{what} is no gzip file, as its name says; rename it if it is text")
        return content, 0
    pieces: list[bytes] = []
    at = size = 0
    while content.startswith(GZIP, at):
        member = zlib.decompressobj(GZIP_WINDOW)
        while not member.eof:
            given = content[at : at + PIECE]
            at += len(given)
            pieces.append(_decompressed(member, given, what))
            size += len(pieces[-1])
            check_size(size, what, LARGEST_FILE)
        at -= len(member.unused_data)
    return b"".join(pieces), len(content[at:].lstrip(b"\0"))


def _decompressed(member: zlib._Decompress, given: bytes, what: str) -> bytes:
    if not given:
        raise SourceError(f"{what} is not a whole gzip file (it breaks off)")
    try:
        return member.decompress(given)
    except zlib.error as error:
        raise SourceError(f"{what} is not a whole gzip file ({error})") from error


def check_size(size: int, what: str, limit: int = LIMIT) -> None:
    """Raise `SourceError` where `what` has more bytes than `limit`."""
    if size > limit:
        raise SourceError(f"{what} is larger than {limit // 1024 // 1024} MB, which no manual is")


def day(seconds: float) -> str:
    """The day (`YYYY-MM-DD`, UTC) of a time in seconds since 1970, or empty if it is none."""
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):  # beyond the calendar
        return ""


def _files(folder: Path, documents: tuple[DocumentSetting, ...]) -> list[File]:
    paths = sorted(path for path in folder.iterdir() if is_wanted(path.name, documents))
    return [_file(path) for path in paths if path.is_file()]


def _file(path: Path) -> File:
    check_size(path.stat().st_size, str(path), LARGEST_FILE)
    with path.open("rb") as stream:
        content = stream.read(LARGEST_FILE)
    return File(path.name, content)


def _document(name: str, file: str, content: bytes) -> FetchedDocument:
    return FetchedDocument(name, file, content, hashlib.sha256(content).hexdigest())


def _unique(name: str, taken: set[str]) -> str:
    number = 2
    unique = name
    while unique in taken:
        unique = f"{name}-{number}"
        number += 1
    taken.add(unique)
    return unique
