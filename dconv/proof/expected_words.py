"""The words of a tree against the expected ones, which another program found in the same file.

The source of a text with markup is written from the tree (see
`readers/extracted_text.py`), so comparing it with the tree proves nothing about the file.
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


def expected_word_losses(manual: Manual) -> Iterator[Loss]:
    """A loss for each stretch of words that differs from the expected ones."""
    if manual.expected_words is None:
        return
    expected = manual.expected_words.words
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
    for old_start, old_end, new_start, new_end in _differences(expected, words):
        line = lines[min(new_start, len(lines) - 1)] if lines else 1
        original, in_tree = expected[old_start:old_end], words[new_start:new_end]
        message = f"original {quoted(original)}, tree {quoted(in_tree)}"
        difference = loss(manual.source.path, [line if manual.source.lines else 1], message)
        yield replace(difference, word_count=max(1, old_end - old_start))


def _differences(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """The ranges of `old` and `new` that differ, in order.

    Windows are compared one after the other, so that the time grows as the texts do.
    """
    old_at = new_at = 0
    while old_at < len(old) or new_at < len(new):
        while old_at < len(old) and new_at < len(new) and old[old_at] == new[new_at]:
            old_at += 1
            new_at += 1
        old_window, new_window = old[old_at : old_at + WINDOW], new[new_at : new_at + WINDOW]
        if not old_window and not new_window:
            return
        old_end, new_end = old_at + len(old_window), new_at + len(new_window)
        is_last_window = old_end == len(old) and new_end == len(new)
        matcher = SequenceMatcher(None, old_window, new_window, autojunk=False)
        blocks = [
            block for block in matcher.get_matching_blocks()
            if block.size >= MIN_EQUAL_WORDS or is_last_window
        ]
        if not blocks:
            yield old_at, old_end, new_at, new_end
            old_at, new_at = old_end, new_end
            continue
        first = blocks[0]
        yield old_at, old_at + first.a, new_at, new_at + first.b
        old_at, new_at = old_at + first.a, new_at + first.b
