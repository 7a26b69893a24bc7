"""A word is repeated, on one line or over the end of a line; or a comma is, or two words are.

Words that may come twice ('that that', 'had had') are allowed, and so are names, quoted
words, examples and tables, and a noun that a text without a dialect often doubles.

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
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from operator import eq

from dconv.lint.context import Context, TextBlock
from dconv.lint.edits import words_edit
from dconv.lint.rule import Finding, Rule, position
from dconv.model.diagnostics import Fix
from dconv.model.source import Line
from dconv.model.tree import Definition

# "the the", "The the"; not "the the-x", "'no' no", "<name> name", "in in/out"
DOUBLED = re.compile(
    r"(?<![\w\"'<>.,/$%@#=(-])(?P<word>[A-Za-z]{2,}|a) (?P=word)"
    r"(?! (?P=word)\b)(?! ?=|[\w\"'<>(/-]|\.\w)",
    re.IGNORECASE,
)
# "and and or", which are names here
OPERATORS = re.compile(r" (?:and|or|not)\b")
# "the", "the the the": no more than the word; ".Cm Include", a macro of roff
WORD_ALONE = re.compile(r"\W*(?P<word>\w+)(?:\W+(?P=word))*\W*$", re.IGNORECASE)
ROFF_MACRO = re.compile(r"\.[A-Za-z]{1,3} ")
# "to the to the"; not "on and on and on"
DOUBLED_PAIR = re.compile(
    r"(?<![\w\"'<>./-])(?P<word>(?P<first>[a-z]{2,}) (?P<second>[a-z]{2,})) (?P=word)"
    r"(?![\w\"'<>(/-]|\.\w| (?P=first)\b)"
)
DOUBLED_COMMA = re.compile(r"(?<=[\w\"]),\s?,(?= (?:[a-z]|\"\w)|$)")
ALLOWED_TWICE = frozenset({
    "that", "had", "very", "much", "so", "long", "many", "no", "bla", "million", "billion",
    "default",
})  # fmt: skip
# "if the system supports it it is on": one clause ends, and the next begins
CLAUSE = re.compile(r"\b(?:if|when|where|while|once|as|since|because|unless)\b[^.,;:]*$", re.I)
NEXT_CLAUSE = re.compile(r" (?:is|was|has|will|would|can|could|may|must|should|does)\b")
# words that may end one clause and begin the next ("if it has it it is on"), or stand for another
# word ("doing is is hard"): which of them is too much is for the author to say
AMBIGUOUS = frozenset({
    "it", "is", "are", "was", "you", "this", "one", "do", "does", "on", "his", "her",
})  # fmt: skip
MIN_DELIBERATE = 3  # times that a text doubles a noun on purpose: "a condition condition"
MIN_NOUN_LENGTH = 5


def _find(context: Context) -> Iterator[Finding]:
    doubled = list(_doubled(context))
    counts = Counter(word for word, _ in doubled)
    for word, finding in doubled:
        is_deliberate = counts[word] >= MIN_DELIBERATE and len(word) >= MIN_NOUN_LENGTH
        if context.dialect.entry_rules or not is_deliberate:
            yield finding


def _doubled(context: Context) -> Iterator[tuple[str, Finding]]:
    """Doubled words and commas, each with a finding."""
    for text_block in context.text_blocks:
        if isinstance(text_block.node, Definition):
            continue
        text = text_block.text
        if ",," in text or ", ," in text:
            yield from _commas(context, text_block)
        words = text.lower().replace(".", "").replace(",", "").split(" ")
        if any(map(eq, pairs := list(pairwise(words)), pairs[2:])):
            for match in DOUBLED_PAIR.finditer(text):
                if text.endswith(f"{match['second']} ", 0, match.start()):
                    continue
                yield from _second_word(context, text_block, match["word"])
        if not any(map(eq, words, words[1:])):
            continue  # asked first because it is quick
        for match in DOUBLED.finditer(text):
            word = match["word"]
            is_operator = word in ("and", "or", "not") and OPERATORS.match(text, match.end())
            is_usage = text.startswith(" ...", match.end())  # "name value value ..."
            are_clauses = (
                word == "it" and NEXT_CLAUSE.match(text, match.end())
                and CLAUSE.search(text[: match.start()])
            )
            is_allowed = word.casefold() in ALLOWED_TWICE
            if not (is_allowed or is_operator or is_usage or are_clauses):
                yield from _second_word(context, text_block, word)


def _commas(context: Context, text_block: TextBlock) -> Iterator[tuple[str, Finding]]:
    """Commas after commas between words; those within quotes and brackets stay."""
    for line in context.lines_of(text_block.span):
        for match in DOUBLED_COMMA.finditer(line.text):
            column = line.column + match.end() - 1
            edit = words_edit(context.manual.source, line, match.start() + 1, match.end(), "")
            fix = Fix("remove the second ','", (edit,)) if edit else None
            yield ",", Finding(line.number, column, "',' appears twice in a row", fix=fix)


def _second_word(
    context: Context, text_block: TextBlock, word: str
) -> Iterator[tuple[str, Finding]]:
    """The second `word`; nothing if other text is between both, or they are not in prose."""
    lines = context.lines_of(text_block.span)
    text = "\n".join([line.text for line in lines])
    pattern = word.replace(" ", r"\s")
    match = re.search(rf"\b(?P<first>{pattern})\s(?P<second>{pattern})\b", text, re.IGNORECASE)
    if match is None:
        return
    above, _ = position(lines, match.start())
    line, column = position(lines, match.start("second"))
    if not _is_not_prose(context.line(above).text, context.line(line).text, match):
        length = len(match["second"].partition("\n")[0])
        fix = None
        if "\n" not in match["second"] and word.casefold() not in AMBIGUOUS:
            fix = _without(context, context.line(line), column, match)
        message = f"'{word}' appears twice in a row"
        yield word.casefold(), Finding(line, column, message, length, fix=fix)


def _without(context: Context, line: Line, column: int, match: re.Match[str]) -> Fix | None:
    """Remove the second word, at `column` of `line`, and the blank that separates it from others.

    None where nothing else is on the line.
    """
    start = column - line.column
    end = start + len(match["second"])
    if start:
        start -= 1
    elif line.text[end:].startswith(" "):
        end += 1
    else:
        return None
    edit = words_edit(context.manual.source, line, start, end, "")
    return Fix(f"remove the second '{match['second']}'", (edit,)) if edit else None


def _is_not_prose(above: str, below: str, match: re.Match[str]) -> bool:
    """Whether the lines of the two words, `above` and `below`, which may be one, are no prose.

    They are "end" below "end", a row of letters ("x x x"), a macro of roff, or a value below its
    type.  In prose the second word is the same, or in lower case ("The" above "the").
    """
    first, second = match["first"], match["second"]
    if ROFF_MACRO.match(above) or ("\n" in match[0] and second not in (first, first.lower())):
        return True
    return bool(WORD_ALONE.match(above) and WORD_ALONE.match(below))


RULE = Rule("doubled-word", "warning", __doc__, _find)
