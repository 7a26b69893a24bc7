"""The releases of a product beside each other: every page knows itself in the others.

    switch      the page in each other release, or the nearest that there is
    row         the same for an entry, in its card; links only where it is elsewhere than
                the switch, with its anchor behind, leads to
    banner      what a reader of a development, an ended or an older release must know
    canonical   the page in the latest release
    latest/     pages that lead on to the latest release, for links that outlive it
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dconv.linking.catalogue import Catalogues, EntryPlace
from dconv.linking.counterparts import (
    DistinctKinds,
    ReleasePair,
    SectionMatch,
    containing_entry,
    distinct_kinds,
    matching_entry,
    matching_sections,
)
from dconv.model.lifecycle import OVER, Lifetime
from dconv.writers.html.context import Availability
from dconv.writers.pages.documents import DocumentPages
from dconv.writers.pages.filenames import CHANGES
from dconv.writers.pages.listings import Link, News
from dconv.writers.pages.news import news
from dconv.writers.pages.overview import canonical_address
from dconv.writers.pages.page import Banner, BannerKind, Counterpart, Page

NOT_IN = "not in "  # before releases that have not even a part of an entry


@dataclass(frozen=True, slots=True)
class Volume:
    """One release: its version, its lifetime, and its documents by name."""

    version: str
    lifetime: Lifetime
    documents: Mapping[str, DocumentPages]
    catalogues: Catalogues = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        catalogues = {name: pages.catalogue for name, pages in self.documents.items()}
        object.__setattr__(self, "catalogues", catalogues)


@dataclass(slots=True)
class Versions:
    """All releases of a product, newest first.

    The matches of sections and entries are cached while pages of one release are written.
    """

    product: str
    title: str
    volumes: tuple[Volume, ...]
    distinct: DistinctKinds = field(init=False)
    _here: str = field(default="", init=False)
    _sections: dict[tuple[str, str], tuple[SectionMatch, ...]] = field(
        default_factory=dict, init=False
    )
    _entries: dict[tuple[str, str], tuple[tuple[Volume, EntryPlace | None], ...]] = field(
        default_factory=dict, init=False
    )

    def __post_init__(self) -> None:
        self.distinct = distinct_kinds(
            catalogue for volume in self.volumes for catalogue in volume.catalogues.values()
        )

    @property
    def latest(self) -> Volume:
        """The newest release that is no development version, else the newest."""
        released = (volume for volume in self.volumes if volume.lifetime.released)
        return next(released, self.volumes[0])

    def volume(self, version: str) -> Volume:
        """The release `version`."""
        return next(volume for volume in self.volumes if volume.version == version)

    def before(self, here: Volume) -> Volume | None:
        """The release that the page of changes of `here` compares with, or None."""
        older = self.volumes[self.volumes.index(here) + 1 :]
        taken = CHANGES.removesuffix(".html") in map(str.casefold, here.documents)
        return older[0] if older and not taken else None

    def pair(self, here: Volume, other: Volume) -> ReleasePair:
        """The releases `here` and `other`, to find counterparts."""
        return ReleasePair(here.catalogues, other.catalogues, self.distinct)

    def sections(self, here: Volume, other: Volume, document: str) -> tuple[SectionMatch, ...]:
        """For each section of `document` in `here`, its counterpart in `other`."""
        self._begin(here)
        key = (other.version, document)
        if key not in self._sections:
            self._sections[key] = matching_sections(document, self.pair(here, other))
        return self._sections[key]

    def entries(
        self, here: Volume, document: str, anchor: str
    ) -> tuple[tuple[Volume, EntryPlace | None], ...]:
        """Each release with the place in it of the entry `anchor` of `document` in `here`."""
        self._begin(here)
        key = (document, anchor)
        if key not in self._entries:
            self._entries[key] = tuple(
                (other, matching_entry(document, anchor, self.pair(here, other)))
                for other in self.volumes
            )
        return self._entries[key]

    def _begin(self, here: Volume) -> None:
        """Forget the matches of any release but `here`."""
        if self._here != here.version:
            self._sections.clear()
            self._entries.clear()
            self._here = here.version


# --- pages ----------------------------------------------------------------------------


def with_versions(page: Page, versions: Versions | None, version: str) -> Page:
    """`page` of the release `version` with all that its frame says of other releases."""
    if versions is None or len(versions.volumes) < 2:
        return page
    here = versions.volume(version)
    own = f"{versions.product}/{version}/"
    path = page.path.removeprefix(own)
    found = tuple(counterpart(path, here, other, versions) for other in versions.volumes)
    up = "../" * path.count("/") + "../"
    relative = tuple(_from(one, up) for one in found)
    latest = next(
        one for one in relative if one.version == versions.latest.version
    )
    return replace(
        page,
        versions=relative,
        every_version=f"{up}index.html",
        banner=_banner(here, latest, versions),
        canonical=_canonical(page, latest, versions, path, here),
        news=_news(path.partition("/")[0], here, page, versions),
        older=_older(here, page, versions),
    )


def _news(document: str, here: Volume, page: Page, versions: Versions) -> News | None:
    """What is new in `document`, against the nearest older release that has it."""
    older = versions.volumes[versions.volumes.index(here) + 1 :]
    there = next((volume for volume in older if document in volume.documents), None)
    if there is None or page.kind != "manual":
        return None
    changes = news(
        here.documents[document], there.documents[document], versions.pair(here, there),
        there.version,
    )
    if changes and page.edition.changes and there is versions.before(here):
        return replace(changes, all=Link("All changes", f"../{CHANGES}"))
    return changes


def _older(here: Volume, page: Page, versions: Versions) -> Link | None:
    """The page of what the release changed, for its home."""
    there = versions.before(here)
    if there is None or page.kind != "release" or not page.edition.changes:
        return None
    return Link(f"What changed since {there.version}", CHANGES)


def _from(found: Counterpart, up: str) -> Counterpart:
    """`found`, whose address is below the product's folder, as seen from a page."""
    return replace(found, href=f"{up}{found.href}" if found.href else "")


