"""Readers: one for each input format, each from bytes to a manual.

A new format is a module or folder beside `text` with a function `read`, its line in
`READERS`, and its line in `SIGNS`, unless a setting names it.  A format with a sign and no
reader is refused, with its line in `REFUSALS`.
"""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Mapping
from typing import TypeAlias

from dconv.model.diagnostics import UserError
from dconv.model.dialect import Dialect
from dconv.model.tree import Manual
from dconv.readers import text

# (content, path, dialect, name) -> the manual `name`; `path` is for findings, and what is
# odd in the content is among them: a reader raises nothing
Reader: TypeAlias = Callable[[bytes, str, Dialect, str], Manual]

READERS: Mapping[str, Reader] = {"text": text.read}


def _is_binary(content: bytes) -> bool:
    """Whether `content` has NUL bytes; UTF-16 has them in text."""
    return b"\0" in content and not content.startswith((BOM_UTF16_LE, BOM_UTF16_BE))


# formats, each with what recognises it in the content; the first that does wins
SIGNS: tuple[tuple[str, Callable[[bytes], bool]], ...] = (("binary", _is_binary),)
DEFAULT = "text"

# what to say of a format without a reader, after the name of the file
REFUSALS: Mapping[str, str] = {"binary": "not a text: it contains NUL bytes"}


class FormatError(UserError):
    """No reader reads the format of a file; the message is one sentence for the user."""


def reader_of(content: bytes, path: str) -> Reader:
    """Return what reads `content`, which is from `path`.  Raises `FormatError`."""
    name = next((name for name, recognises in SIGNS if recognises(content)), DEFAULT)
    if name not in READERS:
        raise FormatError(f"{path}: {REFUSALS[name]}")
    return READERS[name]
