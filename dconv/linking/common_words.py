"""Whether a quoted word means a name or is just a common word: "on", "server", "log".

A word that is not a common English word means the name.  A common word does only if something
around it says so: "option" after it, "see" before it, a list whose other members are names of one
kind, or that it is in the text above the entries with this name.  Words that the dialect lists as
values are names only if they are called a keyword, follow "see", or are in the section that
defines them.
"""

from __future__ import annotations

import re

from dconv.linking.scope import Scope
from dconv.linking.symbols import NameRank, Symbol

# words that call the quoted word before them a name: '" option', '" and "b" keywords'
FOLLOWED_BY_NOUN = re.compile(
    r'"(?:,? (?:and|or) "[^"]*")? (?:[a-z-]+ )?(?:keyword|option|directive|setting|parameter'
    r"|statement|rule|action|command|line|fetch|converter)s?\b"
)
# words that send a reader to a name: 'see "', 'See also "gid" and "', 'refer to the "'
SEE = re.compile(r'\b(?:[Ss]ee(?: also)?|[Rr]efer to)(?: the)?(?: "[^"]*"(?:,| and| or|, and))* "$')
# words that call a value word a name: '" setting', '" nor "b" directives'
FOLLOWED_BY_KEYWORD = re.compile(
    r'"(?:,? (?:and|or|nor) (?:an? )?"[^"]*")? (?:keyword|directive|setting|parameter)s?\b'
)
# after the name of a section of a configuration: '" section'
FOLLOWED_BY_SECTION = re.compile(r'"(?:,? (?:and|or) "[^"]*")? sections?\b')
# the other members of a list with a quoted word: '"a", a "b" or "', '" and "d"'
LIST_BEFORE = re.compile(r'(?:"[^"]{1,40}"(?:, (?:and |or )?| and | or )(?:an? |the )?)+"$')
LIST_AFTER = re.compile(r'"(?:(?:, (?:and |or )?| and | or )(?:an? |the )?"[^"]{1,40}")+')
QUOTED = re.compile(r'"([^"]{1,40})"')


def disambiguate(
    name: str, symbols: tuple[Symbol, ...], before: str, after: str, scope: Scope
) -> tuple[Symbol, ...]:
    """Those of `symbols`, which have `name`, that it means; none if it is just a word.

    `before` and `after` are the text around it.
    """
    if not name[0].isalnum():
        symbols = _without_items_elsewhere(symbols, scope)
    after_see = SEE.search(before) and not FOLLOWED_BY_SECTION.match(after)
    is_called_keyword = FOLLOWED_BY_KEYWORD.match(after)
    is_item_here = any(
        symbol.section == scope.section and symbol.target.document == scope.document
        for symbol in symbols if symbol.is_item
    )
    if name in scope.dialect.value_words and not (after_see or scope.in_see_also or is_item_here):
        if is_called_keyword:
            symbols = _keywords(symbols, scope)
        else:
            symbols = _entries_below(symbols, after, scope)
    is_uncommon = not name.isalnum() or name in scope.dialect.always_names
    if is_uncommon or scope.in_see_also or is_called_keyword or FOLLOWED_BY_NOUN.match(after):
        return symbols
    return (
        _entries_below(symbols, after, scope)
        or _bare_names(symbols, scope)
        or _like_neighbours(symbols, before, after, scope)
        or (symbols if after_see else ())
    )


def _without_items_elsewhere(symbols: tuple[Symbol, ...], scope: Scope) -> tuple[Symbol, ...]:
    """Those of `symbols` that a name with a mark in front can mean.

    It may be of another program ("%f"), so items of other documents count only if the dialect says
    that their kind is mentioned without quotes.
    """
    return tuple(
        symbol for symbol in symbols
        if not symbol.is_item
        or symbol.target.document == scope.document
        or symbol.kind in scope.dialect.bare_kinds
    )


def _keywords(symbols: tuple[Symbol, ...], scope: Scope) -> tuple[Symbol, ...]:
    """Those of `symbols` that may be called keywords, by their kinds: no samples, no converters."""
    entry_kind = scope.entry.kind if scope.entry else ""
    kinds = (*scope.dialect.bare_kinds, *scope.dialect.equal_priority, entry_kind)
    return tuple(
        symbol for symbol in symbols
        if symbol.kind in kinds and symbol.name_rank is NameRank.OWN
    )


def _like_neighbours(
    symbols: tuple[Symbol, ...], before: str, after: str, scope: Scope
) -> tuple[Symbol, ...]:
    """Those of `symbols` of the one kind of the other names in a list: '"a-b", "c" or "d"'."""
    names: list[str] = []
    if match := LIST_BEFORE.search(before):
        names += QUOTED.findall(match[0][:-1])
    if match := LIST_AFTER.match(after):
        names += QUOTED.findall(match[0][1:])
    kinds: set[str] = set()
    for name in names:
        if not name.isalnum():
            neighbours = scope.symbols.names.get(name, ())
            kinds |= {symbol.kind for symbol in neighbours if symbol.name_rank is NameRank.OWN}
    return tuple(
        symbol for symbol in symbols if {symbol.kind} == kinds and symbol.name_rank is NameRank.OWN
    )


def _entries_below(symbols: tuple[Symbol, ...], after: str, scope: Scope) -> tuple[Symbol, ...]:
    """Those of `symbols` whose entries are below the current text, in its section."""
    if scope.entry is not None or FOLLOWED_BY_SECTION.match(after):
        return ()
    return tuple(
        symbol for symbol in symbols
        if symbol.name_rank is NameRank.OWN and symbol.entry
        and symbol.section == scope.section and symbol.target.document == scope.document
    )


def _bare_names(symbols: tuple[Symbol, ...], scope: Scope) -> tuple[Symbol, ...]:
    """Those of `symbols` that a common word means if nothing calls it a name.

    They are of the kind of the current entry, or of the few kinds whose names are mentioned as
    plain words.
    """
    kind = scope.entry.kind if scope.entry else ""
    return tuple(
        symbol for symbol in symbols
        if (symbol.name_rank < NameRank.TERM and symbol.kind in scope.dialect.bare_kinds) or (
            symbol.name_rank is NameRank.OWN
            and symbol.kind == kind
            and symbol.target.document == scope.document
        )
    )
