"""Definition lists without bullets: arguments, values, options, flags.

    <method>  is the method used        -f <file> : reads <file>; may be
              with requests                 given several times

In running text the columns must be aligned; under a label such as "Arguments :" a term may also be
alone above its description.
"""

from __future__ import annotations

import re
from itertools import takewhile

from dconv.model.source import Line
from dconv.model.tree import Definition, Definitions, Preformatted, Term
from dconv.model.values import dataclass
from dconv.model.wrapping import DEFAULT_VALUE
from dconv.readers.text import inline
from dconv.readers.text.region import Region
from dconv.readers.text.rules import languages, lists, prose, terms
from dconv.readers.text.rules.paragraph import INTERRUPTION, is_within_sentence
from dconv.readers.text.rules.preformatted import CAPTION, preformatted

# a further column in the text: a gap, but not two spaces after a full stop
COLUMN_GAP = re.compile(r"[^\s.:!?] {2,}\S")


# "sent: number of requests sent": a term of a glossary, with a sentence; output has none
GLOSSARY_WORD = re.compile(
    r"[a-z][\w-]{0,30}(?: or [a-z][\w-]{0,30})?: (?=(?:\W?[A-Za-z][\w'/-]*[^\w\s]? ){2}\S)"
)
# a term with arguments or a value, above its text: "event <name>", "0 = STOPPED", '"oil" litres'
TERM_WITH_VALUE = re.compile(r"[<\[{]|^[\w.+-]{1,12} = [\w.+-]+$|^\"[\w-]+\" [\w|]+$")
# "ERR", "NO_OIL", "BH [message=<x>]", 'OK oil="2"'
CAPITAL_NAME = re.compile(r"[A-Z][A-Z\d_]+(?: \[.*| [\w-]+=\"[^\"]*\")?$")
MIN_ITEMS = 3  # items that make a glossary


@dataclass(frozen=True, slots=True)
class _Item:
    """A definition's lines: from `start` to `end` (excluded), its text from `terms_end` on."""

    term_line: terms.TermLine | None
    start: int
    terms_end: int
    end: int


def rule(region: Region, index: int) -> tuple[Definitions | Preformatted, int] | None:
    """A definition list that starts at `index`, or lines of code with columns."""
    items = _certain_items(region, index)
    if not items:
        return None
    end = items[-1].end
    words = (word for line in region.lines[index:end] for word in line.text.split())
    if region.context.dialect.guesses_blocks and is_within_sentence(region, index, end) and (
        not any(map(prose.FUNCTION_WORD.fullmatch, words))
    ):
        return preformatted(region.lines[index:end], ""), end
    definitions = tuple(_definition(region, item) for item in items)
    return Definitions(definitions, region.span(index, end)), end


def end_of_list(region: Region, index: int) -> int:
    """The index after the definition list that starts at `index`, or `index` if none does."""
    items = _certain_items(region, index)
    return items[-1].end if items else index


def _certain_items(region: Region, index: int) -> list[_Item]:
    """The definitions from `index` on, without those that prose continues."""
    items = _items(region, index)
    if len(items) == 1 and region.context.dialect.guesses_blocks and (
        DEFAULT_VALUE.match(region.lines[index].text)
    ):
        return []
    if items and _continues_as_prose(region, items[-1]):
        if not _is_by_chance(region, items[-1]):
            _remove_last_block(region, items)
        else:
            items.pop()
            if not items or not _is_certain(region, items):
                return []
    return [] if _is_prose(region, items) else items


