"""Differences between words, with the lines of the source that they concern."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from dconv.model.diagnostics import Diagnostic
from dconv.model.values import dataclass
from dconv.proof.leaves import BREAK, CELL

BORDERS = (BREAK, CELL)
UNKNOWN_TAG = "\x03"  # before a word that no source has
MAX_WORDS = 8  # of a difference in a message


@dataclass(frozen=True, slots=True)
class Loss:
    """A difference, and the lines of the source that it concerns.

    `word_count` is how many expected words of a text with markup it concerns.
    """

    finding: Diagnostic
    lines: frozenset[int]
    word_count: int = 0


def loss(path: str, lines: Iterable[int], message: str) -> Loss:
    """The loss of `lines` of the source `path`, reported at the first of them."""
    line_numbers = frozenset(lines)
    return Loss(Diagnostic(path, min(line_numbers), 1, "error", "lost-text", message), line_numbers)


def differences(
    path: str, expected: Sequence[tuple[str, int]], words: Sequence[str], line: int,
    output_name: str,
) -> Iterator[Loss]:
    """A loss for each stretch of `words` that is not as `expected`.

    Expected words have their lines; what is lost without any is on `line`.  `output_name`
    names what has `words`, for messages: "page".
    """
    expected = _with_single_borders(expected)
    expected_words = [word for word, _ in expected]
    line_numbers = [line for _, line in expected]
    words = [word for word, _ in _with_single_borders([(word, 0) for word in words])]
    if not expected_words:
        yield loss(path, [line], f"source '', {output_name} {quoted(words)}")
        return
    start = _common_length(expected_words, words)
    end = _common_length(expected_words[start:][::-1], words[start:][::-1])
    expected_part = expected_words[start : len(expected_words) - end]
    actual_part = words[start : len(words) - end]
    matcher = SequenceMatcher(None, expected_part, actual_part, autojunk=False)
    for tag, expected_start, expected_end, actual_start, actual_end in matcher.get_opcodes():
        if tag != "equal":
            missing = range(start + expected_start, start + expected_end)
            lost = expected_part[expected_start:expected_end]
            added = actual_part[actual_start:actual_end]
            lines = _lines(expected_words, line_numbers, missing, added)
            yield loss(path, lines, f"source {quoted(lost)}, {output_name} {quoted(added)}")


def quoted(words: Sequence[str]) -> str:
    """`words` for a message; borders are named only where there is nothing else."""
    text_words = [word for word in words if word[:1] not in BORDERS]
    if not text_words and words:
        return "a new cell" if any(word[:1] == CELL for word in words) else "a new block"
    return repr(" ".join(text_words[:MAX_WORDS]).replace(UNKNOWN_TAG, ""))


def without_outer_borders(words: list[str]) -> list[str]:
    """`words` without the borders of blocks at both ends."""
    first = 1 if words[:1] == [BREAK] else 0
    last = len(words) - 1 if words[first:][-1:] == [BREAK] else len(words)
    return words[first:last]


def _lines(
    expected_words: Sequence[str], line_numbers: Sequence[int], missing: range, added: Sequence[str]
) -> list[int]:
    """The lines of the words `missing`; if none are, those next to the words `added`."""
    last = len(line_numbers) - 1
    if missing:
        lines = [
            line_numbers[index] for index in missing if expected_words[index][:1] not in BORDERS
        ]
        return lines or [line_numbers[max(missing[0] - 1, 0)]]
    if all(word[:1] in BORDERS for word in added):
        return [line_numbers[min(missing.start, last)]]
    index = missing.start - 1
    for word in reversed(added):
        # where a block is there twice, the borders of the next one were taken for its own
        if index <= 0 or word != expected_words[index] or word[:1] not in BORDERS:
            break
        index -= 1
    return [line_numbers[max(index, 0)]]


def _with_single_borders(pairs: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """`pairs` with one border where several follow one another, and none at the ends."""
    single: list[tuple[str, int]] = []
    for word, line in pairs:
        if word == BREAK and single and single[-1][0] == BREAK:
            single[-1] = (word, line)
        elif word != BREAK or single:
            single.append((word, line))
    return single[:-1] if single and single[-1][0] == BREAK else single


def _common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """How many words at the start are the same."""
    return len([*takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))])
