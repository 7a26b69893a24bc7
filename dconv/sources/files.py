"""Texts from files, folders and pipes; gzipped ones are unpacked."""

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

from dconv.model.diagnostics import reason
from dconv.settings import DocumentSetting, FolderSource
from dconv.settings.types import unlisted_document
from dconv.sources.types import LIMIT, MAX_FILE_SIZE, Fetched, FetchedDocument, File, SourceError

STANDARD_INPUT = Path("-")
GZIP = b"\x1f\x8b"  # the start of each member of a gzip file (RFC 1952, section 2.3.1)
GZIP_WINDOW = 31  # makes zlib expect a gzip header and check the checksum
HEAD = 1024  # bytes in which the start of a web page is
# the start of a web page: "\ufeff<!DOCTYPE html>", "<!-- moved --><html>"
PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?+(?:\s++|<!--.*?-->|<\?[^>]*+>)*+<(?:!doctype\s+html|html|head)\b",
    re.IGNORECASE | re.DOTALL,
)
CHUNK_SIZE = 16 * 1024  # bytes to unpack at a time; zlib makes at most a thousand times as many


def read_path(source: FolderSource, documents: tuple[DocumentSetting, ...]) -> Fetched:
    """The texts at the path of `source`: one file, or those of a folder.

    Raises `SourceError` if there is none or one cannot be read.
    """
    path = Path(source.path)
    if not path.is_file() and not path.is_dir():
        raise SourceError(f"{source.path}: no such file or folder")
    try:
        files = [_file(path)] if path.is_file() else _files(path, documents)
    except OSError as error:
        name = error.filename or source.path
        raise SourceError(f"{name}: cannot be read ({reason(error)})") from error
    texts, notes, unreadable = unpack_all(files, documents, source.path)
    return Fetched(texts, source.path, notes=notes, unreadable=unreadable)


def is_stream(path: Path) -> bool:
    """Whether `path` can be read only once: `-`, a pipe, a device."""
    return path == STANDARD_INPUT or (path.exists() and not path.is_file() and not path.is_dir())


def read_stream(path: Path) -> Fetched:
    """The text from the pipe or device `path`; `-` is the standard input.

    Its document has no file name and is called "manual".  Raises `SourceError`.
    """
    place = "<stdin>" if path == STANDARD_INPUT else str(path)
    try:
        content = _read_all(path)
    except OSError as error:
        raise SourceError(f"{place}: cannot be read ({reason(error)})") from error
    check_size(len(content), place, MAX_FILE_SIZE)
    texts, notes, _ = unpack_all([File("", content)], (), place)
    return Fetched(texts, place, notes=notes)


def _read_all(path: Path) -> bytes:
    """All bytes of a stream, up to one more than allowed."""
    if path != STANDARD_INPUT:
        with path.open("rb") as stream:
            return _limited(stream)
    if sys.stdin is None:  # the parent process closed it
        raise OSError(errno.EBADF, "it is closed")
    return _limited(sys.stdin.buffer)


def _limited(stream: BinaryIO) -> bytes:
    return stream.read(MAX_FILE_SIZE + 1)


def read_regular_file(path: Path, limit: int = MAX_FILE_SIZE) -> bytes:
    """The content of the regular file `path`; raises `OSError` for a larger one and for others.

    Reading a pipe or a device might never end.
    """
    state = path.stat()
    if not stat.S_ISREG(state.st_mode) or state.st_size > limit:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return path.read_bytes()


def content_problem(content: bytes) -> str:
    """Why `content` is not a manual ("an empty text"), or an empty text."""
    if not content.strip():
        return "an empty text"
    return "a web page, not a text" if PAGE.match(content[:HEAD]) else ""


def is_text_file(file: str, documents: tuple[DocumentSetting, ...]) -> bool:
    """Whether `file` is a text: one of `documents`, or `*.txt`, gzipped or not."""
    bare = file.removesuffix(".gz")
    if any(document.file == bare for document in documents):
        return True
    return bare.endswith(".txt") and not bare.startswith(".")


