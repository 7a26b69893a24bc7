"""A word is repeated, on one line or over the end of a line; or a comma is.

Words that may come twice ('that that', 'had had') are allowed, and so are names, quoted
words, examples and tables.

Bad:
    timeout <time>
      The value is sent to the
      the server.

Good:
    timeout <time>
      The value is sent to the
      server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import eq

from dconv.lint.context import Context, TextBlock
from dconv.lint.rule import Finding, Rule, position
from dconv.model.tree import Definition

# "the the", "The the"; not "the the-x", "'no' no", "<name> name", "in in/out"
DOUBLED = re.compile(
    r"(?<![\w\"'<>.,/$%@#=(-])(?P<word>[A-Za-z]{2,}|a) (?P=word)"
    r"(?! (?P=word)\b)(?! ?=|[\w\"'<>(/-]|\.\w)",
    re.IGNORECASE,
)
# "and and or", which are names here
OPERATORS = re.compile(r" (?:and|or|not)\b")
# "the", "the the the": no more than the word; ".Cm Include", a request of roff
ONLY_THE_WORD = re.compile(r"\W*(?P<word>\w+)(?:\W+(?P=word))*\W*$", re.IGNORECASE)
ROFF_REQUEST = re.compile(r"\.[A-Za-z]{1,3} ")
DOUBLED_COMMA = re.compile(r"(?<=[\w\"]),\s?,(?= (?:[a-z]|\"\w)|$)")
ALLOWED_TWICE = frozenset({
    "that", "had", "very", "much", "so", "long", "many", "no", "bla", "million", "billion",
})  # fmt: skip


def _find(context: Context) -> Iterator[Finding]:
    for text_block in context.text_blocks:
        if isinstance(text_block.node, Definition):
            continue
        text = text_block.text
        if ",," in text or ", ," in text:
            yield from _commas(context, text_block)
        words = text.lower().replace(".", "").replace(",", "").split(" ")
        if not any(map(eq, words, words[1:])):
            continue  # asked first because it is quick
        for match in DOUBLED.finditer(text):
            word = match["word"]
            is_operator = word in ("and", "or", "not") and OPERATORS.match(text, match.end())
            if word.casefold() not in ALLOWED_TWICE and not is_operator:
                yield from _second_word(context, text_block, word)


def _commas(context: Context, text_block: TextBlock) -> Iterator[Finding]:
    """Commas after commas between words; those within quotes and brackets are meant."""
    for line in context.lines_of(text_block.span):
        for match in DOUBLED_COMMA.finditer(line.text):
            column = line.column + match.end() - 1
            yield Finding(line.number, column, "',' appears twice in a row")


def _second_word(context: Context, text_block: TextBlock, word: str) -> Iterator[Finding]:
    """The place of the second; nothing if columns part them, or lines that are not prose."""
    lines = context.lines_of(text_block.span)
    text = "\n".join([line.text for line in lines])
    match = re.search(rf"\b(?P<first>{word})\s(?P<second>{word})\b", text, re.IGNORECASE)
    if match is None:
        return
    above, _ = position(lines, match.start())
    line, column = position(lines, match.start("second"))
    if not _is_not_prose(context.line(above).text, context.line(line).text, match):
        yield Finding(line, column, f"'{word}' appears twice in a row", len(word))


def _is_not_prose(above: str, below: str, match: re.Match[str]) -> bool:
    """Whether what is `above` and `below`, or in one line, is not prose that goes on.

    It is "end" below "end", a row of letters, or a value below its type.

    In prose the second word has a small letter ("The" above "the"), or is the same.
    """
    first, second = match["first"], match["second"]
    if ROFF_REQUEST.match(above) or ("\n" in match[0] and second not in (first, first.lower())):
        return True
    return bool(ONLY_THE_WORD.match(above) and ONLY_THE_WORD.match(below))


RULE = Rule("doubled-word", "warning", __doc__, _find)
