"""Which words of two texts differ, passage by passage.

Passages are aligned first, then the words of those that differ, both by the longest
matching block (Ratcliff and Obershelp, as in `difflib`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dconv.diff.passages import Passage
from dconv.linking.similarity import sequence_matcher
from dconv.writers.pages.changes import Run, State

STRAY = 2  # words in common between changes that mean nothing: "of the"
CONTEXT = 6  # words in common that are shown beside a change
SIMILAR = 0.3  # of the shorter text; texts with less in common are shown whole


def changed_passages(old: Sequence[Passage], new: Sequence[Passage]) -> tuple[tuple[Run, ...], ...]:
    """The passages that differ, each as runs of words; none if the words are the same."""
    if _keys(old) == _keys(new):
        return ()
    hunks: list[tuple[Run, ...]] = []
    aligned = sequence_matcher([passage.keys for passage in old], [passage.keys for passage in new])
    for tag, at, to, other, other_to in aligned.get_opcodes():
        if tag != "equal":
            ours, theirs = old[at:to], new[other:other_to]
            if _keys(ours) != _keys(theirs):
                hunks += _hunk(ours, theirs)
    return tuple(hunks)


def word_runs(old: str, new: str) -> tuple[Run, ...]:
    """The words of two short texts, such as signatures, as runs."""
    return _runs(_passage(old), _passage(new))


def shortened(runs: Sequence[Run]) -> Iterator[Run]:
    """`runs` with "..." for the words in common that are far from changes."""
    for at, run in enumerate(runs):
        text = run.text.split(" ")
        first, last = at == 0, at == len(runs) - 1
        if run.state != "same" or len(text) <= CONTEXT * (2 - first - last) + 2:
            yield run
            continue
        before = [] if first else text[:CONTEXT]
        after = [] if last else text[-CONTEXT:]
        yield Run("same", " ".join([*before, "...", *after]))


def _passage(text: str) -> Passage:
    return Passage(tuple(text.split()), tuple(text.split()))


def _keys(passages: Sequence[Passage]) -> list[str]:
    return [key for passage in passages for key in passage.keys]


def _hunk(old: Sequence[Passage], new: Sequence[Passage]) -> Iterator[tuple[Run, ...]]:
    if len(old) == len(new):  # each passage has its own counterpart, as a rule
        for passage, other in zip(old, new, strict=True):
            if passage.keys != other.keys:
                yield _runs(passage, other)
        return
    if not old or not new:
        state: State = "removed" if old else "added"
        for passage in old or new:
            yield (Run(state, str(passage)),)
        return
    yield _runs(_joined(old), _joined(new))


def _joined(passages: Sequence[Passage]) -> Passage:
    return Passage(
        tuple([word for passage in passages for word in passage.words]), tuple(_keys(passages))
    )


def _runs(old: Passage, new: Passage) -> tuple[Run, ...]:
    codes = sequence_matcher(old.keys, new.keys).get_opcodes()
    if sum(to - at for tag, at, to, _, _ in codes if tag == "equal") < SIMILAR * min(
        len(old.keys), len(new.keys)
    ):
        codes = [("replace", 0, len(old.keys), 0, len(new.keys))]
    runs: list[Run] = []
    for tag, at, to, other, other_to in _without_stray_words(codes):
        if tag == "equal":
            runs.append(Run("same", " ".join(new.words[other:other_to])))
            continue
        if at < to:
            runs.append(Run("removed", " ".join(old.words[at:to])))
        if other < other_to:
            runs.append(Run("added", " ".join(new.words[other:other_to])))
    return tuple(runs)


Code = tuple[str, int, int, int, int]


def _without_stray_words(codes: Sequence[Code]) -> list[Code]:
    """`codes` with changes joined that only stray words separate."""
    joined: list[Code] = []
    for place, code in enumerate(codes):
        tag, at, to, other, other_to = code
        inner = 0 < place < len(codes) - 1
        if inner and tag == "equal" and to - at <= STRAY and _between_larger(codes, place, to - at):
            tag = "replace"
        if joined and tag != "equal" and joined[-1][0] != "equal":
            _, first, _, other_first, _ = joined[-1]
            joined[-1] = ("replace", first, to, other_first, other_to)
        else:
            joined.append((tag, at, to, other, other_to))
    return joined


def _between_larger(codes: Sequence[Code], place: int, size: int) -> bool:
    """Whether the changes on both sides of `place` have more than `size` words."""
    return all(
        max(to - at, other_to - other) > size
        for _, at, to, other, other_to in (codes[place - 1], codes[place + 1])
    )
