"""Configuration files that explain themselves in comments.

    # LAMPS                              # Configuration section lamp.
    # -----                              lamp {
    #  TAG: oil   (litres)                   # Configuration option lamp/oil.
    #       How much oil there is.           # How much oil there is.
    #Default:                                # oil = 2
    # oil 2                              }

The signs of the comments go.  What is marked as a setting is an entry of that kind; lines without
a sign are code, and so are values after "Default:" and lines that set the setting itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dconv.model.dialect import Dialect, ReferenceRule
from dconv.model.source import Line, Source
from dconv.readers.text.filters.filtered import Copy, Filtered
from dconv.readers.text.rules import prose

MIN_LINES = 10  # lines of text; in fewer, comments are chance
MIN_COMMENT_SHARE = 0.6  # of the lines are comments
# "# text", "##text", "; text"
COMMENT = re.compile(r"(?P<signs>#+|;+)(?P<blanks>\s*)(?P<rest>.*)$")
RULE = re.compile(r"([-=*_~#])\1{3,}$")
# "##### LAMPS #####"
FRAMED = re.compile(r"#{3,} {1,3}(?P<title>[^\s#][^#]{0,70}?) {1,3}#{3,}$")
# "TAG: oil (litres)", "Configuration option lamp/oil."
SETTING = re.compile(r"(?P<mark>TAG:|Configuration option) +(?P<name>\S.*?)(?:(?<!\.)\.)?$")
SECTION = re.compile(r"(?P<mark>Configuration section) +(?P<name>\S{1,70}?)\.?$")
# "Default:", "Example:"
LABEL = re.compile(r"[A-Z][A-Za-z ]{0,30}:$")
NAME = re.compile(r"[a-z0-9@][\w.+/<>-]*")  # a name in a mark
BRACE = re.compile(r"[\w./<>-]+ ?\{$|\}$")  # "lamp {", "}"
MIN_SETTINGS = 3  # marks of settings; fewer are chance
FAR = 12  # columns; a comment that much deeper than the code above goes on with one behind it
MAX_SHORT_LENGTH, MAX_SHORT_WORDS = 40, 4  # characters, words; longer text may be a sentence
BODY, CODE = 4, 7  # columns; a header would start at 8
SETTING_RULE = ReferenceRule("setting", re.compile(""), "first")


@dataclass(frozen=True, slots=True)
class _Comment:
    """A comment: its `text`, which starts `offset` characters behind the first sign."""

    line: Line
    text: str
    offset: int
    signs: int

    @property
    def is_rule(self) -> bool:
        """Whether it draws a line."""
        return bool(RULE.match(self.text)) or (not self.text and self.signs > 3)

    @property
    def is_close(self) -> bool:
        """Whether nothing is between signs and text."""
        return self.offset == self.signs


def filtered(source: Source, dialect: Dialect) -> Filtered | None:
    """Return the text of the comments, or None if most lines are none."""
    written = [line for line in source.lines if line.text]
    if len(written) < MIN_LINES:
        return None
    sign = "#" if sum(line.text[0] == "#" for line in written) * 2 >= len(written) else ";"
    if sum(line.text[0] == sign for line in written) < MIN_COMMENT_SHARE * len(written):
        return None
    comments: list[_Comment | None] = []
    for at, line in enumerate(source.lines):
        above = source.lines[at - 1] if at and comments[-1] is None else None
        goes_on = above and above.text and line.indent > above.indent + FAR
        comments.append(None if goes_on else _comment(line, sign))
    writer = _Writer(_column(comments), _has_settings(comments))
    for at, line in enumerate(source.lines):
        comment = comments[at]
        if comment is None:
            writer.code(line)
        elif comment.is_rule or not comment.text:
            writer.rule(comment)
        else:
            writer.comment(comment, _is_title(comments, at))
    if writer.settings:
        dialect = replace(dialect, references=(*dialect.references, SETTING_RULE))
    return Filtered(
        writer.copy.source(source), dialect, writer.titles, frozenset(writer.codes), BODY
    )


def _comment(line: Line, sign: str) -> _Comment | None:
    match = COMMENT.match(line.text) if line.text[:1] == sign else None
    if match is None or (line.number == 1 and line.text.startswith("#!")):
        return None
    signs = len(match["signs"])
    return _Comment(line, match["rest"], match.start("rest"), signs)


def _column(comments: Sequence[_Comment | None]) -> int:
    """The offset at which most comments start."""
    offsets = Counter(comment.offset for comment in comments if comment and comment.text)
    return max(offsets, key=offsets.__getitem__, default=0)


def _has_settings(comments: Sequence[_Comment | None]) -> bool:
    """Whether marks of settings are in `comments` again and again."""
    marks = sum(1 for comment in comments if comment and _setting(comment))
    return marks >= MIN_SETTINGS


def _setting(comment: _Comment) -> re.Match[str] | None:
    match = SETTING.match(comment.text)
    return match if match and NAME.match(match["name"]) else None


def _is_title(comments: Sequence[_Comment | None], at: int) -> bool:
    """Whether the comment at the index `at` is a title: alone, with a rule below."""
    above = comments[at - 1] if at else None
    below = comments[at + 1] if at + 1 < len(comments) else None
    if below is None or not below.is_rule:
        return False
    return above is None or above.is_rule or not above.text


@dataclass(slots=True)
class _Writer:
    """Writes the lines; `column` is where most comments start, `name` that of the last setting."""

    column: int
    settings: bool
    copy: Copy = field(default_factory=Copy)
    titles: dict[int, int] = field(default_factory=dict)
    codes: set[int] = field(default_factory=set)
    name: str = ""
    labelled: bool = False
    was_code: bool = False

    def rule(self, comment: _Comment) -> None:
        """Leave out a line that says nothing."""
        self.copy.dropped.add("comment sign" if not comment.text else "rule", comment.line)
        self.copy.gap(comment.line)
        self.labelled = self.labelled and not comment.is_rule

    def code(self, line: Line) -> None:
        """Write a line without a sign, or a blank one."""
        if line.text:
            self._code(line, CODE + line.indent, line.text)
        else:
            self.copy.gap(line)
            self.labelled = False

    def comment(self, comment: _Comment, is_title: bool) -> None:
        """Write the text of a comment."""
        line, text = comment.line, comment.text
        framed = FRAMED.match(line.text)
        if framed:
            self._title(line, *framed.span("title"))
            return
        mark = SECTION.match(text)
        if mark and self.settings:
            self._title(line, *[comment.offset + at for at in mark.span("name")])
            return
        mark = _setting(comment) if self.settings else None
        if mark:
            self._setting(line, *[comment.offset + at for at in mark.span("name")])
            return
        if is_title:
            self._title(line, comment.offset, len(line.text))
            return
        self.copy.dropped.add("comment sign", line, 0, comment.signs)
        if LABEL.match(text) and (comment.is_close or text == "Default:"):
            self.copy.gap(line)
            self._text(line, BODY, text)
            self.copy.put(line, 0, "")
            self.labelled = True
        elif self._is_code(comment):
            self._code(line, CODE + max(0, comment.offset - max(self.column, 2)), text)
        else:
            self._text(line, BODY + max(0, comment.offset - self.column), text)

    def _is_code(self, comment: _Comment) -> bool:
        text = comment.text
        if self.name and re.match(rf"{re.escape(self.name)}\s*=(?:\s|$)", text):
            return True
        if BRACE.match(text):
            return True
        if not self.labelled and not (comment.is_close and self.column > comment.offset):
            return False
        return not (text[0].isupper() and (prose.is_sentence(text, 2) or self._goes_on(text)))

    def _goes_on(self, text: str) -> bool:
        """Whether `text` is the start of a sentence that goes on in the next line."""
        return len(text) > MAX_SHORT_LENGTH and len(prose.WORD.findall(text)) > MAX_SHORT_WORDS

    def _title(self, line: Line, start: int, end: int) -> None:
        self._drop_around("comment sign", line, start, end)
        self.copy.gap(line)
        self.titles[self.copy.put(line, 0, line.text[start:end])] = 1
        self.copy.put(line, 0, "")
        self.name, self.labelled, self.was_code = "", False, False

    def _setting(self, line: Line, start: int, end: int) -> None:
        self._drop_around("mark of a setting", line, start, end)
        self.copy.gap(line)
        signature = " ".join(line.text[start:end].split())
        self.copy.put(line, 0, signature)
        match = NAME.match(signature)
        self.name = match[0].rpartition("/")[2] if match else ""
        self.labelled = self.was_code = False

    def _drop_around(self, rule: str, line: Line, start: int, end: int) -> None:
        self.copy.dropped.add(rule, line, 0, start)
        self.copy.dropped.add(rule, line, end)

    def _text(self, line: Line, indent: int, text: str) -> None:
        if self.was_code:
            self.copy.gap(line)
        self.copy.put(line, indent, text)
        self.was_code = False

    def _code(self, line: Line, indent: int, text: str) -> None:
        if not self.was_code:
            self.copy.gap(line)
        self.codes.add(self.copy.put(line, indent, text))
        self.was_code = True
