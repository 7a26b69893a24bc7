"""What was fetched before, on this disk: checked when read, whole or absent.

An entry is a folder: `origin.json` and, in `files/`, the texts.  It may be
deleted at any time; a damaged one counts as absent.  It is replaced as a whole, and
what a killed process left beside it goes when it is fetched again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from dconv.settings import DocumentSetting, SourceSetting
from dconv.sources.atomic import replacing
from dconv.sources.files import regular
from dconv.sources.types import Fetched, FetchedDocument

NO_HOME = "/nonexistent"  # for who has none: no cache can be kept there
CHECKSUM = "sha256"  # of the rest of the record: it says where the texts are from, and of when
FORMAT = 1  # of origin.json; an entry of another one counts as absent


def cache_folder(environment: Mapping[str, str]) -> Path:
    """The user's cache: `$XDG_CACHE_HOME/dconv`, or `~/.cache/dconv`.

    A relative `XDG_CACHE_HOME` is ignored (XDG Base Directory Specification 0.8).
    """
    base = Path(environment.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():
        home = environment.get("HOME", "") or os.path.expanduser("~")
        base = Path(home if home != "~" else NO_HOME) / ".cache"
    return base / "dconv"


def entry_folder(
    cache: Path, source: SourceSetting, version: str, documents: tuple[DocumentSetting, ...]
) -> Path:
    """Where `cache` keeps what `source` gives for `version` and these documents."""
    files = [(document.name, document.file) for document in documents]
    key = repr((type(source).__name__, source, version, files))
    return cache / hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def load(folder: Path) -> Fetched | None:
    """What the entry `folder` holds, or None where it is absent or damaged in any way."""
    try:
        record: object = json.loads(regular(folder / "origin.json"))
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            return None
        told = record.pop(CHECKSUM, None)  # entries of the first days have none
        if told is not None and told != _checksum(record):
            return None
        items = record["files"]
        if not isinstance(items, list) or not items:
            return None
        documents = [_document(folder, item) for item in items]
        texts = [record[key] for key in ("origin", "date", "version", "full_version")]
    except (OSError, ValueError, LookupError, RecursionError):
        return None
    origin, date, version, full_version = (str(text) for text in texts)
    whole = tuple([document for document in documents if document is not None])
    if len(whole) != len(documents):
        return None
    return Fetched(whole, origin, date, version, full_version)


def store(folder: Path, fetched: Fetched) -> str:
    """Write `fetched` as the entry `folder`, whole or not at all.

    The answer is empty, or a sentence for the user where the disk says no: what
    was fetched is good all the same.
    """
    try:
        with replacing(folder) as new:
            _write(new, fetched)
            if folder.is_file():
                folder.unlink()  # whatever that was
    except BlockingIOError:
        return ""  # another process keeps the same just now
    except OSError as error:
        return f"the cache {folder.parent} cannot be written ({error.strerror})"
    return ""


def _document(folder: Path, item: object) -> FetchedDocument | None:
    if not isinstance(item, dict):
        return None
    name, file, stored, sha256 = (str(item[key]) for key in ("name", "file", "stored", "sha256"))
    if not stored.isdecimal():
        return None
    content = regular(folder / "files" / stored)
    if hashlib.sha256(content).hexdigest() != sha256:
        return None
    return FetchedDocument(name, file, content, sha256, str(item.get("url", "")))


def _write(folder: Path, fetched: Fetched) -> None:
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
        })
    record = {
        "format": FORMAT,
        "origin": fetched.origin,
        "date": fetched.date,
        "version": fetched.version,
        "full_version": fetched.full_version,
        "files": items,
    }
    text = json.dumps({**record, CHECKSUM: _checksum(record)}, indent=2) + "\n"
    (folder / "origin.json").write_text(text, encoding="ascii")


def _checksum(record: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()
