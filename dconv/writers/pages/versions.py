"""The links of each page to the other releases of its product.

    menu        the page in each other release, or the nearest place there
    row         the same for an entry, in its card; it has links only if those of the menu, with
                the entry's anchor, lead elsewhere
    banner      a notice on pages of a development, unmaintained or older release
    canonical   the page in the latest release
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from dconv.linking.counterparts import (
    DistinctKinds,
    ReleasePair,
    SectionMatch,
    containing_entry,
    distinct_kinds,
    matching_entry,
    matching_sections,
)
from dconv.linking.outline import EntryPlace, Outlines
from dconv.model.lifecycle import END_OF_LIFE, Lifetime
from dconv.model.values import dataclass
from dconv.writers.html.context import Availability
from dconv.writers.pages.documents import DocumentPages
from dconv.writers.pages.filenames import CHANGES
from dconv.writers.pages.listings import Change, Link, News
from dconv.writers.pages.overview import canonical_address
from dconv.writers.pages.page import Banner, BannerKind, Counterpart, Page

MAX_LINKS = 5  # names of added entries that the page shows, of deprecated and of removed ones
NOT_IN = "not in "  # in front of releases without the entry

# releases that a page links to: where there are more, the newest and those around its own
MAX_LISTED = 30

# what is in front of links, with its rank: first come counterparts of the entry's own kind, then
# of other kinds, then the nearest places
_RankedLabel: TypeAlias = tuple[int, str]
_EntryKey: TypeAlias = tuple[str, str, str, str]  # document, anchor, kind and name of an entry


@dataclass(frozen=True, slots=True)
class ReleasePages:
    """The pages of a release: its version, its lifetime, and its documents by name."""

    version: str
    lifetime: Lifetime
    documents: Mapping[str, DocumentPages]
    outlines: Outlines = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        outlines = {name: pages.outline for name, pages in self.documents.items()}
        object.__setattr__(self, "outlines", outlines)


@dataclass(slots=True)
class ProductVersions:
    """All releases of a product, newest first.

    Menus and the matches of sections and entries are cached while pages of one release are written.
    """

    product: str
    title: str
    releases: tuple[ReleasePages, ...]
    distinct_kinds: DistinctKinds = field(init=False)
    _positions: dict[str, int] = field(init=False)
    _current_version: str = field(default="", init=False)
    _sections: dict[tuple[str, str], tuple[SectionMatch, ...]] = field(
        default_factory=dict, init=False
    )
    _entries: dict[tuple[str, str], tuple[tuple[ReleasePages, EntryPlace | None], ...]] = field(
        default_factory=dict, init=False
    )
    _presence: dict[tuple[str, str], list[tuple[str, bool]]] = field(
        default_factory=dict, init=False
    )
    _menus: dict[str, tuple[Counterpart, ...]] = field(default_factory=dict, init=False)
    # the positions of the releases that have an entry: by its place, and by any of its names
    _releases_by_place: dict[_EntryKey, set[int]] = field(default_factory=dict, init=False)
    _releases_by_name: dict[str, set[int]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._positions = {release.version: index for index, release in enumerate(self.releases)}
        self.distinct_kinds = distinct_kinds(
            outline for release in self.releases for outline in release.outlines.values()
        )

    @property
    def latest(self) -> ReleasePages:
        """The newest release that is not a development version, else the newest."""
        released = (release for release in self.releases if release.lifetime.released)
        return next(released, self.releases[0])

    def release(self, version: str) -> ReleasePages:
        """The release `version`."""
        return self.releases[self._positions[version]]

    def older(self, current: ReleasePages) -> tuple[ReleasePages, ...]:
        """The releases before `current`, the newest first."""
        return self.releases[self._positions[current.version] + 1 :]

    def is_before(self, release: ReleasePages, other: ReleasePages) -> bool:
        """Whether `release` is older than `other`."""
        return self._positions[release.version] > self._positions[other.version]

    def previous(self, current: ReleasePages) -> ReleasePages | None:
        """The release that the page of changes of `current` compares with, or None."""
        older = self.older(current)
        # a document "changes" has the address that the page of changes would have
        has_changes_document = CHANGES.removesuffix(".html") in map(str.casefold, current.documents)
        return older[0] if older and not has_changes_document else None

    def listed(self, current: ReleasePages) -> tuple[ReleasePages, ...]:
        """The releases that pages of `current` link to: all, or `MAX_LISTED` of them."""
        if len(self.releases) <= MAX_LISTED:
            return self.releases
        half, index = MAX_LISTED // 2, self._positions[current.version]
        around = max(half, min(index - half // 2, len(self.releases) - half))
        return self.releases[:half] + self.releases[around : around + half]

    def pair(self, current: ReleasePages, other: ReleasePages) -> ReleasePair:
        """The releases `current` and `other`, to find counterparts."""
        return ReleasePair(current.outlines, other.outlines, self.distinct_kinds)

    def sections(
        self, current: ReleasePages, other: ReleasePages, document: str
    ) -> tuple[SectionMatch, ...]:
        """For each section of `document` in `current`, its counterpart in `other`."""
        self._drop_matches_of_others(current)
        key = (other.version, document)
        if key not in self._sections:
            self._sections[key] = matching_sections(document, self.pair(current, other))
        return self._sections[key]

    def entries(
        self, current: ReleasePages, document: str, anchor: str
    ) -> tuple[tuple[ReleasePages, EntryPlace | None], ...]:
        """Each listed release, with the place of the entry `anchor` of `document` in `current`."""
        self._drop_matches_of_others(current)
        key = (document, anchor)
        if key not in self._entries:
            present = dict(self.presence(current, document, anchor))
            self._entries[key] = tuple(
                (other, matching_entry(document, anchor, self.pair(current, other))
                 if present[other.version] else None)
                for other in self.listed(current)
            )
        return self._entries[key]

    def menu(self, current: ReleasePages, path: str) -> tuple[Counterpart, ...]:
        """The counterparts of the page `path` of `current` in each listed release."""
        self._drop_matches_of_others(current)
        if path not in self._menus:
            self._menus[path] = tuple([
                counterpart(path, current, other, self) for other in self.listed(current)
            ])
        return self._menus[path]

    def presence(self, current: ReleasePages, document: str, anchor: str) -> list[tuple[str, bool]]:
        """Each version, newest first, and whether it has the entry `anchor` of `document`."""
        self._drop_matches_of_others(current)
        key = (document, anchor)
        if key not in self._presence:
            present = self._releases_with(current, document, anchor)
            self._presence[key] = [
                (other.version, index in present) for index, other in enumerate(self.releases)
            ]
        return self._presence[key]

    def _releases_with(self, current: ReleasePages, document: str, anchor: str) -> set[int]:
        """The positions of the releases that have the entry `anchor` of `document` in `current`.

        Only those that have an entry of its name are compared: of hundreds of releases, others
        would cost as much as all pages.
        """
        if not self._releases_by_place:
            self._index_entries()
        entry = current.outlines[document].entries[anchor]
        at_same_place = self._releases_by_place[document, anchor, entry.kind, entry.name]
        with_name = {index for name in entry.names for index in self._releases_by_name[name]}
        return at_same_place.union([
            index for index in with_name - at_same_place
            if matching_entry(document, anchor, self.pair(current, self.releases[index]))
        ])

    def _index_entries(self) -> None:
        """Note which releases have which entries."""
        for index, release in enumerate(self.releases):
            for document, outline in release.outlines.items():
                for anchor, entry in outline.entries.items():
                    key = (document, anchor, entry.kind, entry.name)
                    self._releases_by_place.setdefault(key, set()).add(index)
                for name in outline.by_name:
                    self._releases_by_name.setdefault(name, set()).add(index)

    def _drop_matches_of_others(self, current: ReleasePages) -> None:
        """Drop the cached matches of any release but `current`."""
        if self._current_version != current.version:
            self._sections.clear()
            self._entries.clear()
            self._presence.clear()
            self._menus.clear()
            self._current_version = current.version


# --- pages ----------------------------------------------------------------------------


def with_versions(page: Page, versions: ProductVersions | None, version: str) -> Page:
    """`page` of the release `version` with its links to other releases."""
    if versions is None or len(versions.releases) < 2:
        return page
    current = versions.release(version)
    folder = f"{versions.product}/{version}/"
    path = page.path.removeprefix(folder)
    to_product = "../" * path.count("/") + "../"
    links = tuple(_relative(link, to_product) for link in versions.menu(current, path))
    in_latest = counterpart(path, current, versions.latest, versions)
    latest = _relative(in_latest, to_product)
    canonical = page.canonical
    if latest.exact and current is not versions.latest:
        address = canonical_address(page.site, f"{versions.product}/{in_latest.href}")
        canonical = address or latest.href
    changes_link = None
    if path != CHANGES and page.site.changes and (previous := versions.previous(current)):
        to_release = "../" * path.count("/")
        changes_link = Link(f"What changed since {previous.version}", to_release + CHANGES)
    return replace(
        page, versions=links, all_versions=f"{to_product}index.html",
        banner=_banner(current, latest, versions), canonical=canonical,
        news=_news(path.partition("/")[0], current, page, versions),
        changes_link=changes_link,
    )


def _news(
    document: str, current: ReleasePages, page: Page, versions: ProductVersions
) -> News | None:
    """What is new in `document`, for its home."""
    changes = document_news(document, current, versions) if page.kind == "manual" else None
    previous = versions.previous(current)
    if changes and page.site.changes and previous and changes.version == previous.version:
        return replace(changes, all=Link("All changes", f"../{CHANGES}"))
    return changes


def document_news(document: str, current: ReleasePages, versions: ProductVersions) -> News | None:
    """What is new in `document` of `current` since the nearest older release that has it."""
    older_release = next(
        (release for release in versions.older(current) if document in release.documents), None
    )
    if older_release is None:
        return None
    return _news_of_document(
        current.documents[document], older_release.documents[document],
        versions.pair(current, older_release), older_release.version,
    )


def _news_of_document(
    pages: DocumentPages, older_pages: DocumentPages, pair: ReleasePair, version: str
) -> News | None:
    """What is new in the document of `pages`, compared with `older_pages` of release `version`.

    An entry that was part of another ("http-request deny" of "http-request") is not new, nor is
    one that was split into parts, moved or changed its kind.  Returns None if nothing is new, as
    for documents without entries.
    """
    document = pages.outline.document
    deprecated = [
        anchor for anchor, entry in pages.outline.entries.items()
        if entry.deprecated
        and (counterpart := matching_entry(document, anchor, pair))
        and not counterpart.entry.deprecated
    ]
    added = _missing_entries(document, pair)
    removed = _missing_entries(document, pair.swapped())
    if not (added or deprecated or removed):
        return None
    return News(
        version, _change(added, pages, ""), _change(deprecated, pages, ""),
        _change(removed, older_pages, f"../../{version}/{document}/"),
    )


def _missing_entries(document: str, pair: ReleasePair) -> list[str]:
    """The entries of `document` that are nowhere in the other release, each name once."""
    prefixes = {
        " ".join(words[:length])
        for words in map(str.split, pair.other[document].by_name)
        for length in range(1, len(words))
    }
    absent: dict[tuple[str, str], str] = {}
    for anchor, entry in pair.current[document].entries.items():
        if not (
            entry.name in prefixes
            or matching_entry(document, anchor, pair)
            or containing_entry(document, anchor, pair)
        ):
            absent.setdefault((entry.kind, entry.name), anchor)
    return list(absent.values())


def _change(anchors: list[str], pages: DocumentPages, folder: str) -> Change:
    """The entries `anchors` of a document, whose pages are in `folder`."""
    outline = pages.outline
    listed = [outline.entries[anchor] for anchor in anchors[:MAX_LINKS]]
    return Change(len(anchors), tuple([
        Link(
            entry.name, f"{folder}{pages.address(entry)}",
            outline.sections[entry.section_index].number,
        )
        for entry in listed
    ]))


def _relative(link: Counterpart, to_product: str) -> Counterpart:
    """`link` relative to a page; `to_product` is the path from there to the product's folder."""
    return replace(link, href=f"{to_product}{link.href}" if link.href else "")


