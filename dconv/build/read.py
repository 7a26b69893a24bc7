"""From the texts of a release to its linked trees, and what other releases must know of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from dconv.build.fingerprint import fingerprint
from dconv.build.time_limit import time_limit
from dconv.linking.backlinks import with_backlinks
from dconv.linking.keyword_tables import merge_into_entries
from dconv.linking.link import link
from dconv.linking.symbols import Symbols, collect
from dconv.model.diagnostics import Diagnostic
from dconv.model.lifecycle import day_in
from dconv.model.search_terms import Vocabulary
from dconv.model.tree import Manual
from dconv.readers import reader_of
from dconv.settings import Product
from dconv.sources.texts import ReleaseTexts, SourceText, names_product
from dconv.writers.pages.documents import DocumentPages, document_pages
from dconv.writers.pages.page import Published, Release
from dconv.writers.pages.versions import Versions, Volume

# "3.4", "2.6.12", "3.5-dev2": a version that numbers tell
NUMBERED = re.compile(r"(\d++(?:\.\d++)++)\S*")
CACHED = 2  # releases whose trees a process keeps: one that is rendered, and the one before it


@dataclass(frozen=True, slots=True)
class ReleaseIndex:
    """What the pages of other releases need of a release: its `documents`, and its newest `day`."""

    documents: Mapping[str, DocumentPages]
    day: str


def read_manual(content: bytes, path: str, product: Product, name: str) -> Manual:
    """Return the document `name` that the bytes `content` make in the dialect of `product`.

    `path` names the text in findings.  Raises `FormatError` if no reader reads such bytes;
    what is odd in a text is among the manual's diagnostics.
    """
    return reader_of(content, path)(content, path, product.dialect, name)


def read_text(text: SourceText) -> Manual:
    """Return the tree of `text`.  Raises `FormatError` and `ReadingTimeout`."""
    with time_limit(text.path, text.product.folder):
        return read_manual(text.content, text.path, text.product, text.setting.name)


def link_texts(texts: Sequence[SourceText], manuals: Sequence[Manual]) -> list[Manual]:
    """`manuals`, read from `texts`, one release's documents, linked forth and back."""
    linked: list[Manual] = []
    tables: dict[str, Symbols] = {}
    for text, manual in zip(texts, manuals, strict=True):
        product = text.product
        if product.name not in tables:
            files = [
                (other, its.setting.file)
                for its, other in zip(texts, manuals, strict=True)
                if its.product.name == product.name
            ]
            tables[product.name] = collect(files, product.dialect)
        linked.append(merge_into_entries(link(manual, tables[product.name], product.dialect)))
    return with_backlinks(linked)


def linked_beside(
    texts: ReleaseTexts, manuals: Sequence[Manual], beside: Sequence[Manual]
) -> tuple[list[Manual], Symbols]:
    """`manuals`, read from `texts` of one product, linked forth, and what links could lead to.

    They lead to `beside`, too: the manuals of the texts that stand beside.
    """
    dialect = texts.texts[0].product.dialect
    files = [text.setting.file for text in (*texts.texts, *texts.beside)]
    symbols = collect(zip((*manuals, *beside), files, strict=True), dialect)
    return [merge_into_entries(link(manual, symbols, dialect)) for manual in manuals], symbols


def read_texts(
    texts: ReleaseTexts, before: Callable[[str], None] | None = None
) -> list[Manual]:
    """The trees of the texts of a release, not yet linked; `before` is told what is next."""
    manuals: list[Manual] = []
    for text in texts.texts:
        if before is not None:
            before(f"{texts.name}: reading {text.setting.name}")
        manuals.append(read_text(text))
    return manuals


def cached_manuals(texts: ReleaseTexts) -> tuple[Manual, ...]:
    """As `read_texts`; the trees of the last releases are kept in this process."""
    return _cached_manuals(_Key(fingerprint(texts), texts))


@dataclass(frozen=True, slots=True)
class _Key:
    """Texts, compared by their fingerprint."""

    digest: str
    texts: ReleaseTexts = field(compare=False)


@lru_cache(maxsize=CACHED)
def _cached_manuals(key: _Key) -> tuple[Manual, ...]:
    return tuple(read_texts(key.texts))


