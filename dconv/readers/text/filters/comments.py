"""Configuration files that explain themselves in comments.

    # LAMPS                              # Configuration section lamp.
    # -----                              lamp {
    #  TAG: oil   (litres)                   # Configuration option lamp/oil.
    #       How much oil there is.           # How much oil there is.
    #Default:                                # oil = 2
    # oil 2                              }

The markers of comments, `#`, `;` or `//`, are dropped.  What is marked as a setting is an entry of
that kind, and so is a setting below or beside its comment, in a file without such marks
(`settings.py`).  Lines without a marker are code, and so are values after "Default:", lines that
assign the setting itself, and settings that are commented out: "# oil: 2".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace

from dconv.model.dialect import Dialect, EntryRule
from dconv.model.source import Line, Source
from dconv.model.values import dataclass
from dconv.model.wrapping import MIN_FULL_LENGTH, has_room
from dconv.readers.text.filters.filtered import FilteredEntry, FilteredLines, FilteredText
from dconv.readers.text.filters.settings import (
    ASSIGNED,
    INI_SECTION,
    MARKERS,
    Comment,
    SettingsBlock,
    comment_on,
    explained_settings,
)
from dconv.readers.text.rules import prose

MIN_LINES = 10  # lines of text; in fewer, comments are chance
MIN_COMMENT_SHARE = 0.6  # of the lines are comments
MIN_SHARE_AMONG_SETTINGS = 0.3  # of the lines are comments, and all others are settings
# "##### LAMPS #####"
FRAMED = re.compile(r"#{3,} {1,3}(?P<title>[^\s#][^#]{0,70}?) {1,3}#{3,}$")
# "TAG: oil (litres)", "Configuration option lamp/oil."
SETTING = re.compile(r"(?:TAG:|Configuration option) +(?P<name>\S.*?)(?:(?<!\.)\.)?$")
SECTION = re.compile(r"Configuration section +(?P<name>\S{1,70}?)\.?$")
# "Default:", "Example:"
LABEL = re.compile(r"[A-Z][A-Za-z ]{0,30}:$")
NAME = re.compile(r"[a-z0-9@][\w.+/<>-]*")  # a name after "TAG:"
COMMENT_STARTS = ("#", ";", "//")
TRAILING_VALUE = re.compile(rf"{MARKERS}\s*\S+ = ")  # "# %a = application name"
TRAILING_MARKER = re.compile(rf"{MARKERS}\s*")  # before the text of a comment beside a setting
IN_PARENTHESES = re.compile(r"\([^()]*\)")  # "(read at the start)"
# 'lamp {', '}', '"red";', '"oil": 2,'
CODE = re.compile(
    r"[\w./<>-]+ ?\{$|\}$|\"[^\"]*\";$|\"[\w<>-]+\": ?(?:[\"\[{<]|-?\d|(?:true|false|null)\b)"
)
CLOSING_BRACE = re.compile(r"\}[;,]$")
# 'oil: 2', 'wick-file = "/etc/wick"': a setting that is commented out
VALUE = r"(?:\"[^\"]*\"|'[^']*'|[^\s\"']+)"
COMMENTED_OUT = re.compile(rf"[a-z][\w.-]*(?::| ?=) ?{VALUE}(?: {VALUE}){{0,4}}$")
MIN_SETTINGS = 3  # marks of settings; fewer are chance
# "- Lamps -", "* Lamps" between empty comments
SMALL_TITLE = re.compile(r"(?P<mark>[-*]) (?P<title>[A-Z][^.:;]{1,60}?)(?P<end> (?P=mark))?$")
MAX_TITLE_LENGTH = 72  # characters of a first line that is the title
# columns; a comment that is so much deeper than the code above continues the one after that code
CONTINUATION_INDENT = 12
MIN_FUNCTION_WORDS = 2  # of a default that is a sentence: "the oil of the house"
MAX_SHORT_LENGTH, MAX_SHORT_WORDS = 40, 4  # characters, words; longer text may be a sentence
# columns of text and of code in the output; at column 8, the first lines would be a header
BODY_COLUMN, CODE_COLUMN = 4, 7
# signatures of any section are settings; their first word is the name
SETTINGS_RULE = EntryRule("setting", re.compile(""), "first", is_guessed=True)


def filtered(source: Source, dialect: Dialect) -> FilteredText | None:
    """Return the text of the comments, or None if most lines are not comments."""
    comments = _read_comments(source.lines)
    if comments is None:
        return None
    offsets = Counter(comment.offset for comment in comments if comment and comment.text)
    column = max(offsets, key=offsets.__getitem__, default=0)
    has_marks = sum(bool(comment and _marked_name(comment)) for comment in comments) >= MIN_SETTINGS
    titles, blocks = _titles_and_settings(source.lines, comments, column, has_marks)
    writer = _Writer(column, has_marks, comments, titles, _commented_out(comments))
    index = 0
    while index < len(source.lines):
        if block := blocks.get(index):
            writer.write_block(source.lines, block)
            index = block.end
        else:
            writer.write_line(source.lines[index])
            index += 1
    if writer.has_marks:
        dialect = replace(dialect, entry_rules=(*dialect.entry_rules, SETTINGS_RULE))
    return FilteredText(
        writer.output.source(source), dialect, writer.title_levels, frozenset(writer.code_lines),
        BODY_COLUMN, entries=tuple(writer.entries),
    )


def _read_comments(lines: Sequence[Line]) -> list[Comment | None] | None:
    """The comment that each of `lines` is, or None; None for all if most are not comments."""
    filled = [line for line in lines if line.text]
    if len(filled) < MIN_LINES:
        return None
    marked = [line.text for line in filled if line.text.startswith(COMMENT_STARTS)]
    counts = {
        marker: sum([text.startswith(marker) for text in marked]) for marker in COMMENT_STARTS
    }
    marker = max(counts, key=counts.__getitem__)
    if marker == "//" and any(line.text.startswith("/*") for line in filled):
        return None  # most of the prose is in those
    share = sum(counts.values()) / len(filled)
    if share < MIN_COMMENT_SHARE and (
        share < MIN_SHARE_AMONG_SETTINGS or not all(map(_is_settings_line, filled))
    ):
        return None
    comments: list[Comment | None] = []
    for index, line in enumerate(lines):
        above = lines[index - 1] if index and comments[-1] is None else None
        is_continuation = above and above.text and line.indent > above.indent + CONTINUATION_INDENT
        comments.append(None if is_continuation else comment_on(line, marker))
    return comments


def _titles_and_settings(
    lines: Sequence[Line], comments: Sequence[Comment | None], column: int, has_marks: bool
) -> tuple[frozenset[int], dict[int, SettingsBlock]]:
    """The indexes of titles among `lines`, and the settings by the index of their first line.

    In a file that `has_marks` of settings, others are code.
    """
    titles = frozenset(
        index for index, line in enumerate(lines)
        if _is_title(comments, index, column) or INI_SECTION.fullmatch(line.text)
    )
    blocks = {} if has_marks else explained_settings(lines, comments, titles)
    if not blocks:
        return frozenset(index for index in titles if comments[index]), {}
    if (first := _first_line(comments, titles, blocks[min(blocks)].settings[0].index)) >= 0:
        titles |= {first}
        blocks = explained_settings(lines, comments, titles)
    else:  # entries are in sections
        start = min(titles, default=len(comments))
        blocks = {index: block for index, block in blocks.items() if index > start}
    inside = {index for block in blocks.values() for index in range(block.first, block.end)}
    return titles - inside, blocks


def _is_settings_line(line: Line) -> bool:
    """Whether `line` is a comment, a setting with its value, or the title of a part of settings."""
    return line.text.startswith(COMMENT_STARTS) or line.indent > 0 or (
        INI_SECTION.fullmatch(line.text) is not None or ASSIGNED.match(line.text) is not None
    )


def _first_line(comments: Sequence[Comment | None], titles: frozenset[int], stop: int) -> int:
    """The index of the first comment, to be the title of a file without one before `stop`, or -1.

    Entries are in sections.  A file mostly starts with what it is for.
    """
    if titles and min(titles) < stop:
        return -1
    first = next((index for index in range(stop) if (comment := comments[index]) and comment.text
                  and not comment.is_rule), -1)
    comment = comments[first] if first >= 0 else None
    if comment is None or len(comment.text) > MAX_TITLE_LENGTH:
        return -1
    below = comments[first + 1] if first + 1 < stop else None
    continues = below and below.text and comment.text[-1] not in ".:!?" and not has_room(
        comment.line, Line(1, 0, below.text), MIN_FULL_LENGTH
    )
    # a sentence is no title where sections have their own
    has_sections = any(comments[index] is None for index in titles)
    return -1 if continues and has_sections else first


def _commented_out(comments: Sequence[Comment | None]) -> frozenset[int]:
    """The indexes of settings that are commented out, if there are several."""
    indexes = frozenset(
        index for index, comment in enumerate(comments)
        if comment and not comment.has_no_blank and _is_commented_out(comment)
        and _is_alone(comments, index)
    )
    return indexes if len(indexes) >= MIN_SETTINGS else frozenset()


def _marked_name(comment: Comment) -> re.Match[str] | None:
    """The match of a comment that marks its name as a setting: "TAG: oil"."""
    match = SETTING.match(comment.text)
    return match if match and NAME.match(match["name"]) else None


def _is_commented_out(comment: Comment) -> bool:
    text = comment.text
    if not COMMENTED_OUT.match(text) or text[-1] in ".,:;!?":
        return False
    return prose.count_function_words([Line(1, 0, text)]) == 0


def _is_alone(comments: Sequence[Comment | None], index: int) -> bool:
    """Whether the comment at the index `index` is not part of a sentence on several lines."""
    above, comment = comments[index - 1] if index else None, comments[index]
    below = comments[index + 1] if index + 1 < len(comments) else None
    if below is None or not below.text or above is None or not above.text or comment is None:
        return True
    return above.text[-1] in ".:!?" or has_room(
        above.line, Line(1, 0, comment.text), MIN_FULL_LENGTH
    )


def _is_title(comments: Sequence[Comment | None], index: int, column: int) -> bool:
    """Whether the comment at the index `index` is a title: alone, with a rule below, or in a frame.

    Below a rule, a line with more markers than other comments is a title, too.
    """
    above, comment = comments[index - 1] if index else None, comments[index]
    if comment is None or comment.is_rule or not comment.text:
        return False
    below = comments[index + 1] if index + 1 < len(comments) else None
    if FRAMED.match(comment.line.text) or _is_small_title(above, comment, below):
        return True
    if above and above.is_rule and comment.marker_count > max(2, column):
        return not prose.is_sentence(comment.text, min_words=2)
    if below is None or not below.is_rule:
        return False
    return above is None or above.is_rule or not above.text


def _is_small_title(above: Comment | None, comment: Comment, below: Comment | None) -> bool:
    """Whether `comment` is "- Lamps -", or "* Lamps" between empty comments."""
    match = SMALL_TITLE.match(comment.text)
    if match is None:
        return False
    if match["end"]:
        return above is None or not above.text or above.is_rule
    return above is not None and below is not None and not above.text and not below.text


@dataclass(slots=True)
class _Writer:
    """Writes the lines of `output`.

    `column` is the offset of the text of most comments from the first marker; `has_marks` says
    whether marks of settings count.  `title_levels` has the level of each line that is a title, by
    its number among them, `code_lines` the numbers of lines of code.  The others describe what was
    written last: the name of the setting, whether a label ("Default:") is above, whether it is
    code, and whether the file has a setting of the block here (`after_value`): text below it is
    about another value.
    """

    column: int
    has_marks: bool
    comments: Sequence[Comment | None]
    titles: frozenset[int]
    commented_out: frozenset[int]
    output: FilteredLines = field(default_factory=FilteredLines)
    title_levels: dict[int, int] = field(default_factory=dict)
    code_lines: set[int] = field(default_factory=set)
    entries: list[FilteredEntry] = field(default_factory=list)
    setting_name: str = ""
    after_label: bool = False
    after_code: bool = False
    after_value: bool = False

    def write_line(self, line: Line) -> None:
        """Write a line that is no part of an entry."""
        index = line.number - 1
        comment = self.comments[index]
        if comment is None and index in self.titles:
            self._write_title(line, 0, len(line.text))
        elif comment is None and line.text:
            self._write_code(line, CODE_COLUMN + line.indent, line.text)
        elif comment is None:
            self.output.blank_line(line)
            self.after_label = False
        elif comment.is_rule or not comment.text:
            self.output.dropped.add("rule" if comment.text else "comment marker", line)
            self.output.blank_line(line)
            self.after_label = self.after_label and not comment.is_rule
        else:
            self._write_comment(comment, index in self.titles, index in self.commented_out)

    def write_block(self, lines: Sequence[Line], block: SettingsBlock) -> None:
        """Write the settings of `block` before the comment that explains them, as an entry."""
        settings = {setting.index: setting for setting in block.settings}
        self.output.blank_line(lines[block.first])
        signatures: list[tuple[int, str]] = []
        for setting in block.settings:
            line = lines[setting.index]
            self.output.dropped.add("comment marker", line, 0, setting.start)
            text = " ".join(line.text[setting.start : setting.end].split())
            number = self.output.add_line(
                line, 0, text, is_out_of_order=setting.index > block.first
            )
            signatures.append((number, setting.name))
        self.after_label = self.after_code = False
        is_beside = False
        has_values = any(
            TRAILING_VALUE.match(lines[index].text) for index in range(block.first, block.end)
            if index not in settings
        )
        for index in range(block.first, block.end):
            line = lines[index]
            is_beside = (is_beside and index not in settings) or (
                index in settings and settings[index].comment_start >= 0
            )
            if index in block.examples and (comment := self.comments[index]):
                self.output.dropped.add("comment marker", line, 0, comment.offset)
                self._write_code(line, CODE_COLUMN, comment.text)
            elif index not in settings:
                if is_beside and TRAILING_MARKER.match(line.text):
                    self._write_trailing_comment(line, 0, has_values)
                else:
                    self.write_line(line)
            elif settings[index].comment_start < 0:
                self.after_value = index > block.first
            else:
                self.output.dropped.add_colon("colon after a name", line, settings[index].end)
                self._write_trailing_comment(line, settings[index].comment_start, has_values)
        self.output.blank_line(lines[block.end - 1])
        self.entries.append(FilteredEntry(tuple(signatures), self.output.count))
        self.after_label = self.after_code = self.after_value = False

    def _write_trailing_comment(self, line: Line, start: int, has_values: bool) -> None:
        """Write the comment on `line` from `start` on, which is beside a setting.

        So narrow a comment is wrapped early, unless it `has_values` line by line.
        """
        match = None if start else TRAILING_MARKER.match(line.text)
        text_start = match.end() if match else start
        before = line.text[:text_start].rstrip()
        self.output.dropped.add("comment marker", line, len(before.rstrip("#;/")), len(before))
        if IN_PARENTHESES.fullmatch(line.text[text_start:]):
            self.output.blank_line(line)
        # columns that the file has the text further right
        source_offset = 0 if has_values else line.indent + text_start - BODY_COLUMN
        self._write_text(line, BODY_COLUMN, line.text[text_start:], source_offset)

    def _write_comment(self, comment: Comment, is_title: bool, is_commented_out: bool) -> None:
        """Write the text of a comment."""
        line, text = comment.line, comment.text
        framed = FRAMED.match(line.text)
        if framed and is_title:
            self._write_title(line, *framed.span("title"))
            return
        section = SECTION.match(text) if self.has_marks else None
        if section:
            self._write_title(line, *[comment.offset + index for index in section.span("name")])
            return
        setting = _marked_name(comment) if self.has_marks else None
        if setting:
            self._write_setting(line, *[comment.offset + index for index in setting.span("name")])
            return
        if is_title:
            small = SMALL_TITLE.match(text)
            start, end = small.span("title") if small else (0, len(text))
            self._write_title(line, comment.offset + start, comment.offset + end, 2 if small else 1)
            return
        self.output.dropped.add("comment marker", line, 0, comment.marker_count)
        if LABEL.match(text) and (comment.has_no_blank or text == "Default:"):
            self.output.blank_line(line)
            self._write_text(line, BODY_COLUMN, text)
            self.output.blank_line(line)
            self.after_label = True
        elif self._is_code(comment) or (is_commented_out and not self.has_marks):
            self._write_code(line, CODE_COLUMN + max(0, comment.offset - max(self.column, 2)), text)
        else:
            self._write_text(line, BODY_COLUMN + max(0, comment.offset - self.column), text)

    def _is_code(self, comment: Comment) -> bool:
        text = comment.text
        if self.setting_name and re.match(rf"{re.escape(self.setting_name)}\s*=(?:\s|$)", text):
            return True
        if CODE.match(text) or (self.after_code and CLOSING_BRACE.match(text)):
            return True
        if self.after_label and len(prose.FUNCTION_WORD.findall(text)) >= MIN_FUNCTION_WORDS:
            return False
        if not self.after_label and not (comment.has_no_blank and self.column > comment.offset):
            return False
        may_continue = len(text) > MAX_SHORT_LENGTH and (
            len(prose.WORD.findall(text)) > MAX_SHORT_WORDS
        )
        return not text[0].isupper() or not (may_continue or prose.is_sentence(text, min_words=2))

    def _write_title(self, line: Line, start: int, end: int, level: int = 1) -> None:
        self._drop_around("comment marker", line, start, end)
        self.output.blank_line(line)
        self.title_levels[self.output.add_line(line, 0, line.text[start:end])] = level
        self.output.blank_line(line)
        self.setting_name, self.after_label, self.after_code = "", False, False

    def _write_setting(self, line: Line, start: int, end: int) -> None:
        self._drop_around("mark of a setting", line, start, end)
        self.output.blank_line(line)
        signature = " ".join(line.text[start:end].split())
        self.output.add_line(line, 0, signature)
        match = NAME.match(signature)
        self.setting_name = match[0].rpartition("/")[2] if match else ""
        self.after_label = self.after_code = False

    def _drop_around(self, kind: str, line: Line, start: int, end: int) -> None:
        """Drop the characters of `line` before `start` and after `end`, as marks of a `kind`."""
        self.output.dropped.add(kind, line, 0, start)
        self.output.dropped.add(kind, line, end)

    def _write_text(self, line: Line, indent: int, text: str, source_offset: int = 0) -> None:
        if self.after_code or self.after_value:
            self.output.blank_line(line)
        self.output.add_line(line, indent, text, source_offset=source_offset)
        self.after_code = self.after_value = False

    def _write_code(self, line: Line, indent: int, text: str) -> None:
        if not self.after_code:
            self.output.blank_line(line)
        self.code_lines.add(self.output.add_line(line, indent, text))
        self.after_code, self.after_value = True, False
