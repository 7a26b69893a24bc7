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
from dconv.model.tree import Definition, Definitions
from dconv.model.values import dataclass
from dconv.model.wrapping import MIN_FULL_LENGTH, has_room
from dconv.readers.text import name_lines
from dconv.readers.text.name_lines import NameLine
from dconv.readers.text.region import Region
from dconv.readers.text.rules import prose, terms, unwrapped

# "0 - out", "not 0 = lit", "2 burns", "-1: never", "4-7 - reserved", ">= 2 : many", "0x1f: all"
VALUE = re.compile(
    r"(?P<name>(?:not |[<=>]{1,2} *)?-?(?:\d{1,5}(?:-\d{1,5})?|0x[\da-fA-F]+))"
    r"(?:\s*(?P<mark>--?|=|:)(?=\s))?\s+(?P<text>\S.*)$"
)
# "0 Lit", "B Broken": one of at least four keys that follow one another
KEY = re.compile(r"(?P<name>[\dA-Z])\s+(?P<text>[A-Z][a-z].*)$")
MIN_KEYS = 4
MAX_BLOCKS = 20  # of text below a name; all of a long text, each time, would be quadratic
# "Lamps Without Glass": words above their text
TITLE = re.compile(r"[A-Z][\w/-]*(?: [\w/()-]+){0,3}$")
OUTDENTED = re.compile(r"[a-z][\w-]*(?:=\w*|-[\w-]+)$")  # "oil=", "queue-size=N", "lit-by-day"
SMALL_START = re.compile(r"[a-z]+,? [a-z]")  # "says how much oil"


@dataclass(frozen=True, slots=True)
class _Item:
    """A name on line `index`, whose text ends before line `end`.

    `next_option` is that line if an indented option is on it, else -1.
    """

    index: int
    end: int
    name_line: NameLine
    next_option: int = -1


_Reader: TypeAlias = Callable[[Region, int, Sequence[_Item]], _Item | None]


def rule(region: Region, index: int) -> tuple[Definitions, int] | None:
    """A list of names from `index` on."""
    if not region.context.dialect.guesses_terms:
        return None
    for read in (_value, _key, _name, _title, _outdented):
        items = _items(region, index, read)
        if items and _is_certain(region, items[:terms.MAX_EXAMINED_ITEMS]):
            break
    else:
        return None
    definitions = tuple(_definition(region, item) for item in items)
    end = items[-1].end
    return Definitions(definitions, region.span(index, end)), end


def _items(region: Region, index: int, read: _Reader) -> list[_Item]:
    """The names at the column of line `index`, as long as they are directly after one another.

    Options may be indented, if their text is at the column of the others.
    """
    items: list[_Item] = []
    indent = region.lines[index].indent
    start = index
    while start < region.end:
        if region.lines[start].indent != indent and start != items[-1].next_option:
            break
        item = read(region, start, items)
        if item is None:
            if items and _continues(region, items, start):
                items.pop()  # its text continues at the column of names, so it is not a name
            break
        items.append(item)
        if len(items) == terms.MAX_EXAMINED_ITEMS and not _is_certain(region, items):
            return []
        start = region.next_text(item.end)
    return items


def _continues(region: Region, items: Sequence[_Item], index: int) -> bool:
    """Whether line `index` continues the last of `items`, the only one or one of a single line."""
    if name_lines.OPTION.match(region.lines[index].text):
        return False
    if index > items[-1].end or len(items) == 1:
        return index == items[-1].end and region.lines[index].text[-1:] != ":"
    return index == items[-1].index + 1 and not unwrapped.LABELLED.match(region.lines[index].text)


def _value(region: Region, index: int, before: Sequence[_Item]) -> _Item | None:
    """A value with its meaning: numbers follow one another, or all have a mark."""
    line = region.lines[index]
    match = VALUE.match(line.text)
    if match is None:
        return None
    mark = match["mark"] or ""
    if before and before[-1].name_line.mark != mark:
        return None
    if not mark and match["name"] not in (
        [str(int(before[-1].name_line.names[0]) + 1)] if before else ["0", "1"]
    ):
        return None
    name_line = NameLine("word", (match["name"],), match.end("name"), match.start("text"), mark)
    end = region.deeper_end(index + 1, line.indent)
    if mark and end == index + 1:
        end = _end_at_same_column(region, index)
    return _Item(index, end, name_line)


def _key(region: Region, index: int, before: Sequence[_Item]) -> _Item | None:
    """A key of one character with its meaning, which follows the keys before it."""
    line = region.lines[index]
    match = KEY.match(line.text)
    if match is None or (before and match["name"] <= before[-1].name_line.names[0]):
        return None
    name_line = NameLine("word", (match["name"],), match.end("name"), match.start("text"))
    return _Item(index, region.deeper_end(index + 1, line.indent), name_line)


