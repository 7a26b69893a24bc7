"""A paragraph has an odd number of double quotes.

The text after it is read as quoted, and names lose their links. The rule reports it only if the
characters around each other quote show whether it opens or closes.

Bad:
    timeout <time>
      It is less than check-time" in most cases.

Good:
    timeout <time>
      It is less than "check-time" in most cases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dconv.lint.context import Context
from dconv.lint.rule import Finding, Rule, position
from dconv.model.tree import Paragraph, SeeAlso

QUOTE = '"'
# quotes that quote nothing, but are characters: '"', `"`, \\", (", \\), "* (a register)
LITERAL_QUOTE = re.compile(
    r"(?<![^\s(])'[^'\n\s\"][^'\n]{0,60}'(?![\w'])|'[^'\w]{0,9}\"[^'\w]{0,9}'|`[^`]*`|\\\""
    r"|(?<!\S)\(?\"(?=[,;.)]|\s|$)|(?<=\s\d)\"|(?<=\s\d\d)\"|(?<!\S)\"[*+](?=[\s.,;])"
)
OPENS = re.compile(r"(?:^|(?<=[\s(\[/<=,-]))\"(?=[\w%<./@*$+-])")
CLOSES = re.compile(r"(?<=[\w.>)%*/,!?:-])\"(?=[\s.,;:)\]/?!]|'s|$)", re.MULTILINE)


def _find(context: Context) -> Iterator[Finding]:
    for text_block in context.text_blocks:
        text = text_block.text
        if QUOTE not in text or text.count(QUOTE) % 2 == 0:
            continue
        if not isinstance(text_block.node, Paragraph | SeeAlso):
            continue
        first = text_block.span.first
        if first > 1 and context.line(first - 1).text.count(QUOTE) % 2:
            continue  # the line of the label above has the other quote
        lines = context.lines_of(text_block.span)
        source = "\n".join([line.text for line in lines])
        source = LITERAL_QUOTE.sub(lambda match: "_" * len(match[0]), source)
        if problem := _unpaired(source):
            index, message = problem
            yield Finding(*position(lines, index), message)


def _unpaired(text: str) -> tuple[int, str] | None:
    """Where in `text` a quote is alone, and what is wrong; None if that is not certain."""
    if text.count(QUOTE) % 2 == 0:
        return None
    opened = -1
    problems: list[tuple[int, str]] = []
    index = text.find(QUOTE)
    while index >= 0:
        if OPENS.match(text, index):
            if opened >= 0:
                problems.append((opened, "unclosed quote"))
            opened = index
        elif not CLOSES.match(text, index):
            return None
        else:
            if opened < 0:
                problems.append((index, "unopened quote"))
            opened = -1
        index = text.find(QUOTE, index + 1)
    if opened >= 0:
        problems.append((opened, "unclosed quote"))
    return problems[0] if len(problems) == 1 else None


RULE = Rule("unbalanced-quotes", "warning", __doc__, _find)
