"""Definition lists without bullets: arguments, values, options, flags.

    <method>  is the method used        -f <file> : reads <file>; may be
              with requests                 given several times

In running text the columns must be aligned; under a label such as "Arguments :" a term may also be
alone above its description.
"""

from __future__ import annotations

import itertools
import re

from dconv.model.source import Line
from dconv.model.tree import Definition, Definitions, Span, Term
from dconv.model.values import dataclass
from dconv.readers.text import inline
from dconv.readers.text.region import Region
from dconv.readers.text.rules import bullets, languages, prose, terms
from dconv.readers.text.rules.paragraph import INTERRUPTION

# a further column in the text: a gap, but not two spaces after a full stop
COLUMNS = re.compile(r"[^\s.:!?] {2,}\S")


# "sent: number of requests sent": a term of a glossary, with a sentence; output has none
GLOSSARY_WORD = re.compile(r"[a-z][\w-]{0,30}: (?=(?:\W?[A-Za-z][\w'/-]*[^\w\s]? ){2}\S)")
# a term with arguments or a value, above its text: "event <name>", "0 = STOPPED"
FORM = re.compile(r"[<\[{]|^[\w.+-]{1,12} = [\w.+-]+$")
MIN_ENTRIES = 3  # entries that make a glossary
MAX_EXAMINED_ENTRIES = 30  # all of a long list, each time, would be quadratic


@dataclass(frozen=True, slots=True)
class _Entry:
    """A definition's lines: from `start`, its text after `terms_end`, up to `last`."""

    head: terms.TermHead | None
    start: int
    terms_end: int
    last: int


def rule(region: Region, at: int) -> tuple[Definitions, int] | None:
    """A definition list that starts at `at`."""
    entries = _entries(region, at)
    if entries and _continues_as_prose(region, entries[-1]):
        _drop_run(region, entries)
    if not entries:
        return None
    last = entries[-1].last
    items = tuple(_definition(region, entry) for entry in entries)
    span = Span(region.lines[at].number, region.lines[last - 1].number)
    return Definitions(items, span), last


def _entries(region: Region, at: int) -> list[_Entry]:
    """The definitions from `at` on, or none if they are not certain."""
    indent = region.lines[at].indent
    entries: list[_Entry] = []
    end = at
    while end < region.last and 0 <= indent - region.lines[end].indent <= 1:
        first = entries[0].head if entries else None
        entry = _entry(region, end, first)
        if entry is None or (
            INTERRUPTION.match(region.lines[end].text) and not _in_column(entry, first)
        ):
            break
        if region.lines[end].indent < indent and not _is_set_left(entry, first):
            break
        entries.append(entry)
        end = region.next_text(entry.last)
        if len(entries) == MAX_EXAMINED_ENTRIES and not _is_certain(region, entries):
            return []
    if len(entries) < MAX_EXAMINED_ENTRIES and not (entries and _is_certain(region, entries)):
        return []
    return entries


def _in_column(entry: _Entry, first: terms.TermHead | None) -> bool:
    """Whether the text of `entry` is at the column of the first one's, set off by a gap."""
    head = entry.head
    if head is None or first is None:
        return False
    return 0 < terms.gap_column(first) == terms.gap_column(head)


def _is_set_left(entry: _Entry, first: terms.TermHead | None) -> bool:
    """Whether the term of `entry` is too far to the left, but its text is not."""
    head = entry.head
    if head is None or first is None or head.separator or first.separator:
        return False
    return bool(head.text) and head.text_column == first.text_column


def _continues_as_prose(region: Region, entry: _Entry) -> bool:
    """Whether prose continues below `entry` at its column, so that it is no definition."""
    last = entry.last
    if last >= region.last or region.lines[last].indent != region.lines[entry.start].indent:
        return False
    text = region.lines[last].text
    return bool(text) and not INTERRUPTION.match(text)


