"""The reader of plain text, numbered, underlined, indented: filters, outline, rules, nesting."""

from __future__ import annotations

from dconv.model.dialect import Dialect
from dconv.model.source import read_source
from dconv.model.tree import Manual
from dconv.readers.text.filters import apply_filters
from dconv.readers.text.nest import nest
from dconv.readers.text.styles import styled


def read(content: bytes, path: str, dialect: Dialect, name: str) -> Manual:
    """Return the manual `name` that the text `content` makes in `dialect`.

    `path` names the text in findings.  Never raises: what is odd in the text is
    among the manual's diagnostics.
    """
    text = apply_filters(read_source(content, path), dialect)
    manual = nest(
        text.source, text.dialect, name, text.titles, text.code, text.column, text.entries
    )
    return styled(manual, text.styles) if text.styles else manual
