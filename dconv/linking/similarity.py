"""Similarity of texts, and whether a text mentions a name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher

# pairs of equal items times the number of blocks that may be found; two English texts of 2,500
# words have about so many
MAX_PAIRS = 200_000_000


def sequence_matcher(old: Sequence[Hashable], new: Sequence[Hashable]) -> SequenceMatcher[Hashable]:
    """A matcher of the longest common blocks of `old` and `new` (Ratcliff and Obershelp).

    Items are words or lines.  The time grows with the number of pairs of equal items.  If there are
    too many, the most frequent items are ignored as starts of blocks.
    """
    old_counts, new_counts = Counter(old), Counter(new)
    pair_counts = {
        item: count * new_counts[item] for item, count in old_counts.items() if item in new_counts
    }
    pair_count, max_blocks = sum(pair_counts.values()), min(len(old), len(new))
    ignored_starts: set[Hashable] = set()
    for item in sorted(pair_counts, key=lambda item: -pair_counts[item]):
        if pair_count * max_blocks <= MAX_PAIRS:
            break
        pair_count -= pair_counts[item]
        ignored_starts.add(item)
    return SequenceMatcher(
        ignored_starts.__contains__ if ignored_starts else None, old, new, autojunk=False
    )


def has_word(text: str, name: str) -> bool:
    """Whether `text` has `name` as a word of its own."""
    if name not in text:  # a hundred times as fast as the pattern
        return False
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


def leading_words(name: str) -> Iterator[str]:
    """The first words of `name`, from one to all: "stats", "stats socket"."""
    words = name.split()
    for length in range(1, len(words) + 1):
        yield " ".join(words[:length])