def counterpart(
    path: str, current: ReleasePages, other: ReleasePages, versions: ProductVersions
) -> Counterpart:
    """The counterpart in `other` of the page `path` of `current`.

    Its address is below the product's folder.
    """
    folder = f"{other.version}/"
    same = Counterpart(
        other.version, folder + path, other.lifetime.status, True, "", other is current
    )
    if other is current or path == "index.html":
        return same
    if path == CHANGES and versions.previous(current):
        if versions.previous(other):
            return same
        return replace(same, href=f"{folder}index.html", exact=False, nearest="all documents")
    document, _, file = path.partition("/")
    document = document if file else path.removesuffix(".html")
    other_document = other.documents.get(document)
    if other_document and (not file or file == "index.html" or file in other_document.index_files):
        return same
    files = current.documents[document].section_files
    if file not in files:
        title = "contents" if other_document else "all documents"
        home = f"{document}/index.html" if other_document else "index.html"
        return replace(same, href=f"{folder}{home}", exact=False, nearest=title)
    match = versions.sections(current, other, document)[files.index(file)]
    href, title = _section(other, match)
    return replace(same, href=href, exact=match.exact, nearest="" if match.exact else title)


def _section(other: ReleasePages, match: SectionMatch) -> tuple[str, str]:
    """The address of a section, below the product's folder, and its title.

    Without a section it is the document's home, without a document that of the release.
    """
    if not match.document:
        return f"{other.version}/index.html", "all documents"
    folder = f"{other.version}/{match.document}/"
    if match.section_index < 0:
        return f"{folder}index.html", "contents"
    pages = other.documents[match.document]
    section = pages.outline.sections[match.section_index]
    return f"{folder}{pages.section_files[match.section_index]}", section.heading


