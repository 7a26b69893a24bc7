"""The README of a Python package: the description in the metadata of its wheel or source archive.

`pip` finds and downloads it, as the user has set it up; nothing of the package is installed or run.
"""

from __future__ import annotations

import re
import sys
import tarfile
import tempfile
import zipfile
from email.parser import BytesParser
from email.policy import compat32
from pathlib import Path

from dconv.settings.types import PythonSource
from dconv.sources.files import check_size, documents_of_files
from dconv.sources.programs import run
from dconv.sources.types import FetchedTexts, File, SourceError

METADATA = re.compile(r"[^/]+\.dist-info/METADATA")
SOURCE_METADATA = re.compile(r"(?:\./)?[^/]+/PKG-INFO")  # in a source archive
# the ending of a README by its type (Core metadata specifications, Description-Content-Type)
ENDINGS = {"text/markdown": ".md", "text/x-rst": ".rst", "text/plain": ".txt"}
# "ERROR: No matching distribution found for kettle"
PIP_ERROR = re.compile(r"^ERROR: (.+?)\.?$", re.MULTILINE)
NO_WHEEL = "No matching distribution"  # how pip says that there is none
OPTIONS = ("--quiet", "--retries=0", "--timeout=10", "--no-deps")
DOWNLOAD = ("-m", "pip", "--no-input", "--disable-pip-version-check", "download", *OPTIONS,
            "--only-binary=:all:")  # fmt: skip
# -P: no module beside the program hides one of Python
DOWNLOAD_ARCHIVE = ("-P", str(Path(__file__).with_name("download_archive.py")), *OPTIONS,
                    "--no-binary=:all:")  # fmt: skip


def read_python_package(source: PythonSource) -> FetchedTexts:
    """The README of the package of `source`.  Raises `SourceError`.

    A wheel comes first.  A source archive is read without asking it for its description, which
    would run its code.
    """
    label = f"Python package {source.package}"
    with tempfile.TemporaryDirectory(prefix="dconv-pip-") as name:
        folder = Path(name)
        result = run([sys.executable, *DOWNLOAD, source.package], folder)
        if "No module named pip" in result.errors:
            raise SourceError(f"{label}: Python's program pip is not installed; install it")
        reasons = PIP_ERROR.findall(result.errors)
        if wheel := next(folder.glob("*.whl"), None):
            return _texts(_wheel_metadata(wheel, label), label)
        if reasons and reasons[-1].startswith(NO_WHEEL):
            run([sys.executable, *DOWNLOAD_ARCHIVE, source.package], folder)
            if archive := next(folder.glob("*.tar.*"), None):
                return _texts(_archive_metadata(archive, label), label)
        raise SourceError(f"{label}: {reasons[-1] if reasons else 'pip downloads no package'}")


def _wheel_metadata(wheel: Path, label: str) -> bytes:
    try:
        with zipfile.ZipFile(wheel) as archive:
            member = next(
                (item for item in archive.infolist() if METADATA.fullmatch(item.filename)), None
            )
            if member is None:
                raise SourceError(f"{label}: its wheel has no metadata")
            check_size(member.file_size, label)
            return archive.read(member)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, RuntimeError) as error:
        raise SourceError(f"{label}: its wheel is damaged ({error})") from error


def _archive_metadata(path: Path, label: str) -> bytes:
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isreg() and SOURCE_METADATA.fullmatch(member.name):
                    check_size(member.size, label)
                    stream = archive.extractfile(member)
                    assert stream is not None  # it is a regular file
                    return stream.read()
    except (tarfile.TarError, ValueError, OSError, EOFError) as error:
        raise SourceError(f"{label}: its source archive is damaged") from error
    raise SourceError(f"{label}: its source archive has no metadata")


def _texts(content: bytes, label: str) -> FetchedTexts:
    """The description in the metadata `content`, with its version and summary."""
    metadata = BytesParser(policy=compat32).parsebytes(content)
    body = content.partition(b"\n\n")[2] or str(metadata.get("Description", "")).encode()
    if not body.strip():
        raise SourceError(f"{label}: it has no description")
    kind = str(metadata.get("Description-Content-Type", "text/x-rst")).partition(";")[0].strip()
    readme = File(f"README{ENDINGS.get(kind, '.txt')}", body)
    texts, notes, _ = documents_of_files([readme], (), label)
    version = str(metadata.get("Version", ""))
    origin = f"{label.partition('==')[0]} {version}"
    return FetchedTexts(
        texts, origin, "", version, version, notes,
        description=" ".join(str(metadata.get("Summary", "")).split()),
    )
