"""The page of a comparison: standalone, or as a page of the newer release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from dconv.diff.compare import compare
from dconv.diff.entry_changes import NOT_STATED
from dconv.diff.manual_set import ManualSet
from dconv.diff.types import Comparison, Element, ElementDiff, Field, FieldChange, ReferenceState
from dconv.diff.word_diff import shortened, word_segments
from dconv.model.tree import USAGE_KINDS
from dconv.model.values import dataclass
from dconv.writers.pages.changes import Changes, Difference, Group, Segment
from dconv.writers.pages.filenames import CHANGES
from dconv.writers.pages.listings import Link
from dconv.writers.pages.overview import canonical_address, release_home, release_name
from dconv.writers.pages.page import Page, Release, SiteInfo
from dconv.writers.pages.versions import ProductVersions, ReleasePages, with_versions

Lines: TypeAlias = "tuple[tuple[Segment, ...], ...]"


@dataclass(frozen=True, slots=True)
class _Addresses:
    """The addresses of elements.

    `address_of` returns the address of an element, or an empty string; its second argument is true
    for elements of the old side.  `show_documents` is true if a section alone does not say in
    which document it is.
    """

    address_of: Callable[[Element, bool], str]
    show_documents: bool = False

    def section(self, element: Element) -> str:
        """Where `element` is, in short."""
        location = element.location
        return str(location) if self.show_documents else location.section


def report_page(comparison: Comparison, site: SiteInfo, path: str) -> Page:
    """A standalone page in the file `path`, without links to other pages."""
    title = f"{comparison.old} → {comparison.new}"
    return Page(
        kind="changes", path=path, root="", title=f"Changes: {title}", heading="Changes",
        description=f"What changes in meaning: {title}", site=site,
        changes=_changes(comparison, _Addresses(lambda element, old: "")),
    )


def release_comparison(older: Release, newer: Release, versions: ProductVersions) -> Comparison:
    """What changed from `older` to `newer`, in all documents; `versions` contains both."""
    before, after = versions.release(older.version), versions.release(newer.version)
    return compare(_manual_set(older, before), _manual_set(newer, after))


def changes_page(
    comparison: Comparison, older: Release, newer: Release, site: SiteInfo,
    versions: ProductVersions,
) -> Page:
    """The page of the `comparison` of `older` and `newer`; `versions` contains both.

    All documents are on it, since entries move from one to another.  Its links point to the pages
    of both releases.
    """
    before, after = versions.release(older.version), versions.release(newer.version)
    new_address, old_address = _page_of(after, ""), _page_of(before, f"../{older.version}/")
    home, name = release_home(newer, site), release_name(newer)
    path = home.path.removesuffix("index.html") + CHANGES
    has_several_documents = len(after.documents) > 1 or len(before.documents) > 1
    addresses = _Addresses(
        lambda element, old: (old_address if old else new_address)(element), has_several_documents
    )
    page = replace(
        home, kind="changes", path=path, release_card=None, heading="Changes",
        title=f"What {name} changes since {older.version}",
        description=f"What changes in meaning from {older.version} to {name}",
        breadcrumbs=(*home.breadcrumbs, Link(name, "index.html")),
        canonical=canonical_address(site, path),
        changes=_changes(comparison, addresses),
    )
    return with_versions(page, versions, newer.version)


def _manual_set(release: Release, pages: ReleasePages) -> ManualSet:
    manuals = tuple([document.manual for document in release.documents])
    return ManualSet(release.version, manuals, pages.outlines)


def _page_of(release: ReleasePages, folder: str) -> Callable[[Element], str]:
    """A function from an element of `release` to its address; its pages are in `folder`."""

    def address(element: Element) -> str:
        location = element.location
        pages = release.documents[location.document]
        if entry := pages.outline.entries.get(location.anchor):
            return f"{folder}{location.document}/{pages.address(entry)}"
        title = f"{location.number} {location.title}".strip()
        titles = [section.heading for section in pages.outline.sections]
        if (file := f"{location.anchor}.html") not in pages.section_files:  # no section
            # the text before all sections is on the document's home
            file = pages.section_files[titles.index(title)] if title in titles else "index.html"
        anchor = f"#{location.anchor}" if location.anchor else ""
        return f"{folder}{location.document}/{file}{anchor}"

    return address


def _changes(comparison: Comparison, addresses: _Addresses) -> Changes:
    groups = tuple([group for group in _groups(comparison, addresses) if group.rows])
    links = tuple(_summary_links(comparison, groups))
    return Changes(comparison.old, comparison.new, links, groups)


def _summary_links(comparison: Comparison, groups: Sequence[Group]) -> Iterator[Link]:
    """Three counts, each a link to the first group of what it counts."""
    deprecated = [
        entry for entry in comparison.entries_changed if _has_become(entry, "deprecated", True)
    ]
    discontinued = ("deprecated", "removed")
    others = [group.anchor for group in groups if group.anchor not in ("added", *discontinued)]
    for title, count, anchors in (
        ("added", len(comparison.entries_added), ("added",)),
        ("deprecated or removed", len(comparison.entries_removed) + len(deprecated), discontinued),
        ("changed", len(comparison.entries_changed), others),
    ):
        first = next((group.anchor for group in groups if count and group.anchor in anchors), "")
        yield Link(title, f"#-{first}" if first else "", count=count)


def _groups(comparison: Comparison, addresses: _Addresses) -> Iterator[Group]:
    yield Group("Added", "added", tuple([
        _row(entry, addresses, note=entry.summary) for entry in comparison.entries_added
    ]))
    yield from _status(comparison, addresses)
    for title, anchor, lines_of, code, folded in _ENTRY_GROUPS:
        rows = [
            _row(entry.new, addresses, lines=lines)
            for entry in comparison.entries_changed if (lines := lines_of(entry, comparison))
        ]
        yield Group(title, anchor, tuple(rows), code, folded)
    yield Group("Merged or split", "folded", tuple([
        _row(group.combined, addresses, not group.merged, note=(
            f"{'from' if group.merged else 'now'}"
            f" {', '.join([part.display_name for part in group.parts])}"
        ))
        for group in comparison.merges_and_splits
    ]))
    yield Group("Sections", "sections", tuple(_sections(comparison, addresses)))
    for title, state in _REFERENCE_GROUPS:
        yield Group(title, state, tuple([
            _row(change.element, addresses, note=f"“{change.text}”")
            for change in comparison.reference_changes if change.state == state
        ]))
    yield Group("Changed texts of sections", "section-texts", tuple([
        _row(section.new, addresses, lines=_passages(section))
        for section in comparison.sections_changed if section.text
    ]), folded=True)


_REFERENCE_GROUPS: tuple[tuple[str, ReferenceState], ...] = (
    ("Broken references", "broken"), ("Mended references", "mended"),
)


def _status(comparison: Comparison, addresses: _Addresses) -> Iterator[Group]:
    """Groups of entries that became, or are no longer, deprecated, removed or experimental."""
    for title, anchor, field, new_state in _STATUS_GROUPS:
        yield Group(title, anchor, tuple([
            _row(entry.new, addresses, note=entry.advice if anchor == "deprecated" else "")
            for entry in comparison.entries_changed if _has_become(entry, field, new_state)
        ]))
        if anchor == "deprecated":
            yield Group("Removed", "removed", tuple([
                _row(entry, addresses, True, note=entry.advice)
                for entry in comparison.entries_removed
            ]))


_STATUS_GROUPS: tuple[tuple[str, str, Field, bool], ...] = (
    ("Deprecated", "deprecated", "deprecated", True),
    ("No longer deprecated", "undeprecated", "deprecated", False),
    ("Experimental", "experimental", "experimental", True),
    ("No longer experimental", "stable", "experimental", False),
)


def _has_become(entry: ElementDiff, field: Field, new_state: bool) -> bool:
    return any(bool(change.new) == new_state for change in entry.changes_of(field))


def _row(
    element: Element, addresses: _Addresses, is_old: bool = False, note: str = "", lines: Lines = ()
) -> Difference:
    link = Link(element.display_name, addresses.address_of(element, is_old))
    return Difference(link, element.kind, addresses.section(element), note, lines, is_old)


def _sections(comparison: Comparison, addresses: _Addresses) -> Iterator[Difference]:
    for section in comparison.sections_added:
        yield _row(section, addresses, note=f"added: {section.location}")
    for section in comparison.sections_removed:
        yield _row(section, addresses, True, note=f"removed: {section.location}")
    for diff in comparison.sections_changed:
        if diff.changes:
            yield _row(diff.new, addresses, lines=_old_and_new(diff, "title", "number", "place"))


def _signatures(entry: ElementDiff, comparison: Comparison) -> Lines:
    """The old signature and the new one, below each other, each after the name of its side."""
    names = {"removed": comparison.old, "added": comparison.new}
    lines: list[tuple[Segment, ...]] = []
    for change in entry.changes_of("signature"):
        segments = word_segments(change.old, change.new)
        for side, name in names.items():
            line = [segment for segment in segments if segment.state in ("same", side)]
            is_changed = any(segment.state == side for segment in line)
            if is_changed or (line and change.old and change.new):
                lines.append((Segment("side", name), *line))
    return tuple(lines)


def _defaults(entry: ElementDiff, _: Comparison) -> Lines:
    return tuple([
        tuple(shortened(word_segments(change.old, change.new)))
        for change in entry.changes_of("default")
    ])


def _old_and_new(diff: ElementDiff, *fields: Field) -> Lines:
    """The complete old and new values of each change."""
    return tuple([_old_and_new_segments(change) for change in diff.changes_of(*fields)])


def _usage_changes(entry: ElementDiff, stated_by_both: bool) -> Lines:
    """Changed places of use that both sides state, or that only one side states."""
    return tuple([
        _old_and_new_segments(change) for change in entry.changes_of(*USAGE_KINDS)
        if (NOT_STATED not in (change.old, change.new)) == stated_by_both
    ])


def _old_and_new_segments(change: FieldChange) -> tuple[Segment, ...]:
    label = (Segment("same", f"{change.field}:"),) if change.field in USAGE_KINDS else ()
    old = (Segment("removed", change.old),) if change.old not in ("", NOT_STATED) else ()
    new = (Segment("added", change.new),) if change.new not in ("", NOT_STATED) else ()
    return (*label, *old, *new)


def _passages(diff: ElementDiff) -> Lines:
    return tuple([tuple(shortened(segments)) for segments in diff.text])


# groups of changed entries: title, anchor, lines, whether they are code, whether folded
_ENTRY_GROUPS: tuple[
    tuple[str, str, Callable[[ElementDiff, Comparison], Lines], bool, bool], ...
] = (
    ("Changed signatures", "signatures", _signatures, True, False),
    ("Changed defaults", "defaults", _defaults, False, False),
    (
        "Changed arguments", "arguments", lambda entry, _: _old_and_new(entry, "argument"),
        True, False,
    ),
    ("Changed types", "types", lambda entry, _: _old_and_new(entry, "type"), False, False),
    (
        "Changed places of use", "places",
        lambda entry, _: _usage_changes(entry, stated_by_both=True), False, False,
    ),
    (
        "Moved or renamed", "moved", lambda entry, _: _old_and_new(entry, "place", "name"),
        False, False,
    ),
    (
        "Places of use that only one side states", "stated-places",
        lambda entry, _: _usage_changes(entry, stated_by_both=False), False, True,
    ),
    ("Changed texts", "texts", lambda entry, _: _passages(entry), False, True),
)
