"""From the texts of a release to what pages show of it: its linked trees, and what is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dconv.build.read import link_texts, read_texts
from dconv.model.search_terms import Vocabulary
from dconv.model.tree import Manual
from dconv.sources.texts import ReleaseTexts, SourceText
from dconv.writers.pages import Published, Release


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
