"""Section titles: numbered and underlined, underlined only, or numbered only.

    4.2. Alphabetical list        Why a language        2.1. Binary form
    ----------------------        ==============
                                                        The text.

A document has one family of titles; its first titles decide which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dconv.model.source import Line
from dconv.model.tree import Span
from dconv.readers.text.blocks import TitleBlock
from dconv.readers.text.outline import summary

# "-----", "=====": one character, repeated
UNDERLINE = re.compile(r"([-=~^*+#])\1{2,}$")
# "4.2. Keywords", "10.1 Limits", "1) Style"
NUMBERED = re.compile(r"(\d{1,9}(?:\.\d{1,9})*)[.)]?\s+(\S.*)$")
# "2.1. Binary form", "2.1.1 Bits", without an underline
BARE_NUMBERED = re.compile(
    r"(\d{1,2}(?:\.\d{1,2})*)([.)]?)\s+([A-Z\"'][^.]*(?:\.[^.\s][^.]*)*)$"
)
ROMAN = re.compile(r"([IVX]{1,6})\)\s+(\S.*)$")

NEAR = 3  # an underline may be that much longer or shorter than its title
LONGEST = 78  # characters of a title
LONG = 40  # signs of a rule above a title
DEEPEST = 8  # columns before a title


def find(lines: tuple[Line, ...], first: int, last: int) -> list[TitleBlock]:
    """The section titles among `lines[first:last]`, in order.

    Before numbered titles, a title without a number counts only if it can head
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
        chapters = _overlined(lines, first, last)
        return contents + sorted([*numbered, *chapters], key=lambda title: title.span.first)
    plain = [title for title in underlined if _fits(title, lines)]
    return plain or list(_bare(lines, first, last))


def _underlined(lines: tuple[Line, ...], first: int, last: int) -> Iterator[TitleBlock]:
    """Lines with a rule of one character below them at the same column."""
    for at in range(first, last - 1):
        rule = lines[at + 1]
        if len(rule.text) < 3 or rule.text[0] not in "-=~^*+#":
            continue
        line = lines[at]
        if not line.text or line.indent != rule.indent or _is_row(line.text):
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


def _overlined(lines: tuple[Line, ...], first: int, last: int) -> Iterator[TitleBlock]:
    """Numbered lines alone below a long rule, as titles of chapters are beside underlined ones.

    ==================================================
    2. LAMPS AND LANTERNS

    The text.
    """
    for at in range(first + 1, last - 1):
        rule, line = lines[at - 1], lines[at]
        above = lines[at - 2].text if at - 2 >= first else ""
        if len(rule.text) < LONG or rule.indent or above or lines[at + 1].text:
            continue
        match = NUMBERED.match(line.text) if UNDERLINE.match(rule.text) else None
        if match and not line.indent:
            span = Span(line.number, line.number)
            yield TitleBlock(match[1], match[2], "", line.indent, span)


def _is_row(text: str) -> bool:
    """Whether `text` is a row or the border of a table, unlike the title "More about C++"."""
    return text[-1] in "|+" and text[0] in "|+"


def _fits(title: TitleBlock, lines: tuple[Line, ...]) -> bool:
    """Whether an unnumbered title looks like one: near in length, alone, not deep."""
    before = title.span.first - 2
    alone = before < 0 or not lines[before].text
    length = title.span.last - 1
    near = abs(len(lines[length].text) - len(title.title)) <= NEAR
    return alone and near and title.indent <= DEEPEST and len(title.title) <= LONGEST


def _bare(lines: tuple[Line, ...], first: int, last: int) -> Iterator[TitleBlock]:
    """Numbered titles without a rule; in such documents also bare words over deeper text."""
    numbered = _bare_numbers(lines, first, last)
    if len(numbered) < 2:
        return
    for at in range(first, last):
        line = lines[at]
        if at in numbered:
            number, title = numbered[at]
            yield TitleBlock(number, title, "", line.indent, Span(line.number, line.number))
        elif _bare_words(lines, at, last):
            yield TitleBlock("", line.text, "", line.indent, Span(line.number, line.number))


def _bare_numbers(
    lines: tuple[Line, ...], first: int, last: int
) -> dict[int, tuple[str, str]]:
    """Number and title at the index of each numbered title that has no rule.

    Such titles stand alone between blank lines, or each directly below the one
    that it is a part of: "4. Benefits" above "4.1. Layers".
    """
    numbers: dict[int, tuple[str, str]] = {}
    above = ""
    at = first
    while at < last:
        end = at
        run: list[tuple[str, str]] = []
        while end < last and (title := _bare_number(lines[end], above)):
            if run and not title[0].startswith(f"{above}."):
                break
            run.append(title)
            above = title[0]
            end += 1
        if run and _alone(lines, at, end, last):
            numbers.update(zip(range(at, end), run, strict=True))
        elif run:
            above = next(reversed(numbers.values()), ("",))[0]
        at = max(end, at + 1)
    return numbers


def _alone(lines: tuple[Line, ...], first: int, end: int, last: int) -> bool:
    """Whether blank lines are around the lines from `first` to `end`, the last excluded."""
    return (first == 0 or not lines[first - 1].text) and (end >= last or not lines[end].text)


def _bare_number(line: Line, above: str) -> tuple[str, str] | None:
    """Number and title of `line`, where it looks like a title that can follow number `above`.

    Without a dot behind, a number must be the next of its rank or the one after that.
    """
    if line.indent > 4 or not line.text or len(line.text) > LONGEST:
        return None
    if line.text[0] in "IVX":
        match = ROMAN.match(line.text)
        return (match[1], match[2]) if match else None
    match = BARE_NUMBERED.match(line.text) if line.text[0].isdigit() else None
    if match is None or not (match[2] or _follows(match[1], above)):
        return None
    return match[1], match[3]


def _follows(number: str, above: str) -> bool:
    """Whether `number`, as "2.2.1", comes next in the section of the number `above`."""
    *parent, place = map(int, number.split("."))
    before = [int(part) for part in above.split(".")] if above[:1].isdigit() else []
    if not parent or before[: len(parent)] != parent:
        return False
    reached = before[len(parent)] if len(before) > len(parent) else 0
    return 1 <= place - reached <= 2


def _bare_words(lines: tuple[Line, ...], at: int, last: int) -> bool:
    line = lines[at]
    if line.indent or not line.text[:1].isupper() or len(line.text) > 40:
        return False
    if line.text[-1] in ".:;,?!" or not _alone(lines, at, at + 1, last):
        return False
    following = at + 1
    while following < last and not lines[following].text:
        following += 1
    return following < last and lines[following].indent > 0
