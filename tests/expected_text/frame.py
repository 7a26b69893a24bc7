"""The lines around the text: header, summary, footer, titles and what underlines them."""

from __future__ import annotations

import re

from dconv.model.tree import Manual, Section, Span
from expected_text.expectation import Account
from expected_text.pieces import QUOTE

# "-----", "=====": below a title
UNDERLINE = re.compile(r"([^\w\s])\1{2,}$")
# "4.2.", "3)", "IV)": before a title
NUMBER = re.compile(r"(\d+(?:\.\d+)*|[IVX]+)[.)]?$")


def frame(manual: Manual, found: Account) -> None:
    lines = manual.source.lines
    if manual.header.span is not None:
        found.own(manual.header.span, "header")
        rows = {row.line: row.text for row in manual.header.rows}
        for number in range(manual.header.span.first, manual.header.span.last + 1):
            words = rows.get(number, "").replace(QUOTE, "").split()
            if words != found.words[number]:
                found.drop("header rule or label", number)
            found.move(number, words)
    if manual.summary_span is not None:
        found.own(manual.summary_span, "summary")
        first = manual.summary_span.first
        for number in range(first, manual.summary_span.last + 1):
            _summary_line(found, number, number - first)
    if manual.footer is not None:
        found.own(manual.footer, "footer")
        for number in range(manual.footer.first, manual.footer.last + 1):
            found.words[number] = []
            if lines[number - 1].text:
                found.drop("editor's footer", number)


def _summary_line(found: Account, number: int, place: int) -> None:
    """The title of the summary (at `place` 0), its underline (1), or the line of a section."""
    text = found.source.lines[number - 1].text.replace(QUOTE, "")
    words = text.split()
    if place == 0:
        words = text.rstrip(" :").split()
    elif place == 1 and UNDERLINE.match(text):
        words = []
        found.drop("underline", number)
    elif words and (match := NUMBER.match(words[0])) and match[1][0].isdigit():
        words[0] = match[1]
    if words and words != text.split():
        found.drop("dot or colon of the summary", number)
    found.move(number, words)


def title(section: Section, found: Account) -> None:
    span = section.title_span
    found.own(span, "title")
    words = found.words[span.first]
    match = NUMBER.match(words[0]) if words and section.number else None
    if match and match[1] != words[0]:
        words[0] = match[1]
        found.drop("dot behind a number", span.first)
    found.open(span.first)
    underline(span, found)


def underline(span: Span, found: Account) -> None:
    for number in range(span.first + 1, span.last + 1):
        if UNDERLINE.match(found.source.lines[number - 1].text):
            found.words[number] = []
            found.drop("underline", number)
