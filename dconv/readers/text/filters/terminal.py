"""Text as a terminal shows it: `X\\bX` is bold, `_\\bX` is underlined, `ESC[1m` starts bold words.

Such texts are pages that were formatted for a terminal and saved.  Words stay bold or
underlined; a line of bold words alone is a title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from dconv.model.dialect import Dialect
from dconv.model.source import Line, Source
from dconv.readers.text.filters.filtered import FilteredLines, FilteredText, Style, StyleKind

BACKSPACE, ESCAPE = "\u2408", "\u241b"  # what `read_source` shows for them
# what it shows for all controls (Unicode, "Control Pictures")
CONTROL_PICTURE = re.compile("[\u2400-\u2421]")
# "N␈N", "_␈x", "x␈_", "N␈N␈N"; trailing blanks were stripped, so "x␈" may end a line
# "␛[1m", "␛[0m", "␛[4;22m": select graphic rendition (ECMA-48, section 8.3.117)
MARKUP = re.compile(
    rf"[^{BACKSPACE}{ESCAPE}](?:{BACKSPACE}[^{BACKSPACE}]?)+|{ESCAPE}\[(?P<codes>[\d;]{{0,20}})m"
)
# codes that switch a style on or off
SGR_CODES: Mapping[str, tuple[StyleKind, bool]] = {
    "1": ("bold", True), "22": ("bold", False), "3": ("underlined", True),
    "23": ("underlined", False), "4": ("underlined", True), "24": ("underlined", False),
}
# "-----" below a blank line
RULE = re.compile(r"([-=_*])\1{19,}$")
MAX_INDENT = 3  # columns before a title; bold text that is deeper is a term


def filtered(source: Source, dialect: Dialect) -> FilteredText | None:
    """Return the text without the marks of a terminal, or None if it has none."""
    raw = b"".join(source.raw)
    if b"\b" not in raw and b"\x1b[" not in raw:
        return None
    output = FilteredLines()
    styles: dict[int, tuple[Style, ...]] = {}
    above = ""
    for line in source.lines:
        if RULE.match(line.text) and not above:
            output.dropped.add("rule", line)
            output.add_line(line, 0, "")
            continue
        above = line.text
        terminal_line = _TerminalLine(line)
        number = output.add_line(line, line.indent, "".join(terminal_line.characters))
        for start, end in terminal_line.dropped:
            output.dropped.add("mark of a terminal", line, start, end)
        if terminal_line.styles:
            styles[number] = tuple(terminal_line.styles)
    text = output.source(source)
    findings = text.diagnostics
    if not any(CONTROL_PICTURE.search(line.text) for line in text.lines):
        findings = tuple([finding for finding in findings if finding.rule != "control-character"])
    elif b"\b" not in raw:
        return None  # escape sequences among other controls do not make a page for a terminal
    return FilteredText(
        replace(text, diagnostics=findings), dialect, dict(_titles(text, styles)), styles=styles
    )


class _TerminalLine:
    """A line as a terminal shows it; `dropped` has the ranges left out of the file's line."""

    def __init__(self, line: Line) -> None:
        self.characters: list[str] = []
        self.dropped: list[tuple[int, int]] = []
        self.styles: list[Style] = []
        index = 0
        active_styles: dict[StyleKind, bool] = {"bold": False, "underlined": False}
        for match in MARKUP.finditer(line.text):
            self._add_plain(line.text[index : match.start()], active_styles)
            index = match.end()
            if match["codes"] is None:
                self._add_overstruck(match)
                continue
            self.dropped.append(match.span())
            for number in match["codes"].split(";"):
                if number in SGR_CODES:
                    kind, is_on = SGR_CODES[number]
                    active_styles[kind] = is_on
                elif not number.strip("0"):
                    active_styles = {"bold": False, "underlined": False}
        self._add_plain(line.text[index:], active_styles)

    def _add_plain(self, text: str, active_styles: Mapping[StyleKind, bool]) -> None:
        """Add characters without overstrikes."""
        start = len(self.characters) + len(text) - len(text.lstrip())
        self.characters += text
        end = len(self.characters) - len(text) + len(text.rstrip())
        for kind, is_on in active_styles.items():
            if is_on and start < end:
                self._add_style(start, end, kind)

    def _add_overstruck(self, match: re.Match[str]) -> None:
        """Add one overstruck character: the last that is not an underscore, if there is one."""
        indexes = [index for index in range(*match.span()) if match.string[index] != BACKSPACE]
        letters = [index for index in indexes if match.string[index] not in "_ "]
        letter_at = letters[-1] if letters else indexes[0]
        for start, end in ((match.start(), letter_at), (letter_at + 1, match.end())):
            if start < end:
                self.dropped.append((start, end))
        characters = [match.string[index] for index in indexes]
        letter_count = characters.count(match.string[letter_at])
        index = len(self.characters)
        if letter_count > 1:
            self._add_style(index, index + 1, "bold")
        if 0 < len(letters) < len(indexes):
            self._add_style(index, index + 1, "underlined")
        self.characters.append(match.string[letter_at])

    def _add_style(self, start: int, end: int, kind: StyleKind) -> None:
        """Add a style; blanks between two words of one style get that style."""
        for index in range(len(self.styles) - 1, max(len(self.styles) - 3, -1), -1):
            style = self.styles[index]
            between = self.characters[style.end : start]
            if style.kind == kind and all(character == " " for character in between):
                self.styles[index] = Style(style.start, end, kind)
                return
        self.styles.append(Style(start, end, kind))


def _titles(text: Source, styles: Mapping[int, tuple[Style, ...]]) -> Iterator[tuple[int, int]]:
    """Yield the lines that are bold and alone, or above deeper text, each with its level."""
    lines = text.lines
    bold = {
        line.number for line in lines
        if line.text and any(
            style.kind == "bold" and (style.start, style.end) == (0, len(line.text))
            for style in styles.get(line.number, ())
        )
    }
    titles: list[Line] = []
    for index, line in enumerate(lines):
        if line.number not in bold or line.indent > MAX_INDENT or (index and lines[index - 1].text):
            continue
        below = lines[index + 1] if index + 1 < len(lines) else line
        if not below.text or (below.indent > line.indent and line.text[0].isupper()):
            titles.append(line)
    ranks = sorted({line.indent for line in titles})
    for line in titles:
        yield line.number, 1 + ranks.index(line.indent)
