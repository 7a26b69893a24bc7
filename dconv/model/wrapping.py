"""Line breaks in prose: those that only wrap it, and those that its author meant.

An author ended a line on purpose if the first word of the next line would have fitted on it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise

from dconv.model.source import Line

# a line break after the hyphen of a word: "comma-\ndelimited", not "client- and"
HYPHEN_BREAK = re.compile(r"(?<=[A-Za-z]-)\n(?=(?!(?:and|or|to)\b(?!-))[A-Za-z])")

MIN_FULL_LENGTH = 60  # columns; a shorter line of wrapped prose ends where its author ended it
SENTENCE_MARGIN = 80  # columns; a sentence that ends before them may be the last one of its block
# "- text", "0 = off", "not 0 - on", "4-7 - x", "-v text", "> 128"
ITEM_START = re.compile(r"(?:[-*•+]|(?:not )?\d{1,5}(?:-\d{1,5})? +[-=:]|--?[a-z]|[<>]=? ?\d\S*)\s")
# "Default: 3", "default FALSE"
DEFAULT_VALUE = re.compile(r"[Dd]efault(?:: | TRUE\b| FALSE\b)")
# four words or more, the last without a mark: the next line continues "Set the lamp of the"
UNFINISHED = re.compile(r"(?:\S+(?:\s|(?<=[.:;!?)])\s\s)){3,}\S*[^\s.:;!?]$")
COMMENT_MARKER = "# "
MAX_WRAP_WIDTH = 100  # columns
MIN_WRAPPED_PAIRS = 50  # of lines; fewer say nothing about a text
MIN_SHARE_WRAPPED = 0.8  # of the pairs, as code and lists are among them


def has_room(above: Line, below: Line, width: int) -> bool:
    """Whether the first word of `below` would have fitted into `width` columns after `above`."""
    return above.column + len(above.text) + len(below.text.partition(" ")[0]) <= width


def wrap_width(lines: Sequence[Line]) -> int:
    """The columns to which most of `lines` are filled, as by a program or an editor, or 0."""
    pairs = [
        (above, below) for above, below in pairwise(lines)
        if above.text and below.text and above.indent == below.indent
    ]
    changes = [0] * (MAX_WRAP_WIDTH + 2)  # of the count of pairs that a width explains
    for above, below in pairs:
        length = above.indent + len(above.text)
        next_length = length + 1 + len(below.text.partition(" ")[0])
        changes[min(length, MAX_WRAP_WIDTH + 1)] += 1
        changes[min(next_length, MAX_WRAP_WIDTH + 1)] -= 1
    counts = list(accumulate(changes[: MAX_WRAP_WIDTH + 1]))
    width = max(range(MIN_FULL_LENGTH, MAX_WRAP_WIDTH + 1), key=counts.__getitem__)
    is_filled = len(pairs) >= MIN_WRAPPED_PAIRS and counts[width] >= MIN_SHARE_WRAPPED * len(pairs)
    return width if is_filled else 0


def starts_block(above: Line, below: Line) -> bool:
    """Whether `below` starts another block than the line `above` it, with no blank line between.

    A default value ("Default: 3") always does.  Others do if they are at another column or start
    like items of lists, and the author ended the line above: the next word would have fitted.
    """
    if DEFAULT_VALUE.match(below.text):
        return True
    if DEFAULT_VALUE.match(above.text) and below.text[0].isupper() and below.indent == above.indent:
        return has_room(above, below, MIN_FULL_LENGTH)
    if not ITEM_START.match(below.text):
        if below.indent == above.indent:
            return False
        is_new = below.text[:1].isupper() or below.text.startswith(COMMENT_MARKER)
        if not is_new and UNFINISHED.match(above.text):
            return False
    ends_sentence = above.text.endswith(".") and below.indent == above.indent
    width = SENTENCE_MARGIN if ends_sentence else MIN_FULL_LENGTH
    if below.indent > above.indent:
        width = max(width, below.column - 1 + len(below.text))
    return has_room(above, below, width)
