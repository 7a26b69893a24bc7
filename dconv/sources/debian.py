"""Texts of a Debian package, which need not be installed.

`apt-get` downloads the package, without root, and checks its signature chain.  The package is
read as one archive: no file of it is written to the disk, so no path in it can leave its folder.
"""

from __future__ import annotations

import io
import os
import posixpath
import re
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import IO, TypeAlias
from urllib.parse import unquote, urlsplit

from dconv.model.diagnostics import reason
from dconv.model.values import dataclass
from dconv.settings.shelf import PACKAGE
from dconv.settings.types import DebianSource, DocumentSetting, PackageSource
from dconv.sources.addresses import is_numbered
from dconv.sources.files import check_size, documents_of_files, is_text_file, utc_date
from dconv.sources.package_files import is_manual_file, package_texts
from dconv.sources.programs import ProgramResult, run
from dconv.sources.types import (
    MAX_FILE_SIZE,
    FetchedTexts,
    File,
    MissingError,
    SourceError,
    UnreachableError,
)

# "'http://…/haproxy_2.6.12-1_amd64.deb' haproxy_2.6.12-1_amd64.deb 2042596 SHA256:97ca…"
URI_LINE = re.compile(
    r"^'(?P<url>[^']*)' (?P<file>(?P<name>[^_\s/]+)_(?P<version>[^_\s/]+)_[^_\s/]+\.deb)"
    r" (?P<size>\d{1,15})",
    re.MULTILINE,
)

# "1:2.6.12+dfsg-1+deb12u4": an epoch, the upstream version, Debian's revision
PACKAGE_VERSION = re.compile(r"(?:\d+:)?v?(\d+(?:\.\d+)*)")

# "Failed to fetch http://…/k.deb  Could not resolve 'deb.example'"
FETCH_FAILURE = re.compile(r"Failed to fetch (?P<url>\S+) +(?P<reason>.+)")
NO_ANSWER = re.compile(r"resolv|connect|timed out|unreachable", re.IGNORECASE)
# "E: Unable to locate package haproxi"
APT_ERROR = re.compile(r"^E: (.+?)\.?$", re.MULTILINE)

PACKAGE_TIMEOUT = 10.0  # seconds that each further package may take to download
MAX_FILES = 100_000  # of a package; packages with manuals have some hundreds
# what `tarfile` raises for a damaged archive, also for damaged numbers in it
ARCHIVE_ERRORS = (
    tarfile.TarError, ValueError, LookupError, ArithmeticError, RecursionError, OSError
)

APT = ("apt-get", "-q", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=10",
       "-o", "Acquire::https::Timeout=10", "download")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """The package that apt offers: name, version, and the release in it ("2.6", "2.6.12")."""

    package: str
    version: str
    release: str
    full_release: str


@dataclass(frozen=True, slots=True)
class DownloadedPackage:
    """A package file, `archive`, and what apt said of it."""

    candidate: Candidate
    archive: Path


# files of an archive: the contents of regular ones, and where links lead, by path; and a date
Members: TypeAlias = "tuple[dict[str, bytes], dict[str, str], str]"


def read_debian(
    source: DebianSource, version: str, documents: tuple[DocumentSetting, ...],
    candidates: dict[str, Candidate],
) -> FetchedTexts:
    """The texts of the package of `source`, which must hold the release `version`.

    A `version` without a number ("debian", "") takes any release.  `candidates` keeps what apt
    offers for the next call.  Raises `SourceError`, and `MissingError` if the package
    holds another release.
    """
    if not PACKAGE.fullmatch(source.package):
        raise SourceError(
            f"'{source.package}' is not the name of a Debian package; write it as lvm2"
        )
    with tempfile.TemporaryDirectory(prefix="dconv-apt-") as name:
        folder = Path(name)
        if source.package not in candidates:
            candidates[source.package] = _candidate(source.package, folder)
        candidate = candidates[source.package]
        if is_numbered(version) and not f"{candidate.full_release}.".startswith(f"{version}."):
            raise MissingError(
                f"Debian package {candidate.package} is {candidate.version}, not release {version}"
            )
        archive = _download(source.package, folder)
        return read_package(archive, source, documents, candidate)


def download_packages(
    packages: Sequence[str], folder: Path
) -> dict[str, DownloadedPackage | SourceError]:
    """Download `packages` into `folder` in one run of apt-get; the download or error of each.

    So apt's lists are read once, and a host that is down is tried once.  Further versions of a
    package need further runs.  An error is an `UnreachableError` if the host of a package does not
    answer.
    """
    runs: list[dict[str, str]] = []  # the packages of each run by their names
    for package in packages:
        name = re.split("[=/]", package, maxsplit=1)[0]
        packages_of_run = next((other for other in runs if name not in other), None)
        if packages_of_run is None:
            runs.append(packages_of_run := {})
        packages_of_run[name] = package
    downloads: dict[str, DownloadedPackage | SourceError] = {}
    for packages_of_run in runs:
        downloads.update(_download_together([*packages_of_run.values()], folder))
    return downloads


