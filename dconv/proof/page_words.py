"""The words that pages show, and for which lines of the source.

The pages carry two kinds of marks: `<!--text 12-40-->` … `<!--/text-->` around the text of
lines 12 to 40, where words must come in the tree's order and nothing else may appear, and
`data-lines="15"` on elements whose words became data and are apart; "+3" counts from the
`data-from` of the card around.  Elements with `data-added` hold what the source does not say.

The patterns are the tags that `html` writes around source text.  Any other tag is a word that no
source has, whether it hides text ("<p hidden>", "<template>", "<!--") or changes its meaning
("<ol>" without numbers, a "<td>" over two rows).
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from functools import cache

from dconv.model.values import dataclass
from dconv.proof.differences import UNKNOWN_TAG
from dconv.proof.leaves import BREAK, CELL

START, END = "<!--text ", "<!--/text-->"  # around the lines 3 to 8: "<!--text 3-8-->"
MARKED = re.compile(
    r"<(\w+)\b[^>]*?\sdata-(?:added|lines=\"(\+?)(\d+)(?:-(\d+))?\")[^>]*>"
    r'|<dl class="card" data-from="(?P<start>\d+)">'
)
TAG = re.compile(r"<[^>]*>")
# in place of a character on a page with few characters besides ASCII
CHARACTER_REFERENCE = re.compile(r"&#(\d+);")
# not on the single page: versions of an entry, backlinks, the filter of a matrix, links to
# letters, and some of the tags of words; only there: empty scripts
NOT_ON_BOTH_PAGES = re.compile(
    r'<dt data-added>Versions</dt><dd data-added>(?s:.*?)</dd>\n'
    r'|<dl class="card" data-added>(?s:.*?)</dl>\n'
    r'|<(?:p|details) class="backlinks" data-added>.*\n|<div class="filter.*\n'
    r'|<nav class="letters"[^>]* data-added>(?s:.*?)</nav>\n'
    r'|<script type="text/plain" data-added></script>\n'
    r"|</?(?:a|b|var)\b[^>]*>"
)
# a label at the head of a paragraph or a figure
LABEL = re.compile(r"(<(?:p|figcaption)\b[^>]*><b>[^<]*</b>)")
UNKNOWN_TAG_START = f"{UNKNOWN_TAG}<"  # for the "<" of an unknown tag
_STYLE = "com|dir|num|op|sec|str|var"  # of words in examples
_ID = r'(?: id="[^"]*")?'

# tags that are inside a word; a run of others starts a block
INLINE = re.compile(
    r"</(?:a|b|code|del|em|i|small|span|strong|sup|var)>|<(?:b|code|del|em|i|strong|var)>"
    r'|<code class="literal">'
    r'|<br class="line">'
    rf'|<a href="[^"]*"(?: (?:class="(?:from|literal|{_STYLE})"|rel="external"))?>'
    r'|<a class="var" href="[^"]*">'
    r'|<a href="[^"]*"(?: id="[^"]*")?(?: name="[^"]*")?>'
    r'|<a id="[^"]*"(?: name="[^"]*")?>|<a name="[^"]*">'
    rf'|<span (?:class="(?:number|marker|separator|prompt|output|{_STYLE})"|id="[^"]*")>'
    r'|<span class="hidden">(?=[^<]*</span>[^<]*</span>)'
)
_BLOCK_TAG = (
    r"(?:</(?:p|li|dt|td|th|tr|thead|tbody|table|div|section|aside|blockquote|figure|figcaption|h[1-6])>"
    r"|<br>|</dd>(?!\s*<dd)|</dl>(?<!</dt>\n</dl>)|</[uo]l>"
    rf"|<(?:blockquote|li|dd|figcaption|thead|tbody|dt{_ID}|tr{_ID}(?: class=\"letter\")?)>"
    r'|<span class="(?:yes(?: (?:[Xx]|stated))?|no(?: -)?|stated)">'
    rf'|<p(?:{_ID} class="(?:label|labelled|lead|lead long|see-also|title)")?>'
    rf'|<h[1-6]{_ID} class="(?:label|section|title|name signatures)">'
    r'|<dl(?: class="card" data-from="\d+">|>(?=\s*<dt))'
    # an item's number is between two tags by now: "<li> 3 <li>"
    r'|<ul>(?!\s*<li> \S* <li>)'
    r'|<ol(?: type="[aA]"| class="marked")?>(?=\s*<li> \S* <li>)'
    r'|<section id="[^"]*" class="entry">'
    r'|<aside class="(?:note|warning|footnote" id="[^"]*)" role="note">|<figure class="example">'
    r'|<div class="(?:narrow|table(?: wide)?" role="group" aria-label="Table" tabindex="0)">'
    r'|<table class="(?:columns|grid|matrix|pipes|ruled|summary)">'
    r")"
)
BLOCK = re.compile(rf"{_BLOCK_TAG}\s*(?:{_BLOCK_TAG}\s*)*")  # found by its first character
PRE = re.compile(
    r'<pre tabindex="0" class="(?:language-[^"]*|drawing(?: c\d+)?)">\n?(.*?)</pre>', re.DOTALL
)
# the state of a chip: '<span class="yes">defaults</span>', which the theme marks with a tick
CHIP = re.compile(r'(<span class="(?:(yes)|yes ([Xx])|no (-))">(?:(?!</span>).)*)</span>')
# the number of an item: the browser writes it, or it is in the text
ITEM = re.compile(r"<li value=\"(\d+)\">|<li><span class=\"marker\">([^<]*)</span>")
# the text of an image counts: <img src="a.png" alt="words">
IMAGE = re.compile(rf'<img src="[^"]*" alt="([^"]*)"{_ID}>')
CELL_START = re.compile(
    r'<td(?: colspan="(\d+)")?(?: class="(?:yes(?: named)?|no)")?>'
    r'|<th scope="(?:col|colgroup|row)"(?: colspan="(\d+)")?>'
)
# a cell of a head that names nothing is not a name of a column
HEAD = re.compile(r"<thead>.*?</thead>", re.DOTALL)
HEAD_CELL_WITH_TEXT = re.compile(r"<td(?=[^>]*>\s*[^<\s])")
# elements whose words became data
ELEMENT_WITH_LINES = re.compile(
    rf'<(?:code{_ID} class="signature(?: bare)?"|dd|span|h2|a href="[^"]*")'
    r' data-lines="\+?\d+(?:-\d+)?"(?: class="chips")?>'
)


@dataclass(frozen=True, slots=True)
class MarkedText:
    """The words that a page shows for the lines `first` to `last`.

    `out_of_flow` is true for those that are outside the running text.
    """

    first: int
    last: int
    words: list[str]
    out_of_flow: bool = False


def read_pages(pages: Iterable[str]) -> Iterator[MarkedText]:
    """The marked texts that `pages` show."""
    for page in pages:
        around, regions = _regions(page)
        marked_texts: list[MarkedText] = []
        if " data-lines=" in around:
            _without_marked_elements(around, marked_texts)
        yield from marked_texts
        for first, last, region in regions:
            marked_texts = []
            text = _without_marked_elements(region, marked_texts)
            yield from marked_texts
            yield MarkedText(first, last, _words(text))


def plain_texts(page: str) -> list[tuple[int, int, str]]:
    """The text of each marked text of `page`, without markup, and what is apart around them."""
    texts: list[tuple[int, int, str]] = []
    around, regions = _regions(page)
    for first, last, region in regions:
        text = TAG.sub(" ", NOT_ON_BOTH_PAGES.sub("", region))
        texts.append((first, last, CHARACTER_REFERENCE.sub(lambda match: chr(int(match[1])), text)))
    out_of_flow: list[MarkedText] = []
    if " data-lines=" in around:
        _without_marked_elements(around, out_of_flow)
    return [*((text.first, text.last, " ".join(text.words)) for text in out_of_flow), *texts]


def _regions(page: str) -> tuple[str, list[tuple[int, int, str]]]:
    """The text around the marked texts of `page`, and the marked texts with their lines."""
    before, *parts = page.split(START)
    rest_of_page = [before]
    regions: list[tuple[int, int, str]] = []
    for part in parts:
        span, _, around = part.partition("-->")
        region, _, after = around.partition(END)
        first, _, last = span.partition("-")
        regions.append((int(first), int(last), region))
        rest_of_page.append(after)
    return "".join(rest_of_page), regions


def _words(text: str) -> list[str]:
    """The words of a piece of HTML, with the limits of its blocks and cells."""
    if "<pre" not in text:
        return _prose(text)
    words: list[str] = []
    for index, part in enumerate(PRE.split(text)):
        if index % 2:
            words += [BREAK, *html.unescape(_mark_unknown_tags(INLINE.sub("", part))).split("\n")]
        else:
            words += _prose(part)
    return words


def _prose(text: str) -> list[str]:
    if "<" not in text:
        return html.unescape(text).split()
    if '<span class="' in text:
        text = CHIP.sub(r"\1 \2\3\4</span>", text)
    if "<img" in text:
        text = IMAGE.sub(r"\1", text)
    if "<li" in text:
        text = ITEM.sub(r"<li> \1\2 <li>", text)
    if "><b>" in text:
        text = LABEL.sub(r"\1<li>", text)
    if "<table" in text:
        unknown_cell = f"{UNKNOWN_TAG_START}td"
        text = HEAD.sub(lambda head: HEAD_CELL_WITH_TEXT.sub(unknown_cell, head[0]), text)
        text = CELL_START.sub(rf" {CELL}\1\2 ", text)
    words = html.unescape(_mark_unknown_tags(BLOCK.sub(f" {BREAK} ", INLINE.sub("", text)))).split()
    if words[-1:] == [BREAK]:
        words.pop()
    return words


def _mark_unknown_tags(text: str) -> str:
    """`text` without its known tags, where others become words that no source has."""
    return text.replace("<", UNKNOWN_TAG_START) if "<" in text else text


def _without_marked_elements(region: str, marked_texts: list[MarkedText]) -> str:
    """`region` without its marked elements, whose words are put into `marked_texts`."""
    parts: list[str] = []
    end = start = 0
    for match in MARKED.finditer(region):
        if match["start"]:
            start = int(match["start"])
            continue
        if match.start() < end:
            continue
        parts.append(region[end : match.start()])
        end = _element_end(region, match.end(), match[1])
        if match[3]:
            content = _without_marked_elements(region[match.end() : end], marked_texts)
            card_start = start if match[2] else 0
            first = card_start + int(match[3])
            last = card_start + int(match[4]) if match[4] else first
            is_known = ELEMENT_WITH_LINES.fullmatch(match[0])
            words = _words(content) if is_known else [UNKNOWN_TAG_START + match[0], content]
            marked_texts.append(MarkedText(first, last, words, out_of_flow=True))
    parts.append(region[end:])
    return "".join(parts)


@cache
def _element_end(text: str, start: int, tag: str) -> int:
    """The place after the end tag of the element whose content starts at `start`."""
    end = text.find(f"</{tag}>", start)
    if end >= 0 and text.find(f"<{tag}", start, end) < 0:
        return end + len(tag) + 3
    depth = 1
    for match in re.compile(rf"<(/?){tag}\b[^>]*>").finditer(text, start):
        depth += -1 if match[1] else 1
        if depth == 0:
            return match.end()
    return len(text)
