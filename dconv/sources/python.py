"""The README of a Python package: the description in the metadata of its wheel.

`pip` downloads the wheel, as the user has set it up; nothing of the package is installed or run.
"""

from __future__ import annotations

import re
import sys
import tempfile
import zipfile
from email.parser import BytesParser
from email.policy import compat32
from pathlib import Path

from dconv.settings.types import PythonSource
from dconv.sources.files import check_size, unpack_all
from dconv.sources.programs import run
from dconv.sources.types import TIMEOUT, FetchedTexts, File, SourceError

METADATA = re.compile(r"[^/]+\.dist-info/METADATA")
# the ending of a README by its type (Core metadata specifications, Description-Content-Type)
ENDINGS = {"text/markdown": ".md", "text/x-rst": ".rst", "text/plain": ".txt"}
# "ERROR: No matching distribution found for kettle"
PIP_ERROR = re.compile(r"^ERROR: (.+?)\.?$", re.MULTILINE)
DOWNLOAD = ("-m", "pip", "--no-input", "--disable-pip-version-check", "download", "--quiet",
            "--retries=0", "--timeout=10", "--no-deps", "--only-binary=:all:")  # fmt: skip


def read_python_package(source: PythonSource, timeout: float = TIMEOUT) -> FetchedTexts:
    """The README of the package of `source`; `timeout` is in seconds.  Raises `SourceError`.

    Only wheels are taken: to ask another archive for its description is to run its code.
    """
    label = f"Python package {source.package}"
    with tempfile.TemporaryDirectory(prefix="dconv-pip-") as name:
        folder = Path(name)
        result = run([sys.executable, *DOWNLOAD, source.package], timeout, folder)
        if "No module named pip" in result.errors:
            raise SourceError(f"{label}: Python's program pip is not installed; install it")
        wheel = next(folder.glob("*.whl"), None)
        if result.status or wheel is None:
            reasons = PIP_ERROR.findall(result.errors)
            reason = reasons[-1] if reasons else "pip downloads no wheel"
            if reason.startswith("No matching distribution"):
                reason = f"{reason}, or none that is a wheel"
            raise SourceError(f"{label}: {reason}")
        return read_wheel(wheel, label)


def read_wheel(wheel: Path, label: str) -> FetchedTexts:
    """The description in the `wheel`, with its version; `label` names it in messages."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            member = next(
                (item for item in archive.infolist() if METADATA.fullmatch(item.filename)), None
            )
            if member is None:
                raise SourceError(f"{label}: its wheel has no metadata")
            check_size(member.file_size, label)
            content = archive.read(member)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, RuntimeError) as error:
        raise SourceError(f"{label}: its wheel is damaged ({error})") from error
    metadata = BytesParser(policy=compat32).parsebytes(content)
    body = content.partition(b"\n\n")[2] or str(metadata.get("Description", "")).encode()
    if not body.strip():
        raise SourceError(f"{label}: it has no description")
    kind = str(metadata.get("Description-Content-Type", "text/x-rst")).partition(";")[0].strip()
    readme = File(f"README{ENDINGS.get(kind, '.txt')}", body)
    texts, notes, _ = unpack_all([readme], (), label)
    version = str(metadata.get("Version", ""))
    origin = f"{label.partition('==')[0]} {version}"
    return FetchedTexts(texts, origin, "", version, version, notes)
