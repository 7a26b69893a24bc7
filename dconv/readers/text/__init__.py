"""The reader of numbered, underlined, indented plain text: lines, outline, rules, nesting."""

from __future__ import annotations

from dconv.model.dialect import Dialect
from dconv.model.source import read_source
from dconv.model.tree import Manual
from dconv.readers.text.nest import nest


def read(content: bytes, path: str, dialect: Dialect, name: str) -> Manual:
    """Return the manual `name` that the text `content` makes in `dialect`.

    `path` names the text in findings.  Never raises: what is odd in the text is
    among the manual's diagnostics.
    """
    return nest(read_source(content, path), dialect, name)
