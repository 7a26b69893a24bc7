"""Columns as texts: how small numbers, and texts in order, are kept in the data files.

A number is one or more printable characters of `ALPHABET`.  The first half are last
digits, the second half digits that others follow, so that numbers below 46 take one
character; gzip, which every server applies, does the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

# all of printable ASCII that JSON writes as it is
ALPHABET = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) not in '"\\<')
BASE = len(ALPHABET) // 2
VALUES = {character: at for at, character in enumerate(ALPHABET)}.__getitem__


def encode(numbers: Iterable[int]) -> str:
    """`numbers`, none below 0, as one text."""
    written: list[str] = []
    for number in numbers:
        digits = [ALPHABET[number % BASE]]
        number //= BASE
        while number:
            digits.append(ALPHABET[BASE + number % BASE])
            number //= BASE
        written += reversed(digits)
    return "".join(written)


def decode(text: str) -> list[int]:
    """The numbers that `encode` wrote."""
    numbers: list[int] = []
    number = 0
    for value in map(VALUES, text):
        if value < BASE:
            numbers.append(number * BASE + value)
            number = 0
        else:
            number = number * BASE + value - BASE
    return numbers


def gaps(numbers: Sequence[int]) -> list[int]:
    """How far apart `numbers` are, which rise: 0 for one that follows the one before."""
    return [after - before - 1 for before, after in pairwise([-1, *numbers])]


def sums(found: Iterable[int]) -> list[int]:
    """The numbers that have the gaps `found`."""
    return [number + at for at, number in enumerate(accumulate(found))]


def folded(number: int) -> int:
    """`number`, which may be below 0, as one that is not: 0, -1, 1, -2, 2 are 0 to 4."""
    return number * 2 if number >= 0 else -number * 2 - 1


def unfolded(number: int) -> int:
    """The number that `folded` made so."""
    return number // 2 if number % 2 == 0 else -(number // 2) - 1


def front_coded(texts: Iterable[str]) -> str:
    """Each of `texts`, lines, as how many characters it shares with the one before, and the rest.

    Characters beyond the basic plane are not shared: languages count them differently.
    """
    written: list[str] = []
    before = ""
    for text in texts:
        shared = 0
        most = min(len(before), len(text), BASE - 1)
        while shared < most and before[shared] == text[shared] < "\U00010000":
            shared += 1
        written.append(ALPHABET[shared] + text[shared:])
        before = text
    return "\n".join(written)


def restored(text: str) -> list[str]:
    """The texts that `front_coded` wrote."""
    found: list[str] = []
    before = ""
    for coded in text.split("\n") if text else ():
        before = before[: VALUES(coded[0])] + coded[1:]
        found.append(before)
    return found
