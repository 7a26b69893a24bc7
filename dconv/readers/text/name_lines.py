"""Lines that name something, in texts without a dialect: they may start entries.

    job NAME                    -v, --verbose   Says more.      wick=size   The wick of the
        Starts a job.                                                       lamp.
    wick_height - INTEGER       Field  1 -- # of lamps
        The height.                 The number of lamps that burn.

    'wickheight' 'wh'   number  (default 3)
        The height.

This module looks at single lines; `guessed_entries.py` decides by the lines around them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from dconv.model.source import Line
from dconv.model.values import dataclass

Style = Literal["option", "dashed", "quoted", "braced", "word"]

# "-v", "--grow", "+x", "-?"; but not "- text" and "-----"
OPTION = re.compile(r"(?:-{1,2}|\+)[A-Za-z0-9?#@][\w#?@.+-]*|--$")
# what is between two names of one option: ", ", " | ", "/", " or ", and a value before it; or one
# blank: "-v --verbose"
BETWEEN = re.compile(
    r"(?:[ =]?(?:<[^<>]*>|\[[^\[\]]*\]|[A-Z][A-Z_]*))?(?:,? or |, ?| ?[|/] ?)"
    r"| (?=--[a-z][\w-]*(?: {2}|$))"
)
# "rw=str", "bs=int[,int]", "[net] ttl=int"
TYPED = re.compile(
    r"(?:\[[\w,-]+\] )?(?P<name>[A-Za-z_][\w.-]{0,60})=(?:[a-z_][\w:,|\[\]<>.-]*)?(?=\s|$)"
)
# "[net] listen  Waits for…", "[mtd] skip_bad Skip…"
GROUPED = re.compile(
    r"\[[a-z][\w,-]*\] (?P<name>[A-Za-z_][\w.-]{0,60})(?= {2,}\S|$| (?=[A-Z][a-z]+,? [a-z]))"
)
# "oil= [HW,SHIP]  How much", "nowick [HW] No wick": a name with the classes that it is of
CLASSED = re.compile(
    r"(?P<name>[A-Za-z_][\w.-]{0,60})(?:=\S*)?\s+"
    r"\[[A-Z][A-Z\d_]*(?:[,;&|/ ] ?[A-Z\d_-]+)*\](?=$|\s+[^\s\[<{])"
)
# a long name, one blank before its text: "wait_for_previous Wait for…"
LONG_NAME = re.compile(r"(?P<name>[a-z][\w.-]*[_\d][\w.-]*) (?=[A-Z][A-Za-z]+ )")
# what is between an option and a sentence about it, one blank apart: "-u <name> Drops the…"
BEFORE_SENTENCE = re.compile(
    r"(?P<value>[ =](?:<[^<>]+>|\[[^\[\]]+\]|[A-Z][A-Z\d_-]+))? (?=[A-Z][a-z]+,? [a-z\"'])"
)
# "tcp_ecn - INTEGER", "Field  1 -- # of reads", "wick : the wick"
DASHED = re.compile(
    r"(?P<name>[A-Za-z_$%@/*][\w./*$%@+-]*(?: {1,2}\d+)?) +(?P<mark>--?|:) +(?P<text>[^\s-].*)$"
)
# "'wickheight' 'wh'      number"
QUOTED = re.compile(r"'[a-z]\w+'(?: '[a-z]\w*')*\s+(?=[a-z]+ *(?:\(|$))")
# what is expanded or tested: "${lamp{<wick>}{<oil>}}", "${lit:<lamp>}", "lit {<a>}, unlit {<a>}"
BRACED = re.compile(
    r"(?:^|(?:,| and| or) )(?:\$ ?\{(?P<item>[a-z]\w*?)(?:_?<|[: {])|(?P<test>[a-z]\w*) ?\{+<)"
)
# a word that can be a name: "miimon", "$jobname", "route/max_size", "802.3ad", "$0"
NAME = re.compile(r"\$\d(?=,|$)|[$%@]?(?:\d+\.\d+)?[A-Za-z_/*][\w./*$%@:+-]*\*?(?=[\s,<\[({=|]|$)")
# words of prose and titles, not names: "Introduction", "TCP"
TITLE_WORD = re.compile(r"(?:[A-Z][a-z]+|[A-Z]+|[A-Z]?[a-z]?)$")
TYPE = re.compile(r"[A-Z]{3,}")
# "int lamp_count", "const char *lamp_name(int lamp)"
DECLARATION = re.compile(
    r"(?:(?:const|struct|unsigned) )*"
    r"(?:(?:int|char|void|long|bool|BOOL|\w+_t) \*{0,2}|[a-z]\w* \*{1,2})"
    r"(?P<name>[a-z_]\w*)(?:\([^()]*\))?"
)
# several names: "$auth1 - $auth4"
RANGE = re.compile(r"(?P<stem>\$[a-z]\w*?)(?P<first>\d) +- +(?P=stem)(?P<last>\d)$")
# what may follow a name: "<x>", "[x]", "{a|b}", "(x)", "NAME", "0", "a:b", "...", "\\"
ARGUMENT = re.compile(
    r"[<\[{(|\"'].*|.*[>\]})]|[A-Z][A-Z0-9_|-]*|-?\d+|[a-z]+:[a-z]+|\.\.\.|\\|=|-{1,2}\w.*"
)
CHOICE = re.compile(r" \{[^{};]+\|[^{};]+\}$")  # "name { a | b }"
# an argument of more than one word: "{ a | b }", "[ a | b ]", "<a name>"
SPACED = re.compile(r"\{ [^{}]+ \| [^{}]+\}|\[ [^\[\]]+ \| [^\[\]]+\]|<[^<>]+ [^<>]*>")
# between further names: "stable or 0", "rw, readwrite", "read|write"
SPLIT = re.compile(r" or | ?, *| ?\| ?")
ENDING_VALUE = re.compile(r"(?<=\w)<[^<>]+>:?$")  # of "lamp_<a name>:"
GAP = re.compile(r" {2,}")
# what is between a name and its text, after a gap or not: "- Lights it", " : the wick"
MARK = re.compile(r"(--?|:) +")
MARK_AFTER_BLANK = re.compile(r" (--?|:) +(?=\S)")
# "size=<n>", "wick[...]"
BEFORE_VALUE = re.compile(r"[^=<\[({]+")
MAX_SIGNATURE_WORDS = 8
MAX_NAME_WORDS = 3  # before the first argument: "show lamp 0"
MAX_OTHER_WORDS = 2  # neither name nor argument; "level 0 was reached" is prose
MAX_TYPE_LENGTH = 60  # characters after a dash that say of what type something is
MIN_EXTRA_INDENT = 2  # columns between a name line and the text below it
MAX_LENGTH = 100  # characters of a name line
# "Lights a lamp", "A lamp", '"on"', "(old)", "See …": how the text about a name starts
PROSE = re.compile(r"[\"'(<]?[A-Z\d\"'(<]|(?:the|an?|is|this|to|if|when|enables?|disables?)\b")
PUNCTUATION = (".", ",", ";", "!", "?")  # no signature ends with it


@dataclass(frozen=True, slots=True)
class NameLine:
    """A line with `names`, and the characters where its signature ends and other text starts.

    `text_start` is -1 if no text is on the line; `mark` is what separates it: "-", "--", ":" of the
    style "dashed", or empty for blanks.
    """

    style: Style
    names: tuple[str, ...]
    signature_end: int
    text_start: int
    mark: str = ""


def read(line: Line, below: Line | None, max_length: int = MAX_LENGTH) -> NameLine | None:
    """The name line on `line`, if it looks like one; `below` is the line directly below it."""
    text = line.text
    if BRACED.match(text) and "<" in text and (
        text[-1] == "}" or text.count("{") > text.count("}")
    ):
        names = tuple(found["item"] or found["test"] for found in BRACED.finditer(text))
        return NameLine("braced", tuple(dict.fromkeys(names)), len(text), -1)
    if not text or len(text) > max_length or (
        text.endswith((";", "{", "}")) and not CHOICE.search(text)
    ):
        return None
    if text[0] in "-+":
        return _option(line, below)
    if text[0] == "'":
        return _quoted(text)
    return _dashed(text) or _word(line, below)


def _option(line: Line, below: Line | None) -> NameLine | None:
    """An option with its other names and its values: "-f, --file <name>   Reads it."."""
    text = line.text
    names: list[str] = []
    index = 0
    while match := OPTION.match(text, index):
        names.append(match[0].rstrip(".-") or match[0])
        index = match.end()
        between = BETWEEN.match(text, index)
        if between is None or not OPTION.match(text, between.end()):
            break
        index = between.end()
    if not names or text[index : index + 1] not in ("", " ", "=", "[", "<", ",", ":", "{"):
        return None
    end, start, mark = _split_at_text(line, below, index)
    if start < 0 and (sentence := BEFORE_SENTENCE.match(text, index)):
        end = sentence.end("value") if sentence["value"] else index
        start = sentence.end()
    other_words = [
        word for word in text[index:end].split()
        if word[0] != "=" and not ARGUMENT.fullmatch(word)
    ]
    if len(other_words) > MAX_OTHER_WORDS or (
        start < 0 and text[-1] in ".,;" and not text.endswith("...")
    ):
        return None
    # long options first, the longest first
    names = sorted(dict.fromkeys(names), key=lambda name: (not name.startswith("--"), -len(name)))
    return NameLine("option", tuple(names), end, start, mark)


def include_type(lines: Sequence[Line], index: int, end: int, name_line: NameLine) -> NameLine:
    """`name_line` on line `index`; a type after its mark becomes part of it: "x - INTEGER".

    It is one if a text is deeper directly below it, before index `end`; a blank line may be between
    if the type is one word in capitals.
    """
    if name_line.style != "dashed" or index + 1 >= end:
        return name_line
    text, below = lines[index].text, lines[index + 1]
    if not below.text and index + 2 < end and TYPE.fullmatch(text, name_line.text_start):
        below = lines[index + 2]
    if not below.text or below.indent < lines[index].indent + MIN_EXTRA_INDENT:
        return name_line
    if text[-1] in ".,;" or len(text) - name_line.text_start > MAX_TYPE_LENGTH:
        return name_line
    return NameLine(name_line.style, name_line.names, len(text), -1)


def next_aligned_option(lines: Sequence[Line], index: int, end: int) -> int:
    """The index of the next option before `end` whose text is aligned with that of line `index`.

    Options without a short name may be indented: "      --dry      keeps the wick dry".  A long
    option has its text below it.
    """
    name_line = read(lines[index], None)
    if name_line is None or name_line.style != "option":
        return end
    column = lines[index].indent + name_line.text_start
    if name_line.text_start < 0:
        column = lines[index + 1].indent if index + 1 < end else 0
    for below in range(index + 1, end):
        line = lines[below]
        if line.indent < column and line.text.startswith("-"):
            other = read(line, None)
            if other is None:
                continue
            is_above_text = other.text_start < 0 and below + 1 < end and (
                lines[below + 1].text != "" and lines[below + 1].indent == column
            )
            if is_above_text or line.indent + other.text_start == column:
                return below
    return end


def _split_at_text(line: Line, below: Line | None, start: int) -> tuple[int, int, str]:
    """The end of the signature on `line`, the start of its text or -1, and the mark between.

    The signature has `start` characters at least.
    """
    text = line.text
    if gap := GAP.search(text, start):
        mark = MARK.match(text, gap.end())
        return gap.start(), mark.end() if mark else gap.end(), mark[1] if mark else ""
    if mark := MARK_AFTER_BLANK.search(text, start):
        return mark.start(), mark.end(), mark[1]
    text_column = below.indent - line.indent if below is not None and below.text else -1
    if text_column > start and re.match(r" \w\S* ", text[max(text_column - 1, 0) :]):
        return text_column - 1, text_column, ""
    return len(text), -1, ""


def _quoted(text: str) -> NameLine | None:
    """Names in quotes before their type: "'wickheight' 'wh'  number  (default 3)"."""
    match = QUOTED.match(text)
    if match is None:
        return None
    names = tuple(re.findall(r"'(\w+)'", match[0]))
    return NameLine("quoted", names, len(text), -1)


def _dashed(text: str) -> NameLine | None:
    if match := RANGE.match(text):
        numbers = range(int(match["first"]), int(match["last"]) + 1)
        names = tuple(f"{match['stem']}{number}" for number in numbers)
        return NameLine("word", names, len(text), -1) if names else None
    match = DASHED.match(text)
    if match is None:
        return None
    name = " ".join(match["name"].split())
    word, _, number = name.rpartition(" ")
    further = rf", ({re.escape(word)} \d+) {match['mark']} " if number.isdigit() else "$^"
    names = (name, *re.findall(further, text, re.IGNORECASE))
    return NameLine("dashed", names, match.end("name"), match.start("text"), match["mark"])


def _word(line: Line, below: Line | None) -> NameLine | None:
    """A name with its type or its arguments, alone or before a gap."""
    text = line.text
    if declaration := DECLARATION.fullmatch(text):
        return NameLine("word", (declaration["name"],), len(text), -1)
    if match := CLASSED.match(text) or TYPED.match(text) or GROUPED.match(text):
        rest = text[match.end() :]
        start = len(text) - len(rest.lstrip()) if rest else -1
        return NameLine("word", (match["name"],), match.end(), start)
    if below is not None and below.text and below.indent >= line.indent + MIN_EXTRA_INDENT and (
        match := LONG_NAME.match(text)
    ):
        return NameLine("word", (match["name"],), match.end("name"), match.end())
    end, start, mark = _split_at_text(line, below, 0)
    if mark:
        return None
    signature = text[:end]
    match = NAME.match(signature)
    if match is None or signature.removesuffix("...").endswith(PUNCTUATION) or (
        signature[-1] == ":" and start >= 0
    ):
        return None
    names = _names(signature.rstrip(":"))
    if not names:
        return None
    if start >= 0:  # text beside a name is words about it
        description = text[start:]
        is_phrase = len(description.split()) > 1 and not GAP.search(description)
        if not description[0].isupper() or not is_phrase:
            return None
    return NameLine("word", names, end, start)


def _names(signature: str) -> tuple[str, ...]:
    """The names in `signature`, none if it does not look like one."""
    parts = [ENDING_VALUE.sub("", part) for part in SPLIT.split(signature)]
    if parts[-1] == "etc":
        parts.pop()
    if len(parts) > 1 and all(" " not in part and part for part in parts):
        first, *others = parts
        if all(NAME.fullmatch(part) or part.isdecimal() for part in others) and _is_name(first):
            return (first, *others)
        return ()
    words = SPACED.sub("{}", signature).split()
    if len(words) > MAX_SIGNATURE_WORDS:
        return ()
    name = BEFORE_VALUE.match(words[0])
    if name is None or NAME.match(words[0]) is None:
        return ()
    if len(words) == 1:
        return (name[0].removesuffix("..."),) if _is_name(name[0]) else ()
    index = 1
    while index < len(words) and not ARGUMENT.fullmatch(words[index]):
        index += 1
    if index > 1 and words[index : index + 1] == ["|"]:  # "mode on | off"
        index -= 1
    rest = [word for word in words[index:] if not ARGUMENT.fullmatch(word)]
    if index == len(words) or index > MAX_NAME_WORDS or len(words[0]) < 2:
        return ()
    if index > 1 and words[index:] == ["="]:  # "int lamp_count =", a statement
        return ()
    if len(rest) > MAX_OTHER_WORDS:
        return ()
    if not all(word[0].islower() or "_" in word for word in words[:index]):
        return ()
    return (" ".join(words[:index]) if index > 1 else name[0],)


def _is_name(word: str) -> bool:
    """Whether `word` is a name by itself: no title and no word that starts a sentence."""
    return len(word) > 1 and not TITLE_WORD.match(word)