def _banner(current: ReleasePages, latest: Counterpart, versions: ProductVersions) -> Banner | None:
    """The note above the text; None on pages of the latest release."""
    if current.version == latest.version:
        return None
    is_newer = versions.is_before(versions.latest, current)
    kind: BannerKind = "newer" if is_newer else "older"
    if not current.lifetime.released:
        kind = "development"
    elif current.lifetime.status == END_OF_LIFE:
        kind = "unmaintained"
    return Banner(kind, current.version, current.lifetime.end, latest)


# --- entries --------------------------------------------------------------------------


def availability(
    path: str, version: str, versions: ProductVersions | None
) -> Callable[[str], Availability | None]:
    """A function from the anchor of an entry to the releases that have it.

    The entry is on the page `path`, below the folder of the release `version`.
    """
    if versions is None or len(versions.releases) < 2:
        return lambda anchor: None
    current = versions.release(version)
    document = path.partition("/")[0]
    page_addresses = {link.version: link.href for link in versions.menu(current, path)}
    to_product = "../" * path.count("/") + "../"

    def entry_availability(anchor: str) -> Availability | None:
        if not (summary := presence(document, anchor, version, versions)):
            return None
        matches = versions.entries(current, document, anchor)
        links_by_label = _links_by_label(
            matches, anchor, document, current, versions, page_addresses
        )
        return Availability(summary, tuple(
            (label, tuple((other_version, to_product + href) for other_version, href in links))
            for (_, label), links in sorted(links_by_label.items())
        ))

    return entry_availability


