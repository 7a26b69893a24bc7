"""Readers: one for each input format, each from bytes to a manual.

A new format is a module or folder next to `text` with a function `read`, its name in `FORMATS`
(`dconv/model/source.py`), and a line in `DETECTORS` or `SUFFIXES`, unless a setting names it.  A
format that is detected but has no reader is refused, with its line in `REFUSALS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from dconv.model.diagnostics import UserError
from dconv.model.dialect import Dialect
from dconv.model.file_names import file_name
from dconv.model.source import FORMATS
from dconv.readers import detect
from dconv.readers.mandoc import MANDOC, is_installed

if TYPE_CHECKING:
    from dconv.model.tree import Manual

# (content, path, dialect, name) -> the manual `name`; `path` is for findings, and what is
# odd in the content is among them: a reader raises nothing
Reader: TypeAlias = "Callable[[bytes, str, Dialect, str], Manual]"


def _reader(format_name: str) -> Reader:
    """The reader of a format, which is imported when it is called: most commands need one of them.
    """

    def read(content: bytes, path: str, dialect: Dialect, name: str) -> Manual:
        reader: Reader = import_module(f"dconv.readers.{format_name}").read
        return reader(content, path, dialect, name)

    return read


READERS: Mapping[str, Reader] = {format_name: _reader(format_name) for format_name in FORMATS}
# formats, each with a function that recognizes it in the content; the first match wins
DETECTORS: tuple[tuple[str, Callable[[bytes], bool]], ...] = (
    ("compressed", detect.is_compressed), ("pdf", detect.is_pdf), ("binary", detect.is_binary),
    ("man", detect.is_man_page), ("html", detect.is_html),
)
# the format by the ending of the file name, for content that no detector recognizes
SUFFIXES: Mapping[str, str] = {
    ".rst": "rst", ".rst.txt": "rst",
    ".md": "markdown", ".markdown": "markdown", ".mkd": "markdown",
    ".html": "html", ".htm": "html", ".xhtml": "html",
}
PLAIN_TEXT = "text"
MAN = "man"
RST = "rst"

# the message for a format without a reader, after the name of the file
REFUSALS: Mapping[str, str] = {
    "binary": "not a text: it contains NUL bytes",
    "compressed": "not a text: it is compressed; unpack it first (only gzip is read)",
    "pdf": "not a text: it is a PDF; convert what it was made from",
}


class FormatError(UserError):
    """No reader reads the format of a file; the message is one sentence for the user."""


class MissingProgramError(FormatError):
    """A reader needs a program that is not installed."""


def format_of(content: bytes, path: str) -> str:
    """Return the format of `content`, which is from `path`: by its content, else by its name.

    If neither decides, it is reStructuredText if it looks so, else text.
    """
    for name, recognizes in DETECTORS:
        if recognizes(content):
            return name
    file = file_name(path).casefold()
    for suffix, name in SUFFIXES.items():
        if file.endswith(suffix):
            return name
    return RST if detect.is_rst(content) else PLAIN_TEXT


def reader_of(content: bytes, path: str, format_name: str = "") -> Reader:
    """Return what reads `content`, which is from `path`.  Raises `FormatError`.

    `format_name` is its format, or empty if its content or its name decides.
    """
    name = format_name or format_of(content, path)
    if name not in READERS:
        raise FormatError(f"{path}: {REFUSALS[name]}")
    if name == MAN and not is_installed():
        raise MissingProgramError(
            f"{path}: manual pages need {MANDOC}: install the package {MANDOC}"
        )
    return READERS[name]