def unpack_all(
    files: Iterable[File], documents: tuple[DocumentSetting, ...], place: str
) -> tuple[tuple[FetchedDocument, ...], tuple[str, ...], tuple[str, ...]]:
    """`files` as documents: unpacked, named, the listed ones first; notes; what is unreadable.

    Notes and what is unreadable are sentences for the user.  A file that no setting lists is named
    after itself.  A plain file hides a gzipped one of the same name.  Raises `SourceError` if
    there is no text, or if a listed one or the only file cannot be unpacked.
    """
    contents: dict[str, bytes] = {}
    notes: list[str] = []
    unreadable: list[SourceError] = []
    listed_files = {document.file for document in documents}
    for file in sorted(files, key=lambda file: (file.name.endswith(".gz"), file.name)):
        bare = file.name.removesuffix(".gz")
        if bare not in contents:
            name = _printable(file.name)
            what = place if place.endswith(file.name) else f"{place}: {name}"
            try:
                content, after = unpack(file.content, what)
            except SourceError as error:
                if bare in listed_files:
                    raise
                unreadable.append(error)
                continue
            contents[bare] = content
            if after:
                notes.append(f"{what}: {after:,} bytes after the gzipped text are ignored")
    if not contents and unreadable:
        raise unreadable[0]
    if not contents:
        raise SourceError(f"{place}: there is no text (no listed document, no *.txt)")
    listed = [document for document in documents if document.file in contents]
    named = [(document.name, document.file) for document in listed]
    others = sorted(contents.keys() - listed_files, key=lambda file: (_printable(file), file))
    named += [(unlisted_document(_printable(file)).name, file) for file in others]
    names: set[str] = set()
    texts = [
        _document(_unique(name, names), _printable(file), contents[file]) for name, file in named
    ]
    return tuple(texts), tuple(notes), tuple(map(str, unreadable))


def _printable(name: str) -> str:
    """The `name` of a file with "?" for characters that cannot be shown."""
    return "".join([c if c.isprintable() else "?" for c in name])


def unpack(content: bytes, what: str) -> tuple[bytes, int]:
    """`content`, unpacked if it is gzipped, and the number of other bytes after it.

    Several gzip members are one text, zeros after them are padding, as for gzip(1).  `what`
    names the file in messages.  Raises `SourceError`, also for a name in `.gz` whose content is
    not gzipped.
    """
    if not content.startswith(GZIP):
        if what.endswith(".gz"):
            raise SourceError(f"{what} is not a gzip file; rename it if it is text")
        return content, 0
    pieces: list[bytes] = []
    at = size = 0
    while content.startswith(GZIP, at):
        member = zlib.decompressobj(GZIP_WINDOW)
        while not member.eof:
            packed = content[at : at + CHUNK_SIZE]
            at += len(packed)
            pieces.append(_decompressed(member, packed, what))
            size += len(pieces[-1])
            check_size(size, what, MAX_FILE_SIZE)
        at -= len(member.unused_data)
    return b"".join(pieces), len(content[at:].lstrip(b"\0"))


def _decompressed(member: zlib._Decompress, packed: bytes, what: str) -> bytes:
    if not packed:
        raise SourceError(f"{what} is not a complete gzip file: it is truncated")
    try:
        return member.decompress(packed)
    except zlib.error as error:
        raise SourceError(f"{what} is not a complete gzip file: it is damaged") from error


def check_size(size: int, what: str, limit: int = LIMIT) -> None:
    """Raise `SourceError` if `what` has more bytes than `limit`."""
    if size > limit:
        raise SourceError(f"{what} is larger than {limit // 1024 // 1024} MB: too large")


def day(seconds: float) -> str:
    """The day (`YYYY-MM-DD`, UTC) of a time in seconds since 1970, or empty without a day."""
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):  # beyond the calendar
        return ""


def _files(folder: Path, documents: tuple[DocumentSetting, ...]) -> list[File]:
    paths = sorted(path for path in folder.iterdir() if is_text_file(path.name, documents))
    return [_file(path) for path in paths if path.is_file()]


def _file(path: Path) -> File:
    check_size(path.stat().st_size, str(path), MAX_FILE_SIZE)
    with path.open("rb") as stream:
        content = stream.read(MAX_FILE_SIZE)
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
