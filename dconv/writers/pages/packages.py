"""The pages above the documents of a shelf: the home of a package, and that of the site."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dconv.writers.pages import overview
from dconv.writers.pages.addresses import relative_path
from dconv.writers.pages.indexes import letter_of, sort_key
from dconv.writers.pages.listings import (
    DocumentGroup,
    DocumentRow,
    LetterGroup,
    Link,
    PackageCard,
    PackageGroup,
    ProductCard,
    ReleaseCard,
)
from dconv.writers.pages.page import Counterpart, Page, SiteInfo
from dconv.writers.pages.shelf import (
    MANUAL_PAGE,
    PackageRelease,
    ShelfDocument,
    all_names,
    search_scope,
)
from dconv.writers.pages.shelf_names import letter_file
from dconv.writers.pages.sidebar import MAX_DESCRIPTION_LENGTH

MANUAL_SECTIONS = {
    "1": "Commands", "2": "System calls", "3": "Library functions", "4": "Devices",
    "5": "Files and formats", "6": "Games", "7": "Overviews", "8": "Administration",
    "9": "Kernel functions",
}
OTHER_DOCUMENTS = "Guides and notes"
# sections in the order of a list, what most look for first; the blank is for other documents
SECTION_ORDER = "81574 6329"
COMMAND_SECTIONS = frozenset("18")
MAX_UNDIVIDED = 60  # documents of a group that is not divided by letters
MAX_LISTED_DOCUMENTS = 4  # documents of a package that its card lists
MAX_CHANGED = 6  # packages that were changed last


def package_home(
    package: PackageRelease, releases: Sequence[PackageRelease], site: SiteInfo
) -> Page:
    """The page of `package` with its documents; `releases` are all of it, newest first."""
    path = f"{package.folder}/index.html"
    name = f"{package.title} {package.version}".strip()
    links = tuple(
        Counterpart(
            release.version, relative_path(f"{release.folder}/index.html", package.folder),
            "latest" if release.is_latest else "", True, "", release.version == package.version,
        )
        for release in releases
    )
    return Page(
        kind="package", path=path, root=overview.root_of(path), title=name, heading=package.title,
        description=_description(package) or f"{name}: {len(package.documents):,} documents",
        site=site, product=package.title, version=package.version,
        package=Link(package.title, "index.html"), breadcrumbs=(overview.site_link(site, path),),
        canonical=overview.canonical_address(site, path), search=search_scope(path, site),
        versions=links if len(links) > 1 else (), all_versions="index.html", origin=package.origin,
        index=all_names(path),
        document_groups=tuple(document_groups(package, package.folder)),
    )


def document_groups(package: PackageRelease, folder: str) -> Iterator[DocumentGroup]:
    """The documents of `package` as seen from `folder`: manual pages by section, then all others.

    They are sorted by their titles unless `package` is ordered.  A large group is divided by
    letters.
    """
    groups: dict[str, list[ShelfDocument]] = {}
    for document in package.documents:
        groups.setdefault(_manual_section(document), []).append(document)
    for section in sorted(groups, key=SECTION_ORDER.index):
        members = groups[section]
        if not package.is_ordered or len(members) > MAX_UNDIVIDED:
            members.sort(key=lambda document: (sort_key(document.title), document.title))
        anchor = f"section-{section.strip() or 'other'}"
        yield DocumentGroup(
            MANUAL_SECTIONS.get(section, OTHER_DOCUMENTS), anchor,
            tuple(_document_letters(members, anchor, folder)),
        )


def _manual_section(document: ShelfDocument) -> str:
    """The number of its section of the manual, or a blank."""
    page = MANUAL_PAGE.fullmatch(document.title)
    return page[1] if page and page[1] in SECTION_ORDER else " "


def _document_letters(
    documents: Sequence[ShelfDocument], anchor: str, folder: str
) -> Iterator[LetterGroup[DocumentRow]]:
    is_divided = len(documents) > MAX_UNDIVIDED
    letters: dict[str, list[ShelfDocument]] = {}
    for document in documents:  # titles with symbols are at both ends of the order
        letters.setdefault(letter_of(document.title) if is_divided else "", []).append(document)
    for title, members in letters.items():
        yield LetterGroup(
            title, f"{anchor}-{letter_file(title)}" if title else anchor,
            tuple([
                DocumentRow(Link(
                    document.title, relative_path(document.path, folder), count=document.entry_count
                ), document.description)
                for document in members
            ]),
        )


def shelf_home(
    site: SiteInfo, packages: Iterable[PackageRelease], release_cards: Sequence[ReleaseCard],
    product_groups: Mapping[str, str],
) -> Page:
    """The first page of a site with `packages`, and with the products of `release_cards`.

    `product_groups` are the groups of products that are among packages, by their names.  Groups
    are in the order of the packages; those of products alone follow.
    """
    latest = [package for package in packages if package.is_latest]
    cards: dict[str, list[PackageCard]] = {}
    products: dict[str, list[ProductCard]] = {}
    for product in overview.product_cards(release_cards):
        name = product.latest.product_name
        products.setdefault(product_groups.get(name, ""), []).append(product)
    for package in latest:
        cards.setdefault(package.group, []).append(package_card(package))
    titles = [title for title in dict.fromkeys([*cards, *products]) if title]
    if products.get(""):  # what every reader of the site looks for first
        titles = ["", *titles]
    elif cards.get(""):
        titles = [*titles, ""]
    is_only_package = len(latest) == 1 and not products
    newest = sorted(
        (card for group in cards.values() for card in group if card.date),
        key=lambda card: card.date, reverse=True,
    )
    all_cards = [
        card for groups in (products, cards) for group in groups.values() for card in group
    ]
    names = ", ".join([card.link.title for card in all_cards])
    return Page(
        kind="site", path="index.html", root="", title=site.title, heading=site.title,
        description=f"Manuals of {names}"[:MAX_DESCRIPTION_LENGTH], site=site,
        canonical=overview.canonical_address(site, "index.html"),
        search=search_scope("index.html", site),
        explain=overview.explain_links(release_cards, ""),
        index=all_names("index.html"),
        document_groups=tuple(document_groups(latest[0], "")) if is_only_package else (),
        package_groups=() if is_only_package else tuple(
            PackageGroup(title, tuple(products.get(title, ())), tuple(cards.get(title, ())))
            for title in titles
        ),
        package=(
            Link(latest[0].title, f"{latest[0].folder}/index.html") if is_only_package else None
        ),
        changed=tuple(newest[:MAX_CHANGED]) if len(latest) > MAX_CHANGED else (),
    )


def package_card(package: PackageRelease) -> PackageCard:
    """What the home page shows of `package`."""
    documents = _by_importance(package)
    return PackageCard(
        Link(package.title, f"{package.folder}/index.html"), package.version, _description(package),
        tuple(Link(document.title, document.path) for document in documents[:MAX_LISTED_DOCUMENTS]),
        len(documents), max([document.date for document in documents], default=""),
    )


def _by_importance(package: PackageRelease) -> list[ShelfDocument]:
    """The documents of `package`: those of its name, commands, others; those with most entries
    first."""
    def key(document: ShelfDocument) -> tuple[bool, int, int]:
        section = _manual_section(document)
        order = -1 if section in COMMAND_SECTIONS else SECTION_ORDER.index(section)
        count = 0 if package.is_ordered else -document.entry_count
        return not _is_namesake(document, package), order, count

    return sorted(package.documents, key=key)


def _description(package: PackageRelease) -> str:
    """What is said about `package`, or else about the document of its name; or nothing."""
    namesakes = (
        document for document in _by_importance(package) if _is_namesake(document, package)
    )
    return package.description or next((document.description for document in namesakes), "")


def _is_namesake(document: ShelfDocument, package: PackageRelease) -> bool:
    """Whether `document` has the name of `package`, or its beginning: "btrfs" of "btrfs-progs"."""
    name = document.title.partition("(")[0]
    return len(name) > 1 and package.name.startswith(name)