def _items(region: Region, index: int) -> list[_Item]:
    """The definitions from `index` on, or none if they are not certain."""
    indent = region.lines[index].indent
    items: list[_Item] = []
    end = index
    while end < region.end and 0 <= indent - region.lines[end].indent <= 1:
        first = items[0].term_line if items else None
        item = _item(region, end, first)
        if item is None or CAPTION.match(region.lines[end].text) or (
            INTERRUPTION.match(region.lines[end].text) and not _in_column(item, first)
        ):
            break
        if region.lines[end].indent < indent and not _is_outdented(item, first):
            break
        items.append(item)
        end = region.next_text(item.end)
        if len(items) == terms.MAX_EXAMINED_ITEMS and not _is_certain(region, items):
            return []
    if len(items) < terms.MAX_EXAMINED_ITEMS and not (items and _is_certain(region, items)):
        return []
    return items


def _in_column(item: _Item, first: terms.TermLine | None) -> bool:
    """Whether the text of `item` is at the column of the first one's, set off by a gap."""
    term_line = item.term_line
    if term_line is None or first is None:
        return False
    return 0 < terms.column_after_gap(first) == terms.column_after_gap(term_line)


def _is_outdented(item: _Item, first: terms.TermLine | None) -> bool:
    """Whether the term of `item` is too far to the left, but its text is not."""
    term_line = item.term_line
    if term_line is None or first is None or term_line.separator or first.separator:
        return False
    return bool(term_line.text) and term_line.text_column == first.text_column


def _is_prose(region: Region, items: list[_Item]) -> bool:
    """Whether one placeholder starts several lines: "<bytes> are read, where | <bytes> is set".

    So it is where all lines start with one word or mark, which no colon follows.
    """
    term_lines = [item.term_line for item in items if item.term_line]
    if len(term_lines) > 1 and len({(line.term, line.separator) for line in term_lines}) == 1:
        return not term_lines[0].separator
    names = [
        line.term for line in term_lines if not line.separator and terms.column_after_gap(line) < 0
    ]
    return region.mode != "arguments" and len({*names}) < len(names)


def _continues_as_prose(region: Region, item: _Item) -> bool:
    """Whether prose continues below `item` at its column, so that it is no definition."""
    end = item.end
    if end >= region.end or region.lines[end].indent != region.lines[item.start].indent:
        return False
    text = region.lines[end].text
    return bool(text) and not INTERRUPTION.match(text)


def _is_by_chance(region: Region, item: _Item) -> bool:
    """Whether a word of prose below a blank line, at the start of `item`, only fills its column."""
    term_line = item.term_line
    return term_line is not None and not term_line.separator and (
        terms.column_after_gap(term_line) < 0 and not region.lines[item.start - 1].text
        and region.context.dialect.guesses_blocks
    )


def _remove_last_block(region: Region, items: list[_Item]) -> None:
    """Remove from `items` those in one block with the last one; of a short list, remove all."""
    if len(items) < terms.MAX_EXAMINED_ITEMS:
        items.clear()
    while items:
        item = items.pop()
        if not region.lines[item.start - 1].text or item.start == region.first:
            return


def _item(region: Region, index: int, first: terms.TermLine | None) -> _Item | None:
    """The definition at `index`; `first` is the term line of the list's first one."""
    line = region.lines[index]
    stop = region.deeper_end(index + 1, first.column if first else line.indent)
    column = terms.column_after_gap(first) if first else _hanging_column(region, index, stop)
    term_line = _term_line(region, line, column)
    if term_line is not None and not term_line.text and lists.introduces_bullets(region, index):
        term_line = None  # "The relay is :" is a sentence
    if term_line is None and ": " in line.text and _is_glossary(region, first, index):
        term_line = terms.read_term(terms.COLON, line)
    if term_line is not None:
        return _Item(term_line, index, index + 1, stop)
    end = _end_of_broken_term(region, index)
    if end is None and (region.mode == "arguments" or line.text[0] == "<"):
        end = _end_of_lone_terms(region, index)
    if end is None and index + 1 < stop and (
        TERM_WITH_VALUE.search(line.text)
        or (line.indent > region.indent and CAPITAL_NAME.match(line.text))
    ):
        end = _end_of_lone_terms(region, index) if _is_explained(region, index + 1) else None
    if end is None and first is not None:
        end = _end_of_lone_terms(region, index)  # above a text at the column of the others
        if end is not None and region.lines[end].indent != first.text_column:
            return None
    return None if end is None else _Item(None, index, end, region.deeper_end(end, line.indent))