def _download_together(
    packages: Sequence[str], folder: Path
) -> dict[str, DownloadedPackage | SourceError]:
    """The download or error of each of `packages`, none of which is asked for in two versions."""
    try:
        listing = run([*APT, "--print-uris", *packages], folder)
        lines = list(URI_LINE.finditer(listing.output.decode("utf-8", "replace")))
        lines_by_package = {package: _listing_line(package, lines) for package in packages}
        available = [package for package, line in lines_by_package.items() if line]
        extra = PACKAGE_TIMEOUT * len(available)
        result = run([*APT, *available], folder, extra_time=extra) if available else listing
    except SourceError as error:
        return dict.fromkeys(packages, error)
    downloads: dict[str, DownloadedPackage | SourceError] = {}
    for package, line in lines_by_package.items():
        label = f"Debian package {package}"
        if line is None:
            downloads[package] = SourceError(
                f"{label}: {_why_unlisted(package, listing)}; 'apt-get update' may help"
            )
            continue
        archive = folder / line["file"]
        if archive.is_file() and archive.stat().st_size == int(line["size"]):
            candidate = parse_candidate(line["name"], unquote(line["version"]))
            downloads[package] = DownloadedPackage(candidate, archive)
        else:
            downloads[package] = _failed_download(label, line["url"], result)
    return downloads


def _why_unlisted(package: str, listing: ProgramResult) -> str:
    """Why apt-get listed no address of `package`."""
    name = re.split("[=/]", package, maxsplit=1)[0]
    reasons = [
        reason for reason in APT_ERROR.findall(listing.errors)
        if not reason.startswith("Unable to locate") and (name in reason or not listing.output)
    ]
    return reasons[0] if reasons else "apt-get knows no such package"


def _listing_line(package: str, lines: Sequence[re.Match[str]]) -> re.Match[str] | None:
    """The line of apt-get for `package`, which may name its version."""
    name, _, version = package.partition("=")
    name = name.partition("/")[0]
    of_package = [line for line in lines if line["name"] == name]
    exact = [line for line in of_package if unquote(line["version"]) == version]
    return next(iter(exact or ([] if version else of_package)), None)


def _failed_download(label: str, url: str, result: ProgramResult) -> SourceError:
    """Why the file at `url` is not there after apt-get ended with `result`."""
    for error in APT_ERROR.finditer(result.errors):
        failure = FETCH_FAILURE.match(error[1])
        if failure and failure["url"] == url:
            host = urlsplit(url).hostname or ""
            if host and NO_ANSWER.search(failure["reason"]):
                return UnreachableError(f"{label}: no answer from {host}", (host,))
            return SourceError(f"{label}: the download failed ({failure['reason']})")
    return SourceError(f"{label}: the download failed ({_apt_reason(result) or 'no reason given'})")


def read_shelf_package(source: PackageSource, download: DownloadedPackage) -> FetchedTexts:
    """The manual pages and other manuals of a package; its version is the upstream one.

    Raises `SourceError`, for example if there is none.
    """
    candidate = download.candidate
    source_name = f"Debian package {candidate.package} {candidate.version}"
    check_size(download.archive.stat().st_size, source_name)

    def is_wanted(path: str) -> bool:
        return is_manual_file(path, candidate.package, source.sections, source.files)

    contents, links, date = _unpack(download.archive, is_wanted, source_name)
    texts = package_texts(contents, links, source, source_name, candidate.version, date)
    field = ["dpkg-deb", "--field", download.archive.name, "Description"]
    description = run(field, download.archive.parent).output.decode("utf-8", "replace")
    return replace(texts, description=description.partition("\n")[0].strip())


def read_package(
    archive: Path, source: DebianSource, documents: tuple[DocumentSetting, ...],
    candidate: Candidate,
) -> FetchedTexts:
    """The texts below the folder of `source` in the package file `archive`."""
    source_name = f"Debian package {candidate.package} {candidate.version}"
    folder = posixpath.normpath(source.folder)

    def is_wanted(path: str) -> bool:
        parent, name = posixpath.split(path)
        return parent == folder and is_text_file(name, documents)

    contents, _, date = _unpack(archive, is_wanted, source_name)
    files = [File(posixpath.basename(path), content) for path, content in contents.items()]
    if not files:
        raise SourceError(f"{source_name}: there is no text in {source.folder}")
    texts, notes, unreadable = documents_of_files(files, documents, source_name)
    return FetchedTexts(
        texts, source_name, date, candidate.release, candidate.full_release, notes,
        unreadable=unreadable,
    )


