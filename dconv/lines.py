"""From bytes to lines: encodings, line ends, tabs and invisible characters.

Nothing fails here and nothing is lost: a `Source` keeps the bytes of every line
beside the text that the rules read, and a diagnostic names what was read
differently from what it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dconv.diagnostics import Diagnostic

TAB = 8  # columns; the manuals of the 1990s and all terminals agree

# Characters that a page must not hold raw: C0 and C1 controls but the tab,
# those that turn the direction of text, non-characters, and the byte order mark.
UNSAFE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e"
    "\u2066-\u2069\ufeff\ufdd0-\ufdef\ufffe\uffff]"
    "|[\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe\U0003ffff\U0004fffe\U0004ffff"
    "\U0005fffe\U0005ffff\U0006fffe\U0006ffff\U0007fffe\U0007ffff\U0008fffe\U0008ffff"
    "\U0009fffe\U0009ffff\U000afffe\U000affff\U000bfffe\U000bffff\U000cfffe\U000cffff"
    "\U000dfffe\U000dffff\U000efffe\U000effff\U000ffffe\U000fffff\U0010fffe\U0010ffff]"
)


# at the start of a file it tells the encoding and is no text
MARK = "\ufeff"
# the same among the 128 characters of ASCII; line ends and tabs are none
CONTROLS = bytes([code for code in range(0x20) if code not in (9, 10, 13)]) + b"\x7f"


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end.

    `number` counts from 1; `indent` is the column (from 0) of the first
    character that is not blank; `text` is what follows it, tabs expanded,
    without trailing blanks.  A blank line has an empty text.  A part of a line
    is read as if it stood at `indent`; its text is `shift` columns further right.
    """

    number: int
    indent: int
    text: str
    shift: int = 0

    @property
    def column(self) -> int:
        """The column of the text in the source, from 1."""
        return self.indent + self.shift + 1

    def after(self, start: int) -> Line:
        """The part of the line that follows the first `start` characters of its text."""
        return Line(self.number, self.indent + start, self.text[start:], self.shift)

    def at(self, indent: int) -> Line:
        """The same text, read as if it stood at `indent`."""
        return Line(self.number, indent, self.text, self.shift + self.indent - indent)


@dataclass(frozen=True, slots=True)
class Source:
    """A manual's text: `raw` lines as bytes with their ends, `lines` for reading.

    `path` is the name to show in diagnostics; `encoding` is `utf-8` or
    `latin-1`.
    """

    path: str
    raw: tuple[bytes, ...]
    lines: tuple[Line, ...]
    encoding: str
    diagnostics: tuple[Diagnostic, ...]


def read(content: bytes, path: str) -> Source:
    """Read a file's `content` (bytes) into lines; never raises.

    The text is decoded as UTF-8, or, where a byte does not fit, as Latin-1,
    which fits always.  A tab reaches to the next multiple of 8 columns.
    Control characters become their visible pictures (U+2400 block) and other
    characters that a page cannot show become U+FFFD.
    """
    raw = tuple(content.splitlines(keepends=True))
    text, encoding, findings = _decoded(content, raw, path)
    rows = text.removeprefix(MARK).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    unsafe = not text.isascii() or len(content.translate(None, CONTROLS)) < len(content)
    lines: list[Line] = []
    for number, row in enumerate(rows[: len(raw)], 1):
        if unsafe and UNSAFE.search(row):
            row, found = _visible(row, path, number)
            findings.append(found)
        if "\t" in row:
            row = row.expandtabs(TAB)
        row = row.rstrip()
        bare = row.lstrip()
        lines.append(Line(number, len(row) - len(bare), bare))
    return Source(path, raw, tuple(lines), encoding, tuple(findings))


def _decoded(
    content: bytes, raw: tuple[bytes, ...], path: str
) -> tuple[str, str, list[Diagnostic]]:
    """The text of `content`, its encoding, and a note where that is not UTF-8."""
    try:
        return content.decode("utf-8"), "utf-8", []
    except UnicodeDecodeError as error:
        start = error.start
    number = len((content[:start] + b".").splitlines())
    column = start - sum(map(len, raw[: number - 1])) + 1
    message = "not UTF-8 here; the file is read as Latin-1"
    finding = Diagnostic(path, number, column, "note", "encoding", message)
    return content.decode("latin-1"), "latin-1", [finding]


def _visible(text: str, path: str, number: int) -> tuple[str, Diagnostic]:
    first = UNSAFE.search(text)
    assert first is not None
    message = f"character U+{ord(first[0]):04X} cannot stand in a page; a picture of it is shown"
    column = first.start() + 1
    shown = UNSAFE.sub(lambda match: _picture(match[0]), text)
    return shown, Diagnostic(path, number, column, "note", "control-character", message)


def _picture(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return " " if character == "\f" else chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"