def _title(region: Region, index: int, before: Sequence[_Item]) -> _Item | None:
    """Words that are set off above their text, one paragraph of prose."""
    line = region.lines[index]
    if not TITLE.match(line.text) or (index > region.first and region.lines[index - 1].text):
        return None
    end = region.deeper_end(index + 1, line.indent)
    if end == index + 1 or end != region.block_end(index) or (
        not prose.is_prose_at(region, index + 1)
    ):
        return None
    return _Item(index, end, NameLine("word", (line.text,), len(line.text), -1))


def _outdented(region: Region, index: int, before: Sequence[_Item]) -> _Item | None:
    """A name alone between blank lines, whose text is further left: "oil=", "How much oil."."""
    line, text = region.lines[index], region.next_text(index + 1)
    if not OUTDENTED.match(line.text) or text != index + 2 or text >= region.end or (
        region.lines[text].indent >= line.indent or not prose.is_prose_at(region, text)
    ):
        return None
    end = region.block_end(text)
    following = region.next_text(end)
    for _ in range(MAX_BLOCKS):
        if following < region.end and region.lines[following].indent != line.indent:
            following = region.next_text(region.block_end(following))
    if following < region.end and OUTDENTED.match(region.lines[following].text):
        end = following
    return _Item(index, end, NameLine("word", (line.text,), len(line.text), -1))


def _end_at_same_column(region: Region, index: int) -> int:
    """The index after the text of the value on line `index`, which continues at its column.

    Each line above is full: the first word of the next one would not have fitted.
    """
    lines = region.lines
    end = index + 1
    while end < region.end and lines[end].text and lines[end].indent == lines[index].indent and (
        not VALUE.match(lines[end].text)
        and not has_room(lines[end - 1], lines[end], MIN_FULL_LENGTH)
    ):
        end += 1
    return end


def _name(region: Region, index: int, before: Sequence[_Item]) -> _Item | None:
    """A name above its text, or an option above or before its text."""
    line = region.lines[index]
    below = region.lines[index + 1] if index + 1 < region.end else None
    name_line = name_lines.read(line, below)
    if name_line is None or line.text[-1] == "\\" or (
        name_line.style == "word" and name_line.text_start >= 0
        and not name_lines.CLASSED.match(line.text)
    ):
        return None
    body_end = region.deeper_end(index + 1, line.indent)
    name_line = name_lines.include_type(region.lines, index, body_end, name_line)
    if name_line.text_start < 0:
        text_index = region.next_text(index + 1)
        if body_end == index + 1 or text_index > index + 2:
            return None
        if region.lines[text_index].indent < line.indent + name_lines.MIN_EXTRA_INDENT:
            return None
    elif name_line.style == "dashed" and body_end == index + 1:  # "x - text", and nothing below
        return None
    column = region.lines[before[0].index].indent if before else line.indent
    below_end = region.next_text(body_end)
    end = name_lines.next_aligned_option(region.lines, index, min(below_end + 2, region.end))
    is_next = end <= below_end and end < region.end and region.lines[end].indent >= column
    return _Item(index, min(end, body_end), name_line, end if is_next else -1)


def _is_certain(region: Region, items: Sequence[_Item]) -> bool:
    """Whether `items` are a list, and what is below most names is prose."""
    first = items[0]
    if VALUE.match(region.lines[first.index].text):
        return len(items) > 1
    name = first.name_line.names[0]
    if len(name) == 1:
        return len(items) >= MIN_KEYS
    if region.deeper_end(first.index + 1, region.lines[first.index].indent) == first.index + 1 and (
        OUTDENTED.match(region.lines[first.index].text) and first.end > first.index + 1
    ):
        return len(items) > 1
    prose_count = sum(1 for item in items if _starts_as_prose(region, item))
    if len(items) == 1:
        text_below = first.name_line.text_start < 0 and region.lines[first.index + 1].text
        return prose_count == 1 and bool(text_below) and " " not in name
    return 3 * prose_count >= 2 * len(items)


def _starts_as_prose(region: Region, item: _Item) -> bool:
    if item.name_line.text_start >= 0:
        return True
    index = region.next_text(item.index + 1)
    line = region.lines[index]
    block = prose.block_start(region, index)
    if index == item.index + 1 and SMALL_START.match(line.text) and (
        prose.count_function_words(block) >= max(2, len(block))
        and not any(row.indent != line.indent or prose.CODE_MARK.search(row.text) for row in block)
    ):
        return True
    return prose.is_prose_at(region, index) or (
        name_lines.PROSE.match(line.text) is not None and not prose.is_code([line])
    )


def _definition(region: Region, item: _Item) -> Definition:
    line, name_line = region.lines[item.index], item.name_line
    start = name_line.text_start if name_line.text_start >= 0 else len(line.text)
    term_line = terms.TermLine(
        line.text[: name_line.signature_end], line.indent, name_line.mark, line.text[start:],
        line.indent + start,
    )
    definition = terms.definition(region, term_line, item.index, item.end)
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
