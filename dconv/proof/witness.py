"""The words of a tree against those of a witness: another program that read the same bytes.

A reading copy (see `readers/reading_copy.py`) is written from the tree, so it proves nothing about
the original.  The reader adds the words that another parser, or another output of it, finds there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from dconv.model.tree import Manual
from dconv.proof.differences import Loss, loss, quoted
from dconv.proof.leaves import leaves

WINDOW = 400  # words that are compared at once around a difference
MIN_EQUAL_WORDS = 4  # equal words that end a difference


def witness_losses(manual: Manual) -> Iterator[Loss]:
    """Yield a loss for each stretch of words that tree and witness do not share."""
    if manual.witness is None:
        return
    expected = manual.witness.words
    words: list[str] = []
    lines: list[int] = []
    for leaf in leaves(manual):
        leaf_words = (
            [word for line in leaf.words for word in line.split()] if leaf.is_code else leaf.words
        )
        words += leaf_words
        lines += [leaf.first] * len(leaf_words)
    if tuple(words) == expected:
        return
    for at, to, other, other_to in _differences(expected, words):
        line = lines[min(other, len(lines) - 1)] if lines else 1
        message = f"original {quoted(expected[at:to])}, tree {quoted(words[other:other_to])}"
        difference = loss(manual.source.path, [line if manual.source.lines else 1], message)
        yield replace(difference, words=max(1, to - at))


def _differences(
    old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the ranges of `old` and `new` that differ, in order.

    Windows are compared one after the other, so that the time grows as the texts do.
    """
    at = other = 0
    while at < len(old) or other < len(new):
        while at < len(old) and other < len(new) and old[at] == new[other]:
            at += 1
            other += 1
        ours, theirs = old[at : at + WINDOW], new[other : other + WINDOW]
        if not ours and not theirs:
            return
        is_last_window = at + len(ours) == len(old) and other + len(theirs) == len(new)
        matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
        blocks = [
            block for block in matcher.get_matching_blocks()
            if block.size >= MIN_EQUAL_WORDS or is_last_window
        ]
        if not blocks:
            yield at, at + len(ours), other, other + len(theirs)
            at, other = at + len(ours), other + len(theirs)
            continue
        first = blocks[0]
        yield at, at + first.a, other, other + first.b
        at, other = at + first.a, other + first.b
