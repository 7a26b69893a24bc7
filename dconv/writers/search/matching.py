"""The first tier: which names a query means, by bands of which the higher always wins.

    0 the name as it is written        6 its words begin in order as the query's do
    1 in other letters                 7 in any order
    2 without separators               8 the query stands within
    3 without head or arguments       9 edit distance of the whole
    4 by abbreviations                10 edit distance of words
    5 the beginning, or the end       11 edit distance of the beginning

The distance is that of optimal string alignment (Damerau 1964; Boytsov 2011, "Indexing
methods for approximate dictionary searching", section 2.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dconv.writers.search import words
from dconv.writers.search.index import HEADLESS, Form, Names, full, headless, letters

(WRITTEN, SMALL, SQUASHED, WITHOUT_HEAD, ABBREVIATED, BEGINNING, IN_ORDER, ANY_ORDER, WITHIN,
 DISTANT, DISTANT_WORDS, DISTANT_BEGINNING) = range(12)  # fmt: skip
BAND = 10_000  # of a rank; below it are the distance, the scope and the way of the form
DISTANCE, SCOPED, WAY, APART = 1000, 500, 100, 100
# of several words: a name has them in another order; ends with them; goes on where they end
TURNED, ENDING, CUT = 200, 300, 400
ARGUMENTS = re.compile(r"[(\[{<].*")  # what is behind a name: "req.hdr(host)"
MORE = 1  # letters that may be wrong beyond, where nothing at all is found
SHORTEST_WITHIN = 3  # characters of a query that is searched within names
LONGEST = 120  # characters of a query that are read as words
MOST_WORDS = 12
SCOPE_WORDS = 2


@dataclass(frozen=True, slots=True)
class Query:
    """A query: as typed, without blanks around, and its words; `kinds` where it is scoped."""

    text: str
    words: tuple[str, ...]
    squashed: str
    full: str
    letters: int
    kinds: frozenset[int] | None = None


def read(names: Names, text: str) -> Query:
    """The query `text`."""
    return _query(names, words.folded(text))


def _query(names: Names, text: str, kinds: frozenset[int] | None = None) -> Query:
    found = tuple(words.tokens(text[:LONGEST])[:MOST_WORDS])
    squashed = "".join(found)
    return Query(
        text, found, squashed, full(found, names.abbreviations), letters(squashed), kinds
    )


def scoped(names: Names, query: Query) -> list[Query]:
    """What `query` is where its first or last words are a scope: `bind alpn`."""
    found: list[Query] = []
    for count in range(1, min(SCOPE_WORDS, len(query.words) - 1) + 1):
        for scope, rest in (
            (query.words[:count], query.words[count:]),
            (query.words[-count:], query.words[:-count]),
        ):
            kinds = names.scopes.get(" ".join(scope))
            if kinds is not None:
                found.append(_query(names, " ".join(rest), kinds))
    return found


def exact(names: Names, query: Query) -> dict[int, int]:
    """The ranks of rows in the bands of equal names, by row."""
    found: dict[int, int] = {}
    for band, rows in (
        (WRITTEN, names.exact.get(query.text, ())),
        (SMALL, names.small.get(words.lower(query.text), ())),
    ):  # fmt: skip
        for row in rows:
            title = names.kind_of[row] == names.section  # which are no names to type
            _note(found, row, (SQUASHED if title else band) * BAND)
    _equal(names, query, 0, found)
    for other in scoped(names, query):
        _equal(names, other, SCOPED, found)
    return found


def _note(found: dict[int, int], row: int, rank: int) -> None:
    if found.get(row, rank) >= rank:
        found[row] = rank


def _equal(names: Names, query: Query, plus: int, found: dict[int, int]) -> None:
    if not query.squashed:
        return
    shorter = {
        "".join(words.tokens(rest))
        for rest in (headless(query.text, names.heads), ARGUMENTS.sub("", query.text))
    }
    for key in (query.squashed, query.full, *sorted(shorter)):
        for form in names.squashed.get(key, ()) if key else ():
            if query.kinds is not None and names.kind_of[form.row] not in query.kinds:
                continue
            if form.squashed == query.squashed:
                band = SQUASHED if form.way < HEADLESS else WITHOUT_HEAD
            elif form.squashed in shorter:
                band = WITHOUT_HEAD
            else:
                band = ABBREVIATED
            _note(found, form.row, band * BAND + plus + form.way * WAY)


def near(names: Names, query: Query) -> dict[int, int]:
    """The ranks of rows in the bands from the beginning to what stands within."""
    found: dict[int, int] = {}
    for one, plus in ((query, 0), *((other, SCOPED) for other in scoped(names, query))):
        if one.squashed:
            for form in names.forms:
                if one.kinds is None or names.kind_of[form.row] in one.kinds:
                    rank = _near(one, form, names.kind_of[form.row] == names.section)
                    if rank:
                        _note(found, form.row, rank + plus + form.way * WAY)
    return found


def _near(query: Query, form: Form, title: bool) -> int:
    """The rank of `form`, or 0; a title of a section is no name that is asked by its end."""
    count = len(query.words)
    if form.full.startswith(query.full):
        return BEGINNING * BAND + _cut(query, form)
    if query.letters & ~form.letters:
        return 0
    if form.squashed.startswith(query.squashed):
        return BEGINNING * BAND + _cut(query, form)
    if 1 < count <= len(form.words) and not title:
        if len(form.squashed) == len(query.squashed) and sorted(form.words) == sorted(query.words):
            return BEGINNING * BAND + TURNED
        if form.words[-count:] == query.words:
            return BEGINNING * BAND + ENDING
    return _band(query, form) * BAND


def _cut(query: Query, form: Form) -> int:
    """What `form` loses where the last of several words of the query ends within a word."""
    count = len(query.words)
    return CUT if count > 1 and form.words[:count] != query.words else 0


def _band(query: Query, form: Form) -> int:
    """The band of `form` by its words, or 0."""
    if len(query.words) <= len(form.words):
        if _in_order(query.words, form.words):
            return IN_ORDER
        if len(query.words) > 1 and _in_any_order(query.words, form.words):
            return ANY_ORDER
    if len(query.squashed) >= SHORTEST_WITHIN and query.squashed in form.squashed:
        return WITHIN
    return 0


def _in_order(wanted: Sequence[str], found: Sequence[str]) -> bool:
    at = 0
    for word in found:
        if at < len(wanted) and word.startswith(wanted[at]):
            at += 1
    return at == len(wanted)


def _in_any_order(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """True where each wanted word begins another word that is found; the first free one counts."""
    free = list(found)
    for word in wanted:
        at = next((at for at, other in enumerate(free) if other.startswith(word)), -1)
        if at < 0:
            return False
        del free[at]
    return True


# --- spelling -------------------------------------------------------------------------


def allowed(length: int) -> int:
    """How many letters may be wrong in a word of `length`."""
    if length < 4:
        return 0
    if length < 8:
        return 1
    return 2 if length < 14 else 3


def distances(one: str, other: str, most: int) -> tuple[int, int]:
    """The distance of `one` from `other`, and the least from a beginning of `other`.

    What is above `most` is `most + 1`.
    """
    far = most + 1
    if len(other) < len(one) - most:
        return far, far
    other = other[: len(one) + far]
    width = len(other)
    before: list[int] = []
    row = list(range(width + 1))
    for i, letter in enumerate(one, 1):
        current = [i]
        least = i
        for j in range(1, width + 1):
            cost = 0 if letter == other[j - 1] else 1
            value = min(row[j] + 1, current[j - 1] + 1, row[j - 1] + cost)
            if cost and i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == other[j - 1]:
                value = min(value, before[j - 2] + 1)
            current.append(value)
            least = min(least, value)
        if least > most and min(row) > most:
            return far, far
        before, row = row, current
    return min(row[width], far), min(*row, far)


def misspelt(names: Names, query: Query, more: int = 0) -> dict[int, int]:
    """The ranks of rows in the bands of edit distances, `more` letters wrong than else."""
    found: dict[int, int] = {}
    for one, plus in ((query, 0), *((other, SCOPED) for other in scoped(names, query))):
        most = min(allowed(len(one.squashed)) + more, len(one.squashed) - 2)
        for form in names.forms if most > 0 else ():
            if one.kinds is not None and names.kind_of[form.row] not in one.kinds:
                continue
            if (one.letters & ~form.letters).bit_count() <= most:
                rank = _distant(one, form, most)
                if rank:
                    _note(found, form.row, rank + plus + form.way * WAY)
    return found


def _distant(query: Query, form: Form, most: int) -> int:
    """The rank of `form` by distances, or 0."""
    whole, beginning = distances(query.squashed, form.squashed, most)
    if whole <= most:
        apart, _ = distances(" ".join(query.words), " ".join(form.words), most + 2)
        return DISTANT * BAND + whole * DISTANCE + apart * APART
    if len(query.words) > 1:
        apart = _words_apart(query.words, form.words)
        if apart >= 0:
            return DISTANT_WORDS * BAND + min(apart, 4) * DISTANCE
    return DISTANT_BEGINNING * BAND + beginning * DISTANCE if beginning <= most else 0


def _words_apart(wanted: Sequence[str], found: Sequence[str]) -> int:
    """The sum of the distances of the wanted words from the nearest of those found, or -1."""
    free = list(found)
    total = 0
    for word in wanted:
        most = allowed(len(word))
        best, place = most + 1, -1
        for at, other in enumerate(free):
            apart = 0 if other.startswith(word) else distances(word, other, most)[0]
            if apart < best:
                best, place = apart, at
        if place < 0:
            return -1
        total += best
        del free[place]
    return total


def ranked(names: Names, found: dict[int, int]) -> list[int]:
    """The rows of `found`, the best first."""
    return sorted(found, key=lambda row: (found[row], names.priors[row], row))


def every(names: Names, text: str) -> Iterator[int]:
    """The rows whose name is `text` in some letters, the best first; for groups."""
    rows = names.small.get(words.lower(text), ())
    yield from sorted(rows, key=lambda row: (names.priors[row], row))
