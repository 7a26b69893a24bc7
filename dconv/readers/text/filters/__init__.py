"""Filters before the reader of text: each makes a text that it can read of one that it cannot.

A filter looks at what the text holds, never at its name or its product, and returns None for all
texts but its own.  The first that does not is the only one.
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


def filtered(source: Source, dialect: Dialect) -> Filtered:
    """Return what the filter of this text makes of it, else the text as it is."""
    for apply in FILTERS:
        result = apply(source, dialect)
        if result is not None:
            return result
    return Filtered(source, dialect)
