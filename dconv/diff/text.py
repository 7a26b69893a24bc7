"""A comparison as plain text for a mailing list: 78 columns, counts at the head.

Words are marked as wdiff(1) marks them: [-removed-] {+added+}.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from dconv.diff.entry_changes import NOT_STATED
from dconv.diff.types import (
    Aspect,
    Change,
    Changed,
    Comparison,
    ReferenceState,
    Regrouping,
    Subject,
)
from dconv.diff.wording import shortened, word_runs
from dconv.model.tree import USAGES
from dconv.writers.pages.changes import Run

WIDTH = 78


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the text: its title, how many subjects it is about, and its lines."""

    title: str
    count: int
    lines: Sequence[str]


def text(comparison: Comparison) -> str:
    """`comparison` as text; one line if nothing differs."""
    title = f"{comparison.old} -> {comparison.new}"
    parts = [part for part in _parts(comparison) if part.count]
    if not parts:
        return f"{title}: no difference in meaning\n"
    lines = [title, ""]
    lines += [f"{part.count:>7,}  {part.title}" for part in parts]
    for part in parts:
        head = f"{part.title[0].upper()}{part.title[1:]} ({part.count:,})"
        lines += ["", "", head, "-" * len(head), *part.lines]
    return "\n".join(lines) + "\n"


def _parts(comparison: Comparison) -> Iterator[_Part]:
    added, removed, entries = comparison.added, comparison.removed, comparison.entries
    yield _documents("documents added", comparison.documents_added)
    yield _documents("documents removed", comparison.documents_removed)
    yield _Part("entries added", len(added), _listed(added, lambda entry: entry.summary))
    yield _Part("entries removed", len(removed), _listed(removed, lambda entry: entry.advice))
    yield _status(entries, "entries deprecated", "deprecated", True)
    yield _status(entries, "entries no longer deprecated", "deprecated", False)
    yield _status(entries, "entries experimental", "experimental", True)
    yield _status(entries, "entries no longer experimental", "experimental", False)
    yield _moved(entries)
    yield _changes(entries, "entries renamed", ("name",), _arrow)
    yield _regrouped(comparison, "entries merged into others", True)
    yield _regrouped(comparison, "entries split into several", False)
    yield _changes(entries, "signatures changed", ("signature",), _words)
    yield _changes(entries, "defaults changed", ("default",), _words)
    yield _changes(entries, "types changed", ("type",), _arrow)
    yield _arguments(entries)
    yield _changes(entries, "places of use changed", USAGES, _place)
    yield from _places_of_one_side(entries)
    yield _sections(comparison)
    yield _references(comparison, "references broken", "broken")
    yield _references(comparison, "references mended", "mended")
    yield _texts(entries, "texts of entries changed")
    yield _texts(comparison.sections, "texts of sections changed")


# --- parts ----------------------------------------------------------------------------


def _documents(title: str, names: Sequence[str]) -> _Part:
    return _Part(title, len(names), [f"  {name}" for name in names])


def _listed(subjects: Iterable[Subject], note: Callable[[Subject], str]) -> list[str]:
    """Names by kind and section, each with its note."""
    lines: list[str] = []
    groups = groupby(subjects, key=lambda subject: (subject.kind, str(subject.place)))
    for (kind, place), group in groups:
        lines += ["", f"  {kind}, {place}"] if lines else [f"  {kind}, {place}"]
        for subject in group:
            sentence = note(subject)
            line = f"{subject.name} - {sentence}" if sentence else subject.name
            lines.append(f"    {textwrap.shorten(line, WIDTH - 4, placeholder=' ...')}")
    return lines


def _status(entries: Iterable[Changed], title: str, aspect: Aspect, now: bool) -> _Part:
    subjects = [
        entry for entry in entries if any(bool(change.new) == now for change in entry.has(aspect))
    ]
    lines: list[str] = []
    for entry in subjects:
        lines += _name(entry)
        if now and aspect == "deprecated" and entry.new.advice:
            lines += _wrapped(entry.new.advice, 6)
    return _Part(title, len(subjects), lines)


def _moved(entries: Iterable[Changed]) -> _Part:
    moves = [
        ((change.old, change.new), entry) for entry in entries for change in entry.has("place")
    ]
    moves.sort(key=lambda move: move[0])
    lines: list[str] = []
    for (old, new), group in groupby(moves, key=lambda move: move[0]):
        names = [
            entry.new.name if entry.new.name == entry.old.name
            else f"{entry.old.name} -> {entry.new.name}"
            for _, entry in group
        ]
        lines += [f"  {old} -> {new}", *_wrapped(", ".join(names), 4)]
    return _Part("entries moved to another section", len(moves), lines)


