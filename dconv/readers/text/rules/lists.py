"""Bulleted and numbered lists, nested by indentation.

    - a first item, whose text hangs
      under its first letter
    - a second one

        2. numbers are lists only where one follows another

A list is a list of definitions if all items are "term : text".  Beside such items a quoted first
word is a term too, and so is a synopsis that is alone on its line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dconv.model.source import Line, block_end
from dconv.model.tree import Definitions, Item, List, Paragraph, Preformatted, listed_numbers
from dconv.model.wrapping import has_room
from dconv.readers.text import inline
from dconv.readers.text.region import Region
from dconv.readers.text.rules import prose, terms

# what is no bullet: "- or -", the first of the columns "* * * lamp" and "*   lit   9d"
NO_BULLET = r"[-*]\s(?:or|and)\s[-*]$|\*\s+\*\s+[^\s<]*[\d*,]|\*(?:\s{2,}\S+){2,}$"
# "- text", "* text", "o Text", "-- Text", "=> text", "3. text", "12) text", "74: text"
MARKER = re.compile(
    rf"((?!{NO_BULLET})[-*•]|"
    r"o(?=\s+[\"'{<>A-Za-z-])|--(?= [A-Z][^@]*$)|\+(?= [A-Z])|=>"
    r"|\d{1,3}[.):]|[a-z]\))\s+(?=[^\s:])"
)

# "str = a .. b", "call(x)", "end;"
STATEMENT = re.compile(r"\s=\s\S|\w\(.*\)$|[;{}]$|^(?:end|return\b.*|local\b.*)$")

MAX_HEAD_LENGTH = 40  # characters of an item that is like a title, with its text below the marker

# beside items with a colon: '"add-header" appends…', "'pair@'-> two", "add-lap(<id>)", "rest-all"
QUOTED = re.compile(r"(?P<term>\"[\w.+-]{1,40}\"|'[^']{1,40}'->)\s+(?P<text>[a-z].*)$")
SYNOPSIS = re.compile(r"[a-z]\w*-[\w-]+$|.*[<(\[{]")
# items that each start with a different placeholder, or with words that two spaces set off from
# a sentence: "<count> is how often", "lamp went out by day  The keeper was asleep."
STARTS = (
    re.compile(r"(?P<term><[^<>]{1,40}>)\s+(?P<text>[a-z].*)$"),
    re.compile(r"(?P<term>\S+(?: \S+){0,7}(?<![.,;:!?])) {2,}(?P<text>[\"(]?[A-Z].*)$"),
)


def rule(region: Region, index: int) -> tuple[List | Definitions, int] | None:
    """A list that starts at `index`, with all its items."""
    first = region.lines[index]
    match = MARKER.match(first.text)
    if match is None or not _starts_list(region, index, match[1]):
        return None
    items: list[tuple[int, int]] = []
    are_heads = True  # whether the text of each item so far is at the column of its marker
    start = index
    while start < region.end:
        line = region.lines[start]
        before = region.lines[items[-1][0]] if items else first
        if not _same_column(line, before) or not _has_such_marker(line, match[1]):
            break
        end = _item_end(region, start)
        if end == start + 1 and are_heads:
            end = _end_of_text_at_marker(region, start, bool(items))
        are_heads = are_heads and region.lines[end - 1].indent == line.indent and end > start + 1
        items.append((start, end))
        start = region.next_text(end)
    texts = [_after_marker(region.lines[start]).text for start, _ in items]
    if match[1][0].isdigit() and 2 * sum(map(bool, map(STATEMENT.search, texts))) >= len(items):
        return None  # a listing with line numbers
    term_lines = _term_lines(region, [start for start, _ in items])
    if not term_lines and len(items) > 2 and not match[1][0].isdigit():
        # "other values are reserved" below the values: an item of its own
        certain = [_term_line(region, start) for start, _ in items[:-1]]
        term_lines = [term_line for term_line in certain if term_line] if all(certain) else []
        if term_lines:
            del items[-1]
    list_end = items[-1][1]
    span = region.span(index, list_end)
    if term_lines:
        definitions = [
            terms.definition(region, term_line, start, end, _marker(region.lines[start]))
            for (start, end), term_line in zip(items, term_lines, strict=True)
        ]
        return Definitions(tuple(definitions), span), list_end
    list_items = tuple(_item(region, start, end) for start, end in items)
    node = List(match[1][-1] in ".):", _unify_bodies(region, list_items, items), span)
    _drop_markers(region, node, [region.lines[start] for start, _ in items])
    return node, list_end


def _item_end(region: Region, index: int) -> int:
    """The index after the item at `index`: its deeper lines, and what goes on at its column.

    In a text without a dialect the first line of each paragraph may be deeper than the others.
    """
    lines, indent = region.lines, region.lines[index].indent
    guesses_blocks = region.context.dialect.guesses_blocks
    if not guesses_blocks or region.indent < indent:
        if not prose.continues_unindented(region, index) or not (
            (start := lines[index + 1].text[0]).islower()
            or (guesses_blocks and start in prose.OPENING)
        ):
            return region.deeper_end(index + 1, indent)
        end = index + 1
        while end < region.end and lines[end].text and not (
            guesses_blocks and lines[end].indent == indent and MARKER.match(lines[end].text)
        ):
            end += 1
        return end
    end = region.deeper_end(index + 1, indent)
    while end < region.end and _continues_at_column(lines, index, end):
        while end < region.end and lines[end].text and not MARKER.match(lines[end].text) and (
            lines[end].indent >= indent
        ):
            end += 1
        end = region.deeper_end(end, indent)
    return end


def _continues_at_column(lines: Sequence[Line], index: int, end: int) -> bool:
    """Whether line `end`, at the column of the item at `index`, goes on with the full line above.

    That is the line of the item, or the first of a paragraph.
    """
    above, line = lines[end - 1], lines[end]
    if not above.text or not line.text or line.indent != lines[index].indent:
        return False
    if MARKER.match(line.text) or has_room(above, line, prose.WRAP_COLUMN):
        return False
    if end == index + 1:
        is_open = prose.FUNCTION_WORD.fullmatch(above.text.rpartition(" ")[2]) is not None
        return not above.text.startswith("--") and (
            is_open or line.text[0].islower() or line.text[0] in prose.OPENING
        )
    return not lines[end - 2].text and prose.count_function_words([above]) > 0


def _unify_bodies(
    region: Region, list_items: tuple[Item, ...], items: Sequence[tuple[int, int]]
) -> tuple[Item, ...]:
    """`list_items`; if most are text, those that are a single line of code become text."""
    code = [len(item.body) == 1 and isinstance(item.body[0], Preformatted) for item in list_items]
    if 2 * sum(code) >= len(list_items):
        return list_items
    result: list[Item] = []
    for item, is_code, (start, end) in zip(list_items, code, items, strict=True):
        if is_code and end == start + 1:
            content = inline.parse([_after_marker(region.lines[start])], region.context.dropped)
            item = replace(item, body=(Paragraph(content, item.span),))
        result.append(item)
    return tuple(result)


def _drop_markers(region: Region, node: List, lines: Sequence[Line]) -> None:
    """Drop bullets, and the marks around numbers that browsers write themselves."""
    dropped = region.context.dropped
    for line, item, number in zip(lines, node.items, listed_numbers(node), strict=True):
        marker = item.marker
        if not number:
            dropped.add("bullet", line, 0, len(marker))
        elif number != marker:
            dropped.add("dot after a number", line, len(marker) - 1, len(marker))


def _end_of_text_at_marker(region: Region, index: int, may_be_last: bool) -> int:
    """The index after the text of the item on line `index`, if it is at the column of its marker.

    The text is then after a blank line, and the next item after it, unless it `may_be_last`.
    """
    line = region.lines[index]
    start = region.next_text(index + 1)
    marker = _marker(line)
    if start != index + 2 or start >= region.end or marker[0].isdigit():
        return index + 1
    if line.text[-1] in ".:;," or len(line.text) > MAX_HEAD_LENGTH or (
        region.lines[start].indent != line.indent or not prose.is_prose_at(region, start)
        or MARKER.match(region.lines[start].text)
    ):
        return index + 1
    end = region.block_end(start)
    below = region.next_text(end)
    is_item = below < region.end and region.lines[below].indent == line.indent and (
        _has_such_marker(region.lines[below], marker)
    )
    return end if is_item or may_be_last else index + 1


def starts_numbered_list(region: Region, index: int) -> bool:
    """Whether a numbered list starts at `index` inside a run of text."""
    match = MARKER.match(region.lines[index].text)
    if match is None or match[1][:-1] not in ("0", "1"):
        return False
    return _starts_list(region, index, match[1])


def introduces_bullets(region: Region, index: int) -> bool:
    """Whether line `index` ends with a colon and bullets are below it and a blank line."""
    next_index = region.next_text(index + 1)
    if region.lines[index].text[-1] != ":" or not index + 1 < next_index < region.end:
        return False
    return region.lines[next_index].text.startswith(("- ", "* "))


def _starts_list(region: Region, index: int, marker: str) -> bool:
    """Whether `marker` starts a list: a number only where the next one follows at its column."""
    if marker in ("--", "+"):  # a single one is a signature
        return _has_next(region, index, marker[1:])
    if not marker[0].isdigit():
        is_bullet = len(marker) < 2 or marker == "=>"
        return is_bullet or _has_next(region, index, chr(ord(marker[0]) + 1))
    return _has_next(region, index, str(int(marker[:-1]) + 1))


def _same_column(line: Line, other: Line) -> bool:
    """Whether two items are at one column; numbers may be set to the right."""
    if line.indent == other.indent:
        return True
    match, before = MARKER.match(line.text), MARKER.match(other.text)
    if match is None or before is None or not match[1][0].isdigit():
        return False
    return line.indent + match.end() == other.indent + before.end()


def _has_next(region: Region, index: int, number: str) -> bool:
    line = region.lines[index]
    following = region.next_text(_item_end(region, index))
    if following >= region.end or not _same_column(region.lines[following], line):
        return False
    match = MARKER.match(region.lines[following].text)
    return match is not None and match[1][:-1] == number


def _has_such_marker(line: Line, marker: str) -> bool:
    match = MARKER.match(line.text)
    if match is None:
        return False
    if match[1][0].isdigit():
        return marker[0].isdigit()
    return match[1] == marker or (match[1][0].isalpha() and marker[0].isalpha())


def _term_lines(region: Region, starts: list[int]) -> list[terms.TermLine]:
    """The term lines of all items, or none if they are not definitions.

    If one term line is certain, weaker signs are enough for the others.  In a numbered list a few
    items may lack the colon: their first word is the term.
    """
    term_lines = [_term_line(region, start) for start in starts]
    if not all(term_lines):
        lines = [_after_marker(region.lines[start]) for start in starts]
        for pattern in STARTS:
            term_lines = _different_term_lines(pattern, lines) or term_lines
    column = next((terms.column_after_gap(term_line) for term_line in term_lines if term_line), -1)
    for number, start in enumerate(starts):
        line = _after_marker(region.lines[start])
        # a long term may push its text by a column
        pushed = terms.term_line_at(line, column) or terms.term_line_at(line, column + 1)
        term_lines[number] = term_lines[number] or pushed
    is_numbered = _marker(region.lines[starts[0]])[0].isdigit()
    if any(term_lines) and not is_numbered:
        term_lines = [
            term_line or _weak_term_line(region, start)
            for term_line, start in zip(term_lines, starts, strict=True)
        ]
    missing = term_lines.count(None)
    if missing and (missing * 5 > len(term_lines) or not is_numbered):
        return []
    return [
        term_line or terms.first_word_as_term(_after_marker(region.lines[start]))
        for term_line, start in zip(term_lines, starts, strict=True)
    ]


def _term_line(region: Region, index: int) -> terms.TermLine | None:
    """The term line of the item at `index`: a term and its text, or a term above deeper text."""
    line = _after_marker(region.lines[index])
    forms = (terms.ARROW, terms.COLON, terms.GAP)
    term_line = next(filter(None, (terms.read_term(form, line) for form in forms)), None)
    if term_line and term_line.text:
        return term_line
    if index + 1 < region.end:
        term = terms.FINAL_COLON.sub("", line.text)
        separator = "" if term == line.text else ":"
        below = region.lines[index + 1]
        column = line.indent if separator else line.indent + 2
        if below.text and below.indent >= column and terms.is_plausible(term):
            return terms.TermLine(term, line.indent, separator, "", line.indent)
    return None


def _different_term_lines(
    pattern: re.Pattern[str], lines: Sequence[Line]
) -> list[terms.TermLine | None]:
    """The term lines that `pattern` finds on all `lines`, each with another term, or none."""
    matches = [(line, pattern.match(line.text)) for line in lines]
    term_lines: list[terms.TermLine | None] = [
        terms.TermLine(
            match["term"], line.indent, "", match["text"], line.indent + match.start("text")
        )
        for line, match in matches if match
    ]
    names = {term_line.term for term_line in term_lines if term_line}
    return term_lines if 1 < len(names) == len(lines) else []


def _weak_term_line(region: Region, index: int) -> terms.TermLine | None:
    """The term line of the item at `index` if other items have a colon: a word or a synopsis."""
    line = _after_marker(region.lines[index])
    if match := QUOTED.match(line.text) or terms.COLON[1].match(line.text):
        term, separator = match["term"], match.groupdict().get("separator", "").strip()
        text, column = match["text"], line.indent + match.start("text")
    else:
        below = region.lines[index + 1] if index + 1 < region.end else None
        if below is not None and below.text and below.indent == line.indent:
            return None  # the sentence continues
        term, separator, text, column = line.text, "", "", line.indent
    bare = terms.BRACKETS.sub("_", term.removesuffix("->"))
    if len(term) > terms.MAX_TERM_LENGTH or not terms.is_plausible(bare):
        return None
    if text == "" and not SYNOPSIS.match(term):
        return None
    return terms.TermLine(term, line.indent, separator, text, column)


def _after_marker(line: Line) -> Line:
    match = MARKER.match(line.text)
    assert match is not None
    return line.after(match.end())


def _marker(line: Line) -> str:
    match = MARKER.match(line.text)
    assert match is not None
    return match[1]


def _item(region: Region, first: int, end: int) -> Item:
    line = region.lines[first]
    span = region.span(first, end)
    text = _after_marker(line)
    if any(row.text and row.indent <= line.indent for row in region.lines[first + 1 : end]):
        lines = _at_one_column(region.lines[first:end], text.indent)
        region, first, end = replace(region, lines=lines, first=0, end=len(lines)), 0, len(lines)
    body = terms.parse_body(region, text, first, end)
    return Item(_marker(line), body, span)


def _at_one_column(lines: Sequence[Line], indent: int) -> tuple[Line, ...]:
    """`lines` of an item; blocks that go on at the column of its marker are moved to `indent`."""
    result = [lines[0]]
    index = 1
    while index < len(lines):
        end = max(block_end(lines, index, len(lines)), index + 1)
        block = lines[index:end]
        column = min(line.indent for line in block)
        if block[0].text and column <= lines[0].indent:
            block = [line.with_indent(line.indent - column + indent) for line in block]
        result += block
        index = end
    return tuple(result)
