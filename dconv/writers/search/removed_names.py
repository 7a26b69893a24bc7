"""Which names of older releases a query asks for that a release has no more.

The query is the name, with or without its head ("option"); or the name begins with it;
or else it is the name but for a few letters.  The last is told only where a word of the
query is none of the texts ("enabled" is, and means no `enable`), and where no name that is
found, nor the beginning of one, is as near.  `search-engine.js` has the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dconv.writers.search import matching, reading, words
from dconv.writers.search.engine import Engine
from dconv.writers.search.gone import Gone
from dconv.writers.search.index import Names, headless

FEWEST = 4  # letters of a query that the beginning of a name is told for
SAME, BEGUN, NEAR = 0, 1, 2  # ranks; of what is near, so much more as letters are wrong


def former(
    engine: Engine, gone: Sequence[Gone], text: str, rivals: Sequence[str]
) -> list[tuple[int, Gone]]:
    """Those of `gone` that `text` asks for, with their ranks; the best first.

    `rivals` are the names that are found for it.
    """
    names = engine.names
    query = matching.read(names, text)
    if not query.squashed:
        return []
    found = [(rank, one) for one in gone if (rank := _rank(names, one.name, query)) < NEAR]
    found.sort(key=lambda one: one[0])
    return found or _near(engine, gone, query, rivals)


def _rank(names: Names, name: str, query: matching.Query) -> int:
    said = query.squashed
    if said in _forms(names, name):
        return SAME
    begun = len(said) >= FEWEST and any(form.startswith(said) for form in _forms(names, name))
    return BEGUN if begun else NEAR


def _near(
    engine: Engine, gone: Sequence[Gone], query: matching.Query, rivals: Sequence[str]
) -> list[tuple[int, Gone]]:
    """The names nearest to `query`, where that is likelier than what is found."""
    most = matching.allowed(len(query.squashed))
    if not most:
        return []
    names, said = engine.names, query.squashed
    apart = [_apart(names, one.name, said, most)[0] for one in gone]
    least = min(apart, default=most + 1)
    if least > most or any(min(_apart(names, name, said, least)) <= least for name in rivals):
        return []
    texts = engine.texts
    if texts is None or all(word.known for word in reading.wanted(names, texts, query)):
        return []
    return [
        (NEAR + least, one) for one, far in zip(gone, apart, strict=True) if far == least
    ]


def _apart(names: Names, name: str, said: str, most: int) -> tuple[int, int]:
    """How many letters of `said` are wrong for `name`, and for its beginning or a part of it."""
    forms = [*_forms(names, name)]
    found = [matching.distances(said, form, most) for form in forms]
    within = any(said in form for form in forms)
    return (
        min(whole for whole, _ in found), 0 if within else min(start for _, start in found)
    )


def _forms(names: Names, name: str) -> Iterator[str]:
    """The letters and digits of `name` alone, and without its head."""
    for form in (name, headless(name, names.heads)):
        yield "".join(words.tokens(form))
