"""A comparison as plain text for a mailing list: 78 columns, counts at the head.

Words are marked as wdiff(1) marks them: [-gone-] {+new+}.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from dconv.diff.facts import NOT_TOLD, USAGES
from dconv.diff.types import Aspect, Change, Changed, Comparison, Folded, Run, Subject
from dconv.diff.wording import shortened, words

WIDTH = 78
Chapter = tuple[str, int, list[str]]  # what it tells, how much of it, its lines


def text(comparison: Comparison) -> str:
    """`comparison` as text; one line where nothing differs."""
    title = f"{comparison.old} -> {comparison.new}"
    chapters = [chapter for chapter in _chapters(comparison) if chapter[1]]
    if not chapters:
        return f"{title}: no difference in meaning\n"
    lines = [title, ""]
    lines += [f"{count:>7,}  {name}" for name, count, _ in chapters]
    for name, count, body in chapters:
        head = f"{name[0].upper()}{name[1:]} ({count:,})"
        lines += ["", "", head, "-" * len(head), *body]
    return "\n".join(lines) + "\n"


def _chapters(found: Comparison) -> Iterator[Chapter]:
    yield _plain("documents added", found.documents_added)
    yield _plain("documents removed", found.documents_removed)
    yield "entries added", len(found.added), _listed(found.added, lambda one: one.summary)
    yield "entries removed", len(found.removed), _listed(found.removed, lambda one: one.advice)
    yield _status(found, "entries deprecated", "deprecated", True)
    yield _status(found, "entries no longer deprecated", "deprecated", False)
    yield _status(found, "entries experimental", "experimental", True)
    yield _status(found, "entries no longer experimental", "experimental", False)
    yield _moved(found)
    yield _told(found, "entries renamed", ("name",), _arrow)
    yield _folds(found, "entries merged into others", True)
    yield _folds(found, "entries split into several", False)
    yield _told(found, "signatures changed", ("signature",), _words)
    yield _told(found, "defaults changed", ("default",), _words)
    yield _told(found, "types changed", ("type",), _arrow)
    yield _told(found, "arguments added or removed", ("argument",), _marks)
    yield _told(found, "places of use changed", USAGES, _place)
    yield from _first_told(found)
    yield _sections(found)
    yield _promises(found, "references broken", "broken")
    yield _promises(found, "references mended", "mended")
    for title, changed in (
        ("texts of entries changed", found.entries), ("texts of sections changed", found.sections)
    ):
        texts = [one for one in changed if one.text]
        yield title, len(texts), [line for one in texts for line in _passages(one)]


# --- parts ----------------------------------------------------------------------------


def _plain(title: str, names: Sequence[str]) -> Chapter:
    return title, len(names), [f"  {name}" for name in names]


def _listed(subjects: Iterable[Subject], below: Callable[[Subject], str]) -> list[str]:
    """Names by kind and section, each with the sentence `below` it."""
    lines: list[str] = []
    for (kind, place), group in groupby(subjects, key=lambda one: (one.kind, str(one.place))):
        lines += ["", f"  {kind}, {place}"] if lines else [f"  {kind}, {place}"]
        for one in group:
            told = below(one)
            line = f"{one.name} - {told}" if told else one.name
            lines.append(f"    {textwrap.shorten(line, WIDTH - 4, placeholder=' ...')}")
    return lines


def _status(found: Comparison, title: str, aspect: Aspect, now: bool) -> Chapter:
    names = [
        one for one in found.entries if any(bool(change.new) == now for change in one.has(aspect))
    ]
    lines: list[str] = []
    for one in names:
        lines += _name(one)
        if now and aspect == "deprecated" and one.new.advice:
            lines += _wrapped(one.new.advice, 6)
    return title, len(names), lines


def _moved(found: Comparison) -> Chapter:
    moved = [
        (change.old, change.new, one) for one in found.entries for change in one.has("place")
    ]
    moved.sort(key=lambda each: each[:2])
    lines: list[str] = []
    for (old, new), group in groupby(moved, key=lambda each: each[:2]):
        names = [
            one.new.name if one.new.name == one.old.name else f"{one.old.name} -> {one.new.name}"
            for _, _, one in group
        ]
        lines += [f"  {old} -> {new}", *_wrapped(", ".join(names), 4)]
    return "entries moved to another section", len(moved), lines


def _folds(found: Comparison, title: str, merged: bool) -> Chapter:
    folds = [one for one in found.folded if one.merged == merged]
    return title, sum(len(one.several) for one in folds), [
        line for one in folds for line in _fold(one)
    ]


def _fold(fold: Folded) -> list[str]:
    several = ", ".join([one.name for one in fold.several])
    one = f"{fold.one.name} ({fold.one.place})"
    told = f"{several} -> {one}" if fold.merged else f"{one} -> {several}"
    return _wrapped(told, 2)


def _told(
    found: Comparison, title: str, aspects: Sequence[Aspect],
    shown: Callable[[Change], str],
) -> Chapter:
    lines: list[str] = []
    count = 0
    for one in found.entries:
        changes = [
            change for change in one.has(*aspects) if NOT_TOLD not in (change.old, change.new)
        ]
        if changes:
            count += 1
            lines += _name(one)
            if shown is _marks:
                lines += _wrapped(" ".join([shown(change) for change in changes]), 6)
            else:
                lines += [line for change in changes for line in _wrapped(shown(change), 6)]
    return title, count, lines


def _first_told(found: Comparison) -> Iterator[Chapter]:
    """Places of use that one side tells and the other does not."""
    for aspect in USAGES:
        for title, side in ((f"{aspect} told now", "old"), (f"{aspect} not told any more", "new")):
            names = [
                one.new.name for one in found.entries for change in one.has(aspect)
                if (change.old if side == "old" else change.new) == NOT_TOLD
            ]
            yield f"entries with {title}", len(names), _wrapped(", ".join(names), 2)


def _sections(found: Comparison) -> Chapter:
    lines = [f"  + {one.place} {one.name}".rstrip() for one in found.sections_added]
    lines += [f"  - {one.place} {one.name}".rstrip() for one in found.sections_removed]
    changed = [one for one in found.sections if one.changes]
    for one in changed:
        old, new = f"{one.old.place} {one.old.name}", f"{one.new.place} {one.new.name}"
        lines += _wrapped(f"~ {old} -> {new}", 2)
    count = len(found.sections_added) + len(found.sections_removed) + len(changed)
    return "sections added, removed, renamed or renumbered", count, lines


def _promises(found: Comparison, title: str, fate: str) -> Chapter:
    promises = [one for one in found.promises if one.fate == fate]
    return title, len(promises), [
        line for one in promises for line in _wrapped(
            f'"{one.text}" in {one.subject.name} '
            f"({one.subject.place}, line {one.subject.place.line})", 2,
        )
    ]


def _passages(one: Changed) -> Iterator[str]:
    yield ""
    yield from _name(one)
    for passage in one.text:
        yield from _wrapped(marked(passage), 6)


# --- lines ----------------------------------------------------------------------------


def _name(one: Changed) -> list[str]:
    """What changed, and where it stands in the new text."""
    place = one.new.place
    if not one.new.kind:
        return _wrapped(f"{place} {one.new.name} (line {place.line})", 2)
    return _wrapped(f"{one.new.kind} {one.new.name} ({place}, line {place.line})", 2)


def _arrow(change: Change) -> str:
    return f"{change.old} -> {change.new}"


def _words(change: Change) -> str:
    return marked(words(change.old, change.new))


def _marks(change: Change) -> str:
    return f"{{+{change.new}+}}" if change.new else f"[-{change.old}-]"


def _place(change: Change) -> str:
    marks = [f"[-{change.old}-]"] * bool(change.old) + [f"{{+{change.new}+}}"] * bool(change.new)
    return f"{change.aspect}: {' '.join(marks)}"


def marked(runs: Sequence[Run]) -> str:
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
