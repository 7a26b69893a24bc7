"""Lines that are not wrapped prose and match no other rule: parts of files and logs, names.

    2026-04-01 18:03 lit                  Lit by:
    2026-04-02 06:11 out, no oil          Anna Wick
                                          anna@lamps.example

A paragraph would join them into one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from dconv.model.source import Line
from dconv.model.wrapping import COMMENT_MARKER, MIN_FULL_LENGTH, has_room
from dconv.readers.text.rules import prose

# what programs read and write: settings, variables, paths, addresses, times, options, names
CODE = re.compile(
    r"""
      \S\s?=\s?\S | =$ | \$[\w{(] | [{}\\]$ | ^[{}<>|\#$%!*/&~+]
    | (?: ^ | \s ) / [\w.*-]+ / | \w@\w | :: | \w_\w | \w\(\) | \s\*{1,2}\w
    | \d\.\d+\.\d+\.\d | (?: [\dA-Fa-f]{2} : ){2} | \d\d:\d\d | \d{4}-\d\d-\d\d
    | (?: ^ | \s ) --? [a-z\d][\w-]* (?: [=\s] | $ )
    | [a-z]:[\d:] | ^ [\w-]+ (?: [ ] [\w-]+ ){0,3} : $ | \[-
    """,
    re.VERBOSE,
)
# what code is if it is a line of its own: ":lamp:", "host:/oil", "\\lamp", '"|/bin/lamp"', columns
LONE_CODE = re.compile(r"(?:^|\s):[a-z]|[a-z]:/(?!/)|^\"?[\\|/]|\w\\\w|[^\s.:!?] {2,}\S")
# "oil = :", "24h,30m;", ":lamp:", "light(int n, int m)": code may end so, too
CODE_END = re.compile(
    r"^(?:\w+ ){0,2}[\w.-]+ = .*:$|(?:\d\w*|[>)\]}]);$|^:\w+:$|\w\([^() ]+ [^()]+\)$"
)
PLACEHOLDER = re.compile(r"<[^<>]*>")
# "mount point 0 0": small words, one at least with another character, and none with a colon
COMMAND = re.compile(r"^(?=.*[^a-zA-Z ,'.])[a-z][^\s:]+(?: +[^\s:]*[^\s,:])+$")
# what is no code although it has its marks: "<http://lamp.example/>", "##### Lamps #####",
# "# Lamps", "*lamps*", "2.1. lamp_lit", "2026-04-01", "-- Ann Wick <ann@lamps.example>"
NOT_CODE = re.compile(
    r"<?(?:https?|ftp)://\S+$|<?[\w.+-]+@\S+$|([#*=-])\1{3}|[#*=]+ [A-Z\d]|\*.+\*$"
    r"|\d[\d.]*\. |\d{4}-\d\d-\d\d$|(?![\w-]+:)(?=[^<>]*[A-Z])[^<>]*+(?<= )<[^\s@<>]+@\S+>"
)
# "Consult the", where code has "Host: lamp"
SENTENCE = re.compile(r"(?:[-*•] )?[\"'(]?[A-Z][a-z']*,? [a-z]")
# "my_oil = 9", "warn  lamp = on"
ASSIGNMENT = re.compile(r"(?:[\w!-]+\s+){0,2}[\w!.-]+\s*[-+:|?]?=\s")
# what starts a sentence, and is small within one
STATEMENT_START = re.compile(r"(?:All|An|Any|By|Each|For|If|In|It|The|These|This|When|You) [a-z]")
# "kept", "CONFIG_LAMPS": what a sentence ends with, unlike "Red" of "Red Hat" and "to give"
LAST_WORD = re.compile(r"(?:^|(?<!\bto) )(?:[a-z]{3,}|[A-Z\d]+_[A-Z_\d]+)$")
PREPOSITION = re.compile(
    r"about|after|before|between|called|into|like|named|over|through|under|using|via"
)
MAX_BLOCK = 200  # lines of a block that is searched: each paragraph found in it reads it again
LONE_SETTING = re.compile(r"(?:# )?(?=\w*[_.-])[a-z][\w.-]+ = \S")  # "oil_level = 9"
COMMENTED = re.compile(r"[a-z]\w*(?: \S+){2,} +(?=# (?!of\b)[*A-Za-z])")  # "lamp lit 3 # at night"
# "${lamp{1}{2}}", without placeholders, 'light("lamp", 3)'
EXPANSION_OR_CALL = re.compile(r"\$\{[^<>]*\}|[a-z]\w*\([^()\"]*\"[^()]*\);?")
# "Made by : the lamp smiths", "Notes.:  the lamp is lit"
LABELLED = re.compile(r"[A-Z][\w ,/()-]{0,40}\.?:\s")
# "Format: <int>", "Default: { on | off } (since 2.0)"
VALUE_LABEL = re.compile(
    r"[A-Z][a-z]+: +(?:<[^<>]*>(?:,\S*)?|\{[^{}]*\}|\d+)(?: \([^()]*\))?$"
)
ADDRESS_END = re.compile(r" (?:https?|ftp)://\S*[\w/]$")
# what starts a sentence even if the one above has no stop
REMARK_START = re.compile(r"(?:Be warned|Note that|(?:Possible|Supported|Valid) values) ")
# "http://lamp.example/oil", "type: lit|out", "oil=LOW": no word of a sentence is on such a line
LONE_TOKEN = re.compile(r"(?:[a-z]\w*: )?[a-z][^\s|]*(?:\||://|=)\S*[^\s.,;:]")
# what separates the parts of a file: "****"
RULE = re.compile(r"([*=~#_+-])\1{2,}")
# brackets around whole lines
CLOSING = {"{": "}", "(": ")", "[": "]"}
MIN_FREE_COLUMNS = 12  # columns that stay free on a line whose author ended it
NUMBER = re.compile(r"\d\S*\s")
# what starts the lines of a list, of code, of a session; prose may start with brackets and quotes
LINE_MARKERS = "[<>|#$%*+~!{:.&/"
PUNCTUATION_END = re.compile(r"(?<!\.\.)[.,;:!?)]$")
ADDRESS = re.compile(r"<?[a-z]+://\S+(?: \([^()]*\))?$")
LONG_WORD = re.compile(r"(?!<?[a-z]+://)(?=\S*[A-Za-z\d])\S{80,}$")  # values of a file, on one line
QUOTED = re.compile(r"\"[^\"\n]*\"")
SMALL_WORD = re.compile(r"(?<!\S)[a-z]{2,}:?(?!\S)")
MIN_SMALL_WORDS = 3  # of a line that may be a sentence
MIN_EARLY_ENDS = 2  # lines that end early; a single one may be the end of a sentence


def are_unwrapped(block: Sequence[Line], *, is_announced: bool = False) -> bool:
    """Whether the line breaks in `block` have a meaning.

    Most lines end early, and not after a sentence.  Or all look like code, are below a comment, or
    start with the same words, and function words are missing.  Of a block that a colon announces,
    and that starts with no sentence, lines may also end with a bracket, or one with a colon.
    """
    if len(block) == 1:
        if statement := COMMENTED.match(block[0].text):
            return not prose.FUNCTION_WORD.search(statement[0])
        if EXPANSION_OR_CALL.fullmatch(block[0].text):
            return True
        return LONE_SETTING.match(block[0].text) is not None and (
            block[0].text[-1] not in ".:,;" and prose.count_function_words(block) == 0
        )
    if all(ADDRESS.match(line.text) for line in block):
        return False
    if block[0].text[0] == "}" or any(line.text.endswith(" \\") for line in block[:-1]):
        return True
    if LONG_WORD.match(block[0].text):
        return True
    width = min(MIN_FULL_LENGTH, max(line.column + len(line.text) - 1 for line in block))
    early_count = sum(
        has_room(above, below, width) and (
            not PUNCTUATION_END.search(above.text)
            or (above.text[-1] == ")" and is_announced and not SENTENCE.match(block[0].text))
        )
        for above, below in pairwise(block)
    )
    is_half_enough = is_announced and block[-1].text[-1] != "."
    if early_count >= MIN_EARLY_ENDS and early_count * 2 + is_half_enough > len(block) - 1:
        return True
    if is_announced and _all_end_early(block) and not (
        PUNCTUATION_END.search(block[-1].text) or SENTENCE.match(block[0].text)
    ):
        return True
    code = [line for line in block if not line.text.startswith(COMMENT_MARKER)] or block
    if len(code) < len(block) and (
        prose.count_function_words(code) == 0 or _are_below_comment(block, code)
    ):
        return True  # a comment above its code
    if all(ASSIGNMENT.match(line.text) for line in code) or _are_parallel(block):
        return True
    return not _is_wrapped(block) and (are_code(code) or _are_short(block))


def _are_below_comment(block: Sequence[Line], code: Sequence[Line]) -> bool:
    """Whether `block` starts with a comment, and its other lines, `code`, are no sentence."""
    texts = [line.text.partition(f" {COMMENT_MARKER}")[0] for line in code]
    return block[0].text.startswith(COMMENT_MARKER) and any(map(CODE.search, texts)) and (
        sum(len(prose.FUNCTION_WORD.findall(text)) for text in texts) <= len(texts)
    ) and not any(text[0].isupper() or PUNCTUATION_END.search(text) for text in texts)


def next_paragraph_start(lines: Sequence[Line], first: int, end: int) -> int:
    """The index of the first line before `end` that starts another paragraph, or `end`.

    The line above has room for its first words, and the line is a label with its text ("Place: the
    name of the file"), or in brackets that close where the block ends ("{only on the sea}").  A
    rule is between others too, and so are each of several addresses, a label below another one or a
    colon, and the first of several labels below the end of a sentence.  A word that is small within
    a sentence starts one below a line without a stop that its author ended.  More than `MAX_BLOCK`
    lines stay together.
    """
    if end - first > MAX_BLOCK:
        return end
    if _are_sentences(lines[first:end]):
        return first + 1
    width = max(line.column + len(line.text) - 1 for line in lines[first:end])
    for index in range(first + 1, end):
        above, line = lines[index - 1], lines[index]
        below = lines[index + 1].text if index + 1 < end else ""
        if RULE.fullmatch(above.text) or RULE.fullmatch(line.text):
            return index
        if ADDRESS.match(line.text) and (ADDRESS.match(above.text) or ADDRESS.match(below)):
            return index
        if above.text[-1] == "." and _are_two_labels(lines[index : index + 2]):
            return index
        is_below_label = above.text[-1] == ":" or LABELLED.match(above.text)
        if is_below_label and LABELLED.match(line.text) and (
            above.text[-1] == "." or has_room(above, line, MIN_FULL_LENGTH)
        ):
            return index
        if above.text[-1].isalnum() and STATEMENT_START.match(line.text) and (
            has_room(above, line, width)
        ):
            return index
        if line.indent == above.indent and LONE_TOKEN.fullmatch(line.text) and (
            above.text[-1] == "." and not above.text.endswith(("e.g.", "i.e."))
        ):
            return index
        if LONE_TOKEN.fullmatch(above.text) and (
            SENTENCE.match(line.text) or (index == first + 1 and "://" not in above.text)
        ):
            return index
        if ADDRESS_END.search(above.text) and SENTENCE.match(line.text):
            return index
        if above.text[-1].isalnum() and REMARK_START.match(line.text):
            return index
        if VALUE_LABEL.match(line.text) or (
            VALUE_LABEL.match(above.text) and line.text[0].isupper()
        ):
            return index
        if _ends_statement(above, line) and _is_only_break(lines, first, index, end):
            return index
        if not has_room(above, line, MIN_FULL_LENGTH - MIN_FREE_COLUMNS) or above.text[-1] in ",-(":
            continue
        if LABELLED.match(line.text) and not LABELLED.match(lines[first].text):
            return index
        closing = CLOSING.get(line.text[0])
        if closing and lines[end - 1].text.rstrip(".").endswith(closing):
            return index
    return end


def _ends_statement(above: Line, line: Line) -> bool:
    """Whether `above` ends with a word of content or a constant, and `line` starts a sentence."""
    last_word = above.text.rpartition(" ")[2]
    return LAST_WORD.search(above.text) is not None and line.text[0].isupper() and (
        SENTENCE.match(line.text) is not None
        and not prose.FUNCTION_WORD.fullmatch(last_word) and not PREPOSITION.fullmatch(last_word)
    )


def _is_only_break(lines: Sequence[Line], first: int, index: int, end: int) -> bool:
    """Whether line `index` alone would have fitted on the line above it."""
    width = max(line.column + len(line.text) - 1 for line in lines[first:end])
    return all(
        has_room(lines[below - 1], lines[below], width) == (below == index)
        for below in range(first + 1, end)
    )


def _are_two_labels(lines: Sequence[Line]) -> bool:
    """Whether both `lines`, at one column, are labels with their texts."""
    return len(lines) == 2 and lines[0].indent == lines[1].indent and all(
        LABELLED.match(line.text) for line in lines
    )


def are_code(block: Sequence[Line]) -> bool:
    """Whether all lines of `block` have a mark of code, and few have or end with function words."""
    words = prose.FUNCTION_WORD.findall(QUOTED.sub("", "\n".join([line.text for line in block])))
    if len(words) * 2 > len(block):
        return False
    open_lines = sum(
        prose.FUNCTION_WORD.fullmatch(line.text.rpartition(" ")[2]) is not None
        for line in block[:-1]
    )
    if open_lines * 4 > len(block):
        return False
    return all(CODE.search(line.text) for line in block)


def is_code_line(line: Line, *, needs_mark: bool = True) -> bool:
    """Whether `line`, alone where code is expected, has no function word and is no sentence.

    Without `needs_mark`, it needs no mark of code, but is a command or has few small words.
    """
    text = line.text
    if NOT_CODE.match(text) or (PUNCTUATION_END.search(text) and not CODE_END.search(text)):
        return False
    if LONE_SETTING.match(text):
        return True
    if any(map(prose.FUNCTION_WORD.fullmatch, PLACEHOLDER.sub("", text).split())):
        return False
    if not needs_mark:
        return len(SMALL_WORD.findall(text)) < MIN_SMALL_WORDS or COMMAND.match(text) is not None
    return any(pattern.search(text) for pattern in (CODE, LONE_CODE, COMMAND))


def is_statement(block: Sequence[Line]) -> bool:
    """Whether `block` are a few lines of code, and no list of names with commas."""
    return any(map(is_code_line, block)) and not any(
        ", " in line.text or " " not in line.text or not is_code_line(line, needs_mark=False)
        for line in block
    )


def _are_parallel(block: Sequence[Line]) -> bool:
    """Whether the lines at the column of the first start alike, as in a list or a log."""
    starts = [line.text for line in block if line.indent == block[0].indent]
    if 2 * len(starts) <= len(block):
        return False
    if all(map(NUMBER.match, starts)):
        return True
    if _are_sentences(block):
        return False
    if all(map(LABELLED.match, starts)):
        return True
    if starts[0][0] in LINE_MARKERS and len({text[0] for text in starts}) == 1:
        return True
    if len({text.partition(" ")[0] for text in starts}) > 1:
        return False
    return _all_end_early(block) or prose.count_function_words(block) <= len(block)


def _are_sentences(block: Sequence[Line]) -> bool:
    """Whether each line of `block` is a short sentence that starts with the same word."""
    return len({line.text.partition(" ")[0] for line in block}) == 1 < len(block) and all(
        line.text[0].isupper() and prose.is_sentence(line.text) and not line.text.endswith("...")
        for line in block
    ) and (_all_end_early(block) or prose.count_function_words(block) <= len(block))


def _are_short(block: Sequence[Line]) -> bool:
    """Whether all lines of `block` end early, and are no sentence: names, titles, commands."""
    if not _all_end_early(block) or any(line.text[-1] == "," for line in block[:-1]):
        return False
    stops = any(line.text[-1] in ".:!?" and not line.text.endswith("...") for line in block)
    if stops and all(SENTENCE.match(line.text) for line in block):
        return False
    count = prose.count_function_words(block)
    if count * 4 <= len(block):
        return True
    return count <= len(block) and not stops and not any(line.text[0].islower() for line in block)


def _all_end_early(block: Sequence[Line]) -> bool:
    return all(has_room(above, below, MIN_FULL_LENGTH) for above, below in pairwise(block))


def _is_wrapped(block: Sequence[Line]) -> bool:
    """Whether `block` is a sentence or a list with commas, and every line is full."""
    if any(has_room(above, below, MIN_FULL_LENGTH) for above, below in pairwise(block)):
        return False
    return SENTENCE.match(block[0].text) is not None or all(
        above.text[-1] == "," and above.indent == below.indent for above, below in pairwise(block)
    )
