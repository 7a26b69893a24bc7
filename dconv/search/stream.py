"""Numbers as characters: how columns of small numbers are kept in the data files.

A number is one or more printable characters of `ALPHABET`.  The first half are last
digits, the second half digits that others follow, so that numbers below 46 take one
character; gzip, which every server applies, does the rest.
"""

from __future__ import annotations

from collections.abc import Iterable

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
