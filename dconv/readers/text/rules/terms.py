"""Terms and their descriptions: what lists with and without bullets share.

    <timeout>  is the time to wait       "none" : does nothing
               before giving up          leastconn   the fewest connections
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dconv.model.anchors import qualified_anchor, slug, without_arguments
from dconv.model.dialect import ItemRule
from dconv.model.source import Line, block_end
from dconv.model.tree import Definition, Flow, Term
from dconv.model.values import dataclass
from dconv.readers.text import inline
from dconv.readers.text.region import Region
from dconv.readers.text.rules import prose

MAX_TERM_LENGTH = 60  # characters of a term
MAX_EXAMINED_ITEMS = 30  # all of a long list, each time, would be quadratic
# forms of a term line: what the line must hold, for a quick test, and a pattern
# '"none" : text', "<codes>: text", "-f <file> : text", "HAPROXY_X: text"
COLON = (":", re.compile(
    r"(?P<term>\S.{0,70}?)(?P<separator>\s+:|(?<!:):)(?=\s|$)\s*(?P<text>.*)$"
))
# "'ipv4@' -> text", "UNK -> unknown"
ARROW = ("->", re.compile(r"(?P<term>\S.{0,50}?)\s+(?P<separator>->)\s+(?P<text>\S.*)$"))
# "roundrobin  Each server…", "0   - Disable…", but not "oil   = 9": two spaces or more
GAP = ("  ", re.compile(
    r"(?P<term>\S(?:.{0,58}?\S)?)\s{2,}+(?P<separator>--?(?=\s)|)\s*+"
    r"(?P<text>(?!\.\.|!?\w+\s*=\s|=\s(?!\w+ [A-Za-z]+(?: |$)))[^\s\[{|<*].*|<[^>]*>\s+[a-z].*)$"
))
# "delay - wait before the first try"
DASH = ("- ", re.compile(r"(?P<term>\S{1,40})\s+(?P<separator>--?)\s+(?P<text>[^\s\[{|<-].*)$"))
# "<name> is the name", "status-code <expr> is optional"
ARGUMENT = ("<", re.compile(
    r"(?P<term>(?:[\w.-]+\s)?<[^<>]{1,40}>[^\s:]{0,12})(?P<separator>)\s(?P<text>[^\s:=].*)$"
))
# "'ip@<address>' following <address>…"
SINGLE_QUOTED = ("'", re.compile(r"(?P<term>'[^']{1,60}')(?P<separator>)\s+(?P<text>[a-z<(\[].*)$"))

BEFORE_TEXT = re.compile(r"(?P<term>.*?)(?: +(?P<separator>--?))? +")  # "wick", "the wick --"
# A term is a name, a placeholder, a quoted word or an option with its arguments.
TERM = re.compile(
    r"""
      ["'] [^"']{1,60} ["'] (?: \s* [\w<(\[] .{0,40} )?
    | <.{1,60}
    | [\[{] \s .{1,60} [\]}>]
    | \[ [a-z][\w-]* \]
    | -{0,2} [\w$%@.*!/+][^\s]* (?: \s+ [\w<\[({|.…\-*/\])}]\S* ){0,7}
    | [\w.+-]{1,12} \s = \s [\w.+-]+
    | [-\\*!#;=@&+~?/]{1,2} (?: \s+ [<\[{]\S* )?
    | ["'\[] | \{ [\w-]+ \} | \[ [\w:]{1,20} \] [<>]? [a-z]\w*
    | \\ \S{1,3}
    """,
    re.VERBOSE,
)
BRACKETS = re.compile(r"<[^>]*>|\[[^\]]*\]|\{[^}]*\}|\"[^\"]*\"|\([^)]*\)")
WORD = re.compile(r"[A-Za-z]{2,}$")
# the colon after a term that is alone: "hdr <name> :"
FINAL_COLON = re.compile(r"(?<![\s:])\s?:$")
# the literal words of "status <codes>", "show-desc [ <text> ]"
LITERAL = re.compile(r"[^\s<\[{(]\S*(?:\s+[^\s<\[{(|]\S*)*(?=\s+[<\[{|])")
QUOTED_NAME = re.compile(r"\"([\w-]+)\" [\w|]+$")  # '"oil" litres'
SENTENCE = re.compile(r"[.,;]\s|(?<!=\.\.)[.,;!?]$")  # but not "oil=..."


@dataclass(frozen=True, slots=True)
class TermLine:
    """The first line of an item: a term, its column, a separator, the text after it, its column."""

    term: str
    column: int
    separator: str
    text: str
    text_column: int


def read_term(form: tuple[str, re.Pattern[str]], line: Line) -> TermLine | None:
    """The term line that the pattern of `form` finds on `line`, where its term looks like one."""
    required_text, pattern = form
    if required_text not in line.text or line.text[-1] == "\\":
        return None
    match = pattern.match(line.text)
    if match is None or not is_plausible(match["term"]):
        return None
    return TermLine(
        match["term"], line.indent, match["separator"].strip(), match["text"],
        line.indent + match.start("text"),
    )


def column_after_gap(term_line: TermLine) -> int:
    """The column of the text of `term_line` where a gap sets it off, else -1."""
    if term_line.separator or term_line.text_column - term_line.column < len(term_line.term) + 2:
        return -1
    return term_line.text_column


def term_line_at(line: Line, column: int) -> TermLine | None:
    """The term line whose text starts at `column`, where a space is before that."""
    offset = column - line.indent
    if offset < 2 or len(line.text) <= offset or line.text[offset] == " ":
        return None
    match = BEFORE_TEXT.fullmatch(line.text, 0, offset)
    if match is None or not is_plausible(match["term"]):
        return None
    separator = match["separator"] or ""
    return TermLine(match["term"], line.indent, separator, line.text[offset:], column)


def is_plausible(term: str) -> bool:
    """Whether `term` is short and not part of a sentence."""
    if len(term) > MAX_TERM_LENGTH or not TERM.fullmatch(term) or SENTENCE.search(term):
        return False
    rest = BRACKETS.sub(" ", term)
    if " (" in rest:
        return False
    words = rest.split()
    return sum(1 for word in words if WORD.match(word)) <= 3


def first_word_as_term(line: Line) -> TermLine:
    """The term line that takes the first word of `line` as the term."""
    word, _, rest = line.text.partition(" ")
    return TermLine(word, line.indent, "", rest.lstrip(), line.indent + len(line.text) - len(rest))


def parse_body(region: Region, first_line: Line, start: int, end: int) -> tuple[Flow, ...]:
    """The flow of `first_line` (what follows a marker or a term) and the lines below it.

    They are `region.lines[start:end]`.  The column of the text is that of the second line, where
    there is one directly below: the first may appear further right.
    """
    rest = region.lines[start + 1 : end]
    if not first_line.text:
        lines = rest
    else:
        column = first_line.indent
        if rest and rest[0].text and rest[0].indent < column:
            column = rest[0].indent
        lines = (first_line.with_indent(column), *rest)
    if not lines:
        return ()
    column = _prose_column(lines, region.lines[start], bool(first_line.text))
    inner = region.inside(0, len(lines), column)
    return region.parse(replace(inner, lines=lines))


def _prose_column(lines: Sequence[Line], term_line: Line, has_text_after_term: bool) -> int:
    """The column of the prose in `lines`: that of the term if only code is below it."""
    index = next((index for index, line in enumerate(lines) if line.text), 0)
    if not has_text_after_term:
        end = block_end(lines, index, len(lines))
        if index < end and prose.is_code(lines[index:end]):
            return term_line.indent
    return lines[index].indent


def definition(
    region: Region, term_line: TermLine, start: int, end: int, marker: str = ""
) -> Definition:
    """The definition whose `term_line` is on line `start` and whose text ends before `end`."""
    line = region.lines[start]
    first_line = Line(line.number, term_line.text_column, term_line.text, line.source_offset)
    dropped = region.context.dropped
    if marker and not marker[0].isalnum():
        dropped.add("bullet", line, 0, len(marker))
    if term_line.separator == ":":
        term_end = term_line.column - line.indent + len(term_line.term)
        dropped.add_colon("colon after a term", line, term_end)
    item_term = term(region, term_line.term, line.number, term_line.column + line.source_offset)
    text = parse_body(region, first_line, start, end)
    return Definition(marker, (item_term,), term_line.separator, text, region.span(start, end))


def term(region: Region, text: str, line: int, column: int) -> Term:
    """The term `text` on `line` at `column` (from 0), with its kind and its anchor."""
    context = region.context
    content = inline.parse([Line(line, column, text)], context.dropped)
    kind_and_name = matching_item(context.item_rules, region.label, text)
    if kind_and_name is not None:
        kind, name = kind_and_name
        qualifier = next((rule.qualifier for rule in context.item_rules if rule.kind == kind), None)
        anchor = qualified_anchor(kind, f"{_qualifier(region, line, qualifier)}{name}")
        return Term(content, name, kind, context.anchors.unique(anchor), line)
    name = _name(text)
    return Term(content, name, "", context.new_anchor(slug(name)), line)


def _qualifier(region: Region, line: int, pattern: re.Pattern[str] | None) -> str:
    """Return the match of `pattern` above the list of `line`, followed by a dot, or nothing."""
    if pattern is None:
        return ""
    index = line - region.lines[0].number
    column = region.lines[index].indent
    for above in reversed(region.lines[:index]):
        if above.text and above.indent < column and (match := pattern.search(above.text)):
            return f"{match[1]}."
    return ""


def _name(text: str) -> str:
    """A term's name: without quotes, an arrow that touches it and the arguments after it."""
    text = text.removesuffix("->")
    if quoted := QUOTED_NAME.match(text):
        return quoted[1]
    match = LITERAL.match(text)
    return without_arguments((match[0] if match else text).strip("\"'")) or text


def matching_item(rules: tuple[ItemRule, ...], label: str, text: str) -> tuple[str, str] | None:
    """Kind and name where one of `rules` says that `text` under `label` is an item."""
    for rule in rules:
        if rule.label.search(label):
            match = rule.term.match(text)
            if match is not None:
                return rule.kind, match["name"]
    return None
