"""Texts that nobody names and that stand beside: what a checked text refers to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dconv.build import collect
from dconv.settings import DocumentSetting, Product
from dconv.sources import SourceError, is_stream
from dconv.sources.texts import ReleaseTexts, SourceText

# what stands before ".txt": "(see doc/management" of "(see doc/management.txt)"
STEM = re.compile(rb"[A-Za-z][\w.-]{0,60}$")
LONGEST = 61
SUFFIX = ".txt"


def with_beside(texts: ReleaseTexts, manual: str) -> ReleaseTexts:
    """`texts` with those of their product in the same folders that they name.

    A text is named by its file, or by the title that its product gives it.  What cannot be
    read is not there.  `manual` is the product that the user says they are of, or empty.
    """
    taken = {text.setting.name for text in texts.texts}
    found: dict[str, SourceText] = {}
    for text in texts.texts:
        for path in _named(text):
            for one in _read(path, text.product, manual):
                if one.setting.name not in taken:
                    found.setdefault(one.setting.name, one)
    return replace(texts, beside=tuple(found.values()))


def _named(text: SourceText) -> Iterator[Path]:
    """The files beside `text` that it names."""
    place = Path(text.path)
    if is_stream(place) or not place.is_file():
        return
    content = text.content.lower()
    titled = [one.file for one in text.product.documents if _has_title(content, one)]
    for name in dict.fromkeys((*titled, *_files(text.content))):
        for path in (place.with_name(name), place.with_name(f"{name}.gz")):
            if path != place and path.is_file():
                yield path
                break


def _has_title(content: bytes, document: DocumentSetting) -> bool:
    """Whether `content`, in lower case, has the title of `document`."""
    words = document.title.lower().encode().split()
    return bool(words) and re.search(rb"\s+".join(map(re.escape, words)), content) is not None


def _files(content: bytes) -> Iterator[str]:
    """The names of files in `content`: `management.txt` for "doc/management.txt"."""
    for piece in content.split(SUFFIX.encode())[:-1]:
        match = STEM.search(piece[-LONGEST:])
        if match is not None:
            yield match[0].decode("latin-1") + SUFFIX


def _read(path: Path, product: Product, manual: str) -> tuple[SourceText, ...]:
    """The text at `path`, where it is of `product`."""
    try:
        read = collect.read_files([path], (product,), manual, lambda note: None)
    except SourceError:
        return ()
    return tuple(one for one in read if one.product.name == product.name)
