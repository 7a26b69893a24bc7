"""The search vocabulary of a product, as data.

`manuals/<product>/search.toml` and `phrases.toml` hold it; `settings` reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from dconv.model.values import dataclass

# stopwords of English questions, for products that list none of their own
STOPWORDS = (
    "a", "an", "the", "how", "what", "which", "why", "when", "where", "do", "does", "did", "is",
    "are", "was", "can", "could", "should", "would", "will", "i", "my", "me", "we", "our", "you",
    "your", "it", "its", "this", "that", "these", "there", "to", "of", "in", "on", "at", "for",
    "from", "into", "as", "with", "by", "and", "or", "be", "has", "have", "but", "so", "than",
    "then", "them", "their", "they", "please", "howto",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Phrase:
    """Queries for one task, and the places that answer them, the best first.

    A target is `kind/name` or `document#title or anchor of a section`.
    """

    queries: tuple[str, ...]
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a product's search.

    priority           kinds of names, the most wanted first
    optional_prefixes  what readers may leave out at the start of a name: words or
                       parts of them ("option", "tune.")
    abbreviations      a word and its short forms
    scopes             a word before or after a name, and the kinds that it means
    states             a kind of items that stand together as one word ("sD--"), and the qualifiers
                       of its positions ("first")
    stopwords          words of questions that are ignored ("how")
    synonyms           a word of the manuals, and words that readers type for it
    phrases            queries for tasks
    rule_sets          as in `Dialect`
    """

    priority: tuple[str, ...] = ()
    optional_prefixes: tuple[str, ...] = ()
    abbreviations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scopes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    states: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    stopwords: tuple[str, ...] = STOPWORDS
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    phrases: tuple[Phrase, ...] = ()
    rule_sets: Mapping[str, str] = field(default_factory=dict)