def _drop_run(region: Region, entries: list[_Entry]) -> None:
    """Remove from `entries` those in one block with the last one; of a short list, remove all."""
    if len(entries) < MAX_EXAMINED_ENTRIES:
        entries.clear()
    while entries:
        entry = entries.pop()
        if not region.lines[entry.start - 1].text or entry.start == region.first:
            return


def _entry(region: Region, at: int, first_head: terms.TermHead | None) -> _Entry | None:
    """The definition at `at`; `first_head` is the head of the list's first one."""
    line = region.lines[at]
    last = region.deeper_end(at + 1, first_head.column if first_head else line.indent)
    column = terms.gap_column(first_head) if first_head else _hanging_column(region, at, last)
    head = _head(region, line, column)
    if head is not None and not head.text and bullets.is_announced(region, at):
        head = None  # "The relay is :" is a sentence
    if head is None and ": " in line.text and _is_glossary(region, first_head, at):
        head = terms.match(terms.COLON, line)
    if head is not None:
        return _Entry(head, at, at + 1, last)
    end = _end_of_broken_term(region, at)
    if end is None and (region.mode == "arguments" or line.text[0] == "<"):
        end = _end_of_lone_terms(region, at)
    if end is None and at + 1 < last and FORM.search(line.text) and _is_explained(region, at + 1):
        end = _end_of_lone_terms(region, at)
    if end is None and first_head is not None:
        end = _end_of_lone_terms(region, at)  # above a text at the column of the others
        if end is not None and region.lines[end].indent != first_head.text_column:
            return None
    return None if end is None else _Entry(None, at, end, region.deeper_end(end, line.indent))


def _is_glossary(region: Region, first_head: terms.TermHead | None, at: int) -> bool:
    """Whether line `at` is of a glossary; without a `first_head` the next lines must be, too."""
    line = region.lines[at]
    if GLOSSARY_WORD.match(line.text) is None:
        return False
    if first_head is not None:
        return first_head.separator == ":"
    count = 0
    while at < region.last and (below := region.lines[at]).text and below.indent >= line.indent:
        if below.indent == line.indent:
            if GLOSSARY_WORD.match(below.text) is None:
                return False
            count += 1
            if count > MAX_EXAMINED_ENTRIES:
                return True
        at += 1
    return count >= MIN_ENTRIES


def _hanging_column(region: Region, at: int, last: int) -> int:
    """The column of the text that hangs below line `at`, where the next item's gap ends at it.

    So a term that nearly reaches the column is recognised by the next item.
    """
    if at + 1 >= last or not region.lines[at + 1].text:
        return -1
    column = region.lines[at + 1].indent
    following = region.next_text(last)
    if following >= region.last or region.lines[following].indent != region.lines[at].indent:
        return -1
    head = terms.match(terms.GAP, region.lines[following])
    if head is None or head.term[-1] == ":" or head.text_column != column:
        return -1
    return column


def _head(region: Region, line: Line, column: int) -> terms.TermHead | None:
    """The head on `line`; text at `column`, as in the items before, is evidence of one."""
    colon = terms.match(terms.COLON, line)
    if colon is not None and (
        " :" in line.text or _cannot_be_word(colon.term) or colon.text_column == column
    ):
        return colon
    head = (
        terms.match(terms.ARROW, line)
        or terms.match(terms.GAP, line)
        or terms.match(terms.SINGLE_QUOTED, line)
        or terms.match(terms.DASH, line)
    )
    if head is not None and head.term[-1] == ":":
        return colon
    if head is None and (region.mode == "arguments" or line.text.startswith("<")):
        head = terms.match(terms.ARGUMENT, line) or colon
    return head or terms.at_column(line, column)


def _cannot_be_word(term: str) -> bool:
    """Whether `term` cannot be a word of prose: "<x>", "$VAR", "-f", '"none"'."""
    return term[0] in "<$-%\"'@" or term.isupper() or "_" in term or "(" in term