def _regrouped(comparison: Comparison, title: str, merged: bool) -> _Part:
    groups = [group for group in comparison.regrouped if group.merged == merged]
    return _Part(
        title, sum(len(group.parts) for group in groups),
        [line for group in groups for line in _group(group)],
    )


def _group(group: Regrouping) -> list[str]:
    parts = ", ".join([part.name for part in group.parts])
    whole = f"{group.whole.name} ({group.whole.place})"
    return _wrapped(f"{parts} -> {whole}" if group.merged else f"{whole} -> {parts}", 2)


def _changes(
    entries: Iterable[Changed], title: str, aspects: Sequence[Aspect],
    shown: Callable[[Change], str],
) -> _Part:
    """The entries with changes of `aspects`, each change as `shown` below the name."""
    lines: list[str] = []
    count = 0
    for entry in entries:
        changes = [
            change for change in entry.has(*aspects) if NOT_STATED not in (change.old, change.new)
        ]
        if changes:
            count += 1
            lines += _name(entry)
            lines += [line for change in changes for line in _wrapped(shown(change), 6)]
    return _Part(title, count, lines)


def _arguments(entries: Iterable[Changed]) -> _Part:
    lines: list[str] = []
    count = 0
    for entry in entries:
        marks = [
            f"{{+{change.new}+}}" if change.new else f"[-{change.old}-]"
            for change in entry.has("argument")
        ]
        if marks:
            count += 1
            lines += [*_name(entry), *_wrapped(" ".join(marks), 6)]
    return _Part("arguments added or removed", count, lines)


def _places_of_one_side(entries: Sequence[Changed]) -> Iterator[_Part]:
    """Entries whose places of use only one side states."""
    for aspect in USAGES:
        for title, side in ((f"{aspect} stated now", "old"), (f"{aspect} no longer stated", "new")):
            names = [
                entry.new.name for entry in entries for change in entry.has(aspect)
                if (change.old if side == "old" else change.new) == NOT_STATED
            ]
            yield _Part(f"entries with {title}", len(names), _wrapped(", ".join(names), 2))


def _sections(comparison: Comparison) -> _Part:
    added, removed = comparison.sections_added, comparison.sections_removed
    lines = [f"  + {section.place} {section.name}".rstrip() for section in added]
    lines += [f"  - {section.place} {section.name}".rstrip() for section in removed]
    changed = [section for section in comparison.sections if section.changes]
    for section in changed:
        old = f"{section.old.place} {section.old.name}"
        new = f"{section.new.place} {section.new.name}"
        lines += _wrapped(f"~ {old} -> {new}", 2)
    count = len(added) + len(removed) + len(changed)
    return _Part("sections added, removed, renamed or renumbered", count, lines)


def _references(comparison: Comparison, title: str, state: ReferenceState) -> _Part:
    changes = [change for change in comparison.references if change.state == state]
    lines: list[str] = []
    for change in changes:
        subject = change.subject
        lines += _wrapped(
            f'"{change.text}" in {subject.name} ({subject.place}, line {subject.place.line})', 2
        )
    return _Part(title, len(changes), lines)


def _texts(subjects: Iterable[Changed], title: str) -> _Part:
    changed = [subject for subject in subjects if subject.text]
    lines: list[str] = []
    for subject in changed:
        lines += ["", *_name(subject)]
        for passage in subject.text:
            lines += _wrapped(_marked(passage), 6)
    return _Part(title, len(changed), lines)


# --- lines ----------------------------------------------------------------------------


def _name(changed: Changed) -> list[str]:
    """What changed, and where it is in the new text."""
    subject = changed.new
    place = subject.place
    if not subject.kind:
        return _wrapped(f"{place} {subject.name} (line {place.line})", 2)
    return _wrapped(f"{subject.kind} {subject.name} ({place}, line {place.line})", 2)


def _arrow(change: Change) -> str:
    return f"{change.old} -> {change.new}"


def _words(change: Change) -> str:
    return _marked(word_runs(change.old, change.new))


def _place(change: Change) -> str:
    marks = [f"[-{change.old}-]"] * bool(change.old) + [f"{{+{change.new}+}}"] * bool(change.new)
    return f"{change.aspect}: {' '.join(marks)}"


def _marked(runs: Sequence[Run]) -> str:
    """`runs` with marks around the words of one side; long stretches of both are cut."""
    return " ".join([
        f"[-{run.text}-]" if run.state == "removed"
        else f"{{+{run.text}+}}" if run.state == "added" else run.text
        for run in shortened(runs)
    ])


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent,
        break_long_words=False, break_on_hyphens=False,
    )
