"""References that are broken on one side only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from dconv.diff.types import Element, ReferenceChange
from dconv.linking.matching import EntryKey
from dconv.model.references import inlines
from dconv.model.tree import Block, Reference, Target

ReferenceKey: TypeAlias = "tuple[str, str]"  # "section" or "name", and what is looked up


def reference_changes(
    pairs: Iterable[tuple[Element, Sequence[Block], Sequence[Block]]],
    added: Iterable[tuple[Element, Sequence[Block]]],
    removed_names: frozenset[ReferenceKey],
    added_names: frozenset[ReferenceKey],
) -> Iterator[ReferenceChange]:
    """References that break or are mended in `pairs` (element, old and new text) and in `added`.

    `removed_names` point to what was removed, `added_names` to what was added: other names without
    a target are quoted words, not references.
    """
    for element, old, new in pairs:
        old_references, new_references = _references(old), _references(new)
        for key, (text, targets) in new_references.items():
            before = old_references.get(key)
            is_section = key[0] == "section"
            if not targets and (before is None or before[1]) and (
                is_section or key in removed_names
            ):
                yield ReferenceChange("broken", text, element)
            if targets and before is not None and not before[1] and (
                is_section or key in added_names
            ):
                yield ReferenceChange("mended", text, element)
        for key, (text, targets) in old_references.items():
            if key[0] == "section" and not targets and key not in new_references:
                yield ReferenceChange("mended", text, element)
    for element, blocks in added:
        for key, (text, targets) in _references(blocks).items():
            if not targets and (key[0] == "section" or key in removed_names):
                yield ReferenceChange("broken", text, element)


def names_that_point_to(
    bodies: Iterable[Sequence[Block]], entries: Iterable[EntryKey]
) -> frozenset[ReferenceKey]:
    """The names in `bodies` that point to `entries` alone."""
    entry_keys = frozenset(entries)
    return frozenset(
        key for blocks in bodies for key, (_, targets) in _references(blocks).items()
        if targets and all((target.document, target.anchor) in entry_keys for target in targets)
    )


def _references(blocks: Sequence[Block]) -> Mapping[ReferenceKey, tuple[str, tuple[Target, ...]]]:
    """The references of `blocks` by what they look up: the text and the targets of each."""
    references: dict[ReferenceKey, tuple[str, tuple[Target, ...]]] = {}
    for part in inlines(tuple(blocks)):
        if isinstance(part, Reference) and part.kind in ("name", "listed", "section", "marked"):
            key = ("section" if part.kind == "section" else "name", part.name)
            text, targets = references.get(key, (part.text, ()))
            references[key] = (text, targets or part.targets)
    return references
