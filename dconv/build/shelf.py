"""Read and render the packages of a shelf, some documents at a time.

    SourceText … ─ read_batch ─→ ReadBatchResult ─ shelf_index ─→ BatchView …
                 ─ render_batch ─→ BatchFiles

A shelf may have thousands of documents.  So the process that builds the site never holds their
trees, only their bytes, pickled and compressed, and what other documents need to know of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from posixpath import dirname

from dconv.build.jobs import PickledOnce, TextsJob
from dconv.build.read import read_text, release_document
from dconv.build.render import (
    Rendered,
    RenderedFiles,
    all_findings,
    digests,
    document_proofs,
    proof_record,
    split_accepted,
    with_losses,
)
from dconv.build.shelf_index import (
    BatchIndex,
    BatchView,
    ShelfIndex,
    alias_paths,
    index_document,
)
from dconv.build.trees import pack_trees, unpack_trees
from dconv.linking.backlinks import with_backlinks
from dconv.linking.keyword_tables import merge_into_entries
from dconv.linking.link import link
from dconv.linking.symbols import collect_symbols
from dconv.model.references import count_references
from dconv.model.search_terms import Vocabulary
from dconv.model.tree import Manual
from dconv.model.values import dataclass
from dconv.proof.coverage import Proof
from dconv.proof.linkcheck import LinkCheck, PageLinks
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.html import marks
from dconv.writers.inventory import (
    KEYWORDS,
    OBJECTS,
    DocumentNames,
    document_names,
    shelf_keywords,
    shelf_objects,
)
from dconv.writers.pages.addresses import image_files
from dconv.writers.pages.filenames import PROOF
from dconv.writers.pages.overview import sitemap_entry
from dconv.writers.pages.packages import package_home
from dconv.writers.pages.page import Page, Release, ReleaseDocument, SiteInfo
from dconv.writers.pages.shelf import (
    ShelfBatch,
    ShelfName,
    batch_pages,
    redirect_page,
)
from dconv.writers.pages.shelf_names import name_pages
from dconv.writers.search.shelf import BatchRecords, batch_search_files, site_search_files
from dconv.writers.site_files import SiteFile, compact_json
from dconv.writers.theme.theme import Theme

NO_LINKS = PageLinks(0, 0, (), (), (), ())
BATCH_SIZE = 400_000  # bytes of text of one job: worth the overhead, small in memory


# --- jobs and results -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadBatchResult:
    """The `index` of some documents, and their unlinked `trees` as compressed bytes."""

    index: BatchIndex
    trees: bytes


@dataclass(frozen=True, slots=True)
class ShelfContext:
    """What all pages of a shelf share."""

    site: SiteInfo
    theme: Theme


@dataclass(frozen=True, slots=True)
class RenderBatchJob:
    """Render some documents of a package, whose `texts` have `size` bytes.

    `number` counts the batches of the package from 1.  `trees` are those of `ReadBatchResult`; if
    they are empty, the texts are read again.  `view` is what the pages must know of others.
    """

    texts: ReleaseTexts
    number: int
    size: int
    trees: bytes
    view: BatchView
    context: PickledOnce[ShelfContext]

    @property
    def name(self) -> str:
        """That of the package."""
        return self.texts.name


@dataclass(frozen=True, slots=True)
class BatchFiles(RenderedFiles):
    """Rendered documents of a package.

    `names` and `records` are for the lists and the search of the whole site; older releases have
    none.
    """

    names: tuple[DocumentNames, ...]
    records: BatchRecords | None

    def summary(self) -> BatchFiles:
        """The same without files, links and names."""
        return replace(self, files=(), digests=(), links=NO_LINKS, names=(), records=None)


@dataclass(frozen=True, slots=True)
class PackageFiles(Rendered):
    """A rendered release of a package: the results of all its batches."""

    texts: ReleaseTexts


# --- reading --------------------------------------------------------------------------


def batches(texts: ReleaseTexts) -> Iterator[ReleaseTexts]:
    """The texts of a package, cut into batches of about `BATCH_SIZE` bytes.

    They depend on the texts alone, so that a site is the same whatever runs the jobs.
    """
    batch: list[SourceText] = []
    size = 0
    for text in texts.texts:
        if batch and size + len(text.content) > BATCH_SIZE:
            yield replace(texts, texts=tuple(batch))
            batch, size = [], 0
        batch.append(text)
        size += len(text.content)
    if batch:
        yield replace(texts, texts=tuple(batch))


def read_batch(job: TextsJob) -> ReadBatchResult:
    """Read the texts and index them, without linking them; raises `FormatError`."""
    manuals = [read_text(text) for text in job.texts.texts]
    index = [
        index_document(text, release_document(text, manual))
        for text, manual in zip(job.texts.texts, manuals, strict=True)
    ]
    return ReadBatchResult(BatchIndex(tuple(index)), pack_trees(manuals))


# --- rendering ------------------------------------------------------------------------


def render_batch(job: RenderBatchJob) -> BatchFiles:
    """Link and render the documents, prove their pages, and read the links of these.

    Raises `ThemeError`.
    """
    texts, view = job.texts, job.view
    manuals: Sequence[Manual] = (
        unpack_trees(job.trees) if job.trees else [read_text(text) for text in texts.texts]
    )
    batch = _linked(texts, manuals, view)
    site, theme = job.context.value.site, job.context.value.theme
    pages, proofs = _proved_pages(batch, site, theme)
    manuals = [document.manual for document in batch.release.documents]
    diagnostics = all_findings(batch.release.documents, proofs)
    search = batch_search_files(batch, job.number) if view.package.is_latest else None
    if search:
        diagnostics += search.diagnostics
    remaining, accepted = split_accepted(diagnostics, manuals, texts.accepted)
    files = [(page.path, marks.without_marks(content)) for page, content in pages]
    files += [
        (f"{view.package.folder}/{path}", content)
        for path, content in image_files(batch.release.documents)
    ]
    if search:
        files.append(search.file)
    return BatchFiles(
        tuple(proofs), tuple([(manual.name, count_references(manual)) for manual in manuals]),
        remaining, accepted, tuple(files), digests(files), _links(files, view, site),
        tuple([sitemap_entry(page) for page, _ in pages if page.canonical]),
        tuple(_names(batch)), search.records if search else None,
    )


def _linked(texts: ReleaseTexts, manuals: Sequence[Manual], view: BatchView) -> ShelfBatch:
    """The `manuals` of `texts`, linked to each other and to what the `view` has of the site."""
    documents: list[ReleaseDocument] = []
    for text, manual in zip(texts.texts, manuals, strict=True):
        dialect = text.product.dialect
        symbols = collect_symbols([(manual, text.document.file)], dialect)
        symbols = replace(
            symbols, documents={**symbols.documents, **view.files}, manual_pages=view.manual_pages,
            anchors={**view.anchors, **symbols.anchors},
        )
        linked = merge_into_entries(link(manual, symbols, dialect))
        documents.append(release_document(text, *with_backlinks([linked])))
    vocabulary = texts.texts[0].product.vocabulary if texts.texts else Vocabulary()
    release = Release(
        texts.product_name, texts.product_title, texts.version, tuple(documents),
        vocabulary=vocabulary,
    )
    return ShelfBatch(release, view.package, view.releases, view.targets, view.backlinks)


def _proved_pages(
    batch: ShelfBatch, site: SiteInfo, theme: Theme
) -> tuple[list[tuple[Page, bytes]], list[Proof]]:
    """The pages of `batch` with the marks of the proof, and the proofs of its documents.

    Pages are rendered with the claim that no word is lost, and rendered again if the proof finds
    otherwise.
    """
    pages = [(page, theme.render(page)) for page in batch_pages(batch, site)]
    proofs = list(_proofs(batch, pages))
    if any(proof.losses for proof in proofs):
        release = with_losses(batch.release, proofs)
        rendered_again = batch_pages(replace(batch, release=release), site)
        pages = [(page, theme.render(page)) for page in rendered_again]
    return pages, proofs


def _proofs(batch: ShelfBatch, pages: Iterable[tuple[Page, bytes]]) -> Iterator[Proof]:
    """The proof of each document of `batch`, from its rendered pages with their marks."""
    documents = {document.name: document for document in batch.package.documents}
    own = [documents[document.manual.name] for document in batch.release.documents]
    # a document of one page by its path, a long one by its folder
    names = {
        document.path if document.is_single else dirname(document.path): document.name
        for document in own
    }

    def document_of(page: Page) -> str:
        if page.kind == "single-page":
            return names[page.path.removesuffix(".html")]
        return names.get(page.path) or names[dirname(page.path)]

    return document_proofs(batch.release, pages, document_of)


def _links(files: Iterable[SiteFile], view: BatchView, site: SiteInfo) -> PageLinks:
    """The links of the pages among `files`."""
    check = LinkCheck(site.url)
    for release in view.releases:
        if not release.is_latest:
            check.add_release(release.folder)
    for path, content in files:
        check.read(path, content)
    return check.links()


def _names(batch: ShelfBatch) -> Iterator[DocumentNames]:
    """The names that the documents of `batch` define; lists have those of latest releases only."""
    if not batch.package.is_latest:
        return
    documents = {document.name: document for document in batch.package.documents}
    for document in batch.release.documents:
        shelf_document = documents[document.manual.name]
        yield document_names(document, batch.release, shelf_document.path, shelf_document.files)


# --- what all packages share ----------------------------------------------------------


def shelf_files(
    index: ShelfIndex, packages: Sequence[PackageFiles],
    read_names: Callable[[], Iterable[DocumentNames]], records: Iterable[BatchRecords],
    site: SiteInfo, theme: Theme,
) -> Iterator[SiteFile]:
    """The files of a shelf that belong to no single document; raises `ThemeError`.

    `packages` are what was rendered of those of the `index`.  `read_names` returns the names of the
    documents of the latest releases, in its order; `records` are for the search of them.
    """
    for package in index.packages:
        page = package_home(package, index.releases(package.name), site)
        yield page.path, theme.render(page)
    for page in name_pages(_shelf_names(index, read_names()), site):
        yield page.path, theme.render(page)
    yield KEYWORDS, shelf_keywords(read_names())
    yield OBJECTS, shelf_objects(site.title, read_names())
    yield from site_search_files(records)
    yield PROOF, _proof_file(packages)
    for path, document in alias_paths(index.packages):
        yield path, theme.render(redirect_page(path, document, site))


def _shelf_names(index: ShelfIndex, names: Iterable[DocumentNames]) -> Iterator[ShelfName]:
    documents = [
        document
        for package in index.packages if package.is_latest for document in package.documents
    ]
    for document, listed in zip(documents, names, strict=True):
        for name in listed.names:
            yield ShelfName(
                name.display_name, name.kind, document, name.anchor, name.summary, name.deprecated,
                name.other_names,
            )


def _proof_file(packages: Iterable[PackageFiles]) -> bytes:
    """The proofs of all documents as JSON, one a line."""
    lines: list[str] = []
    for package in packages:
        sources = {text.document.name: text.origin.sha256 for text in package.texts.texts}
        for proof in package.proofs:
            record = {
                "package": package.texts.product_name,
                **proof_record(proof, sources.get(proof.document, "")),
            }
            lines.append(compact_json(record))
    documents = ",\n".join(lines)
    return f'{{"documents":[\n{documents}\n]}}\n'.encode()
