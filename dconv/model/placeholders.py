"""Where an entry defines its placeholders: the `<fmt>` of its signatures and of its prose.

    cookie <name> [ domain <domain> ] [ format <fmt> ]      each leads to
        <name>         a term that is the placeholder, also with others: "<a>, <b>"
        format <fmt>   a term of the word that it belongs to, and that holds it
        domain         such a term without a placeholder, or with a name of its own

What another option's term holds is another thing, and where several terms are left
none is meant: such a placeholder stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dconv.model.tree import Definition, Entry, Signature, Term, plain, walk

PLACEHOLDER = re.compile(r"<[^<>&\n]{1,60}>")
# the parts of a signature: placeholders, words, brackets and "|"
PART = re.compile(rf"(?P<held>{PLACEHOLDER.pattern})|(?P<word>[\w.+-]+)|[\[({{}})\]|]")
OPENING, CLOSING = "[({", "])}"
# what is left of a term that is one placeholder or several: "<a>, <b>", "[<a>]*", "<a> (optional)"
ONLY = re.compile(r"(?:[^\w<>-]|\b(?:and|or|optional)\b)*")
# the end of "<args...>", which is "<args>"
REPEATED = re.compile(r"(?:\.\.\.|\[,\.\.\.\])>$")


@dataclass(frozen=True, slots=True)
class Placeholders:
    """The anchors of an entry's definitions, empty where there is none or none alone.

    `signatures` has, for each signature of the entry, one for each of its placeholders;
    `named` has those that all signatures agree upon by placeholder, for prose.
    """

    signatures: tuple[tuple[str, ...], ...]
    named: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Use:
    """A placeholder at `start` of a text, with the word that it belongs to, or nothing."""

    name: str
    start: int
    word: str


@dataclass(slots=True)
class _Terms:
    """The terms of an entry: the anchors of placeholders, and by first word what they hold."""

    own: dict[str, str] = field(default_factory=dict)
    words: dict[str, list[tuple[frozenset[str], str]]] = field(default_factory=dict)
    pieces: list[tuple[str, str]] = field(default_factory=list)


def held(term: Term) -> frozenset[str]:
    """The placeholders in `term`."""
    return frozenset(map(_folded, PLACEHOLDER.findall(plain(term.content))))


def defined(entry: Entry) -> Placeholders:
    """Where `entry` defines the placeholders of its signatures and of its prose."""
    terms = _terms(entry)
    texts = [signature.text for signature in entry.signatures]
    known = frozenset(use.name for text in texts for use in _uses(text))
    signatures = tuple(
        tuple(_anchor(use, one, terms, known) for use in _uses(one.text))
        for one in entry.signatures
    )
    meant: dict[str, set[str]] = {}
    for text, anchors in zip(texts, signatures, strict=True):
        for use, anchor in zip(_uses(text), anchors, strict=True):
            meant.setdefault(use.name, set()).add(anchor)
    for text, anchor in terms.pieces:
        for use in _uses(text):
            if use.name not in known:
                meant.setdefault(use.name, set()).add(anchor)
    alone = {name: next(iter(found)) for name, found in meant.items() if len(found) == 1}
    return Placeholders(signatures, {**alone, **terms.own})


def _terms(entry: Entry) -> _Terms:
    terms = _Terms()
    shared: dict[str, str] = {}
    for node in walk(entry.body):
        for term in node.terms if isinstance(node, Definition) else ():
            text = " ".join(plain(term.content).split())
            names = held(term)
            if not term.anchor or term.kind:
                continue
            if names and ONLY.fullmatch(PLACEHOLDER.sub("", text)):
                for name in names:
                    (terms.own if len(names) == 1 else shared).setdefault(name, term.anchor)
                continue
            if names:
                terms.pieces.append((text, term.anchor))
            first = PART.search(text)
            if first is not None and first["word"]:
                terms.words.setdefault(first["word"], []).append((names, term.anchor))
    for name, anchor in shared.items():
        terms.own.setdefault(name, anchor)
    return terms


def _uses(text: str) -> Iterator[_Use]:
    """The placeholders of `text`, each with the word in front of it or of its brackets.

    Behind a choice of words none is: "{ if | unless } <condition>".
    """
    word = ""
    outer: list[str] = []
    for match in PART.finditer(text):
        mark = match[0]
        if match["held"]:
            yield _Use(_folded(mark), match.start(), word)
        elif match["word"]:
            word = mark
        elif mark in OPENING:
            outer.append(word)
        elif outer and mark in CLOSING:
            before = outer.pop()
            word = before if mark != "}" or word == before else ""
        elif outer:
            word = outer[-1]


def _anchor(use: _Use, signature: Signature, terms: _Terms, known: frozenset[str]) -> str:
    """The anchor of what defines `use` in `signature`, whose entry has the `known` ones."""
    if use.name in terms.own:
        return terms.own[use.name]
    under = terms.words.get(use.word, ()) if use.word != signature.name else ()
    text = signature.text
    return (
        _alone([anchor for names, anchor in under if use.name in names])
        or _alone([anchor for names, anchor in under if names.isdisjoint(known)])
        or ("" if f"<{use.word}>" in known else terms.own.get(f"<{use.word}>", ""))
        or _alone([
            anchor for piece, anchor in terms.pieces
            if 0 <= use.start - text.find(piece) < len(piece) and piece in text
        ])
    )


def _alone(anchors: Sequence[str]) -> str:
    return anchors[0] if len(set(anchors)) == 1 else ""


def _folded(placeholder: str) -> str:
    return REPEATED.sub(">", placeholder)
