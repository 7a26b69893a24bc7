"""The index of a shelf, by which its documents link to each other: paths, names, backlinks.

    DocumentIndex … ─ assign_paths ─→ PackageRelease … ─ ShelfIndex ─→ BatchView

All documents are read before the first is rendered, because a page shows the documents that it
links to and those that link to it.  The index holds neither texts nor trees.  A view holds only
what the pages of a few documents show, so a changed document changes few views.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import PurePath
from posixpath import dirname, join

from dconv.linking.resolve import page_name
from dconv.linking.symbols import file_paths, paths_of_link
from dconv.model.anchors import MAX_NAME_LENGTH
from dconv.model.file_names import unique_name
from dconv.model.lifecycle import date_in
from dconv.model.man_pages import PAGE_FILE
from dconv.model.references import all_inlines
from dconv.model.tree import Reference, anchors, entries
from dconv.model.values import dataclass
from dconv.settings.types import NOT_IN_ADDRESS, SITE_FOLDERS
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages.page import ReleaseDocument
from dconv.writers.pages.shelf import (
    MAX_SIBLINGS,
    PackageRelease,
    ShelfDocument,
    anchor_files,
    is_single,
    title_without_section,
)

MAN = "man"  # the folder of the manual pages of all packages, and the name of their format


@dataclass(frozen=True, slots=True)
class DocumentIndex:
    """What other documents need to know of a document.

    `file` is the name of its file, in `folder` of its package; `files` the page of each anchor,
    None if it is one page.  Its text names the `manual_pages` ("mdadm.conf.5"), and links to the
    `links` ("file#anchor") and `labels` of other documents.  `anchors` maps the names by which
    links may call its anchors to these; it is empty for a manual page, which no link leads into.
    """

    name: str
    title: str
    description: str
    file: str
    is_manual_page: bool
    other_names: tuple[str, ...]
    date: str
    entry_count: int
    files: Mapping[str, str] | None
    manual_pages: tuple[str, ...]
    links: tuple[str, ...]
    labels: tuple[str, ...]
    anchors: Mapping[str, str]
    folder: str = ""


@dataclass(frozen=True, slots=True)
class BatchIndex:
    """The indexes of the documents of a batch, in its order."""

    documents: tuple[DocumentIndex, ...]


@dataclass(frozen=True, slots=True)
class BatchView:
    """What the pages of some documents of a package show of the rest of the site.

    `manual_pages` maps those that their texts name, and `files` the files that they link to, to
    keys of documents: the name of one of the same package, the path of another.  By these keys,
    `targets` has the documents, and `anchors` maps other names of their anchors to these.
    `backlinks` maps each document to those that name its page.
    """

    package: PackageRelease
    releases: tuple[PackageRelease, ...]
    manual_pages: Mapping[str, str]
    files: Mapping[str, str]
    anchors: Mapping[str, Mapping[str, str]]
    targets: Mapping[str, ShelfDocument]
    backlinks: Mapping[str, tuple[ShelfDocument, ...]]


# --- documents ------------------------------------------------------------------------


def index_document(text: SourceText, document: ReleaseDocument) -> DocumentIndex:
    """The index of `document`, which was read from `text` and is not linked."""
    manual = document.manual
    is_manual_page = text.format == MAN
    files = None if is_manual_page or is_single(manual, document.title) else anchor_files(document)
    pages: dict[str, None] = {}
    links: dict[str, None] = {}
    labels: dict[str, None] = {}
    for part in all_inlines(manual):
        if not isinstance(part, Reference):
            continue
        if page := page_name(part):
            pages[page] = None
        elif part.kind in ("link", "document"):
            links[part.name] = None
        elif part.kind in ("label", "option"):
            labels[part.name] = None
    link_anchors: dict[str, str] = {}
    if not is_manual_page:
        link_anchors = {anchor: anchor for anchor in anchors(manual)}
        link_anchors.update(manual.aliases)
    return DocumentIndex(
        manual.name, document.title, document.description,
        PurePath(text.document.file).name.removesuffix(".gz"), is_manual_page, manual.other_names,
        text.origin.date or date_in(manual.header.date), sum(1 for _ in entries(manual)), files,
        tuple(pages), tuple(name for name in links if name[:1] != "#"),
        tuple(name for name in labels if name not in link_anchors), link_anchors,
        dirname(text.document.file),
    )


# --- paths ----------------------------------------------------------------------------


def assign_paths(
    releases: Sequence[tuple[ReleaseTexts, Sequence[DocumentIndex], bool]],
    reserved_folders: Collection[str],
) -> list[PackageRelease]:
    """The packages of `releases` with the paths of their documents.

    Each release has its documents, and whether it is the latest of its package. `reserved_folders`
    are names of folders at the site's root that other products have; a package whose name is one,
    or that of a folder of the site itself, gets another: "man-2".
    """
    folders = _Names([*SITE_FOLDERS, *reserved_folders])
    package_folders: dict[str, str] = {}
    for texts, _, _ in releases:
        if texts.product_name not in package_folders:
            package_folders[texts.product_name] = folders.unique(_safe_name(texts.product_name))
    versions: dict[str, list[str]] = {}
    for texts, _, is_latest in releases:
        if not is_latest:
            versions.setdefault(texts.product_name, []).append(_safe_name(texts.version))
    pages = _Names(["index"])
    packages: list[PackageRelease] = []
    for texts, documents, is_latest in releases:
        folder = package_folders[texts.product_name]
        names = _Names(["index", *versions.get(texts.product_name, ())])
        if not is_latest:
            folder, names = f"{folder}/{_safe_name(texts.version)}", _Names(["index"])
        packages.append(PackageRelease(
            texts.product_name, texts.product_title, texts.version, folder,
            tuple([
                _document(texts, document, _path(document, folder, names, pages, is_latest))
                for document in documents
            ]),
            len(documents), texts.group, is_latest, texts.description,
            is_ordered=texts.is_ordered,
        ))
    return packages


class _Names:
    """Names of files and folders in one folder, compared without case."""

    def __init__(self, reserved: Iterable[str]) -> None:
        self._reserved = {name.casefold() for name in reserved}

    def reserve(self, name: str) -> bool:
        """Reserve `name`, unless it is in use."""
        if name.casefold() in self._reserved:
            return False
        self._reserved.add(name.casefold())
        return True

    def unique(self, name: str) -> str:
        """Reserve `name`, or else `name` with a number."""
        return unique_name(name, self._reserved, ignore_case=True)


def _safe_name(name: str) -> str:
    """`name` without what some file system refuses."""
    return NOT_IN_ADDRESS.sub("-", name)[:MAX_NAME_LENGTH].strip(".-") or "package"


def _path(
    document: DocumentIndex, folder: str, names: _Names, pages: _Names, is_latest: bool
) -> str:
    """The path of the page of `document`, or of its home, below the site's root.

    `names` are the names in the `folder` of its package, `pages` those of all manual pages.
    """
    if document.is_manual_page and is_latest and pages.reserve(document.name):
        return f"{MAN}/{document.name}.html"
    name = names.unique(document.name)
    return f"{folder}/{name}.html" if document.files is None else f"{folder}/{name}/index.html"


def _document(texts: ReleaseTexts, document: DocumentIndex, path: str) -> ShelfDocument:
    return ShelfDocument(
        texts.product_name, texts.version, document.name, document.title, document.description,
        path, document.other_names, document.files is None, document.files or {},
        document.entry_count, document.date,
    )


# --- names of pages -------------------------------------------------------------------


@dataclass(slots=True)
class _ManualPages:
    """Manual pages by name: as written, in lower case, and without the suffix of the section."""

    exact: dict[str, ShelfDocument] = field(default_factory=dict)
    folded: dict[str, ShelfDocument] = field(default_factory=dict)
    unsuffixed: dict[str, ShelfDocument] = field(default_factory=dict)

    def add(self, name: str, document: ShelfDocument) -> None:
        """Note that `name` ("mdadm.8") is that of `document`, unless another has it."""
        if PAGE_FILE.fullmatch(name):
            self.exact.setdefault(name, document)
            self.folded.setdefault(name.casefold(), document)
            self.unsuffixed.setdefault(_without_suffix(name), document)


def _without_suffix(name: str) -> str:
    """`name` in lower case, without the suffix of its section: "crypt.3" of "crypt.3ssl"."""
    stem, _, section = name.rpartition(".")
    return f"{stem}.{section[:1]}".casefold()


def _page_names(documents: Iterable[tuple[DocumentIndex, ShelfDocument]]) -> _ManualPages:
    """The names of the manual pages among `documents`; their own come before those of links."""
    pages = _ManualPages()
    pages_of_shelf = [(index, document) for index, document in documents if index.is_manual_page]
    for index, document in pages_of_shelf:
        pages.add(index.name, document)
        pages.add(index.file, document)
    for index, document in pages_of_shelf:
        for name in index.other_names:
            pages.add(name, document)
    return pages


@dataclass(frozen=True)
class ShelfIndex:
    """All packages of a shelf: each release with its documents, in the order of the shelf."""

    packages: Sequence[PackageRelease]
    documents: Sequence[Sequence[DocumentIndex]]

    @cached_property
    def _package_pages(self) -> list[_ManualPages]:
        return [
            _page_names(zip(documents, package.documents, strict=True))
            for package, documents in zip(self.packages, self.documents, strict=True)
        ]

    @cached_property
    def _all_pages(self) -> _ManualPages:
        """The manual pages of the latest releases."""
        pages = _ManualPages()
        latest = [
            own_pages for package, own_pages in zip(self.packages, self._package_pages, strict=True)
            if package.is_latest
        ]
        for own_pages in latest:
            for kind in ("exact", "folded", "unsuffixed"):
                names = getattr(pages, kind)
                for name, document in getattr(own_pages, kind).items():
                    names.setdefault(name, document)
        return pages

    def page(self, name: str, package_number: int) -> ShelfDocument | None:
        """The manual page `name` ("mdadm.8") as the package `package_number` means it, or None.

        The name as written comes before other forms of it, and for each the own package before
        others.
        """
        own_pages, other_pages = self._package_pages[package_number], self._all_pages
        folded, unsuffixed = name.casefold(), _without_suffix(name)
        return (
            own_pages.exact.get(name) or other_pages.exact.get(name)
            or own_pages.folded.get(folded) or other_pages.folded.get(folded)
            or own_pages.unsuffixed.get(unsuffixed) or other_pages.unsuffixed.get(unsuffixed)
        )

    @cached_property
    def _backlinks(self) -> dict[str, tuple[ShelfDocument, ...]]:
        """The documents that name each page, by its path, in the order of the shelf."""
        backlinks: dict[str, dict[str, ShelfDocument]] = {}
        for package_number, package in enumerate(self.packages):
            documents = zip(self.documents[package_number], package.documents, strict=True)
            for index, document in documents:
                for name in index.manual_pages:
                    page = self.page(name, package_number)
                    # an older release counts for its own pages only
                    if page and page is not document and (
                        package.is_latest
                        or (page.package, page.version) == (package.name, package.version)
                    ):
                        backlinks.setdefault(page.path, {})[document.path] = document
        return {path: tuple(documents.values()) for path, documents in backlinks.items()}

    @cached_property
    def _files(self) -> list[dict[str, DocumentIndex]]:
        """For each package its documents by the paths and names that links may use."""
        all_files: list[dict[str, DocumentIndex]] = []
        for documents in self.documents:
            files: dict[str, DocumentIndex] = {}
            for index in documents:
                for path in file_paths(join(index.folder, index.file)):
                    files.setdefault(path, index)
            for index in documents:
                stem = PurePath(index.file).stem
                # "index.txt" gets the name "index-text", because "index" is reserved
                renamed = [stem] if index.name.startswith(f"{stem}-") else []
                for name in (index.name, *index.other_names, *renamed):
                    files.setdefault(name.casefold(), index)
            all_files.append(files)
        return all_files

    @cached_property
    def _by_label(self) -> list[dict[str, list[DocumentIndex]]]:
        """For each package the documents that define each label that others link to."""
        all_labels: list[dict[str, list[DocumentIndex]]] = []
        for documents in self.documents:
            linked_labels = {label for index in documents for label in index.labels}
            by_label: dict[str, list[DocumentIndex]] = {}
            for index in documents:
                for label in linked_labels & index.anchors.keys():
                    by_label.setdefault(label, []).append(index)
            all_labels.append(by_label)
        return all_labels

    @cached_property
    def _indexes(self) -> list[dict[str, DocumentIndex]]:
        """For each package the indexes of its documents by their names."""
        return [{index.name: index for index in documents} for documents in self.documents]

    @cached_property
    def _by_name(self) -> list[dict[str, ShelfDocument]]:
        """For each package its documents by their names."""
        return [
            {document.name: document for document in package.documents}
            for package in self.packages
        ]

    @cached_property
    def _by_title(self) -> list[dict[str, list[ShelfDocument]]]:
        """For each package its documents by their titles without sections."""
        by_title: list[dict[str, list[ShelfDocument]]] = []
        for package in self.packages:
            documents: dict[str, list[ShelfDocument]] = {}
            for document in package.documents:
                documents.setdefault(title_without_section(document), []).append(document)
            by_title.append(documents)
        return by_title

    def _releases_in_view(
        self, package_number: int, names: Collection[str]
    ) -> list[PackageRelease]:
        """All releases of a package, each with the documents that the pages of its `names` list.

        They list all documents of a small package, of a large one those whose titles differ in the
        section alone.
        """
        package_name = self.packages[package_number].name
        own_documents = self._by_name[package_number]
        titles = dict.fromkeys([title_without_section(own_documents[name]) for name in names])
        releases: list[PackageRelease] = []
        for package, by_name, by_title in zip(
            self.packages, self._by_name, self._by_title, strict=True
        ):
            if package.name != package_name:
                continue
            siblings: Iterable[ShelfDocument] = package.documents
            if package.document_count > MAX_SIBLINGS:
                same_titles = [other for name in titles for other in by_title.get(name, ())]
                same_names = [by_name[name] for name in names if name in by_name]
                documents = {other.name: other for other in (*same_titles, *same_names)}
                siblings = documents.values()
            releases.append(replace(package, documents=tuple([
                document if document.name in names else _summary(document) for document in siblings
            ])))
        return releases

    def releases(self, name: str) -> tuple[PackageRelease, ...]:
        """All releases of the package `name`, newest first."""
        return tuple([package for package in self.packages if package.name == name])

    def view(self, package_number: int, names: Collection[str]) -> BatchView:
        """What the pages of the documents `names` of a package show of others."""
        package, files = self.packages[package_number], self._files[package_number]
        documents = self._by_name[package_number]
        releases = self._releases_in_view(package_number, names)
        indexes = {name: self._indexes[package_number][name] for name in names}
        pages: dict[str, str] = {}
        linked_files: dict[str, str] = {}
        target_anchors: dict[str, dict[str, str]] = {}
        targets: dict[str, ShelfDocument] = {}
        for index in indexes.values():
            for name in index.manual_pages:
                if page := self.page(name, package_number):
                    is_own = documents.get(page.name) is page
                    pages[name] = key = page.name if is_own else page.path
                    targets[key] = page
            for link in index.links:
                path, _, anchor = link.partition("#")
                paths = paths_of_link(path, index.folder)
                if file := next((path for path in paths if path in files), ""):
                    other = files[file]
                    linked_files[file] = other.name
                    targets[other.name] = documents[other.name]
                    if anchor in other.anchors:
                        target_anchors.setdefault(other.name, {})[anchor] = other.anchors[anchor]
            for label in index.labels:
                for other in self._by_label[package_number].get(label, ()):
                    targets[other.name] = documents[other.name]
                    target_anchors.setdefault(other.name, {})[label] = other.anchors[label]
        backlinks = {
            name: mentioning for name in indexes
            if (mentioning := self._backlinks.get(documents[name].path))
        }
        return BatchView(
            next(other for other in releases if other.version == package.version),
            tuple(releases), pages, linked_files, target_anchors,
            {key: replace(_summary(other), files=other.files) for key, other in targets.items()},
            {name: tuple(map(_summary, others)) for name, others in backlinks.items()},
        )


def _summary(document: ShelfDocument) -> ShelfDocument:
    """What pages of other documents show of `document`."""
    return replace(document, description="", other_names=(), files={}, entry_count=0, date="")


def alias_paths(packages: Iterable[PackageRelease]) -> Iterator[tuple[str, ShelfDocument]]:
    """The paths that other names of documents have, with the documents they stand for.

    A name that a document has, or an earlier one has as another name, has no second path.
    """
    reserved = {document.path.casefold() for package in packages for document in package.documents}
    for package in packages:
        for document in package.documents:
            folder = document.path.rpartition("/")[0]
            for name in document.other_names:
                path = f"{folder}/{name}.html"
                if document.is_single and path.casefold() not in reserved:
                    reserved.add(path.casefold())
                    yield path, document
