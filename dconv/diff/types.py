"""The result of a comparison, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dconv.writers.pages.changes import Run

# what of an entry, a section or an item has changed, except the words of its text
Aspect = Literal[
    "name", "kind", "place", "deprecated", "experimental", "signature", "default", "argument",
    "sections", "contexts", "rule sets", "default-server", "type", "title", "number",
]
ReferenceState = Literal["broken", "mended"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is: a section of a document, and the line and the anchor there."""

    document: str
    number: str
    title: str
    line: int
    anchor: str

    def __str__(self) -> str:
        """`configuration 4.2`, or the title of a section without a number."""
        return f"{self.document} {self.number or self.title}".strip()


@dataclass(frozen=True, slots=True)
class Subject:
    """An entry, an item or a section; `kind` is empty for a section.

    `advice` is the sentence that says what is deprecated, or what to use instead.
    """

    kind: str
    name: str
    place: Place
    summary: str = ""
    deprecated: bool = False
    advice: str = ""

    @property
    def at(self) -> tuple[str, str, str]:
        """Its document, the title of its section, and its name."""
        return self.place.document, self.place.title, self.name


@dataclass(frozen=True, slots=True)
class Change:
    """One aspect on both sides; a side that does not mention it is empty."""

    aspect: Aspect
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A subject on both sides, its changes, and the passages of its text that differ."""

    old: Subject
    new: Subject
    changes: tuple[Change, ...] = ()
    text: tuple[tuple[Run, ...], ...] = ()

    def has(self, *aspects: Aspect) -> tuple[Change, ...]:
        """The changes of these aspects."""
        return tuple([change for change in self.changes if change.aspect in aspects])


@dataclass(frozen=True, slots=True)
class Regrouping:
    """Entries that one side describes together, as the entry `whole`, and the other apart.

    `parts` are on the old side if they were `merged`, on the new one if they were split.
    """

    merged: bool
    parts: tuple[Subject, ...]
    whole: Subject


@dataclass(frozen=True, slots=True)
class ReferenceChange:
    """A reference in the text of `subject` that is broken now, or was before."""

    state: ReferenceState
    text: str
    subject: Subject


@dataclass(frozen=True, slots=True)
class Comparison:
    """All differences; `old` and `new` name the two sides for readers."""

    old: str
    new: str
    documents_added: tuple[str, ...]
    documents_removed: tuple[str, ...]
    added: tuple[Subject, ...]
    removed: tuple[Subject, ...]
    entries: tuple[Changed, ...]
    regrouped: tuple[Regrouping, ...]
    sections_added: tuple[Subject, ...]
    sections_removed: tuple[Subject, ...]
    sections: tuple[Changed, ...]
    references: tuple[ReferenceChange, ...]

    def __bool__(self) -> bool:
        """Whether anything differs in meaning."""
        return any((
            self.documents_added, self.documents_removed, self.added, self.removed, self.entries,
            self.regrouped, self.sections_added, self.sections_removed, self.sections,
            self.references,
        ))
