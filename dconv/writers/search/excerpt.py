"""The sentence of a text that says most of a query, cut to a line or two.

`search-marks.js` chooses and cuts in the same way, and marks the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dconv.writers.search import words

LONGEST = 160  # characters of what is shown
ROOM = 40  # of them are kept free behind the last word that is marked
CUT = "…"
PROSE = re.compile(r'[A-Z"<]')  # how a sentence begins that is no line of code
SHORT = 3  # letters up to which a word is no beginning of others
ENDING = 4  # letters that a longer word may go on with: "limit", "limiter"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The words that are looked for: by themselves and by their stems; what each weighs."""

    words: tuple[str, ...]
    stems: Mapping[str, int]
    weights: tuple[int, ...]


def wanted(marks: Sequence[str], weights: Sequence[int]) -> Wanted:
    """`marks` of a result, whose `weights` may be fewer; a missing one is 1."""
    stems: dict[str, int] = {}
    for at, mark in enumerate(marks):
        for known in (mark, words.stem(mark)):
            stems.setdefault(known, at)
    missing = [1] * (len(marks) - len(weights))
    return Wanted(tuple(marks), stems, (*weights, *missing)[: len(marks)])


def marked(found: Wanted, word: str) -> int:
    """Which of `found` the token `word` is, or begins with; -1 for none."""
    at = found.stems.get(words.stem(word), -1)
    if at >= 0:
        return at
    for at, mark in enumerate(found.words):
        if SHORT < len(mark) < len(word) <= len(mark) + ENDING and word.startswith(mark):
            return at
    return -1


def sentence(known: Sequence[str], found: Wanted) -> str:
    """The sentence of `known` that has most of the words `found`, cut around them.

    It is the first of several, and empty where none has any of them.  A short one goes on
    with those behind it, as far as there is room: results keep the same height.
    """
    best, place = 0, -1
    for at, one in enumerate(known):
        score = _score(found, _marks(one, found))
        if score > best:
            best, place = score, at
    return _filled(known, place, _cut(known[place], found)) if place >= 0 else ""


def _filled(known: Sequence[str], place: int, text: str) -> str:
    """`text`, which is of the sentence at `place`, and the prose behind it that has room."""
    for one in known[place + 1 :]:
        if not text.endswith(".") or not PROSE.match(one):
            return text
        whole = text
        for part in one.split(" "):
            if len(text) + 1 + len(part) > LONGEST:
                return text + CUT if text != whole else text
            text = f"{text} {part}"
    return text


def _marks(text: str, found: Wanted) -> set[int]:
    return {at for word in words.tokens(text) if (at := marked(found, word)) >= 0}


def _score(found: Wanted, marks: Iterable[int]) -> int:
    return sum(found.weights[at] for at in marks)


def _cut(text: str, found: Wanted) -> str:
    """`text`, or the part of it that has most of the words, between ellipses."""
    if len(text) <= LONGEST:
        return text
    parts = text.split(" ")
    marks = [_marks(part, found) for part in parts]
    best, first = 0, 0
    for start in range(len(parts)):
        score = _score(found, set().union(*marks[start : _end(parts, start)]))
        if score > best:
            best, first = score, start
    first = _with_room(parts, marks, first)
    end = _end(parts, first)
    return f"{CUT if first else ''}{' '.join(parts[first:end])}{CUT if end < len(parts) else ''}"


def _end(parts: Sequence[str], start: int) -> int:
    """The index after the last of `parts` from `start` on that has room, one at least."""
    length = len(parts[start])
    end = start + 1
    while end < len(parts) and length + 1 + len(parts[end]) <= LONGEST:
        length += 1 + len(parts[end])
        end += 1
    return end


def _with_room(parts: Sequence[str], marks: Sequence[set[int]], first: int) -> int:
    """`first` or a later start that leaves room behind the last mark, and loses none."""
    end = _end(parts, first)
    last = max((at for at in range(first, end) if marks[at]), default=first)
    while not marks[first] and end < len(parts):
        if len(" ".join(parts[first : last + 1])) <= LONGEST - ROOM:
            break
        first += 1
        end = _end(parts, first)
    return first
