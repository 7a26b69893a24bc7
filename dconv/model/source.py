"""From bytes to lines: encodings, line ends, tabs and invisible characters.

Nothing fails here and nothing is lost: a `Source` has the bytes of every line,
the text that readers read, and a diagnostic for what was changed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator, Sequence

from dconv.model.diagnostics import Diagnostic
from dconv.model.values import dataclass

# how a text is marked up, if at all
FORMATS = ("text", "man", "rst", "markdown", "html")

TAB_WIDTH = 8  # columns; the manuals of the 1990s and all terminals agree

# Characters that a page must not hold raw: C0 and C1 controls but the tab and the
# form feed, those that turn the direction of text, non-characters, and the byte
# order mark.  Line ends are gone already; what is printable needs no look.
UNSAFE = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e"
    "\u2066-\u2069\ufeff\ufdd0-\ufdef\ufffe\uffff]"
    "|[\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe\U0003ffff\U0004fffe\U0004ffff"
    "\U0005fffe\U0005ffff\U0006fffe\U0006ffff\U0007fffe\U0007ffff\U0008fffe\U0008ffff"
    "\U0009fffe\U0009ffff\U000afffe\U000affff\U000bfffe\U000bffff\U000cfffe\U000cffff"
    "\U000dfffe\U000dffff\U000efffe\U000effff\U000ffffe\U000fffff\U0010fffe\U0010ffff]"
)

# at the start of a file it marks the encoding and is not text
BYTE_ORDER_MARK = "\ufeff"
# the control characters of ASCII except line ends, tabs and form feeds
ASCII_CONTROLS = bytes([code for code in range(0x20) if code not in (9, 10, 12, 13)]) + b"\x7f"
REPLACEMENT = "\ufffd"  # shown for bytes that are not characters
# bytes that are not UTF-8, as the error handler "surrogateescape" keeps them (PEP 383)
ESCAPED = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end.

    `number` counts from 1; `indent` is the column (from 0) of the first character that is not
    blank; `text` starts there, tabs expanded, without trailing spaces.  A blank line has an empty
    text.  A part of a line may be read as if it were at `indent`; its text is `source_offset`
    columns further right in the source.
    """

    number: int
    indent: int
    text: str
    source_offset: int = 0

    @property
    def column(self) -> int:
        """The column of the text in the source, from 1."""
        return self.indent + self.source_offset + 1

    def after(self, start: int) -> Line:
        """The part of the line that follows the first `start` characters of its text."""
        return Line(self.number, self.indent + start, self.text[start:], self.source_offset)

    def with_indent(self, indent: int) -> Line:
        """The same text, read as if it were at `indent`."""
        return Line(self.number, indent, self.text, self.source_offset + self.indent - indent)


def block_end(lines: Sequence[Line], first: int, limit: int) -> int:
    """The index after the lines from `first` on that are not blank; at most `limit`."""
    end = first
    while end < limit and lines[end].text:
        end += 1
    return end


@dataclass(frozen=True, slots=True)
class Dropped:
    """Characters of the source that the tree does not hold: `text` at `line` and `column`.

    `kind` says what they are ("underline"); `column` counts from 1.
    """

    kind: str
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """A manual's text: `raw` lines as bytes with their ends, `lines` for reading.

    `path` is the name to show in diagnostics; `encoding` is `utf-8`, or
    `windows-1252` where a byte of the file does not fit.  Of a text in `utf-16`,
    `raw` has the lines in UTF-8.  If the text was extracted from a file with markup,
    `file_line_numbers` has for each line that of the file which it comes from, 0 if not known, and
    `reference_places` the labels, documents and images that the file refers to, in order, each with
    its line and column, and as it is written there.

    Where a filter has made `lines` from the lines of the file, those are `unfiltered`, and
    `filtered_out` is what the filter left out.  `lines` have all the rest, in the order of the file
    but for those with the numbers `out_of_order`: a setting precedes the comment that explains it.
    """

    path: str
    raw: tuple[bytes, ...]
    lines: tuple[Line, ...]
    encoding: str
    diagnostics: tuple[Diagnostic, ...]
    file_line_numbers: tuple[int, ...] = ()
    reference_places: tuple[tuple[str, int, int, str], ...] = ()
    unfiltered: tuple[Line, ...] = ()
    filtered_out: tuple[Dropped, ...] = ()
    out_of_order: frozenset[int] = frozenset()

    def file_line_number(self, line: int) -> int:
        """The line of the file that `line` stands for, from 1."""
        return max(self.file_line_numbers[line - 1], 1) if self.file_line_numbers else line

    @property
    def is_extracted(self) -> bool:
        """Whether `lines` are extracted from a file with markup, whose own are not kept."""
        return bool(self.file_line_numbers) and not self.unfiltered

    def place(self, line: int, column: int) -> tuple[int, int]:
        """The line and the column of the file for those of `lines`; column 1 if extracted."""
        return self.file_line_number(line), 1 if self.is_extracted else column

    def reference_place(
        self, name: str, line: int, column: int, index: int = 0
    ) -> tuple[int, int, str]:
        """Line and column in the file of a reference to `name`, and the name as written there.

        `line` and `column` are those in `lines`; `index` counts, from 0, the references to this
        name from the same block.
        """
        first_line, first_column = self.place(line, column)
        places = [
            (place_line, place_column, written)
            for other, place_line, place_column, written in self.reference_places
            if other == name and place_line >= first_line
        ]
        if places:
            return places[min(index, len(places) - 1)]
        return first_line, first_column, name

    @property
    def file_lines(self) -> tuple[Line, ...]:
        """The lines of the file, or those extracted from it, before any filter."""
        return self.unfiltered or self.lines


