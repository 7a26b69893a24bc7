"""The header and the footer around the text.

The header is a centred block with title, version, date and author:

                        ----------------------
                             Some program
                          Reference Manual
                        ----------------------
                             version 1.2
                              2026/01/31

or, in standards, a letterhead above a centred title:

    Lamp Working Group                                              S. One
    Request for Comments: 12                                    March 1997

                            The Lamp Protocol

The footer holds settings that an editor reads at the end of the file:

    /*
     * Local variables:
     *  fill-column: 79
     * End:
     */
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field

from dconv.model.source import Line
from dconv.model.tree import Header, HeaderRow, Span
from dconv.model.values import dataclass

MIN_CENTRED_INDENT = 8  # columns; nothing but a header starts that deep on the first lines
RIGHT_EDGE = 70  # columns; text that ends there is set to the right, like names of authors
# "-----------", "~~~~~~~", "+--------+"
RULE = re.compile(r"\+?([-=~*_#])\1{3,}\+?$")
LONG_RULE = re.compile(r"([-=~*_#])\1{19,}$")
# "version 3.4", "Versions 1 & 2", "Version 1.2"
VERSION = re.compile(r"versions?\s+(\S.*)$", re.IGNORECASE)
# "2026/06/03", "( Last update: 2024-07-12 )", "Update: 2024-07-12", "3 March 1997"
DATE = re.compile(
    r"^(?:\([^()\d]*+|(?:(?:last|latest)\s+)?updated?\s*:\s*)?"
    r"(\d{4}[/-]\d\d[/-]\d\d|(?:\d{1,2}\ )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"[a-z]{0,6}\.?\ (?:\d{1,2},\ )?\d{4})(?:\s*\))?$",
    re.IGNORECASE,
)
# "Author : Some One", "contact: some at example dot org"
PERSON = re.compile(r"(?:authors?|contact)\s*:\s*(\S.*)$", re.IGNORECASE)
SERIES = re.compile(r"(?:Request for Comments|RFC|Internet-Draft)\b")
MIN_TWO_COLUMN_LINES = 2  # of a letterhead
MAX_GAP = 4  # blank lines between letterhead and title
MAX_TITLE_LINES = 4  # more of them say who wrote the program, and on what terms
MAX_HEADER_LINES = 10  # with text, below a letterhead; more of them are an indented text
# the gap between two columns: "2026/04/27                    Some One"
GAP = re.compile(r"\s{8,}")


@dataclass(slots=True)
class _Fields:
    """What the lines of a header say so far; `rule_count` counts those that only draw a line."""

    titles: list[str] = field(default_factory=list)
    version: str = ""
    date: str = ""
    authors: list[str] = field(default_factory=list)
    rule_count: int = 0


def find_header(lines: tuple[Line, ...], has_dialect: bool) -> Header:
    """The header at the start of `lines`; its span is None if there is none.

    Drawn lines in it must be centred, except in texts without a dialect.
    """
    first = 0
    while first < len(lines) and not lines[first].text:
        first += 1
    title_index = _title_index(lines, first)
    end = _header_end(lines, title_index, has_dialect)
    if end == first:
        return Header()
    fields = _Fields()
    for line in lines[title_index:end]:
        is_right_aligned = line.indent + len(line.text) >= RIGHT_EDGE
        for column in GAP.split(line.text):
            _read_field(fields, column, is_right_aligned)
    for line in lines[first:title_index]:  # the series on the left, authors and date on the right
        left, *right = GAP.split(line.text)
        if SERIES.match(left):
            fields.titles.append(left)
        for text in right:
            if match := DATE.match(text):
                fields.date = match[1]
            else:
                fields.authors.append(text)
    title, *rest = fields.titles if 0 < len(fields.titles) <= MAX_TITLE_LINES else [""]
    return Header(
        title, " ".join(rest), fields.version, fields.date, ", ".join(fields.authors),
        Span(lines[first].number, lines[end - 1].number), tuple(_rows(lines[first:end])),
    )


def title_header(lines: tuple[Line, ...], title: str, span: Span) -> Header:
    """The header that starts with the underlined `title` on the lines `span`.

    Lines directly below it may have version, date and author, as in a centred header.
    """
    fields = _Fields([title])
    last = span.last
    for line in lines[span.last :]:
        if not line.text or not any(
            pattern.match(line.text) for pattern in (VERSION, DATE, PERSON)
        ):
            break
        _read_field(fields, line.text, False)
        last = line.number
    if last < len(lines) and lines[last].text and last > span.last:
        fields, last = _Fields([title]), span.last  # a paragraph that starts with such words
    return Header(
        title, "", fields.version, fields.date, ", ".join(fields.authors),
        Span(span.first, last), tuple(_rows(lines[span.first - 1 : last])),
    )


def _rows(lines: Iterable[Line]) -> Iterator[HeaderRow]:
    """The lines that have text, without drawn lines and labels."""
    for line in lines:
        values: list[str] = []
        for column in GAP.split(line.text):
            value = column.strip("|").strip()
            if value and not RULE.match(value):
                match = VERSION.match(value) or DATE.match(value) or PERSON.match(value)
                values.append(match[1] if match else value)
        if values:
            yield HeaderRow(line.number, " ".join(" ".join(values).split()))


def _title_index(lines: tuple[Line, ...], first: int) -> int:
    """The index of the title below the letterhead at `first`; `first` if there is none."""
    index = first
    two_column_lines = 0
    right_edges: set[int] = set()
    while index < len(lines) and lines[index].text:
        if lines[index].indent:
            return first
        if len(GAP.split(lines[index].text)) == 2:
            two_column_lines += 1
            right_edges.add(len(lines[index].text))
        index += 1
    title = index
    while title < len(lines) and not lines[title].text and title - index < MAX_GAP:
        title += 1
    if two_column_lines < MIN_TWO_COLUMN_LINES or len(right_edges) > 1 or (
        min(right_edges) < RIGHT_EDGE
    ):
        return first
    return title if title < len(lines) and lines[title].indent >= MIN_CENTRED_INDENT else first


def _header_end(lines: tuple[Line, ...], first: int, has_dialect: bool) -> int:
    """The index after the header that starts at `first`; `first` where there is none."""
    index = end = first
    while index < len(lines):
        line = lines[index]
        is_rule = not has_dialect and LONG_RULE.match(line.text) is not None
        columns = GAP.split(line.text)
        begins_with_date = len(columns) == 2 and DATE.match(columns[0])
        if line.text and not (is_rule or begins_with_date or line.indent >= MIN_CENTRED_INDENT):
            break
        index += 1
        if line.text:
            end = index
        elif index - end > 1:
            break
    return end if sum(bool(line.text) for line in lines[first:end]) <= MAX_HEADER_LINES else first


def _read_field(fields: _Fields, text: str, is_right_aligned: bool) -> None:
    """Add what `text`, a line or a column of one, says to `fields`."""
    value = text.strip("|").strip()
    if not value:
        return
    if RULE.match(value):
        fields.rule_count += 1
    elif match := VERSION.match(value):
        fields.version = match[1]
    elif match := DATE.match(value):
        fields.date = match[1]
    elif match := PERSON.match(value):
        fields.authors.append(match[1])
    elif fields.rule_count >= 2 or fields.version or (fields.date and is_right_aligned):
        fields.authors.append(value)
    else:
        fields.titles.append(value)


# --- the footer -----------------------------------------------------------------------

MAX_FOOTER_LINES = 12
# as Emacs reads them ("Local Variables in Files" of its manual): each line may have a
# prefix, and nothing but settings is between the first line and the last
START = re.compile(r"\W*local variables:\W*", re.IGNORECASE)
SETTING = re.compile(r"\W*+\w[\w-]*+:(?:\s.*)?")
END = re.compile(r"\W*end:\W*", re.IGNORECASE)
COMMENT_END = re.compile(r"\W*")


def find_footer(lines: tuple[Line, ...]) -> Span | None:
    """The editor's settings at the end of `lines`, or None."""
    last = len(lines)
    while last and not lines[last - 1].text:
        last -= 1
    for index in range(last - 1, max(-1, last - MAX_FOOTER_LINES), -1):
        if START.fullmatch(lines[index].text) and _is_settings(lines[index + 1 : last]):
            first = index - 1 if index and lines[index - 1].text in ("/*", "#|") else index
            return Span(lines[first].number, lines[last - 1].number)
    return None


def _is_settings(lines: tuple[Line, ...]) -> bool:
    """Whether `lines` are settings up to "End:", with only the end of a comment after."""
    end = next((index for index, line in enumerate(lines) if END.fullmatch(line.text)), None)
    if end is None:
        return False
    return all(SETTING.fullmatch(line.text) for line in lines[:end]) and all(
        COMMENT_END.fullmatch(line.text) for line in lines[end + 1 :]
    )
