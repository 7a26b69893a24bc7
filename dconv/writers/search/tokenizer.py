"""How names and texts become words; `search-engine.js` cuts queries in the same way.

Both must agree for every text, so nothing here depends on a locale or on the version of Unicode:
capital letters are those of `CAPITALS`, and words are what `WORD` finds.
"""

from __future__ import annotations

import re
from functools import lru_cache

# ranges of capital letters, and how far after each its small letter is: Latin, Greek, Cyrillic
CAPITALS = (
    (0x41, 0x5A, 32), (0xC0, 0xD6, 32), (0xD8, 0xDE, 32), (0x391, 0x3A1, 32),
    (0x3A3, 0x3AB, 32), (0x400, 0x40F, 80), (0x410, 0x42F, 32),
)  # fmt: skip
LOWER_CASE = str.maketrans({
    capital: capital + distance
    for first, last, distance in CAPITALS for capital in range(first, last + 1)
})
# letters and digits of the basic plane: not the signs of Latin-1, punctuation, arrows, boxes,
# nor surrogates; a character above the plane, which JavaScript counts as two, ends a word
WORD = re.compile(
    "[a-z0-9\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u1fff\\u2c00-\\u2fff\\u3040-\\ud7ff"
    "\\ue000-\\ufeff\\uff10-\\uffff]+"
)
LETTERS = re.compile(r"[a-z]{4,}")
VOWEL = re.compile(r"[aeiouy]")
MIN_STEM_LENGTH = 3  # letters that remain when an ending goes
MIN_ION_LENGTH = 7  # letters of a word that may lose "ion": "connection"
KEPT_DOUBLE_LETTERS = "lsz"  # "polling", "passing", "buzzing"; but "logging" has the stem "log"
NO_PLURAL = ("ss", "us", "is", "tps")  # "process", "status", "analysis", "https"
CACHE_SIZE = 1 << 16


def lower(text: str) -> str:
    """Return `text` in lower case."""
    return text.lower() if text.isascii() else text.translate(LOWER_CASE)


def tokens(text: str) -> list[str]:
    """Return the words of `text`: `http-request set_Header` is http, request, set, header."""
    return WORD.findall(lower(text))


def fold(name: str) -> str:
    """The letters and digits of `name` in lower case; a name that has none stays as it is."""
    return "".join(tokens(name)) or lower(name)


@lru_cache(maxsize=CACHE_SIZE)
def stem(word: str) -> str:
    """Return `word`, a token, without its English ending.

    This is a light stemmer of a few steps; words with other characters than a to z stay
    as they are.  `search-marks.js` has the same steps.
    """
    if not LETTERS.fullmatch(word):
        return word
    word = _without_suffix(_without_plural(word))
    if len(word) > MIN_STEM_LENGTH and word.endswith("e"):
        word = word[:-1]
    return word


def _without_plural(word: str) -> str:
    """`retry` for `retries`, `cache` for `caches`."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith("s") and not word.endswith(NO_PLURAL):
        return word[:-1]
    return word


def _without_suffix(word: str) -> str:
    """`balanc` for `balancing`, `log` for `logged`, `connect` for `connection`."""
    if word.endswith("ied") and len(word) > 4:
        return f"{word[:-3]}y"
    for ending in ("ing", "ed"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= MIN_STEM_LENGTH and VOWEL.search(rest):
            is_double = rest[-1] == rest[-2] and rest[-1] not in KEPT_DOUBLE_LETTERS
            return rest[:-1] if is_double else rest
    if word.endswith(("sion", "tion")) and len(word) >= MIN_ION_LENGTH:
        return word[:-3]
    if word.endswith("ly") and len(word) > 5:
        return word[:-2]
    return word
