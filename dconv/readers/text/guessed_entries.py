"""Entries of texts without a dialect: cut the lines of a section at its name lines.

A guess is conservative: a section holds entries where three name lines or more are at one column,
each with text beside it or deeper below it, and that text is prose.  One is enough if it gives a
type, as "wick_height - INTEGER" does, if it is in a box with labels, or if an entry rule of a
dialect has this layout too (`layout = "name"`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from dconv.model.dialect import DEFAULT_KIND, EntryRule
from dconv.model.source import Line
from dconv.model.tree import Signature, Span
from dconv.model.values import dataclass
from dconv.model.wrapping import MIN_FULL_LENGTH, has_room
from dconv.readers.names import kind_of_title
from dconv.readers.text import name_lines
from dconv.readers.text.name_lines import GAP, NameLine
from dconv.readers.text.names import SignatureGroup
from dconv.readers.text.rules.tables import build
from dconv.readers.text.signatures import RawSignature, joined

MIN_ENTRIES = 3  # name lines of a section; fewer may be chance
MAX_STACKED = 8  # name lines above one text
MAX_SIGNATURE_LINES = 6  # lines of one signature
ANY_TITLE = re.compile("")
# a name with its type, which prose never looks like: "wick_height - INTEGER"
NAME_AND_TYPE = re.compile(r"[a-z][\w./*-]* +- +[A-Z]{3,}(?: [(\[].*)?")
# what continues a signature on the next line: "--print=[N]", "[<x>]", "| y"
CONTINUATION_START = re.compile(r"(?:-{1,2}[A-Za-z]|\[|<|\|)")
# "max_lamps|Type: integer"
BOX = re.compile(r"[A-Za-z_$][\w.$-]*(?:\|[A-Z][\w ]*:[^|]*)+")
BORDER = "border of a table"
# "-m node": an option and the mode that it chooses
MODE = re.compile(r"-{1,2}\w+ [a-z][\w-]+(?=\s|$)")
# "thread      lights several", "[sea] wick lights it": a word and its text
ALIGNED_NAME = re.compile(
    r"(?P<signature>(?P<group>\[[a-z][\w,-]*\] )?(?P<name>[a-z_$][\w./*$%@+-]*)"
    r"(?: (?:<[^<>]+>|\[[^\[\]]+\]))*)(?: {2,}|(?(group) |(?!)))(?=[A-Za-z]\S* \S)"
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """Name lines that share a text, each with the indexes of its lines: a possible entry.

    The name lines are from `first` to `body_start`, the text below from there to `end`, all indexes
    of lines; the ends are excluded.  `text_beside` is beside the last name line, `column` that of
    the first.  `dropped` are marks that are not text, each with its kind.
    """

    name_lines: tuple[tuple[NameLine, int, int], ...]
    first: int
    body_start: int
    end: int
    text_beside: Line | None
    column: int
    dropped: tuple[tuple[str, Line], ...] = ()


def find_entries(
    lines: Sequence[Line], first: int, end: int, entry_rule: EntryRule | None
) -> list[Candidate]:
    """The entries among the lines from `first` to `end`, none if they are not certain.

    With an `entry_rule`, all name lines count that its signature matches.
    """
    if boxes := _boxes(lines, first, end):
        return boxes
    candidates = _with_aligned_columns(lines, list(_candidates(lines, first, end, entry_rule)))
    columns = Counter(candidate.column for candidate in candidates)
    min_count = 1 if entry_rule else MIN_ENTRIES
    for column in sorted(columns):
        same_column = [candidate for candidate in candidates if candidate.column == column]
        styles = Counter(
            name_line.style for candidate in same_column for name_line, _, _ in candidate.name_lines
        )
        if max(styles.values()) < min_count and not _have_types(lines, same_column):
            continue
        if entry_rule or _are_entries(lines, same_column):
            if not entry_rule:
                same_column = _with_aligned_names(lines, [
                    candidate for candidate in same_column if not _shows_file(lines, candidate)
                ], first, end)
            return _with_modes(lines, same_column)
    return []


def possible_names(lines: Sequence[Line]) -> list[int]:
    """The indexes of lines that look like names with prose, in a text without entries.

    A single word is weak evidence, so names of one word do not count here.
    """
    return [
        candidate.first
        for candidate in _candidates(lines, 0, len(lines), None)
        if candidate.body_start < candidate.end
        and _starts_as_prose(lines, candidate)
        and any(
            name_line.style != "word" or "_" in name_line.names[0]
            for name_line, _, _ in candidate.name_lines
        )
    ]


def signature_group(
    lines: Sequence[Line], candidate: Candidate, title: str, entry_rule: EntryRule | None
) -> SignatureGroup:
    """The signatures of `candidate`, before they are named, in a section with `title`."""
    kind = kind_of_title(title) or DEFAULT_KIND
    if entry_rule:
        kind = entry_rule.kind
    elif candidate.name_lines[0][0].style == "option":
        kind = "option"
    signatures = tuple(_signature(lines, *name_line) for name_line in candidate.name_lines)
    return SignatureGroup(EntryRule(kind, ANY_TITLE, "words"), signatures, title)


def _signature(lines: Sequence[Line], name_line: NameLine, first: int, end: int) -> RawSignature:
    """The signature of `name_line` on the lines from `first` to `end`; its text may follow it."""
    span = Span(lines[first].number, lines[end - 1].number)
    names = name_line.names if len(name_line.names) > 1 or name_line.style == "option" else ()
    box = _box(lines, first)
    parts = box[0] if box else [
        replace(lines[first], text=lines[first].text[: name_line.signature_end]),
        *lines[first + 1 : end],
    ]
    extents = build.extents(parts) if box and len(parts) > 1 else ()
    signature = Signature(joined([part.text for part in parts]), span, names=names, extents=extents)
    return RawSignature(signature, (name_line.names[0],), ())


def _candidates(
    lines: Sequence[Line], first: int, end: int, entry_rule: EntryRule | None
) -> Iterator[Candidate]:
    index = first
    while index < end:
        candidate = _candidate_at(lines, index, first, end, entry_rule)
        if candidate is not None:
            yield candidate
        index = candidate.body_start if candidate else index + 1


def _candidate_at(
    lines: Sequence[Line], index: int, first: int, stop: int, entry_rule: EntryRule | None
) -> Candidate | None:
    """The name lines from `index` on with their text, or None."""
    line = lines[index]
    if not line.text or not _can_start(lines, index, first):
        return None
    stacked: list[tuple[NameLine, int, int]] = []
    end = index
    while end < stop and lines[end].indent == line.indent and len(stacked) < MAX_STACKED:
        start = end
        below = lines[start + 1] if start + 1 < stop else None
        name_line, end = _read_wrapped(lines, start, stop) or (
            name_lines.read(lines[start], below), start + 1
        )
        if name_line is None or (
            entry_rule and entry_rule.signature
            and not entry_rule.signature.match(lines[start].text)
        ):
            return None
        end = _signature_end(lines, start, end, stop, name_line)
        name_line = name_lines.include_type(lines, start, stop, name_line)
        if stacked and (stacked[-1][0].style == "dashed") != (name_line.style == "dashed"):
            return None  # the label of a group: "lamps/*" above "wick_height - INTEGER"
        stacked.append((name_line, start, end))
        deeper_end = _body_end(lines, end, stop, line.indent)
        body_end = name_lines.next_aligned_option(lines, start, deeper_end)
        # below a name alone, several lines are a text of their own
        first_below = end if name_line.text_start < 0 else body_end - 1
        if body_end > end and _continues(lines, first_below, body_end, stop):
            return None
        if name_line.text_start >= 0:
            if body_end == end and name_lines.TYPED.match(line.text):
                body_end = _unindented_end(lines, end, stop)
            rest = lines[start].after(name_line.text_start)
            rest = rest.with_indent(lines[end].indent) if end < body_end else rest
            mark = _dropped_mark(lines[start], name_line)
            return Candidate(tuple(stacked), index, end, body_end, rest, line.indent, mark)
        if end < body_end:
            return Candidate(tuple(stacked), index, end, body_end, None, line.indent)
        if name_line.style == "option" and end < stop and not lines[end].text:
            end += 1
    return None


def _unindented_end(lines: Sequence[Line], index: int, stop: int) -> int:
    """The index after the lines at `index` that go on with the full line above, as it starts."""
    end = index
    while end < stop and lines[end].text and lines[end].indent == lines[index - 1].indent and (
        (end > index or lines[end].text[0].islower())
        and "  " not in lines[end].text
        and not has_room(lines[end - 1], lines[end], MIN_FULL_LENGTH)
        and name_lines.read(lines[end], None) is None
    ):
        end += 1
    return end


def _dropped_mark(line: Line, name_line: NameLine) -> tuple[tuple[str, Line], ...]:
    """The mark after the name of `name_line`, as a part of its `line`."""
    if not name_line.mark:
        return ()
    start = line.text.index(name_line.mark, name_line.signature_end)
    return (("mark after a name", replace(line.after(start), text=name_line.mark)),)


def _continues(lines: Sequence[Line], first: int, index: int, end: int) -> bool:
    """Whether the text, one line from `first` on, goes on at line `index`, which is no name."""
    if index >= end or not lines[index].text:
        return False
    if any(line.text for line in lines[first : index - 1]):
        return False
    below = lines[index + 1] if index + 1 < end else None
    return name_lines.read(lines[index], below) is None


def _can_start(lines: Sequence[Line], index: int, first: int) -> bool:
    """Whether a name line can be at line `index`: it does not continue the line above it."""
    if index == first or not lines[index - 1].text:
        return True
    above = lines[index - 1]
    if above.text[-1] == "." and name_lines.TYPED.match(lines[index].text):
        return True
    if above.indent < lines[index].indent and lines[index].text[0] in "-+":
        return True
    return above.indent > lines[index].indent or above.text[-1] == ":" or (
        above.indent == lines[index].indent and name_lines.read(above, lines[index]) is not None
    )


def _read_wrapped(
    lines: Sequence[Line], index: int, stop: int
) -> tuple[NameLine | None, int] | None:
    """The names that go on below line `index`, and the index after them: "$wick," above "$oil"."""
    end, opened = index + 1, 0
    while end < min(stop, index + MAX_SIGNATURE_LINES):
        above, line = lines[end - 1].text, lines[end]
        opened += sum(map(above.count, "({<")) - sum(map(above.count, ")}>"))
        if line.indent != lines[index].indent or not line.text or not (
            opened > 0 or above.endswith((",", "$")) or line.text[0] == ","
        ):
            break
        end += 1
    text = joined([line.text for line in lines[index:end]])
    name_line = name_lines.read(
        replace(lines[index], text=text), None, (end - index) * name_lines.MAX_LENGTH
    ) if end > index + 1 else None
    return (name_line, end) if name_line and name_line.signature_end == len(text) else None


def _signature_end(
    lines: Sequence[Line], index: int, end: int, stop: int, name_line: NameLine
) -> int:
    """The index after what continues the signature at `index` from `end` on: values, a bracket."""
    if name_line.style == "quoted":
        opened = 0
        while end < min(stop, index + MAX_SIGNATURE_LINES) and lines[end].text:
            text = lines[end - 1].text
            opened += text.count("(") - text.count(")")
            if opened <= 0:
                break
            end += 1
        return end
    if name_line.style != "option" or name_line.text_start >= 0:
        return end
    while end < min(stop, index + MAX_SIGNATURE_LINES):
        line = lines[end]
        if line.indent <= lines[index].indent or not CONTINUATION_START.match(line.text):
            break
        end += 1
    return end


def _body_end(lines: Sequence[Line], index: int, stop: int, indent: int) -> int:
    """The index after the lines from `index` that are deeper than `indent`, or `index`."""
    end = index
    for below in range(index, stop):
        if lines[below].text:
            if lines[below].indent < indent + name_lines.MIN_EXTRA_INDENT:
                break
            end = below + 1
        elif end == index and below > index:
            break  # two blank lines
    return end


def _are_entries(lines: Sequence[Line], candidates: Sequence[Candidate]) -> bool:
    """Whether most of `candidates` have prose as their text, and "dashed" ones also text below."""
    prose_count = sum(1 for candidate in candidates if _starts_as_prose(lines, candidate))
    deeper_count = sum(1 for candidate in candidates if candidate.body_start < candidate.end)
    styles = {candidate.name_lines[-1][0].style for candidate in candidates}
    if "dashed" in styles and 2 * deeper_count < len(candidates):
        return False
    return 3 * prose_count >= 2 * len(candidates)


def _have_types(lines: Sequence[Line], candidates: Sequence[Candidate]) -> bool:
    """Whether all of `candidates` are names with types, above their text: "bright - BOOLEAN"."""
    return all(
        name_line.text_start < 0 and NAME_AND_TYPE.fullmatch(lines[index].text) is not None
        for candidate in candidates for name_line, index, _ in candidate.name_lines
    )


def _shows_file(lines: Sequence[Line], candidate: Candidate) -> bool:
    """Whether `candidate` is the name of a file above what is in it."""
    name = lines[candidate.first].text
    return name[-1] == ":" and "/" in name and not _starts_as_prose(lines, candidate)


def _starts_as_prose(lines: Sequence[Line], candidate: Candidate) -> bool:
    """Whether the text of `candidate` starts as prose does; it need not below a quoted name."""
    if candidate.name_lines[-1][0].style == "quoted":
        return True
    first = candidate.text_beside.text if candidate.text_beside else next(
        line.text for line in lines[candidate.body_start : candidate.end] if line.text
    )
    return name_lines.PROSE.match(first) is not None and (
        len(first.split()) > 1 or first[-1] == "."
    )


def _boxes(lines: Sequence[Line], first: int, stop: int) -> list[Candidate]:
    """Names in boxes, each with the text up to the next one.

    +-----------------------+    +-------------------------+
    |max_lamps|Type: integer|    |max_lamps|Type: a list of|
    +-----------------------+    |         |integers       |
                                 +-------------------------+
    """
    boxes = [(index, box) for index in range(first, stop - 2) if (box := _box(lines, index))]
    ends = [*[index for index, _ in boxes], stop][1:]
    candidates: list[Candidate] = []
    for (index, (parts, borders)), end in zip(boxes, ends, strict=True):
        name = joined([part.text for part in parts]).partition("|")[0].rstrip()
        body_start = index + borders[-1].number - borders[0].number + 1
        candidates.append(Candidate(
            ((NameLine("word", (name,), 0, -1), index, body_start),), index, body_start, end, None,
            lines[index].indent, tuple([(BORDER, border) for border in borders]),
        ))
    return candidates


def _box(lines: Sequence[Line], index: int) -> tuple[list[Line], list[Line]] | None:
    """The parts of the text in the box whose upper border is on line `index`, and its borders.

    A box of one row has one part; one of several has the lines of its cells, one cell after the
    other, with a bar of its first row before each but the first.
    """
    border, end = lines[index], index + 1
    if not border.text.startswith("+-"):
        return None
    while end < min(len(lines) - 1, index + MAX_SIGNATURE_LINES) and lines[end].text[:1] == "|":
        end += 1
    rows = lines[index + 1 : end]
    bars = [
        [build.slice_line(row, bar, bar + 1) for bar in range(row.indent, build.end_column(row))
         if row.text[bar - row.indent] == "|"] for row in rows
    ]
    columns = [[bar.indent for bar in row] for row in bars]
    if not rows or lines[end].text != border.text or lines[end].indent != border.indent or (
        any(row != columns[0] for row in columns) or columns[0][0] != border.indent
    ):
        return None
    parts = [build.slice_line(rows[0], columns[0][0] + 1, columns[0][-1])]
    if len(rows) > 1:
        parts = [
            part for bar, following in pairwise(bars[0])
            for part in (bar, *[
                build.slice_line(row, bar.indent + 1, following.indent) for row in rows
            ]) if part.text
        ][1:]
    text = joined([part.text for part in parts])
    if BOX.fullmatch(text if len(rows) == 1 else text.replace(" | ", "|")) is None:
        return None
    inner = [bar for row in bars[1:] for bar in row]
    return parts, [border, bars[0][0], bars[0][-1], *inner, lines[end]]


def _with_aligned_columns(
    lines: Sequence[Line], candidates: Sequence[Candidate]
) -> list[Candidate]:
    """`candidates`; an option gets the column of the one above it if their texts are aligned."""
    result: list[Candidate] = []
    for candidate in candidates:
        above = result[-1] if result else None
        is_next = above is not None and above.end == candidate.first and all(
            option.name_lines[-1][0].style == "option" for option in (above, candidate)
        )
        if above and is_next and _text_column(lines, above) == _text_column(lines, candidate) > 0:
            candidate = replace(candidate, column=above.column)
        result.append(candidate)
    return result


def _text_column(lines: Sequence[Line], candidate: Candidate) -> int:
    """The column of the text beside `candidate`, or else directly below it."""
    if candidate.text_beside is not None:
        return candidate.text_beside.column
    return lines[candidate.body_start].column


def _with_modes(lines: Sequence[Line], candidates: list[Candidate]) -> list[Candidate]:
    """`candidates`, where an option that starts many signatures is named with its mode.

    "-m node --login", "-m session" are "-m node" and "-m session".
    """
    counts = Counter(
        name_line.names for candidate in candidates for name_line, _, _ in candidate.name_lines
    )
    result: list[Candidate] = []
    for candidate in candidates:
        with_modes: list[tuple[NameLine, int, int]] = []
        for name_line, index, end in candidate.name_lines:
            if name_line.style == "option" and counts[name_line.names] >= MIN_ENTRIES:
                mode = MODE.match(lines[index].text[: name_line.signature_end])
                name_line = replace(name_line, names=(mode[0],)) if mode else name_line
            with_modes.append((name_line, index, end))
        result.append(replace(candidate, name_lines=tuple(with_modes)))
    return result


def _with_aligned_names(
    lines: Sequence[Line], candidates: Sequence[Candidate], first: int, stop: int
) -> list[Candidate]:
    """`candidates`, and words in their lists up to `stop` whose texts start in lower case.

    Where these are more than half of a list, or a quarter if each text has one line, no word of
    the list is an entry.
    """
    candidate_at = {candidate.first: candidate for candidate in candidates}
    lists: list[list[Candidate]] = []
    index = first
    while candidate_at and index < stop:
        item = candidate_at.get(index) or _aligned_name(lines, index, stop, candidates[0].column)
        if item is None:
            index += 1
            continue
        above = lists[-1][-1] if lists else None
        if above is None or index > above.end + 1 or _text_column(lines, above) != (
            _text_column(lines, item)
        ):
            lists.append([])
        lists[-1].append(item)
        index = item.end
    result: list[Candidate] = []
    for items in lists:
        added = sum(item.first not in candidate_at for item in items)
        min_ratio = 2 if any(item.body_start < item.end for item in items) else 4
        for item in items:
            name_line = item.name_lines[-1][0]
            if min_ratio * added <= len(items) > 2 or (item.first in candidate_at and (
                not added or name_line.text_start < 0 or name_line.style != "word"
                or "=" in lines[item.first].text
            )):
                result.append(item)
    return result


def _aligned_name(
    lines: Sequence[Line], index: int, stop: int, column: int
) -> Candidate | None:
    """The word on line `index` with its text, which starts in lower case, beside it."""
    line = lines[index]
    match = ALIGNED_NAME.match(line.text) if line.indent == column else None
    if match is None or GAP.search(line.text, match.end()):
        return None
    body_end = _body_end(lines, index + 1, stop, column)
    name_line = NameLine("word", (match["name"],), match.end("signature"), match.end())
    rest = line.after(match.end())
    rest = rest.with_indent(lines[index + 1].indent) if index + 1 < body_end else rest
    return Candidate(((name_line, index, index + 1),), index, index + 1, body_end, rest, column)