def counterpart(path: str, here: Volume, other: Volume, versions: Versions) -> Counterpart:
    """What the page `path` of `here` is in `other`; its address is below the product's."""
    folder = f"{other.version}/"
    one = Counterpart(
        other.version, folder + path, other.lifetime.status, True, "", other is here
    )
    if other is here or path == "index.html":
        return one
    if path == CHANGES and versions.before(here):
        if versions.before(other):
            return one
        return replace(one, href=f"{folder}index.html", exact=False, place="all documents")
    document, _, file = path.partition("/")
    document = document if file else path.removesuffix(".html")
    theirs = other.documents.get(document)
    if theirs and (not file or file == "index.html" or file in theirs.index_files):
        return one
    files = here.documents[document].section_files
    if file not in files:
        place = "contents" if theirs else "all documents"
        home = f"{document}/index.html" if theirs else "index.html"
        return replace(one, href=f"{folder}{home}", exact=False, place=place)
    match = versions.sections(here, other, document)[files.index(file)]
    href, place = _section(other, match)
    return replace(one, href=href, exact=match.exact, place="" if match.exact else place)


def _section(other: Volume, match: SectionMatch) -> tuple[str, str]:
    """The address of a section, below the product's folder, with its title.

    It is the document's home for -1, that of the release where there is no document.
    """
    if not match.document:
        return f"{other.version}/index.html", "all documents"
    folder = f"{other.version}/{match.document}/"
    if match.section < 0:
        return f"{folder}index.html", "contents"
    pages = other.documents[match.document]
    section = pages.catalogue.sections[match.section]
    return f"{folder}{pages.section_files[match.section]}", section.shown


def _banner(here: Volume, latest: Counterpart, versions: Versions) -> Banner | None:
    """What to say above the text; nothing where it is the latest release's."""
    if here.version == latest.version:
        return None
    order = [volume.version for volume in versions.volumes]
    newer = order.index(here.version) < order.index(latest.version)
    kind: BannerKind = "newer" if newer else "older"
    if not here.lifetime.released:
        kind = "development"
    elif here.lifetime.status == OVER:
        kind = "over"
    return Banner(kind, here.version, here.lifetime.end, latest)


def _canonical(
    page: Page, latest: Counterpart, versions: Versions, path: str, here: Volume
) -> str:
    """The address of the page in the latest release where it is there, else its own."""
    if not latest.exact or here is versions.latest:
        return page.canonical
    found = counterpart(path, here, versions.latest, versions)
    address = f"{versions.product}/{found.href}"
    return canonical_address(page.edition, address) or latest.href


