"""The indexes of a manual: all names from A to Z, and one page for each kind.

    keywords.html             every name, `option httplog` also below H
    index-bind-option.html    the names of one kind

They need no script: a name points to its place, and `keywords.html#timeout-client` to the first
line of that name, below which its other places are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from dconv.model.anchors import slug
from dconv.model.file_names import unique_name
from dconv.model.tree import Manual, Table, sections
from dconv.model.values import dataclass
from dconv.writers.html.escape import attribute, text
from dconv.writers.html.marks import DATA_ADDED
from dconv.writers.pages.filenames import ALL_NAMES, ALL_NAMES_TITLE, UNSAFE
from dconv.writers.pages.listings import IndexRow, LetterGroup, Link
from dconv.writers.pages.names import DefinedName
from dconv.writers.pages.overview import canonical_address
from dconv.writers.pages.page import Page

OPTION = "option "
DIGITS, SYMBOLS = "0–9", "#"  # the groups of names that begin with no letter
LAST = "\uffff"  # sorts names of symbols alone after all others
MAX_MATRICES = 3  # that the home of a manual points to
# marks before the letter that a name is sorted by: "%ci", "-db", ".if"
MARKS = re.compile(r"[^0-9A-Za-z]+")


@dataclass(frozen=True, slots=True)
class KindIndex:
    """The index of one kind: the stem of its file, and how many names it has."""

    kind: str
    stem: str
    count: int


@dataclass(frozen=True, slots=True)
class Indexes:
    """What the indexes of a manual hold; `matrices` has the index of each section with one."""

    names: tuple[DefinedName, ...]
    kinds: tuple[KindIndex, ...]
    matrices: tuple[int, ...]

    def stems(self) -> set[str]:
        """The stems of the files, which no section's page may have."""
        return {ALL_NAMES, *(index.stem for index in self.kinds)} if self.names else set()


def planned_indexes(manual: Manual, names: tuple[DefinedName, ...]) -> Indexes:
    """What the indexes of `manual`, which defines `names`, will hold."""
    counts = Counter(name.kind for name in names if name.kind)
    used: set[str] = set()
    kinds: list[KindIndex] = []
    for kind in sorted(counts, key=lambda kind: (kind.casefold(), kind)):
        word = UNSAFE.sub("-", slug(kind).casefold()).strip("-.") or "other"
        kinds.append(KindIndex(kind, unique_name(f"index-{word}", used), counts[kind]))
    matrices = tuple(
        index for index, section in enumerate(sections(manual))
        if any(isinstance(block, Table) and block.role == "matrix" for block in section.body)
    )
    return Indexes(names, tuple(kinds), matrices)


def links(indexes: Indexes, current: str = "") -> tuple[Link, ...]:
    """Links to all indexes, that of all names first; `current` is the stem of the page."""
    if not indexes.names:
        return ()
    all_names = Link(
        ALL_NAMES_TITLE, f"{ALL_NAMES}.html", count=len(indexes.names),
        current=current == ALL_NAMES,
    )
    kinds = (
        Link(
            _title(index.kind), f"{index.stem}.html", count=index.count,
            current=index.stem == current,
        )
        for index in indexes.kinds
    )
    return (all_names, *kinds)


def home_navigation(
    indexes: Indexes, section_links: Sequence[Link], single_page: Link | None
) -> str:
    """Links from the home of a manual to its indexes, matrices and `single_page`, as HTML.

    `section_links` point to its sections; the result is empty if the manual defines no names.
    """
    if not indexes.names:
        return ""
    all_names, *kinds = links(indexes)
    list_items = [_entry_point(all_names.href, f"{all_names.title}: all {all_names.count:,} names")]
    matrices = [section_links[index] for index in indexes.matrices[:MAX_MATRICES]]
    list_items += [_entry_point(link.href, link.title) for link in matrices]
    list_items += [_entry_point(single_page.href, single_page.title)] if single_page else []
    kind_items = "".join(
        f'<li><a href="{attribute(kind.href)}">{text(kind.title)}</a>'
        f' <small class="count">{kind.count}</small></li>\n'
        for kind in kinds
    )
    more = f"<details>\n<summary>Names by kind</summary>\n<ul>\n{kind_items}</ul>\n</details>\n"
    return (
        f'<nav class="entry-points" aria-label="Overviews"{DATA_ADDED}>\n<ul>\n'
        f"{''.join(list_items)}</ul>\n{more if kinds else ''}</nav>\n"
    )


