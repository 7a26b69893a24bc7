"""What two sequences have in common, found in a time that does not grow with what repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher

# pairs of equal parts times the parts of the shorter sequence: two texts of 2,500 English words
MANY = 200_000_000


def matcher(old: Sequence[Hashable], new: Sequence[Hashable]) -> SequenceMatcher[Hashable]:
    """What finds matching blocks of `old` and `new` (Ratcliff and Obershelp).

    Its time grows with the pairs of equal parts, for each block anew: where there are
    very many, those parts that are repeated most are no start of a block.
    """
    ours, theirs = Counter(old), Counter(new)
    pairs = {part: count * theirs[part] for part, count in ours.items() if part in theirs}
    left, blocks = sum(pairs.values()), min(len(old), len(new))
    common: set[Hashable] = set()
    for part in sorted(pairs, key=lambda part: -pairs[part]):
        if left * blocks <= MANY:
            break
        left -= pairs[part]
        common.add(part)
    return SequenceMatcher(common.__contains__ if common else None, old, new, autojunk=False)
