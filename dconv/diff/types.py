"""The result of a comparison, as values."""

from __future__ import annotations

from typing import Literal

from dconv.linking.similarity import has_word
from dconv.model.values import dataclass
from dconv.writers.pages.changes import Segment

# what of an entry, a section or an item has changed, except the words of its text
Field = Literal[
    "name", "kind", "place", "deprecated", "experimental", "signature", "default", "argument",
    "sections", "contexts", "rule sets", "default-server", "type", "title", "number",
]
ReferenceState = Literal["broken", "mended"]


@dataclass(frozen=True, slots=True)
class Location:
    """Where something is: a section of a document, and the line and the anchor there."""

    document: str
    number: str
    title: str
    line: int
    anchor: str

    def __str__(self) -> str:
        """`configuration §4.2`, or the title of a section without a number."""
        return f"{self.document} {self.section}".strip()

    @property
    def section(self) -> str:
        """`§4.2`, which no one takes for a release, or the title."""
        return f"§{self.number}" if self.number else self.title


@dataclass(frozen=True, slots=True)
class Element:
    """An entry, an item or a section; `kind` is empty for a section.

    `advice` is the sentences that say what is deprecated, and what to use instead.  `names` are
    all names of an entry, its own first.
    """

    kind: str
    name: str
    location: Location
    summary: str = ""
    deprecated: bool = False
    advice: str = ""
    names: tuple[str, ...] = ()

    @property
    def display_name(self) -> str:
        """Its names for readers."""
        return ", ".join(self.names) or self.name

    @property
    def key(self) -> tuple[str, str, str]:
        """Its document, the title of its section, and its name."""
        return self.location.document, self.location.title, self.name


@dataclass(frozen=True, slots=True)
class FieldChange:
    """The value of one field on both sides, empty where a side has none."""

    field: Field
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class ElementDiff:
    """An element on both sides, the fields that changed, the passages of its text that differ.

    `renamed` are the names of another entry that replaces it now, if the new one of this
    name is only deprecated.
    """

    old: Element
    new: Element
    changes: tuple[FieldChange, ...] = ()
    text: tuple[tuple[Segment, ...], ...] = ()
    renamed: tuple[str, ...] = ()

    @property
    def advice(self) -> str:
        """What the new text says to use instead, with the names that replace it."""
        if not self.renamed or any(has_word(self.new.advice, name) for name in self.renamed):
            return self.new.advice
        return f"{self.new.advice} Replaced by {', '.join(self.renamed)}.".lstrip()

    def changes_of(self, *fields: Field) -> tuple[FieldChange, ...]:
        """The changes of these fields."""
        return tuple([change for change in self.changes if change.field in fields])


@dataclass(frozen=True, slots=True)
class MergeOrSplit:
    """Entries that one side describes together, as the entry `combined`, and the other apart.

    `parts` are on the old side if they were `merged`, on the new one if they were split.
    """

    merged: bool
    parts: tuple[Element, ...]
    combined: Element


@dataclass(frozen=True, slots=True)
class ReferenceChange:
    """A reference in the text of `element` that is broken now, or was before."""

    state: ReferenceState
    text: str
    element: Element


@dataclass(frozen=True, slots=True)
class Comparison:
    """All differences; `old` and `new` name the two sides for readers."""

    old: str
    new: str
    documents_added: tuple[str, ...]
    documents_removed: tuple[str, ...]
    entries_added: tuple[Element, ...]
    entries_removed: tuple[Element, ...]
    entries_changed: tuple[ElementDiff, ...]
    merges_and_splits: tuple[MergeOrSplit, ...]
    sections_added: tuple[Element, ...]
    sections_removed: tuple[Element, ...]
    sections_changed: tuple[ElementDiff, ...]
    reference_changes: tuple[ReferenceChange, ...]

    def __bool__(self) -> bool:
        """Whether anything differs in meaning."""
        return any((
            self.documents_added, self.documents_removed, self.entries_added,
            self.entries_removed, self.entries_changed, self.merges_and_splits,
            self.sections_added, self.sections_removed, self.sections_changed,
            self.reference_changes,
        ))
