"""A comparison as a page for a theme."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dconv.diff.facts import NOT_TOLD, USAGES
from dconv.diff.types import Aspect, Change, Changed, Comparison, Fate, Run, Subject
from dconv.diff.wording import shortened, words
from dconv.writers.pages.changes import Changes, Difference, Sort, Words
from dconv.writers.pages.listings import Link
from dconv.writers.pages.page import Edition, Page

Lines: TypeAlias = "tuple[tuple[Words, ...], ...]"


@dataclass(frozen=True, slots=True)
class Way:
    """How readers are led to subjects.

    `address` gives the page of one, or is empty; it is told whether it is one of the old
    side.  `documents` is true where a section alone does not tell whose it is.
    """

    address: Callable[[Subject, bool], str]
    documents: bool = False

    def section(self, one: Subject) -> str:
        """Where `one` stands, in short."""
        return str(one.place) if self.documents else one.place.number or one.place.title


def changes_page(found: Comparison, edition: Edition, path: str) -> Page:
    """A page on its own, `path` being its file: nothing leads from it to other pages."""
    title = f"{found.old} → {found.new}"
    return Page(
        kind="changes", path=path, root="", title=f"Changes: {title}", heading="Changes",
        description=f"What changes in meaning: {title}", edition=edition,
        changes=changes(found, Way(lambda subject, old: "")),
    )


def changes(found: Comparison, way: Way) -> Changes:
    """What a page shows of `found`; `way` leads to things."""
    sorts = tuple([sort for sort in _sorts(found, way) if sort.rows])
    return Changes(found.old, found.new, tuple(_figures(found, sorts)), sorts)


def _figures(found: Comparison, sorts: Sequence[Sort]) -> Iterator[Link]:
    """Three figures, each a link to the first sort that it counts."""
    deprecated = [one for one in found.entries if _now(one, "deprecated", True)]
    gone = ("deprecated", "removed")
    others = [one.identity for one in sorts if one.identity not in ("added", *gone)]
    for title, count, identities in (
        ("added", len(found.added), ("added",)),
        ("deprecated or removed", len(found.removed) + len(deprecated), gone),
        ("changed", len(found.entries), others),
    ):
        known = [one.identity for one in sorts if count and one.identity in identities]
        yield Link(title, f"#-{known[0]}" if known else "", count=count)


def _sorts(found: Comparison, way: Way) -> Iterator[Sort]:
    yield Sort("Added", "added", tuple([
        _row(one, way, told=one.summary) for one in found.added
    ]))
    yield from _status(found, way)
    for title, identity, shown, code, folded in _ENTRIES:
        rows = [
            _row(one.new, way, lines=lines) for one in found.entries if (lines := shown(one))
        ]
        yield Sort(title, identity, tuple(rows), code, folded)
    yield Sort("Merged or split", "folded", tuple([
        _row(fold.one, way, not fold.merged, told=(
            f"{'from' if fold.merged else 'now'} {', '.join([one.name for one in fold.several])}"
        ))
        for fold in found.folded
    ]))
    yield Sort("Sections", "sections", tuple(_sections(found, way)))
    for title, fate in _FATES:
        yield Sort(title, fate, tuple([
            _row(one.subject, way, told=f"“{one.text}”")
            for one in found.promises if one.fate == fate
        ]))
    yield Sort("Changed texts of sections", "section-texts", tuple([
        _row(one.new, way, lines=_passages(one)) for one in found.sections if one.text
    ]), folded=True)


_FATES: tuple[tuple[str, Fate], ...] = (
    ("Broken references", "broken"), ("Mended references", "mended"),
)


def _status(found: Comparison, way: Way) -> Iterator[Sort]:
    """What is deprecated or gone, each with the sentence of the source; and the reverse."""
    for title, identity, aspect, now in _STATUS:
        yield Sort(title, identity, tuple([
            _row(one.new, way, told=one.new.advice if identity == "deprecated" else "")
            for one in found.entries if _now(one, aspect, now)
        ]))
        if identity == "deprecated":
            yield Sort("Removed", "removed", tuple([
                _row(one, way, True, told=one.advice) for one in found.removed
            ]))


_STATUS: tuple[tuple[str, str, Aspect, bool], ...] = (
    ("Deprecated", "deprecated", "deprecated", True),
    ("No longer deprecated", "undeprecated", "deprecated", False),
    ("Experimental", "experimental", "experimental", True),
    ("No longer experimental", "stable", "experimental", False),
)


def _now(one: Changed, aspect: Aspect, now: bool) -> bool:
    return any(bool(change.new) == now for change in one.has(aspect))


def _row(
    one: Subject, way: Way, old: bool = False, told: str = "", lines: Lines = ()
) -> Difference:
    link = Link(one.name, way.address(one, old))
    return Difference(link, one.kind, way.section(one), told, lines, old)


def _sections(found: Comparison, way: Way) -> Iterator[Difference]:
    for one in found.sections_added:
        yield _row(one, way, told=f"added: {one.place}")
    for one in found.sections_removed:
        yield _row(one, way, True, told=f"removed: {one.place}")
    for changed in found.sections:
        if changed.changes:
            yield _row(changed.new, way, lines=_sides(changed, "title", "number", "place"))


# --- lines ----------------------------------------------------------------------------


def _signatures(one: Changed) -> Lines:
    """The old signature and the new one, below each other."""
    lines: list[tuple[Words, ...]] = []
    for change in one.has("signature"):
        runs = words(change.old, change.new)
        for side in ("removed", "added"):
            line = [run for run in runs if run.state in ("same", side)]
            if any(run.state == side for run in line) or (line and change.old and change.new):
                lines.append(_words(line))
    return tuple(lines)


def _marked(one: Changed, aspect: Aspect) -> Lines:
    return tuple([
        _words(shortened(words(change.old, change.new))) for change in one.has(aspect)
    ])


def _sides(one: Changed, *aspects: Aspect) -> Lines:
    """What was and what is, whole."""
    return tuple([_both(change) for change in one.has(*aspects)])


def _places(one: Changed, told: bool) -> Lines:
    """The places of use, where both sides tell of them (`told`), or where but one does."""
    return tuple([
        _both(change) for change in one.has(*USAGES)
        if (NOT_TOLD not in (change.old, change.new)) == told
    ])


def _both(change: Change) -> tuple[Words, ...]:
    sides = (("removed", change.old), ("added", change.new))
    named = (Words("same", f"{change.aspect}:"),) if change.aspect in USAGES else ()
    return (*named, *[
        Words("removed" if state == "removed" else "added", text)
        for state, text in sides if text and text != NOT_TOLD
    ])


def _passages(one: Changed) -> Lines:
    return tuple([_words(shortened(runs)) for runs in one.text])


def _words(runs: Iterable[Run]) -> tuple[Words, ...]:
    return tuple([Words(run.state, run.text) for run in runs])


# what of entries that both sides have: title, identity, lines, whether code, whether folded
_ENTRIES: tuple[tuple[str, str, Callable[[Changed], Lines], bool, bool], ...] = (
    ("Changed signatures", "signatures", _signatures, True, False),
    ("Changed defaults", "defaults", lambda one: _marked(one, "default"), False, False),
    ("Changed arguments", "arguments", lambda one: _sides(one, "argument"), True, False),
    ("Changed types", "types", lambda one: _sides(one, "type"), False, False),
    ("Changed places of use", "places", lambda one: _places(one, told=True), False, False),
    ("Moved or renamed", "moved", lambda one: _sides(one, "place", "name"), False, False),
    (
        "Places of use that one side alone tells", "told-places",
        lambda one: _places(one, told=False), False, True,
    ),
    ("Changed texts", "texts", _passages, False, True),
)
