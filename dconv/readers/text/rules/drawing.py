"""Drawings, and columns that no rule for tables recognized: they stay as they are.

    client            server
       | ---- SYN ----> |

Re-flowing would destroy them, at any column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from dconv.model.source import Line
from dconv.model.tree import Preformatted
from dconv.model.wrapping import DEFAULT_VALUE, MIN_FULL_LENGTH, has_room
from dconv.readers.text import name_lines
from dconv.readers.text.name_lines import GAP
from dconv.readers.text.region import Region
from dconv.readers.text.rules import languages, prose
from dconv.readers.text.rules.paragraph import INTERRUPTION, SHORT_DEFINITION
from dconv.readers.text.rules.preformatted import MIN_EXTRA_INDENT, preformatted

# "+----+", "|    |", "====>", columns with a gap of three spaces or more
# or apart by bars: "label | text"; box characters of Unicode
STROKE = re.compile(
    r"\S {3,}\S|[+|]--|--[+|>]|[+|][=#x]{3}|[=#x]{3}[+|]|^\|.*\|$| \| |____|^[-=~+| ]{3,}$"
    r"|[\u2500-\u257f]"
)
# strokes in a single line: one gap alone may also be in a sentence
STROKE_ALONE = re.compile(r"\S {3,}+(?=\S).*?[^ ] {3,}+\S|[+|]--|--[+|>]|^\|.*\|$|____")
COLUMNS = re.compile(r"\S {3,}+(?=\S).*?[^ ] {3,}+\S")
BORDER = re.compile(r"[-_+]{3,}(?: +[-_+]{3,})+")  # the upper ends of boxes
PUNCTUATION = frozenset(".,:;!?")
# one of them is in every drawing
MARKS = ("   ", "--", "==", "##", "xxx", "__", "|", "\\", "─", "│", "║", "━")
# an explicit end of a line: "HELO\n", "value \"
ENDED = re.compile(r"\\n?$")
# "The format of a message:"
INTRODUCTION = re.compile(r"[A-Za-z][\w/-]*(?: [\w/,()'\"-]+)+ ?:$")
# "[job]", "; comment", "rw=read", "size = 3m"; the first two also alone
FILE_LINE = re.compile(r"\[[\w .:-]{1,40}\]$|; \S")
SETTING = re.compile(rf"{FILE_LINE.pattern}|[\w.-]{{1,40}} ?= ?\S+(?: \S+)?$|include \S+$")
STATE = re.compile(r"\w:\w|\S {2,}\S")
# where something is cut out: "---%<-------------------------"
EXCERPT_MARK = re.compile(r"-{2,} ?(?:[%8]<|>[%8]) ?-{2,}")
DOTS = "..."  # above and below a part of a file
MIN_LINES = 4  # of fewer lines, half is one or two, which prose may have by chance
# lines of a block that are examined; all of a long one would be quadratic
MAX_EXAMINED_LINES = 100


def rule(region: Region, index: int) -> tuple[Preformatted, int] | None:
    """The block at `index`, if most of its lines are drawn rather than written."""
    lines = region.lines
    if _introduces(region, index) or _has_options(region, index):
        return None
    end = _end(region, index, index + 1, index + MAX_EXAMINED_LINES)
    if not _is_code(region, index, end) and not _is_drawn(lines[index:end]):
        return None
    end = _end(region, index, end, region.end)
    if languages.is_prompt(lines[index].text) and region.context.dialect.guesses_blocks:
        end = _end_of_session(lines, index, end)
    return preformatted(lines[index:end], languages.detect(region, index, end)), end


def excerpt(region: Region, index: int) -> tuple[Preformatted, int] | None:
    """The lines between two marks of an excerpt, and the marks; dots are in one block."""
    lines, mark = region.lines, region.lines[index].text
    if not region.context.dialect.guesses_blocks:
        return None
    if mark == DOTS:
        marks = [
            end for end in range(index + 2, region.block_end(index)) if lines[end].text == mark
        ]
    elif EXCERPT_MARK.fullmatch(mark):
        marks = [end for end in range(index + 1, region.end) if lines[end].text == mark][:1]
    else:
        return None
    return (preformatted(lines[index : marks[-1] + 1], ""), marks[-1] + 1) if marks else None


def _end_of_session(lines: Sequence[Line], index: int, end: int) -> int:
    """The index in a session, `index` to `end`, where prose from above it goes on, else `end`."""
    for below in range(index + 1, min(end, index + MAX_EXAMINED_LINES)):
        rest = lines[below:end]
        if lines[below].text[0].islower() and lines[below].indent == lines[index].indent and (
            prose.is_prose(rest) and prose.count_function_words(rest) >= 2 * len(rest)
        ):
            return below
    return end


def _introduces(region: Region, index: int) -> bool:
    """Whether line `index` ends with a colon and introduces a deeper block or definitions."""
    line = region.lines[index]
    if line.text[-1] != ":" or not INTRODUCTION.match(line.text) or index + 1 >= region.end:
        return False
    below = region.lines[index + 1]
    return below.indent > line.indent or SHORT_DEFINITION.match(below.text) is not None


def _has_options(region: Region, index: int) -> bool:
    """Whether an option is below line `index`, in a text without a dialect."""
    if not region.context.dialect.guesses_terms or index + 1 >= region.end:
        return False
    line, below = region.lines[index], region.lines[index + 1]
    if not below.text.startswith("-") or below.indent <= line.indent:
        return False
    name_line = name_lines.read(below, None)
    return name_line is not None and name_line.style == "option"


def _end(region: Region, index: int, start: int, stop: int) -> int:
    """The index after the block at `index`, looking from `start` on, at most `stop`."""
    lines = region.lines
    is_border = BORDER.fullmatch(lines[index].text) is not None
    for end in range(start, min(stop, region.end)):
        line = lines[end]
        if not line.text or INTERRUPTION.match(line.text):  # "Example :" needs no blank line
            return end
        if line.indent < min(lines[index].indent, region.indent) and not is_border:
            return end
    return min(stop, region.end)


def _is_code(region: Region, index: int, end: int) -> bool:
    """Whether the block `index` to `end` is at the column of prose and is code.

    Deeper lines are always code, in one block or several.
    """
    if region.lines[index].indent >= region.indent + MIN_EXTRA_INDENT:
        return False
    if languages.is_prompt(region.lines[index].text):
        return True
    if index > region.first and languages.is_command(region.lines[index - 1], region.lines[index]):
        return True
    if region.context.dialect.guesses_terms and (
        _is_settings(region.lines[index:end]) or _is_output(region.lines[index:end])
    ):
        return True
    return _ends_lines_early(region.lines[index:end]) and languages.detect(region, index, end) != ""


def _is_settings(block: Sequence[Line]) -> bool:
    """Whether the lines of `block` are those of a file: settings, "[job]", "rw=read", no prose."""
    if len(block) == 1:
        return FILE_LINE.match(block[0].text) is not None
    if any(DEFAULT_VALUE.match(line.text) for line in block):
        return False
    if not _ends_lines_early(block):
        return _is_listing(block)
    setting_count = sum(1 for line in block if SETTING.match(line.text))
    if 3 * setting_count >= 2 * len(block):
        return True
    return 2 * prose.count_function_words(block) <= len(block)


def _is_output(block: Sequence[Line]) -> bool:
    """Whether `block` is a name with states beside it and aligned below: "eth0  Up:no  MTU:9"."""
    gap = GAP.search(block[0].text)
    if gap is None or len(block) < MIN_LINES or prose.count_function_words(block):
        return False
    if any(line.indent != block[0].indent + gap.end() for line in block[1:]):
        return False
    return 2 * sum(STATE.search(line.text) is not None for line in block) >= len(block)


def _is_listing(block: Sequence[Line]) -> bool:
    """Whether `block` has no sentences and most lines end early."""
    if any(line.text[-1] in PUNCTUATION for line in block) or prose.count_function_words(block):
        return False
    ended = sum(1 for above, below in pairwise(block) if has_room(above, below, MIN_FULL_LENGTH))
    return 2 * ended >= len(block) - 1


def _ends_lines_early(block: Sequence[Line]) -> bool:
    """Whether every line ends long before the margin, and none with a sentence.

    The next word would have fitted, so the line breaks are intended.  This recognizes code at the
    column of prose.
    """
    if len(block) < 2 or any(line.text[-1] in PUNCTUATION for line in block):
        return False
    return all(has_room(line, below, MIN_FULL_LENGTH) for line, below in pairwise(block))


def _is_drawn(block: Sequence[Line]) -> bool:
    """Whether most lines hold strokes or bars, or mark their ends."""
    whole = "\n".join([line.text for line in block])
    if not any(mark in whole for mark in MARKS):
        return False
    drawn_count = sum(1 for line in block if STROKE.search(line.text))
    ended_count = sum(1 for line in block if ENDED.search(line.text))
    if len(block) == 1:
        return STROKE_ALONE.search(block[0].text) is not None
    is_short = len(block) < MIN_LINES
    if is_short and any(COLUMNS.search(line.text) for line in block):
        return True
    if whole[-1] == "." and prose.count_function_words(block) >= 2 * len(block):
        ended_count = 0  # prose, which may quote a backslash
    return 2 * ended_count >= len(block) or 2 * drawn_count >= len(block) + is_short
