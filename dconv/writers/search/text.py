"""The text tier: what each word weighs at each place.

BM25 in every field, with the boosts of the fields, as lunr computes it
(Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from dconv.writers.search.fields import WEIGHTS

SATURATION = 4.0  # BM25's k1
LENGTH = 0.4  # BM25's b
PRECISION = 3  # digits that lunr keeps of a weight


def impacts(documents: Sequence[Mapping[str, Sequence[str]]]) -> dict[str, dict[int, float]]:
    """What each word weighs at each of `documents`, its words by field: the sum of the fields."""
    spread = Counter(
        word for fields in documents for found in fields.values() for word in set(found)
    )
    rarity = {word: _rarity(count, len(documents)) for word, count in spread.items()}
    lengths = {
        part: sum(len(fields.get(part, ())) for fields in documents) / len(documents)
        for part in WEIGHTS if documents
    }
    weights: dict[str, dict[int, float]] = {word: {} for word in spread}
    for document, fields in enumerate(documents):
        for part, boost in WEIGHTS.items():
            if found := fields.get(part):
                base = SATURATION * (1 - LENGTH + LENGTH * (len(found) / lengths[part]))
                for word, count in Counter(found).items():
                    score = rarity[word] * ((SATURATION + 1) * count) / (base + count) * boost
                    own = weights[word]
                    own[document] = own.get(document, 0.0) + round(score, PRECISION)
    return weights


def _rarity(count: int, documents: int) -> float:
    """The weight of a word that `count` fields of so many `documents` have."""
    return math.log(1 + abs((documents - count + 0.5) / (count + 0.5)))
