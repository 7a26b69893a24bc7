"""What a reference means: the places that the symbols, the words around and its place leave."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import assert_never

from dconv.linking.candidates import named, said_behind
from dconv.linking.common_words import OF_SECTION, SENT, meant
from dconv.linking.hints import by_hints
from dconv.linking.scope import Place
from dconv.linking.section_numbers import manual_named, numbered, of_another
from dconv.linking.symbols import Symbol, Symbols
from dconv.model.tree import Entry, Hyperlink, Reference, Target, Text

# words that send a reader from an entry to another one of its name: 'exactly the same as the "'
ALIKE = re.compile(r'\b(?:same as|equivalent to|consult) the "$')
# the section of a name behind it: '" keyword in section 4.2', '" and "b" keywords in section 4'
IN_NUMBERED = re.compile(
    r'"(?:,? (?:and|or) "[^"]*")? (?:\w+ )?(?:in|from) (?:the )?[Ss]ections? '
    r'"?(?P<number>\d+(?:\.\d+)*)'
)
# behind a quoted word that is no argument: '" directive'
DIRECTIVE = re.compile(r'" (?:directive|statement)s?\b')
# behind a quoted word that is not the entry's own: a section, another statement
ELSEWHERE = re.compile(f"{OF_SECTION.pattern}|{DIRECTIVE.pattern}")
# what stands between the words of a signature: "show events [<sink>] [-w]"
BETWEEN = re.compile(r"[\s\[\]{}|]+")
# "crypt(3)", "man 1 ciphers": a page and its section
PAGE = re.compile(
    r"(?P<name>[A-Za-z_][\w.+-]*)\((?P<section>\d\w*)\)"
    r"|man (?P<before>[1-8]\w{0,4}) (?P<behind>[A-Za-z_][\w.+-]*)"
)


def resolved(
    part: Reference, before: str, after: str, place: Place
) -> Reference | Hyperlink | Text:
    """`part` with its places; a manual page is an address of the web.

    A section's number of a text that is neither here nor known is no reference.

    `before` and `after` are the words around it.
    """
    match = PAGE.fullmatch(part.name) if ")" in part.name or part.name[:4] == "man " else None
    if match is not None and place.dialect.man_pages:
        name = match["name"] or match["behind"]
        if match["behind"] or (part.kind == "page" and name not in place.symbols.names):
            url = place.dialect.man_pages.replace("{name}", name)
            url = url.replace("{section}", match["section"] or match["before"])
            return Hyperlink(part.text, url, part.line, part.column)
    other = ""
    if part.kind == "section":
        other = manual_named(before, after, place.symbols, place.dialect)
        if not other and of_another(after, place.document, place.dialect):
            return Text(part.text)
    if other and other not in (*place.symbols.headings, place.document):
        return _absent(part, f"{other}.txt", place)
    targets = _targets(part, before, after, place)
    return replace(part, targets=targets, senses=_senses(part.name, targets, place.symbols))


def _senses(
    name: str, targets: tuple[Target, ...], symbols: Symbols
) -> tuple[tuple[str, str], ...]:
    """The kind and the section of each of several `targets` of `name`."""
    if len(targets) < 2:
        return ()
    told = {symbol.target: (symbol.kind, symbol.home) for symbol in named(name, symbols)}
    return tuple(told.get(target, ("", "")) for target in targets)


def _absent(part: Reference, file: str, place: Place) -> Reference | Hyperlink:
    """A section of `file`, which is not here: the address of the file, or its name alone."""
    if url := place.dialect.external_files.get(file.casefold()):
        return Hyperlink(part.text, url, part.line, part.column)
    return replace(part, kind="document", name=file)


def _targets(part: Reference, before: str, after: str, place: Place) -> tuple[Target, ...]:
    """The places that a reference means: none, one, or several."""
    match part.kind:
        case "name" | "listed":
            return _named(part, before, after, place)
        case "section":
            target = numbered(
                part.name, before, after, place.document, place.symbols, place.dialect
            )
            return (target,) if target else ()
        case "marked":
            found = by_hints(named(part.name, place.symbols), before, after, place.dialect)
            return tuple(dict.fromkeys(symbol.target for symbol in found or ()))
        case "page":
            return ()
        case "document":
            name = place.symbols.documents.get(part.name.casefold(), place.document)
            return () if name == place.document else (Target(name, ""),)
        case _:
            assert_never(part.kind)


def _named(part: Reference, before: str, after: str, place: Place) -> tuple[Target, ...]:
    """The places that a quoted name means."""
    entry = place.entry
    candidates = named(part.name, place.symbols)
    if entry is not None:
        if place.listed:
            candidates = _of_others(candidates, entry, place.document)
        elif _is_own_word(part.name, entry, before, after):
            return _own_word(part.name, entry, before, after, place)
        own = _own_term(part.name, entry, after, place)
        others = place.listed or DIRECTIVE.match(after) or (
            own is not None and by_hints(candidates, before, after, place.dialect)
        )
        if own is not None and not (candidates and others):
            return (own,)
    said = said_behind(part.name, after, place.symbols)
    if said and by_hints(candidates, before, after, place.dialect) is None:
        candidates = said
    if not candidates:
        return ()
    candidates = _elsewhere(candidates, before, after, place)
    chosen = _chosen(part.name, candidates, before, after, place)
    if entry is not None and any(_is_itself(symbol, entry, place) for symbol in chosen):
        return ()
    return tuple(dict.fromkeys(symbol.target for symbol in chosen))


def _elsewhere(
    candidates: tuple[Symbol, ...], before: str, after: str, place: Place
) -> tuple[Symbol, ...]:
    """Those of `candidates` in the section that is named behind, or of which readers are sent."""
    if match := IN_NUMBERED.match(after):
        number = match["number"]
        there = tuple(one for one in candidates if f"{one.number}.".startswith(f"{number}."))
        if there:
            return there
    if place.entry is not None and (SENT.search(before) or ALIKE.search(before)):
        return _of_others(candidates, place.entry, place.document) or candidates
    return candidates


def _is_itself(symbol: Symbol, entry: Entry, place: Place) -> bool:
    """True where `symbol` is of `entry`, or of another form of it: its kind has the name, too."""
    if symbol.target.document != place.document:
        return False
    return symbol.entry == entry.anchor or (
        not place.listed
        and symbol.kind == entry.kind
        and any(signature.name == symbol.name for signature in entry.signatures)
    )


def _of_others(
    candidates: tuple[Symbol, ...], entry: Entry, document: str
) -> tuple[Symbol, ...]:
    """Those of `candidates` that lie outside of `entry`, which a list of others never names."""
    return tuple(
        symbol for symbol in candidates
        if symbol.entry != entry.anchor or symbol.target.document != document
    )


def _own_term(name: str, entry: Entry, after: str, place: Place) -> Target | None:
    """The term `name` of `entry`, unless it is the entry's own name or of a section."""
    if any(signature.name == name for signature in entry.signatures):
        return None
    if OF_SECTION.match(after) or IN_NUMBERED.match(after):
        return None
    return place.symbols.terms.get((place.document, entry.anchor, name))


