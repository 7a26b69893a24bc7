"""What readers call things: the words of one product's search, as data.

`manuals/<product>/search.toml` and `phrases.toml` hold it; `settings` reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

# words of English questions that say nothing, for products that tell none of their own
NOISE = (
    "a", "an", "the", "how", "what", "which", "why", "when", "where", "do", "does", "did", "is",
    "are", "was", "can", "could", "should", "would", "will", "i", "my", "me", "we", "our", "you",
    "your", "it", "its", "this", "that", "these", "there", "to", "of", "in", "on", "at", "for",
    "from", "into", "as", "with", "by", "and", "or", "be", "has", "have", "but", "so", "than",
    "then", "them", "their", "they", "please", "howto",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Phrase:
    """Ways to say a task, and the places that answer it, the best first.

    A target is `kind/name` or `document#title or anchor of a section`.
    """

    words: tuple[str, ...]
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a product's search.

    `kinds` orders the kinds of names, the most wanted first; `heads` may be left
    out at the start of a name, words or parts of them ("option", "tune.");
    `abbreviations` maps a word to its short forms; `scopes` maps a word that readers
    put in front of or behind a name to the kinds that it means; `noise` are words of
    questions that say nothing ("how"); `synonyms` maps a word of the manuals to those
    that readers type for it; `rule_sets` is the dialect's.
    """

    kinds: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    abbreviations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scopes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    noise: tuple[str, ...] = NOISE
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    phrases: tuple[Phrase, ...] = ()
    rule_sets: Mapping[str, str] = field(default_factory=dict)
