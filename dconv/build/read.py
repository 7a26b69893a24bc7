"""Read and link the texts of a release, and index it for the pages of other releases.

    ReleaseTexts ─ read_texts ─→ Manual … ─┬─ linked_release ─→ Release
                                           └─ index_release ─→ ReleaseIndex
"""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from types import FrameType

from dconv.build.fingerprint import fingerprint
from dconv.build.trees import NO_COMPRESSION, pack_trees, unpack_trees
from dconv.build.workers import in_background
from dconv.linking.backlinks import with_backlinks
from dconv.linking.keyword_tables import merge_into_entries
from dconv.linking.link import link
from dconv.linking.symbols import Symbols, collect_symbols
from dconv.model.diagnostics import Diagnostic, UserError
from dconv.model.dialect import Dialect
from dconv.model.lifecycle import date_in
from dconv.model.search_terms import Vocabulary
from dconv.model.tree import Manual
from dconv.model.values import dataclass
from dconv.proof.coverage import full_coverage
from dconv.readers import RST, reader_of
from dconv.settings.types import Product
from dconv.sources.texts import ReleaseTexts, SourceText, mentions_product
from dconv.writers.pages.documents import DocumentPages, document_pages
from dconv.writers.pages.page import Release, ReleaseDocument
from dconv.writers.pages.versions import ProductVersions, ReleasePages

# "3.4", "2.6.12", "3.5-dev2": a version that starts with numbers
NUMBERED = re.compile(r"(\d++(?:\.\d++)++)\S*")
MAX_SECONDS = 60.0  # of processor time for reading one text; 33,000 lines take half a second


@dataclass(frozen=True, slots=True)
class ReleaseIndex:
    """What the pages of other releases need to know of a release.

    `newest_date` is the newest date in the headers of its texts, or an empty string.
    """

    documents: Mapping[str, DocumentPages]
    newest_date: str


def read_manual(
    content: bytes, path: str, product: Product, name: str, format_name: str = ""
) -> Manual:
    """Read the document `name` in the dialect of `product`.

    `path` names the text in findings; `format_name` is its format, or empty.  Raises `FormatError`
    if no reader reads such bytes; problems of the text are among the manual's diagnostics.
    """
    return reader_of(content, path, format_name)(content, path, product.dialect, name)


def read_text(text: SourceText) -> Manual:
    """Read `text`; raises `FormatError` and `ReadingTimeout`."""
    with time_limit(text.path, text.product.folder):
        name, format_name = text.document.name, text.document.format
        if text.titles or (text.sphinx_settings and text.format == RST):
            from dconv.readers import rst  # imports docutils

            titles = {(kind, target): title for kind, target, title in text.titles}
            dialect = text.product.dialect
            settings = dict(text.sphinx_settings)
            manual = rst.read(text.content, text.path, dialect, name, titles, settings)
        else:
            manual = read_manual(text.content, text.path, text.product, name, format_name)
    return replace(manual, other_names=text.other_names) if text.other_names else manual


def read_texts(
    texts: ReleaseTexts, on_progress: Callable[[str], None] | None = None
) -> list[Manual]:
    """Read the texts of a release, without linking them; raises as `read_text` does."""
    manuals: list[Manual] = []
    for text in texts.texts:
        if on_progress is not None:
            on_progress(f"{texts.name}: reading {text.document.name}")
        manuals.append(read_text(text))
    return manuals


def cached_manuals(texts: ReleaseTexts, parallel: bool = False) -> tuple[Manual, ...]:
    """The manuals of `texts`, read unless they were the last that this process has read.

    If `parallel`, another process reads all texts but the largest.  Raises `WorkerError` then.
    """
    return _cached_manuals(_TextsKey(fingerprint(texts), texts, parallel))


@dataclass(frozen=True, slots=True)
class _TextsKey:
    """Texts that are compared by their fingerprint."""

    digest: str
    texts: ReleaseTexts = field(compare=False)
    parallel: bool = field(compare=False)


@lru_cache(maxsize=1)
def _cached_manuals(key: _TextsKey) -> tuple[Manual, ...]:
    if not key.parallel:
        return tuple(read_texts(key.texts))
    *others, largest = sorted(key.texts.texts, key=lambda text: len(text.content))
    trees = in_background(lambda: pack_trees([read_text(text) for text in others], NO_COMPRESSION))
    manuals = {largest.document.name: read_text(largest)}
    manuals |= {manual.name: manual for manual in unpack_trees(trees())}
    return tuple([manuals[text.document.name] for text in key.texts.texts])


def link_texts(texts: Sequence[SourceText], manuals: Sequence[Manual]) -> list[Manual]:
    """Link the `manuals` of a release, which were read from `texts`, and add backlinks."""
    linked: list[Manual] = []
    symbols: dict[str, Symbols] = {}
    for text, manual in zip(texts, manuals, strict=True):
        product = text.product
        if product.name not in symbols:
            documents = [
                (other_manual, other_text.document.file)
                for other_text, other_manual in zip(texts, manuals, strict=True)
                if other_text.product.name == product.name
            ]
            symbols[product.name] = collect_symbols(documents, product.dialect)
        linked.append(merge_into_entries(link(manual, symbols[product.name], product.dialect)))
    return with_backlinks(linked)


def link_to_referenced(
    texts: ReleaseTexts, manuals: Sequence[Manual], referenced: Sequence[Manual]
) -> tuple[list[Manual], Symbols]:
    """Link the `manuals` of `texts` to each other and to the `referenced` ones.

    All are of one product.  Also returns the symbols that links may point to.
    """
    dialect = texts.texts[0].product.dialect
    files = [text.document.file for text in (*texts.texts, *texts.referenced_texts)]
    symbols = collect_symbols(zip((*manuals, *referenced), files, strict=True), dialect)
    return [merge_into_entries(link(manual, symbols, dialect)) for manual in manuals], symbols


