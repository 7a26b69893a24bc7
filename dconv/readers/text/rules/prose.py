"""Whether a block is prose or code, where indentation alone does not decide.

Code shown as prose is unreadable, prose shown as code is merely plain.  So a block is prose only
if it has all signs of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from dconv.model.source import Line, block_end
from dconv.model.wrapping import MIN_FULL_LENGTH, has_room
from dconv.readers.text.region import Region

# code, drawings and tables hold these; prose hardly ever
CODE_MARK = re.compile(
    r"\\$|\s[-=]>\s|\s{3}\S|[{}|]|\\n|==|&&|^[#$>%]|^\S+\s*=\s*\S|^\d{1,3}\.\d{1,3}\."
)
# characters and placeholders that prose quotes: '{}', "|", "\\n", {<text>}
QUOTED_CHARACTERS = re.compile(
    r"'[^\w\s']{1,4}'|\"(?:\\[a-z]|[^\w\s\"]){1,4}\"|\{<[\w-]{1,20}>\}"
)
SENTENCE_START = re.compile(r"[A-Z\"'<(\[]")
LABEL = re.compile(r"\w+ ?: ")
REMARK = re.compile(r"\([Ss]ee [^()]+\)\.?$")  # "(see also question 3)"
SENTENCE_END = re.compile(r"[.:!?)\"]$")
WORD = re.compile(r"\b[a-z]{2,}\b")
# function words; they decide about sentences without a capital
FUNCTION_WORD = re.compile(
    r"\b(?:the|an?|is|are|was|be|been|to|of|in|on|by|it|its|this|that|these|which|with|from|"
    r"when|as|at|and|or|not|will|can|may|must|should|has|have|for|any|all|only|such|than)\b"
)
OPENING = "(\"'/<"  # what a line of prose starts with, besides letters
WRAP_COLUMN = 64  # columns; a line of prose ends where the next word would pass them
ITEM = re.compile(r"(?:[-*•+]|\d{1,2}[.)]) +\S")
# the line below a title
UNDERLINE = re.compile(r"([=~*+#-])\1{2,}")
MIN_FUNCTION_WORDS = 3  # of a line that starts in lower case; no line of code has so many
MAX_EXAMINED_LINES = 100  # lines of a block that are examined; all of a long one would be quadratic


def block_start(region: Region, index: int) -> tuple[Line, ...]:
    """The lines of the block from `index` on, not all of a long one."""
    end = block_end(region.lines, index, min(region.end, index + MAX_EXAMINED_LINES))
    return region.lines[index:end]


def above_items(lines: Sequence[Line]) -> Sequence[Line]:
    """Those of `lines` above deeper items of a list, if a sentence ends there, or all."""
    column = lines[0].indent
    end = next((index for index, line in enumerate(lines) if line.indent != column), len(lines))
    is_above = end < len(lines) and lines[end].indent > column and ITEM.match(lines[end].text)
    return lines[:end] if is_above and lines[end - 1].text[-1] in ".:" else lines


def is_prose_at(region: Region, index: int) -> bool:
    """Whether the block at `index` is certainly prose; only the start of a long one is examined."""
    lines: Sequence[Line] = block_start(region, index)
    if region.context.dialect.guesses_blocks:
        lines = above_items(lines)
    if all(line.text.isupper() for line in lines) and region.context.dialect.guesses_blocks:
        lines = tuple([replace(line, text=line.text.capitalize()) for line in lines])
    return is_prose(lines) or (region.context.dialect.guesses_blocks and (
        _is_short_sentence(lines) or _are_sentences(lines) or _is_full_paragraph(lines)
    ))


def _is_full_paragraph(lines: Sequence[Line]) -> bool:
    """Whether `lines` are sentences, every line full, although most of their words are names."""
    return len(lines) > 2 and SENTENCE_START.match(lines[0].text) is not None and (
        lines[-1].text[-1] == "." and 2 * count_function_words(lines) >= len(lines)
        and all(
            above.indent == line.indent and not has_room(above, line, MIN_FULL_LENGTH)
            for above, line in pairwise(lines)
        )
        and not any(_has_code_mark(line.text) for line in lines)
    )


def _are_sentences(lines: Sequence[Line]) -> bool:
    """Whether a line of `lines` ends a sentence above another one, and none has marks of code."""
    return SENTENCE_START.match(lines[0].text) is not None and (
        count_function_words(lines) >= len(lines)
        and any(
            above.text[-1] == "." and line.text[0].isupper() for above, line in pairwise(lines)
        )
        and all(line.indent == lines[0].indent and not _has_code_mark(line.text) for line in lines)
    )


def _is_short_sentence(lines: Sequence[Line]) -> bool:
    """Whether `lines` are a short one: "To light the lamp, say this:", "There is no limit."."""
    text = lines[0].text
    return len(lines) == 1 and SENTENCE_START.match(text) is not None and (
        SENTENCE_END.search(text) is not None
        and len(WORD.findall(text)) >= (3 if text[-1] == "." else 5)
        and count_function_words(lines) > 0 and not LABEL.match(text) and not _has_code_mark(text)
    )


def is_prose(lines: Sequence[Line]) -> bool:
    """Whether the block `lines` (no blank ones) is certainly prose."""
    first = lines[0]
    if len(lines) == 1 and REMARK.match(first.text):
        return True
    begins = SENTENCE_START.match(first.text) is not None
    ends = SENTENCE_END.search(lines[-1].text) is not None
    if not (begins or (ends and first.text[0].isalpha())):
        return False
    if any(line.indent != first.indent for line in lines):
        return False
    if any(_has_code_mark(line.text) for line in lines):
        return begins and ends and _has_many_function_words(lines)
    word_count = sum(len(WORD.findall(line.text)) for line in lines)
    full_lines = max(1, len(lines) - 1)  # the last line may be short
    if word_count < 4 or word_count < 5 * full_lines:
        short = begins and ends and word_count >= 4 and len(lines) == 1
        return short and count_function_words(lines) > 0 and not LABEL.match(first.text)
    if begins and ends and word_count >= 6:
        return True
    # without a capital or a full stop, it needs enough function words
    if ends:
        return count_function_words(lines) >= max(3, 1 + len(lines))
    return first.text[0].isupper() and count_function_words(lines) >= max(4, 2 * full_lines)


def count_function_words(lines: Sequence[Line]) -> int:
    """Return the number of function words ("the", "of", "when") in `lines`."""
    return sum(len(FUNCTION_WORD.findall(line.text)) for line in lines)


def _has_many_function_words(lines: Sequence[Line]) -> bool:
    """Whether `lines` are wrapped prose that quotes code: its first and most lines have no mark."""
    marked_count = sum(_has_code_mark(line.text) for line in lines)
    return len(lines) > 2 * marked_count and not _has_code_mark(lines[0].text) and (
        count_function_words(lines) >= 2 * len(lines)
    )


def _has_code_mark(text: str) -> bool:
    """Whether `text` holds a mark of code, other than quoted characters: '{}'."""
    return CODE_MARK.search(text) is not None and (
        CODE_MARK.search(QUOTED_CHARACTERS.sub("_", text)) is not None
    )


def has_first_line_indent(region: Region, index: int) -> bool:
    """Whether a paragraph starts at `index` whose first line alone is indented, as in books.

    In a text without a dialect a label or another such paragraph may be above it, and it may go on
    below code.
    """
    guesses_blocks = region.context.dialect.guesses_blocks
    above = region.lines[index - 1].text if index > region.first else ""
    if above and not UNDERLINE.fullmatch(above) and not (
        guesses_blocks and (above[-1] == ":" or _is_below_paragraph(region, index))
    ):
        return False
    if not continues_unindented(region, index):
        return False
    line, below = region.lines[index : index + 2]
    if line.text[0].isupper() and is_sentence(line.text.rstrip(".,;") + ".", 3):
        return True
    examined = [line, below] if line.text[0].isupper() and below.text[0].islower() else [line]
    return guesses_blocks and count_function_words(examined) >= MIN_FUNCTION_WORDS


def _is_below_paragraph(region: Region, index: int) -> bool:
    """Whether a sentence ends above line `index`, in a block whose first line is at its column."""
    lines = region.lines
    if lines[index - 1].text[-1] not in ".!?)":
        return False
    start = index
    while start > max(region.first, index - MAX_EXAMINED_LINES) and lines[start - 1].text:
        start -= 1
    return lines[start].indent == lines[index].indent


def continues_unindented(region: Region, index: int) -> bool:
    """Whether the sentence on the indented line `index` continues below at the column of prose.

    That line is full: the first word of the next one would not have fitted.
    """
    if index + 1 >= region.end:
        return False
    line, below = region.lines[index], region.lines[index + 1]
    if not below.text or below.indent != region.indent or line.indent <= region.indent:
        return False
    if not below.text[0].isalnum() and below.text[0] not in OPENING:
        return False
    return not has_room(line, below, WRAP_COLUMN)


def is_code(lines: Sequence[Line]) -> bool:
    """Whether the block `lines` has marks of code, no sentences at its ends, few function words."""
    if is_sentence(lines[0].text) or lines[-1].text[-1] in ".:!?":
        return False
    if not any(CODE_MARK.search(line.text) for line in lines):
        return False
    return count_function_words(lines) < len(lines)


def is_sentence(text: str, min_words: int = 4) -> bool:
    """Whether `text` reads as a sentence of `min_words` words or more rather than as code."""
    if not text or CODE_MARK.search(text):
        return False
    return text[-1] in ".!?" and len(WORD.findall(text)) >= min_words
