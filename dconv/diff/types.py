"""What a comparison finds, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["same", "removed", "added"]
# what of an entry, a section or an item is another than before; `text` stands beside them
Aspect = Literal[
    "name", "kind", "place", "deprecated", "experimental", "signature", "default", "argument",
    "sections", "contexts", "rule sets", "default-server", "type", "title", "number",
]
Fate = Literal["broken", "mended"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: a section of a document, and the line there."""

    document: str
    number: str
    title: str
    line: int
    anchor: str

    def __str__(self) -> str:
        """`configuration 4.2`, or the title where the section has no number."""
        return f"{self.document} {self.number or self.title}".strip()


@dataclass(frozen=True, slots=True)
class Subject:
    """An entry, an item or a section; `kind` is empty for a section.

    `advice` is the sentence that tells what is deprecated, or what to use instead.
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
class Run:
    """Words that are in both texts, or in one; words are parted by one blank."""

    state: State
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is another now; a side that says nothing of it is empty."""

    aspect: Aspect
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A subject in both states, what is said otherwise of it, and the passages of its
    text that changed.
    """

    old: Subject
    new: Subject
    changes: tuple[Change, ...] = ()
    text: tuple[tuple[Run, ...], ...] = ()

    def has(self, *aspects: Aspect) -> tuple[Change, ...]:
        """The changes of these aspects."""
        return tuple([change for change in self.changes if change.aspect in aspects])


@dataclass(frozen=True, slots=True)
class Folded:
    """Subjects of one state that are described together, or apart, in the other.

    `several` is on the old side where `merged`, else on the new.
    """

    merged: bool
    several: tuple[Subject, ...]
    one: Subject


@dataclass(frozen=True, slots=True)
class Promise:
    """A reference that leads nowhere now (`broken`), or did before (`mended`)."""

    fate: Fate
    text: str
    subject: Subject


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that differs; `old` and `new` name the two sides for readers."""

    old: str
    new: str
    documents_added: tuple[str, ...]
    documents_removed: tuple[str, ...]
    added: tuple[Subject, ...]
    removed: tuple[Subject, ...]
    entries: tuple[Changed, ...]
    folded: tuple[Folded, ...]
    sections_added: tuple[Subject, ...]
    sections_removed: tuple[Subject, ...]
    sections: tuple[Changed, ...]
    promises: tuple[Promise, ...]

    def __bool__(self) -> bool:
        """Whether anything differs in meaning."""
        return any((
            self.documents_added, self.documents_removed, self.added, self.removed, self.entries,
            self.folded, self.sections_added, self.sections_removed, self.sections, self.promises,
        ))
