"""A paragraph: lines at one column, up to a blank line, another column or another construct."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from dconv.model.source import Line, block_end
from dconv.model.tree import Inline, LineBreak, Paragraph, Preformatted
from dconv.model.wrapping import (
    COMMENT_MARKER,
    ITEM_START,
    MIN_FULL_LENGTH,
    SENTENCE_MARGIN,
    has_room,
    starts_block,
)
from dconv.readers.text import inline
from dconv.readers.text.region import Region, dedented
from dconv.readers.text.rules import languages, lists, prose, terms, unwrapped
from dconv.readers.text.rules.unwrapped import LAST_WORD

# What starts a new construct without a blank line above it.
INTERRUPTION = re.compile(
    rf"""
      (?: (?! {lists.NO_BULLET} ) [-*•] | => ) \s+ [^\s:]
    | See\ also \s? :
    | (?: Examples? | Arguments? | Notes? | NOTES? | Warning | WARNING | Return\ values?
        | Performance\ note | ACL\ (?:derivatives?|alternatives?) | Important\ note
        | IMPORTANT\ NOTE ) \s? :
    """,
    re.VERBOSE,
)
# definitions at the column of the words above them: "UNK  -> unknown", "0 : all of them", "1 - one"
SHORT_DEFINITION = re.compile(r"\S{1,20}\s+-> \S|\d{1,4} [:=-] \S")
# a value with its meaning, for a text without a dialect: "0 - out", "<= 2 : low"
MARKED_VALUE = re.compile(r"(?:[<=>]{1,2} *)?-?(?:\d{1,5}|0x[\da-fA-F]+) (?:--?|=|:) \S")
# "lit -- the lamp burns", "0(default): it is out"
MEANING = re.compile(r"[a-z]\S{0,30} --? [a-zA-Z]|(?:bit )?\d{1,3}(?: ?\(\w+\))? *[:=] \S")
# "lamp:", "deny lamps = red"
FIRST_LINE_OF_CODE = re.compile(r"[a-z][\w-]*(?::|(?: +\w+)? *= .*)")
CODE_FOLLOWS = " >"  # at the end of a line, as in the help of Vim
BRACKETS = ("<", ">")  # alone on a line, they enclose code
EXAMPLE_FOLLOWS = ("e.g.", "eg.", "i.e.")  # ends of lines above a deeper example
# the end of a line above a line of code: "starts with the line", "might be", "or"
ANNOUNCEMENT = re.compile(
    r"(?:^| )(?:as|into|is|like|(?<!is )set|use|with|line:|like this:"
    r"|(?:a|the) (?:command|error|form|line|string))$"
    r"|^(?:or|[a-z ]*\b(?:be|becomes?|prints?|returns?|yields?))$"
)
EXAMPLE_ANNOUNCED = ("or example,", "e.g.,", "e.g.")
INTERRUPTION_STARTS = frozenset("-*•=SEANWRPI")  # the first characters of what it matches
MAX_STATEMENT_LINES = 4  # of code that directly follows a colon
MAX_EXAMINED_LINES = 20  # above a dash; all of a long paragraph, each time, would be quadratic
# what starts a list of definitions deeper than the prose above it: "<status> : the state"
PLACEHOLDER_DEFINITION = re.compile(r"<[^<>]{1,40}>\s+: ")
# a value of a set, whose meaning is below: "0 = STOPPED"
VALUE_AND_STATE = re.compile(r"\S{1,12} = \S+$")
# a term whose text is set off by a gap: "nx        After that…", "lit=     Since when"
TERM_AND_GAP = re.compile(r"(?:[a-z][\w.-]{0,30}=?|[A-Z_]{3,30}) {2,}(?=[\w\"'<(])")

# "Default: lit at night.", "default YES (lit)", whose text another value may be below
LABEL = re.compile(r"(?:[A-Z][\w ]{0,30}:|[Dd]efault) +(?=\S)")


def rule(region: Region, index: int, second_index: int = 0) -> tuple[Paragraph | Preformatted, int]:
    """Match always: what no other rule matches is prose.

    The column is that of the line `index`, or of the line `second_index` if the first is indented.
    In a text without a dialect, lines that are not wrapped prose (of a file, of a log, a list of
    names) stay lines.
    """
    lines, guesses_blocks = region.lines, region.context.dialect.guesses_blocks
    if guesses_blocks and _starts_one_column_deeper(region, index):
        second_index = index + 1
    first = lines[second_index or index]
    end = index + 1
    while end < region.end:
        above, line = lines[end - 1], lines[end]
        text = line.text
        if not text or line.indent < first.indent:
            break
        if line.indent > first.indent and (
            _announces(above, line)
            or (guesses_blocks and is_another_value(above, line))
        ):
            break
        if text[0] in INTERRUPTION_STARTS and INTERRUPTION.match(text) and (
            not _continues_at_dash(
                lines[max(index, end - MAX_EXAMINED_LINES) : end + 1], lines[end + 1 : end + 2]
            )
        ):
            break
        if text[0].isdigit() and lists.starts_numbered_list(region, end):
            break
        if len(above.text) < languages.MIN_WRAPPED_LENGTH and languages.is_command(above, line):
            break
        if above.text in BRACKETS or _follows_item(above, line):
            break
        if above.text[-1] in ".:" and guesses_blocks and MARKED_VALUE.match(text):
            break
        if above.text[-1] == ":" and (SHORT_DEFINITION.match(text) or languages.is_prompt(text)):
            break
        if guesses_blocks and (
            _is_statement_below_colon(region, end) or _starts_meanings(region, end)
        ):
            break
        if "  " in text and _defines(region, end):
            break
        if end > (second_index or index) and starts_block(above, line):
            break
        end += 1
    if guesses_blocks and (
        unwrapped.are_unwrapped(lines[index:end], is_announced=_is_announced(region, index))
        or _is_announced_code(region, index, end)
    ):
        while end < region.end and (
            (line := lines[end]).text and line.indent >= first.indent and unwrapped.are_code([line])
        ):
            end += 1
        return Preformatted(dedented(lines[index:end]), "", region.span(index, end)), end
    if guesses_blocks:
        end = unwrapped.next_paragraph_start(lines, index, end)
    content: list[Inline] = []
    for start, stop in pairwise([index, *_line_breaks(region, index, end), end]):
        content += [LineBreak()] if content else []
        content += inline.parse(lines[start:stop], region.context.dropped)
    return Paragraph(tuple(content), region.span(index, end)), end


def _line_breaks(region: Region, first: int, end: int) -> list[int]:
    """The lines of a paragraph above which its author ended a line, if all others are full."""
    lines, width = region.lines, region.context.wrap_width
    if not width:
        return []
    below_room, below_much_room = (
        [index for index in range(first + 1, end) if has_room(lines[index - 1], lines[index], used)]
        for used in (width, width - unwrapped.MIN_FREE_COLUMNS)
    )
    return below_room if below_room == below_much_room else []


def _starts_one_column_deeper(region: Region, index: int) -> bool:
    """Whether line `index` is one column deeper by chance: its sentence goes on below."""
    if region.lines[index].indent != region.indent + 1 or not region.lines[index].text[0].isupper():
        return False
    return prose.continues_unindented(region, index) and (
        region.lines[index + 1].text[0].islower()
        and prose.count_function_words([region.lines[index + 1]]) > 0
    )


def is_another_value(above: Line, line: Line) -> bool:
    """Whether `line` is a value of its own, aligned with that after the label on the line `above`.

    That ends although the next word would have fitted.  A sign may be further left.
    """
    label = LABEL.match(above.text) if above.text[-1:] in (".", ")") else None
    return label is not None and 0 <= above.indent + label.end() - line.indent <= 1 and (
        has_room(above, line, SENTENCE_MARGIN)
    )


def _continues_at_dash(block: Sequence[Line], below: Sequence[Line]) -> bool:
    """Whether the last line of `block` starts with a dash between words, as the line above is full.

    So is " -" at its end, below which another one starts the line.  `below` is the line below it.
    """
    above, line = block[-2:]
    if line.text[:2] != "- " or not line.text[2].islower() or line.indent != above.indent:
        return False
    if above.text.endswith(" -"):
        return True
    if below and below[0].text[:1].islower() and below[0].indent == line.indent:
        block = (*block, *below)  # the text of an item would be deeper
    width = max(row.column + len(row.text) - 1 for row in block)
    if len(block) == 2 and line.text[-1] != ".":  # nothing says how wide the lines are
        return False
    return LAST_WORD.search(above.text) is not None and not has_room(
        above, replace(line, text=line.text.replace(" ", "_", 1)), width
    )


def _is_announced(region: Region, index: int) -> bool:
    """Whether the line above line `index`, and above blank ones, ends with a colon."""
    return index > region.first and region.lines[region.index_above(index)].text[-1:] == ":"


def _is_announced_code(region: Region, index: int, end: int) -> bool:
    """Whether a single line, set off below an open sentence or "For example,", is code."""
    line = region.lines[index]
    is_block = end == region.end or not region.lines[end].text
    if is_block and _is_statement_below_colon(region, index):
        return True
    if end > index + 1 or index - 1 <= region.first or region.lines[index - 1].text:
        return False
    if is_within_sentence(region, index, end):
        return unwrapped.is_code_line(line, needs_mark=False)
    above_index = region.index_above(index)
    above, before = region.lines[above_index].text, region.lines[above_index - 1].text
    is_open = (above.count(" ") > 1 or before != "") and (
        above[-1] == ":" or _is_open(region, above_index)
    )
    return (is_open or _is_example(region, index)) and unwrapped.is_code_line(line)


def is_within_sentence(region: Region, index: int, end: int) -> bool:
    """Whether words announce what is on the lines `index` to `end`, or go on with it below."""
    if index - 1 <= region.first or region.lines[index - 1].text:
        return False
    above, below = region.index_above(index), region.next_text(end)
    return ANNOUNCEMENT.search(region.lines[above].text) is not None or (
        below < region.end and region.lines[below].text[0].islower()
        and (_is_open(region, above) or _is_example(region, index))
    )


def _is_open(region: Region, index: int) -> bool:
    """Whether a sentence does not end on line `index`."""
    return region.lines[index].text[-1].isalnum() and (
        prose.count_function_words(region.lines[max(0, index - 1) : index + 1]) > 1
    )


def _is_example(region: Region, index: int) -> bool:
    """Whether the words above line `index` end with "for example,"."""
    above = region.index_above(index)
    words = " ".join([line.text for line in region.lines[max(0, above - 1) : above + 1]])
    return words.endswith(EXAMPLE_ANNOUNCED)


def _is_statement_below_colon(region: Region, index: int) -> bool:
    """Whether the rest of the block, from `index` on, is code that the line above announces."""
    above = region.lines[index - 1].text if index > region.first else ""
    if above[-1:] != ":" or not above[0].isalpha() or above.count('"') % 2:
        return False
    end = block_end(region.lines, index, min(region.end, index + MAX_STATEMENT_LINES + 1))
    return end <= index + MAX_STATEMENT_LINES and unwrapped.is_statement(region.lines[index:end])


def _starts_meanings(region: Region, index: int) -> bool:
    """Whether a word or value and its meaning are on line `index` and the next, and not above."""
    above, line = region.lines[index - 1 : index + 1]
    below = region.lines[index + 1] if index + 1 < region.end else line
    return all(map(MEANING.match, (line.text, below.text))) and below is not line and (
        line.indent == below.indent and not MEANING.match(above.text)
    )


def is_line_above_code(region: Region, index: int, *, is_below_code: bool) -> bool:
    """Whether line `index`, above deeper code, is a part of it: "lamp:", or any below a colon."""
    line, block = region.lines[index], prose.block_start(region, index + 1)
    text = line.text
    has_mark = unwrapped.CODE.search(text) is not None
    if _is_announced(region, index):
        return has_mark or (text[-1] != ":" and not prose.count_function_words([line]))
    if is_below_code and has_mark and not text.endswith((":", CODE_FOLLOWS, "<")):
        return prose.count_function_words(block) <= len(block)
    return FIRST_LINE_OF_CODE.fullmatch(text) is not None and prose.is_code(block)


def _follows_item(above: Line, line: Line) -> bool:
    """Whether `line` starts the text below `above`, an item of one line: "> 5 at night."."""
    if above.text[-1] != "." or line.indent != above.indent or not line.text[0].isupper():
        return False
    is_item = ITEM_START.match(above.text) is not None
    return is_item and has_room(above, line, MIN_FULL_LENGTH)


def _announces(above: Line, line: Line) -> bool:
    """Whether the deeper `line` is what the line `above` it announces, or a definition."""
    if above.text[-1] == ":" or (line.text[0] == "<" and PLACEHOLDER_DEFINITION.match(line.text)):
        return True
    if line.indent <= above.indent:
        return False
    if above.text.endswith(CODE_FOLLOWS):
        return True
    return above.text.endswith(EXAMPLE_FOLLOWS) or (
        above.text[-1] == "." and VALUE_AND_STATE.match(line.text) is not None
    )


def _defines(region: Region, index: int) -> bool:
    """Whether a definition with hanging text starts at `index`.

    It is below the end of a sentence, or of a line that its author ended.
    """
    above, line = region.lines[index - 1 : index + 1]
    if index + 1 >= region.end or above.text.startswith(COMMENT_MARKER) or not (
        above.text[-1] in ".:" or above.indent > line.indent
        or has_room(above, line, MIN_FULL_LENGTH)
    ):
        return False
    match = TERM_AND_GAP.match(line.text)
    below = region.lines[index + 1]
    if match is None or not below.text:
        return False
    column = line.indent + match.end()
    following = terms.term_line_at(below, column) if below.indent == line.indent else None
    return below.indent == column or (
        following is not None and following.term != match[0].rstrip()
        # below a row of a table, its next row is no definition
        and ("   " not in above.text or "  " not in line.text[match.end() :])
    )
