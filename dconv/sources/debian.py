"""Texts of a Debian package, which need not be installed.

`apt-get` downloads the package, without root, and checks its signature chain.  The package is
read as a stream: nothing is unpacked to the disk, so no path in it can leave its folder.
"""

from __future__ import annotations

import io
import os
import posixpath
import re
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO
from urllib.parse import unquote

from dconv.model.diagnostics import reason
from dconv.settings import DebianSource, DocumentSetting
from dconv.sources.addresses import is_numbered
from dconv.sources.files import check_size, is_text_file, unpack_all, utc_date
from dconv.sources.programs import ProgramResult, run
from dconv.sources.types import (
    MAX_FILE_SIZE,
    TIMEOUT,
    FetchedTexts,
    File,
    MissingError,
    SourceError,
)

# "haproxy", "haproxy=2.6.12-1", "haproxy/bookworm-backports" (Debian Policy 5.6.1, 5.6.12)
PACKAGE = re.compile(r"[a-z0-9][a-z0-9+.-]+ (?: [=/] [A-Za-z0-9][A-Za-z0-9.+:~-]* )?", re.VERBOSE)

# "'http://…/haproxy_2.6.12-1_amd64.deb' haproxy_2.6.12-1_amd64.deb 2042596 SHA256:97ca…"
URI_LINE = re.compile(r"^'[^']*' ([^_\s]+)_([^_\s]+)_[^_\s]+\.deb (\d{1,15})", re.MULTILINE)

# "1:2.6.12+dfsg-1+deb12u4": an epoch, the upstream version, Debian's revision
PACKAGE_VERSION = re.compile(r"(?:\d+:)?v?(\d+(?:\.\d+)*)")

# "E: Unable to locate package haproxi"
APT_ERROR = re.compile(r"^E: (.+?)\.?$", re.MULTILINE)

MAX_FILES = 100_000  # of a package; packages with manuals have some hundreds
# what `tarfile` raises for a damaged archive, also for damaged numbers in it
ARCHIVE_ERRORS = (
    tarfile.TarError, ValueError, LookupError, ArithmeticError, RecursionError, OSError
)

APT = ("apt-get", "-q", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=10",
       "-o", "Acquire::https::Timeout=10", "download")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """The package that apt offers: its name, its version, and the release that it holds."""

    package: str
    version: str
    release: str
    full_release: str


def read_debian(
    source: DebianSource,
    version: str,
    documents: tuple[DocumentSetting, ...],
    timeout: float = TIMEOUT,
    candidates: dict[str, Candidate] | None = None,
) -> FetchedTexts:
    """The texts of the package of `source`, which must hold the release `version`.

    A `version` without a number ("debian", "") takes any release.  `timeout` is in seconds for
    each program; `candidates` keeps what apt offers for the next call.  Raises `SourceError`,
    and `MissingError` if the package holds another release.
    """
    candidates = {} if candidates is None else candidates
    if not PACKAGE.fullmatch(source.package):
        raise SourceError(f"'{source.package}' is not the name of a Debian package")
    with tempfile.TemporaryDirectory(prefix="dconv-apt-") as name:
        folder = Path(name)
        if source.package not in candidates:
            candidates[source.package] = _candidate(source.package, folder, timeout)
        candidate = candidates[source.package]
        _check_release(candidate, version)
        _download(source.package, folder, timeout)
        archive = next(folder.glob("*.deb"), None)
        if archive is None:
            raise SourceError(f"Debian package {source.package}: apt-get downloads no package file")
        return read_package(archive, source, documents, candidate, timeout)


def read_package(
    archive: Path,
    source: DebianSource,
    documents: tuple[DocumentSetting, ...],
    candidate: Candidate,
    timeout: float = TIMEOUT,
) -> FetchedTexts:
    """The texts below the folder of `source` in the package file `archive`."""
    source_name = f"Debian package {candidate.package} {candidate.version}"
    result = run(["dpkg-deb", "--fsys-tarfile", archive.name], timeout, archive.parent)
    if result.status:
        raise SourceError(f"{source_name}: the package file is damaged ({_first_line(result)})")
    files, date = read_archive(io.BytesIO(result.output), source.folder, documents, source_name)
    if not files:
        raise SourceError(f"{source_name}: there is no text in {source.folder}")
    texts, notes, unreadable = unpack_all(files, documents, source_name)
    return FetchedTexts(
        texts, source_name, date, candidate.release, candidate.full_release, notes,
        unreadable=unreadable,
    )