def _entry_point(href: str, title: str) -> str:
    return f'<li><a href="{attribute(href)}">{text(title)}</a></li>\n'


def index_pages(indexes: Indexes, base_page: Page, section_links: Sequence[Link]) -> Iterator[Page]:
    """The pages of `indexes` of a manual with the home `base_page` and `section_links`."""
    if not indexes.names:
        return
    rows = sorted(_rows(indexes.names, section_links), key=_sort_key)
    heading = f"{base_page.document}: all names from A to Z"
    yield _page(ALL_NAMES, heading, rows, base_page, indexes)
    by_kind: dict[str, list[IndexRow]] = {}
    for row in rows:
        if not row.full_name:
            by_kind.setdefault(row.kind, []).append(row)
    for index in indexes.kinds:
        title = f"{_title(index.kind)}: all names"
        yield _page(index.stem, title, by_kind[index.kind], base_page, indexes)


def _page(
    stem: str, heading: str, rows: Iterable[IndexRow], base_page: Page, indexes: Indexes
) -> Page:
    path = f"{base_page.path.removesuffix('index.html')}{stem}.html"
    home = (base_page.home,) if base_page.home else ()
    return replace(
        base_page, kind="index", path=path, title=f"{heading} - {base_page.title}", heading=heading,
        description=f"{heading}, with kind, section and summary", proof=None,
        breadcrumbs=(*base_page.breadcrumbs, *home), indexes=links(indexes, stem),
        letters=tuple(_letter_groups(_with_anchors(rows))),
        canonical=canonical_address(base_page.site, path),
    )


def _rows(names: Iterable[DefinedName], section_links: Sequence[Link]) -> Iterator[IndexRow]:
    """A line for each name, and another where it is also known without `option`."""
    for name in names:
        section = section_links[name.section_index]
        href = f"{section.href}#{name.anchor}" if name.anchor else section.href
        row = IndexRow(
            name.display_name, href, name.anchor, name.kind, section.number or section.title,
            name.summary, name.deprecated, other_names=name.other_names,
        )
        yield row
        if name.entry and name.name.startswith(OPTION):
            yield replace(row, name=name.name.removeprefix(OPTION), full_name=name.name)


def _sort_key(row: IndexRow) -> tuple[str, str, bool, bool]:
    """Sorts by letters; the place with the plain anchor first."""
    has_plain_anchor = row.anchor == slug(row.name)
    return sort_key(row.name), row.name, bool(row.full_name), not has_plain_anchor


def sort_key(name: str) -> str:
    """What `name` is sorted by: its letters, marks in front left out."""
    return (name if name[:1].isalnum() else MARKS.sub("", name, count=1)).casefold() or LAST


def letter_of(name: str) -> str:
    """The title of the group that `name` is listed in: "A", digits or symbols."""
    first = sort_key(name)[0]
    if "a" <= first <= "z":
        return first.upper()
    return DIGITS if first.isdigit() else SYMBOLS


def _letter_groups(rows: Iterable[IndexRow]) -> Iterator[LetterGroup[IndexRow]]:
    """The rows, which are sorted, in groups; their anchors start with '-', as the theme's do."""
    groups: dict[str, list[IndexRow]] = {}
    for row in rows:
        groups.setdefault(letter_of(row.name), []).append(row)
    for letter, members in groups.items():
        anchor = f"-letter-{slug(letter.casefold().replace('–', '-'))}"
        yield LetterGroup(letter, anchor, tuple(members))


def _with_anchors(rows: Iterable[IndexRow]) -> Iterator[IndexRow]:
    """The rows, each with an anchor of its own on the page: the first of a name has the name's."""
    used: set[str] = set()
    names: set[str] = set()
    for row in rows:
        anchor = slug(row.name) if row.name not in names else row.anchor
        names.add(row.name)
        if anchor.startswith("-") or anchor in used:
            anchor = row.anchor
        yield replace(row, anchor=unique_name(anchor.lstrip("-") or "name", used))


def _title(kind: str) -> str:
    """The kind as the beginning of a line: `Sample fetch`, `ACL derivative`."""
    return kind[:1].upper() + kind[1:]
