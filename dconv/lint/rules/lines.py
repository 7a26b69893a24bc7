"""Four rules about the characters of lines.  Each is off where many lines break it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dconv.lint.context import Context
from dconv.lint.frequency import is_frequent
from dconv.lint.rule import Finding, Rule, report_match
from dconv.model.diagnostics import Edit, Fix
from dconv.model.source import character_ends, decoded_line
from dconv.model.tree import Preformatted

BLANKS = re.compile(rb"(?<!\\)(?:[ \t])(?=[\r\n]*$)")  # not the "\\ " of "set lcs=tab:\\ "
# typographic characters, each with what to write instead
REPLACEMENTS: Mapping[str, str] = {
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2018": "'", "\u2019": "'", "\u2010": "-",
    "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-",
    "\u00a0": "a space", "\u2009": "a space", "\u202f": "a space", "\u200b": "nothing",
    "\u00ad": "nothing", "\ufb01": "fi", "\ufb02": "fl",
}  # fmt: skip
TYPOGRAPHIC = re.compile(f"[{''.join(REPLACEMENTS)}]")
WIDTH = 80  # columns of a line
LONG_WORD = 40  # characters; a line with such a word may be longer


def _tabs(context: Context) -> Iterator[Finding]:
    """A line has a tab.

    Tabs have other widths in other editors and on pages, which breaks columns. Of successive lines
    the rule reports the first. Output of programs may have tabs; the rule ignores texts that are
    indented with them.

    Bad:
        maxconn <number>[tab]# a comment

    Good:
        maxconn <number>   # a comment
    """
    source = context.manual.source
    raw = source.raw
    tabbed = {number for number, line in enumerate(raw, 1) if b"\t" in line}
    for node in context.nodes if tabbed else ():
        if isinstance(node, Preformatted) and node.language == "console":
            tabbed -= {*map(source.file_line_number, range(node.span.first, node.span.last + 1))}
    if is_frequent(tabbed, raw):
        return
    for number in sorted(tabbed):
        if number - 1 not in tabbed:
            run = 1
            while number + run in tabbed:
                run += 1
            lines = "this line has a tab" if run == 1 else f"{run} lines from here on have tabs"
            fix = Fix("write spaces", tuple(_spaces(raw, range(number, number + run))))
            column = decoded_line(raw[number - 1]).index("\t") + 1
            yield Finding(number, column, f"{lines}; write spaces", fix=fix)


def _spaces(raw: Sequence[bytes], numbers: Iterable[int]) -> Iterator[Edit]:
    """Spaces for each tab of the lines of these `numbers`."""
    for number in numbers:
        text = decoded_line(raw[number - 1])
        starts = [0, *character_ends(raw[number - 1])]
        for index, character in enumerate(text):
            if character == "\t":
                spaces = " " * (starts[index + 1] - starts[index])
                yield Edit(number, index + 1, number, index + 2, spaces)


def _trailing_blanks(context: Context) -> Iterator[Finding]:
    """A line ends with spaces or tabs.

    Editors remove them, which makes patches longer. The rule ignores texts with many such lines;
    page breaks and a space after a backslash are allowed.

    Bad:
        maxconn <number>[blank][blank]

    Good:
        maxconn <number>
    """
    raw = context.manual.source.raw
    numbers = [
        number for number, line in enumerate(raw, 1)
        if line.rstrip(b"\r\n")[-1:] in (b" ", b"\t") and BLANKS.search(line)
    ]
    if not is_frequent(numbers, raw):
        for number in numbers:
            text = decoded_line(raw[number - 1])
            end = len(text.rstrip(" \t"))
            edit = Edit(number, end + 1, number, len(text) + 1, "")
            fix = Fix("remove the blanks", (edit,))
            yield Finding(number, end + 1, "this line ends with blanks", len(text) - end, fix=fix)


def _typographic_signs(context: Context) -> Iterator[Finding]:
    """A typographic character is used where the rest of the text has the ASCII one.

    Curly quotes, dashes and no-break spaces come from pasted text. Curly quotes make no links, and
    no search finds a name with such a hyphen or space.

    Bad:
        see [curly quote]maxconn[curly quote]

    Good:
        see "maxconn"
    """
    matches = [
        (line, match) for line in context.lines
        if not line.text.isascii() and (match := TYPOGRAPHIC.search(line.text)) is not None
    ]
    if not is_frequent(matches, context.lines):
        for line, match in matches:
            message = f"'{match[0]}' (U+{ord(match[0]):04X}): write {REPLACEMENTS[match[0]]}"
            yield report_match(line, match, message)


def _long_lines(context: Context) -> Iterator[Finding]:
    """A line of prose has more than 80 columns.

    Terminals break it anywhere. Signatures, tables, examples and drawings may be longer, and so
    may lines with a long word, such as an address. The rule ignores texts with many long lines.

    Bad:
        a line that goes on and on and on and on and on and on and on and on and on and on

    Good:
        a line that goes on and on and on and on and on and on and on and on and on
        and on
    """
    widths = {
        line.number: line.indent + len(line.text) for line in context.prose_lines()
        if line.indent + len(line.text) > WIDTH and " " in line.text
        and max(map(len, line.text.split())) < LONG_WORD
    }
    if not is_frequent(widths, context.lines):
        for number, width in widths.items():
            message = f"this line has {width} columns; the limit is {WIDTH}"
            yield Finding(number, WIDTH + 1, message, width - WIDTH)


TAB = Rule("tab", "note", _tabs.__doc__, _tabs, in_file=True)
TRAILING_BLANKS = Rule(
    "trailing-blanks", "note", _trailing_blanks.__doc__, _trailing_blanks, in_file=True
)
TYPOGRAPHIC_SIGN = Rule("typographic-sign", "note", _typographic_signs.__doc__, _typographic_signs)
LONG_LINE = Rule("long-line", "note", _long_lines.__doc__, _long_lines, style=True)
