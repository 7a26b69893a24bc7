"""Where what is shown differs from what is expected, and which lines that concerns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain

from dconv.model.diagnostics import Diagnostic
from dconv.model.source import BROKEN
from dconv.proof.expected import BREAK, CELL, Account

MARKS = (BREAK, CELL)
ALIEN = "\x03"  # before a word that no source has
TOLD = 8  # words of a difference that a message tells


@dataclass(frozen=True, slots=True)
class Stretch:
    """The words that are shown for the lines `first` to `last`.

    `apart` is true for those that stand outside the running text.
    """

    first: int
    last: int
    words: list[str]
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Loss:
    """A difference, and the lines of the source that it concerns."""

    finding: Diagnostic
    lines: frozenset[int]


def differences(expected: Account, shown: Stretch) -> Iterator[Loss]:
    """Where the words shown for some lines are others than those expected."""
    first, last, found = shown.first, shown.last, shown.words
    words = expected.apart if shown.apart else expected.words
    wanted = list(chain.from_iterable(words[first : last + 1]))
    if wanted == found or _trimmed(wanted) == _trimmed(found):
        return
    if _whole(_trimmed(wanted)) == _whole(_trimmed(found)):
        return
    places: list[int] = []
    for number in range(first, last + 1):
        own = expected.places.get(number, [])
        places += own if len(own) == len(words[number]) else [number] * len(words[number])
    pairs = _single(_joined(zip(wanted, places, strict=True)))
    wanted, places = [word for word, _ in pairs], [place for _, place in pairs]
    found = [word for word, _ in _single(_joined((word, 0) for word in found))]
    if not wanted:
        yield loss(expected, [first], f"source '', page {told(found)}")
        return
    start = _common(wanted, found)
    end = _common(wanted[start:][::-1], found[start:][::-1])
    ours, theirs = wanted[start : len(wanted) - end], found[start : len(found) - end]
    for tag, at, to, other, other_to in SequenceMatcher(
        None, ours, theirs, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            continue
        lines = _places(wanted, places, range(start + at, start + to), theirs[other:other_to])
        yield loss(
            expected, lines, f"source {told(ours[at:to])}, page {told(theirs[other:other_to])}"
        )


def _places(
    wanted: Sequence[str], places: Sequence[int], gone: range, more: Sequence[str]
) -> list[int]:
    """The lines of the words `gone`, or where there are none, those beside the words `more`."""
    last = len(places) - 1
    if gone:
        lines = [places[at] for at in gone if wanted[at][:1] not in MARKS]
        return lines or [places[max(gone[0] - 1, 0)]]
    if all(word[:1] in MARKS for word in more):
        return [places[min(gone.start, last)]]
    at = gone.start - 1
    for word in reversed(more):
        # where a block is there twice, the limits of the next one were taken for its own
        if at <= 0 or word != wanted[at] or word[:1] not in MARKS:
            break
        at -= 1
    return [places[max(at, 0)]]


def _whole(words: Sequence[str]) -> str:
    """`words` one below the other, but for those that a line's end may have broken."""
    return BROKEN.sub("", "\n".join(words))


def _joined(pairs: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """`pairs` of words and lines; words that a line's end may have broken at a hyphen are one."""
    found: list[tuple[str, int]] = []
    before = ""
    for word, place in pairs:
        if before.endswith("-") and BROKEN.search(f"{before}\n{word}"):
            found[-1] = (found[-1][0] + word, found[-1][1])
        else:
            found.append((word, place))
        before = word
    return found


def _trimmed(words: list[str]) -> list[str]:
    """`words` without the limits of blocks at both ends."""
    first = 1 if words[:1] == [BREAK] else 0
    last = len(words) - 1 if words[first:][-1:] == [BREAK] else len(words)
    return words[first:last]


def _single(pairs: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """`pairs` of words and lines with one limit where several follow one another."""
    found: list[tuple[str, int]] = []
    for word, place in pairs:
        if word == BREAK and found and found[-1][0] == BREAK:
            found[-1] = (word, place)
        elif word != BREAK or found:
            found.append((word, place))
    return found[:-1] if found and found[-1][0] == BREAK else found


def _common(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """How many words at the start are the same."""
    for at, (our, their) in enumerate(zip(ours, theirs, strict=False)):
        if our != their:
            return at
    return min(len(ours), len(theirs))


def told(words: Sequence[str]) -> str:
    """`words` for people; marks only where there is nothing else."""
    shown = [word for word in words if word[:1] not in MARKS]
    if not shown and words:
        return "a new cell" if any(word[:1] == CELL for word in words) else "a new block"
    return repr(" ".join(shown[:TOLD]).replace(ALIEN, ""))


def loss(expected: Account, lines: Iterable[int], message: str) -> Loss:
    lost = frozenset(lines)
    path = expected.source.path
    return Loss(Diagnostic(path, min(lost), 1, "error", "lost-text", message), lost)
