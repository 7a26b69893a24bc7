"""The whole document on one page: to be read from end to end, searched and printed.

It has every anchor that haproxy-dconv gave the document, beside our own.  Where an old
anchor is also one of ours for another place (`#maxconn` meant the first of four), the old
one wins on this page, and ours gets the number of its section in front.

It holds as many entries as all other pages together, so the HTML writer leaves out

    mentions of an entry        searching in the browser would find each name in all these lists,
                                and paper cannot unfold them
    links of terms to themselves  readers should share the addresses of the sections' pages,
                                which load faster; the anchors stay
    filters of keyword tables   searching in the browser finds the row
    links to other releases     they are useless on paper
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from dconv.model.tree import Section, Span, text_span
from dconv.writers.html import document_start, flow
from dconv.writers.html.context import PageContext, anchor_attributes, empty_anchors
from dconv.writers.html.marks import DATA_ADDED, mark_source
from dconv.writers.legacy.old_anchors import BOTTOM, PAGE_ANCHORS, SUMMARY, anchor_table
from dconv.writers.pages.addresses import Addresses, further_anchors, image_address
from dconv.writers.pages.page import ReleaseDocument

# An empty script: browsers parse long pages for half a second before they paint, but after a script
# they soon paint what is parsed, such as the target of the address.
PAUSE = f'<script type="text/plain"{DATA_ADDED}></script>\n'
MIN_PAUSE_INTERVAL = 32_000  # characters of HTML
TOP_LEVEL = 2  # of the headings of chapters; the title of the document is above


def single_page(
    document: ReleaseDocument, outline: Iterable[tuple[Section, int]], path: str,
    addresses: Addresses,
) -> str:
    """The HTML of all of `document` for the page `path`.

    `outline` are its sections in source order, each with its depth, counted from 0.
    """
    manual = document.manual
    renamed: Mapping[str, str] = {}
    aliases_by_anchor: Mapping[str, list[str]] = further_anchors(manual)
    if document.has_old_anchors:
        renamed, aliases_by_anchor = _old_anchors(document)
    resolve = addresses.from_page(path, manual.name, renamed)
    context_of_page = PageContext(
        resolve, single_page=True, level=TOP_LEVEL, aliases=aliases_by_anchor, renamed=renamed,
        image=image_address(document, f"{manual.name}/"),
    )
    contents = document_start.contents(manual, context_of_page)
    if document.has_old_anchors and contents:
        contents = empty_anchors(anchor_attributes(SUMMARY)) + contents
    parts = [
        document_start.title_block(manual, document.title),
        document_start.preface(manual, context_of_page), contents,
        section_texts(outline, context_of_page),
    ]
    if document.has_old_anchors:
        parts.append(empty_anchors(anchor_attributes((BOTTOM,))))
    return "".join(parts)


def section_texts(
    outline: Iterable[tuple[Section, int]], context_of_page: PageContext,
    without_heading: Section | None = None,
) -> str:
    """The HTML of the sections of `outline` one after the other, each with its depth from 0.

    The section `without_heading` has its heading elsewhere.  On the single page each is a part that
    the browser lays out when it comes near.
    """
    texts: list[str] = []
    length_since_pause = 0
    for section, depth in outline:
        context = replace(context_of_page, level=TOP_LEVEL + 1 + depth)
        heading = flow.heading(section, TOP_LEVEL + depth, context)
        pieces = [] if section is without_heading else [heading]
        for block in section.body:
            pieces.append(flow.blocks((block,), context))
            length_since_pause += len(pieces[-1])
            if context.single_page and length_since_pause >= MIN_PAUSE_INTERVAL:
                pieces.append(PAUSE)
                length_since_pause = 0
        span = text_span(section)
        if section is without_heading:
            span = Span(section.title_span.last + 1, span.last)
        text = mark_source(span, "".join(pieces)) if pieces else ""
        texts.append(f'<div class="part">\n{text}</div>\n' if context.single_page else text)
    return "".join(texts)


def _old_anchors(document: ReleaseDocument) -> tuple[Mapping[str, str], Mapping[str, list[str]]]:
    """New names of our anchors that were of another place, and old anchors by our anchors."""
    old_anchors = anchor_table(document.manual)
    anchors_of_preface, *anchors_of_sections = document.anchors
    sections_of = dict.fromkeys(anchors_of_preface, "")  # our anchors in source order
    for anchors in anchors_of_sections:
        for anchor in anchors:
            sections_of.setdefault(anchor, anchors[0])
    renamed = _renamed(sections_of, old_anchors)
    used_anchors = sections_of.keys() - renamed.keys() | {*renamed.values()}
    aliases_by_anchor: dict[str, list[str]] = {}
    for old, anchor in (*old_anchors.items(), *document.manual.aliases):
        if old not in used_anchors:
            used_anchors.add(old)
            aliases_by_anchor.setdefault(anchor, []).append(old)
    return renamed, aliases_by_anchor


def _renamed(sections_of: Mapping[str, str], old_anchors: Mapping[str, str]) -> dict[str, str]:
    """New names of our anchors that were of another place.

    `sections_of` maps our anchors to those of their sections, empty before the first section;
    `old_anchors` maps old anchors to ours.
    """
    used_anchors = {*sections_of, *(old for old, anchor in old_anchors.items() if old != anchor)}
    renamed: dict[str, str] = {}
    for anchor, section in sections_of.items():
        if anchor in PAGE_ANCHORS or old_anchors.get(anchor, anchor) != anchor:
            name = f"{section}-{anchor}"
            if old_anchors.get(name) != anchor:
                while name in used_anchors:
                    name += "-"
            used_anchors.add(name)
            renamed[anchor] = name
    return renamed