def unpack_program(package: str, program: str, folder: Path) -> Path:
    """Take `program` ("usr/bin/mandoc") from a Debian `package` into `folder`; return its path.

    Nothing of the package is run.  Raises `SourceError`.
    """
    with tempfile.TemporaryDirectory(prefix="dconv-apt-") as name:
        archive = _download(package, Path(name))
        result = run(["dpkg-deb", "--fsys-tarfile", archive.name], archive.parent)
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


def _unpack(archive: Path, is_wanted: Callable[[str], bool], source_name: str) -> Members:
    """The wanted files in the package file `archive`, and the latest date of one."""
    unpacked = archive.with_suffix(".tar")  # on the disk: it may be larger than memory
    command = ["dpkg-deb", "--fsys-tarfile", archive.name]
    try:
        result = run(command, archive.parent, output=unpacked)
        if result.status:
            raise SourceError(f"{source_name}: the package file is damaged ({_first_line(result)})")
        with unpacked.open("rb") as stream:
            return read_archive(stream, is_wanted, source_name)
    except OSError as error:
        raise SourceError(f"{source_name}: cannot be unpacked ({reason(error)})") from error
    finally:
        unpacked.unlink(missing_ok=True)


def read_archive(stream: IO[bytes], is_wanted: Callable[[str], bool], source_name: str) -> Members:
    """The members of the tar archive `stream` whose absolute path `is_wanted`, and the latest date.

    Raises `SourceError`, which names the archive `source_name`.
    """
    try:
        with tarfile.open(fileobj=stream, mode="r:") as tar:
            return _read_members(tar, is_wanted, source_name)
    except ARCHIVE_ERRORS as error:
        raise SourceError(f"{source_name}: the package file is damaged ({error})") from error


def parse_candidate(package: str, version: str) -> Candidate:
    """The release of a package's `version`: of "2.6.12-1+deb12u4" 2.6, exactly 2.6.12."""
    upstream = PACKAGE_VERSION.match(version)
    full = upstream[1] if upstream else ""
    return Candidate(package, version, ".".join(full.split(".")[:2]), full)


def _candidate(package: str, folder: Path) -> Candidate:
    result = run([*APT, "--print-uris", package], folder)
    line = URI_LINE.search(result.output.decode("utf-8", "replace"))
    if result.status or line is None:
        reason = _apt_reason(result) or "apt-get names no file"
        raise SourceError(f"Debian package {package}: {reason}; 'apt-get update' may help")
    check_size(int(line["size"]), f"Debian package {package}")
    return parse_candidate(line["name"], unquote(line["version"]))


def _download(package: str, folder: Path) -> Path:
    """Download `package` into `folder`; return the path of the package file."""
    result = run([*APT, package], folder)
    label = f"Debian package {package}"
    if not result.status:
        if archive := next(folder.glob("*.deb"), None):
            return archive
        raise SourceError(f"{label}: apt-get downloads no package file")
    if failure := FETCH_FAILURE.search(result.errors):
        raise _failed_download(label, failure["url"], result)
    reason = _apt_reason(result) or f"apt-get failed with status {result.status}"
    raise SourceError(f"{label}: the download failed ({reason})")


def _read_members(
    tar: tarfile.TarFile, is_wanted: Callable[[str], bool], source_name: str
) -> Members:
    """The wanted regular files and links, and the latest date among the files."""
    contents: dict[str, bytes] = {}
    links: dict[str, str] = {}
    latest, size = 0.0, 0
    for number, member in enumerate(tar):
        if number >= MAX_FILES:  # a damaged archive may never end
            raise SourceError(f"{source_name}: it has more than {MAX_FILES:,} files")
        path = _absolute(member.name)
        if not is_wanted(path):
            continue
        if member.issym():
            links[path] = posixpath.normpath(
                posixpath.join(posixpath.dirname(path), member.linkname)
            )
        elif member.islnk():
            links[path] = _absolute(member.linkname)
        elif member.isreg():
            check_size(member.size, f"{source_name}: {posixpath.basename(path)}")
            size += member.size  # a sparse file is larger than its part of the archive
            check_size(size, source_name, MAX_FILE_SIZE)
            stream = tar.extractfile(member)
            assert stream is not None  # it is a regular file
            contents[path] = stream.read()
            latest = max(latest, member.mtime)
    return contents, links, utc_date(latest) if latest else ""


def _absolute(name: str) -> str:
    return posixpath.normpath("/" + name.lstrip("/"))


def _apt_reason(result: ProgramResult) -> str:
    reason = APT_ERROR.search(result.errors)
    return reason[1] if reason else _first_line(result)


def _first_line(result: ProgramResult) -> str:
    return result.errors.partition("\n")[0]
