"""Texts from files, folders and pipes; gzipped ones are unpacked."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from dconv.model import man_pages
from dconv.model.diagnostics import reason
from dconv.model.file_names import file_name, unique_name
from dconv.settings.types import DocumentSetting, FolderSource, unlisted_document
from dconv.sources.images import images
from dconv.sources.sphinx_settings import is_excluded, is_sphinx_project, read_settings
from dconv.sources.types import (
    MAX_DOWNLOAD_SIZE,
    MAX_FILE_SIZE,
    FetchedDocument,
    FetchedTexts,
    File,
    SourceError,
)

STANDARD_INPUT = Path("-")
# what manuals are called: "guide.rst", "README", "NEWS.md", "mdadm.8", "ssl.3ssl"
MANUAL_FILE = re.compile(
    r".+\.(?:rst|md|markdown|mkd|html?|xhtml)|(?:README|FAQ|HOWTO|INSTALL)(?:\..+)?"
    rf"|{man_pages.PAGE_FILE.pattern}",
    re.IGNORECASE,
)
PROJECT_TEXT = re.compile(r"[^._].*\.(?:rst|md)")  # of Sphinx
WEB_SUFFIXES = (".html", ".htm", ".xhtml")
# a page that only includes another one: ".so man8/mdadm.8", with comments (man(7))
STUB = re.compile(
    rb"""(?: \s | [.'][ \t]*\\["#][^\n]*\n )* \.[ \t]*so [ \t]+ (?P<page>\S+)
    (?: \s | [.'][ \t]*\\["#][^\n]* )*""",
    re.VERBOSE,
)
MAN_FOLDER = re.compile(r"man\d\w*")  # a section's: "man8"
MAX_STUB_SIZE = 4096  # bytes
MAX_STUBS = 10  # pages that include each other until one has a text
GZIP = b"\x1f\x8b"  # the start of each member of a gzip file (RFC 1952, section 2.3.1)
GZIP_WINDOW = 31  # makes zlib expect a gzip header and check the checksum
HEAD_SIZE = 1024  # bytes in which the start of a web page is
# the start of a web page: "\ufeff<!DOCTYPE html>", "<!-- moved --><html>"
WEB_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?+(?:\s++|<!--.*?-->|<\?[^>]*+>)*+<(?:!doctype\s+html|html|head)\b",
    re.IGNORECASE | re.DOTALL,
)
MAX_NAMES = 3  # of excluded files in a note
CHUNK_SIZE = 16 * 1024  # bytes to unpack at a time; zlib makes at most a thousand times as many


def read_path(source: FolderSource, documents: tuple[DocumentSetting, ...]) -> FetchedTexts:
    """The texts at the path of `source`: one file, or those of a folder.

    Without `documents`, manual pages in folders of sections ("man8") below it are among them, and
    so are the texts in the folders of a project of Sphinx.
    Raises `SourceError` if there is none or one cannot be read.
    """
    path = Path(source.path)
    if not path.is_file() and not path.is_dir():
        raise SourceError(f"{source.path}: no such file or folder")
    try:
        if path.is_file():
            files = _read_files([path])
            left_out: list[str] = []
        else:
            files, left_out = _folder_files(path, documents, source)
    except OSError as error:
        name = error.filename or source.path
        raise SourceError(f"{name}: cannot be read ({reason(error)})") from error
    texts, notes, unreadable = documents_of_files(files, documents, source.path)
    folder = path.parent if path.is_file() else path
    given = [other for other in source.others if other.is_dir()]
    root = next(filter(is_sphinx_project, (folder, *folder.absolute().parents)), None)
    conf = read_settings(root) if root else {}
    words = tuple([(name, value) for name, value in conf.items() if isinstance(value, str)])
    texts = tuple([
        replace(
            text, images=images(text.content, (folder / text.file).parent, folder, *given),
            sphinx_settings=words,
        )
        for text in texts
    ])
    return FetchedTexts(texts, source.path, notes=(*notes, *left_out), unreadable=unreadable)


def is_stream(path: Path) -> bool:
    """Whether `path` can be read only once: `-`, a pipe, a device."""
    return path == STANDARD_INPUT or (path.exists() and not path.is_file() and not path.is_dir())


def read_stream(path: Path) -> FetchedTexts:
    """The text from the pipe or device `path`; `-` is the standard input.

    Its document has no file name and is called "manual".  Raises `SourceError`.
    """
    source_name = "<stdin>" if path == STANDARD_INPUT else str(path)
    try:
        content = _read_all(path)
    except OSError as error:
        raise SourceError(f"{source_name}: cannot be read ({reason(error)})") from error
    check_size(len(content), source_name, MAX_FILE_SIZE)
    texts, notes, _ = documents_of_files([File("", content)], (), source_name)
    return FetchedTexts(texts, source_name, notes=notes)


def _read_all(path: Path) -> bytes:
    """All bytes of a stream, up to one more than allowed."""
    if path != STANDARD_INPUT:
        with path.open("rb") as stream:
            return stream.read(MAX_FILE_SIZE + 1)
    if sys.stdin is None:  # the parent process closed it
        raise OSError(errno.EBADF, "it is closed")
    return sys.stdin.buffer.read(MAX_FILE_SIZE + 1)


def content_problem(content: bytes, file: str) -> str:
    """Why `content` is not the manual `file` ("an empty text"), or an empty string."""
    if not content.strip():
        return "an empty text"
    if file.casefold().endswith(WEB_SUFFIXES):
        return ""
    return "a web page, not a text" if WEB_PAGE.match(content[:HEAD_SIZE]) else ""


def is_text_file(file: str, documents: tuple[DocumentSetting, ...]) -> bool:
    """Whether `file` is a text: one of `documents`, or `*.txt`, gzipped or not.

    Without `documents`, any file is that is named as manuals are.
    """
    text_name = file_name(file)
    if any(document.file == text_name for document in documents):
        return True
    if text_name.startswith("."):
        return False
    is_manual = not documents and MANUAL_FILE.fullmatch(text_name) is not None
    return is_manual or text_name.endswith(".txt")


def documents_of_files(
    files: Iterable[File], documents: tuple[DocumentSetting, ...], source_name: str
) -> tuple[tuple[FetchedDocument, ...], tuple[str, ...], tuple[str, ...]]:
    """`files` as documents: unpacked, named, the listed ones first; notes; what is unreadable.

    Notes and what is unreadable are sentences for the user.  A file that no setting lists is named
    after itself.  A plain file hides a gzipped one of the same name.  Raises `SourceError` if
    there is no text, or if a listed one or the only file cannot be unpacked.
    """
    contents: dict[str, bytes] = {}
    other_names: dict[str, list[str]] = {}
    notes: list[str] = []
    unreadable: list[SourceError] = []
    listed_files = {document.file for document in documents}
    for file in sorted(files, key=lambda file: (file.name.endswith(".gz"), file.name)):
        text_name = file.name.removesuffix(".gz")
        if text_name not in contents:
            name = _printable(file.name)
            label = source_name if source_name.endswith(file.name) else f"{source_name}: {name}"
            try:
                content, ignored_bytes = unpack(file.content, label)
            except SourceError as error:
                if text_name in listed_files:
                    raise
                unreadable.append(error)
                continue
            contents[text_name] = content
            other_names[text_name] = [file_name(name) for name in file.other_names]
            if ignored_bytes:
                notes.append(f"{label}: {ignored_bytes:,} bytes after the gzipped text are ignored")
    _merge_stubs(contents, other_names)
    if not contents and unreadable:
        raise unreadable[0]
    if not contents:
        explanation = "no listed document, no *.txt, no other file with the name of a manual"
        raise SourceError(f"{source_name}: there is no text ({explanation})")
    listed_documents = [document for document in documents if document.file in contents]
    names_and_files = [(document.name, document.file) for document in listed_documents]
    unlisted = sorted(contents.keys() - listed_files, key=lambda file: (_printable(file), file))
    names_and_files += [(unlisted_document(_printable(file)).name, file) for file in unlisted]
    names: set[str] = set()
    texts = [
        FetchedDocument(
            unique_name(name, names), _printable(file), contents[file],
            hashlib.sha256(contents[file]).hexdigest(), other_names=tuple(other_names[file]),
        )
        for name, file in names_and_files
    ]
    return tuple(texts), tuple(notes), tuple(map(str, unreadable))


def _merge_stubs(contents: dict[str, bytes], other_names: dict[str, list[str]]) -> None:
    """Make the names of pages that only include another one further names of that page."""
    for name in [name for name, content in contents.items() if len(content) <= MAX_STUB_SIZE]:
        match = STUB.fullmatch(contents[name])
        page = os.path.basename(os.fsdecode(match["page"])) if match else ""
        if page != name and page in contents:
            del contents[name]
            other_names[page] += [name, *other_names[name]]


def _printable(name: str) -> str:
    """The `name` of a file with "?" for characters that cannot be shown."""
    return "".join([character if character.isprintable() else "?" for character in name])


def unpack(content: bytes, label: str) -> tuple[bytes, int]:
    """`content`, unpacked if it is gzipped, and the number of other bytes after it.

    Several gzip members are one text, zeros after them are padding, as for gzip(1).  `label`
    names the file in messages.  Raises `SourceError`, also for a name in `.gz` whose content is
    not gzipped.
    """
    if not content.startswith(GZIP):
        if label.endswith(".gz"):
            raise SourceError(f"{label} is not a gzip file; rename it if it is text")
        return content, 0
    chunks: list[bytes] = []
    offset = size = 0
    while content.startswith(GZIP, offset):
        member = zlib.decompressobj(GZIP_WINDOW)
        while not member.eof:
            chunk = content[offset : offset + CHUNK_SIZE]
            if not chunk:
                raise SourceError(f"{label} is not a complete gzip file: it is truncated")
            offset += len(chunk)
            try:
                chunks.append(member.decompress(chunk))
            except zlib.error as error:
                raise SourceError(f"{label} is not a complete gzip file: it is damaged") from error
            size += len(chunks[-1])
            check_size(size, label, MAX_FILE_SIZE)
        offset -= len(member.unused_data)
    return b"".join(chunks), len(content[offset:].lstrip(b"\0"))


def check_size(size: int, label: str, limit: int = MAX_DOWNLOAD_SIZE) -> None:
    """Raise `SourceError` if `size` bytes, of the file `label`, are more than `limit`."""
    if size > limit:
        raise SourceError(f"{label} is larger than {limit // 1024 // 1024} MB: too large")


def utc_date(seconds: float) -> str:
    """The day (`YYYY-MM-DD`, UTC) of a time in seconds since 1970, or empty without a day."""
    try:
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):  # beyond the calendar
        return ""


def _folder_files(
    folder: Path, documents: tuple[DocumentSetting, ...], source: FolderSource
) -> tuple[list[File], list[str]]:
    """The texts of `folder`, the one of `source`, and sentences about what is left out."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    paths = [path for path in files if is_text_file(path.name, documents)]
    if documents:
        return _read_files(paths), []
    texts_below = [path for path in project_texts(folder) if path.parent != folder]
    excluded: dict[Path, None] = {}
    if is_sphinx_project(folder):
        conf = read_settings(folder)
        paths += texts_below
        excluded = dict.fromkeys([
            path for path in paths if is_excluded(path.relative_to(folder), conf)
        ])
        paths = [path for path in paths if path not in excluded]
    section_folders = _section_folders(folder)
    translations = [
        path for path in section_folders
        if path.parent != folder and _section_folders_in(path.parent.parent)
    ]  # fmt: skip
    section_folders = [path for path in section_folders if path not in translations]
    wanted_folders = [path for path in section_folders if path.name[len("man")] in source.sections]
    pages = [path for section in wanted_folders for path in sorted(section.iterdir())]
    paths += [path for path in pages if is_text_file(path.name, ()) and path.is_file()]
    other_sections = sorted({path.name for path in section_folders if path not in wanted_folders})
    left_out = ["translations"] if translations else []
    if other_sections:
        left_out.append(", ".join(other_sections))
    notes = [
        f"{folder}: {' and '.join(left_out)} are left out; name a folder of pages to read it"
    ] if left_out else []
    if excluded:
        names = ", ".join(path.relative_to(folder).as_posix() for path in [*excluded][:MAX_NAMES])
        more = ", …" if len(excluded) > MAX_NAMES else ""
        notes.append(
            f"{folder}: left out {names}{more}, which conf.py excludes; name a file to read it"
        )
    if configurations := [path.name for path in files if path.suffix == ".conf"]:
        notes.append(
            f"{folder}: left out {', '.join(configurations)}; name a configuration file to read it"
        )
    if excluded and not paths:
        raise SourceError(f"{folder}: conf.py excludes all texts")
    if not paths:
        below = (path for path in sorted(folder.rglob("*")) if is_text_file(path.name, ()))
        if first := next(below, None):
            raise SourceError(f"{folder}: its texts are in folders below, such as {first.parent}")
    unread = [path for path in texts_below if path.parent not in source.others]
    if unread and not is_sphinx_project(folder):
        notes.append(
            f"{folder}: texts of folders below, such as {unread[0]}, are read only if their "
            "folders are named, too"
        )
    return _read_files(paths, folder), notes


def project_texts(folder: Path) -> Iterator[Path]:
    """The texts of the project of Sphinx in `folder`, also in its folders.

    What starts with a dot or an underscore is none: "_build".
    """
    for path, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] not in "._")
        yield from (Path(path, name) for name in sorted(files) if PROJECT_TEXT.fullmatch(name))


def _section_folders(folder: Path) -> list[Path]:
    """The folders of manual pages ("man8") anywhere below `folder`, without hidden ones."""
    folders: list[Path] = []
    for path, names, _ in os.walk(folder):
        names[:] = sorted(name for name in names if not name.startswith("."))
        folders += _section_folders_in(Path(path))
    return folders


def _section_folders_in(folder: Path) -> list[Path]:
    return sorted(
        path for path in folder.iterdir() if MAN_FOLDER.fullmatch(path.name) and path.is_dir()
    )


def _read_files(paths: Iterable[Path], base: Path | None = None) -> list[File]:
    """The files at `paths`, those that stand for one page as one file with several names.

    The name of a page is its path below `base`, if it is there.
    """
    pages: dict[Path, list[str]] = {}
    for path in paths:
        pages.setdefault(resolve_page(path), []).append(path.name)
    real_base = base.resolve() if base else None
    files: list[File] = []
    for page, names in pages.items():
        check_size(page.stat().st_size, str(page), MAX_FILE_SIZE)
        with page.open("rb") as stream:
            content = stream.read(MAX_FILE_SIZE)
        file = page.name
        for folder in (base, real_base):
            if folder and page.is_relative_to(folder):
                file = str(page.relative_to(folder))
        files.append(File(file, content, tuple([name for name in names if name != page.name])))
    return files


def resolve_page(path: Path) -> Path:
    """The file that the page `path` stands for, by symbolic links and `.so`; else itself.

    Neither leads out of the root of the manual pages, or out of the page's folder where that is
    none of theirs ("man8").
    """
    folder = path.parent
    root = (folder.parent if MAN_FOLDER.fullmatch(folder.resolve().name) else folder).resolve()
    page = path
    for _ in range(MAX_STUBS):
        if page.is_symlink() and (real_page := page.resolve()).is_relative_to(root):
            page = real_page
        match = STUB.fullmatch(_small_content(page))
        if match is None:
            return page
        name = os.fsdecode(match["page"])
        candidates = (root / name, page.parent / Path(name).name)
        included = next(
            (
                file for candidate in candidates for file in (candidate, Path(f"{candidate}.gz"))
                if file.is_file() and file.resolve().is_relative_to(root)
            ),
            None,
        )
        if included is None:
            return page
        page = included
    return path


def _small_content(path: Path) -> bytes:
    """The content of a small file, unpacked, else nothing."""
    if path.stat().st_size > MAX_STUB_SIZE or not MANUAL_FILE.fullmatch(file_name(path.name)):
        return b""
    try:
        return unpack(path.read_bytes(), path.name)[0]
    except SourceError:
        return b""
