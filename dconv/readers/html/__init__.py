"""The reader of HTML manuals, whether other generators or people wrote them."""

from __future__ import annotations

import codecs
import re
from collections import Counter

from bs4 import Tag

from dconv.model.diagnostics import Diagnostic
from dconv.model.dialect import Dialect
from dconv.model.file_names import file_stem
from dconv.model.source import decoded_text
from dconv.model.tree import Header, HeaderRow, Manual
from dconv.readers.extracted_text import ParsedDocument, build_manual
from dconv.readers.html.blocks import BlockReader
from dconv.readers.html.expected_words import expected_words
from dconv.readers.html.inlines import link_places
from dconv.readers.html.outline import outline
from dconv.readers.html.page import main_page
from dconv.readers.html.soup import attribute, elements, parse, text_of

BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
HEAD_BYTES = 4096  # bytes in which a page names its encoding
# '<meta charset="utf-8">', 'charset=iso-8859-1', '<?xml version="1.0" encoding="latin1"?>'
CHARSET = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w:.-]{1,40})", re.IGNORECASE)
# beginnings of the names that Python gives to encodings of pages, but those of Unicode
ENCODINGS = (
    "ascii", "iso8859", "cp", "koi8", "mac-", "gb", "big5", "euc", "shift_jis", "iso2022", "tis",
)
TITLE = re.compile(r"<title\b[^>]*>[^<\n]*", re.IGNORECASE)
TITLE_END = re.compile(r"</title\b", re.IGNORECASE)
# encodings that browsers read as Windows-1252
AS_WINDOWS_1252 = frozenset(("ascii", "iso8859-1", "cp1252"))
# a link or image: '<a href="other.html#part"', "<img alt=x src=lamp.png"
LINK = re.compile(
    r"<(?:a|img)\s(?:[^<>]*?\s)?(?:href|src)\s*=\s*[\"']?(?P<target>[^\"'<>\s]+)", re.IGNORECASE
)
DATES = ("date", "dc.date", "dcterms.date", "last-modified")  # names of <meta> with a date


def read(content: bytes, path: str, dialect: Dialect, name: str) -> Manual:
    """Read HTML: `content` (bytes) to the manual `name`; never raises."""
    text, findings = _decoded(content, path)
    if TITLE_END.search(text) is None:  # else all that follows is in the title
        text = TITLE.sub(r"\g<0></title>", text, count=1)
    soup = parse(text)
    metadata = _head_metadata(soup)
    html_page = main_page(soup, path)
    block_reader = BlockReader(html_page.li_numbers)
    page_outline = outline(block_reader, html_page.root)
    only_title = page_outline.sections[0].title if len(page_outline.sections) == 1 else ""
    title = page_outline.title or only_title or metadata.get("title", "") or file_stem(path)
    rows = (HeaderRow(0, page_outline.title),) if page_outline.title else ()
    header = Header(
        title, date=metadata.get("date", ""), author=metadata.get("author", ""),
        span=page_outline.title_span, rows=rows, description=metadata.get("description", ""),
    )
    words = expected_words(text, html_page, block_reader.li_name_lengths, dropped=Counter())
    return build_manual(ParsedDocument(
        path, header, page_outline.preface, page_outline.sections, findings, words,
        page_outline.ids, link_places(text, LINK),
    ), name)


def _decoded(content: bytes, path: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """The text of `content` by its byte order mark or the encoding it names, else as UTF-8."""
    charset = CHARSET.search(content[:HEAD_BYTES])
    if charset is None or content.startswith(BYTE_ORDER_MARKS):
        return decoded_text(content, path)
    try:
        encoding = codecs.lookup(charset[1].decode("ascii", "replace")).name
    except LookupError:
        return decoded_text(content, path)
    if not encoding.startswith(ENCODINGS):
        return decoded_text(content, path)
    text = content.decode("cp1252" if encoding in AS_WINDOWS_1252 else encoding, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n"), ()


def _head_metadata(soup: Tag) -> dict[str, str]:
    """What the head of a page says about it: title, date, author, description."""
    metadata: dict[str, str] = {}
    for element in elements(soup):
        if element.name == "title" and "title" not in metadata:
            metadata["title"] = " ".join(text_of(element).split())
        elif element.name == "meta":
            name = attribute(element, "name").casefold()
            name = "date" if name in DATES else name
            if name in ("date", "author", "description"):
                metadata.setdefault(name, " ".join(attribute(element, "content").split()))
        elif element.name == "body":
            break
    return metadata
