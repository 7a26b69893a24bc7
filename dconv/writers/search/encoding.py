"""Encodings of the data files: columns of small numbers, and sorted texts.

The digits of a number, to the base 46, are printable characters of `ALPHABET`: the last digit is
one of its first half, digits that others follow are of the second half.  So numbers below 46 take
one character; gzip, which every server applies, does the rest.  `search-engine.js` and
`search-fulltext.js` decode it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from typing import TypeAlias

# all of printable ASCII that JSON writes as it is
ALPHABET = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) not in '"\\<')
BASE = len(ALPHABET) // 2
MAX_CACHED_NUMBERS = 1 << 14

# for each text that has a word, its row in the index and the letter of the weight of the word
Posting: TypeAlias = "Sequence[tuple[int, str]]"
# the stems of each wording, and the rows that it points to
Phrases: TypeAlias = "Sequence[tuple[str, Sequence[int]]]"


def encode(numbers: Iterable[int]) -> str:
    """Return `numbers`, none below 0, as one text."""
    return "".join(map(_digits, numbers))


@lru_cache(maxsize=MAX_CACHED_NUMBERS)
def _digits(number: int) -> str:
    digits = ALPHABET[number % BASE]
    while number := number // BASE:
        digits = ALPHABET[BASE + number % BASE] + digits
    return digits


def encode_rising(numbers: Sequence[int]) -> str:
    """Return rising `numbers` as the text of their gaps."""
    return encode(gaps(numbers))


def encode_signed(numbers: Iterable[int]) -> str:
    """Return `numbers`, which may be below 0, in zigzag: 0, -1, 1, -2, 2 are written as 0 to 4."""
    return encode(number * 2 if number >= 0 else -number * 2 - 1 for number in numbers)


def gaps(numbers: Sequence[int]) -> list[int]:
    """Return the gaps between rising `numbers`: 0 for a number right after the one before."""
    return [after - before - 1 for before, after in pairwise([-1, *numbers])]


def encode_front_coded(texts: Iterable[str]) -> str:
    """The lines `texts`, each as the length of the prefix of the line before, and the rest.

    Characters beyond the basic plane are not shared: Python counts one, JavaScript two.
    """
    written: list[str] = []
    before = ""
    for text in texts:
        shared = 0
        max_shared = min(len(before), len(text), BASE - 1)
        while shared < max_shared and before[shared] == text[shared] < "\U00010000":
            shared += 1
        written.append(ALPHABET[shared] + text[shared:])
        before = text
    return "\n".join(written)


def encode_postings(postings: Sequence[Posting]) -> dict[str, str]:
    """Return the columns of `postings`, one for each word, each in the order of the rows.

    Their order suits gzip, which needs similar numbers next to each other.  Texts have
    numbers of their own, since most rows are no texts.  Words are sorted by frequency, the rarest
    first: gaps between the texts of a rare word are wide, those of a common word narrow.
    """
    rows = sorted({row for posting in postings for row, _ in posting})
    text_of = {row: text for text, row in enumerate(rows)}
    text_gaps: list[int] = []
    levels: list[str] = []
    for posting in sorted(filter(None, postings), key=len):
        rows_of_word, levels_of_word = zip(*posting, strict=True)
        text_gaps += gaps([text_of[row] for row in rows_of_word])
        levels += levels_of_word
    return {
        "rows": encode_rising(rows), "frequencies": encode(map(len, postings)),
        "places": encode(text_gaps), "levels": "".join(levels),
    }


def encode_phrases(phrases: Phrases, terms: Sequence[str]) -> dict[str, str]:
    """Return the columns of `phrases`: by rows, wordings whose stems are indexes in `terms`."""
    number_of = {term: number for number, term in enumerate(terms)}
    targets: list[int] = []
    wordings: list[int] = []
    for rows, group in groupby(phrases, key=lambda phrase: tuple(phrase[1])):
        numbers = [
            [number_of[stem] for stem in stems.split(" ") if stem in number_of]
            for stems, _ in group
        ]
        targets += [len(numbers), len(rows), *rows]
        for wording in numbers:
            wordings += [len(wording), *wording]
    return {"targets": encode(targets), "wordings": encode(wordings)}