def _end_of_lone_terms(region: Region, at: int) -> int | None:
    """The index after terms that are alone on their lines above deeper text."""
    line = region.lines[at]
    end = at
    while end < region.last and region.lines[end].indent == line.indent:
        text = region.lines[end].text
        if not text or not terms.is_plausible(terms.FINAL_COLON.sub("", text)):
            break
        end += 1
    if end == at or end >= region.last or end - at > 6:
        return None
    if not region.lines[end].text or region.lines[end].indent <= line.indent:
        return None
    return end


def _is_explained(region: Region, at: int) -> bool:
    """Whether the block at `at` is a sentence."""
    if at >= region.last or not region.lines[at].text[:1].isupper():
        return False
    rows = region.lines[at : min(region.block_end(at), at + prose.MAX_EXAMINED_LINES)]
    at_column = itertools.takewhile(lambda line: line.indent == rows[0].indent, rows)
    text = " ".join([line.text for line in at_column])
    return prose.is_sentence(text[:-1] + "." if text[-1] == ":" else text, 1)


def _end_of_broken_term(region: Region, at: int) -> int | None:
    """The index after a term that continues below, in brackets, up to a colon."""
    line = region.lines[at]
    end = at + 1
    while end < region.last and region.lines[end].indent > line.indent:
        text = region.lines[end].text
        if not text.startswith(("[", "{", "|", "<")):
            return None
        end += 1
        if text.endswith(":"):
            return end
    return None


def _is_certain(region: Region, entries: list[_Entry]) -> bool:
    """Whether the list is under a label, or its texts start at one column."""
    if region.mode == "arguments":
        return True
    if entries[0].head is None and _is_explained(region, entries[0].terms_end):
        return True
    hanging = elsewhere = 0
    for entry in entries:
        head = entry.head
        if head is None or not head.text:
            continue
        below = entry.start + 1
        if below < entry.last and region.lines[below].text:
            gap = not head.separator
            if gap and region.lines[below].indent != head.text_column and head.term[0] != "'":
                elsewhere += 1
            hanging += 1
    if elsewhere and 4 * elsewhere >= hanging:
        return entries[0].head is None or entries[0].head.term.startswith("<")
    if _is_code(region, entries, bool(hanging)):
        return False
    columns = {entry.head.text_column for entry in entries if entry.head}
    separated = all(entry.head and entry.head.separator for entry in entries)
    return hanging > 0 or (len(entries) > 1 and (separated or len(columns) == 1))


def _is_code(region: Region, entries: list[_Entry], hanging: bool) -> bool:
    """Whether every line is code of some language, or has more columns than two.

    Words of a configuration may be terms too, where their text hangs below them.
    """
    used_languages = {languages.of(region, entry.start, entry.start + 1) for entry in entries}
    is_configuration = region.context.dialect.code_language in used_languages
    if "" not in used_languages and not (hanging and is_configuration):
        return True
    columns = sum(1 for entry in entries if entry.head and COLUMNS.search(entry.head.text))
    return not hanging and 2 * columns >= len(entries)


def _definition(region: Region, entry: _Entry) -> Definition:
    if entry.head is not None:
        return terms.definition(region, entry.head, entry.start, entry.last)
    rows = region.lines[entry.start : entry.terms_end]
    items = tuple(_term(region, row, rows[0].indent) for row in rows)
    separator = ":" if any(terms.FINAL_COLON.search(row.text) for row in rows) else ""
    empty_line = Line(rows[-1].number, rows[-1].indent, "")
    body = terms.body(region, empty_line, entry.terms_end - 1, entry.last)
    span = Span(rows[0].number, region.lines[entry.last - 1].number)
    return Definition("", items, separator, body, span)


def _term(region: Region, row: Line, indent: int) -> Term:
    """The term on `row`; a row that is deeper than `indent` continues the one above."""
    text = terms.FINAL_COLON.sub("", row.text)
    region.context.dropped.colon("colon after a term", row, len(text))
    if row.indent > indent:
        line = Line(row.number, row.column - 1, text)
        return Term(inline.parse([line], region.context.dropped), "", "", "", row.number)
    return terms.term(region, text, row.number, row.column - 1)
