"""Labels: arguments, notes, warnings and so on.

    Arguments :                          Note: a note may hang, or go on
      <name>  is the name                below its label
"""

from __future__ import annotations

import re
from dataclasses import replace

from dconv.model.source import Line
from dconv.model.tree import Flow, LabelKind, Labelled
from dconv.readers.text.region import Region
from dconv.readers.text.rules import prose
from dconv.readers.text.rules.lists import MARKER

# "Arguments :", "Prefix :", "ACL derivatives :", "Return value:", "Parameters :"
ARGUMENTS = re.compile(
    r"""
    (?P<label> Arguments? | Parameters? | Prefix(?:es)? | Environment\ variables
             | Return\ values? | ACL\ (?:derivatives?|alternatives?)
             | Options )
    \s? : (?= \s | $ ) (?: \s* (?P<rest> \S.* ) )? $
    """,
    re.VERBOSE,
)
# "Note:", "NOTE :", "Note 2:", "Important note:", "OTHER CAVEATS AND NOTES:", "Performance note:"
NOTE = re.compile(
    r"""
    (?P<label> (?: Important\s | IMPORTANT\s | Performance\s | Security\s
                 | OTHER\ CAVEATS\ AND\ )? (?: Notes? | NOTES? | note ) (?: \ \d+ )?
             | Bugs? | BUGS? | Troubleshooting | Limitations? | Hint | Tip )
    \s? : (?= \s | $ ) (?: \s* (?P<rest> \S.* ) )? $
    """,
    re.VERBOSE,
)
# "Warning:", "CAUTION!!!", "Attention :", "Warning 2:"
WARNING = re.compile(
    r"(?P<label>(?:Warning|WARNING|Caution|CAUTION|Attention|ATTENTION|Danger)!*(?: \d+)?)"
    r"(?:\s*:|(?<=!))(?=\s|$)(?:\s*(?P<rest>\S.*))?$"
)
FIRST_LETTERS = frozenset("ABCDEHILNOPRSTWp")  # of labels; a quick test


def rule(region: Region, index: int) -> tuple[Labelled, int] | None:
    """A label at the start of the line `index`, with its body."""
    line = region.lines[index]
    if line.text[0] not in FIRST_LETTERS:
        return None
    node: tuple[Labelled, int] | None = None
    if match := ARGUMENTS.match(line.text):
        node = _arguments(region, index, match)
    elif match := WARNING.match(line.text):
        node = _note(region, index, match, "warning")
    elif match := NOTE.match(line.text):
        node = _note(region, index, match, "note")
    if match and node:
        region.context.dropped.add_colon("colon after a label", line, match.end("label"))
    return node


def _arguments(region: Region, index: int, match: re.Match[str]) -> tuple[Labelled, int]:
    """The label with all deeper lines, or with the list at its own column."""
    line = region.lines[index]
    end = region.deeper_end(index + 1, line.indent)
    next_index = region.next_text(index + 1)
    if end == index + 1 and next_index < region.end and MARKER.match(region.lines[next_index].text):
        end = _list_end(region, next_index)
    rest = match["rest"] or ""
    body = _body(region, index, end, rest, line.indent + match.start("rest"), match["label"])
    return Labelled(match["label"], "arguments", body, region.span(index, end)), end


def _list_end(region: Region, index: int) -> int:
    indent = region.lines[index].indent
    end = index
    while index < region.end:
        line = region.lines[index]
        if line.indent != indent or not MARKER.match(line.text):
            break
        end = region.deeper_end(index + 1, indent)
        index = region.next_text(end)
    return end


def _note(
    region: Region, index: int, match: re.Match[str], kind: LabelKind
) -> tuple[Labelled, int] | None:
    """The label with the rest of its block, or, if it is alone, with the deeper lines."""
    line = region.lines[index]
    rest = match["rest"] or ""
    if not rest:
        return _note_below_label(region, index, match["label"], kind)
    indent = region.indent if prose.continues_unindented(region, index) else line.indent
    end = index + 1
    while end < region.end and region.lines[end].text:
        row = region.lines[end]
        is_next = any(pattern.match(row.text) for pattern in (MARKER, NOTE, WARNING))
        if row.indent < indent or (row.indent == indent and is_next):
            break
        end += 1
    body = _body(region, index, end, rest, line.indent + match.start("rest"), "")
    return Labelled(match["label"], kind, body, region.span(index, end)), end


def _note_below_label(
    region: Region, index: int, label: str, kind: LabelKind
) -> tuple[Labelled, int] | None:
    line = region.lines[index]
    end = region.deeper_end(index + 1, line.indent)
    next_index = region.next_text(index + 1)
    if end == index + 1:
        if next_index >= region.end or region.lines[next_index].indent != line.indent:
            return None
        listed = MARKER.match(region.lines[next_index].text)
        end = _list_end(region, next_index) if listed else region.block_end(next_index)
    elif prose.has_first_line_indent(region, next_index):
        end = region.block_end(next_index)
        body = region.parse(region.inside(next_index, end, region.indent))
        return Labelled(label, kind, body, region.span(index, end)), end
    body = _body(region, index, end, "", 0, "")
    return Labelled(label, kind, body, region.span(index, end)), end


def _body(
    region: Region, index: int, end: int, rest: str, column: int, label: str
) -> tuple[Flow, ...]:
    """The flow after and below a label; definitions are expected below "Arguments"."""
    first_text = min(region.next_text(index + 1), end)
    lines = list(region.lines[first_text:end])
    first_line = region.lines[index].after(column - region.lines[index].indent) if rest else None
    if label:
        first = () if first_line is None else region.parse(_with_lines(region, (first_line,)))
        if not lines:
            return first
        inner = _with_lines(region, tuple(lines))
        return (*first, *region.parse(replace(inner, mode="arguments", label=label)))
    if first_line is not None:
        below = next((line.indent for line in lines if line.text), column)
        indent = below if lines and lines[0].text else column
        lines.insert(0, first_line.with_indent(indent))
    return region.parse(_with_lines(region, tuple(lines))) if lines else ()


def _with_lines(region: Region, lines: tuple[Line, ...]) -> Region:
    indent = next(line.indent for line in lines if line.text)
    return replace(region.inside(0, len(lines), indent), lines=lines)
