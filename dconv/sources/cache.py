"""The cache of fetched texts.

An entry is a folder: `origin.json` and, in `files/`, the texts.  Users may delete it at any
time; a damaged entry counts as absent.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from dconv.model.diagnostics import reason
from dconv.settings.types import DocumentSetting, GitSource, PackageSource, SourceSetting
from dconv.sources.regular_file import read_regular_file
from dconv.sources.types import FetchedDocument, FetchedTexts

NO_HOME = "/nonexistent"  # for users without a home folder: nothing can be cached there
CHECKSUM = "sha256"  # the key for the checksum of the rest of the record
FORMAT = 2  # of origin.json; an entry in another format counts as absent


def cache_folder(environment: Mapping[str, str]) -> Path:
    """The user's cache: `$XDG_CACHE_HOME/dconv`, or `~/.cache/dconv`.

    A relative `XDG_CACHE_HOME` is ignored (XDG Base Directory Specification 0.8).
    """
    base = Path(environment.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():
        home = environment.get("HOME", "") or os.path.expanduser("~")
        base = Path(home if home != "~" else NO_HOME) / ".cache"
    return base / "dconv"


def programs_folder(cache: Path) -> Path:
    """The folder in `cache` of programs that were fetched since they are not installed."""
    return cache / "programs"


def entry_folder(
    cache: Path, source: SourceSetting, version: str, documents: tuple[DocumentSetting, ...]
) -> Path:
    """The folder in `cache` of the texts that `source` gives for `version` and `documents`."""
    files = [(document.name, document.file) for document in documents]
    if isinstance(source, GitSource | PackageSource):
        files += [(file, file) for file in source.files]
    key = repr((type(source).__name__, source, version, files))
    return cache / hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def load(folder: Path) -> FetchedTexts | None:
    """The content of the entry `folder`, or None if it is absent or damaged."""
    try:
        record: object = json.loads(read_regular_file(folder / "origin.json"))
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            return None
        if record.pop(CHECKSUM, None) != _checksum(record):
            return None
        documents = tuple([_document(folder, item) for item in record["files"]])
        return FetchedTexts(
            documents, str(record["origin"]), str(record["date"]), str(record["version"]),
            str(record["full_version"]), description=str(record["description"]),
        )
    except (OSError, ValueError, LookupError, RecursionError):
        return None


def store(folder: Path, fetched: FetchedTexts) -> str:
    """Write `fetched` as the entry `folder`, whole or not at all.

    Returns an empty string, or a sentence for the user if the disk refuses: the fetched texts are
    good all the same.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(prefix=f"{folder.name}.new-", dir=folder.parent))
        try:
            _write(new, fetched)
            if folder.is_dir() and not folder.is_symlink():
                shutil.rmtree(folder, ignore_errors=True)
            else:
                folder.unlink(missing_ok=True)
            new.rename(folder)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        if load(folder) is None:  # else another process has just written the same texts
            return f"cannot write the cache {folder.parent} ({reason(error)})"
    return ""


def _document(folder: Path, item: Mapping[str, str]) -> FetchedDocument:
    """The document of a record's `item`; raises `ValueError` if its file is another one."""
    content = read_regular_file(folder / "files" / item["stored"])
    if hashlib.sha256(content).hexdigest() != item["sha256"]:
        raise ValueError("wrong checksum")
    others = tuple(filter(None, item["other_names"].split("/")))
    return FetchedDocument(item["name"], item["file"], content, item["sha256"], item["url"], others)


def _write(folder: Path, fetched: FetchedTexts) -> None:
    (folder / "files").mkdir()
    items: list[dict[str, str]] = []
    for number, document in enumerate(fetched.documents, 1):
        (folder / "files" / str(number)).write_bytes(document.content)
        items.append({
            "name": document.name,
            "file": document.file,
            "stored": str(number),  # a number: no name of a source becomes a path here
            "sha256": document.sha256,
            "url": document.url,
            "other_names": "/".join(document.other_names),
        })
    record = {
        "format": FORMAT,
        "origin": fetched.origin,
        "date": fetched.date,
        "version": fetched.version,
        "full_version": fetched.full_version,
        "description": fetched.description,
        "files": items,
    }
    text = json.dumps({**record, CHECKSUM: _checksum(record)}, indent=2) + "\n"
    (folder / "origin.json").write_text(text, encoding="ascii")


def _checksum(record: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
