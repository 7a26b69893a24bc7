"""From the texts of a release to its linked trees, with what is said about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dconv import lines
from dconv.backlinks import with_backlinks
from dconv.facts import joined
from dconv.link import link
from dconv.nest import nest
from dconv.pages import Published, Release
from dconv.scan import scan
from dconv.settings import Product
from dconv.symbols import Symbols, collect
from dconv.texts import ReleaseTexts, SourceText
from dconv.tree import Manual
from dconv.vocabulary import Vocabulary


def read_manual(content: bytes, path: str, product: Product, name: str) -> Manual:
    """The text `content` as a tree: the document `name` in the dialect of `product`.

    `path` is the file's name for findings.  Never raises: what is odd in the
    text is told in the manual's diagnostics.
    """
    source = lines.read(content, path)
    return nest(scan(source), source, product.dialect, name)


def read_text(text: SourceText) -> Manual:
    """The tree of `text`."""
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
        linked.append(joined(link(manual, tables[product.name], product.dialect)))
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
    return [joined(link(manual, symbols, dialect)) for manual in manuals], symbols


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
