"""Links of reStructuredText to documents by path (`:doc:`) that lead to no file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from glob import escape
from pathlib import Path, PurePosixPath

from dconv.model.diagnostics import Diagnostic

# ":doc:`title <folder/name>`"; one with a colon is in another project: "python:library/re"
PATH = re.compile(r":doc(?:ref)?:`(?:[^`<>]*<)?([^`<>:]*/[^`<>:]*)>?`")
STEPS = frozenset({"/", ".", ".."})


def missing_documents(content: bytes, path: str, texts: Collection[str]) -> Iterator[Diagnostic]:
    """A finding for each path in the text `content` that neither `texts` nor the folders have.

    `path` is the text's own, `texts` are those of the release.  The root of the documents is not
    known, so each folder above the text may be it.  A text that is no file has no folders: nothing
    is found.
    """
    if not Path(path).is_file():
        return
    from dconv.readers.rst import document_links  # imports docutils

    written = set(PATH.findall(content.decode(errors="replace")))
    missing = {target for target in written if not _is_there(target, path, texts)}
    for target, line, column in document_links(content, path) if missing else ():
        if target in missing:
            message = f"{target} is not a document of this release and has no address"
            yield Diagnostic(path, line, column, "note", "missing-document", message)


def _is_there(target: str, path: str, texts: Collection[str]) -> bool:
    """Whether a file may be the document `target` of the text at `path`."""
    parts = tuple([part for part in PurePosixPath(target).parts if part not in STEPS])
    if not parts:
        return True
    *folders, name = parts
    for text in texts:
        other = PurePosixPath(text).parts
        if other[-len(parts) : -1] == parts[:-1] and other[-1].partition(".")[0] == name:
            return True
    for folder in Path(path).absolute().parents:
        place = folder.joinpath(*folders)
        if (place / name).exists() or next(place.glob(f"{escape(name)}.*"), None):
            return True
    return False
