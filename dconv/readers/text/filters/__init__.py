"""Filters before the text reader: each turns one kind of text into lines that the reader knows.

A filter looks at the content of a text, never at its name or product, and returns None if the text
is not of its kind.  Only the first filter that matches is applied.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from dconv.model.dialect import Dialect
from dconv.model.source import Source
from dconv.readers.text.filters import comments, pages, terminal
from dconv.readers.text.filters.filtered import Filtered

Filter: TypeAlias = Callable[[Source, Dialect], Filtered | None]

FILTERS: tuple[Filter, ...] = (terminal.filtered, pages.filtered, comments.filtered)


def apply_filters(source: Source, dialect: Dialect) -> Filtered:
    """Return `source` as the first filter that matches changes it, else unchanged."""
    for filter_text in FILTERS:
        result = filter_text(source, dialect)
        if result is not None:
            return result
    return Filtered(source, dialect)
