"""The tasks of a product's readers: which places the phrases of `phrases.toml` mean.

A query agrees with a wording by the weights of the words that both have, in any order,
twice over all that they have (Dice 1945, "Measures of the amount of ecologic
association").  A word also stands for its short forms and, for half, for words like it;
what only other wordings of the phrase have counts three tenths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from dconv.writers.search import words
from dconv.writers.search.data import Data, texts
from dconv.writers.search.index import Names

WHOLE = 1000  # thousandths: the query is the wording
NEAR = 300  # agreement from which on a phrase counts
STEP = 100  # what each further target of a phrase loses
EIGHTHS = 8  # of a weight, by how a wording has a word
ITSELF, SHORT, STARTS, SYNONYM = 8, 7, 7, 4
BOTH, ELSEWHERE = 2000, 600  # thousandths: in the query and the wording; in another wording
LEAST, STRANGE = 4, 5  # what a word of all phrases weighs, and one of none
SHORTEST_START = 2

# stems of wordings, and the rows that they lead to
Phrases: TypeAlias = "Sequence[tuple[tuple[str, ...], tuple[int, ...]]]"


@dataclass(frozen=True, slots=True)
class Tasks:
    """All wordings, counted: what each weighs, and its phrase; the rows that phrases lead to.

    `said` leads from a stem to its wordings, `phrases` to its phrases; `relatives` to
    stems that mean the same or nearly so, with eighths.
    """

    own: tuple[int, ...]
    phrase_of: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    said: Mapping[str, tuple[int, ...]] = field(repr=False)
    phrases: Mapping[str, frozenset[int]] = field(repr=False)
    relatives: Mapping[str, Mapping[str, int]] = field(repr=False)

    def weight(self, stem: str) -> int:
        """What `stem`, a word of some phrase, tells: less the more of them have it."""
        return _weight(len(self.rows), len(self.phrases[stem]))


def _weight(all_: int, found: int) -> int:
    return LEAST + all_.bit_length() - found.bit_length()


def read(data: Data, found: Phrases, names: Names) -> Tasks:
    """The tasks of the phrases `found`, with the synonyms in `data`, of search-text.js.

    Phrases that follow each other and lead to the same rows are one.
    """
    phrase_of: list[int] = []
    rows: list[tuple[int, ...]] = []
    said: dict[str, list[int]] = {}
    for at, (stems, own_rows) in enumerate(found):
        if not rows or rows[-1] != own_rows:
            rows.append(own_rows)
        phrase_of.append(len(rows) - 1)
        for stem in stems:
            said.setdefault(stem, []).append(at)
    phrases = {stem: frozenset(phrase_of[at] for at in having) for stem, having in said.items()}
    own = [sum(_weight(len(rows), len(phrases[stem])) for stem in stems) for stems, _ in found]
    return Tasks(
        tuple(own), tuple(phrase_of), tuple(rows),
        {stem: tuple(having) for stem, having in said.items()}, phrases,
        relatives(names, texts(data, "synonyms")),
    )


def relatives(names: Names, synonyms: Sequence[str]) -> dict[str, dict[str, int]]:
    """For each stem those that mean the same or nearly so; `synonyms` are groups of stems."""
    groups: dict[str, set[str]] = {}
    for short, word in names.abbreviations.items():
        groups.setdefault(words.stem(word), {words.stem(word)}).add(words.stem(short))
    same: dict[str, set[str]] = {}
    for group in groups.values():
        for stem in group:
            same.setdefault(stem, set()).update(group)
    found = {stem: dict.fromkeys(group, SHORT) for stem, group in same.items()}
    for line in synonyms:
        alike = line.split(" ")
        for stem in alike:
            own = found.setdefault(stem, {})
            for other in alike:
                for one in (other, *same.get(other, ())):
                    own.setdefault(one, SYNONYM)
    return found


def agreements(tasks: Tasks, query: Sequence[str]) -> dict[int, int]:
    """How well phrases agree with the words `query`, in thousandths, by the rows they lead to."""
    shared: dict[int, int] = {}
    anywhere: dict[int, int] = {}
    total = 0
    stems = list(dict.fromkeys(map(words.stem, query)))
    for stem in stems:
        ways = _ways(tasks, stem, query[-1] if stem == stems[-1] else "")
        weights = {other: tasks.weight(other) for other in ways}
        total += weights.get(stem, max(weights.values(), default=STRANGE))
        _add(shared, [(tasks.said[one], weights[one] * ways[one]) for one in ways])
        _add(anywhere, [(tasks.phrases[one], weights[one] * ways[one]) for one in ways])
    best: dict[int, int] = {}
    for wording, gain in shared.items():
        phrase = tasks.phrase_of[wording]
        gained = BOTH * gain + ELSEWHERE * (anywhere[phrase] - gain)
        agreement = min(WHOLE, gained // (EIGHTHS * (tasks.own[wording] + total)))
        best[phrase] = max(best.get(phrase, 0), agreement)
    agreed: dict[int, int] = {}
    for phrase, agreement in best.items():
        for at, row in enumerate(tasks.rows[phrase] if agreement >= NEAR else ()):
            agreed[row] = max(agreed.get(row, 0), agreement - STEP * at)
    return agreed


def _ways(tasks: Tasks, stem: str, start: str) -> dict[str, int]:
    """The stems of wordings that `stem` stands for; all that begin with `start`, if it is new."""
    found = {
        other: eighths for other, eighths in tasks.relatives.get(stem, {}).items()
        if other in tasks.said
    }
    if stem in tasks.said:
        found[stem] = ITSELF
    elif len(start) > SHORTEST_START:
        for other in tasks.said:
            if other.startswith(start):
                found[other] = STARTS
    return found


def _add(sums: dict[int, int], gains: Sequence[tuple[Sequence[int] | frozenset[int], int]]) -> None:
    """Add the best gain of each that has some."""
    found: dict[int, int] = {}
    for having, gain in gains:
        for one in having:
            found[one] = max(found.get(one, 0), gain)
    for one, gain in found.items():
        sums[one] = sums.get(one, 0) + gain
