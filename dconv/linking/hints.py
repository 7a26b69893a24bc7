"""What the words around a name tell of its kind, by the hints and sections of the dialect."""

from __future__ import annotations

import re

from dconv.linking.symbols import Symbol
from dconv.model.dialect import Dialect

# behind a name, the section it belongs to: '" parameter specified in the "peers" section'
IN_SECTION = re.compile(
    r'" (?:[\w-]+ ){0,3}?(?:in|from|of|within) (?:(?:the|an?|this|that|each|every|your) )?'
    r'"?(?P<section>[\w-]+)"? sections?\b'
)
# the same before it: 'the "global" section\'s keyword "', '"global" sections via "a" and "'
OF_SECTION = re.compile(
    r"(?<![\w-])(?P<section>[\w-]+)\"? sections?(?:'s?| via)"
    r' (?:(?:keyword|option|setting|directive|parameter|statement)s? )?'
    r'(?:"[^"]*"(?:,| and| or) )*"$'
)


def by_hints(
    candidates: tuple[Symbol, ...], before: str, after: str, dialect: Dialect
) -> tuple[Symbol, ...] | None:
    """Those of `candidates` whose kind the words around name; None where they name none."""
    kinds = frozenset([symbol.kind for symbol in candidates])
    for hint in dialect.hints:
        if kinds.isdisjoint(hint.kinds):
            continue
        if (hint.before is not None and hint.before.search(before)) or (
            hint.after is not None and hint.after.match(after)
        ):
            return tuple(symbol for symbol in candidates if symbol.kind in hint.kinds)
    match = OF_SECTION.search(before) or IN_SECTION.match(after)
    within = dialect.scopes.sections.get(match["section"], ()) if match else ()
    return tuple(
        symbol for symbol in candidates if symbol.kind in within and symbol.rank == 0
    ) or None
