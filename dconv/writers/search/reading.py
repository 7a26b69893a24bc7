"""The second tier: what texts a query means, by the weights of its words.

Each word of the query has candidates among the words of the texts: itself by its stem,
what it is short for, itself and its neighbour in one, the manual's words for it, for the
last word all that it begins, and where it is unknown, its parts or the nearest word.
A text has the best of them, all words add up, and what has few of the query's words
loses by the square.  All numbers are whole, so that every engine finds the same.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dconv.writers.search import matching, postings, stream, words
from dconv.writers.search.data import Data, integers, texts
from dconv.writers.search.index import Names, letters

EIGHTHS = 8  # of a weight, by how a candidate was found
ITSELF, SHORT, STARTS, APART, MISSPELT, SYNONYM = 8, 7, 4, 5, 5, 2
SHORTEST_START = 2
MOST_STARTS = 64  # words that one beginning stands for
SHORTEST_PART = 2  # letters of a part of an unknown word
TOP = 1000  # the score of the best text


@dataclass(frozen=True, slots=True)
class Texts:
    """The words of the texts: sorted `terms`, and for each where its places start.

    `places` are rows, `weights` what the word weighs there.  `phrases` are stems
    and rows, `parts` the first rows of the parts of the sentences; `synonyms` leads
    from a stem to those that manuals have for it; `noise` are words that say nothing.
    """

    terms: tuple[str, ...]
    starts: tuple[int, ...]
    places: tuple[int, ...]
    weights: tuple[int, ...]
    phrases: tuple[tuple[tuple[str, ...], tuple[int, ...]], ...] = field(repr=False)
    total: int
    parts: tuple[int, ...]
    numbers: Mapping[str, int] = field(repr=False)
    synonyms: Mapping[str, Sequence[str]] = field(repr=False)
    noise: frozenset[str] = field(repr=False)

    def frequency(self, term: int) -> int:
        """At how many places a term is; 0 for one that is nearly everywhere."""
        return self.starts[term + 1] - self.starts[term]


def read(data: Data) -> Texts:
    """The texts in `data`, the content of search-text.js."""
    terms = stream.restored(str(data["terms"]))
    values = integers(data, "values")
    columns = {name: str(column) for name, column in data.items()}
    starts, places, levels = postings.decode(columns)
    total = data.get("texts")
    return Texts(
        tuple(terms), tuple(starts), tuple(places),
        tuple([values[stream.ALPHABET.index(level)] for level in levels]),
        tuple(postings.decode_phrases(columns, terms)),
        total if isinstance(total, int) else 0, integers(data, "parts"),
        {term: at for at, term in enumerate(terms)}, _synonyms(texts(data, "synonyms")),
        frozenset(texts(data, "noise")),
    )


def part(texts: Texts | None, row: int) -> int:
    """The number of the part with the sentences of the text `row`, or -1."""
    return bisect_right(texts.parts, row) - 1 if texts is not None else -1


def _synonyms(groups: Sequence[str]) -> dict[str, list[str]]:
    """For each stem the first of those that it stands among in `groups`."""
    found: dict[str, list[str]] = {}
    for group in groups:
        first, *others = group.split(" ")
        for other in others:
            found.setdefault(other, []).append(first)
    return found


@dataclass(frozen=True, slots=True)
class Word:
    """A `word` of a query: its candidates, one or two terms each, with eighths; its weight.

    `known` is false where no text has it as it is; it may be the beginning of others.
    `corrected` is true where it had to be split or is taken for another.
    """

    word: str
    stem: str
    candidates: tuple[tuple[tuple[int, ...], int], ...]
    weight: int
    known: bool
    corrected: bool


def telling(texts: Texts, query: matching.Query) -> list[str]:
    """The words of `query` without those that only join others, or all where there are no more."""
    return [word for word in query.words if word not in texts.noise] or list(query.words)


def wanted(names: Names, texts: Texts, query: matching.Query) -> list[Word]:
    """The words of `query` that tell something."""
    found: list[Word] = []
    said = telling(texts, query)
    for at, word in enumerate(said):
        stem = words.stem(word)
        if any(other.stem == stem for other in found):
            continue
        number = texts.numbers.get(stem)
        last = at == len(said) - 1
        if number is not None and not texts.frequency(number) and not last:
            continue  # nearly everywhere
        neighbours = [said[at - 1] + word] if at else []
        neighbours += [word + said[at + 1]] if not last else []
        found.append(_word(names, texts, word, stem, neighbours, last))
    return found


def _word(
    names: Names, texts: Texts, word: str, stem: str, neighbours: Sequence[str], last: bool
) -> Word:
    candidates: dict[tuple[int, ...], int] = {}

    def add(found: str, eighths: int) -> None:
        number = texts.numbers.get(found)
        if number is not None and texts.frequency(number):
            candidates.setdefault((number,), eighths)

    add(stem, ITSELF)
    for neighbour in neighbours:
        add(words.stem(neighbour), ITSELF)
    if word in names.abbreviations:
        add(words.stem(names.abbreviations[word]), SHORT)
    synonyms = texts.synonyms.get(stem, ())
    known = bool(candidates) or stem in texts.numbers or bool(synonyms)
    own = list(candidates)
    for synonym in synonyms:
        add(synonym, SYNONYM)
    if last and len(word) >= SHORTEST_START:
        for number in _starting(texts, word):
            if texts.frequency(number):
                candidates.setdefault((number,), STARTS)
    corrected = not (candidates or known)
    if corrected:
        candidates.update(_corrected(texts, word, stem))
    most = max(
        (texts.frequency(number) for numbers in (own or candidates) for number in numbers),
        default=0,
    )
    weight = 1 + texts.total.bit_length() - most.bit_length()
    return Word(word, stem, tuple(candidates.items()), weight, known, corrected)


def _starting(texts: Texts, word: str) -> range:
    """The first terms that start with `word`."""
    start = end = bisect_left(texts.terms, word)
    last = min(len(texts.terms), start + MOST_STARTS)
    while end < last and texts.terms[end].startswith(word):
        end += 1
    return range(start, end)


def _corrected(texts: Texts, word: str, stem: str) -> dict[tuple[int, ...], int]:
    """What an unknown `word` may be: two words, or another one."""
    found: dict[tuple[int, ...], int] = {}
    best = 0
    for at in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1):
        parts = [texts.numbers.get(words.stem(part)) for part in (word[:at], word[at:])]
        numbers = tuple([number for number in parts if number is not None])
        rarest = min(map(texts.frequency, numbers)) if len(numbers) == len(parts) else 0
        if rarest > best:
            best, found = rarest, {numbers: APART}
    nearest = _nearest(texts, stem)
    if nearest >= 0:
        found[(nearest,)] = MISSPELT
    return found


def _nearest(texts: Texts, stem: str) -> int:
    """The term that is nearest to `stem`, the commonest of several, or -1."""
    most = matching.allowed(len(stem))
    best = (most + 1, -len(texts.places) - 1)
    nearest = -1
    mask = letters(stem)
    for number, term in enumerate(texts.terms if most else ()):
        if abs(len(term) - len(stem)) <= most and texts.frequency(number):
            if (mask & ~letters(term)).bit_count() > most:
                continue
            apart = (matching.distances(stem, term, most)[0], -texts.frequency(number))
            if apart < best:
                best, nearest = apart, number
    return nearest


def scores(texts: Texts, found: Sequence[Word]) -> dict[int, int]:
    """The score of each text, by row; the best has `TOP`."""
    total = sum(word.weight for word in found)
    sums: dict[int, int] = {}
    covered: dict[int, int] = {}
    for word in found:
        for row, weight in _weights(texts, word).items():
            sums[row] = sums.get(row, 0) + weight
            covered[row] = covered.get(row, 0) + word.weight
    raw = {row: weight * covered[row] ** 2 // total**2 for row, weight in sums.items()}
    best = max(raw.values(), default=0)
    return {row: score * TOP // best for row, score in raw.items()} if best else {}


def _weights(texts: Texts, word: Word) -> dict[int, int]:
    """What `word` weighs at each text: its best candidate."""
    found: dict[int, int] = {}
    for numbers, eighths in word.candidates:
        own: dict[int, int] = {}
        for number in numbers:
            for at in range(texts.starts[number], texts.starts[number + 1]):
                row = texts.places[at]
                own[row] = own.get(row, 0) + texts.weights[at]
        for row, weight in own.items():
            weight = weight * eighths // (EIGHTHS * len(numbers))
            if weight > found.get(row, 0):
                found[row] = weight
    return found
