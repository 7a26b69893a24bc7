"""Settings of a configuration file below, or beside, the comments that explain them.

    # How much oil a lamp gets.         #oil = 2         # how much a lamp gets
    #oil = 2                                             # (in litres)

    # KEEPER <name>                     # Who lights the lamps.     ##  Keeper name
    # KEEPER anna                       #                           ##  Who lights the lamps.
    #                                   # keeper-name anna
    # Who lights the lamps.                                         # Keeper  anna

    #  oil: How much oil a lamp gets,
    #       in litres.

A setting may be commented out.  Prose and examples in comments look much alike, so a line is a
setting only if its shape and its place say so, and a file has several of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dconv.model.source import Line
from dconv.model.values import dataclass
from dconv.readers.text.rules import prose

MIN_EXPLAINED = 3  # settings with a comment; fewer are an example
MAX_SETTINGS = 12  # settings below one comment; more of them are a list
MAX_EXAMINED_LINES = 50  # of a comment; all of a long one, for each line, would be quadratic
MAX_VALUES = 5  # words after the name of a setting that is commented out
MIN_CODE_SHARE = 0.3  # so many of the settings without a marker are explained
# or so many lines: several parts of the file may have the same settings, as "path" of each share
MIN_REPEATED_CODE_SHARE = 0.2
MAX_SHIFT = 2  # columns between the text beside a name and that below it
MIN_GAP_SHARE = 0.2  # of the comments have a blank after their marker
MIN_TRAILING_SHARE = 0.4  # of the settings have their comment beside them
MARKERS = r"(?:#+|;+|/{2,})"  # of comments
COMMENT = re.compile(rf"(?P<markers>{MARKERS})\s*(?P<rest>.*)$")
RULE = re.compile(r"([-=*_~#])\1{3,}$")
WORD = r"[A-Za-z\d](?:(?:[\w.+-]|::)*\w)?"
# "oil = 2", "max oil = 2", "oil: 2", "oil="
ASSIGNED = re.compile(
    rf"(?P<name>{WORD}(?: {WORD}){{0,4}}?)\s*=(?!=)\s*\S?|(?P<word>{WORD}):(?:\s+\S|$)"
)
# 'oil "lamp";'
STATEMENT = re.compile(rf"(?P<name>{WORD}) +\"[^\"]*\";$")
# "oil 2", "oil"
SPACED = re.compile(rf"(?P<name>{WORD})(?=\s|;|$)")
# "lamp {", "[lamps]", "<Lamp>"; not "lamps = %(lamps)s[oil=2]"
BLOCK = re.compile(r"^[{}\[<]|(?!.*=.*\[[^\[\]]*\]$).*[{}()\[\]<]$")
SHELL_WORDS = frozenset(("if", "then", "else", "fi", "for", "do", "done", "case", "esac", "exit"))
# "[lamp]", "[lamp:red]", '[lamp "red"]'
INI_SECTION = re.compile(r"\[[\w.:@ -]{1,40}(?:\"[^\"\[\]]{1,40}\")?\]")
COMPOUND = re.compile(r"[A-Z][a-z]+[A-Z]\w*|\w+[_-]\w+")  # "WickLength", "wick_length"
# words before a colon or an equals sign that say something about a setting
REMARKS = frozenset(("default", "example", "note", "warning"))
# what only values look like: "10", "/srv/oil", "yes", '"red"', "<oil>"
PLAIN_VALUE = re.compile(
    r"-?\d\S*|~?/\S*|yes|no|on|off|true|false|none|\"[^\"]*\"|'[^']*'|<\S+>", re.IGNORECASE
)
# "KEEPER <name>", "LISTEN <address or name> [<port>]"
SYNTAX = re.compile(rf"(?P<signature>(?P<name>{WORD})(?: (?:<[^<>]+>|\[[^\[\]]+\]))+)$")
# "Keeper name", "Background { yes | no }", if the setting is below
SIGNATURE = re.compile(rf"(?P<signature>(?P<name>{WORD})(?: [^\s.]\S*){{0,7}})$")
# "Option: keeper"
MARKED = re.compile(rf"(?:Option|Setting|Parameter): +(?P<signature>(?P<name>{WORD}))$")
# "oil: How much", a name above hanging text
HANGING = re.compile(r"(?P<names>(?P<name>[a-z][\w.-]*\w)(?:, \w+)*(?:\(\S*\))?): +(?=[\w\"'(])")
TRAILING_COMMENT = re.compile(rf"\s+{MARKERS}\s*")  # before a comment beside a setting
OTHER_MARKERS = re.compile(r"(?:[;# ]|! )+")  # of settings that are commented out
PUNCTUATION = (".", ",", ";", ":", "!", "?")
MARGIN = 75  # columns


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment: its `text`, which starts `offset` characters after the first marker."""

    line: Line
    text: str
    offset: int
    marker_count: int

    @property
    def is_rule(self) -> bool:
        """Whether it draws a line."""
        return bool(RULE.match(self.text)) or (not self.text and self.marker_count > 3)

    @property
    def has_no_blank(self) -> bool:
        """Whether the text follows the markers without a blank."""
        return self.offset == self.marker_count


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting on the line with the index `index`.

    Its words are the characters `start` to `end` of the line (the last excluded); a comment beside
    it starts at `comment_start`, which is -1 if there is none.
    """

    index: int
    name: str
    start: int
    end: int
    comment_start: int = -1


@dataclass(frozen=True, slots=True)
class SettingsBlock:
    """Settings and what explains them: the lines `first` to `end` (indexes; `end` is excluded).

    `examples` are the indexes of lines that show how they are set.
    """

    first: int
    end: int
    settings: tuple[Setting, ...]
    examples: frozenset[int] = frozenset()


def comment_on(line: Line, marker: str) -> Comment | None:
    """The comment that `line` is, if it starts with `marker`."""
    match = COMMENT.match(line.text) if line.text.startswith(marker) else None
    if match is None or (line.number == 1 and line.text.startswith("#!")):
        return None
    return Comment(line, match["rest"], match.start("rest"), len(match["markers"]))


def explained_settings(
    lines: Sequence[Line], comments: Sequence[Comment | None], titles: frozenset[int]
) -> dict[int, SettingsBlock]:
    """The settings of a file with their comments, by the index of their first line.

    `comments` are those on `lines`; `titles` are the indexes of titles.  The result is
    empty if the file explains few of its settings.
    """
    column = _column_of_prose(comments)
    settings = {
        index: setting for index in range(len(lines)) if index not in titles
        and (setting := _setting(lines, comments, index, column))
    }
    layouts = (
        list(_below_comments(lines, comments, settings, titles, 0)),
        _without_chance_gaps(lines, list(_below_comments(lines, comments, settings, titles, 1))),
        list(_named_first(lines, comments, settings)), list(_hanging(comments)),
    )
    blocks = max(layouts, key=lambda layout: sum(len(block.settings) for block in layout))
    code = [
        line.text.split()[0].partition("=")[0] for index, line in enumerate(lines)
        if line.text and comments[index] is None
    ]
    explained = {setting.name for block in blocks for setting in block.settings}
    # a file of sections may have few settings
    has_section = any(lines[index].text.startswith("[") for index in titles)
    all_are_explained = has_section and len(explained) > 1 and explained.issuperset(
        setting.name for setting in settings.values()
    )
    count = sum(len(block.settings) for block in blocks)
    if (len(blocks) < MIN_EXPLAINED and not all_are_explained) or (
        count < max(MIN_REPEATED_CODE_SHARE * len(code), MIN_CODE_SHARE * len(set(code)))
    ):
        return {}
    return {block.first: block for block in blocks}


def _below_comments(
    lines: Sequence[Line], comments: Sequence[Comment | None], settings: dict[int, Setting],
    titles: frozenset[int], blank_count: int,
) -> Iterator[SettingsBlock]:
    """Settings below or beside their comments, with `blank_count` blank lines between."""
    trailing_count = sum(1 for setting in settings.values() if setting.comment_start >= 0)
    are_trailing = trailing_count >= max(MIN_EXPLAINED, MIN_TRAILING_SHARE * len(settings))
    names: set[str] = set()
    above: SettingsBlock | None = None
    index = 0
    while index < len(lines):
        if index in titles and lines[index].text.startswith("["):
            names.clear()  # another part of the file may have the same settings
        if index not in settings:
            index += 1
            continue
        group = [settings[index]]  # those that share a comment, with nothing between them
        while not are_trailing and group[-1].index + 1 in settings:
            group.append(settings[group[-1].index + 1])
        first = _comment_start(comments, settings, titles, index, above.end if above else 0)
        if blank_count and first == index and index and not lines[index - 1].text:
            stop = above.end if above else 0
            first = _comment_start(comments, settings, titles, index - 1, stop)
            first = index if first == index - 1 else first
        end = _comment_end(lines, settings, group)
        new_settings = list({setting.name: setting for setting in reversed(group)}.values())[::-1]
        new_settings = [setting for setting in new_settings if setting.name not in names]
        is_explained = first < index or group[0].comment_start >= 0
        if is_explained and 0 < len(new_settings) <= MAX_SETTINGS:
            if above:
                yield above
            above = SettingsBlock(first, end, tuple(new_settings))
            names.update(setting.name for setting in new_settings)
        elif above and above.end == first and not new_settings and (
            group[0].name in [setting.name for setting in above.settings]
        ):
            above = replace(above, end=end)  # another value of the same setting
        index = end
    if above:
        yield above


def _without_chance_gaps(
    lines: Sequence[Line], blocks: Sequence[SettingsBlock]
) -> list[SettingsBlock]:
    """The `blocks` with a blank line below the comment, if they are many, and the others.

    Few blank lines mostly separate settings from a comment on something else, which does not name
    them.
    """
    with_gaps = [
        block for block in blocks
        if block.first < block.settings[0].index and not lines[block.settings[0].index - 1].text
    ]
    if len(with_gaps) >= min(MIN_EXPLAINED, len(blocks) / 2):
        return list(blocks)
    return [
        block for block in blocks if block not in with_gaps or any(
            re.search(rf"\b{re.escape(setting.name)}\b", line.text)
            for setting in block.settings for line in lines[block.first : setting.index]
        )
    ]


def _column_of_prose(comments: Sequence[Comment | None]) -> int:
    """The offset of most comments that have a gap after their marker, 1 if few have one."""
    offsets = [comment.offset for comment in comments if comment and comment.text]
    gaps = Counter(
        comment.offset for comment in comments
        if comment and comment.text and not comment.has_no_blank
    )
    if gaps.total() < MIN_GAP_SHARE * len(offsets):
        return 1
    return max(gaps, key=gaps.__getitem__, default=1)


def _named_first(
    lines: Sequence[Line], comments: Sequence[Comment | None], settings: dict[int, Setting]
) -> Iterator[SettingsBlock]:
    """Settings whose comment starts with what they take: "KEEPER <name>", "Option: keeper"."""
    names: set[str] = set()
    end = comment_end = 0
    for index, comment in enumerate(comments):
        above = comments[index - 1] if index else None
        if index < end or comment is None or (above and above.text and not above.is_rule):
            continue
        comment_end = max(comment_end, index + 1)
        while comment_end < len(comments) and (line := comments[comment_end]) and not line.is_rule:
            comment_end += 1
        match = (
            SYNTAX.match(comment.text) or MARKED.match(comment.text)
            or _named_below(comment, lines[comment_end : comment_end + 2])
        )
        if match is None or match["name"] in names:
            continue
        name, end = match["name"], comment_end
        examples = set()
        for below in range(index + 1, end):
            if not (line := comments[below]) or not re.match(rf"{re.escape(name)}[\s=]", line.text):
                break
            examples.add(below)
        below = end + (end < len(lines) and not lines[end].text)
        is_repeated = match.re is SIGNATURE
        if is_repeated or ((setting := settings.get(below)) and setting.name == name):
            end = below + 1
            examples.update([below] if is_repeated else [])
        names.add(name)
        start = comment.offset + match.start("signature")
        setting = Setting(index, name, start, comment.offset + len(comment.text))
        yield SettingsBlock(index, end, (setting,), frozenset(examples))


def _hanging(comments: Sequence[Comment | None]) -> Iterator[SettingsBlock]:
    """Settings before a text that hangs below them, if most of those in comments have one."""
    blocks: list[SettingsBlock] = []
    are_hanging: list[bool] = []
    for index, comment in enumerate(comments):
        match = HANGING.match(comment.text) if comment else None
        if comment is None or match is None:
            continue
        column = comment.offset + match.end()
        below = comments[index + 1] if index + 1 < len(comments) else None
        hangs = below is not None and bool(below.text) and abs(below.offset - column) <= MAX_SHIFT
        if not hangs and below is not None and below.text and not HANGING.match(below.text):
            continue  # a sentence that continues below
        end = index + 1
        while end < len(comments) and (line := comments[end]) and (
            not line.text or abs(line.offset - column) <= MAX_SHIFT
        ):
            end += 1
        while not ((line := comments[end - 1]) and line.text):
            end -= 1
        start = comment.offset
        setting = Setting(index, match["name"], start, start + match.end("names"), column)
        blocks.append(SettingsBlock(index, end, (setting,)))
        are_hanging.append(hangs)
    if 2 * sum(are_hanging) >= len(blocks) and sum(are_hanging) >= MIN_EXPLAINED:
        yield from blocks


def _named_below(comment: Comment, below: Sequence[Line]) -> re.Match[str] | None:
    """What `comment` says a setting takes, if that setting is on the line after a blank one."""
    match = SIGNATURE.match(comment.text)
    if match is None or len(below) < 2 or below[0].text or match["signature"][-1] in PUNCTUATION:
        return None
    setting = re.escape(match["name"])
    return match if re.match(rf"[#;/]*\s*{setting}(?:\s|=|$)", below[1].text, re.I) else None


def _setting(
    lines: Sequence[Line], comments: Sequence[Comment | None], index: int, column: int
) -> Setting | None:
    """The setting on the line `index`, commented out or not, if it certainly is one."""
    line, comment = lines[index], comments[index]
    above = lines[index - 1] if index else Line(0, 0, "")
    if not line.text or above.text.endswith("\\"):
        return None  # the second is the rest of a value: a query, a command
    is_assignment = index > 0 and comments[index - 1] is None and "=" in above.text
    if is_assignment and 0 <= above.indent < line.indent and "=" not in line.text:
        return None  # one more value
    if comment is None:
        markers = OTHER_MARKERS.match(line.text)
        offset = markers.end() if markers else 0
        may_be_sentence = offset > 0
    else:
        offset, may_be_sentence = comment.offset, True
        if comment.is_rule or not comment.text or offset > max(column, comment.marker_count):
            return None
    trailing = _trailing_comment(line.text, offset)
    end = trailing[0] if trailing else len(line.text)
    text = line.text[offset:end]
    if not text or BLOCK.match(text) or text.partition(" ")[0] in SHELL_WORDS:
        return None
    # the marker of comments is another one: "bind only these = yes" is no sentence
    is_no_comment = comment is None and " = " in text
    name = _assigned_name(text, may_be_sentence=may_be_sentence and not is_no_comment)
    if not name and (statement := STATEMENT.match(text)):
        name = statement["name"]
    if not name and not may_be_sentence:
        name = _name_before_value(text)
    if not name and comment is None and may_be_sentence:
        name = _certain_name_before_value(text)
    if comment is not None:
        if name and _is_in_commented_section(comments, index):
            return None
        if comment.has_no_blank and column > offset:
            name = name or _certain_name_before_value(text)
        elif not _ends_block(comments, index, offset, is_assigned=bool(name)):
            return None
        else:
            name = name or _name_before_plain_value(text)
    if not name or name.isdecimal():
        return None
    return Setting(index, name, offset, end, trailing[1] if trailing else -1)


def _trailing_comment(text: str, start: int) -> tuple[int, int] | None:
    """Where the setting from `start` on ends, and where the comment beside it starts."""
    for match in TRAILING_COMMENT.finditer(text, start + 1):
        before = text[start : match.start()]
        if before.count('"') % 2 == 0 and before.count("'") % 2 == 0 and match.end() < len(text):
            return match.start(), match.end()
    return None


def _assigned_name(text: str, *, may_be_sentence: bool = True) -> str:
    """The name in "oil = 2", or empty."""
    match = ASSIGNED.match(text)
    if match is None:
        return ""
    name: str = match["name"] or match["word"]
    if may_be_sentence and name.casefold() in REMARKS:
        return ""
    if may_be_sentence and " " in name and (
        prose.FUNCTION_WORD.search(name) or not re.search(r" = ?\S", text)
    ):
        return ""
    if match["word"] and (name[0].isupper() or text[-1] in PUNCTUATION[:4] or _is_prose(text)):
        return ""
    return name


def _is_prose(text: str) -> bool:
    return prose.count_function_words([Line(1, 0, text)]) > 0 or len(text.split()) > MAX_VALUES + 1


def _name_before_value(text: str) -> str:
    match = SPACED.match(text)
    return match["name"] if match and len(match["name"]) > 1 else ""


def _certain_name_before_value(text: str) -> str:
    """The name in "oil 2", if that cannot be a sentence."""
    words = text.split()
    if len(words) == 2 and COMPOUND.fullmatch(words[0]):
        return words[0]
    if text[-1] in PUNCTUATION or len(words) > MAX_VALUES + 1 or _is_prose(" ".join(words[1:])):
        return ""
    if len(words) > 2 and words[0].istitle() and all(word.isalpha() for word in words):
        return ""
    return _name_before_value(text)


def _name_before_plain_value(text: str) -> str:
    """The name in "oil 2", if no other words than a name and values look like that."""
    name, *values = text.split()
    if not values or text[-1] in PUNCTUATION or _is_prose(text) or _name_before_value(text) != name:
        return ""
    if name[0].isupper() or not (
        all(PLAIN_VALUE.fullmatch(value) for value in values)
        or (re.search(r"\w[-_]\w", name) and len(values) == 1)
    ):
        return ""
    return name


def _ends_block(
    comments: Sequence[Comment | None], index: int, offset: int, *, is_assigned: bool
) -> bool:
    """Whether the comment at the index `index` ends its block, and is not an example in prose."""
    end = index + 1
    while end < len(comments) and (comment := comments[end]) and comment.text:
        if comment.offset != offset or _is_prose(comment.text) or comment.is_rule:
            return False
        if end - index == MAX_EXAMINED_LINES:
            return False
        end += 1
    above = index
    while above and (comment := comments[above - 1]) and (
        not comment.text
        or (comment.offset == offset
        and (_assigned_name(comment.text) or _name_before_plain_value(comment.text)))
    ):
        if end - above == MAX_EXAMINED_LINES:
            return False
        above -= 1
    comment = comments[above - 1] if above else None
    if comment is None or comment.is_rule or comment.text[-1] in (":", ","):
        return False
    ends = comment.text[-1] in ".!?)"
    is_next = comments[index - 1] is comment
    # a full line within a sentence continues below
    below = comments[index]
    is_split = below and not STATEMENT.match(below.text) and (
        len(comment.line.text) + len(below.text.split()[0]) > MARGIN
    )
    return ends or not is_next or (is_assigned and not is_split)


def _is_in_commented_section(comments: Sequence[Comment | None], index: int) -> bool:
    """Whether the comment at the index `index` is a setting below "# [lamps]", as an example."""
    above = index
    while above and (comment := comments[above - 1]) and _assigned_name(comment.text):
        if index - above == MAX_EXAMINED_LINES:
            return False
        above -= 1
    comment = comments[above - 1] if above else None
    return comment is not None and INI_SECTION.fullmatch(comment.text) is not None


def _comment_start(
    comments: Sequence[Comment | None], settings: dict[int, Setting],
    titles: frozenset[int], index: int, stop: int,
) -> int:
    """The index of the first line of the comment above the setting at `index`."""
    first = index
    while first > stop and (comment := comments[first - 1]) is not None:
        if comment.is_rule or first - 1 in settings or first - 1 in titles:
            break
        below = comments[first]
        if not comment.text and below and not below.text:
            break
        first -= 1
    while first < index and not ((comment := comments[first]) and comment.text):
        first += 1
    return first


def _comment_end(
    lines: Sequence[Line], settings: dict[int, Setting], group: Sequence[Setting]
) -> int:
    """The index after the last of `group`, and the comment beside it."""
    end = group[-1].index + 1
    if group[-1].comment_start >= 0:
        column = lines[group[-1].index].indent + group[-1].comment_start - 3
        while end < len(lines) and end not in settings:
            if not COMMENT.match(lines[end].text) or lines[end].indent < column:
                break
            end += 1
    return end
