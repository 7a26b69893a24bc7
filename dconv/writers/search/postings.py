"""Which word stands in which texts, and how heavily: the columns of the words' file.

Gzip packs best what is alike and stands together.  Texts are counted among themselves,
since most rows are none; and words come by how often they are, the rarest first: the
gaps between the texts of a rare word are wide, those of a common one narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby
from typing import TypeAlias

from dconv.writers.search import stream

# for each text that has the word, its row and the letter of its level
Posting: TypeAlias = "Sequence[tuple[int, str]]"
Phrases: TypeAlias = "Sequence[tuple[str, Sequence[int]]]"


def encode(postings: Sequence[Posting]) -> dict[str, str]:
    """The columns of `postings`, one for each word, each in the order of the rows."""
    rows = sorted({row for found in postings for row, _ in found})
    number = {row: at for at, row in enumerate(rows)}
    gaps: list[int] = []
    levels: list[str] = []
    for word in _order([len(found) for found in postings]):
        gaps += stream.gaps([number[row] for row, _ in postings[word]])
        levels += [level for _, level in postings[word]]
    return {
        "rows": stream.encode(stream.gaps(rows)),
        "frequencies": stream.encode(map(len, postings)),
        "places": stream.encode(gaps),
        "levels": "".join(levels),
    }


def decode(columns: dict[str, str]) -> tuple[list[int], list[int], str]:
    """Where the places of each word start, their rows, and their levels, word by word."""
    rows = stream.sums(stream.decode(columns["rows"]))
    frequencies = stream.decode(columns["frequencies"])
    gaps, levels = stream.decode(columns["places"]), columns["levels"]
    start = 0
    found: dict[int, tuple[list[int], str]] = {}
    for word in _order(frequencies):
        end = start + frequencies[word]
        found[word] = ([rows[text] for text in stream.sums(gaps[start:end])], levels[start:end])
        start = end
    words = range(len(frequencies))
    return (
        [0, *accumulate(frequencies)], [row for word in words for row in found[word][0]],
        "".join(found[word][1] for word in words),
    )


def _order(frequencies: Sequence[int]) -> list[int]:
    """The numbers of words, the rarest first, else as they come."""
    return sorted(range(len(frequencies)), key=frequencies.__getitem__)


# --- phrases --------------------------------------------------------------------------


def encode_phrases(phrases: Phrases, terms: Sequence[str]) -> dict[str, str]:
    """`phrases`, stems with rows, those of the same rows together; stems among `terms`."""
    number = {term: at for at, term in enumerate(terms)}
    targets: list[int] = []
    wordings: list[int] = []
    for rows, group in groupby(phrases, key=lambda phrase: tuple(phrase[1])):
        found = [[stem for stem in stems.split(" ") if stem in number] for stems, _ in group]
        targets += [len(found), len(rows), *rows]
        for stems in found:
            wordings += [len(stems), *(number[stem] for stem in stems)]
    return {"targets": stream.encode(targets), "wordings": stream.encode(wordings)}


def decode_phrases(
    columns: dict[str, str], terms: Sequence[str]
) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    """The phrases that were encoded: stems and rows."""
    targets = iter(stream.decode(columns["targets"]))
    wordings = iter(stream.decode(columns["wordings"]))
    found: list[tuple[tuple[str, ...], tuple[int, ...]]] = []
    for count in targets:
        rows = tuple([next(targets) for _ in range(next(targets))])
        for _ in range(count):
            stems = tuple([terms[next(wordings)] for _ in range(next(wordings))])
            found.append((stems, rows))
    return found
