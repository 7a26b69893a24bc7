"""The anchors that haproxy-dconv gave a manual, and our places for them.

Links to its pages are all over the web.  It knew sections by their numbers and, at
the left margin, keywords by the words that a line starts with; for each of these
words K (`option`, then `option httplog`) of section 4.2 in chapter 4 it wrote

    #4.2  #chapter-4.2                                  the section
    #K  #4-K  #4.2-K  #K (title of 4)  #K (title of 4.2)  the keyword

and a name that was written twice meant the first place.  It took any line of a certain form
for a keyword, and so does this module, so that every link finds its place.  Format:
https://github.com/cbonte/haproxy-dconv, `parser/keyword.py` and `parser/converter.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from dconv.linking.similarity import leading_words
from dconv.model.tree import Block, Entry, Example, Manual, Section, SeeAlso, Table, sections
from dconv.model.values import dataclass

# "option httplog", "req.hdr(": words at the left margin, then arguments in parentheses
NAME = re.compile(r"(?P<name>[a-z0-9+_.-]*[a-z0-9+_)-](?: [a-z0-9_-]+)*)(?:\([^ ]*\))?")
# "", " <timeout>", " /<path>", " : integer", " [ <x> ] (deprecated)": what may follow a name
PARAMETERS = re.compile(r"(?: +(?:/?[<\[{].*|: [a-z0-9 +]+)?(?:\(deprecated\))?)?$")
# "section 4.2": a link already when haproxy-dconv looked for keywords
SECTION = re.compile(r"section [0-9]+(?:.[0-9]+)*")
LINK = "\0"  # which no name and no parameter starts with
RULE = re.compile(r"[-+]+$")  # the border of a table, or an underline
MAX_WORDS = 4
BOTTOM, SUMMARY = "bottom", ("summary", "chapter-summary")
PAGE_ANCHORS = ("top", BOTTOM, *SUMMARY)  # of other places than sections and keywords


@dataclass(frozen=True, slots=True)
class OldSection:
    """A numbered section as haproxy-dconv saw it; `anchor` is ours.

    `titles` are its chapter's and its own, as the old table of contents had them.  `keywords` are
    the names that its lines define, in source order, each with our anchor.
    """

    number: str
    titles: tuple[str, str]
    anchor: str
    keywords: tuple[tuple[str, str], ...]


def anchor_table(manual: Manual) -> dict[str, str]:
    """Every old anchor of the sections and keywords of `manual` with our anchor for its place."""
    table: dict[str, str] = {}
    for section in old_sections(manual):
        table.setdefault(section.number, section.anchor)
        table.setdefault(f"chapter-{section.number}", section.anchor)
        for name, anchor in section.keywords:
            for old in _keyword_anchors(name, section):
                table.setdefault(old, anchor)
    for name in PAGE_ANCHORS:
        table.pop(name, None)
    return table


def _keyword_anchors(name: str, section: OldSection) -> Iterator[str]:
    """The anchors of a keyword for each of its `leading_words`."""
    top_number = section.number.partition(".")[0]
    for part in leading_words(name):
        yield part
        yield f"{top_number}-{part}"
        yield f"{section.number}-{part}"
        for title in section.titles:
            yield f"{part} ({title})"


def old_sections(manual: Manual) -> Iterator[OldSection]:
    """The sections and keywords of `manual` as haproxy-dconv saw them, in source order."""
    titles = _titles(manual)
    for section in sections(manual):
        number, title = _number_and_title(manual, section.title_span.first)
        if not number or not section.number:
            continue
        chapter_title = titles.get(number.partition(".")[0], title)
        old_titles = (chapter_title, titles.get(number, title))
        yield OldSection(number, old_titles, section.anchor, tuple(_keywords(manual, section)))


def _titles(manual: Manual) -> Mapping[str, str]:
    """The titles by number; those of the source's own table of contents come first."""
    lines = [_number_and_title(manual, line.line) for line in manual.contents]
    titles = {number: title for number, title in lines if number}
    for section in sections(manual):
        number, title = _number_and_title(manual, section.title_span.first)
        if number:
            titles.setdefault(number, title)
    return titles


def _number_and_title(manual: Manual, line: int) -> tuple[str, str]:
    """The number and the title in a `line` of `manual`: what is before and after its last dot."""
    number, _, title = manual.source.lines[line - 1].text.rpartition(".")
    return number, title.strip()


def _keywords(manual: Manual, section: Section) -> Iterator[tuple[str, str]]:
    """The keywords of `section`'s own lines, each with our anchor for its place."""
    anchors = _anchors_by_line(section)
    excluded = _excluded_lines(section)
    last = section.sections[0].title_span.first - 1 if section.sections else section.span.last
    for line in manual.source.lines[section.title_span.last : last]:
        if line.indent or not line.text or line.number in excluded:
            continue
        name = keyword(line.text)
        if name:
            yield name, anchors.get(line.number, section.anchor)


@lru_cache(maxsize=1 << 14)  # releases of a product have most lines in common
def keyword(line: str) -> str:
    """The keyword that `line` starts with, judged by its form; empty if there is none."""
    if RULE.match(line):
        return ""
    text = SECTION.sub(LINK, line)
    match = NAME.match(text)
    if match is None or not PARAMETERS.match(text, match.end()):
        return ""
    name = match["name"]
    return name if name.count(" ") < MAX_WORDS else ""


def _anchors_by_line(section: Section) -> dict[int, str]:
    """Our anchors for the lines of entries; the first line of a signature has the signature's."""
    anchors: dict[int, str] = {}
    for block in section.body:
        if isinstance(block, Entry):
            anchors.update(dict.fromkeys(_lines(block), block.anchor))
            anchors.update(
                (signature.span.first, signature.anchor) for signature in block.signatures
            )
    return anchors


def _excluded_lines(section: Section) -> set[int]:
    """The lines without keywords, whatever their form: tables, examples, "See also"."""
    lines: set[int] = set()
    for block in section.body:
        for node in block.body if isinstance(block, Entry) else (block,):
            if isinstance(node, Table | Example | SeeAlso):
                lines.update(_lines(node))
    return lines


def _lines(block: Block) -> range:
    return range(block.span.first, block.span.last + 1)
