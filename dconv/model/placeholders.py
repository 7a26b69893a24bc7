"""Where an entry defines its placeholders: the `<fmt>` of its signatures and of its prose.

    cookie <name> [ domain <domain> ] [ format <fmt> ]      each points to
        <name>         a term that is the placeholder, also with others: "<a>, <b>"
        format <fmt>   a term of the word that it belongs to, and that holds it
        domain         such a term without a placeholder, or with a name of its own

A placeholder in the term of another option is another thing.  If several terms remain, none
is meant, and the placeholder stays plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from dconv.model.tree import Definition, Entry, Signature, Term, plain_text, walk
from dconv.model.values import dataclass

PLACEHOLDER = re.compile(r"<[^<>&\n]{1,60}>")
# the parts of a signature: placeholders, words, brackets and "|"
SIGNATURE_PART = re.compile(
    rf"(?P<placeholder>{PLACEHOLDER.pattern})|(?P<word>[\w.+-]+)|[\[({{}})\]|]"
)
OPENING, CLOSING = "[({", "])}"
# the rest of a term that is one placeholder or several: "<a>, <b>", "[<a>]*", "<a> (optional)"
PLACEHOLDERS_ONLY = re.compile(r"(?:[^\w<>-]|\b(?:and|or|optional)\b)*")
# the end of "<args...>", which is "<args>"
REPEATED = re.compile(r"(?:\.\.\.|\[,\.\.\.\])>$")


@dataclass(frozen=True, slots=True)
class Placeholders:
    """The anchors of the definitions of an entry's placeholders.

    `signatures` has a tuple for each signature, with an anchor for each of its placeholders,
    empty if none or several define it.  `by_name`, for prose, maps the placeholders that mean
    the same in all signatures to their anchors.
    """

    signatures: tuple[tuple[str, ...], ...]
    by_name: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Use:
    """A placeholder at `start` of a text, with the word that it belongs to, or empty."""

    name: str
    start: int
    word: str


@dataclass(slots=True)
class _Terms:
    """The terms of an entry.

    `anchors` maps placeholders that are terms to their anchors; `by_word` maps the first word of
    a term to its placeholders and anchor; `phrases` are the terms with words and placeholders.
    """

    anchors: dict[str, str] = field(default_factory=dict)
    by_word: dict[str, list[tuple[frozenset[str], str]]] = field(default_factory=dict)
    phrases: list[tuple[str, str]] = field(default_factory=list)


def placeholders_of(term: Term) -> frozenset[str]:
    """The placeholders in `term`."""
    names = PLACEHOLDER.findall(plain_text(term.content))
    return frozenset(REPEATED.sub(">", name) for name in names)


def placeholder_anchors(entry: Entry) -> Placeholders:
    """Where `entry` defines the placeholders of its signatures and of its prose."""
    terms = _terms(entry)
    uses = [[*_uses(signature.text)] for signature in entry.signatures]
    in_signatures = frozenset([use.name for own_uses in uses for use in own_uses])
    signatures = tuple([
        tuple([_anchor(use, signature, terms, in_signatures) for use in own_uses])
        for signature, own_uses in zip(entry.signatures, uses, strict=True)
    ])
    meanings: dict[str, set[str]] = {}
    for own_uses, anchors in zip(uses, signatures, strict=True):
        for use, anchor in zip(own_uses, anchors, strict=True):
            meanings.setdefault(use.name, set()).add(anchor)
    for text, anchor in terms.phrases:
        for use in _uses(text):
            if use.name not in in_signatures:
                meanings.setdefault(use.name, set()).add(anchor)
    unambiguous = {
        name: next(iter(anchors)) for name, anchors in meanings.items() if len(anchors) == 1
    }
    return Placeholders(signatures, {**unambiguous, **terms.anchors})


def _terms(entry: Entry) -> _Terms:
    terms = _Terms()
    anchors_of_lists: dict[str, str] = {}  # terms such as "<a>, <b>"
    for node in walk(entry.body):
        for term in node.terms if isinstance(node, Definition) else ():
            text = " ".join(plain_text(term.content).split())
            names = placeholders_of(term)
            if not term.anchor or term.kind:
                continue
            if names and PLACEHOLDERS_ONLY.fullmatch(PLACEHOLDER.sub("", text)):
                for name in names:
                    anchors = terms.anchors if len(names) == 1 else anchors_of_lists
                    anchors.setdefault(name, term.anchor)
                continue
            if names:
                terms.phrases.append((text, term.anchor))
            first = SIGNATURE_PART.search(text)
            if first is not None and first["word"]:
                terms.by_word.setdefault(first["word"], []).append((names, term.anchor))
    for name, anchor in anchors_of_lists.items():
        terms.anchors.setdefault(name, anchor)
    return terms


def _uses(text: str) -> Iterator[_Use]:
    """The placeholders of `text`, each with the word in front of it or of its brackets.

    A placeholder after a choice of words has none: "{ if | unless } <condition>".
    """
    word = ""
    outer_words: list[str] = []
    for match in SIGNATURE_PART.finditer(text):
        part = match[0]
        if match["placeholder"]:
            yield _Use(REPEATED.sub(">", part), match.start(), word)
        elif match["word"]:
            word = part
        elif part in OPENING:
            outer_words.append(word)
        elif outer_words and part in CLOSING:
            before = outer_words.pop()
            word = before if part != "}" or word == before else ""
        elif outer_words:
            word = outer_words[-1]


def _anchor(use: _Use, signature: Signature, terms: _Terms, in_signatures: frozenset[str]) -> str:
    """The anchor of the definition of `use` in `signature`, or empty.

    `in_signatures` are the placeholders of all signatures of the entry.
    """
    if use.name in terms.anchors:
        return terms.anchors[use.name]
    definitions = terms.by_word.get(use.word, ()) if use.word != signature.name else ()
    text = signature.text
    return (
        _unique([anchor for names, anchor in definitions if use.name in names])
        or _unique([anchor for names, anchor in definitions if names.isdisjoint(in_signatures)])
        or ("" if f"<{use.word}>" in in_signatures else terms.anchors.get(f"<{use.word}>", ""))
        or _unique([
            anchor for phrase, anchor in terms.phrases
            if 0 <= use.start - text.find(phrase) < len(phrase) and phrase in text
        ])
    )


def _unique(anchors: Sequence[str]) -> str:
    return anchors[0] if len(set(anchors)) == 1 else ""
