"""The lines around the text: header, summary, footer, titles and what underlines them."""

from __future__ import annotations

import re

from dconv.model.tree import Manual, Section, Span
from expected_text.expectation import ExpectedText
from expected_text.pieces import QUOTE

# "-----", "=====": below a title
UNDERLINE = re.compile(r"([^\w\s])\1{2,}$")
# before the number of a section in a table of contents
BULLETS = frozenset("o?*•·-")
# "4.2.", "3)", "IV)": before a title
NUMBER = re.compile(r"(\d+(?:\.\d+)*|[IVX]+)[.)]?$")


def frame(manual: Manual, expected: ExpectedText) -> None:
    lines = manual.source.lines
    if manual.header.span is not None:
        expected.own(manual.header.span, "header")
        rows = {row.line: row.text for row in manual.header.rows}
        for number in range(manual.header.span.first, manual.header.span.last + 1):
            words = rows.get(number, "").replace(QUOTE, "").split()
            if words != expected.words[number]:
                expected.drop("header rule or label", number)
            expected.move(number, words)
    if manual.contents_span is not None:
        expected.own(manual.contents_span, "summary")
        first = manual.contents_span.first
        for number in range(first, manual.contents_span.last + 1):
            _summary_line(expected, number, number - first)
    if manual.footer is not None:
        expected.own(manual.footer, "footer")
        for number in range(manual.footer.first, manual.footer.last + 1):
            expected.words[number] = []
            if lines[number - 1].text:
                expected.drop("editor's footer", number)


def _summary_line(expected: ExpectedText, number: int, place: int) -> None:
    """The title of the summary (at `place` 0), its underline (1), or the line of a section."""
    text = expected.source.lines[number - 1].text.replace(QUOTE, "")
    words = text.split()
    if place == 0:
        words = text.rstrip(" :").split()
    elif place == 1 and UNDERLINE.match(text):
        words = []
        expected.drop("underline", number)
    else:
        if len(words) > 1 and words[0] in BULLETS and words[1][0].isdigit():
            words = words[1:]
            expected.drop("bullet of the summary", number)
        if words and (match := NUMBER.match(words[0])) and match[1][0].isdigit():
            if words[0] != match[1]:
                expected.drop("dot or colon of the summary", number)
            words[0] = match[1]
    if place == 0 and words and words != text.split():
        expected.drop("dot or colon of the summary", number)
    expected.move(number, words)


def title(section: Section, expected: ExpectedText) -> None:
    span = section.title_span
    expected.own(span, "title")
    first = span.first
    if span.last > first and UNDERLINE.match(expected.source.lines[first - 1].text):
        expected.words[first] = []
        expected.drop("underline", first)
        first += 1
    words = expected.words[first]
    match = NUMBER.match(words[0]) if words and section.number else None
    if match and match[1] != words[0]:
        words[0] = match[1]
        expected.drop("dot after a number", first)
    if words and words[-1].endswith(":") and words[-1] not in section.title.split():
        words[-1] = words[-1].removesuffix(":")
        expected.drop("colon after a title", first)
    expected.open(first)
    underline(Span(first, span.last), expected)


def underline(span: Span, expected: ExpectedText) -> None:
    for number in range(span.first + 1, span.last + 1):
        if UNDERLINE.match(expected.source.lines[number - 1].text):
            expected.words[number] = []
            expected.drop("underline", number)
