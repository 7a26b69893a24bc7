"""Languages of code: configuration, a console session, or another language."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dconv.model.source import Line
from dconv.readers.text.region import Region

# "$ echo", ">>> output", "master> show proc", "[0:00:00:50] master> show"
PROMPT = re.compile(r"(?:\$ \S|>>> ?|> \S|(?:\[[\d:]+\] )?[\w-]{1,20}> ?(?:\S|$))")
# "# socat": a root prompt, where what follows is a command
ROOT = re.compile(
    r"# (?:socat|echo|haproxy|cat|kill|netstat|sysctl|grep|setcap|ip|curl|tail|ls|make|ss|"
    r"watch|printf|systemctl|service|apt-get|iptables|openssl|ulimit|cd|mkdir|sudo|"
    r"ifconfig|modprobe|ping|gcc|/s?bin/\w+|/usr/\w+|mount|rm|touch|chown|chmod|mv|cp)\b"
)
# a command without a prompt: "wget http://example.org/"
COMMAND = re.compile(
    r"(?:echo [\"'].*\||sudo|socat|wget|curl|tar|cd|make(?! (?:sure|it|them|the|an?)\b)|git|"
    r"apt|apt-get|yum|dnf|\./configure) \S"
)
MIN_WRAPPED_LENGTH = 50  # columns; a line that ends before them was not wrapped
# one of the prompts at the start of any line; a quick test before the others
SESSION = re.compile(f"^(?:{PROMPT.pattern}|{ROOT.pattern})", re.MULTILINE)
# "will generate:", "which results in :"
ANNOUNCES_OUTPUT = re.compile(r"(?:will|would|which|this)\b[^.]{0,50}:$", re.IGNORECASE)
# "----+-----+----", "|<--- Tq --->|"
DRAWING = re.compile(r"---[+|>]|[+|<]---|====|____")
LUA = re.compile(r"(?:local |function |core\.|end$|end\)$|print\(|--\s)")
C_CODE = re.compile(r"(?:#include|struct |static |int |void |enum |#define |message \w+ \{|uint)")
HTTP = re.compile(r"(?:GET|HEAD|POST|PUT|OPTIONS|CONNECT) \S+ HTTP/\d|HTTP/\d(?:\.\d)? \d{3}\b")
# "Feb  6 12:14:14 localhost", "<29>1 2026"
LOG = re.compile(r"(?:[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d|<\d{1,3}>)")


def detect(region: Region, first: int, end: int) -> str:
    """The language of `region.lines[first:end]`; empty if it is unknown."""
    rows = [line.text for line in region.lines[first:end] if line.text]
    if _first_prompt(rows) < len(rows) or all(map(COMMAND.match, rows)):
        return "console"
    if HTTP.match(rows[0]):
        return "http"
    if _any_matches(rows, LOG):
        return "log"
    dialect = region.context.dialect
    is_drawn = any(DRAWING.search(row) for row in rows)
    if dialect.code_language and not is_drawn and (
        _any_matches(rows, dialect.code_line) or _starts_like_entry(region, rows)
    ):
        return dialect.code_language
    return _programming_language(rows)


def session_start(region: Region, first: int, end: int) -> int:
    """The index where a session starts below a configuration in lines `first` to `end`, or `end`.

    All below the prompt belongs to the session, which may show files.
    """
    if not region.context.dialect.code_language:
        return end
    rows = [line.text for line in region.lines[first:end]]
    index = _first_prompt(rows)
    language = region.context.dialect.code_language
    if 0 < index < len(rows) and detect(region, first, first + index) == language:
        return first + index
    return end


def is_command(above: Line, line: Line) -> bool:
    """Whether `line` is a shell command: the line `above` it ends too early for wrapped prose."""
    if not above.text or above.column + len(above.text) >= MIN_WRAPPED_LENGTH:
        return False
    return COMMAND.match(line.text) is not None


def is_prompt(text: str) -> bool:
    """Whether `text` is a line of a session that starts with a shell's prompt."""
    return text.startswith("$ ") or ROOT.match(text) is not None


def _first_prompt(rows: Sequence[str]) -> int:
    """The index of the first row with a prompt; a row after a comment may continue it."""
    if not SESSION.search("\n".join(rows)):
        return len(rows)
    is_commented = False
    for index, row in enumerate(rows):
        if PROMPT.match(row) or (not is_commented and ROOT.match(row)):
            return index
        is_commented = row.startswith("#")
    return len(rows)


def _starts_like_entry(region: Region, rows: Sequence[str]) -> bool:
    """Whether a row starts with the word that the current entry starts with."""
    word = region.context.entry.partition(" ")[0]
    return bool(word) and any(row == word or row.startswith(word + " ") for row in rows)


def _any_matches(rows: Sequence[str], pattern: re.Pattern[str]) -> bool:
    return any(pattern.match(row) for row in rows)


def _programming_language(rows: Sequence[str]) -> str:
    """The programming language or format of `rows` if its marks are clear, else empty."""
    if sum(1 for row in rows if LUA.match(row)) >= 2:
        return "lua"
    if _any_matches(rows, C_CODE) and any(row[-1] in ";{}" for row in rows):
        return "c"
    if rows[0][0] == "{" and rows[-1][-1] == "}" and '":' in " ".join(rows[:2]):
        return "json"
    return ""