def unpack_program(package: str, program: str, folder: Path, timeout: float = TIMEOUT) -> Path:
    """Take `program` ("usr/bin/mandoc") from a Debian `package` into `folder`; return its path.

    Nothing of the package is run.  `timeout` is in seconds for each program.  Raises `SourceError`.
    """
    with tempfile.TemporaryDirectory(prefix="dconv-apt-") as name:
        _download(package, Path(name), timeout)
        archive = next(Path(name).glob("*.deb"), None)
        if archive is None:
            raise SourceError(f"Debian package {package}: apt-get downloads no package file")
        result = run(["dpkg-deb", "--fsys-tarfile", archive.name], timeout, archive.parent)
    try:
        with tarfile.open(fileobj=io.BytesIO(result.output), mode="r:") as tar:
            stream = tar.extractfile(f"./{program}")
            content = stream.read() if stream else b""
    except (KeyError, *ARCHIVE_ERRORS) as error:
        raise SourceError(f"Debian package {package}: there is no {program}") from error
    path = folder / PurePosixPath(program).name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        new = folder / f".{path.name}.{os.getpid()}"
        new.write_bytes(content)
        new.chmod(0o755)
        new.rename(path)
    except OSError as error:
        raise SourceError(f"cannot write {path} ({reason(error)})") from error
    return path


def read_archive(
    stream: IO[bytes], folder: str, documents: tuple[DocumentSetting, ...], source_name: str
) -> tuple[list[File], str]:
    """The texts in the `folder` of the tar archive `stream`, and the latest date of one.

    Links are not followed.  Raises `SourceError`, which names the archive `source_name`.
    """
    try:
        with tarfile.open(fileobj=stream, mode="r:") as tar:
            return _read_members(tar, folder, documents, source_name)
    except ARCHIVE_ERRORS as error:
        raise SourceError(f"{source_name}: the package file is damaged ({error})") from error


def parse_candidate(package: str, version: str) -> Candidate:
    """The release of a package's `version`: of "2.6.12-1+deb12u4" 2.6, exactly 2.6.12."""
    upstream = PACKAGE_VERSION.match(version)
    full = upstream[1] if upstream else ""
    return Candidate(package, version, ".".join(full.split(".")[:2]), full)


def _candidate(package: str, folder: Path, timeout: float) -> Candidate:
    result = run([*APT, "--print-uris", package], timeout, folder)
    line = URI_LINE.search(result.output.decode("utf-8", "replace"))
    if result.status or line is None:
        reason = _apt_reason(result) or "apt-get names no file"
        raise SourceError(f"Debian package {package}: {reason}; 'apt-get update' may help")
    check_size(int(line[3]), f"Debian package {package}")
    return parse_candidate(line[1], unquote(line[2]))


def _check_release(candidate: Candidate, version: str) -> None:
    if not is_numbered(version) or f"{candidate.full_release}.".startswith(f"{version}."):
        return
    raise MissingError(
        f"Debian package {candidate.package} is {candidate.version}, not release {version}"
    )


def _download(package: str, folder: Path, timeout: float) -> None:
    result = run([*APT, package], timeout, folder)
    if result.status:
        reason = _apt_reason(result) or f"apt-get ends with status {result.status}"
        raise SourceError(f"Debian package {package}: the download fails ({reason})")


def _read_members(
    tar: tarfile.TarFile, folder: str, documents: tuple[DocumentSetting, ...], source_name: str
) -> tuple[list[File], str]:
    """The regular files of `folder` that are texts, and the latest date among them."""
    files: list[File] = []
    latest, size = 0.0, 0
    for number, member in enumerate(tar):
        if number >= MAX_FILES:  # also in an archive that leads back to its start
            raise SourceError(f"{source_name}: it has more than {MAX_FILES:,} files")
        parent, name = posixpath.split(posixpath.normpath("/" + member.name.lstrip("/")))
        if parent != posixpath.normpath(folder) or not member.isreg():
            continue
        if is_text_file(name, documents):
            check_size(member.size, f"{source_name}: {name}")
            size += member.size  # a sparse file is larger than its part of the archive
            check_size(size, source_name, MAX_FILE_SIZE)
            stream = tar.extractfile(member)
            assert stream is not None  # it is a regular file
            files.append(File(name, stream.read()))
            latest = max(latest, member.mtime)
    return files, utc_date(latest) if latest else ""


def _apt_reason(result: ProgramResult) -> str:
    reason = APT_ERROR.search(result.errors)
    return reason[1] if reason else _first_line(result)


def _first_line(result: ProgramResult) -> str:
    return result.errors.partition("\n")[0]
