"""Compare the lines that a filter wrote with those of the file: all words, in their order.

What the filter left out is named in `Source.filtered_out`, and must be in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from dconv.model.source import Source
from dconv.proof.differences import Loss, loss, quoted
from dconv.proof.source_words import without_ranges


def filter_losses(source: Source) -> Iterator[Loss]:
    """Yield a loss for each line of the file whose words are not those that were read."""
    if not source.unfiltered:
        return
    words_read: dict[int, list[str]] = {}
    for line, origin in zip(source.lines, source.origins, strict=True):
        words_read.setdefault(origin, []).extend(line.text.split())
    for above, below in pairwise(source.origins):
        if below < above:
            yield loss(source.path, [below], "comes after what follows it")
    dropped: dict[int, list[tuple[int, int]]] = {}
    for mark in source.filtered_out:
        line = source.unfiltered[mark.line - 1]
        start = mark.column - 1 - line.indent
        if line.text.startswith(mark.text, start):
            dropped.setdefault(mark.line, []).append((start, start + len(mark.text)))
        else:
            yield loss(source.path, [mark.line], f"left out, but not in the file: {mark.text!r}")
    for line in source.unfiltered:
        words = without_ranges(line.text, sorted(dropped.get(line.number, ())), "").split()
        actual = words_read.get(line.number, [])
        if words != actual:
            message = f"file {quoted(words)}, read {quoted(actual)}"
            yield loss(source.path, [line.number], message)
