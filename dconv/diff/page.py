"""The page of a comparison: standalone, or as a page of the newer release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from dconv.diff.compare import compare
from dconv.diff.entry_changes import NOT_STATED
from dconv.diff.side import Side
from dconv.diff.types import (
    Aspect,
    Change,
    Changed,
    Comparison,
    ReferenceState,
    Subject,
)
from dconv.diff.wording import shortened, word_runs
from dconv.model.tree import USAGES
from dconv.writers.pages.changes import Changes, Difference, Group, Run
from dconv.writers.pages.filenames import CHANGES
from dconv.writers.pages.listings import Link
from dconv.writers.pages.overview import canonical_address, release_home, release_name
from dconv.writers.pages.page import Page, Release, SiteInfo
from dconv.writers.pages.versions import ReleasePages, Versions, with_versions

Lines: TypeAlias = "tuple[tuple[Run, ...], ...]"


@dataclass(frozen=True, slots=True)
class _Addresses:
    """How the page links to subjects.

    `address` gives the page of a subject, or nothing; its second argument is true for
    subjects of the old side.  `documents` is true if a section alone does not say in
    which document it is.
    """

    address: Callable[[Subject, bool], str]
    documents: bool = False

    def section(self, subject: Subject) -> str:
        """Where `subject` is, in short."""
        place = subject.place
        return str(place) if self.documents else place.number or place.title


def report_page(comparison: Comparison, site: SiteInfo, path: str) -> Page:
    """A standalone page in the file `path`, without links to other pages."""
    title = f"{comparison.old} → {comparison.new}"
    return Page(
        kind="changes", path=path, root="", title=f"Changes: {title}", heading="Changes",
        description=f"What changes in meaning: {title}", site=site,
        changes=_changes(comparison, _Addresses(lambda subject, old: "")),
    )


# --- as a page of a release -----------------------------------------------------------


def changes_page(older: Release, newer: Release, site: SiteInfo, versions: Versions) -> Page:
    """The page of changes from `older` to `newer`; `versions` contains both.

    All documents are on it, since entries move from one to another.  Its links point to the pages
    of both releases.
    """
    before, after = versions.release(older.version), versions.release(newer.version)
    here, there = _page_of(after, ""), _page_of(before, f"../{older.version}/")
    home, name = release_home(newer, site), release_name(newer)
    path = home.path.removesuffix("index.html") + CHANGES
    comparison = compare(_side(older, before), _side(newer, after))
    several = len(after.documents) > 1 or len(before.documents) > 1
    addresses = _Addresses(lambda subject, old: (there if old else here)(subject), several)
    page = replace(
        home, kind="changes", path=path, release_card=None, heading="Changes",
        title=f"What {name} changes since {older.version}",
        description=f"What changes in meaning from {older.version} to {name}",
        breadcrumbs=(*home.breadcrumbs, Link(name, "index.html")),
        canonical=canonical_address(site, path),
        changes=_changes(comparison, addresses),
    )
    return with_versions(page, versions, newer.version)


def _side(release: Release, pages: ReleasePages) -> Side:
    manuals = tuple([document.manual for document in release.documents])
    return Side(release.version, manuals, pages.catalogues)


def _page_of(release: ReleasePages, folder: str) -> Callable[[Subject], str]:
    """A function from a subject of `release` to its address; its pages are in `folder`."""

    def address(subject: Subject) -> str:
        place = subject.place
        pages = release.documents[place.document]
        entry = pages.catalogue.entries.get(place.anchor)
        if entry is not None:
            return f"{folder}{place.document}/{pages.address(entry)}"
        shown = f"{place.number} {place.title}".strip()
        titles = [section.shown for section in pages.catalogue.sections]
        # the text before all sections is on the document's home
        file = pages.section_files[titles.index(shown)] if shown in titles else "index.html"
        anchor = f"#{place.anchor}" if place.anchor else ""
        return f"{folder}{place.document}/{file}{anchor}"

    return address


# --- the groups of changes ------------------------------------------------------------


def _changes(comparison: Comparison, addresses: _Addresses) -> Changes:
    groups = tuple([group for group in _groups(comparison, addresses) if group.rows])
    return Changes(comparison.old, comparison.new, tuple(_figures(comparison, groups)), groups)


def _figures(comparison: Comparison, groups: Sequence[Group]) -> Iterator[Link]:
    """Three figures, each a link to the first group that it counts."""
    deprecated = [entry for entry in comparison.entries if _is_now(entry, "deprecated", True)]
    gone = ("deprecated", "removed")
    others = [group.identity for group in groups if group.identity not in ("added", *gone)]
    for title, count, identities in (
        ("added", len(comparison.added), ("added",)),
        ("deprecated or removed", len(comparison.removed) + len(deprecated), gone),
        ("changed", len(comparison.entries), others),
    ):
        first = next((
            group.identity for group in groups if count and group.identity in identities
        ), "")
        yield Link(title, f"#-{first}" if first else "", count=count)


def _groups(comparison: Comparison, addresses: _Addresses) -> Iterator[Group]:
    yield Group("Added", "added", tuple([
        _row(entry, addresses, note=entry.summary) for entry in comparison.added
    ]))
    yield from _status(comparison, addresses)
    for title, identity, shown, code, folded in _ENTRIES:
        rows = [
            _row(entry.new, addresses, lines=lines)
            for entry in comparison.entries if (lines := shown(entry))
        ]
        yield Group(title, identity, tuple(rows), code, folded)
    yield Group("Merged or split", "folded", tuple([
        _row(group.whole, addresses, not group.merged, note=(
            f"{'from' if group.merged else 'now'} {', '.join([part.name for part in group.parts])}"
        ))
        for group in comparison.regrouped
    ]))
    yield Group("Sections", "sections", tuple(_sections(comparison, addresses)))
    for title, state in _REFERENCES:
        yield Group(title, state, tuple([
            _row(change.subject, addresses, note=f"“{change.text}”")
            for change in comparison.references if change.state == state
        ]))
    yield Group("Changed texts of sections", "section-texts", tuple([
        _row(section.new, addresses, lines=_passages(section))
        for section in comparison.sections if section.text
    ]), folded=True)


_REFERENCES: tuple[tuple[str, ReferenceState], ...] = (
    ("Broken references", "broken"), ("Mended references", "mended"),
)


def _status(comparison: Comparison, addresses: _Addresses) -> Iterator[Group]:
    """Groups of entries that became, or are no longer, deprecated, removed or experimental."""
    for title, identity, aspect, now in _STATUS:
        yield Group(title, identity, tuple([
            _row(
                entry.new, addresses, note=entry.new.advice if identity == "deprecated" else ""
            )
            for entry in comparison.entries if _is_now(entry, aspect, now)
        ]))
        if identity == "deprecated":
            yield Group("Removed", "removed", tuple([
                _row(entry, addresses, True, note=entry.advice) for entry in comparison.removed
            ]))


_STATUS: tuple[tuple[str, str, Aspect, bool], ...] = (
    ("Deprecated", "deprecated", "deprecated", True),
    ("No longer deprecated", "undeprecated", "deprecated", False),
    ("Experimental", "experimental", "experimental", True),
    ("No longer experimental", "stable", "experimental", False),
)


def _is_now(entry: Changed, aspect: Aspect, now: bool) -> bool:
    return any(bool(change.new) == now for change in entry.has(aspect))


def _row(
    subject: Subject, addresses: _Addresses, old: bool = False, note: str = "", lines: Lines = ()
) -> Difference:
    link = Link(subject.name, addresses.address(subject, old))
    return Difference(link, subject.kind, addresses.section(subject), note, lines, old)


def _sections(comparison: Comparison, addresses: _Addresses) -> Iterator[Difference]:
    for section in comparison.sections_added:
        yield _row(section, addresses, note=f"added: {section.place}")
    for section in comparison.sections_removed:
        yield _row(section, addresses, True, note=f"removed: {section.place}")
    for changed in comparison.sections:
        if changed.changes:
            lines = _old_and_new(changed, "title", "number", "place")
            yield _row(changed.new, addresses, lines=lines)


# --- lines ----------------------------------------------------------------------------


def _signatures(entry: Changed) -> Lines:
    """The old signature and the new one, below each other."""
    lines: list[tuple[Run, ...]] = []
    for change in entry.has("signature"):
        runs = word_runs(change.old, change.new)
        for side in ("removed", "added"):
            line = [run for run in runs if run.state in ("same", side)]
            if any(run.state == side for run in line) or (line and change.old and change.new):
                lines.append(tuple(line))
    return tuple(lines)


def _marked(entry: Changed, aspect: Aspect) -> Lines:
    return tuple([
        tuple(shortened(word_runs(change.old, change.new))) for change in entry.has(aspect)
    ])


def _old_and_new(changed: Changed, *aspects: Aspect) -> Lines:
    """The complete old and new values of each change."""
    return tuple([_states(change) for change in changed.has(*aspects)])


def _places(entry: Changed, both: bool) -> Lines:
    """Changed places of use that both sides state, or that only one side states."""
    return tuple([
        _states(change) for change in entry.has(*USAGES)
        if (NOT_STATED not in (change.old, change.new)) == both
    ])


def _states(change: Change) -> tuple[Run, ...]:
    label = (Run("same", f"{change.aspect}:"),) if change.aspect in USAGES else ()
    old = (Run("removed", change.old),) if change.old not in ("", NOT_STATED) else ()
    new = (Run("added", change.new),) if change.new not in ("", NOT_STATED) else ()
    return (*label, *old, *new)


def _passages(changed: Changed) -> Lines:
    return tuple([tuple(shortened(runs)) for runs in changed.text])


# groups of changed entries: title, identity, lines, whether they are code, whether folded
_ENTRIES: tuple[tuple[str, str, Callable[[Changed], Lines], bool, bool], ...] = (
    ("Changed signatures", "signatures", _signatures, True, False),
    ("Changed defaults", "defaults", lambda entry: _marked(entry, "default"), False, False),
    ("Changed arguments", "arguments", lambda entry: _old_and_new(entry, "argument"), True, False),
    ("Changed types", "types", lambda entry: _old_and_new(entry, "type"), False, False),
    ("Changed places of use", "places", lambda entry: _places(entry, both=True), False, False),
    ("Moved or renamed", "moved", lambda entry: _old_and_new(entry, "place", "name"), False, False),
    (
        "Places of use that only one side states", "told-places",
        lambda entry: _places(entry, both=False), False, True,
    ),
    ("Changed texts", "texts", _passages, False, True),
)