def _links_by_label(
    matches: Sequence[tuple[ReleasePages, EntryPlace | None]], anchor: str,
    document: str, current: ReleasePages, versions: ProductVersions,
    page_addresses: Mapping[str, str],
) -> dict[_RankedLabel, list[tuple[str, str]]]:
    """The links in an entry's row by their ranks and labels: versions and addresses.

    There are none if the menu of versions has the same: each counterpart is at the entry's anchor
    of the page that `page_addresses` has for its version, and no version of the row is missing in
    the menu.  Addresses are below the product's folder.
    """
    kind = current.outlines[document].entries[anchor].kind
    links_by_label: dict[_RankedLabel, list[tuple[str, str]]] = {}
    differs_from_menu = False
    for other, counterpart_place in matches:
        if other is current:
            continue
        if counterpart_place is None:
            rank, label, href = _nearest_place(anchor, document, current, other, versions)
        else:
            other_kind = counterpart_place.entry.kind
            rank, label = (0, "") if other_kind == kind else (1, f"as {other_kind}: ")
            href = _address(other, counterpart_place)
        menu_href = page_addresses[other.version] + (f"#{anchor}" if counterpart_place else "")
        if label not in ("", NOT_IN) or href != menu_href or (
            not counterpart_place and len(matches) < len(versions.releases)
        ):
            differs_from_menu = True
        links_by_label.setdefault((rank, label), []).append((other.version, href))
    return links_by_label if differs_from_menu else {}


