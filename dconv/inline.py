"""Prose to inlines, by one compiled pattern on joined lines.

Quotes stay in the text around the name that they enclose, so that what a reader
copies is what the manual says; only back quotes give way to the code they mark.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

from dconv.lines import Line
from dconv.tree import Argument, Code, Hyperlink, Inline, Reference, Text

# "timeout client" | 'on' | `maxconn 5` | <timeout> | https://www.example.org/a
SPECIAL = re.compile(
    r"""
      (?<![\w\\"]) " (?P<quoted> [A-Za-z0-9@%_<+*.-] [^"]{0,79} ) "
    | (?<![\w'])   ' (?P<single> [^'\s] [^'\s]{0,39} )            ' (?![\w'])
    | `              (?P<code>   [^`]{1,120} )                    `
    | (?P<argument>  < [!]? [A-Za-z] [\w !,.*/:+-]{0,39} > )
    | (?P<url>       \b https?:// [^\s<>"'`]+ )
    """,
    re.VERBOSE,
)
SPACES = re.compile(r"\s+")


def parse(lines: Sequence[Line]) -> tuple[Inline, ...]:
    """The inlines of a paragraph's `lines`, joined by single blanks."""
    if len(lines) == 1:
        return parse_text(lines[0].text, lines[0].number, lines[0].indent + 1)
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line.text) + 1)

    def place(offset: int) -> tuple[int, int]:
        row = bisect_right(starts, offset) - 1
        return lines[row].number, lines[row].indent + offset - starts[row] + 1

    return _parts("\n".join([line.text for line in lines]), place)


def parse_text(text: str, line: int, column: int) -> tuple[Inline, ...]:
    """The inlines of `text`, which starts at `line` and `column` (from 1)."""
    return _parts(text, lambda offset: (line, column + offset))


def _parts(text: str, place: Callable[[int], tuple[int, int]]) -> tuple[Inline, ...]:
    """The inlines of `text`; `place` gives the line and column of an offset in it."""
    parts: list[Inline] = []
    end = 0
    for match in SPECIAL.finditer(text):
        kind = match.lastgroup
        assert kind is not None
        first, last = match.span(kind)
        if kind == "url":
            last = first + len(_trimmed(match["url"]))
        before, after = (first - 1, last + 1) if kind == "code" else (first, last)
        if end < before:
            parts.append(Text(_folded(text[end:before])))
        parts.append(_node(kind, _folded(text[first:last]), *place(first)))
        end = after
    if end < len(text):
        parts.append(Text(_folded(text[end:])))
    return tuple(parts)


def _folded(text: str) -> str:
    """`text` with each run of white space as one blank."""
    if "  " in text:
        return SPACES.sub(" ", text)
    return text.replace("\n", " ")


def _node(kind: str, text: str, line: int, column: int) -> Inline:
    match kind:
        case "quoted":
            return Reference(text, text, line, column)
        case "argument":
            return Argument(text)
        case "url":
            return Hyperlink(text, text)
        case _:
            return Code(text)


def _trimmed(url: str) -> str:
    """`url` without the punctuation of the sentence behind it."""
    closing = url.count(")") - url.count("(")
    end = len(url)
    while end and (url[end - 1] in ".,;:!?" or (url[end - 1] == ")" and closing > 0)):
        closing -= url[end - 1] == ")"
        end -= 1
    return url[:end]
