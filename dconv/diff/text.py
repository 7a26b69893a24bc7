"""A comparison as plain text for a mailing list: 78 columns, counts first.

Words are marked as wdiff(1) marks them: [-removed-] {+added+}.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from dconv.diff.entry_changes import NOT_STATED
from dconv.diff.types import (
    Comparison,
    Element,
    ElementDiff,
    Field,
    FieldChange,
    MergeOrSplit,
    ReferenceState,
)
from dconv.diff.word_diff import shortened, word_segments
from dconv.model.tree import USAGE_KINDS
from dconv.model.values import dataclass
from dconv.writers.pages.changes import Segment

WIDTH = 78
# the end of the noun in "entries renamed", "texts of entries changed"
PLURAL = re.compile(r"ies\b|s\b")


@dataclass(frozen=True, slots=True)
class _TextSection:
    """A part of the text: its title, how many elements it is about, and its lines."""

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
    for part in parts:
        counted = part.title if part.count > 1 else PLURAL.sub(
            lambda ending: "y" if ending[0] == "ies" else "", part.title, count=1
        )
        lines.append(f"{part.count:>7,}  {counted}")
    for part in parts:
        head = f"{part.title[0].upper()}{part.title[1:]} ({part.count:,})"
        lines += ["", "", head, "-" * len(head), *part.lines]
    return "\n".join(lines) + "\n"


def _parts(comparison: Comparison) -> Iterator[_TextSection]:
    added, removed = comparison.entries_added, comparison.entries_removed
    entries = comparison.entries_changed
    yield _documents("documents added", comparison.documents_added)
    yield _documents("documents removed", comparison.documents_removed)
    yield _TextSection("entries added", len(added), _listed(added, lambda entry: entry.summary))
    yield _TextSection("entries removed", len(removed), _listed(removed))
    yield _status(entries, "entries deprecated", "deprecated", True)
    yield _status(entries, "entries no longer deprecated", "deprecated", False)
    yield _status(entries, "entries experimental", "experimental", True)
    yield _status(entries, "entries no longer experimental", "experimental", False)
    yield _moved(entries)
    yield _changes(entries, "entries renamed", ("name",), _arrow)
    yield _merges_and_splits(comparison, "entries merged into others", True)
    yield _merges_and_splits(comparison, "entries split into several", False)
    yield _changes(entries, "signatures changed", ("signature",), _words)
    yield _changes(entries, "defaults changed", ("default",), _words)
    yield _changes(entries, "types changed", ("type",), _arrow)
    yield _arguments(entries)
    yield _changes(
        entries, "places of use changed", USAGE_KINDS,
        lambda change: f"{change.field}: {_marks(change)}",
    )
    yield from _usages_of_one_side(entries)
    yield _sections(comparison)
    yield _references(comparison, "references broken", "broken")
    yield _references(comparison, "references mended", "mended")
    yield _texts(entries, "texts of entries changed")
    yield _texts(comparison.sections_changed, "texts of sections changed")


def _documents(title: str, names: Sequence[str]) -> _TextSection:
    return _TextSection(title, len(names), [f"  {name}" for name in names])


def _listed(
    elements: Iterable[Element], summary_of: Callable[[Element], str] | None = None
) -> list[str]:
    """Names by kind and section, each with what fits of its summary, or with all its advice."""
    lines: list[str] = []
    groups = groupby(elements, key=lambda element: (element.kind, str(element.location)))
    for (kind, location), group in groups:
        lines += ["", f"  {kind}, {location}"] if lines else [f"  {kind}, {location}"]
        for element in group:
            sentence = summary_of(element) if summary_of else element.advice
            line = f"{element.display_name} - {sentence}" if sentence else element.display_name
            below: list[str] = []
            if summary_of is None and len(line) > WIDTH - 4:
                line, below = element.display_name, _wrapped(sentence, 8)
            lines += [f"    {textwrap.shorten(line, WIDTH - 4, placeholder=' ...')}", *below]
    return lines


def _status(
    entries: Iterable[ElementDiff], title: str, field: Field, new_state: bool
) -> _TextSection:
    texts = {
        entry: [entry.advice] if new_state and field == "deprecated" and entry.advice else []
        for entry in entries
        if any(bool(change.new) == new_state for change in entry.changes_of(field))
    }
    return _with_names(title, texts)


def _with_names(title: str, texts: Mapping[ElementDiff, Sequence[str]]) -> _TextSection:
    """The elements of `texts`, each with its texts below its name."""
    lines: list[str] = []
    for element, below in texts.items():
        lines += [*_name(element), *[line for text in below for line in _wrapped(text, 6)]]
    return _TextSection(title, len(texts), lines)


def _moved(entries: Iterable[ElementDiff]) -> _TextSection:
    moves = [
        ((change.old, change.new), entry)
        for entry in entries for change in entry.changes_of("place")
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
    return _TextSection("entries moved to another section", len(moves), lines)


def _merges_and_splits(comparison: Comparison, title: str, merged: bool) -> _TextSection:
    groups = [group for group in comparison.merges_and_splits if group.merged == merged]
    count = len({part for group in groups for part in group.parts} if merged else groups)
    return _TextSection(title, count, [line for group in groups for line in _group(group)])


def _group(group: MergeOrSplit) -> list[str]:
    display_name_counts = Counter(part.display_name for part in group.parts)
    name_counts = Counter(part.name for part in group.parts)
    parts = ", ".join([
        part.display_name if display_name_counts[part.display_name] == 1
        else part.name if name_counts[part.name] == 1 else f"{part.name} ({part.location})"
        for part in group.parts
    ])
    combined = f"{group.combined.name} ({group.combined.location})"
    return _wrapped(f"{parts} -> {combined}" if group.merged else f"{combined} -> {parts}", 2)


def _changes(
    entries: Iterable[ElementDiff], title: str, fields: Sequence[Field],
    format_change: Callable[[FieldChange], str],
) -> _TextSection:
    """The entries with changes of `fields`, each formatted by `format_change` below the name."""
    texts = {
        entry: [
            format_change(change) for change in entry.changes_of(*fields)
            if NOT_STATED not in (change.old, change.new)
        ]
        for entry in entries
    }
    return _with_names(title, {entry: below for entry, below in texts.items() if below})


def _arguments(entries: Iterable[ElementDiff]) -> _TextSection:
    return _with_names("arguments added or removed", {
        entry: [" ".join([_marks(change) for change in changes])]
        for entry in entries if (changes := entry.changes_of("argument"))
    })


def _usages_of_one_side(entries: Sequence[ElementDiff]) -> Iterator[_TextSection]:
    """Entries for which only one side states where they may be used."""
    for field in USAGE_KINDS:
        for title, side in ((f"{field} stated now", "old"), (f"{field} no longer stated", "new")):
            names = [
                entry.new.name for entry in entries for change in entry.changes_of(field)
                if (change.old if side == "old" else change.new) == NOT_STATED
            ]
            yield _TextSection(f"entries with {title}", len(names), _wrapped(", ".join(names), 2))


def _sections(comparison: Comparison) -> _TextSection:
    added, removed = comparison.sections_added, comparison.sections_removed
    lines = [f"  + {_heading(section)}" for section in added]
    lines += [f"  - {_heading(section)}" for section in removed]
    changed = [section for section in comparison.sections_changed if section.changes]
    for section in changed:
        lines += _wrapped(f"~ {_heading(section.old)} -> {_heading(section.new)}", 2)
    count = len(added) + len(removed) + len(changed)
    return _TextSection("sections added, removed, renamed or renumbered", count, lines)


def _references(comparison: Comparison, title: str, state: ReferenceState) -> _TextSection:
    changes = [change for change in comparison.reference_changes if change.state == state]
    lines: list[str] = []
    for change in changes:
        element = change.element
        location = f"{element.location}, line {element.location.line}"
        lines += _wrapped(f'"{change.text}" in {element.name} ({location})', 2)
    return _TextSection(title, len(changes), lines)


def _texts(elements: Iterable[ElementDiff], title: str) -> _TextSection:
    diffs = [element for element in elements if element.text]
    lines: list[str] = []
    for element in diffs:
        lines += ["", *_name(element)]
        for passage in element.text:
            lines += _wrapped(_with_marks(passage), 6)
    return _TextSection(title, len(diffs), lines)


def _heading(section: Element) -> str:
    """The document, the number if there is one, and the title of `section`."""
    number = f" §{section.location.number}" if section.location.number else ""
    return f"{section.location.document}{number} {section.name}".rstrip()


def _name(diff: ElementDiff) -> list[str]:
    """The name of the element, and where it is in the new text."""
    element = diff.new
    location = element.location
    if not element.kind:
        return _wrapped(f"{_heading(element)} (line {location.line})", 2)
    return _wrapped(f"{element.kind} {element.display_name} ({location}, line {location.line})", 2)


def _arrow(change: FieldChange) -> str:
    return f"{change.old} -> {change.new}"


def _words(change: FieldChange) -> str:
    return _with_marks(word_segments(change.old, change.new))


def _marks(change: FieldChange) -> str:
    """The old and the new value with marks, each if there is one."""
    marks = [f"[-{change.old}-]"] * bool(change.old) + [f"{{+{change.new}+}}"] * bool(change.new)
    return " ".join(marks)


def _with_marks(segments: Sequence[Segment]) -> str:
    """`segments` with marks around the words of one side; long stretches of both are cut."""
    return " ".join([
        f"[-{segment.text}-]" if segment.state == "removed"
        else f"{{+{segment.text}+}}" if segment.state == "added" else segment.text
        for segment in shortened(segments)
    ])


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * indent,
        break_long_words=False, break_on_hyphens=False,
    )