# --- entries --------------------------------------------------------------------------


def availability(
    path: str, version: str, versions: Versions | None
) -> Callable[[str], Availability | None]:
    """What returns, for the anchor of an entry on the page `path` of `version`, its releases.

    `path` is below the folder of the release.
    """
    if versions is None or len(versions.volumes) < 2:
        return lambda anchor: None
    here = versions.volume(version)
    document = path.partition("/")[0]
    catalogue = here.catalogues.get(document)
    pages = {
        other.version: counterpart(path, here, other, versions).href for other in versions.volumes
    }
    up = "../" * path.count("/") + "../"

    def entry_availability(anchor: str) -> Availability | None:
        if catalogue is None or anchor not in catalogue.entries:
            return None
        matches = versions.entries(here, document, anchor)
        summary = presence([(other.version, place is not None) for other, place in matches])
        lines = _lines(matches, anchor, document, here, versions, pages)
        return Availability(summary, tuple(
            (label, tuple((name, up + href) for name, href in places))
            for (_, label), places in sorted(lines.items())
        ))

    return entry_availability


def _lines(
    found: Sequence[tuple[Volume, EntryPlace | None]], anchor: str,
    document: str, here: Volume, versions: Versions, pages: Mapping[str, str],
) -> dict[tuple[int, str], list[tuple[str, str]]]:
    """An entry's counterparts, or nothing where they are all where `pages` lead to.

    First those of its own kind, then of others, then what is nearest in other releases:
    by rank and label, each with its version and its address below the product's folder.
    """
    kind = here.catalogues[document].entries[anchor].kind
    lines: dict[tuple[int, str], list[tuple[str, str]]] = {}
    differs = False
    for other, there in found:
        if other is here:
            continue
        if there is None:
            label, href = _nearest(anchor, document, here, other, versions)
        else:
            there_kind = there.entry.kind
            label = (0, "") if there_kind == kind else (1, f"as {there_kind}: ")
            href = _address(other, there)
        same = pages[other.version] + (f"#{anchor}" if there else "")
        differs = differs or label[1] not in ("", NOT_IN) or href != same
        lines.setdefault(label, []).append((other.version, href))
    return lines if differs else {}


def _address(other: Volume, place: EntryPlace) -> str:
    """Where the entry `place` of `other` is, below the product's folder."""
    address = other.documents[place.document].address(place.entry, place.anchor)
    return f"{other.version}/{place.document}/{address}"


def _nearest(
    anchor: str, document: str, here: Volume, other: Volume, versions: Versions
) -> tuple[tuple[int, str], str]:
    """What is nearest to an entry that `other` has not, with its label and its rank."""
    if container := containing_entry(document, anchor, versions.pair(here, other)):
        name, place = container
        return (2, f"not by itself, but under {name}: "), _address(other, place)
    section = here.catalogues[document].entries[anchor].section
    return (3, NOT_IN), _section(other, versions.sections(here, other, document)[section])[0]


def presence(found: Sequence[tuple[str, bool]]) -> str:
    """In which versions, newest first, an entry was found: `in 2.2 and later, not in 2.6`.

    Only releases of the site are spoken of, so nothing is said of when it came.
    The menu of versions reads these words: `lacks` in reader-tools.js.
    """
    names = [name for name, _ in found]
    present = [at for at, (_, is_there) in enumerate(found) if is_there]
    newest, oldest = present[0], present[-1]
    gaps = [name for name, is_there in found[newest:oldest] if not is_there]
    but = f", not in {', '.join(gaps)}" if gaps else ""
    if newest == 0 and oldest == len(names) - 1:
        every = "both" if len(names) == 2 else f"all {len(names)}"
        return f"in all versions but {', '.join(gaps)}" if gaps else f"in {every} versions"
    if newest == oldest:
        return f"in {names[newest]} only"
    if newest == 0:
        return f"in {names[oldest]} and later{but}"
    if oldest == len(names) - 1:
        return f"in {names[newest]} and earlier{but}"
    return f"in {names[oldest]} to {names[newest]}{but}"