def read_source(content: bytes, path: str) -> Source:
    """Read a file's `content` (bytes) into lines; never raises.

    A text that starts with the byte order mark of UTF-16 is decoded so; what is not a character in
    it becomes U+FFFD.  All others are UTF-8; bytes that do not fit are Windows-1252, which holds
    Latin-1 except its controls: texts of mixed origin are read whole. A tab reaches to the next
    multiple of 8 columns; a form feed is a space. Control characters become their visible pictures
    (U+2400 block), and other characters that a page cannot show their number: `‹U+202E›`.
    """
    characters, encoding = _decoded(content)
    raw_content = characters.encode() if encoding == "utf-16" else content
    raw = tuple(raw_content.splitlines(keepends=True))
    text, findings = _normalized(characters, encoding, path)
    rows = text.split("\n")[: len(raw)]
    if not text.isascii() or len(content.translate(None, ASCII_CONTROLS)) < len(content):
        findings += _odd_characters(
            rows, UNSAFE, path, "control-character",
            lambda code: f"character U+{code:04X} cannot appear in a page and is shown as a symbol",
        )
        rows = [row if row.isprintable() else UNSAFE.sub(control_picture, row) for row in rows]
    return Source(path, raw, tuple(_lines(rows)), encoding, tuple(findings))


def decoded_text(content: bytes, path: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """The characters of a file with markup, in the same encodings, and what is odd in it.

    Line ends are "\\n"; tabs and controls stay as they are.
    """
    text, findings = _normalized(*_decoded(content), path)
    return text, tuple(findings)


def decoded_line(raw: bytes) -> str:
    """The characters of a line of a file, without its end; tabs and odd bytes stay as they are."""
    return raw.rstrip(b"\r\n").decode("utf-8", "surrogateescape").removeprefix(BYTE_ORDER_MARK)


def character_ends(raw: bytes) -> Sequence[int]:
    """The last column of each character of a line with tabs, expanded; nothing without them."""
    if b"\t" not in raw:
        return ()
    column = 0
    ends: list[int] = []
    for character in decoded_line(raw):
        column = column + TAB_WIDTH - column % TAB_WIDTH if character == "\t" else column + 1
        ends.append(column)
    return ends


def file_column(ends: Sequence[int], column: int) -> int:
    """The column in a line, tabs as they are, of the `column` with tabs expanded.

    `ends` are those of its characters.
    """
    if not ends:
        return column
    if column > ends[-1]:
        return len(ends) + column - ends[-1]
    return bisect_left(ends, column) + 1


def _decoded(content: bytes) -> tuple[str, str]:
    """The text of `content` and its encoding; bytes that are not UTF-8 are escaped in it."""
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return content.decode("utf-16", "replace"), "utf-16"
    try:
        return content.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return content.decode("utf-8", "surrogateescape"), "windows-1252"


def _normalized(characters: str, encoding: str, path: str) -> tuple[str, list[Diagnostic]]:
    """`characters` with "\\n" as line ends and odd bytes as Windows-1252, and what was odd."""
    text = characters.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
    if encoding == "utf-8":
        return text, []
    if encoding == "utf-16":
        return text, _not_utf16(text.split("\n"), path)
    return ESCAPED.sub(_windows_1252, text), [*_odd_characters(
        text.split("\n"), ESCAPED, path, "encoding",
        lambda code: f"byte 0x{code - 0xDC00:02X} is not UTF-8 and is read as Windows-1252",
    )]


def _lines(rows: Iterable[str]) -> Iterator[Line]:
    for number, row in enumerate(rows, 1):
        if "\t" in row:
            row = row.expandtabs(TAB_WIDTH)
        row = row.replace("\f", " ").rstrip()
        text = row.lstrip()
        yield Line(number, len(row) - len(text), text)


def _not_utf16(rows: Iterable[str], path: str) -> list[Diagnostic]:
    """A warning if a character of UTF-16 is cut off or half."""
    odd_rows = [(number, row) for number, row in enumerate(rows, 1) if REPLACEMENT in row]
    if not odd_rows:
        return []
    number, row = odd_rows[0]
    message = f"bytes that are not UTF-16 are shown as {REPLACEMENT} (lines: {len(odd_rows):,})"
    return [Diagnostic(path, number, row.find(REPLACEMENT) + 1, "warning", "encoding", message)]


def _odd_characters(
    rows: Iterable[str], pattern: re.Pattern[str], path: str, rule: str,
    sentence_of: Callable[[int], str],
) -> Iterator[Diagnostic]:
    """A warning at the first match of `pattern`, a character, in `rows`, with how many there are.

    `sentence_of` makes the message from the code of the character.
    """
    first: tuple[int, int, str] | None = None
    count = 0
    for number, row in enumerate(rows, 1):
        for match in () if row.isprintable() else pattern.finditer(row):
            first = first or (number, len(row[: match.start()].expandtabs(TAB_WIDTH)) + 1, match[0])
            count += 1
    if first is not None:
        line, column, character = first
        message = sentence_of(ord(character)) + (f" (the first of {count:,})" if count > 1 else "")
        yield Diagnostic(path, line, column, "warning", rule, message)


def _windows_1252(escaped: re.Match[str]) -> str:
    """The character of an escaped byte; the five that have none stay controls (U+0081)."""
    byte = ord(escaped[0]) - 0xDC00
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)


def control_picture(unsafe: re.Match[str]) -> str:
    """What replaces a character that a page cannot hold: "␀", "‹U+202E›"."""
    code = ord(unsafe[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"\u2039U+{code:04X}\u203a"
