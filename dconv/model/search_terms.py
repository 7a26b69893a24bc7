"""The search vocabulary of a product, as data.

`manuals/<product>/search.toml` and `phrases.toml` hold it; `settings` reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from dconv.model.values import dataclass

# stopwords of English questions, for products that list none of their own
STOPWORDS = (
    "a", "an", "the", "how", "what", "which", "why", "when", "where", "do", "does", "did", "is",
    "are", "was", "can", "could", "should", "would", "will", "i", "my", "me", "we", "our", "you",
    "your", "it", "its", "this", "that", "these", "there", "to", "of", "in", "on", "at", "for",
    "from", "into", "as", "with", "by", "and", "or", "be", "has", "have", "but", "so", "than",
    "then", "them", "their", "they", "please", "howto", "per", "use", "using", "want", "need",
)  # fmt: skip
# a word of manuals, and words that readers type for it, for products that list none of their own
SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "array": ("raid",),
    "bandwidth": ("throughput", "speed"),
    "capture": ("sniff", "record"),
    "change": ("set", "modify", "edit"),
    "check": ("verify", "test", "validate"),
    "connect": ("attach", "join"),
    "copy": ("clone", "duplicate"),
    "create": ("make", "new", "add", "build"),
    "damaged": ("broken", "corrupt", "corrupted", "bad"),
    "deny": ("forbid", "block", "prevent", "disallow", "disable"),
    "device": ("disk", "drive", "hdd", "ssd"),
    "directory": ("folder",),
    "disconnect": ("detach", "logout"),
    "display": ("show", "list", "view", "print"),
    "enable": ("allow", "permit", "activate"),
    "extend": ("grow", "enlarge", "expand", "increase", "bigger", "larger"),
    "failed": ("failing", "faulty", "broken", "dead"),
    "host": ("machine", "computer", "server"),
    "interface": ("nic", "adapter", "card"),
    "maximum": ("limit", "max", "restrict"),
    "notify": ("alert", "mail", "email"),
    "packets": ("traffic",),
    "reduce": ("shrink", "decrease", "smaller"),
    "remove": ("delete", "erase", "wipe", "destroy"),
    "repair": ("fix", "recover", "restore", "rescue"),
    "show": ("display", "list", "view", "print"),
    "size": ("space", "capacity"),
    "start": ("begin", "launch"),
    "stop": ("halt", "end"),
    "user": ("account",),
    "utilization": ("usage", "load"),
    "write": ("save", "store", "dump"),
})


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
    rule_sets          a column of a usage table, and the words in front of an action's name
                       ("http-request"), as in `Dialect`
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
