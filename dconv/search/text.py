"""The text tier: lunr.py's index of our words, and what each word weighs at each place.

lunr.py's Builder computes BM25 for every field, with the boosts of the fields.  It is
fed with lists of words that `words` made, so that neither its tokenizer nor its trimmer
and stemmer see them: they would split "http-request" and cut "tune.bufsize".
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from lunr.builder import Builder
from lunr.field_ref import FieldRef
from lunr.idf import idf
from lunr.index import Index
from lunr.token_set import TokenSet
from lunr.vector import Vector

from dconv.search.fields import WEIGHTS

SATURATION = 4.0  # BM25's k1
LENGTH = 0.4  # BM25's b
PRECISION = 3  # digits that lunr.py keeps of a weight


class _Builder(Builder):  # type: ignore[misc]  # which has no types
    """lunr.py's Builder for words that are ready: it wraps and copies none of them."""

    def add_words(self, name: str, fields: Mapping[str, Sequence[str]]) -> None:
        """Add the document `name` as `Builder.add` does, with `fields` as its words."""
        self._documents[name] = {}
        self.document_count += 1
        for part in self._fields:
            found = fields.get(part, ())
            reference = str(FieldRef(name, part))
            self.field_lengths[reference] = len(found)
            counted = Counter(found)
            self.field_term_frequencies[reference] = counted
            for word in counted:
                posting = self.inverted_index.get(word)
                if posting is None:
                    posting = {other: {} for other in self._fields}
                    posting["_index"] = len(self.inverted_index)
                    self.inverted_index[word] = posting
                posting[part][name] = {}


    def _calculate_average_field_lengths(self) -> None:
        """Divide by the number of documents, where there are some."""
        if self._documents:
            super()._calculate_average_field_lengths()

    def _create_field_vectors(self) -> None:
        """Weigh as lunr.py does, which looks for the place of each word of a text: here they come
        in order."""
        terms = {word: posting["_index"] for word, posting in self.inverted_index.items()}
        frequencies = {
            word: idf(posting, self.document_count)
            for word, posting in self.inverted_index.items()
        }
        self.field_vectors = {}
        for reference, counted in self.field_term_frequencies.items():
            name = reference.partition("/")[0]
            length = self.field_lengths[reference] / (self.average_field_length[name] or 1)
            base = self._k1 * (1 - self._b + self._b * length)
            boost = self._fields[name].boost
            elements: list[float] = []
            for at, word in sorted((terms[word], word) for word in counted):
                count = counted[word]
                score = frequencies[word] * ((self._k1 + 1) * count) / (base + count) * boost
                elements += (at, round(score, PRECISION))
            self.field_vectors[reference] = Vector(elements)

    def _create_token_set(self) -> None:
        """Leave lunr's own search without words: it is not asked, and this takes its time."""
        self.token_set = TokenSet()


def build(documents: Sequence[Mapping[str, Sequence[str]]]) -> Index:
    """lunr's index of `documents`, each its words by field; they are called "0", "1", …"""
    builder = _Builder()
    builder.k1(SATURATION)
    builder.b(LENGTH)
    for part, weight in WEIGHTS.items():
        builder.field(part, weight)
    for at, fields in enumerate(documents):
        builder.add_words(str(at), fields)
    return builder.build()


def impacts(index: Index) -> dict[str, dict[int, float]]:
    """What each word weighs at each document: the sum over the fields."""
    terms = {posting["_index"]: word for word, posting in index.inverted_index.items()}
    found: dict[str, dict[int, float]] = {word: {} for word in index.inverted_index}
    for reference, vector in index.field_vectors.items():
        document = int(reference.partition("/")[2])
        elements = vector.elements
        for at in range(0, len(elements), 2):
            weights = found[terms[elements[at]]]
            weights[document] = weights.get(document, 0.0) + elements[at + 1]
    return found


def lunr_json(index: Index) -> bytes:
    """`index` in lunr's own serialisation: `lunr.Index.load(JSON.parse(…))`."""
    return json.dumps(
        index.serialize(), ensure_ascii=False, separators=(",", ":"), sort_keys=True
    ).encode()