def _is_glossary(region: Region, first: terms.TermLine | None, index: int) -> bool:
    """Whether line `index` is of a glossary; without a `first` one, so must be the next lines."""
    line = region.lines[index]
    if GLOSSARY_WORD.match(line.text) is None:
        return False
    if first is not None:
        return first.separator == ":"
    count = 0
    for below_index in range(index, region.end):
        below = region.lines[below_index]
        if not below.text or below.indent < line.indent:
            break
        if below.indent == line.indent:
            if GLOSSARY_WORD.match(below.text) is None:
                return False
            count += 1
            if count > terms.MAX_EXAMINED_ITEMS:
                return True
    return count >= MIN_ITEMS


def _hanging_column(region: Region, index: int, end: int) -> int:
    """The column of the text that hangs below line `index`, where the next item's gap ends at it.

    So a term that nearly reaches the column is recognized by the next item.
    """
    if index + 1 >= end or not region.lines[index + 1].text:
        return -1
    column = region.lines[index + 1].indent
    following = region.next_text(end)
    if following >= region.end or region.lines[following].indent != region.lines[index].indent:
        return -1
    term_line = terms.read_term(terms.GAP, region.lines[following])
    if term_line is None or term_line.term[-1] == ":" or term_line.text_column != column:
        return -1
    return column


def _term_line(region: Region, line: Line, column: int) -> terms.TermLine | None:
    """The term line on `line`; text at `column`, as in the items before, is evidence of one."""
    colon = terms.read_term(terms.COLON, line)
    if colon is not None and (
        " :" in line.text or _cannot_be_word(colon.term) or colon.text_column == column
    ):
        return colon
    term_line = (
        terms.read_term(terms.ARROW, line)
        or terms.read_term(terms.GAP, line)
        or (column < 0 and terms.read_term(terms.SINGLE_QUOTED, line))
        or terms.read_term(terms.DASH, line)
    )
    if term_line is not None and term_line.term[-1] == ":":
        return colon
    if term_line is None and (region.mode == "arguments" or line.text.startswith("<")):
        term_line = terms.read_term(terms.ARGUMENT, line) or colon
    return term_line or terms.term_line_at(line, column)


def _cannot_be_word(term: str) -> bool:
    """Whether `term` cannot be a word of prose: "<x>", "$VAR", "-f", '"none"'."""
    return term[0] in "<$-%\"'@" or term.isupper() or "_" in term or "(" in term


def _end_of_lone_terms(region: Region, index: int) -> int | None:
    """The index after terms that are alone on their lines above deeper text."""
    line = region.lines[index]
    end = index
    while end < region.end and region.lines[end].indent == line.indent:
        text = region.lines[end].text
        if not text or not terms.is_plausible(terms.FINAL_COLON.sub("", text)):
            break
        end += 1
    if end == index or end >= region.end or end - index > 6:
        return None
    below = end
    if CAPITAL_NAME.match(line.text) and region.context.dialect.guesses_blocks:
        below = min(region.next_text(end), end + 1, region.end - 1)
    if not region.lines[below].text or region.lines[below].indent <= line.indent:
        return None
    return end


def _is_explained(region: Region, index: int) -> bool:
    """Whether the block at `index` is a sentence."""
    index = region.next_text(index)
    text = region.lines[index].text if index < region.end else ""
    if not text[:1].isupper() and not prose.FUNCTION_WORD.match(text):
        return False
    rows = prose.block_start(region, index)
    at_column = takewhile(lambda line: line.indent == rows[0].indent, rows)
    text = " ".join([line.text for line in at_column])
    return prose.is_sentence(text[:-1] + "." if text[-1] == ":" else text, 1)


