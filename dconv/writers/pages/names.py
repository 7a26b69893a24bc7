"""The names that a manual defines, for indexes and inventories.

These are the names of the signatures of entries, and of items of lists and rows of tables that
have a kind of their own (flags, aliases, fields).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dconv.model import tree
from dconv.model.summary import shortened
from dconv.model.values import dataclass
from dconv.writers.html.escape import one_line

MAX_PREFIX_LENGTH = 2  # characters that may appear before an item's name: "%o" for "o"


@dataclass(frozen=True, slots=True)
class DefinedName:
    """One name at one place.

    `name` is the tree's, `display_name` has its mark ("%o"), or the words that tell it from
    another of this name ("set server … state"); `other_names` are those of the same thing ("-G" of
    "--grow").  `section_index` counts the manual's sections in source order.
    `entry` is the entry that the name belongs to, or None for an item; `anchor` may be empty, the
    place is then the section.  `experimental` if all its signatures say so.
    """

    name: str
    display_name: str
    kind: str
    anchor: str
    section: tree.Section
    section_index: int
    summary: str
    deprecated: bool
    entry: tree.Entry | None
    other_names: tuple[str, ...] = ()
    experimental: bool = False


def defined_names(manual: tree.Manual) -> tuple[DefinedName, ...]:
    """The names that `manual` defines, in source order."""
    names: list[DefinedName] = []
    for section_index, section in enumerate(tree.sections(manual)):
        for block in section.body:
            if isinstance(block, tree.Entry):
                names += _names(block, section, section_index)
        names += _items(section, section_index)
    return tuple(names)


def _names(entry: tree.Entry, section: tree.Section, section_index: int) -> Iterator[DefinedName]:
    """The names of the signatures of `entry`, the forms of one name once."""
    seen: set[tuple[str, str]] = set()
    current = {signature.name for signature in entry.signatures if not signature.deprecated}
    stable = {signature.name for signature in entry.signatures if not signature.experimental}
    for signature in entry.signatures:
        name = signature.name
        if name and (name, signature.anchor) not in seen:
            seen.add((name, signature.anchor))
            deprecated = entry.deprecated or name not in current
            yield DefinedName(
                name, signature.title or name, entry.kind, signature.anchor, section,
                section_index, entry.summary, deprecated, entry,
                _other_names(name, signature.names), name not in stable,
            )


def _items(section: tree.Section, section_index: int) -> Iterator[DefinedName]:
    """The items of `section` that have a kind."""
    for node in tree.walk(section.body):
        if isinstance(node, tree.Definition):
            for term in node.terms:
                if term.kind and term.name:
                    yield DefinedName(
                        term.name, term.name, term.kind, term.anchor, section, section_index,
                        _sentence(node), False, None, _other_names(term.name, term.names),
                    )
        elif isinstance(node, tree.Table):
            for row in node.rows:
                if row.kind and row.name:
                    yield _row_name(row, section, section_index)


def _other_names(name: str, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(other for other in dict.fromkeys(names) if other != name)


def _row_name(row: tree.Row, section: tree.Section, section_index: int) -> DefinedName:
    texts = [one_line(tree.plain_text(cell.content)) for cell in row.cells]
    literal = next(
        (
            text for text in texts
            if text.endswith(row.name) and len(text) <= len(row.name) + MAX_PREFIX_LENGTH
        ),
        row.name,
    )
    other_texts = [text for text in texts if text != literal]
    summary = max(other_texts, key=lambda text: (" " in text, len(text)), default="")
    return DefinedName(
        row.name, literal, row.kind, row.anchor, section, section_index, shortened(summary), False,
        None, _other_names(row.name, row.names),
    )


def _sentence(definition: tree.Definition) -> str:
    """The first sentence of a description; empty if it does not begin with prose."""
    first = definition.body[0] if definition.body else None
    if not isinstance(first, tree.Paragraph):
        return ""
    text, period, _ = one_line(tree.plain_text(first.content)).partition(". ")
    return shortened(text + period.rstrip())