def read_release(texts: ReleaseTexts, on_progress: Callable[[str], None]) -> Release:
    """Read and link the texts of a release; raises as `read_text` does."""
    return linked_release(texts, read_texts(texts, on_progress), "")


def linked_release(texts: ReleaseTexts, manuals: Sequence[Manual], date: str) -> Release:
    """Link the `manuals` of `texts`, and add what is known of the release on the `date`."""
    linked = link_texts(texts.texts, manuals)
    documents = [
        release_document(text, manual) for text, manual in zip(texts.texts, linked, strict=True)
    ]
    lifetime = texts.lifetime(date)
    vocabulary = texts.texts[0].product.vocabulary if texts.texts else Vocabulary()
    dialect = texts.texts[0].product.dialect if texts.texts else Dialect()
    return Release(
        texts.product_name, texts.product_title, texts.version, tuple(documents),
        lifetime.status, lifetime.date, lifetime.end, vocabulary, dialect,
    )


def release_document(text: SourceText, manual: Manual) -> ReleaseDocument:
    """`manual` with the title, the description and the origin that its pages show.

    They also claim that no line is lost, unless the proof finds one.
    """
    header = manual.header
    own_title = header.subtitle or header.title
    if not text.product.title:  # no product has the first line of a title
        own_title = f"{header.title} {header.subtitle}".strip()
    own_title = own_title.rstrip(" :")
    title = text.document.title or own_title or text.document.name
    description = text.document.description or header.description
    has_old_anchors = text.document.name in text.product.old_links.documents
    return ReleaseDocument(
        manual, title, description, text.origin, str(full_coverage(manual)), has_old_anchors,
        text.product.report_url, text.images,
    )


def check_stated_version(texts: ReleaseTexts, manuals: Iterable[Manual]) -> tuple[Diagnostic, ...]:
    """A warning if the header of a text names another release than the site does.

    Only the first header with the product's name, in its title or below, counts.  A text of 3.4
    is also right for 3.4.1 and 3.4-dev5; versions without numbers are not compared.
    """
    expected = NUMBERED.fullmatch(texts.version)
    names = (texts.product_title, texts.product_name) if texts.product_title else ()
    titled = [(manual.header.title, manual) for manual in manuals]
    subtitled = [(manual.header.subtitle, manual) for _, manual in titled]
    for title, manual in (*titled, *subtitled):
        stated = NUMBERED.fullmatch(manual.header.version)
        if stated and mentions_product(title, names):
            if expected is None or all(
                a == b
                for a, b in zip(stated[1].split("."), expected[1].split("."), strict=False)
            ):
                return ()
            return (_mismatch(manual, texts.version),)
    return ()


def _mismatch(manual: Manual, version: str) -> Diagnostic:
    """A warning if the header of `manual` names another version than `version`."""
    stated, span = manual.header.version, manual.header.span
    head = manual.source.lines[span.first - 1 : span.last] if span else ()
    line = next(line for line in head if stated in line.text)
    return Diagnostic(
        manual.source.path, line.number, line.indent + line.text.index(stated) + 1, "warning",
        "release-version", f"the text says {stated}, the release is {version}",
    )


def index_release(texts: ReleaseTexts, manuals: Sequence[Manual]) -> ReleaseIndex:
    """The index of the release whose `texts` were read as `manuals`."""
    dialects = [text.product.dialect for text in texts.texts]
    documents = document_pages(manuals, dialects[0].rule_sets if dialects else {})
    return ReleaseIndex(documents, newest_date(manuals))


def newest_date(manuals: Iterable[Manual]) -> str:
    """The newest date in the headers of `manuals`, or an empty string.

    It decides which releases are supported if the site names no date, so that a site depends
    on its texts alone.
    """
    return max((date_in(manual.header.date) for manual in manuals), default="")


def site_versions(
    releases: Sequence[ReleaseTexts], indexes: Sequence[ReleaseIndex], date: str
) -> dict[str, ProductVersions]:
    """The releases of each product, by its name; `indexes` are those of `releases`."""
    products: dict[str, list[ReleasePages]] = {}
    titles: dict[str, str] = {}
    for texts, index in zip(releases, indexes, strict=True):
        pages = ReleasePages(texts.version, texts.lifetime(date), index.documents)
        products.setdefault(texts.product_name, []).append(pages)
        titles.setdefault(texts.product_name, texts.product_title)
    return {
        name: ProductVersions(name, titles[name], tuple(pages)) for name, pages in products.items()
    }


class ReadingTimeout(UserError):
    """A text takes too long to read; the message is one sentence for the user."""


@contextmanager
def time_limit(path: str, dialect_folder: Path) -> Iterator[None]:
    """Raise `ReadingTimeout` if the `with` block takes more than `MAX_SECONDS`.

    `path` is the text that is read, `dialect_folder` the folder of its dialect, for the message.
    A pattern of a dialect can take exponential time, as "(a+)+b" does on thirty letters, and this
    cannot be detected in advance.  Python's `re` looks for signals while it searches, so a timer
    ends it.  There is no limit outside of the main thread, nor on systems without such a timer.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise ReadingTimeout(
            f"{path}: reading takes more than {MAX_SECONDS:.0f} seconds of processor time; simplify"
            f" the patterns of its dialect in {dialect_folder}"
        )

    previous_handler = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous_handler)
