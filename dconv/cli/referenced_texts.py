"""Texts that a checked text refers to, though the user did not name them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dconv.build import collect
from dconv.model.diagnostics import UserError
from dconv.settings.types import Product
from dconv.sources.files import is_stream
from dconv.sources.texts import ReleaseTexts, SourceText

# "management", before ".txt", in "(see doc/management.txt)"
FILE_STEM = re.compile(rb"[A-Za-z][\w.-]{0,60}$")
MAX_STEM_LENGTH = 61
SUFFIX = ".txt"


def with_referenced(texts: ReleaseTexts, dialect: str) -> ReleaseTexts:
    """Add to `texts` those of the same product and folder that they name.

    A text names another by its file, or by the title that its product gives it.  Files that cannot
    be read are ignored.  `dialect` is the dialect that the user chose, or empty.
    """
    names = {text.document.name for text in texts.texts}
    referenced: dict[str, SourceText] = {}
    for text in texts.texts:
        for path in _named_files(text):
            for other in _read(path, text.product, dialect):
                if other.document.name not in names:
                    referenced.setdefault(other.document.name, other)
    return replace(texts, referenced_texts=tuple(referenced.values()))


def _named_files(text: SourceText) -> Iterator[Path]:
    """The files in the folder of `text` that it names."""
    path = Path(text.path)
    if is_stream(path) or not path.is_file():
        return
    content = text.content.lower()
    titles = {
        document.file: document.title.lower().encode().split()
        for document in text.product.documents
    }
    files_by_title = [
        file for file, words in titles.items()
        if words and re.search(rb"\s+".join(map(re.escape, words)), content)
    ]
    for name in dict.fromkeys((*files_by_title, *_file_names(text.content))):
        for file in (path.with_name(name), path.with_name(f"{name}.gz")):
            if file != path and file.is_file():
                yield file
                break


def _file_names(content: bytes) -> Iterator[str]:
    """The names of files in `content`: `management.txt` for "doc/management.txt"."""
    for beginning in content.split(SUFFIX.encode())[:-1]:
        if match := FILE_STEM.search(beginning[-MAX_STEM_LENGTH:]):
            yield match[0].decode("latin-1") + SUFFIX


def _read(path: Path, product: Product, dialect: str) -> tuple[SourceText, ...]:
    """The text at `path` if it is of `product`."""
    try:
        texts = collect.read_files([path], (product,), dialect, lambda note: None)
    except UserError:
        return ()
    return tuple(text for text in texts if text.product.name == product.name)
