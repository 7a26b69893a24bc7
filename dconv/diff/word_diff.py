"""Which words of two texts differ, passage by passage.

Passages are aligned first, then the words of those that differ, both by the longest
matching block (Ratcliff and Obershelp, as in `difflib`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dconv.linking.passages import Passage
from dconv.linking.similarity import sequence_matcher
from dconv.writers.pages.changes import Segment, State

MAX_STRAY_WORDS = 2  # words in common between two changes that are chance: "of the"
CONTEXT_WORDS = 6  # words in common that are shown beside a change
MIN_SIMILARITY = 0.3  # of the shorter text; texts with less in common are shown whole


def changed_passages(
    old: Sequence[Passage], new: Sequence[Passage]
) -> tuple[tuple[Segment, ...], ...]:
    """The passages that differ, each as segments; none if the words are the same."""
    if _compared_words(old) == _compared_words(new):
        return ()
    changed: list[tuple[Segment, ...]] = []
    aligned = sequence_matcher(
        [passage.compared_words for passage in old], [passage.compared_words for passage in new]
    )
    for tag, old_start, old_end, new_start, new_end in aligned.get_opcodes():
        if tag != "equal":
            old_passages, new_passages = old[old_start:old_end], new[new_start:new_end]
            if _compared_words(old_passages) != _compared_words(new_passages):
                changed += _changed_segments(old_passages, new_passages)
    return tuple(changed)


def word_segments(old: str, new: str) -> tuple[Segment, ...]:
    """The words of two short texts, such as signatures, as segments."""
    return _segments(_passage(old), _passage(new))


def shortened(segments: Sequence[Segment]) -> Iterator[Segment]:
    """`segments` with "..." for the words in common that are far from changes."""
    for index, segment in enumerate(segments):
        text = segment.text.split(" ")
        first, last = index == 0, index == len(segments) - 1
        if segment.state != "same" or len(text) <= CONTEXT_WORDS * (2 - first - last) + 2:
            yield segment
            continue
        before = [] if first else text[:CONTEXT_WORDS]
        after = [] if last else text[-CONTEXT_WORDS:]
        yield Segment("same", " ".join([*before, "...", *after]))


def _passage(text: str) -> Passage:
    return Passage(tuple(text.split()), tuple(text.split()))


def _compared_words(passages: Sequence[Passage]) -> list[str]:
    return [word for passage in passages for word in passage.compared_words]


def _changed_segments(
    old: Sequence[Passage], new: Sequence[Passage]
) -> Iterator[tuple[Segment, ...]]:
    if len(old) == len(new):  # each passage has its own counterpart, as a rule
        for old_passage, new_passage in zip(old, new, strict=True):
            if old_passage.compared_words != new_passage.compared_words:
                yield _segments(old_passage, new_passage)
        return
    if not old or not new:
        state: State = "removed" if old else "added"
        for passage in old or new:
            yield (Segment(state, str(passage)),)
        return
    yield _segments(_concatenated(old), _concatenated(new))


def _concatenated(passages: Sequence[Passage]) -> Passage:
    return Passage(
        tuple([word for passage in passages for word in passage.words]),
        tuple(_compared_words(passages)),
    )


def _segments(old: Passage, new: Passage) -> tuple[Segment, ...]:
    opcodes = sequence_matcher(old.compared_words, new.compared_words).get_opcodes()
    shared_count = sum(end - start for tag, start, end, _, _ in opcodes if tag == "equal")
    if shared_count < MIN_SIMILARITY * min(len(old.compared_words), len(new.compared_words)):
        opcodes = [("replace", 0, len(old.compared_words), 0, len(new.compared_words))]
    segments: list[Segment] = []
    for tag, old_start, old_end, new_start, new_end in _without_stray_words(opcodes):
        if tag == "equal":
            segments.append(Segment("same", " ".join(new.words[new_start:new_end])))
            continue
        if old_start < old_end:
            segments.append(Segment("removed", " ".join(old.words[old_start:old_end])))
        if new_start < new_end:
            segments.append(Segment("added", " ".join(new.words[new_start:new_end])))
    return tuple(segments)


Opcode = tuple[str, int, int, int, int]  # as `difflib` has them


def _without_stray_words(opcodes: Sequence[Opcode]) -> list[Opcode]:
    """`opcodes` with changes joined that only stray words separate."""
    merged: list[Opcode] = []
    for position, code in enumerate(opcodes):
        tag, old_start, old_end, new_start, new_end = code
        inner = 0 < position < len(opcodes) - 1
        size = old_end - old_start
        if inner and tag == "equal" and size <= MAX_STRAY_WORDS and (
            _between_larger(opcodes, position, size)
        ):
            tag = "replace"
        if merged and tag != "equal" and merged[-1][0] != "equal":
            _, old_first, _, new_first, _ = merged[-1]
            merged[-1] = ("replace", old_first, old_end, new_first, new_end)
        else:
            merged.append((tag, old_start, old_end, new_start, new_end))
    return merged


def _between_larger(opcodes: Sequence[Opcode], position: int, size: int) -> bool:
    """Whether the changes on both sides of `position` have more than `size` words."""
    return all(
        max(old_end - old_start, new_end - new_start) > size
        for _, old_start, old_end, new_start, new_end in (
            opcodes[position - 1], opcodes[position + 1]
        )
    )