def _is_own_word(name: str, entry: Entry, before: str, after: str) -> bool:
    """True where `name` is a word behind a name in the signatures of `entry`: "[ table <t> ]".

    Not where readers are sent elsewhere for it.
    """
    return (
        (name[0] == "-" or name.isalnum())
        and any(
            name in BETWEEN.split(signature.text.partition(signature.name)[2])
            for signature in entry.signatures
        )
        and not SENT.search(before)
        and not ELSEWHERE.match(after)
    )


def _own_word(
    name: str, entry: Entry, before: str, after: str, place: Place
) -> tuple[Target, ...]:
    """What a word of the signature means: what is hinted, else a term of the entry, or nothing."""
    hinted = by_hints(named(name, place.symbols), before, after, place.dialect) or ()
    found = tuple(dict.fromkeys(
        symbol.target for symbol in hinted if symbol.entry != entry.anchor
    ))
    term = place.symbols.terms.get((place.document, entry.anchor, name))
    return found or ((term,) if term is not None else ())


def _chosen(
    name: str, candidates: tuple[Symbol, ...], before: str, after: str, place: Place
) -> tuple[Symbol, ...]:
    """Those of the `candidates` for `name` that the words around, the place and the kinds leave.

    Each step keeps what it can: the words before and after the name, the
    document at hand, the name itself over its forms, the kind of the entry at
    hand, at last the commonest kind.
    """
    hinted = by_hints(candidates, before, after, place.dialect)
    if hinted is None:
        hinted = meant(name, candidates, before, after, place)
    here = tuple(s for s in hinted if s.target.document == place.document) or hinted
    if len({symbol.target for symbol in here}) < 2:
        return here
    least = min(symbol.rank for symbol in here)
    here = tuple(symbol for symbol in here if symbol.rank == least)
    if place.entry is not None:
        kind = place.entry.kind
        here = tuple(symbol for symbol in here if symbol.kind == kind) or here
    for kind in place.dialect.priority:
        kinds = place.dialect.equal_priority if kind in place.dialect.equal_priority else (kind,)
        common = tuple(symbol for symbol in here if symbol.kind in kinds)
        if common:
            return common
    return here
