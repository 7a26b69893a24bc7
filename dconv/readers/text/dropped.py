"""What the tree leaves out of the text: underlines, bullets, colons, borders, back quotes.

Each mark is reported with its rule and its place, so that the proof can ask for all
the rest.  Marks at the head of a line are looked for behind those of the nodes around:
"- Note: text" starts an item and a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from dconv.model.source import Line
from dconv.model.tree import (
    Block,
    Code,
    Definition,
    Dropped,
    Entry,
    Example,
    Extent,
    Heading,
    Inline,
    Item,
    Labelled,
    List,
    Manual,
    Paragraph,
    Section,
    SeeAlso,
    Span,
    Table,
    Usage,
    listed_numbers,
    plain,
    sections,
    walk,
)

QUOTE = "`"  # around code
# "-----", "=====": below a title
UNDERLINE = re.compile(r"([^\w\s])\1{2,}$")
# "-", "*", "=>", "o": before an item or a term
BULLET = re.compile(r"(?:[^\w\s]{1,2}|o)$")
# what draws the borders of a table in its rows; a matrix may name groups: "TCP: Con Ses"
BORDERS = re.compile(r"[-+|=]+")
GROUPS = re.compile(r"[-+|=:]+")
# "May be used in sections :" and the borders behind it
USAGE = re.compile(r"(?:(?:Usable in|May be used in [a-z ]++)\s*:)|[|,:]+")
COLON = re.compile(r"\s*:")
WORD = re.compile(r"\S+")


def dropped(manual: Manual) -> tuple[Dropped, ...]:
    """Return the marks of the source that no node of `manual` holds, in order of lines."""
    marks = _Marks(manual.source.lines)
    marks.frame(manual)
    marks.blocks(manual.preface)
    for section in sections(manual):
        marks.title(section)
        marks.blocks(section.body)
    return tuple(sorted(marks.marks, key=lambda mark: (mark.line, mark.column)))


class _Marks:
    """The marks of one text, collected node by node."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self.marks: list[Dropped] = []
        # for lines on which several nodes start: where the text of the next one starts
        self._starts: dict[int, int] = {}

    def _drop(self, rule: str, number: int, start: int, end: int) -> None:
        """Drop the characters from `start` to `end` of the line `number`."""
        line = self._lines[number - 1]
        if text := line.text[start:end]:
            self.marks.append(Dropped(rule, number, line.indent + start + 1, text))

    def _drop_line(self, rule: str, number: int) -> None:
        self._drop(rule, number, 0, len(self._lines[number - 1].text))

    def frame(self, manual: Manual) -> None:
        """Header, summary and footer."""
        header = manual.header
        shown = {row.line: row.text.split() for row in header.rows}
        for number in _numbers(header.span):
            words = shown.get(number, [])
            self._others("header rule or label", number, words)
        titles = {row.line: f"{row.number} {row.title}".split() for row in manual.summary}
        for number in _numbers(manual.summary_span):
            assert manual.summary_span is not None
            if number == manual.summary_span.first:
                text = self._lines[number - 1].text
                end = len(text.rstrip(" :"))
                self._drop("dot or colon of the summary", number, end, len(text))
            elif UNDERLINE.match(self._lines[number - 1].text):
                if number not in titles:
                    self._drop_line("underline", number)
            else:
                self._number("dot or colon of the summary", number, titles.get(number, []))
        for number in _numbers(manual.footer):
            self._drop_line("editor's footer", number)

    def _others(self, rule: str, number: int, words: list[str]) -> None:
        """Drop what is none of `words`, which the line `number` shows in this order."""
        text = self._lines[number - 1].text
        end = 0
        for word in words:
            start = text.find(word, end)
            self._runs(rule, number, end, start)
            end = start + len(word)
        self._runs(rule, number, end, len(text))

    def _runs(self, rule: str, number: int, start: int, end: int) -> None:
        for match in WORD.finditer(self._lines[number - 1].text, start, end):
            self._drop(rule, number, *match.span())

    def _number(self, rule: str, number: int, words: list[str]) -> None:
        """Drop the dot behind the number that the line `number` starts with."""
        match = WORD.match(self._lines[number - 1].text)
        if match and words and match[0] != words[0] and match[0].startswith(words[0]):
            self._drop(rule, number, len(words[0]), match.end())

    def title(self, section: Section) -> None:
        """The title of `section` and its underline."""
        span = section.title_span
        if section.number:
            self._number("dot behind a number", span.first, [section.number])
        self._underline(span)

    def _underline(self, span: Span) -> None:
        for number in range(span.first + 1, span.last + 1):
            if UNDERLINE.match(self._lines[number - 1].text):
                self._drop_line("underline", number)

    def blocks(self, blocks: tuple[Block, ...]) -> None:
        """The marks of all nodes in `blocks`."""
        numbers: dict[int, list[str]] = {}
        for node in walk(blocks):
            match node:
                case Paragraph():
                    self._quotes(node.content, node.span.first, node.span.last)
                case Heading():
                    self._quotes(node.content, node.span.first, node.span.first)
                    self._underline(node.span)
                case List():
                    for item, number in zip(node.items, listed_numbers(node), strict=True):
                        numbers.setdefault(item.span.first, []).append(number)
                case Item():
                    self._item(node, numbers[node.span.first].pop(0))
                case Definition():
                    self._definition(node)
                case Labelled() | Example() | SeeAlso():
                    self._label(node)
                case Table():
                    self._table(node)
                case Entry():
                    for usage in node.usages:
                        self._usage(usage)
                case _:
                    pass

    def _start(self, number: int) -> int:
        """Where the next node on the line `number` starts."""
        start = self._starts.get(number, 0)
        text = self._lines[number - 1].text
        while text[start : start + 1].isspace():
            start += 1
        return start

    def _item(self, node: Item, number: str) -> None:
        line, marker = node.span.first, node.marker
        start = self._start(line)
        self._starts[line] = start + len(marker)
        if not number:
            if BULLET.match(marker):
                self._drop("bullet", line, start, start + len(marker))
        elif number != marker:
            bare = marker.strip("().")
            at = start + marker.index(bare)
            self._drop("dot behind a number", line, start, at)
            self._drop("dot behind a number", line, at + len(bare), start + len(marker))

    def _definition(self, node: Definition) -> None:
        line = node.span.first
        if node.marker:
            start = self._start(line)
            self._starts[line] = start + len(node.marker)
            if not node.marker[0].isalnum() and BULLET.match(node.marker):
                self._drop("bullet", line, start, start + len(node.marker))
        for term in node.terms:
            end = self._quotes(term.content, term.line, term.line)
            if node.separator == ":":
                end = self._colon("colon behind a term", term.line, end)
            elif node.separator and term is node.terms[-1]:
                end = self._lines[term.line - 1].text.find(node.separator, end)
                end += len(node.separator)
            self._starts[term.line] = end

    def _label(self, node: Labelled | Example | SeeAlso) -> None:
        line = node.span.first
        end = self._colon("colon behind a label", line, self._start(line) + len(node.label))
        self._starts[line] = end
        if isinstance(node, SeeAlso):
            self._quotes(node.content, line, node.span.last)
        elif isinstance(node, Example) and node.caption:
            self._quotes(node.caption, line, node.span.last)

    def _colon(self, rule: str, number: int, start: int) -> int:
        """Drop the colon at `start` of the line `number`; return where the text goes on."""
        match = COLON.match(self._lines[number - 1].text, start)
        if match is None:
            return start
        self._drop(rule, number, match.end() - 1, match.end())
        return match.end()

    def _quotes(self, content: tuple[Inline, ...], first: int, last: int) -> int:
        """Drop the back quotes around the code in `content`, on the lines `first` to `last`.

        It starts behind what nodes around it have on the first line.  Return where it ends,
        if it is on one line.
        """
        lines = self._lines[first - 1 : last]
        start = self._start(first)
        shown = plain(content)
        if first < last and not any(QUOTE in line.text for line in lines):
            return 0
        if not any(isinstance(part, Code) for part in content):
            return self._end(lines[0].text, start, shown)
        extents = [Extent(line.number, line.indent + 1, len(line.text)) for line in lines]
        extents[0] = Extent(first, lines[0].indent + 1 + start, len(lines[0].text) - start)
        return self._unquote(shown, extents)

    def _end(self, text: str, start: int, shown: str) -> int:
        """Where the words of `shown` end that `text` has from `start` on."""
        for word in shown.split():
            if (at := text.find(word, start)) < 0:
                return len(text)
            start = at + len(word)
        return start

    def _unquote(self, shown: str, extents: Iterable[Extent]) -> int:
        """Drop the back quotes in `extents` that `shown` lacks; return where it ends."""
        rest = "".join(shown.split())
        at = end = 0
        for extent in extents:
            line = self._lines[extent.line - 1]
            first = extent.column - 1 - line.indent
            for place in range(first, first + extent.length):
                sign = line.text[place : place + 1]
                if sign.isspace():
                    continue
                if rest[at : at + 1] == sign:
                    at += 1
                elif sign == QUOTE:
                    self._drop("back quotes around code", extent.line, place, place + 1)
                else:
                    return end
                end = place + 1
        return end

    def _table(self, node: Table) -> None:
        for number in node.decoration:
            end = len(self._lines[number - 1].text)
            self._drop("table rule or repeated head", number, self._start(number), end)
        for row in (*node.head, *node.rows):
            for cell in row.cells:
                if any(isinstance(part, Code) for part in cell.content):
                    self._unquote(plain(cell.content), cell.extents)
            extents = [extent for cell in row.cells for extent in cell.extents]
            lines = [line for line in _numbers(row.span) if line not in node.decoration]
            marks = GROUPS if node.kind == "matrix" else BORDERS
            self._around("border of a table", lines, extents, marks)

    def _usage(self, node: Usage) -> None:
        extents = [extent for places in node.extents for extent in places]
        self._around("label and borders of a usage", _numbers(node.span), extents, USAGE)

    def _around(
        self, rule: str, lines: Iterable[int], extents: Sequence[Extent], marks: re.Pattern[str]
    ) -> None:
        """Drop the `marks` on `lines` outside of `extents`."""
        for number in lines:
            line = self._lines[number - 1]
            text = list(line.text)
            for extent in extents:
                if extent.line == number:
                    first = extent.column - 1 - line.indent
                    text[first : first + extent.length] = " " * extent.length
            for match in marks.finditer("".join(text), self._starts.get(number, 0)):
                self._drop(rule, number, *match.span())


def _numbers(span: Span | None) -> Iterator[int]:
    """The numbers of the lines of `span`."""
    if span is not None:
        yield from range(span.first, span.last + 1)