def _end_of_broken_term(region: Region, index: int) -> int | None:
    """The index after a term that continues below, in brackets, up to a colon."""
    line = region.lines[index]
    end = index + 1
    while end < region.end and region.lines[end].indent > line.indent:
        text = region.lines[end].text
        if not text.startswith(("[", "{", "|", "<")):
            return None
        end += 1
        if text.endswith(":"):
            return end
    return None


def _is_certain(region: Region, items: list[_Item]) -> bool:
    """Whether the list is under a label, or its texts start at one column."""
    if region.mode == "arguments":
        return True
    if items[0].term_line is None and _is_explained(region, items[0].terms_end):
        return True
    if region.context.dialect.guesses_blocks and all(
        _is_above_code(region, item) for item in items
    ):
        return False
    hanging = elsewhere = 0
    for item in items:
        term_line = item.term_line
        if term_line is None or not term_line.text:
            continue
        next_index = item.start + 1
        if next_index < item.end and region.lines[next_index].text:
            after_gap = not term_line.separator and term_line.term[0] != "'"
            if after_gap and region.lines[next_index].indent != term_line.text_column:
                elsewhere += 1
            hanging += 1
    if elsewhere and 4 * elsewhere >= hanging:
        return items[0].term_line is None or items[0].term_line.term.startswith("<")
    if _is_code(region, items, bool(hanging)):
        return False
    columns = {item.term_line.text_column for item in items if item.term_line}
    are_separated = all(item.term_line and item.term_line.separator for item in items)
    return hanging > 0 or (len(items) > 1 and (are_separated or len(columns) == 1))


def _is_above_code(region: Region, item: _Item) -> bool:
    """Whether the lines directly below the line of `item`, which has a colon, are code."""
    below = prose.block_start(region, item.start + 1)[: item.end - item.start - 1]
    has_colon = item.term_line is not None and item.term_line.separator == ":"
    return has_colon and below != () and prose.is_code(below)


def _is_code(region: Region, items: list[_Item], are_hanging: bool) -> bool:
    """Whether every line is code of some language, or has more columns than two.

    Words of a configuration may be terms too, where their text hangs below them.
    """
    used_languages = {languages.detect(region, item.start, item.start + 1) for item in items}
    is_configuration = region.context.dialect.code_language in used_languages
    if "" not in used_languages and not (are_hanging and is_configuration):
        return True
    columns = sum(1 for item in items if item.term_line and COLUMN_GAP.search(item.term_line.text))
    if are_hanging and region.context.dialect.guesses_blocks and columns == len(items):
        lines = region.lines[items[0].start : items[-1].end]
        return prose.count_function_words(lines) == 0 and lines[-1].text[-1] not in ".:"
    return not are_hanging and 2 * columns >= len(items)


def _definition(region: Region, item: _Item) -> Definition:
    if item.term_line is not None:
        return terms.definition(region, item.term_line, item.start, item.end)
    rows = region.lines[item.start : item.terms_end]
    items = tuple(_term(region, row, rows[0].indent) for row in rows)
    separator = ":" if any(terms.FINAL_COLON.search(row.text) for row in rows) else ""
    empty_line = Line(rows[-1].number, rows[-1].indent, "")
    body = terms.parse_body(region, empty_line, item.terms_end - 1, item.end)
    return Definition("", items, separator, body, region.span(item.start, item.end))


def _term(region: Region, row: Line, indent: int) -> Term:
    """The term on `row`; a row that is deeper than `indent` continues the one above."""
    text = terms.FINAL_COLON.sub("", row.text)
    region.context.dropped.add_colon("colon after a term", row, len(text))
    if row.indent > indent:
        line = Line(row.number, row.column - 1, text)
        return Term(inline.parse([line], region.context.dropped), "", "", "", row.number)
    return terms.term(region, text, row.number, row.column - 1)
