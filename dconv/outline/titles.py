"""Section titles: numbered and underlined, underlined only, or numbered only.

    4.2. Alphabetical list        Why a language        2.1. Binary form
    ----------------------        ==============
                                                        The text.

A document has one family of titles; which one is seen from its first titles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dconv.blocks import TitleBlock
from dconv.lines import Line
from dconv.outline import summary
from dconv.tree import Span

# "-----", "=====": one character, repeated
UNDERLINE = re.compile(r"([-=~^*+#])\1{2,}$")
# "4.2. Keywords", "10.1 Limits", "1) Style"
NUMBERED = re.compile(r"(\d+(?:\.\d+)*)[.)]?\s+(\S.*)$")
# "2.1. Binary form", without an underline: the dot is asked for
BARE_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2})*)[.)]\s+([A-Z\"'][^.]*(?:\.[^.\s][^.]*)*)$")
ROMAN = re.compile(r"([IVX]{1,6})\)\s+(\S.*)$")

NEAR = 3  # an underline may be that much longer or shorter than its title
LONGEST = 78  # characters of a title
DEEPEST = 8  # columns before a title


def find(lines: tuple[Line, ...], first: int, last: int) -> list[TitleBlock]:
    """The section titles among `lines[first:last]`, in order.

    Where titles are numbered, an unnumbered one before them counts if it can head
    a table of contents.
    """
    underlined = list(_underlined(lines, first, last))
    numbered = [title for title in underlined if title.number]
    if numbered:
        before = numbered[0].span.first
        contents = [
            title for title in underlined
            if title.span.first < before and title.indent == 0 and summary.is_title(title)
        ]
        return contents + numbered
    plain = [title for title in underlined if _fits(title, lines)]
    return plain or list(_bare(lines, first, last))


def _underlined(lines: tuple[Line, ...], first: int, last: int) -> Iterator[TitleBlock]:
    """Lines with a rule of one character below them at the same column."""
    for at in range(first, last - 1):
        rule = lines[at + 1]
        if len(rule.text) < 3 or rule.text[0] not in "-=~^*+#":
            continue
        line = lines[at]
        if not line.text or line.indent != rule.indent or line.text[-1] in "|+":
            continue
        mark = UNDERLINE.match(rule.text)
        if mark is None or UNDERLINE.match(line.text):
            continue
        span = Span(line.number, rule.number)
        match = NUMBERED.match(line.text)
        if match and line.indent == 0:
            yield TitleBlock(match[1], match[2], mark[1], line.indent, span)
        elif not match or line.indent:
            yield TitleBlock("", line.text, mark[1], line.indent, span)


def _fits(title: TitleBlock, lines: tuple[Line, ...]) -> bool:
    """True where an unnumbered title looks like one: near in length, alone, not deep."""
    before = title.span.first - 2
    alone = before < 0 or not lines[before].text
    length = title.span.last - 1
    near = abs(len(lines[length].text) - len(title.title)) <= NEAR
    return alone and near and title.indent <= DEEPEST and len(title.title) <= LONGEST


def _bare(lines: tuple[Line, ...], first: int, last: int) -> Iterator[TitleBlock]:
    """Numbered titles without a rule; in such documents also bare words over deeper text."""
    numbered = [at for at in range(first, last) if _bare_number(lines, at, last)]
    if len(numbered) < 2:
        return
    marked = set(numbered)
    for at in range(first, last):
        line = lines[at]
        if at in marked:
            match = BARE_NUMBERED.match(line.text) or ROMAN.match(line.text)
            assert match is not None
            yield TitleBlock(match[1], match[2], "", line.indent, Span(line.number, line.number))
        elif _bare_words(lines, at, last):
            yield TitleBlock("", line.text, "", line.indent, Span(line.number, line.number))


def _alone(lines: tuple[Line, ...], at: int, last: int) -> bool:
    before = at == 0 or not lines[at - 1].text
    return before and (at + 1 >= last or not lines[at + 1].text)


def _bare_number(lines: tuple[Line, ...], at: int, last: int) -> bool:
    line = lines[at]
    if line.indent > 4 or not line.text or len(line.text) > LONGEST:
        return False
    if not (line.text[0].isdigit() or line.text[0] in "IVX"):
        return False
    if not _alone(lines, at, last):
        return False
    return bool(BARE_NUMBERED.match(line.text) or ROMAN.match(line.text))


def _bare_words(lines: tuple[Line, ...], at: int, last: int) -> bool:
    line = lines[at]
    if line.indent or not line.text[:1].isupper() or len(line.text) > 40:
        return False
    if line.text[-1] in ".:;,?!" or not _alone(lines, at, last):
        return False
    following = at + 1
    while following < last and not lines[following].text:
        following += 1
    return following < last and lines[following].indent > 0
