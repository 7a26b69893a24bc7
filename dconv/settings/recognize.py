"""Which product does a text belong to?"""

from __future__ import annotations

from pathlib import Path

from dconv.model.file_names import file_name
from dconv.settings.types import AnyProduct, DocumentSetting, ProductSummary, unlisted_document

HEAD_LINES = 40  # lines at the start of a text that are searched

# File names that belong to no product alone.
COMMON_NAMES = frozenset({"faq", "guide", "index", "intro", "manual", "notes", "readme"})


def recognize(
    products: tuple[AnyProduct, ...], text_head: str, path: str
) -> tuple[AnyProduct, DocumentSetting] | None:
    """The product and document of a text that starts with `text_head`, or None.

    The patterns of the products are searched in the first 40 lines; of several
    products that match, one with a document of the file at `path` wins, then the longest
    match, then the later product.  If none matches, the product with a document of that
    file name, unless it is a common name such as "manual.txt".
    """
    head = "\n".join(text_head.split("\n", HEAD_LINES)[:HEAD_LINES])
    file = file_name(path)
    best: AnyProduct | None = None
    highest = (0, 1)  # the lowest rank of a product that matches
    for product in products:
        rank = _match_rank(product, head, file)
        if rank >= highest:
            best, highest = product, rank
    return None if best is None else (best, _document(best, head, file))


def _match_rank(product: ProductSummary, head: str, file: str) -> tuple[int, int]:
    """How well `product` matches: 0 to 2, and the length of its longest match in `head`."""
    has_file = any(document.file == file for document in product.documents)
    length = max([
        len(match[0]) for pattern in product.recognize for match in pattern.finditer(head)
    ], default=0)
    if length:
        return (2 if has_file else 1, length)
    return (0, int(has_file and Path(file).stem.lower() not in COMMON_NAMES))


def _document(product: ProductSummary, head: str, file: str) -> DocumentSetting:
    """The document of `product` by its file's name, else the first whose title is in `head`."""
    for document in product.documents:
        if document.file == file:
            return document
    text = head.lower()
    positions = {document: text.find(document.title.lower()) for document in product.documents}
    titled = [document for document in product.documents if positions[document] >= 0]
    return min(titled, key=lambda document: positions[document], default=unlisted_document(file))
