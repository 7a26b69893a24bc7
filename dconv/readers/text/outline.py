"""The outline of a document: header, preface, table of contents, titles, bodies, footer.

    4.2. Alphabetical list        Why a language        2.1. Binary form
    ----------------------        ==============
                                                        The text.

All titles of a document have one style; the first titles decide which.  Bodies are not parsed
here: every line of text is in the header, the contents, a title, a body or the footer.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import groupby, zip_longest

from dconv.model.diagnostics import Diagnostic
from dconv.model.source import Line, block_end
from dconv.model.tree import ContentsLine, Header, Span
from dconv.model.values import dataclass
from dconv.readers.text.dropped import DroppedMarks
from dconv.readers.text.header import find_footer, find_header, title_header

TITLE_LINE = re.compile(r"[A-Z][^\t.:;!?,=<>{}|@]{3,59}")  # "The Mutt E-Mail Client"
MAX_TITLE_WORDS = 9
LOWER_WORDS = frozenset((  # of a title whose other words start with a capital
    "a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Title:
    """A section's title and its underline, if it has one.

    `number` is without a final dot and empty for a title without one; `underline` is
    its character, twice where a line is above too, or empty, or the title of the chapter around
    sections that are numbered from 1; `indent` the column of the title.
    """

    number: str
    title: str
    underline: str
    indent: int
    span: Span

    def finding(self, path: str, rule: str, message: str) -> Diagnostic:
        """A warning about the title, which is in the text at `path`."""
        return Diagnostic(path, self.span.first, self.indent + 1, "warning", rule, message)


@dataclass(slots=True)
class Outline:
    """The parts of a document; a body is one or several stretches of lines."""

    header: Header
    contents: tuple[ContentsLine, ...] = ()
    contents_span: Span | None = None
    preface: list[Span] = field(default_factory=list)
    sections: list[tuple[Title, list[Span]]] = field(default_factory=list)
    footer: Span | None = None


def find_outline(
    lines: tuple[Line, ...], title_levels: Mapping[int, int], has_dialect: bool
) -> Outline:
    """Return the outline of a document's `lines`.

    `title_levels` has the levels of the titles by line number; if it is empty, titles are searched
    for.  `has_dialect` says that a dialect describes the text; a text without one may also start
    with its title, and have labels or lines in capitals as titles.
    """
    outline = Outline(find_header(lines, has_dialect))
    index, end = 0, len(lines)
    if span := outline.header.span:
        _add(outline.preface, 0, span.first - 1)
        index = span.last
    footer = find_footer(lines)
    if footer and footer.first > index:
        outline.footer = footer
        end = footer.first - 1
    if title_levels:
        titles = list(_marked_titles(lines, index, end, title_levels))
    else:
        titles = find_titles(lines, index, end, has_dialect)
        if not titles and not has_dialect:
            titles = list(_labels(lines, index, end)) or list(_capitals(lines, index, end))
        if not has_dialect and outline.header.span is None:
            outline.header = _title_header(lines, titles, end)
            index = outline.header.span.last if outline.header.span else 0
            titles = [title for title in titles if title.span.first > index]
    _add_sections(outline, lines, titles, index, end)
    return outline


def _add_sections(
    outline: Outline, lines: tuple[Line, ...], titles: Sequence[Title], index: int, end: int
) -> None:
    """Add the sections with `titles` to `outline`, and the table of contents.

    `index` and `end` are those of the body of the document.  There is one table of contents; it is
    before the numbered sections, or, where sections have no numbers, before all others.
    """
    body = outline.preface
    has_numbers = any(title.number for title in titles)
    may_have_contents = True  # whether the table of contents may still come
    for title, below in zip_longest(titles, titles[1:]):
        _add(body, index, title.span.first - 1)
        index = title.span.last
        body_end = below.span.first - 1 if below else end
        may_have_contents = may_have_contents and (
            not title.number if has_numbers else _heads_contents(title)
        )
        if may_have_contents and (contents := _find_contents(lines, title, body_end)):
            may_have_contents = False
            outline.contents = contents
            outline.contents_span = Span(title.span.first, contents[-1].line)
            index = contents[-1].line
        else:
            body = []
            outline.sections.append((title, body))
    _add(body, index, end)


def _title_header(lines: tuple[Line, ...], titles: Sequence[Title], end: int) -> Header:
    """The header with the document's title, which is underlined on the first line, or alone there.

    An underlined one stays a section, and the header has no span, if it is the only one of
    `titles`, or others have the same underline.  One without a line is in the case of a title:
    "The Lamp Module".
    """
    first = next(_underlined(lines, 0, end), None)
    if first and not first.number and _is_first(first, lines) and not _heads_contents(first):
        others = [title.underline for title in titles if title.span != first.span]
        if not others or first.underline in others:
            return Header(first.title)
        return title_header(lines, first.title, first.span)
    line = next((line for line in lines if line.text), None)
    if line is None or line.indent or line.number >= len(lines) or lines[line.number].text or (
        any(title.span.first <= line.number for title in titles)
    ):
        return Header()
    words = line.text.split()
    if TITLE_LINE.fullmatch(line.text) and 1 < len(words) <= MAX_TITLE_WORDS and all(
        not word[0].islower() or word in LOWER_WORDS for word in words
    ):
        return title_header(lines, line.text, Span(line.number, line.number))
    return Header()


def drop_marks(outline: Outline, lines: Sequence[Line], dropped: DroppedMarks) -> None:
    """Drop marks that are not text from header, contents, titles and footer."""
    kept_words = {row.line: row.text.split() for row in outline.header.rows}
    for line in _lines(lines, outline.header.span):
        dropped.add_all_but("header rule or label", line, kept_words.get(line.number, ()))
    _drop_in_contents(outline, lines, dropped)
    for title, _ in outline.sections:
        rows = _lines(lines, title.span)
        first = rows[1] if UNDERLINE.match(rows[0].text) else rows[0]
        dropped.add_after_number("dot after a number", first, title.number)
        start = first.text.find(title.title)
        if start >= 0:
            dropped.add_colon("colon after a title", first, start + len(title.title))
        for line in rows:
            if UNDERLINE.match(line.text):
                dropped.add("underline", line)
    for line in _lines(lines, outline.footer):
        dropped.add("editor's footer", line)


def _drop_in_contents(outline: Outline, lines: Sequence[Line], dropped: DroppedMarks) -> None:
    kind = "dot or colon of the summary"
    numbers = {row.line: row.number for row in outline.contents}
    for index, line in enumerate(_lines(lines, outline.contents_span)):
        if index == 0:
            dropped.add(kind, line, len(line.text.rstrip(" :")))
        elif line.number in numbers:
            if match := BULLET.match(line.text):
                dropped.add("bullet of the summary", line, 0, match.end())
                line = line.after(line.text.index(numbers[line.number]))
            dropped.add_after_number(kind, line, numbers[line.number])
        else:
            dropped.add("underline", line)


def _lines(lines: Sequence[Line], span: Span | None) -> Sequence[Line]:
    return lines[span.first - 1 : span.last] if span else ()


def _add(body: list[Span], first: int, end: int) -> None:
    """Add the lines from `first` to `end` (indexes; `end` is excluded) to `body`, if any."""
    if first < end:
        body.append(Span(first + 1, end))


# --- titles ---------------------------------------------------------------------------

# "-----", "=====": one character, repeated
UNDERLINE = re.compile(r"([-=~^*+#])\1{2,}$|(['\"_.:`])\2{3,}$")
UNDERLINE_CHARACTERS = frozenset("-=~^*+#'\"_.:`")
# "4.2. Keywords", "10.1 Limits", "1) Style"
NUMBERED = re.compile(r"(\d{1,9}(?:\.\d{1,9})*)[.)]?\s+(\S.*)$")
# "2.1. Binary form", "2.1.1 Bits", without an underline
BARE_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,3})*)([.)]?)\s+(\S[^.]*(?:\.[^.\s][^.]*)*)$")
TITLE_START = re.compile(r"[A-Z\"']")
# "Chapter 2. Lamps", whose sections are numbered from 1; DocBook's tools write such titles
CHAPTER = re.compile(r"(?:Chapter|Appendix)\s([\dA-Z]{1,2})\.\s\S")
ROMAN = re.compile(r"([IVX]{1,6})\)\s+(\S.*)$")

# "IP Variables:", "/proc/sys/net/ipv4/* Variables:"
LABEL = re.compile(r"(?:[A-Z/]|[a-z]+/)[^\s.:;,!?]*(?: [^\s.:;,!?]+){0,4} ?:$")
# "HOW TO LIGHT A LAMP", "BUGS"
CAPITALS = re.compile(r"(?=.*[A-Z]{3})[A-Z][A-Z\d ,/&()'?-]{2,60}")
MIN_LABELS = 3  # labels such as "IP Variables:", or lines in capitals; fewer are no titles

# "Name  Key of it  Type"
HEAD_OF_TABLE = re.compile(r"\S {2,}\S.* {2,}\S")
MAX_LENGTH_DIFFERENCE = 3  # an underline may be that much longer or shorter than its title
MAX_TITLE_LINES = 3  # of a title that the table of contents lists
MAX_TITLE_LENGTH = 78  # characters of a title
MIN_RULE_LENGTH = 40  # characters of a rule above a title
MAX_INDENT = 8  # columns before a title


def find_titles(lines: tuple[Line, ...], first: int, end: int, has_dialect: bool) -> list[Title]:
    """The section titles among `lines[first:end]`, in order.

    Before numbered titles, a title without a number counts only if it can head
    a table of contents.
    """
    underlined = list(_underlined(lines, first, end))
    if not has_dialect:
        longer = list(_two_line_titles(lines, first, end))
        ends = {title.span.last for title in longer}
        underlined = [*longer, *[
            replace(title, title=title.title.rstrip(" :"))
            for title in underlined if title.span.last not in ends
        ]]
        underlined.sort(key=lambda title: title.span.first)
    numbered = [title for title in underlined if title.number]
    if numbered:
        first_numbered = numbered[0].span.first
        contents = [
            title for title in underlined
            if title.span.first < first_numbered and title.indent == 0 and _heads_contents(title)
        ]
        if not contents and not has_dialect:
            contents = [
                _bare_title(line)
                for index, line in enumerate(lines[first:first_numbered], first)
                if not line.indent and CONTENTS_TITLE.match(line.text)
                and _is_alone(lines, index, index + 1, end)
            ]
        chapters = _overlined(lines, first, end)
        return contents + sorted([*numbered, *chapters], key=lambda title: title.span.first)
    listed = [] if has_dialect else _listed_titles(lines, first, end)
    if listed:
        return listed
    if not has_dialect and _chapters(lines, first, end) and (
        bare_titles := list(_bare_titles(lines, first, end))
    ):
        return bare_titles
    plausible = [title for title in underlined if _is_plausible(title, lines, has_dialect)]
    if len(plausible) == 1 and not has_dialect and _is_first(plausible[0], lines):
        return [*plausible, *_bare_titles(lines, plausible[0].span.last, end)]
    if plausible:
        return plausible
    ruled_titles = [] if has_dialect else list(_overlined(lines, first, end))
    return ruled_titles if len(ruled_titles) > 1 else list(_bare_titles(lines, first, end))


def _is_first(title: Title, lines: Sequence[Line]) -> bool:
    """Whether nothing is above `title`."""
    return not any(line.text for line in lines[: title.span.first - 1])


def _bare_title(line: Line, number: str = "", title: str = "") -> Title:
    """The title on `line` without a rule: all its text, or its `number` and `title`."""
    return Title(number, title or line.text, "", line.indent, Span(line.number, line.number))


def _marked_titles(
    lines: tuple[Line, ...], first: int, end: int, levels: Mapping[int, int]
) -> Iterator[Title]:
    """The titles on the lines in `levels`; a level takes the place of the underline.

    A line of level 0 continues the title above it.
    """
    index = first
    while index < end:
        line = lines[index]
        index += 1
        if not levels.get(line.number):
            continue
        text = line.text
        while index < end and levels.get(lines[index].number) == 0:
            text = f"{text} {lines[index].text}"
            index += 1
        match = NUMBERED.match(text)
        number, title = (match[1], match[2]) if match else ("", text)
        span = Span(line.number, lines[index - 1].number)
        yield Title(number, title, str(levels[line.number]), line.indent, span)


def _underlined(lines: tuple[Line, ...], first: int, end: int) -> Iterator[Title]:
    """Lines with a rule of one character below them at the same column."""
    for index in range(first, end - 1):
        rule = lines[index + 1]
        if len(rule.text) < 3 or rule.text[0] not in UNDERLINE_CHARACTERS:
            continue
        line = lines[index]
        if not line.text or line.indent != rule.indent:
            continue
        if line.text[-1] in "|+" and line.text[0] in "|+":
            continue  # a row or the border of a table, unlike the title "More about C++"
        underline = UNDERLINE.match(rule.text)
        if underline is None or UNDERLINE.match(line.text):
            continue
        above_is_underline = index - 1 > first and NUMBERED.match(lines[index - 2].text)
        overline = (
            index > first and not above_is_underline and _is_overline(lines[index - 1], line, rule)
        )
        underline_style = rule.text[0] * (2 if overline else 1)
        span = Span(line.number - overline, rule.number)
        match = NUMBERED.match(line.text)
        if match and line.indent == 0:
            yield Title(match[1], match[2], underline_style, line.indent, span)
        elif not match or line.indent:
            yield Title("", line.text, underline_style, line.indent, span)


def _two_line_titles(lines: tuple[Line, ...], first: int, end: int) -> Iterator[Title]:
    """Numbered titles of two lines above a rule: "12. Why does the lamp", "    not burn?"."""
    for index in range(first, end - 2):
        above, line, rule = lines[index : index + 3]
        if not rule.text or not line.text or above.indent or rule.indent:
            continue
        match = NUMBERED.match(above.text) if UNDERLINE.match(rule.text) else None
        is_first = index == first or not lines[index - 1].text
        if match and is_first and not NUMBERED.match(line.text):
            span = Span(above.number, rule.number)
            yield Title(match[1], f"{match[2]} {line.text}", rule.text[0], 0, span)


def _is_overline(above: Line, line: Line, rule: Line) -> bool:
    """Whether the line `above` the title `line` is a rule like the `rule` below it."""
    return above.text[:3] == rule.text[:3] and above.indent <= line.indent and (
        UNDERLINE.match(above.text) is not None
    )


def _overlined(lines: tuple[Line, ...], first: int, end: int) -> Iterator[Title]:
    """Numbered lines alone below a long rule: titles of chapters with underlined sections.

    ==================================================
    2. LAMPS AND LANTERNS

    The text.
    """
    for index in range(first + 1, end - 1):
        rule, line = lines[index - 1], lines[index]
        above = lines[index - 2].text if index - 2 >= first else ""
        if len(rule.text) < MIN_RULE_LENGTH or rule.indent or above or lines[index + 1].text:
            continue
        match = NUMBERED.match(line.text) if UNDERLINE.match(rule.text) else None
        if match and not line.indent:
            yield Title(match[1], match[2], "", 0, Span(rule.number, line.number))


def _is_plausible(title: Title, lines: tuple[Line, ...], has_dialect: bool) -> bool:
    """Whether an unnumbered title looks like one: near in length, alone, not deep.

    Between blank lines the underline of a text without a dialect may have any length.
    """
    if not has_dialect and HEAD_OF_TABLE.search(title.title):
        return False
    first, end = title.span.first - 1, title.span.last
    is_alone = first == 0 or not lines[first - 1].text
    may_have_any_length = not has_dialect and end < len(lines) and not lines[end].text
    difference = abs(len(lines[end - 1].text) - len(title.title))
    has_fitting_length = may_have_any_length or difference <= MAX_LENGTH_DIFFERENCE
    return is_alone and has_fitting_length and title.indent <= MAX_INDENT and (
        len(title.title) <= MAX_TITLE_LENGTH
    )


def _bare_titles(lines: tuple[Line, ...], first: int, end: int) -> Iterator[Title]:
    """Numbered titles without a rule, and, if there are some, words alone above indented text.

    Chapters are at the margin, in order, perhaps after a list of them.  Numbers in another order
    and without parts ("2.1") are those of list items.
    """
    numbered = _bare_numbers(lines, first, end)
    margin = min((lines[index].indent for index in numbered), default=0)
    numbered = {
        index: title for index, title in numbered.items()
        if not title[0].isdigit() or lines[index].indent == margin
    }
    chapters = dict.fromkeys(_chapters(lines, first, end))
    unparted = [index for index, (number, _) in numbered.items() if number.isdigit()]
    have_parts = any("." in number for number, _ in numbered.values())
    if len(numbered) < 2 or not (have_parts or all(
        _are_in_order([int(numbered[index][0]) for index in group])
        for _, group in groupby(unparted, key=partial(bisect, [*chapters]))
    )):
        numbered = {}
    if not numbered and len(chapters) < 2:
        return
    chapter = ""
    for index in range(first, end):
        line = lines[index]
        if index in numbered:
            yield replace(_bare_title(line, *numbered[index]), underline=chapter)
        elif index in chapters:
            chapter = line.text
            yield _bare_title(line)
        elif not chapters and _is_bare_title(lines, index, end):
            yield _bare_title(line)


def _chapters(lines: tuple[Line, ...], first: int, end: int) -> list[int]:
    """The indexes of the titles of chapters, which are alone at the margin."""
    return [
        index for index in range(first, end)
        if CHAPTER.match(lines[index].text) and not lines[index].indent
        and _is_alone(lines, index, index + 1, end)
    ]


def _are_in_order(numbers: list[int]) -> bool:
    """Whether `numbers` rise, or rise twice: in a list of them, and in the text."""
    in_order = sorted(set(numbers))
    return numbers in (in_order, in_order * 2)


def _bare_numbers(lines: tuple[Line, ...], first: int, stop: int) -> dict[int, tuple[str, str]]:
    """Number and title at the index of each numbered title that has no rule.

    Such titles are alone between blank lines, or each directly below the one that it is a part of:
    "4. Benefits" above "4.1. Layers".
    """
    numbers: dict[int, tuple[str, str]] = {}
    above = ""
    index = first
    while index < stop:
        end = index
        run: list[tuple[str, str]] = []
        while end < stop and (title := _bare_number(lines[end], above)):
            if run and not title[0].startswith(f"{above}."):
                break
            run.append(title)
            above = title[0]
            end += 1
        if run and _is_alone(lines, index, end, stop):
            numbers.update(zip(range(index, end), run, strict=True))
        elif run:
            above = next(reversed(numbers.values()), ("",))[0]
        index = max(end, index + 1)
    return numbers


def _is_alone(lines: tuple[Line, ...], first: int, end: int, stop: int) -> bool:
    """Whether blank lines are around the lines from `first` to `end`, which is excluded."""
    return (first == 0 or not lines[first - 1].text) and (end >= stop or not lines[end].text)


def _bare_number(line: Line, above: str) -> tuple[str, str] | None:
    """Number and title of `line`, where it looks like a title that can follow number `above`.

    A number without a dot at its end, or above a small letter, must be the next of its level or the
    one after that.
    """
    if line.indent > 4 or not line.text or len(line.text) > MAX_TITLE_LENGTH:
        return None
    if line.text[0] in "IVX":
        match = ROMAN.match(line.text)
        return (match[1], match[2]) if match else None
    match = BARE_NUMBERED.match(line.text) if line.text[0].isdigit() else None
    is_certain = match is not None and match[2] and TITLE_START.match(match[3])
    if match is None or not (is_certain or _follows(match[1], above)):
        return None
    return match[1], match[3]


def _follows(number: str, above: str) -> bool:
    """Whether `number`, as "2.2.1", comes next in the section of the number `above`."""
    *parent, last_part = map(int, number.split("."))
    before = [int(part) for part in above.split(".")] if above[:1].isdigit() else []
    if len(parent) == 1 and last_part == 0:  # "2.0", the chapter of "2.1"
        return parent[0] - (before[0] if before else 0) == 1
    if not parent or before[: len(parent)] != parent:
        return False
    last_number = before[len(parent)] if len(before) > len(parent) else 0
    return 1 <= last_part - last_number <= 2


def _labels(lines: tuple[Line, ...], first: int, end: int) -> Iterator[Title]:
    """Lines at column 0 that end with a colon, as titles, if all differ.

    Each is between blank lines, and the text below it is at column 0, too.

    IP Variables:

    ip_forward - BOOLEAN
            Whether packets are forwarded.
    """
    titles: list[Title] = []
    for index in range(first, end):
        line = lines[index]
        is_label = not line.indent and LABEL.match(line.text) is not None
        if not is_label or not _is_alone(lines, index, index + 1, end):
            continue
        following = next((row for row in lines[index + 1 : end] if row.text), None)
        if following is not None and following.indent == 0:
            titles.append(_bare_title(line, title=line.text.rstrip(" :")))
    if MIN_LABELS <= len(titles) == len({title.title for title in titles}):
        yield from titles


def _listed_titles(lines: tuple[Line, ...], first: int, stop: int) -> list[Title]:
    """Paragraphs that a table of contents lists with number and title, and the contents' own title.

    Such titles may be questions, start with small letters and have several lines.  Empty if the
    text has too few of those that are listed.
    """
    contents_titles = (
        index for index in range(first, stop)
        if not lines[index].indent and CONTENTS_TITLE.match(lines[index].text)
        and _is_alone(lines, index, index + 1, stop)
    )
    contents_title = next(contents_titles, stop)
    listed: dict[str, str] = {}
    number = ""
    index = contents_title + 1
    while index < stop:
        match = CONTENTS_ENTRY.match(lines[index].text)
        if match and match["number"] in listed:
            break  # the first title
        if match:
            number = match["number"]
            listed[number] = match["title"] or ""
        elif lines[index].text and not lines[index - 1].text:
            break
        elif lines[index].text and number:
            listed[number] += f" {lines[index].text}"
        index += 1
    titles: list[Title] = []
    while index < stop:
        end = index + 1
        match = NUMBERED.match(lines[index].text) if lines[index].text[:1].isdigit() else None
        if match and not lines[index - 1].text and (listed_title := listed.get(match[1])):
            end = block_end(lines, end, min(stop, index + MAX_TITLE_LINES))
            title = " ".join([match[2], *[line.text for line in lines[index + 1 : end]]])
            if title.split() == listed_title.split() and _is_alone(lines, index, end, stop):
                span = Span(lines[index].number, lines[end - 1].number)
                titles.append(Title(match[1], title, "", lines[index].indent, span))
        index = end
    if len(titles) < MIN_CONTENTS_ENTRIES or len(titles) * 2 < len(listed):
        return []
    return [_bare_title(lines[contents_title]), *titles]


def _capitals(lines: tuple[Line, ...], first: int, end: int) -> Iterator[Title]:
    """Lines in capitals at column 0, below a blank line and above one or deeper text, as titles."""
    titles: list[Title] = []
    for index in range(first, end - 1):
        line, below = lines[index], lines[index + 1]
        if line.indent or not CAPITALS.fullmatch(line.text) or (index and lines[index - 1].text):
            continue
        if not below.text or below.indent:
            titles.append(_bare_title(line))
    if len(titles) >= MIN_LABELS:
        yield from titles


def _is_bare_title(lines: tuple[Line, ...], index: int, end: int) -> bool:
    line = lines[index]
    if line.indent or not line.text[:1].isupper() or len(line.text) > 40:
        return False
    if line.text[-1] in ".:;,?!" or not _is_alone(lines, index, index + 1, end):
        return False
    following = next((row for row in lines[index + 1 : end] if row.text), None)
    return following is not None and following.indent > 0


# --- the table of contents ------------------------------------------------------------

CONTENTS_TITLE = re.compile(r"(?:summary|table of contents|contents)\s*:?$", re.IGNORECASE)
# "9.4.1.    Some commands", "o 2. Lamps", "? 2.1. Why a lamp?"
CONTENTS_ENTRY = re.compile(
    r"(?:[o?*•·-]\s+)?(?P<number>\d{1,9}(?:\.\d{1,9})*)[.)]?(?:\s+(?P<title>\S.*))?$"
)
BULLET = re.compile(r"[o?*•·-](?=\s)")
# entries of a table of contents; with fewer, the text is a section like others
MIN_CONTENTS_ENTRIES = 2


def _heads_contents(title: Title) -> bool:
    """Whether `title` can head a table of contents, by its words."""
    return not title.number and CONTENTS_TITLE.match(title.title) is not None


def _find_contents(lines: tuple[Line, ...], title: Title, end: int) -> tuple[ContentsLine, ...]:
    """The table of contents under `title`, before index `end`; nothing if other text is below it.

    It needs two entries, and most lines must be entries.  It ends at prose after a blank line.
    """
    if not _heads_contents(title):
        return ()
    rows: list[ContentsLine] = []
    for index in range(title.span.last, end):
        text = lines[index].text
        match = CONTENTS_ENTRY.match(text)
        if match:
            rows.append(ContentsLine(match["number"], match["title"] or "", lines[index].number))
        elif text:
            if rows and not lines[index - 1].text:
                break
            rows.append(ContentsLine("", text, lines[index].number))
    entry_count = sum(1 for row in rows if row.number)
    if entry_count < MIN_CONTENTS_ENTRIES or entry_count * 2 <= len(rows):
        return ()
    return tuple(rows)