def published(text: SourceText, manual: Manual) -> Published:
    """`manual` with what its setting, its own header and its origin say about it."""
    header = manual.header
    title = text.setting.title or header.subtitle or header.title or text.setting.name
    old_anchors = text.setting.name in text.product.old_links.documents
    return Published(
        manual, title, text.setting.description, text.origin, claim(manual), old_anchors,
        text.product.report,
    )


def claim(manual: Manual) -> str:
    """What pages say of `manual` as long as the proof does not say otherwise."""
    total = len(manual.source.lines)
    return f"{total:,} lines in, {total:,} accounted for"


def read_release(texts: ReleaseTexts, before: Callable[[str], None]) -> Release:
    """The texts of a release, parsed and linked; `before` is told what is read next."""
    return linked_release(texts, read_texts(texts, before), "")


def linked_release(texts: ReleaseTexts, manuals: Sequence[Manual], day: str) -> Release:
    """`manuals`, read from `texts`, as a release with what is known of it on the `day`."""
    linked = link_texts(texts.texts, manuals)
    documents = [
        published(text, manual) for text, manual in zip(texts.texts, linked, strict=True)
    ]
    life = texts.lifetime(day)
    vocabulary = texts.texts[0].product.vocabulary if texts.texts else Vocabulary()
    return Release(
        texts.product_name, texts.product_title, texts.version, tuple(documents), life.status,
        life.date, life.end, vocabulary,
    )


def other_release(texts: ReleaseTexts, manuals: Iterable[Manual]) -> tuple[Diagnostic, ...]:
    """The finding that `manuals`, read from `texts`, say that they are another release.

    The first that is called by the product's name, or has it below its title, speaks for
    all.  A text of 3.4 is that of 3.4.1 and of 3.4-dev5 too; versions without numbers are
    not compared.
    """
    wanted = NUMBERED.fullmatch(texts.version)
    names = (texts.product_title, texts.product_name) if texts.product_title else ()
    titled = [(manual.header.title, manual) for manual in manuals]
    for title, manual in (*titled, *((manual.header.subtitle, manual) for _, manual in titled)):
        told = NUMBERED.fullmatch(manual.header.version)
        if told and names_product(title, names):
            if wanted is None or _same_release(told[1], wanted[1]):
                return ()
            return (_finding(manual, texts.version),)
    return ()


def _finding(manual: Manual, version: str) -> Diagnostic:
    """That the header of `manual` tells another version than `version`, at its place."""
    told, span = manual.header.version, manual.header.span
    head = manual.source.lines[span.first - 1 : span.last] if span else ()
    line = next(line for line in head if told in line.text)
    return Diagnostic(
        manual.source.path, line.number, line.indent + line.text.index(told) + 1, "warning",
        "release-version", f"the text says {told}, the release is {version}",
    )


def _same_release(one: str, other: str) -> bool:
    """Whether two versions are the same as far as both go: 3.4 and 3.4.1."""
    return all(a == b for a, b in zip(one.split("."), other.split("."), strict=False))


def index_release(texts: ReleaseTexts, manuals: Sequence[Manual]) -> ReleaseIndex:
    """The index of the release whose `texts` were read as `manuals`."""
    dialects = [text.product.dialect for text in texts.texts]
    documents = document_pages(manuals, dialects[0].rule_sets if dialects else {})
    return ReleaseIndex(documents, newest_day(manuals))


def newest_day(manuals: Iterable[Manual]) -> str:
    """The newest date in the headers of `manuals`, or an empty string.

    It decides which releases are supported if the site names no date, so that a site depends
    on its texts alone.
    """
    return max((day_in(manual.header.date) for manual in manuals), default="")


def site_versions(
    releases: Sequence[ReleaseTexts], indexes: Sequence[ReleaseIndex], day: str
) -> dict[str, Versions]:
    """The releases of each product, by its name; `indexes` are those of `releases`."""
    volumes: dict[str, list[Volume]] = {}
    titles: dict[str, str] = {}
    for texts, index in zip(releases, indexes, strict=True):
        volume = Volume(texts.version, texts.lifetime(day), index.documents)
        volumes.setdefault(texts.product_name, []).append(volume)
        titles.setdefault(texts.product_name, texts.product_title)
    return {name: Versions(name, titles[name], tuple(listed)) for name, listed in volumes.items()}