def _address(other: ReleasePages, place: EntryPlace) -> str:
    """The address of the entry at `place` of `other`, below the product's folder."""
    address = other.documents[place.document].address(place.entry, place.anchor)
    return f"{other.version}/{place.document}/{address}"


def _nearest_place(
    anchor: str, document: str, current: ReleasePages, other: ReleasePages,
    versions: ProductVersions,
) -> tuple[int, str, str]:
    """The rank, the label and the address of the nearest place for an entry missing in `other`."""
    if container := containing_entry(document, anchor, versions.pair(current, other)):
        name, place = container
        return 2, f"not by itself, but under {name}: ", _address(other, place)
    section = current.outlines[document].entries[anchor].section_index
    return 3, NOT_IN, _section(other, versions.sections(current, other, document)[section])[0]


def presence(document: str, anchor: str, version: str, versions: ProductVersions | None) -> str:
    """Which releases have the entry `anchor` of `document` of the release `version`, in words.

    It is empty if there is one release, or no such entry.
    """
    if versions is None or len(versions.releases) < 2:
        return ""
    current = versions.release(version)
    outline = current.outlines.get(document)
    if outline is None or anchor not in outline.entries:
        return ""
    return presence_words(versions.presence(current, document, anchor))


def presence_words(versions: Sequence[tuple[str, bool]]) -> str:
    """Which `versions`, newest first, have an entry: `in 2.2 and later, not in 2.6`.

    A site knows its own releases only, so it never says when an entry was introduced.
    The menu of versions reads these words: `lacksVersion` in reader-tools.js.
    """
    names = [name for name, _ in versions]
    present = [index for index, (_, is_there) in enumerate(versions) if is_there]
    newest, oldest = present[0], present[-1]
    gaps = [name for name, is_there in versions[newest:oldest] if not is_there]
    exceptions = f", not in {', '.join(gaps)}" if gaps else ""
    if newest == 0 and oldest == len(names) - 1:
        all_of_them = "both" if len(names) == 2 else f"all {len(names)}"
        return f"in all versions but {', '.join(gaps)}" if gaps else f"in {all_of_them} versions"
    if newest == oldest:
        return f"in {names[newest]} only"
    if newest == 0:
        return f"in {names[oldest]} and later{exceptions}"
    if oldest == len(names) - 1:
        return f"in {names[newest]} and earlier{exceptions}"
    return f"in {names[oldest]} to {names[newest]}{exceptions}"
