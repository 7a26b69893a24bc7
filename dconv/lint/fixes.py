"""Apply fixes to the content of a file, and choose fixes that do not conflict."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate

from dconv.model.diagnostics import Edit, Fix
from dconv.model.source import BYTE_ORDER_MARK

# a line with its end, or the last one without
LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
LINE_END = re.compile(r"\r\n|\n|\r")


def without_conflicts(fixes: Iterable[Fix]) -> list[Fix]:
    """Those of `fixes` whose edits are at other places than those of the fixes before."""
    sorted_edits: list[Edit] = []
    compatible: list[Fix] = []
    for fix in dict.fromkeys(fixes):
        places = [(edit, bisect_left(sorted_edits, edit)) for edit in fix.edits]
        if not any(
            _overlap(edit, other)
            for edit, index in places for other in sorted_edits[max(0, index - 2) : index + 2]
        ):
            compatible.append(fix)
            for edit in fix.edits:
                insort(sorted_edits, edit)
    return compatible


def merge_fixes(fixes: Iterable[Fix]) -> Fix | None:
    """All of `fixes` that do not conflict, as one; None if there are none."""
    compatible = without_conflicts(fixes)
    if not compatible:
        return None
    descriptions = dict.fromkeys(fix.description for fix in compatible)
    edits = tuple(sorted(edit for fix in compatible for edit in fix.edits))
    return Fix("; ".join(descriptions), edits)


def _overlap(edit: Edit, other: Edit) -> bool:
    """Whether both edit one place; text may be inserted beside text that is removed."""
    if edit.start == other.start:
        return (edit.start == edit.end) == (other.start == other.end)
    return edit.start < other.end and other.start < edit.end


def apply_fixes(content: bytes, fixes: Iterable[Fix]) -> bytes:
    """The `content` of a file with all edits of `fixes`, which are independent.

    Encoding, byte order mark and the usual line end stay, and so does a last line without one.
    """
    mark, codec, errors = _encoding(content)
    try:
        text = content[len(mark) :].decode(codec, errors)
    except UnicodeDecodeError:
        return content  # UTF-16 that is cut off
    edits = [edit for fix in fixes for edit in fix.edits]
    return mark + _edited(text, edits).encode(codec, errors)


def file_lines(content: bytes) -> list[str]:
    """The lines of a file with their ends; bytes that are not characters are escaped."""
    mark, codec, _ = _encoding(content)
    errors = "surrogateescape" if codec == "utf-8" else "replace"
    return LINE.findall(content[len(mark) :].decode(codec, errors))


def _encoding(content: bytes) -> tuple[bytes, str, str]:
    """The byte order mark of UTF-16, the codec, and how it treats bytes that are not characters."""
    for mark, codec in ((BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be")):
        if content.startswith(mark):
            return mark, codec, "strict"
    return b"", "utf-8", "surrogateescape"


def _edited(text: str, edits: Iterable[Edit]) -> str:
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    text = text.removeprefix(mark)
    ends = Counter(LINE_END.findall(text))
    line_end = max(ends, key=lambda end: ends[end]) if ends else "\n"
    is_ended = text.endswith(("\r", "\n"))
    if not is_ended:
        text += line_end
    starts = [0, *accumulate(map(len, LINE.findall(text)))]
    parts: list[str] = []
    position = 0
    for edit in sorted(edits):
        parts.append(text[position : starts[edit.line - 1] + edit.column - 1])
        parts.append(edit.text.replace("\n", line_end))
        position = starts[edit.end_line - 1] + edit.end_column - 1
    edited = mark + "".join((*parts, text[position:]))
    return edited if is_ended else edited.removesuffix(line_end)
