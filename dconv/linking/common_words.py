"""Whether a quoted word is meant as a name, where nothing around it tells its kind.

Words that are no everyday words are; others where something calls them so: "option"
behind them, "see" before them, a list whose other members are names of one kind, or the
text above the entries that have them.  The values of the dialect need most.
"""

from __future__ import annotations

import re

from dconv.linking.scope import Place
from dconv.linking.symbols import Symbol

# words that call the quoted word before them a name: '" option', '" and "b" keywords'
CALLED = re.compile(
    r'"(?:,? (?:and|or) "[^"]*")? (?:[a-z-]+ )?(?:keyword|option|directive|setting|parameter'
    r"|statement|rule|action|command|line|fetch|converter)s?\b"
)
# words that send a reader to a name: 'see "', 'See also "gid" and "', 'refer to the "'
SENT = re.compile(
    r'\b(?:[Ss]ee(?: also)?|[Rr]efer to)(?: the)?(?: "[^"]*"(?:,| and| or|, and))* "$'
)
# what calls a word so that is a value more often: '" setting', '" nor "b" directives'
KEYWORD = re.compile(
    r'"(?:,? (?:and|or|nor) (?:an? )?"[^"]*")? (?:keyword|directive|setting|parameter)s?\b'
)
# behind a quoted word that is a section of a configuration, not a name: '" section'
OF_SECTION = re.compile(r'"(?:,? (?:and|or) "[^"]*")? sections?\b')
# the members of a list beside a quoted word: '"a", a "b" or "', '" and "d"'
LIST_BEFORE = re.compile(r'(?:"[^"]{1,40}"(?:, (?:and |or )?| and | or )(?:an? |the )?)+"$')
LIST_AFTER = re.compile(r'"(?:(?:, (?:and |or )?| and | or )(?:an? |the )?"[^"]{1,40}")+')
QUOTED = re.compile(r'"([^"]{1,40})"')


def meant(
    name: str, candidates: tuple[Symbol, ...], before: str, after: str, place: Place
) -> tuple[Symbol, ...]:
    """Those of the `candidates` for `name` that it means; none where it is a mere word."""
    if not name[0].isalnum():
        candidates = _near(candidates, place)
    sent = SENT.search(before) and not OF_SECTION.match(after)
    called = KEYWORD.match(after)
    if name in place.dialect.value_words and not (
        sent or place.listed or _defined_here(candidates, place)
    ):
        candidates = (
            _keywords(candidates, place) if called else _above(candidates, after, place)
        )
    technical = not name.isalnum() or name in place.dialect.always_names
    shaped = technical or place.listed or called or CALLED.match(after)
    return candidates if shaped else (
        _above(candidates, after, place)
        or _plain(candidates, place)
        or _listed(candidates, before, after, place)
        or (candidates if sent else ())
    )


def _near(candidates: tuple[Symbol, ...], place: Place) -> tuple[Symbol, ...]:
    """Those of `candidates` that a name with a mark in front means: "%f" may be foreign.

    Items of other documents count where their kind is mentioned so.
    """
    return tuple(
        symbol for symbol in candidates
        if not symbol.section
        or symbol.target.document == place.document
        or symbol.kind in place.dialect.bare_kinds
    )


def _defined_here(candidates: tuple[Symbol, ...], place: Place) -> bool:
    """True where an item of the section at hand is among `candidates`."""
    return any(
        symbol.section == place.section and symbol.target.document == place.document
        for symbol in candidates if symbol.section
    )


def _keywords(candidates: tuple[Symbol, ...], place: Place) -> tuple[Symbol, ...]:
    """Those of `candidates` whose kinds are called keywords: not samples, nor converters."""
    own = place.entry.kind if place.entry else ""
    kinds = (*place.dialect.bare_kinds, *place.dialect.equal_priority, own)
    return tuple(symbol for symbol in candidates if symbol.kind in kinds and symbol.rank == 0)


def _listed(
    candidates: tuple[Symbol, ...], before: str, after: str, place: Place
) -> tuple[Symbol, ...]:
    """Those of `candidates` of the kind that other members of a list have: '"a-b", "c" or "d"'."""
    names: list[str] = []
    if match := LIST_BEFORE.search(before):
        names += QUOTED.findall(match[0][:-1])
    if match := LIST_AFTER.match(after):
        names += QUOTED.findall(match[0][1:])
    kinds: set[str] = set()
    for name in names:
        if not name.isalnum():
            kinds |= {one.kind for one in place.symbols.names.get(name, ()) if one.rank == 0}
    return tuple(one for one in candidates if {one.kind} == kinds and one.rank == 0)


def _above(
    candidates: tuple[Symbol, ...], after: str, place: Place
) -> tuple[Symbol, ...]:
    """Those of `candidates` whose entries stand below the text at hand, in its section."""
    if place.entry is not None or OF_SECTION.match(after):
        return ()
    return tuple(
        symbol for symbol in candidates
        if symbol.rank == 0 and symbol.entry and symbol.number == place.section
        and symbol.target.document == place.document
    )


def _plain(candidates: tuple[Symbol, ...], place: Place) -> tuple[Symbol, ...]:
    """Those of `candidates` that a plain word means where nothing calls it a name.

    They are of the kind of the entry at hand, or of the few kinds whose names
    are mentioned so.
    """
    kind = place.entry.kind if place.entry else ""
    return tuple(
        symbol for symbol in candidates
        if (symbol.rank < 2 and symbol.kind in place.dialect.bare_kinds) or (
            symbol.rank == 0
            and symbol.kind == kind
            and symbol.target.document == place.document
        )
    )
