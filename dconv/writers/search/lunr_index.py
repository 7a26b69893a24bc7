"""The words of a release as an index of lunr, for sites that ask for it.

The words come from our `tokenizer` and bypass lunr.py's tokenizer, trimmer and stemmer, which would
split "http-request" and cut "tune.bufsize".
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from lunr.builder import Builder
from lunr.field_ref import FieldRef
from lunr.index import Index
from lunr.token_set import TokenSet

from dconv.writers.search.fulltext import FIELD_WEIGHTS, LENGTH_FACTOR, SATURATION


class _Builder(Builder):  # type: ignore[misc]  # which has no types
    """lunr.py's Builder for words that need no pipeline: it neither wraps nor copies them."""

    def add_words(self, name: str, fields: Mapping[str, Sequence[str]]) -> None:
        """Add the document `name` as `Builder.add` does, with the words of its `fields`."""
        self._documents[name] = {}
        self.document_count += 1
        for field_name in self._fields:
            words = fields.get(field_name, ())
            reference = str(FieldRef(name, field_name))
            self.field_lengths[reference] = len(words)
            frequencies = Counter(words)
            self.field_term_frequencies[reference] = frequencies
            for word in frequencies:
                posting = self.inverted_index.get(word)
                if posting is None:
                    posting = {field: {} for field in self._fields}
                    posting["_index"] = len(self.inverted_index)
                    self.inverted_index[word] = posting
                posting[field_name][name] = {}

    def _calculate_average_field_lengths(self) -> None:
        """Divide by the number of documents, where there are some."""
        if self._documents:
            super()._calculate_average_field_lengths()

    def _create_token_set(self) -> None:
        """Leave out the words of lunr.py's own search, which is not used and slow to prepare."""
        self.token_set = TokenSet()


def build(documents: Sequence[Mapping[str, Sequence[str]]]) -> Index:
    """Return lunr's index of `documents`, each its words by field; their names are "0", "1", …"""
    builder = _Builder()
    builder.k1(SATURATION)
    builder.b(LENGTH_FACTOR)
    for field_name, weight in FIELD_WEIGHTS.items():
        builder.field(field_name, weight)
    for index, fields in enumerate(documents):
        builder.add_words(str(index), fields)
    return builder.build()


def lunr_json(index: Index) -> bytes:
    """Return `index` in lunr's own serialization: `lunr.Index.load(JSON.parse(…))`."""
    return json.dumps(
        index.serialize(), ensure_ascii=False, separators=(",", ":"), sort_keys=True
    ).encode()
