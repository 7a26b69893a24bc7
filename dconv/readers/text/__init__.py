"""The reader of plain text: filters, the outline, the tree, rules for constructs of bodies."""

from __future__ import annotations

from collections.abc import Callable

from dconv.model.dialect import Dialect
from dconv.model.source import Source, read_source
from dconv.model.tree import Manual
from dconv.readers.text.filters import comments, pages, terminal
from dconv.readers.text.filters.filtered import FilteredText
from dconv.readers.text.styles import styled
from dconv.readers.text.tree_builder import build_tree

# the first filter that does not return None is applied
FILTERS: tuple[Callable[[Source, Dialect], FilteredText | None], ...] = (
    terminal.filtered, pages.filtered, comments.filtered,
)


def read(content: bytes, path: str, dialect: Dialect, name: str) -> Manual:
    """Return the manual `name` that the text `content` makes in `dialect`.

    `path` names the text in findings.  Never raises: what is odd in the text is
    among the manual's diagnostics.
    """
    source = read_source(content, path)
    results = (filter_text(source, dialect) for filter_text in FILTERS)
    text = next(filter(None, results), FilteredText(source, dialect))
    manual = build_tree(text, name)
    return styled(manual, text.styles) if text.styles else manual
