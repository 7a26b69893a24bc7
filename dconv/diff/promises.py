"""References that lead nowhere on one side only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from dconv.diff.types import Promise, Subject
from dconv.model.references import inlines
from dconv.model.tree import Block, Entry, Reference, Target

Key: TypeAlias = "tuple[str, str]"  # "section" or "name", and what is looked up
Names: TypeAlias = "frozenset[Key]"


def promises(
    pairs: Iterable[tuple[Subject, Sequence[Block], Sequence[Block]]],
    fresh: Iterable[tuple[Subject, Sequence[Block]]],
    lost: Names,
    won: Names,
) -> Iterator[Promise]:
    """What breaks or is mended in `pairs` (subject, old and new text) and in what is `fresh`.

    `lost` are the names of what is gone, `won` of what is new: other names that lead
    nowhere are quoted words, and no references.
    """
    for subject, old, new in pairs:
        ours, theirs = _state(old), _state(new)
        for key, (text, targets) in theirs.items():
            was = ours.get(key)
            is_section = key[0] == "section"
            if not targets and (was is None or was[1]) and (is_section or key in lost):
                yield Promise("broken", text, subject)
            if targets and was is not None and not was[1] and (is_section or key in won):
                yield Promise("mended", text, subject)
        for key, (text, targets) in ours.items():
            if key[0] == "section" and not targets and key not in theirs:
                yield Promise("mended", text, subject)
    for subject, blocks in fresh:
        for key, (text, targets) in _state(blocks).items():
            if not targets and (key[0] == "section" or key in lost):
                yield Promise("broken", text, subject)


def leading(bodies: Iterable[Sequence[Block]], places: Iterable[tuple[str, str]]) -> Names:
    """The names in `bodies` that lead to `places` (document and anchor), and nowhere else."""
    known = frozenset(places)
    return frozenset(
        key for blocks in bodies for key, (_, targets) in _state(blocks).items()
        if targets and all((to.document, to.anchor) in known for to in targets)
    )


def own(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """`blocks` without the entries among them."""
    return tuple([block for block in blocks if not isinstance(block, Entry)])


def _state(blocks: Sequence[Block]) -> Mapping[Key, tuple[str, tuple[Target, ...]]]:
    """The references of `blocks` by what they look up: their text, and where they lead."""
    found: dict[Key, tuple[str, tuple[Target, ...]]] = {}
    for part in inlines(tuple(blocks)):
        if isinstance(part, Reference) and part.kind in ("name", "listed", "section", "marked"):
            key = ("section" if part.kind == "section" else "name", part.name)
            text, targets = found.get(key, (part.text, ()))
            found[key] = (text, targets or part.targets)
    return found
