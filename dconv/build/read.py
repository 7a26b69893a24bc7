"""From the texts of a release to its linked trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dconv.linking.backlinks import with_backlinks
from dconv.linking.keyword_tables import joined
from dconv.linking.link import link
from dconv.linking.symbols import Symbols, collect
from dconv.model import source as lines
from dconv.model.tree import Manual
from dconv.readers.text.nest import nest
from dconv.readers.text.scan import scan
from dconv.settings import Product
from dconv.sources.texts import ReleaseTexts, SourceText


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
