"""Names, options and values with their texts, in texts without a dialect.

    -v, --verbose   says more           low or 0            0 - out
                                                            not 0 - lit
    job NAME                                The lamp can
        Starts a job.                       hardly be seen. 1 burns a little
                                                            2 burns a lot

Two of them are a list, and so is one with its text directly below it.  Options have their kind and
all their names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from dconv.model.anchors import qualified_anchor
from dconv.model.source import MIN_FULL_LENGTH
from dconv.model.tree import Definition, Definitions
from dconv.model.values import dataclass
from dconv.readers.text import name_lines
from dconv.readers.text.name_lines import NameLine
from dconv.readers.text.region import Region
from dconv.readers.text.rules import prose, terms, unwrapped

# "0 - out", "not 0 = lit", "2 burns", "-1: never", "4-7 - reserved"
VALUE = re.compile(
    r"(?P<name>(?:not )?-?\d{1,5}(?:-\d{1,5})?)(?:\s*(?P<mark>--?|=|:)(?=\s))?\s+(?P<text>\S.*)$"
)


@dataclass(frozen=True, slots=True)
class _Item:
    """A name on line `at`, whose text ends before line `last`.

    `next_option` is that line if an indented option is on it, else -1.
    """

    at: int
    last: int
    name_line: NameLine
    next_option: int = -1


_Reader: TypeAlias = Callable[[Region, int, Sequence[_Item]], _Item | None]


def rule(region: Region, at: int) -> tuple[Definitions, int] | None:
    """A list of names from `at` on."""
    if region.context.dialect.describes_signatures:
        return None
    items = _items(region, at, _value) or _items(region, at, _name)
    if not items or not _is_certain(region, items):
        return None
    definitions = tuple(_definition(region, item) for item in items)
    last = items[-1].last
    return Definitions(definitions, region.span(at, last)), last


def _items(region: Region, at: int, read: _Reader) -> list[_Item]:
    """The names at the column of line `at`, as long as they are directly after one another."""
    items: list[_Item] = []
    indent = region.lines[at].indent
    end = at
    while end < region.last and (
        region.lines[end].indent == indent or (items and end == items[-1].next_option)
    ):
        item = read(region, end, items)
        if item is None:
            if items and end == items[-1].last:
                items.pop()  # its text continues at the column of names, so it is none
            break
        items.append(item)
        end = region.next_text(item.last)
    return items


def _value(region: Region, at: int, before: Sequence[_Item]) -> _Item | None:
    """A value with its meaning: numbers follow one another, or all have a mark."""
    line = region.lines[at]
    match = VALUE.match(line.text)
    if match is None:
        return None
    mark = match["mark"] or ""
    expected_numbers = (
        [str(int(before[-1].name_line.names[0]) + 1)] if before and not mark else ["0", "1"]
    )
    if (before and before[-1].name_line.mark != mark) or (
        not mark and match["name"] not in expected_numbers
    ):
        return None
    name_line = NameLine("word", (match["name"],), match.end("name"), match.start("text"), mark)
    end = region.deeper_end(at + 1, line.indent)
    if mark and end == at + 1:
        end = _end_at_same_column(region, at)
    return _Item(at, end, name_line)


def _end_at_same_column(region: Region, at: int) -> int:
    """The index after the text of the value on line `at`, which goes on at the value's column.

    Each line above is full: the first word of the next one would not have fitted.
    """
    lines = region.lines
    end = at + 1
    while end < region.last and lines[end].text and lines[end].indent == lines[at].indent and (
        not VALUE.match(lines[end].text)
        and not unwrapped.has_room(lines[end - 1], lines[end], MIN_FULL_LENGTH)
    ):
        end += 1
    return end


def _name(region: Region, at: int, before: Sequence[_Item]) -> _Item | None:
    """A name or an option above its text, an option beside it too."""
    line = region.lines[at]
    below = region.lines[at + 1] if at + 1 < region.last else None
    name_line = name_lines.read(line, below)
    if name_line is None or (name_line.style == "word" and name_line.start >= 0):
        return None
    last = region.deeper_end(at + 1, line.indent)
    name_line = name_lines.with_type(region.lines, at, last, name_line)
    if name_line.start < 0:
        text = region.next_text(at + 1)
        if last == at + 1 or text > at + 2:
            return None
        if region.lines[text].indent < line.indent + name_lines.MIN_EXTRA_INDENT:
            return None
    elif name_line.style == "dashed" and last == at + 1:
        return None
    end = name_lines.next_aligned(region.lines, at, last)
    return _Item(at, end, name_line, end if end < last else -1)


def _is_certain(region: Region, items: Sequence[_Item]) -> bool:
    """Whether `items` are a list, and what is below most names is prose."""
    first = items[0]
    if VALUE.match(region.lines[first.at].text):
        return len(items) > 1
    prose_count = sum(1 for item in items if _starts_as_prose(region, item))
    if len(items) == 1:
        return (
            prose_count == 1 and first.name_line.start < 0 and region.lines[first.at + 1].text != ""
        )
    return 3 * prose_count >= 2 * len(items)


def _starts_as_prose(region: Region, item: _Item) -> bool:
    if item.name_line.start >= 0:
        return True
    at = region.next_text(item.at + 1)
    text = region.lines[at].text
    return prose.is_prose_at(region, at) or (
        name_lines.PROSE.match(text) is not None and not prose.is_code(region.lines[at : at + 1])
    )


def _definition(region: Region, item: _Item) -> Definition:
    line, name_line = region.lines[item.at], item.name_line
    start = name_line.start if name_line.start >= 0 else len(line.text)
    head = terms.TermHead(
        line.text[: name_line.end], line.indent, name_line.mark, line.text[start:],
        line.indent + start,
    )
    definition = terms.definition(region, head, item.at, item.last)
    if name_line.style != "option":
        return definition
    anchors = region.context.anchors
    anchor = qualified_anchor("option", name_line.names[0])
    if anchor in anchors and region.context.anchor_prefix:
        anchor = f"{anchor}.{region.context.anchor_prefix}"
    option_term = replace(
        definition.terms[0], kind="option", name=name_line.names[0], names=name_line.names,
        anchor=anchors.unique(anchor),
    )
    return replace(definition, terms=(option_term,))
