"""Texts from files and folders; what is gzipped is unpacked."""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from dconv.settings import DocumentSetting, FolderSource
from dconv.settings.types import unlisted_document
from dconv.sources.types import LARGEST_FILE, LIMIT, Fetched, FetchedDocument, File, SourceError

GZIP = b"\x1f\x8b"  # how a gzip file starts (RFC 1952, section 2.3.1)


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
    return Fetched(unpack_all(files, documents, source.path), source.path)


def is_wanted(file: str, documents: tuple[DocumentSetting, ...]) -> bool:
    """Whether `file` of a folder is a text: a listed one, or `*.txt`, gzipped or not."""
    bare = file.removesuffix(".gz")
    if any(document.file == bare for document in documents):
        return True
    return bare.endswith(".txt") and not bare.startswith(".")


def unpack_all(
    files: Iterable[File], documents: tuple[DocumentSetting, ...], place: str
) -> tuple[FetchedDocument, ...]:
    """`files` as documents: unpacked, named, the listed ones first.

    A file that no setting lists is named after itself.  Of a plain file and its
    gzipped twin the plain one counts.  Raises `SourceError` where there is none.
    """
    contents: dict[str, bytes] = {}
    for file in sorted(files, key=lambda file: (file.name.endswith(".gz"), file.name)):
        name = file.name.encode("utf-8", "replace").decode("utf-8")  # fit for messages
        contents.setdefault(name.removesuffix(".gz"), unpack(file, place))
    if not contents:
        raise SourceError(f"{place}: there is no text (no listed document, no *.txt)")
    listed = [document for document in documents if document.file in contents]
    known = {document.file for document in listed}
    others = [unlisted_document(file) for file in sorted(contents) if file not in known]
    names: set[str] = set()
    return tuple([
        _document(_unique(document.name, names), document.file, contents[document.file])
        for document in (*listed, *others)
    ])


def unpack(file: File, place: str) -> bytes:
    """The bytes of `file`, unpacked where they are gzipped; `place` is for messages."""
    if not file.content.startswith(GZIP):
        return file.content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(file.content)) as stream:
            content = stream.read(LIMIT + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(f"{place}: {file.name} is not a whole gzip file ({error})") from error
    check_size(len(content), f"{place}: {file.name}")
    return content


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
