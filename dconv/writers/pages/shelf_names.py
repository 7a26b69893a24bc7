"""The names of all packages of a shelf from A to Z: one page, or if they are many one a letter.

    names/index.html   all names, or the letters
    names/m.html       the names that begin with M, `--metadata` among them
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from posixpath import basename, dirname

from dconv.model.anchors import slug
from dconv.model.file_names import unique_name
from dconv.writers.pages.addresses import relative_path
from dconv.writers.pages.indexes import DIGITS, SYMBOLS, letter_of, sort_key
from dconv.writers.pages.listings import LetterGroup, Link, NamePlace, NameRow, NamesPage
from dconv.writers.pages.overview import canonical_address, root_of, site_link
from dconv.writers.pages.page import Page, SiteInfo
from dconv.writers.pages.shelf import ALL_PACKAGE_NAMES_FILE, ShelfName, all_names, search_scope

NAMES_HEADING = "All names from A to Z"
MAX_NAMES = 1500  # names of a shelf that are on one page


def name_pages(names: Iterable[ShelfName], site: SiteInfo) -> Iterator[Page]:
    """The pages of all `names` of a shelf, each place once."""
    letters: dict[str, dict[str, list[ShelfName]]] = {}
    for name in names:
        letters.setdefault(letter_of(name.name), {}).setdefault(name.name, []).append(name)
    titles = sorted(letters, key=lambda title: (title == SYMBOLS, title != DIGITS, title))
    counts = {title: len(letters[title]) for title in titles}
    is_divided = sum(counts.values()) > MAX_NAMES
    links = tuple(
        Link(title, f"{letter_file(title)}.html" if is_divided else f"#{_letter_id(title)}",
             count=counts[title])
        for title in titles
    )
    used_ids: set[str] = set()
    groups = tuple(
        _letter(title, letters[title], used_ids) for title in titles if not is_divided
    )
    yield _names_page(ALL_PACKAGE_NAMES_FILE, NAMES_HEADING, links, groups, site)
    for title in titles if is_divided else ():
        yield _names_page(
            f"{dirname(ALL_PACKAGE_NAMES_FILE)}/{letter_file(title)}.html", f"Names: {title}",
            tuple(replace(link, current=link.title == title) for link in links),
            (_letter(title, letters[title], set()),), site,
        )


def _names_page(
    path: str, heading: str, links: tuple[Link, ...], letters: tuple[LetterGroup[NameRow], ...],
    site: SiteInfo,
) -> Page:
    places = [place for letter in letters for row in letter.rows for place in row.places]
    kinds, packages = {place.kind for place in places}, {place.package for place in places}
    return Page(
        kind="names", path=path, root=root_of(path), title=f"{heading} - {site.title}",
        heading=heading, description=f"{heading}, with kind, document and summary", site=site,
        breadcrumbs=(
            site_link(site, path),
            *(
                [Link(NAMES_HEADING, basename(ALL_PACKAGE_NAMES_FILE))]
                if path != ALL_PACKAGE_NAMES_FILE else []
            ),
        ),
        index=all_names(path),
        canonical=canonical_address(site, path), search=search_scope(path, site),
        names=NamesPage(links, letters, tuple(sorted(kinds - {""})), tuple(sorted(packages))),
    )


def _letter(
    title: str, names: Mapping[str, Sequence[ShelfName]], used_ids: set[str]
) -> LetterGroup[NameRow]:
    rows = tuple(
        NameRow(
            name, unique_name(slug(name).lstrip("-") or "name", used_ids),
            tuple(map(_name_place, _distinct(names[name]))),
        )
        for name in sorted(names, key=lambda name: (sort_key(name), name))
    )
    return LetterGroup(title, _letter_id(title), rows)


def _distinct(names: Iterable[ShelfName]) -> Iterable[ShelfName]:
    """Of names that are the same the first of each document and kind."""
    first: dict[tuple[str, str], ShelfName] = {}
    for name in names:
        first.setdefault((name.document.path, name.kind), name)
    return first.values()


def _name_place(name: ShelfName) -> NamePlace:
    document, fragment = name.document, f"#{name.anchor}" if name.anchor else ""
    file = document.files.get(name.anchor)
    page = f"{dirname(document.path)}/{file}" if file else document.path
    href = f"{relative_path(page, dirname(ALL_PACKAGE_NAMES_FILE))}{fragment}"
    return NamePlace(
        Link(document.title, href), name.kind, document.package, name.summary, name.deprecated,
        name.other_names,
    )


def letter_file(title: str) -> str:
    """The name of `title` in addresses: "a", "digits", "signs"."""
    return {DIGITS: "digits", SYMBOLS: "signs"}.get(title, title.lower())


def _letter_id(title: str) -> str:
    return f"-letter-{letter_file(title)}"
