"""What the words around a name tell of its kind, by the hints of the dialect."""

from __future__ import annotations

from dconv.dialect import Dialect
from dconv.symbols import Symbol


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
    return None
